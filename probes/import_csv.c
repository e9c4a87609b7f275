/* CSV with a time column and a value column, a row an interval; also what volscale itself writes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "probes/import_context.h"
#include "probes/import_text.h"

#define MAX_COLUMNS 64
#define LOOK_AHEAD  64 /* rows from which the interval is told */

struct row {
	double time; /* s, as written */
	double iops;
	double mbps, p50_us, p99_us, length_s; /* NAN not told */
	enum vs_phase phase;
};

struct csv {
	struct vs_import *im;
	char separator;
	bool comma; /* decimal comma: only where ';' or a tab separates */
	int time, value, mbps, p50, p99, phase, length;
	bool wall; /* times with a date, or seconds since 1970 */
	bool day;  /* times of day without a date */
	double days_s, day_last_s;
	double unit;     /* s of one unit of the time column */
	bool starts;     /* times are the interval's start */
	double origin_s; /* wall seconds of the first row's start; 0 for relative times */
	double interval_s;
	double previous_s;
	bool any;
	struct row rows[LOOK_AHEAD];
	size_t n_rows;
	bool flowing;
};

static char separator_of(const char *line)
{
	static const char separators[] = ";\t,|";
	char best = ',';
	size_t most = 0;

	for (size_t i = 0; separators[i]; i++) {
		size_t n = 0;
		for (const char *p = line; (p = strchr(p, separators[i])) != NULL; p++)
			n++;
		if (n > most) {
			most = n;
			best = separators[i];
		}
	}
	return best;
}

static int column(char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcasecmp(names[i], name) == 0)
			return (int)i;
	return -1;
}

/* Names that need no option, in the order of preference. */
static const char *const time_names[] = { "time_s",   "time",      "t",       "elapsed_s",
					  "elapsed",  "seconds",   "time_ms", "time_us",
					  "time_ns",  "timestamp", "ts",      "epoch",
					  "datetime", "date",      NULL };
static const char *const value_names[] = { "iops", "read_iops", "riops", "r/s", NULL };

/* The column asked for, else the first with one of the known names. */
static int need(const char *asked, const char *const *known, char *const *names, size_t n,
		const char *option, int *out, struct vs_error *err)
{
	char list[200] = "";
	size_t len = 0;

	*out = asked ? column(names, n, asked) : -1;
	for (size_t i = 0; !asked && known[i] && *out < 0; i++)
		*out = column(names, n, known[i]);
	if (*out >= 0)
		return 0;
	for (size_t i = 0; i < n && len + strlen(names[i]) + 3 < sizeof(list); i++)
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "",
					names[i]);
	return vs_error_set(err, VS_EFORMAT, 0,
			    "the CSV has no column '%s' (it has: %s); name it with %s",
			    asked ? asked : known[0], list, option);
}

/* Where no option tells the unit, the column's name may. */
static const char *unit_of(const char *name)
{
	static const char *const units[] = { "ms", "us", "ns" };
	size_t len = strlen(name);

	for (size_t i = 0; i < 3; i++)
		if (len > 3 && name[len - 3] == '_' && strcasecmp(name + len - 2, units[i]) == 0)
			return units[i];
	return "s";
}

static int set_unit(struct csv *csv, const char *unit, struct vs_error *err)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = { { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "ns", 1e-9 }, { "epoch", 1 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(units[i].name, unit) == 0) {
			csv->unit = units[i].seconds;
			csv->wall = strcmp(unit, "epoch") == 0;
			return 0;
		}
	}
	return vs_error_set(err, VS_EUSAGE, 0, "'%s' is no time unit; give s, ms, us, ns or epoch",
			    unit);
}

static int read_header(struct csv *csv, char *line, struct vs_error *err)
{
	const struct vs_import_options *options = csv->im->options;
	char *names[MAX_COLUMNS];
	size_t n;

	csv->separator = separator_of(line);
	csv->comma = csv->separator == ';' || csv->separator == '\t';
	n = vs_text_columns(line, csv->separator, names, MAX_COLUMNS);
	if (need(options->time_col, time_names, names, n, "--time-col", &csv->time, err) != 0 ||
	    need(options->value_col, value_names, names, n, "--value-col", &csv->value, err) != 0)
		return -1;
	csv->mbps = column(names, n, "mbps");
	csv->p50 = column(names, n, "lat_p50_us");
	csv->p99 = column(names, n, "lat_p99_us");
	csv->phase = column(names, n, "phase");
	csv->length = column(names, n, "length_s");
	return set_unit(csv, options->time_unit ? options->time_unit : unit_of(names[csv->time]),
			err);
}

static double optional(char *const *fields, size_t n, int at, bool comma)
{
	double value;

	if (at < 0 || (size_t)at >= n || !vs_text_is_number(fields[at], comma, &value) || value < 0)
		return (double)NAN;
	return value;
}

/* "13:27:50" without a date; the clock goes on past midnight. */
static bool day_time(struct csv *csv, const char *text, double *out)
{
	if (!vs_text_day_time(&text, out) || *text)
		return false;
	if (*out + csv->days_s < csv->day_last_s - 43200)
		csv->days_s += 86400;
	*out += csv->days_s;
	csv->day_last_s = *out;
	csv->day = true;
	return true;
}

static bool read_row(struct csv *csv, char *line, struct row *row)
{
	char *fields[MAX_COLUMNS];
	size_t n = vs_text_columns(line, csv->separator, fields, MAX_COLUMNS);
	int64_t wall_ms;
	bool zone;
	int phase;

	if ((size_t)csv->time >= n || (size_t)csv->value >= n)
		return false;
	if (vs_text_is_number(fields[csv->time], csv->comma, &row->time)) {
		row->time *= csv->unit;
		if (row->time > 1e11) /* epoch in ms */
			row->time /= 1000;
	} else if (day_time(csv, fields[csv->time], &row->time)) {
		;
	} else if (vs_text_wall(fields[csv->time], &wall_ms, &zone)) {
		row->time = (double)wall_ms / 1000;
		csv->wall = true;
		csv->im->zone_assumed = csv->im->zone_assumed || !zone;
	} else {
		return false;
	}
	if (!vs_text_is_number(fields[csv->value], csv->comma, &row->iops) || row->iops < 0 ||
	    row->time < 0)
		return false;
	row->mbps = optional(fields, n, csv->mbps, csv->comma);
	row->p50_us = optional(fields, n, csv->p50, csv->comma);
	row->p99_us = optional(fields, n, csv->p99, csv->comma);
	row->length_s = optional(fields, n, csv->length, csv->comma);
	phase = csv->phase >= 0 && (size_t)csv->phase < n ? vs_phase_value(fields[csv->phase]) : -1;
	row->phase = phase >= 0 ? (enum vs_phase)phase : VS_PHASE_LOAD;
	return true;
}

static int emit_row(struct csv *csv, const struct row *row, struct vs_error *err)
{
	double at = row->time - csv->origin_s, length = csv->interval_s, end;
	struct vs_sample sample;

	/* A row late or early by less than half an interval covers all since the row before. */
	if (csv->any && at - csv->previous_s < 1.5 * csv->interval_s && !csv->starts)
		length = at - csv->previous_s;
	if (!isnan(row->length_s) && row->length_s > 0)
		length = row->length_s;
	if (csv->any && at <= csv->previous_s) {
		vs_import_skip(csv->im, "its time lies before the row above");
		return 0;
	}
	end = csv->starts ? at + length : at;
	if (end < length)
		length = end;
	csv->any = true;
	csv->previous_s = at;
	sample = vs_import_sample(end, length, row->iops);
	sample.phase = (uint16_t)row->phase;
	if (!isnan(row->mbps))
		sample.bytes = vs_import_whole(row->mbps * 1e6 * length);
	if (!isnan(row->p50_us))
		sample.lat_p50_ns = vs_import_whole(row->p50_us * 1e3);
	if (!isnan(row->p99_us))
		sample.lat_p99_ns = vs_import_whole(row->p99_us * 1e3);
	return vs_import_emit(csv->im, &sample, err);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The rows held so far tell the interval, and whether a time is an interval's start or its end. */
static int flow(struct csv *csv, struct vs_error *err)
{
	double steps[LOOK_AHEAD] = { 0 }, first = csv->rows[0].time;
	size_t n = 0;

	csv->flowing = true;
	for (size_t i = 1; i < csv->n_rows; i++)
		if (csv->rows[i].time > csv->rows[i - 1].time)
			steps[n++] = csv->rows[i].time - csv->rows[i - 1].time;
	qsort(steps, n, sizeof(steps[0]), by_value);
	csv->interval_s = n ? steps[(n - 1) / 2] : 1;
	csv->im->head->interval_ns = (int64_t)llround(fmin(csv->interval_s, 1e8) * 1e9);
	if (!isnan(csv->rows[0].length_s) && csv->rows[0].length_s > 0)
		csv->starts = first < 0.5 * csv->rows[0].length_s;
	else
		csv->starts = first < 0.5 * csv->interval_s;
	if (csv->day) {
		csv->starts = false;
		csv->origin_s = first - csv->interval_s;
	} else if (csv->wall || first > 1e8) {
		csv->wall = true;
		csv->starts = false;
		csv->origin_s = first - csv->interval_s;
		csv->im->started_wall_known = true;
		csv->im->started_wall_ms = (int64_t)llround(csv->origin_s * 1000);
	}
	for (size_t i = 0; i < csv->n_rows; i++)
		if (emit_row(csv, &csv->rows[i], err) != 0)
			return -1;
	return 0;
}

static int read_rows(struct csv *csv, struct vs_error *err)
{
	struct row row;
	size_t len;
	char *line;
	int rc;

	while ((rc = vs_reader_line(csv->im->in, &line, &len, NULL, err)) == 1) {
		if (line[0] == '#')
			continue;
		if (!read_row(csv, line, &row)) {
			vs_import_skip(csv->im, "no number in the time or the value column");
			continue;
		}
		if (csv->flowing) {
			if (emit_row(csv, &row, err) != 0)
				return -1;
			continue;
		}
		csv->rows[csv->n_rows++] = row;
		if (csv->n_rows == LOOK_AHEAD && flow(csv, err) != 0)
			return -1;
	}
	if (rc != 0)
		return -1;
	if (csv->n_rows == 0)
		return vs_error_set(err, VS_EFORMAT, 0,
				    "the CSV has a header and no row with a time and a value");
	return csv->flowing ? 0 : flow(csv, err);
}

/* Behind a byte-order mark and lines of comment. */
static const char *behind_comments(const char *head)
{
	if (vs_text_starts(head, "\xef\xbb\xbf"))
		head += 3;
	while (*head == '#' || *head == '\r' || *head == '\n')
		head += *head == '#' ? strcspn(head, "\r\n") : 1;
	return head;
}

/* A first line of several names, separated alike in the line below, if there is one. */
bool vs_csv_detect(const char *head, size_t len)
{
	size_t first, names = 0;
	char separator, line[2048];

	(void)len;
	head = behind_comments(head);
	first = strcspn(head, "\r\n");
	if (first == 0 || first >= sizeof(line))
		return false;
	memcpy(line, head, first);
	line[first] = '\0';
	separator = separator_of(line);
	for (const char *p = line; (p = strchr(p, separator)) != NULL; p++)
		names++;
	for (size_t i = 0; i < first; i++)
		if ((unsigned char)line[i] < ' ' && line[i] != '\t')
			return false;
	if (names == 0 || strchr("0123456789{[", line[0]))
		return false;
	head = behind_comments(head + first);
	return *head ? strchr(head, separator) != NULL : strchr(line, ' ') == NULL;
}

int vs_csv_read(struct vs_import *im, struct vs_error *err)
{
	struct csv *csv = calloc(1, sizeof(*csv));
	size_t len;
	char *line;
	int rc;

	if (!csv)
		return vs_error_nomem(err);
	csv->im = im;
	im->tool = "csv";
	do {
		rc = vs_reader_line(im->in, &line, &len, NULL, err);
		if (rc == 1 && vs_text_starts(line, "\xef\xbb\xbf"))
			line += 3;
	} while (rc == 1 && (line[0] == '#' || line[0] == '\0'));
	if (rc == 0)
		rc = vs_error_set(err, VS_EFORMAT, 0, "the CSV has no header line");
	else if (rc == 1)
		rc = read_header(csv, line, err) == 0 ? read_rows(csv, err) : -1;
	free(csv);
	return rc;
}
