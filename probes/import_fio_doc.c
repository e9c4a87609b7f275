#include "probes/import_fio_doc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sample.h"
#include "cloud/json.h"
#include "probes/import_text.h"

static const char *const directions[] = { "read", "write", "trim" };

/* fio's own bucket number -> value, as its json+ of before 2.20 has them for keys. */
static uint64_t value_of_index(uint64_t index)
{
	uint64_t e;

	if (index < 128)
		return index;
	e = (index >> 6) - 1;
	return (UINT64_C(1) << (e + 6)) + (index % 64) * (UINT64_C(1) << e) +
	       (UINT64_C(1) << e) / 2;
}

/* A number that may be written as one or, as an option of a job, as text: "50", "4k". */
static double option_number(const json_t *value)
{
	const char *text = json_string_value(value);
	double number;

	if (json_is_number(value))
		return json_number_value(value);
	if (!text || !vs_text_size(&text, &number) || *text != '\0')
		return (double)NAN;
	return number;
}

static const json_t *option(const json_t *job, const json_t *global, const char *name)
{
	const json_t *own = json_object_get(json_object_get(job, "job options"), name);

	return own ? own : json_object_get(global, name);
}

static void read_number(const json_t *job, const json_t *global, const char *name, bool first,
			int64_t *out)
{
	double number = option_number(option(job, global, name));
	int64_t value = number >= 0 && number < 9e15 ? (int64_t)number : VS_UNKNOWN;

	if (first)
		*out = value;
	else if (*out != value)
		*out = VS_UNKNOWN;
}

static void read_text(const json_t *job, const json_t *global, const char *name, bool first,
		      char *out, size_t size)
{
	const char *text = json_string_value(option(job, global, name));

	if (!text)
		text = "";
	if (first)
		(void)snprintf(out, size, "%s", text);
	else if (strncmp(out, text, size - 1) != 0)
		out[0] = '\0';
}

static void read_options(const json_t *job, const json_t *global, bool first,
			 struct vs_fio_doc *doc)
{
	int64_t bs, blocksize;
	char readwrite[sizeof(doc->rw)];

	read_text(job, global, "rw", first, doc->rw, sizeof(doc->rw));
	read_text(job, global, "readwrite", true, readwrite, sizeof(readwrite));
	if (doc->rw[0] == '\0')
		memcpy(doc->rw, readwrite, sizeof(doc->rw));
	read_text(job, global, "filename", first, doc->filename, sizeof(doc->filename));
	read_number(job, global, "bs", true, &bs);
	read_number(job, global, "blocksize", true, &blocksize);
	bs = bs > 0 ? bs : blocksize;
	if (first)
		doc->block_bytes = bs;
	else if (doc->block_bytes != bs)
		doc->block_bytes = VS_UNKNOWN;
	read_number(job, global, "iodepth", first, &doc->iodepth);
	read_number(job, global, "numjobs", first, &doc->numjobs);
	read_number(job, global, "log_avg_msec", first, &doc->log_avg_ms);
}

static int64_t percentile(const json_t *latency, const char *key, double unit)
{
	double value = vs_cloud_json_number(json_object_get(latency, "percentile"), key);

	return value > 0 && value * unit < 9e17 ? (int64_t)llround(value * unit) : VS_UNKNOWN;
}

/* Bins of json+: by index with the table's sizes beside (2.2.12 to 2.19), then by value. */
static void read_bins(const json_t *latency, double unit, struct vs_fio_doc *doc)
{
	json_t *bins = json_object_get(latency, "bins"), *count;
	bool by_index = json_object_get(bins, "FIO_IO_U_PLAT_BITS") != NULL;
	const char *key;

	json_object_foreach(bins, key, count)
	{
		const char *p = key;
		uint64_t value;

		if (!vs_text_u64(&p, &value) || *p != '\0' || !json_is_integer(count) ||
		    json_integer_value(count) <= 0)
			continue;
		if (by_index)
			value = value < UINT64_C(64) * 29 ? value_of_index(value) : 0;
		value = (uint64_t)fmin((double)value * unit, 9e17);
		doc->bins.count[vs_hist_index(value)] += (uint64_t)json_integer_value(count);
		doc->has_bins = true;
	}
}

static void read_latency(const json_t *side, struct vs_fio_doc_part *part, struct vs_fio_doc *doc)
{
	const json_t *latency = json_object_get(side, "clat_ns");
	double unit = 1, max;

	if (!latency) {
		latency = json_object_get(side, "clat");
		unit = 1000;
	}
	/* Some ask for percentiles of the whole latency in place of the completion's. */
	if (!json_object_get(latency, "percentile") && unit < 2 &&
	    json_object_get(json_object_get(side, "lat_ns"), "percentile"))
		latency = json_object_get(side, "lat_ns");
	part->p50_ns = percentile(latency, "50.000000", unit);
	part->p99_ns = percentile(latency, "99.000000", unit);
	part->p999_ns = percentile(latency, "99.900000", unit);
	max = vs_cloud_json_number(latency, "max");
	part->max_ns = max > 0 && max * unit < 9e17 ? (int64_t)llround(max * unit) : VS_UNKNOWN;
	read_bins(latency, unit, doc);
}

/* io_bytes was KiB before 2.21: bw, always KiB/s, tells which. */
static double bytes_of(const json_t *side, double seconds)
{
	double bytes = vs_cloud_json_number(side, "io_bytes");
	double kib_per_s = vs_cloud_json_number(side, "bw");
	bool kib = !json_object_get(side, "io_kbytes");

	if (!(bytes >= 0))
		return (double)NAN;
	if (kib_per_s > 0 && seconds > 0)
		kib = bytes / (kib_per_s * seconds) < 32;
	return kib ? bytes * 1024 : bytes;
}

static bool read_part(const json_t *side, double job_seconds, struct vs_fio_doc_part *part,
		      struct vs_fio_doc *doc)
{
	double iops = vs_cloud_json_number(side, "iops");
	double ms = vs_cloud_json_number(side, "runtime");

	part->seconds = ms > 0 ? ms / 1000 : job_seconds;
	part->ios = vs_cloud_json_number(side, "total_ios");
	if (!(part->ios >= 0)) /* fio before 2.1.14 */
		part->ios = iops * part->seconds;
	if (!(part->ios >= 0) || part->ios > 1e15 || !(part->seconds > 0) || part->seconds > 1e9)
		return false;
	part->bytes = bytes_of(side, part->seconds);
	if (part->ios > 0)
		read_latency(side, part, doc);
	return true;
}

static void read_job(const json_t *job, struct vs_fio_doc *doc)
{
	double group = vs_cloud_json_number(job, "groupid");
	double ms = vs_cloud_json_number(job, "job_runtime"), error, start;
	size_t first = doc->n_parts;

	for (int d = 0; d < 3; d++) {
		struct vs_fio_doc_part *part = &doc->parts[doc->n_parts];

		*part = (struct vs_fio_doc_part){ .direction = d,
						  .bytes = (double)NAN,
						  .p50_ns = VS_UNKNOWN,
						  .p99_ns = VS_UNKNOWN,
						  .p999_ns = VS_UNKNOWN,
						  .max_ns = VS_UNKNOWN };
		vs_cloud_json_text(job, "jobname", part->name, sizeof(part->name));
		part->group = group >= 0 && group < 1e9 ? (int64_t)group : 0;
		if (!read_part(json_object_get(job, directions[d]), ms > 0 ? ms / 1000 : 0, part,
			       doc))
			continue;
		/* One part stays for a job that did nothing; else those with I/O. */
		if (part->ios > 0 && doc->n_parts > first && doc->parts[doc->n_parts - 1].ios <= 0)
			doc->parts[doc->n_parts - 1] = *part;
		else if (part->ios > 0 || doc->n_parts == first)
			doc->n_parts++;
	}
	for (size_t i = first; i < doc->n_parts; i++)
		doc->parts[i].alone = doc->n_parts == first + 1;
	error = vs_cloud_json_number(job, "error");
	if (error > 0 && error < 1e6 && !doc->error) {
		doc->error = (int64_t)error;
		vs_cloud_json_text(job, "jobname", doc->failed_job, sizeof(doc->failed_job));
	}
	start = vs_cloud_json_number(job, "job_start");
	if (start > 1e11 && start < 1e14 &&
	    (doc->job_start_ms == VS_UNKNOWN || (double)doc->job_start_ms > start))
		doc->job_start_ms = (int64_t)start;
}

static void add_up(struct vs_fio_doc *doc)
{
	double group_seconds = 0;

	for (size_t i = 0; i < doc->n_parts; i++) {
		const struct vs_fio_doc_part *part = &doc->parts[i];

		if (i && part->group != part[-1].group) {
			doc->seconds += group_seconds;
			group_seconds = 0;
		}
		group_seconds = fmax(group_seconds, part->seconds);
		doc->ios += part->ios;
		doc->bytes += part->bytes;
	}
	doc->seconds += group_seconds;
	/* One size of all I/Os shows in the sum, when no option names it. */
	if (doc->block_bytes < 0 && doc->ios > 0) {
		double block = doc->bytes / doc->ios;
		if (block >= 512 && block < 1e9 && fabs(block / 512 - round(block / 512)) < 1e-9)
			doc->block_bytes = (int64_t)block;
	}
}

static void read_head(const json_t *root, struct vs_fio_doc *doc)
{
	char version[48];
	const char *p = version;
	double ms = vs_cloud_json_number(root, "timestamp_ms");
	double seconds = vs_cloud_json_number(root, "timestamp");

	vs_cloud_json_text(root, "fio version", version, sizeof(version));
	if (vs_text_starts(p, "fio-"))
		p += 4;
	(void)snprintf(doc->version, sizeof(doc->version), "%.39s", p);
	if (ms > 0 && ms < 1e14)
		doc->wall_ms = (int64_t)ms;
	else if (seconds > 0 && seconds < 1e11)
		doc->wall_ms = (int64_t)(seconds * 1000);
}

/* Listed one by one in one group, they are what numjobs made; one alone is one unless it says so.
 */
static void set_jobs(struct vs_fio_doc *doc, const json_t *root)
{
	const json_t *jobs = json_object_get(root, "jobs");
	bool one_group = true;

	for (size_t i = 1; i < doc->n_parts; i++)
		one_group = one_group && doc->parts[i].group == doc->parts[0].group;
	if (doc->n_jobs > 1)
		doc->numjobs = one_group ? (int64_t)doc->n_jobs : VS_UNKNOWN;
	else if (doc->numjobs < 0 && json_object_get(json_array_get(jobs, 0), "job options"))
		doc->numjobs = 1;
}

static int read_root(const json_t *root, struct vs_fio_doc *doc, struct vs_error *err)
{
	const json_t *global = json_object_get(root, "global options");
	const json_t *jobs = json_object_get(root, "jobs");
	size_t n;

	if (!json_is_array(jobs))
		jobs = json_object_get(root, "client_stats");
	n = json_array_size(jobs);
	if (n == 0)
		return vs_error_set(err, VS_EFORMAT, 0, "a JSON document without jobs");
	if (n > VS_FIO_DOC_JOBS)
		return vs_error_set(err, VS_EFORMAT, 0, "a JSON document of %zu jobs; %d at most",
				    n, VS_FIO_DOC_JOBS);
	doc->parts = calloc(n * 3 + 1, sizeof(*doc->parts));
	if (!doc->parts)
		return vs_error_nomem(err);
	read_head(root, doc);
	for (size_t i = 0; i < n; i++) {
		const json_t *job = json_array_get(jobs, i);
		char name[48];

		/* In client mode a last entry is the sum of the others. */
		vs_cloud_json_text(job, "jobname", name, sizeof(name));
		if (n > 1 && strcmp(name, "All clients") == 0)
			continue;
		read_options(job, global, doc->n_jobs == 0, doc);
		read_job(job, doc);
		doc->n_jobs++;
	}
	set_jobs(doc, root);
	add_up(doc);
	return 0;
}

/*
 * Old fio prints nan and inf for what it has not measured, and job names in any encoding: both
 * are no JSON. The words become empty strings, which are no numbers, bytes of no ASCII become '?'.
 */
static void make_plain(char *text, size_t len)
{
	static const char *const words[] = { "-nan", "nan", "-inf", "inf" };
	bool quoted = false;

	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)text[i] >= 0x80)
			text[i] = '?';
		if (text[i] == '\\' && quoted) {
			i++;
			continue;
		}
		if (text[i] == '"')
			quoted = !quoted;
		for (size_t k = 0; !quoted && k < sizeof(words) / sizeof(words[0]); k++) {
			size_t n = strlen(words[k]);
			if (len - i < n || memcmp(text + i, words[k], n) != 0)
				continue;
			memset(text + i, ' ', n);
			memset(text + i, '"', 2);
			i += n - 1;
			break;
		}
	}
}

int vs_fio_doc_read(const char *text, size_t len, struct vs_fio_doc *doc, struct vs_error *err)
{
	struct vs_error why = { 0 };
	json_t *root = vs_cloud_json_parse(text, len, &why);
	int rc;

	*doc = (struct vs_fio_doc){ .wall_ms = VS_UNKNOWN,
				    .job_start_ms = VS_UNKNOWN,
				    .block_bytes = VS_UNKNOWN,
				    .iodepth = VS_UNKNOWN,
				    .numjobs = VS_UNKNOWN,
				    .log_avg_ms = VS_UNKNOWN };
	if (!root && why.code == VS_EFORMAT) {
		char *copy = malloc(len + 1);
		if (!copy)
			return vs_error_nomem(err);
		memcpy(copy, text, len);
		make_plain(copy, len);
		vs_error_clear(&why);
		root = vs_cloud_json_parse(copy, len, &why);
		free(copy);
	}
	if (!root && why.code == VS_ENOMEM)
		return vs_error_nomem(err);
	if (!root)
		return vs_error_set(err, VS_EFORMAT, 0, "a JSON document that is damaged");
	rc = read_root(root, doc, err);
	json_decref(root);
	return rc;
}

void vs_fio_doc_release(struct vs_fio_doc *doc)
{
	free(doc->parts);
	doc->parts = NULL;
}
