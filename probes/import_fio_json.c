/* fio's JSON and json+: one or many documents with anything between them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hist.h"
#include "probes/import_context.h"
#include "probes/import_fio_doc.h"
#include "probes/import_text.h"

#define MAX_DOCUMENT ((size_t)32 << 20)
#define MANY_PARTS   64

struct vs_fio_json {
	struct vs_import *im;
	struct vs_buf text; /* of the document under way */
	int depth;          /* of brackets; 0: between documents */
	bool quoted, escaped;
	uint64_t start_line;

	struct vs_fio_doc *last; /* the run's newest document; NULL none yet */
	size_t n_docs;           /* of the run under way, identical ones once */
	size_t n_runs;
	size_t n_read;      /* documents in all */
	bool no_samples;    /* other files give the series */
	size_t run_first;   /* where the run's results begin in im->results */
	double shown_ios;   /* of the documents that samples were made of */
	double shown_bytes; /* NAN not known */
	double shown_seconds;
	double last_step_s;
	struct vs_hist shown_bins, delta;
	struct vs_sample first; /* of the first document: no series until a second follows */
	bool flowing;
};

static void set_latency(const struct vs_hist *hist, struct vs_sample *sample)
{
	sample->lat_p50_ns = vs_hist_quantile_ns(hist, 0.5);
	sample->lat_p99_ns = vs_hist_quantile_ns(hist, 0.99);
	sample->lat_p999_ns = vs_hist_quantile_ns(hist, 0.999);
	sample->lat_max_ns = vs_hist_max_ns(hist);
}

/* What was done between the last document shown and this one. */
static struct vs_sample difference(struct vs_fio_json *j, const struct vs_fio_doc *doc)
{
	double length = doc->seconds - j->shown_seconds;
	double bytes = doc->bytes - j->shown_bytes;
	struct vs_sample sample = vs_import_sample(doc->seconds, length, 0);

	sample.ios = doc->ios - j->shown_ios;
	if (bytes >= 0 && bytes < 9e17)
		sample.bytes = (int64_t)llround(bytes);
	if (doc->has_bins) {
		for (size_t i = 0; i < VS_HIST_BUCKETS; i++)
			j->delta.count[i] = doc->bins.count[i] > j->shown_bins.count[i]
						    ? doc->bins.count[i] - j->shown_bins.count[i]
						    : 0;
		set_latency(&j->delta, &sample);
		j->shown_bins = doc->bins;
	}
	j->shown_ios = doc->ios;
	j->shown_bytes = doc->bytes;
	j->shown_seconds = doc->seconds;
	j->last_step_s = length;
	return sample;
}

/*
 * Is it the run of the last document, told again later? Then no count is below the former one, and
 * its clock went on as far as its runtime did; another run of the same job starts from zero.
 */
static bool continues(const struct vs_fio_doc *last, const struct vs_fio_doc *doc)
{
	double step = doc->seconds - last->seconds;

	if (doc->n_jobs != last->n_jobs || doc->ios < last->ios || step < 0)
		return false;
	for (size_t i = 0; i < doc->n_parts && i < last->n_parts; i++) {
		const struct vs_fio_doc_part *a = &last->parts[i], *b = &doc->parts[i];

		if (strcmp(a->name, b->name) != 0 || a->group != b->group)
			return false;
		if (doc->n_parts == last->n_parts && a->direction == b->direction &&
		    (b->ios < a->ios || b->seconds < a->seconds))
			return false;
	}
	if (step <= 0 && doc->ios <= last->ios)
		return true; /* the same document twice */
	if (doc->wall_ms != VS_UNKNOWN && last->wall_ms != VS_UNKNOWN) {
		double clock = (double)(doc->wall_ms - last->wall_ms) / 1000;
		return clock >= -1 && fabs(clock - step) < 2 + step / 2;
	}
	return step >= 0.5;
}

/* One result a part; of many parts one a group, for a list of hundreds tells nobody anything. */
static void put_result(struct vs_fio_json *j, const struct vs_fio_doc_part *part, bool together)
{
	struct vs_import *im = j->im;
	static const char *const directions[] = { " read", " write", " trim" };
	int64_t group = ((int64_t)j->n_runs << 32) + part->group;
	char name[64];
	struct vs_import_result *r = im->n_results ? &im->results[im->n_results - 1] : NULL;

	if (together && im->n_results > j->run_first && r->group == group) {
		r->ios += part->ios;
		r->bytes += part->bytes;
		r->seconds = fmax(r->seconds, part->seconds);
		r->p50_ns = r->p99_ns = r->p999_ns = VS_UNKNOWN;
		r->max_ns = r->max_ns > part->max_ns ? r->max_ns : part->max_ns;
		return;
	}
	(void)snprintf(name, sizeof(name), "%s%s", part->name,
		       part->alone ? "" : directions[part->direction]);
	r = vs_import_result(im, name, group);
	r->ios = part->ios;
	r->seconds = part->seconds;
	r->bytes = part->bytes;
	r->p50_ns = part->p50_ns;
	r->p99_ns = part->p99_ns;
	r->p999_ns = part->p999_ns;
	r->max_ns = part->max_ns;
}

static int put_results(struct vs_fio_json *j, struct vs_error *err)
{
	const struct vs_fio_doc *doc = j->last;
	struct vs_import *im = j->im;
	struct vs_workload *workload = &im->head->workload;

	im->n_results = j->run_first;
	for (size_t i = 0; i < doc->n_parts; i++)
		put_result(j, &doc->parts[i], doc->n_parts > MANY_PARTS);
	workload->block_bytes = doc->block_bytes;
	workload->iodepth = doc->iodepth;
	workload->numjobs = doc->numjobs;
	if (doc->log_avg_ms > 0)
		im->log_avg_ms = doc->log_avg_ms;
	if (doc->rw[0] && vs_run_set_text(&workload->rw, doc->rw, err) != 0)
		return -1;
	return doc->filename[0] ? vs_import_set_target(im, doc->filename, err) : 0;
}

static void set_clock(struct vs_fio_json *j, const struct vs_fio_doc *doc)
{
	struct vs_import *im = j->im;

	if (j->n_runs > 0) /* the first run's start is the start */
		return;
	if (doc->wall_ms != VS_UNKNOWN) {
		im->ended_wall_ms = doc->wall_ms;
		im->ended_wall_known = doc->wall_ms > 86400000LL * 366;
		im->clock_unset = !im->ended_wall_known;
	}
	if (doc->job_start_ms != VS_UNKNOWN && doc->wall_ms != VS_UNKNOWN &&
	    llabs(doc->wall_ms - doc->job_start_ms) < 86400000LL * 60) {
		im->started_wall_ms = doc->job_start_ms;
		im->started_wall_known = true;
	}
}

/* Adds what doc tells beyond the last one of the same run. */
static int go_on(struct vs_fio_json *j, const struct vs_fio_doc *doc, struct vs_error *err)
{
	struct vs_sample sample;
	double step = doc->seconds - j->shown_seconds;

	/* fio's closing document follows close on the last interval's: too short for a rate. */
	if (j->no_samples || step <= 0 || (j->n_docs > 1 && step < j->last_step_s * 0.2))
		return 0;
	if (!j->flowing && vs_import_emit(j->im, &j->first, err) != 0)
		return -1;
	if (!j->flowing)
		j->im->head->interval_ns = (int64_t)llround(fmin(step, 1e8) * 1e9);
	j->flowing = true;
	sample = difference(j, doc);
	return vs_import_emit(j->im, &sample, err);
}

static int begin_run(struct vs_fio_json *j, const struct vs_fio_doc *doc)
{
	if (j->last)
		j->n_runs++;
	j->run_first = j->im->n_results;
	j->n_docs = 0;
	j->shown_ios = j->shown_bytes = j->shown_seconds = 0;
	memset(&j->shown_bins, 0, sizeof(j->shown_bins));
	j->first = difference(j, doc);
	return 0;
}

static int take(struct vs_fio_json *j, struct vs_fio_doc *doc, struct vs_error *err)
{
	struct vs_import *im = j->im;
	int rc;

	if (j->last && continues(j->last, doc)) {
		rc = go_on(j, doc, err);
	} else if (j->flowing) {
		/* Its series is the run; another one has a start of its own. */
		vs_import_skip(im, "a document of another run; import it on its own");
		vs_fio_doc_release(doc);
		free(doc);
		return 0;
	} else {
		rc = begin_run(j, doc);
	}
	if (j->last)
		vs_fio_doc_release(j->last);
	free(j->last);
	j->last = doc;
	j->n_docs++;
	if (rc != 0)
		return -1;
	if (doc->version[0])
		vs_import_set_version(im, doc->version);
	set_clock(j, doc);
	if (doc->error) {
		im->head->end = VS_END_FAILED;
		if (vs_import_note(im, "error", err,
				   "fio says that job '%s' failed with error %lld", doc->failed_job,
				   (long long)doc->error) != 0)
			return -1;
	}
	return put_results(j, err);
}

static int end_document(struct vs_fio_json *j, struct vs_error *err)
{
	struct vs_fio_doc *doc = malloc(sizeof(*doc));
	struct vs_error why = { .code = VS_OK };
	int rc;

	if (!doc || j->text.failed) {
		free(doc);
		return vs_error_nomem(err);
	}
	rc = vs_fio_doc_read(j->text.data, j->text.len, doc, &why);
	vs_buf_clear(&j->text);
	if (rc == 0) {
		j->n_read++;
		return take(j, doc, err);
	}
	vs_fio_doc_release(doc);
	free(doc);
	if (why.code != VS_EFORMAT)
		return vs_error_set(err, why.code, why.detail, "%s", why.text);
	vs_import_skip(j->im, "a JSON document that is damaged or has no jobs");
	return 0;
}

/* Where in line a document begins: fio prints "{" alone on its line, others all in one. */
static const char *document_start(const char *line)
{
	for (const char *p = line; (p = strchr(p, '{')) != NULL; p++) {
		const char *next = p + 1 + strspn(p + 1, " \t");
		if (*next == '\0' || *next == '"')
			return p;
	}
	return NULL;
}

/* A line of JSON, and not a warning that was printed in between. */
static bool is_json_line(const char *p)
{
	p += strspn(p, " \t");
	return strchr("\"{}[],-0123456789", *p) || vs_text_starts(p, "true") ||
	       vs_text_starts(p, "false") || vs_text_starts(p, "null") ||
	       vs_text_starts(p, "nan") || vs_text_starts(p, "inf");
}

static int add_text(struct vs_fio_json *j, const char *text, size_t len, struct vs_error *err)
{
	if (j->text.len + len > MAX_DOCUMENT)
		return vs_error_set(
			err, VS_EFORMAT, 0,
			"the JSON document from line %llu on is longer than %zu MiB; this is no output of fio",
			(unsigned long long)j->start_line, MAX_DOCUMENT >> 20);
	vs_buf_add(&j->text, text, len);
	return j->text.failed ? vs_error_nomem(err) : 0;
}

/* Goes over a piece of a document; *rest_out: behind its end, NULL when it goes on. */
static int scan(struct vs_fio_json *j, const char *p, const char **rest_out, struct vs_error *err)
{
	const char *start = p;

	*rest_out = NULL;
	for (; *p; p++) {
		if (j->quoted) {
			if (*p == '"' && !j->escaped)
				j->quoted = false;
			j->escaped = *p == '\\' && !j->escaped;
			continue;
		}
		if (*p == '"')
			j->quoted = true;
		else if (*p == '{' || *p == '[')
			j->depth++;
		else if (*p == '}' || *p == ']')
			j->depth--;
		if (j->depth > 0)
			continue;
		j->depth = 0;
		*rest_out = p + 1;
		break;
	}
	return add_text(j, start, (size_t)((*rest_out ? *rest_out : p) - start), err);
}

/* line begins a line of the file (opens) and ends one (closes), or is a piece of a long one. */
static int read_piece(struct vs_fio_json *j, const char *line, bool opens, bool closes,
		      struct vs_error *err)
{
	while (*line) {
		const char *rest;

		if (j->depth == 0) {
			const char *start = document_start(line);
			if (!start) {
				/* The rest of a line that held a document is seldom of interest. */
				line += strspn(line, " \t,>]");
				if (*line)
					vs_import_skip(j->im, "text outside the JSON");
				return 0;
			}
			j->start_line = j->im->in->line_no;
			line = start;
		} else if (opens && !is_json_line(line)) {
			vs_import_skip(j->im, "text inside the JSON");
			return 0;
		}
		if (scan(j, line, &rest, err) != 0)
			return -1;
		if (!rest)
			break;
		if (end_document(j, err) != 0)
			return -1;
		line = rest;
		opens = false;
	}
	if (!closes || j->depth == 0)
		return 0;
	/* No string of fio's goes over a line's end. */
	j->quoted = j->escaped = false;
	return add_text(j, "\n", 1, err);
}

/* No document goes over a file's end. */
static int end_file(struct vs_fio_json *j, size_t docs_before, struct vs_error *err)
{
	bool open = j->depth > 0;

	j->depth = 0;
	j->quoted = j->escaped = false;
	vs_buf_clear(&j->text);
	if (open)
		vs_import_skip(j->im, "a JSON document that is cut off");
	if (j->n_read > docs_before)
		return 0;
	return vs_error_set(
		err, VS_EFORMAT, 0,
		open ? "its JSON document is cut off before its end; there is nothing to import"
		     : "it holds no whole JSON document of fio; there is nothing to import");
}

static int finish(struct vs_import *im, void *state, struct vs_error *err)
{
	struct vs_fio_json *j = state;

	return j->no_samples || j->flowing ? 0 : vs_import_emit_means(im, err);
}

static void release(void *state)
{
	struct vs_fio_json *j = state;

	if (j->last)
		vs_fio_doc_release(j->last);
	free(j->last);
	vs_buf_release(&j->text);
	free(j);
}

static struct vs_fio_json *state_of(struct vs_import *im, struct vs_error *err)
{
	struct vs_fio_json *j = im->json;

	if (j)
		return j;
	j = calloc(1, sizeof(*j));
	if (!j) {
		(void)vs_error_nomem(err);
		return NULL;
	}
	j->im = im;
	j->no_samples = im->totals_only;
	vs_buf_init(&j->text, MAX_DOCUMENT * 2);
	im->json = j;
	im->tool = "fio";
	vs_import_at_end(im, &(struct vs_import_later){ j, finish, release });
	return j;
}

bool vs_fio_json_detect(const char *head, size_t len)
{
	(void)len;
	return strstr(head, "\"fio version\"") ||
	       (strstr(head, "\"jobname\"") && strstr(head, "\"groupid\""));
}

int vs_fio_json_read(struct vs_import *im, struct vs_error *err)
{
	struct vs_fio_json *j = state_of(im, err);
	size_t len, docs_before = j ? j->n_read : 0;
	bool cut, was_cut = false;
	char *line;
	int rc;

	if (!j)
		return -1;
	while ((rc = vs_reader_line(im->in, &line, &len, &cut, err)) == 1) {
		/* A mail's quotes. */
		if (!was_cut)
			line += strspn(line, "> ");
		if (read_piece(j, line, !was_cut, !cut, err) != 0)
			return -1;
		was_cut = cut;
	}
	return rc == 0 ? end_file(j, docs_before, err) : -1;
}
