#include "probes/import_devices.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEVICES 1024
#define LOOK_AHEAD  64    /* reports from which the interval is told */
#define TIE         1.005 /* a disk below another one counts the same I/O: the first listed wins */

struct device {
	char name[64];
	uint64_t n;
	double sum;     /* of IOPS */
	double average; /* the tool's own; NAN */
	double reads, writes;
};

/* One entry of the temporary file. */
struct record {
	int32_t device; /* -1: a report begins, values are its time and length */
	uint32_t from_boot;
	double values[4];
};

struct vs_devices {
	struct vs_import *im;
	FILE *spool;
	struct device *devices;
	size_t n_devices, next; /* next: where the next name is looked for first */
	uint64_t n_reports;
	bool row_dropped; /* the disks of this report are not counted */
	bool zeros;       /* a row of nothing but zeros was seen: a missing row is no zero */
	bool dated, zone_known, drop_last;
	double interval_s; /* NAN: from the times */
	double last_wall_s;
	double steps[LOOK_AHEAD];
	size_t n_steps;

	/* while the samples are made */
	double nominal_s, clock_s, origin_s, end_s;
	uint64_t filled;
};

int vs_devices_open(struct vs_import *im, struct vs_devices **out, struct vs_error *err)
{
	struct vs_devices *d = calloc(1, sizeof(*d));

	if (!d)
		return vs_error_nomem(err);
	d->im = im;
	d->interval_s =
		im->options->interval_ns > 0 ? (double)im->options->interval_ns / 1e9 : (double)NAN;
	d->last_wall_s = (double)NAN;
	d->devices = calloc(MAX_DEVICES, sizeof(*d->devices));
	d->spool = d->devices ? tmpfile() : NULL;
	if (!d->spool) {
		int errnum = errno;
		bool nomem = !d->devices;
		vs_devices_free(d);
		return nomem ? vs_error_nomem(err)
			     : vs_error_sys(err, errnum, "cannot make a temporary file");
	}
	*out = d;
	return 0;
}

void vs_devices_free(struct vs_devices *d)
{
	if (!d)
		return;
	if (d->spool)
		(void)fclose(d->spool);
	free(d->devices);
	free(d);
}

static int keep(struct vs_devices *d, const struct record *record, struct vs_error *err)
{
	if (fwrite(record, sizeof(*record), 1, d->spool) != 1)
		return vs_error_sys(err, errno, "cannot write a temporary file");
	return 0;
}

int vs_devices_report(struct vs_devices *d, double wall_s, double length_s, bool from_boot,
		      struct vs_error *err)
{
	struct record record = { .device = -1, .from_boot = from_boot };

	if (d->n_steps < LOOK_AHEAD && wall_s > d->last_wall_s)
		d->steps[d->n_steps++] = wall_s - d->last_wall_s;
	d->last_wall_s = wall_s;
	d->n_reports++;
	d->row_dropped = from_boot;
	if (from_boot)
		vs_import_skip(
			d->im,
			"the average since boot, which is no sample (--keep-first keeps it)");
	if (isnan(d->interval_s))
		d->interval_s = length_s;
	record.values[0] = wall_s;
	record.values[1] = length_s;
	return keep(d, &record, err);
}

static struct device *device_named(struct vs_devices *d, const char *name)
{
	size_t len = strlen(name);

	if (len == 0 || len >= sizeof(d->devices[0].name))
		return NULL;
	for (size_t i = 0; i < d->n_devices; i++) {
		size_t at = (d->next + i) % d->n_devices;
		if (strcmp(d->devices[at].name, name) == 0) {
			d->next = at + 1;
			return &d->devices[at];
		}
	}
	if (d->n_devices == MAX_DEVICES)
		return NULL;
	d->next = 0;
	d->devices[d->n_devices] = (struct device){ .average = (double)NAN };
	memcpy(d->devices[d->n_devices].name, name, len + 1);
	return &d->devices[d->n_devices++];
}

int vs_devices_row(struct vs_devices *d, const char *name, const struct vs_device_row *row,
		   struct vs_error *err)
{
	struct device *device = device_named(d, name);
	double iops = isnan(row->iops) ? row->reads + row->writes : row->iops;
	struct record record = { 0 };

	if (!device || !isfinite(iops) || iops < 0 || iops > 1e12 || d->n_reports == 0) {
		vs_import_skip(d->im, "a row of a disk that cannot be");
		return 0;
	}
	if (d->row_dropped)
		return 0;
	d->zeros = d->zeros || (iops <= 0 && !(row->bytes > 0));
	device->n++;
	device->sum += iops;
	if (!isnan(row->reads))
		device->reads += row->reads;
	if (!isnan(row->writes))
		device->writes += row->writes;
	record.device = (int32_t)(device - d->devices);
	record.values[0] = iops;
	record.values[1] = row->bytes;
	return keep(d, &record, err);
}

int vs_devices_average(struct vs_devices *d, const char *name, double iops, struct vs_error *err)
{
	struct device *device = device_named(d, name);

	(void)err;
	if (device && isfinite(iops))
		device->average = iops;
	return 0;
}

void vs_devices_drop_last(struct vs_devices *d)
{
	d->drop_last = true;
}

void vs_devices_set_interval(struct vs_devices *d, double seconds)
{
	if (d->im->options->interval_ns <= 0)
		d->interval_s = seconds;
}

void vs_devices_began(struct vs_devices *d, double wall_s)
{
	if (d->n_reports == 0)
		d->last_wall_s = wall_s;
}

void vs_devices_set_dated(struct vs_devices *d, bool zone_known)
{
	d->dated = true;
	d->zone_known = zone_known;
}

/* The disks that were reported; where none was but since boot, those. */
static size_t list_names(const struct vs_devices *d, char *text, size_t size)
{
	size_t len = 0, active = 0;

	for (size_t i = 0; i < d->n_devices; i++)
		active += d->devices[i].n > 0;
	text[0] = '\0';
	for (size_t i = 0; i < d->n_devices && len + 80 < size; i++)
		if (d->devices[i].n || !active)
			len += (size_t)snprintf(text + len, size - len, "%s%s", len ? ", " : "",
						d->devices[i].name);
	return active;
}

/* The disk asked for, else the one with the most I/O. */
static const struct device *choose(const struct vs_devices *d, struct vs_error *err)
{
	const char *asked = d->im->options->device;
	const struct device *best = NULL;
	char names[320];

	(void)list_names(d, names, sizeof(names));
	if (d->n_devices == 0) {
		(void)vs_error_set(err, VS_EFORMAT, 0,
				   "it has no line of a disk; there is nothing to import");
		return NULL;
	}
	if (asked && strncmp(asked, "/dev/", 5) == 0)
		asked += 5;
	for (size_t i = 0; i < d->n_devices; i++) {
		const struct device *device = &d->devices[i];
		if (asked ? strcmp(asked, device->name) == 0 && device->n
			  : device->n && (!best || device->sum > best->sum * TIE))
			best = device;
	}
	if (!best && asked)
		(void)vs_error_set(
			err, VS_EFORMAT, 0,
			"it has no report of device '%s' (it has: %s); name one of them with --device",
			asked, names);
	else if (!best)
		(void)vs_error_set(
			err, VS_EFORMAT, 0,
			"it has only the average since boot; run it with an interval, as in 'iostat -x 1'");
	return best;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void set_nominal(struct vs_devices *d)
{
	if (d->n_steps)
		qsort(d->steps, d->n_steps, sizeof(d->steps[0]), by_value);
	if (!isnan(d->interval_s))
		d->nominal_s = d->interval_s;
	else
		d->nominal_s = d->n_steps ? d->steps[(d->n_steps - 1) / 2] : 1;
	d->clock_s = (double)NAN;
	d->im->head->interval_ns = vs_import_whole(fmin(d->nominal_s, 1e8) * 1e9);
}

/*
 * The end of a report. Times are whole seconds and reports come a little late: while the stamps
 * stay within a second of the even clock, that is the better one, and no report gets the length 0
 * or 2.
 */
static double end_of(struct vs_devices *d, const struct record *report, double *length)
{
	double wall = report->values[0], next;

	*length = isnan(report->values[1]) ? d->nominal_s : report->values[1];
	if (isnan(d->clock_s)) {
		d->clock_s = isnan(wall) ? *length : wall;
		d->origin_s = d->clock_s - *length;
		return *length;
	}
	next = d->clock_s + *length;
	if (isnan(wall) || fabs(wall - next) <= 1) {
		d->clock_s = next;
	} else if (wall > next) {
		d->clock_s = wall; /* reports are missing */
	} else if (wall > d->clock_s) {
		*length = wall - d->clock_s;
		d->clock_s = wall;
	} else {
		*length = 0;
	}
	return d->clock_s - d->origin_s;
}

static int emit(struct vs_devices *d, const struct record *report, const struct record *row,
		struct vs_error *err)
{
	struct vs_sample sample;
	double length, end;

	if (report->from_boot)
		return 0;
	end = end_of(d, report, &length);
	if (!row && d->zeros)
		return 0;
	if (!(length > 0)) {
		vs_import_skip(d->im, "its time lies before the row above");
		return 0;
	}
	sample = vs_import_sample(end, length, row ? row->values[0] : 0);
	sample.resolution_ios = row ? 0.005 * length : 0;
	sample.bytes = 0;
	if (!row) {
		sample.flags |= VS_SAMPLE_ZERO_FILL;
		d->filled++;
	} else {
		sample.bytes = isnan(row->values[1]) ? VS_UNKNOWN
						     : vs_import_whole(row->values[1] * length);
	}
	return vs_import_emit(d->im, &sample, err);
}

static int play(struct vs_devices *d, int32_t chosen, struct vs_error *err)
{
	struct record record, report = { 0 }, row = { 0 };
	bool has_report = false, has_row = false;
	uint64_t left = d->n_reports;

	if (fflush(d->spool) != 0)
		return vs_error_sys(err, errno, "cannot write a temporary file");
	rewind(d->spool);
	while (fread(&record, sizeof(record), 1, d->spool) == 1) {
		if (record.device == chosen) {
			row = record;
			has_row = true;
		}
		if (record.device != -1)
			continue;
		if (has_report && emit(d, &report, has_row ? &row : NULL, err) != 0)
			return -1;
		report = record;
		has_report = true;
		has_row = false;
		left--;
	}
	if (ferror(d->spool) || left)
		return vs_error_sys(err, errno, "cannot read a temporary file");
	if (d->drop_last) {
		vs_import_skip(d->im, "the last report is cut off");
		return 0;
	}
	return has_report ? emit(d, &report, has_row ? &row : NULL, err) : 0;
}

static int note_choice(struct vs_devices *d, const struct device *chosen, struct vs_error *err)
{
	struct vs_import *im = d->im;
	double n = (double)chosen->n;
	char names[200];
	size_t active = list_names(d, names, sizeof(names));

	if (active > 1 &&
	    vs_import_note(im, "import-device", err, "of %zu disks (%s), %s is taken%s", active,
			   names, chosen->name,
			   im->options->device ? "" : ", the busiest; --device names another") != 0)
		return -1;
	if (d->filled && vs_import_note(im, "import-zero-fill", err,
					"reports without a row of %s, counted as no I/O: %llu",
					chosen->name, (unsigned long long)d->filled) != 0)
		return -1;
	if (isnan(d->interval_s) && d->n_steps == 0 &&
	    vs_import_note(
		    im, "import-interval", err,
		    "the reports have no times: each is taken to cover 1 s; --interval tells more, "
		    "iostat -t writes them") != 0)
		return -1;
	if (chosen->writes > 0.01 * chosen->sum &&
	    vs_import_note(im, "import-mixed", err,
			   "reads (%.1f a second) and writes (%.1f a second) are added up",
			   chosen->reads / n, chosen->writes / n) != 0)
		return -1;
	return 0;
}

int vs_devices_finish(struct vs_devices *d, struct vs_error *err)
{
	const struct device *chosen = choose(d, err);
	struct vs_import *im = d->im;

	if (!chosen)
		return -1;
	set_nominal(d);
	if (vs_import_set_target(im, chosen->name, err) != 0 ||
	    play(d, (int32_t)(chosen - d->devices), err) != 0)
		return -1;
	if (d->dated && im->n_samples) {
		im->started_wall_known = true;
		im->started_wall_ms = (int64_t)llround(d->origin_s * 1000);
		im->zone_assumed = !d->zone_known;
	}
	if (!isnan(chosen->average) && im->seconds > 0) {
		struct vs_import_result *result = vs_import_result(im, chosen->name, 0);
		result->seconds = im->seconds;
		result->ios = chosen->average * im->seconds;
	}
	return note_choice(d, chosen, err);
}
