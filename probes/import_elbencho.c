/* elbencho --livecsv: a row an interval and worker, of which "Total" counts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/import_context.h"
#include "probes/import_text.h"

#define COLUMNS 64

struct live {
	struct vs_import *im;
	int date, phase, runtime, rank, mib, iops; /* columns; -1 none */
	char phase_name[24];
	double offset_s;  /* of the phase in the run */
	double last_ms;   /* of the row held, in its phase */
	double before_ms; /* of the row before that */
	double held_iops, held_mib;
	bool held;
};

static int read_header(struct live *live, char *line, struct vs_error *err)
{
	char *names[COLUMNS];
	size_t n;

	if (vs_text_starts(line, "\xef\xbb\xbf"))
		line += 3;
	n = vs_text_columns(line, ',', names, COLUMNS);
	live->date = vs_text_column_named(names, n, "ISO Date");
	live->phase = vs_text_column_named(names, n, "Phase");
	live->runtime = vs_text_column_named(names, n, "RuntimeMS");
	live->rank = vs_text_column_named(names, n, "Rank");
	live->mib = vs_text_column_named(names, n, "MiB/s");
	live->iops = vs_text_column_named(names, n, "IOPS");
	if (live->runtime < 0 || live->rank < 0 || live->iops < 0)
		return vs_error_set(
			err, VS_EFORMAT, 0,
			"it has no header of elbencho's live CSV (RuntimeMS, Rank, IOPS)");
	return 0;
}

static int release(struct live *live, struct vs_error *err)
{
	double length = (live->last_ms - live->before_ms) / 1000;
	struct vs_sample sample;

	if (!live->held)
		return 0;
	live->held = false;
	sample = vs_import_sample(live->offset_s + live->last_ms / 1000, length, live->held_iops);
	sample.resolution_ios = 0.5 * length;
	if (!isnan(live->held_mib))
		sample.bytes = vs_import_whole(fmax(live->held_mib, 0) * 1048576 * length);
	if (live->im->head->interval_ns <= 0)
		live->im->head->interval_ns = sample.length_ns;
	return vs_import_emit(live->im, &sample, err);
}

/* A phase (READ, RANDREAD, WRITE) begins its own clock; the run's goes on. */
static int set_phase(struct live *live, const char *name, double ms, struct vs_error *err)
{
	bool same = strncmp(name, live->phase_name, sizeof(live->phase_name) - 1) == 0;

	if (same && ms >= live->last_ms)
		return 0;
	if (release(live, err) != 0)
		return -1;
	live->offset_s += live->last_ms / 1000;
	live->last_ms = live->before_ms = 0;
	(void)snprintf(live->phase_name, sizeof(live->phase_name), "%s", name);
	return 0;
}

static void set_start(struct live *live, const char *date, double ms)
{
	struct vs_import *im = live->im;
	int64_t wall_ms;
	bool zone;

	if (im->started_wall_known || !vs_text_wall(date, &wall_ms, &zone))
		return;
	im->started_wall_known = true;
	im->started_wall_ms = wall_ms - (int64_t)ms;
	im->zone_assumed = !zone;
}

static int read_row(struct live *live, char *line, struct vs_error *err)
{
	char *fields[COLUMNS];
	size_t n = vs_text_columns(line, ',', fields, COLUMNS);
	double ms, iops, mib;

	if (strcmp(vs_text_cell(fields, n, live->rank), "Total") != 0) {
		if (n <= (size_t)live->rank)
			vs_import_skip(live->im, "the row is cut off");
		return 0; /* a worker's part of the total */
	}
	if (!vs_text_is_number(vs_text_cell(fields, n, live->runtime), false, &ms) || ms < 0 ||
	    ms > 1e13 || !vs_text_is_number(vs_text_cell(fields, n, live->iops), false, &iops)) {
		vs_import_skip(live->im, "no number in RuntimeMS or IOPS");
		return 0;
	}
	if (!vs_text_is_number(vs_text_cell(fields, n, live->mib), false, &mib))
		mib = (double)NAN;
	if (set_phase(live, vs_text_cell(fields, n, live->phase), ms, err) != 0)
		return -1;
	set_start(live, vs_text_cell(fields, n, live->date), ms);
	if (!live->im->head->workload.rw && strstr(live->phase_name, "READ") &&
	    vs_run_set_text(&live->im->head->workload.rw, "read", err) != 0)
		return -1;
	/* A mix has a row for its reads and one for its writes. */
	if (live->held && ms <= live->last_ms) {
		live->held_iops += iops;
		live->held_mib += mib;
		return 0;
	}
	if (release(live, err) != 0)
		return -1;
	live->held = true;
	live->before_ms = live->last_ms;
	live->last_ms = ms;
	live->held_iops = iops;
	live->held_mib = mib;
	return 0;
}

bool vs_elbencho_detect(const char *head, size_t len)
{
	const char *end = head + strcspn(head, "\r\n");
	const char *runtime = strstr(head, ",RuntimeMS,"), *rank = strstr(head, ",Rank,");

	(void)len;
	return runtime && rank && runtime < end && rank < end;
}

int vs_elbencho_read(struct vs_import *im, struct vs_error *err)
{
	struct live live = { .im = im };
	size_t len;
	char *line;
	int rc;

	im->tool = "elbencho";
	rc = vs_reader_line(im->in, &line, &len, NULL, err);
	if (rc <= 0)
		return rc < 0 ? -1 : vs_error_set(err, VS_EFORMAT, 0, "it has no header");
	if (read_header(&live, line, err) != 0)
		return -1;
	while ((rc = vs_reader_line(im->in, &line, &len, NULL, err)) == 1)
		/* Several runs append to one file, each with its header. */
		if (!vs_text_starts(line, "ISO Date,") && read_row(&live, line, err) != 0)
			return -1;
	return rc == 0 ? release(&live, err) : -1;
}
