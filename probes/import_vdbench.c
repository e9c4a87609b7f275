/* vdbench's flatfile.html: comments with '*', one header, a row an interval, "avg_2-60" as summary.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/import_context.h"
#include "probes/import_text.h"

#define COLUMNS 128

struct flat {
	struct vs_import *im;
	int time, run, interval, rate, mb, threads, read_pct, bytes; /* columns; -1 none */
	size_t n;                                                    /* columns of the header */
	char run_name[48];
	uint64_t part;      /* runs of the file so far */
	double length_s;    /* of an interval */
	double last_time_s; /* time of day of the row before; NAN */
	double end_s;
	struct vs_sample held; /* the first row waits until the interval is known */
	bool has_held;
};

static bool number(char *const *fields, size_t n, int at, double *out)
{
	return vs_text_is_number(vs_text_cell(fields, n, at), false, out);
}

static void read_header(struct flat *flat, char *const *names, size_t n)
{
	flat->n = n;
	flat->time = vs_text_column_named(names, n, "tod");
	flat->run = vs_text_column_named(names, n, "Run");
	flat->interval = vs_text_column_named(names, n, "Interval");
	flat->rate = vs_text_column_named(names, n, "rate");
	flat->mb = vs_text_column_named(names, n, "MB/sec");
	flat->bytes = vs_text_column_named(names, n, "bytes/io");
	flat->threads = vs_text_column_named(names, n, "threads");
	flat->read_pct = vs_text_column_named(names, n, "read%");
}

/* "avg_2-60": the tool's own mean, over the intervals behind the first. */
static void read_average(struct flat *flat, const char *word, char *const *fields, size_t n)
{
	const char *p = word + strlen("avg_");
	struct vs_import_result *result;
	uint64_t first, last;
	double rate;

	if (!vs_text_u64(&p, &first) || *p++ != '-' || !vs_text_u64(&p, &last) || last < first ||
	    last > 1000000000 || !number(fields, n, flat->rate, &rate) || rate < 0)
		return;
	result = vs_import_result(flat->im, flat->run_name, 0);
	result->seconds = (double)(last - first + 1) * flat->length_s;
	result->ios = rate * result->seconds;
}

static int set_workload(struct flat *flat, char *const *fields, size_t n, struct vs_error *err)
{
	struct vs_workload *workload = &flat->im->head->workload;
	double value;

	if (workload->block_bytes < 0 && number(fields, n, flat->bytes, &value) && value >= 512 &&
	    value < 1e9)
		workload->block_bytes = (int64_t)value;
	if (workload->iodepth < 0 && number(fields, n, flat->threads, &value) && value >= 1 &&
	    value < 1e6)
		workload->iodepth = (int64_t)value;
	if (workload->rw || !number(fields, n, flat->read_pct, &value))
		return 0;
	return vs_run_set_text(&workload->rw,
			       value >= 100 ? "read"
			       : value > 0  ? "rw"
					    : "write",
			       err);
}

/* The interval's length from two times of day; whole seconds, as vdbench's intervals are. */
static void set_length(struct flat *flat, const char *time)
{
	double seconds, step;

	if (!vs_text_day_time(&time, &seconds))
		return;
	step = seconds - flat->last_time_s;
	if (step < -43200)
		step += 86400;
	if (flat->has_held && step >= 0.5)
		flat->length_s = round(step);
	flat->last_time_s = seconds;
}

static int put(struct flat *flat, struct vs_sample *sample, struct vs_error *err)
{
	double scale = flat->length_s * 1e9 / (double)sample->length_ns;

	flat->end_s += flat->length_s;
	sample->ios *= scale;
	sample->resolution_ios *= scale;
	if (sample->bytes > 0)
		sample->bytes = vs_import_whole((double)sample->bytes * scale);
	sample->length_ns = (int64_t)llround(flat->length_s * 1e9);
	sample->end_ns = (int64_t)llround(flat->end_s * 1e9);
	return vs_import_emit(flat->im, sample, err);
}

static int release(struct flat *flat, struct vs_error *err)
{
	if (!flat->has_held)
		return 0;
	flat->has_held = false;
	flat->im->head->interval_ns = (int64_t)llround(flat->length_s * 1e9);
	return put(flat, &flat->held, err);
}

static int read_row(struct flat *flat, char *const *fields, size_t n, struct vs_error *err)
{
	const char *interval = vs_text_cell(fields, n, flat->interval),
		   *run = vs_text_cell(fields, n, flat->run);
	struct vs_sample sample;
	double rate, mb, index;

	if (n != flat->n) {
		vs_import_skip(flat->im, "the row is cut off");
		return 0;
	}
	if (strncmp(run, flat->run_name, sizeof(flat->run_name) - 1) != 0) {
		(void)snprintf(flat->run_name, sizeof(flat->run_name), "%.47s", run);
		flat->im->n_parts = ++flat->part;
	}
	if (!vs_import_part_wanted(flat->im, flat->part)) {
		vs_import_skip(flat->im, vs_import_other_part);
		return 0;
	}
	if (vs_text_starts(interval, "avg_")) {
		if (release(flat, err) != 0)
			return -1;
		read_average(flat, interval, fields, n);
		return 0;
	}
	if (!vs_text_is_number(interval, false, &index) || !number(fields, n, flat->rate, &rate)) {
		vs_import_skip(flat->im, "no number in Interval or rate");
		return 0;
	}
	if (set_workload(flat, fields, n, err) != 0)
		return -1;
	set_length(flat, vs_text_cell(fields, n, flat->time));
	if (release(flat, err) != 0)
		return -1;
	sample = vs_import_sample(1, 1, rate);
	sample.resolution_ios = 0.005;
	if (number(fields, n, flat->mb, &mb) && mb >= 0)
		sample.bytes = vs_import_whole(mb * 1048576);
	if (flat->im->n_samples)
		return put(flat, &sample, err);
	flat->held = sample;
	flat->has_held = true;
	return 0;
}

static int read_line(struct flat *flat, char *line, struct vs_error *err)
{
	char *fields[COLUMNS];
	size_t n;

	if (line[0] == '*' || line[0] == '<')
		return 0;
	n = vs_text_words(line, fields, COLUMNS);
	if (n == 0)
		return 0;
	if (vs_text_column_named(fields, n, "Interval") >= 0 &&
	    vs_text_column_named(fields, n, "rate") >= 0) {
		read_header(flat, fields, n);
		return 0;
	}
	return flat->n ? read_row(flat, fields, n, err) : 0;
}

bool vs_vdbench_detect(const char *head, size_t len)
{
	const char *p = head, *end, *a, *b;

	(void)len;
	while ((p = strstr(p, "Interval")) != NULL) {
		end = p + strcspn(p, "\r\n");
		a = strstr(p, " rate");
		b = strstr(p, "MB/sec");
		if (a && b && a < end && b < end)
			return true;
		p = end;
	}
	return false;
}

int vs_vdbench_read(struct vs_import *im, struct vs_error *err)
{
	struct flat flat = { .im = im, .length_s = 1, .last_time_s = (double)NAN };
	size_t len;
	char *line;
	int rc;

	im->tool = "vdbench";
	if (im->options->interval_ns > 0)
		flat.length_s = (double)im->options->interval_ns / 1e9;
	while ((rc = vs_reader_line(im->in, &line, &len, NULL, err)) == 1)
		if (read_line(&flat, line, err) != 0)
			return -1;
	return rc == 0 ? release(&flat, err) : -1;
}
