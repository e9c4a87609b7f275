/* iostat's reports as text, read by the names in their headers; its JSON is in
 * import_sysstat_json.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/import_context.h"
#include "probes/import_devices.h"
#include "probes/import_sysstat.h"
#include "probes/import_sysstat_json.h"
#include "probes/import_text.h"

#define MAX_ROWS 1024

struct held {
	char name[64];
	struct vs_device_row row;
};

struct iostat {
	struct vs_import *im;
	struct vs_devices *devices;
	struct vs_sysstat_table table;
	size_t indent;  /* of the header: a sum of a group stands further right */
	double wall_s;  /* of the report that comes; NAN */
	bool has_table; /* the report has begun */
	bool y, first;  /* -y: no report since boot */
	bool banner;
	uint64_t part; /* the recording of the file, 1 the first */
	/* --pretty spreads a disk over several tables: rows are held to the report's end */
	struct held rows[MAX_ROWS];
	size_t n_rows;
};

static int end_report(struct iostat *io, struct vs_error *err)
{
	if (!io->has_table)
		return 0;
	io->has_table = false;
	if (vs_devices_report(io->devices, io->wall_s, (double)NAN, io->first && !io->y, err) != 0)
		return -1;
	io->first = false;
	io->wall_s = (double)NAN;
	for (size_t i = 0; i < io->n_rows; i++)
		if (vs_devices_row(io->devices, io->rows[i].name, &io->rows[i].row, err) != 0)
			return -1;
	io->n_rows = 0;
	return 0;
}

static struct vs_device_row *row_of(struct iostat *io, const char *name)
{
	size_t i = 0, len = strlen(name);

	if (len >= sizeof(io->rows[0].name))
		return NULL;
	while (i < io->n_rows && strcmp(io->rows[i].name, name) != 0)
		i++;
	if (i == MAX_ROWS)
		return NULL;
	if (i == io->n_rows) {
		memcpy(io->rows[i].name, name, len + 1);
		vs_sysstat_row_init(&io->rows[i].row);
		io->n_rows++;
	}
	return &io->rows[i].row;
}

/* "# iostat -xzy 1 60": what was asked. */
static void read_command(struct iostat *io, const char *line)
{
	char text[256], *words[32];
	const char *command = strstr(line, "iostat");
	double seconds;
	size_t n;

	(void)snprintf(text, sizeof(text), "%s", command);
	n = vs_text_words(text, words, 32);
	for (size_t i = 1; i < n; i++) {
		if (words[i][0] == '-' && words[i][1] != '-' && strchr(words[i], 'y'))
			io->y = true;
		else if (vs_text_is_number(words[i], false, &seconds)) {
			if (seconds >= 1)
				vs_devices_set_interval(io->devices, seconds);
			return; /* what follows is a count */
		}
	}
}

static bool read_time(struct iostat *io, const char *line, double *wall_s_out)
{
	int64_t wall_ms;
	bool zone;

	if (!vs_text_wall(line, &wall_ms, &zone))
		return false;
	*wall_s_out = (double)wall_ms / 1000;
	vs_devices_set_dated(io->devices, zone);
	return true;
}

static bool is_device(const char *word)
{
	return strcmp(word, "Device") == 0 || strcmp(word, "Device:") == 0;
}

static int read_header(struct iostat *io, char *const *words, size_t n, struct vs_error *err)
{
	size_t device = is_device(words[0]) ? 0 : n - 1;

	vs_sysstat_header(&io->table, words, n, device);
	if (io->table.counts && end_report(io, err) != 0)
		return -1;
	io->has_table = true;
	return 0;
}

static void read_row(struct iostat *io, char *const *words, size_t n, size_t indent)
{
	struct vs_device_row *row, scratch;

	if (io->table.device == 0 && indent > io->indent)
		return; /* the sum of a group */
	vs_sysstat_row_init(&scratch);
	if (!vs_sysstat_line(&io->table, words, n, &scratch)) {
		vs_import_skip(io->im, "it does not fit the header of its table");
		return;
	}
	row = row_of(io, words[io->table.device]);
	if (row)
		(void)vs_sysstat_line(&io->table, words, n, row);
}

static int read_line(struct iostat *io, char *line, struct vs_error *err)
{
	char *words[VS_SYSSTAT_COLUMNS];
	double wall_s;
	size_t n, indent;

	line += strspn(line, ">") + (line[0] == '>' && line[1] == ' ');
	indent = strspn(line, " \t");
	if (strchr("#$", line[0]) && line[0] && strstr(line, "iostat")) {
		if (!io->banner)
			read_command(io, line);
		return 0;
	}
	if (vs_text_starts(line + indent, "Linux ") && strstr(line, "CPU)")) {
		if (end_report(io, err) != 0)
			return -1;
		io->part += io->banner;
		io->banner = true;
		io->table.n = 0;
		io->im->n_parts = io->part;
		return 0;
	}
	if (!vs_import_part_wanted(io->im, io->part)) {
		vs_import_skip(io->im, vs_import_other_part);
		return 0;
	}
	if (vs_text_starts(line + indent, "avg-cpu")) {
		io->table.n = 0;
		return end_report(io, err);
	}
	if (read_time(io, line + indent, &wall_s)) {
		if (end_report(io, err) != 0)
			return -1;
		io->wall_s = wall_s;
		io->table.n = 0;
		return 0;
	}
	n = vs_text_words(line, words, VS_SYSSTAT_COLUMNS);
	if (n > 1 && (is_device(words[0]) || is_device(words[n - 1]))) {
		io->indent = indent;
		return read_header(io, words, n, err);
	}
	if (n > 1 && io->table.n)
		read_row(io, words, n, indent);
	return 0;
}

static bool any_header(const char *head)
{
	const char *p = head;

	while ((p = strstr(p, "Device")) != NULL) {
		const char *end = p + strcspn(p, "\r\n"), *start = p;
		const char *tps = strstr(p, " tps"), *reads = strstr(p, " r/s");
		if ((tps && tps < end) || (reads && reads < end))
			return true;
		/* --pretty has the names in front. */
		while (start > head && start[-1] != '\n')
			start--;
		if (p + 6 == end && (vs_text_starts(start + strspn(start, " "), "r/s ") ||
				     vs_text_starts(start + strspn(start, " "), "tps ")))
			return true;
		p = end;
	}
	return false;
}

bool vs_iostat_detect(const char *head, size_t len)
{
	(void)len;
	return vs_sysstat_json_detect(head, "disk_device") || any_header(head);
}

static int read_text(struct iostat *io, struct vs_error *err)
{
	size_t len;
	char *line;
	int rc;

	io->first = true;
	io->part = 1;
	io->y = io->im->options->keep_first;
	io->wall_s = (double)NAN;
	while ((rc = vs_reader_line(io->im->in, &line, &len, NULL, err)) == 1)
		if (read_line(io, line, err) != 0)
			return -1;
	if (rc != 0 || end_report(io, err) != 0)
		return -1;
	if (io->first && !io->banner)
		return vs_error_set(err, VS_EFORMAT, 0,
				    "it has no report of iostat; there is nothing to import");
	return vs_devices_finish(io->devices, err);
}

int vs_iostat_read(struct vs_import *im, struct vs_error *err)
{
	struct iostat *io;
	const char *head;
	size_t len;
	int rc;

	im->tool = "iostat";
	if (vs_reader_peek(im->in, &head, &len, err) != 0)
		return -1;
	if (vs_sysstat_json_looks(head))
		return vs_sysstat_json_read(im, true, err);
	io = calloc(1, sizeof(*io));
	if (!io)
		return vs_error_nomem(err);
	io->im = im;
	rc = vs_devices_open(im, &io->devices, err) == 0 ? read_text(io, err) : -1;
	vs_devices_free(io->devices);
	free(io);
	return rc;
}
