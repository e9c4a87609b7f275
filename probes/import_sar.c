/* sar -d as text, sadf -d as a table with semicolons, sadf -j as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/import_context.h"
#include "probes/import_devices.h"
#include "probes/import_sysstat.h"
#include "probes/import_sysstat_json.h"
#include "probes/import_text.h"

struct sar {
	struct vs_import *im;
	struct vs_devices *devices;
	struct vs_sysstat_table table;
	double midnight_s;  /* of the banner's date; 0 not told */
	double day_s;       /* of the last row */
	bool database;      /* sadf -d */
	int interval, time; /* its columns; -1 none */
	size_t first;       /* where the disk's stand */
	char last[64];      /* the time of the report that is open */
	bool banner;
	bool averages; /* in the table of the disks' means */
	uint64_t part; /* the recording of the file, 1 the first */
};

static bool is_device(const char *word)
{
	return strcmp(word, "DEV") == 0;
}

static int new_report(struct sar *sar, const char *stamp, double wall_s, double length_s,
		      struct vs_error *err)
{
	if (strcmp(sar->last, stamp) == 0)
		return 0;
	(void)snprintf(sar->last, sizeof(sar->last), "%s", stamp);
	return vs_devices_report(sar->devices, wall_s, length_s, false, err);
}

/* The date in "Linux 5.4.0 (host)  08/29/2023  _x86_64_  (8 CPU)". */
static void read_banner(struct sar *sar, char *line)
{
	char *words[16];
	size_t n = vs_text_words(line, words, 16);
	int64_t wall_ms;

	sar->part += sar->banner;
	sar->banner = true;
	sar->im->n_parts = sar->part;
	if (!vs_import_part_wanted(sar->im, sar->part))
		return;
	for (size_t i = 1; i < n; i++)
		if (vs_text_date(words[i], &wall_ms)) {
			sar->midnight_s = (double)wall_ms / 1000;
			vs_devices_set_dated(sar->devices, false);
		}
}

/* Columns behind the time: words without it. */
static int read_row(struct sar *sar, const char *stamp, double day_s, char *const *words, size_t n,
		    struct vs_error *err)
{
	struct vs_device_row row;

	vs_sysstat_row_init(&row);
	if (!vs_sysstat_line(&sar->table, words, n, &row)) {
		vs_import_skip(sar->im, "it does not fit the header of its table");
		return 0;
	}
	if (day_s < sar->day_s - 43200)
		sar->midnight_s += 86400;
	sar->day_s = day_s;
	if (new_report(sar, stamp, sar->midnight_s + day_s, (double)NAN, err) != 0)
		return -1;
	return vs_devices_row(sar->devices, words[sar->table.device], &row, err);
}

static int read_average(struct sar *sar, char *const *words, size_t n, struct vs_error *err)
{
	struct vs_device_row row;

	vs_sysstat_row_init(&row);
	if (n < 2)
		return 0;
	if (is_device(words[0]) || is_device(words[n - 1])) {
		vs_sysstat_header(&sar->table, words, n, is_device(words[0]) ? 0 : n - 1);
		sar->averages = true;
		return 0;
	}
	if (!sar->averages || !vs_sysstat_line(&sar->table, words, n, &row)) {
		sar->averages = false; /* another table's header ends this one */
		return 0;
	}
	return vs_devices_average(sar->devices, words[sar->table.device], row.iops, err);
}

static int read_line(struct sar *sar, char *line, struct vs_error *err)
{
	char *words[VS_SYSSTAT_COLUMNS], stamp[64];
	const char *p;
	double day_s, value;
	size_t n;

	line += strspn(line, "> \t");
	if (vs_text_starts(line, "Linux ") && strstr(line, "CPU)")) {
		read_banner(sar, line);
		return 0;
	}
	if (!vs_import_part_wanted(sar->im, sar->part)) {
		vs_import_skip(sar->im, vs_import_other_part);
		return 0;
	}
	if (vs_text_starts(line, "Average:")) {
		n = vs_text_words(line + strlen("Average:"), words, VS_SYSSTAT_COLUMNS);
		return read_average(sar, words, n, err);
	}
	p = line;
	if (!vs_text_day_time(&p, &day_s) || strstr(line, "LINUX RESTART"))
		return 0;
	(void)snprintf(stamp, sizeof(stamp), "%.*s", (int)(p - line), line);
	n = vs_text_words(line + (p - line), words, VS_SYSSTAT_COLUMNS);
	if (n < 2)
		return 0;
	if (is_device(words[0]) || is_device(words[n - 1])) {
		vs_sysstat_header(&sar->table, words, n, is_device(words[0]) ? 0 : n - 1);
		vs_devices_began(sar->devices, sar->midnight_s + day_s);
		return 0;
	}
	if (!vs_sysstat_cell(words[sar->table.device ? 0 : n - 1], &value))
		sar->table.n = 0; /* another table's header ends this one */
	else if (n == sar->table.n)
		return read_row(sar, stamp, day_s, words, n, err);
	else if (sar->table.n)
		vs_import_skip(sar->im, "it does not fit the header of its table");
	return 0;
}

/* "# hostname;interval;timestamp;DEV;tps;..." */
static void read_database_header(struct sar *sar, char *line)
{
	char *words[VS_SYSSTAT_COLUMNS];
	size_t n;

	line += strspn(line, "# ");
	n = vs_text_columns(line, ';', words, VS_SYSSTAT_COLUMNS);
	sar->table.n = 0;
	sar->interval = sar->time = -1;
	for (size_t i = 0; i < n; i++) {
		if (strcmp(words[i], "interval") == 0)
			sar->interval = (int)i;
		else if (strcmp(words[i], "timestamp") == 0)
			sar->time = (int)i;
		else if (is_device(words[i])) {
			vs_sysstat_header(&sar->table, words + i, n - i, 0);
			sar->first = i;
			return;
		}
	}
}

static int read_database_row(struct sar *sar, char *line, struct vs_error *err)
{
	char *words[VS_SYSSTAT_COLUMNS];
	struct vs_device_row row;
	double length_s = (double)NAN, wall_s = (double)NAN;
	int64_t wall_ms;
	bool zone;
	size_t n = vs_text_columns(line, ';', words, VS_SYSSTAT_COLUMNS);

	vs_sysstat_row_init(&row);
	if (n <= sar->first ||
	    !vs_sysstat_line(&sar->table, words + sar->first, n - sar->first, &row)) {
		if (!strstr(words[n - 1], "LINUX-RESTART"))
			vs_import_skip(sar->im, "it does not fit the header of its table");
		return 0;
	}
	if (sar->interval >= 0 &&
	    (!vs_sysstat_cell(words[sar->interval], &length_s) || length_s <= 0))
		length_s = (double)NAN;
	if (sar->time >= 0 && vs_text_wall(words[sar->time], &wall_ms, &zone)) {
		wall_s = (double)wall_ms / 1000;
		vs_devices_set_dated(sar->devices, zone);
	}
	if (new_report(sar, sar->time >= 0 ? words[sar->time] : "", wall_s, length_s, err) != 0)
		return -1;
	return vs_devices_row(sar->devices, words[sar->first], &row, err);
}

static int read_any(struct sar *sar, char *line, struct vs_error *err)
{
	if (line[0] == '#' && strchr(line, ';')) {
		sar->database = true;
		read_database_header(sar, line);
		return 0;
	}
	if (!sar->database)
		return read_line(sar, line, err);
	return sar->table.n && strchr(line, ';') ? read_database_row(sar, line, err) : 0;
}

/* A line of the head with both words. */
static bool line_with(const char *head, const char *word, const char *other)
{
	const char *p = head;

	while ((p = strstr(p, word)) != NULL) {
		const char *start = p, *end = p + strcspn(p, "\r\n"), *found;
		while (start > head && start[-1] != '\n' && start[-1] != '\r')
			start--;
		found = strstr(start, other);
		if (found && found < end)
			return true;
		p = end;
	}
	return false;
}

bool vs_sar_detect(const char *head, size_t len)
{
	(void)len;
	return vs_sysstat_json_detect(head, "\"disk-device\"") ||
	       line_with(head, ";DEV;", ";tps") || line_with(head, " DEV ", " tps ") ||
	       line_with(head, " tps ", " DEV");
}

static int read_text(struct sar *sar, struct vs_error *err)
{
	size_t len;
	char *line;
	int rc;

	while ((rc = vs_reader_line(sar->im->in, &line, &len, NULL, err)) == 1)
		if (read_any(sar, line, err) != 0)
			return -1;
	return rc == 0 ? vs_devices_finish(sar->devices, err) : -1;
}

int vs_sar_read(struct vs_import *im, struct vs_error *err)
{
	struct sar *sar;
	const char *head;
	size_t len;
	int rc;

	im->tool = "sar";
	if (vs_reader_peek(im->in, &head, &len, err) != 0)
		return -1;
	if (vs_sysstat_json_looks(head))
		return vs_sysstat_json_read(im, false, err);
	sar = calloc(1, sizeof(*sar));
	if (!sar)
		return vs_error_nomem(err);
	sar->im = im;
	sar->part = 1;
	rc = vs_devices_open(im, &sar->devices, err) == 0 ? read_text(sar, err) : -1;
	vs_devices_free(sar->devices);
	free(sar);
	return rc;
}
