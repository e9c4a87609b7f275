#include "probes/import_fio_rows.h"

#include <string.h>

#include "probes/import_context.h"

#define LOOK_LINES 8

/* The digits at *text; false when there are none or too many. Rows come by the million. */
static inline bool number(const char **text, uint64_t *out)
{
	const char *start = *text, *p;
	uint64_t value;
	unsigned int digit;

	while (*start == ' ')
		start++;
	p = start;
	for (value = 0; (digit = (unsigned int)*p - '0') <= 9; p++)
		value = value * 10 + digit;
	*out = value;
	*text = p;
	return p > start && p - start < 19; /* more could overflow */
}

/* What stands behind the columns that are of use: offset, priority (0x0004), time of issue. */
static bool rest_is_plain(const char *p)
{
	return p[strspn(p, " ,0123456789xabcdefABCDEF\t")] == '\0';
}

bool vs_fio_row_read(const char *line, struct vs_fio_row *row)
{
	const char *p = line;
	size_t n = 0;

	while (n < VS_FIO_ROW_COLUMNS && number(&p, &row->column[n])) {
		n++;
		if (*p != ',')
			break;
		p++;
	}
	row->n = n;
	return n >= 3 && (*p == '\0' || rest_is_plain(p));
}

size_t vs_fio_row_direction(const struct vs_fio_row *rows, size_t n)
{
	bool third = true, fourth = true;

	for (size_t i = 0; i < n; i++) {
		third = third && rows[i].column[2] <= 2;
		fourth = fourth && rows[i].n > 3 && rows[i].column[3] <= 2;
	}
	return third ? 2 : fourth ? 3 : 0;
}

enum vs_fio_log_kind vs_fio_log_kind_of(const char *path, bool *named_out)
{
	static const struct {
		const char *mark;
		enum vs_fio_log_kind kind;
	} marks[] = {
		{ "clat_hist", VS_FIO_LOG_HIST }, { "_iops.", VS_FIO_LOG_IOPS },
		{ "_slat.", VS_FIO_LOG_SLAT },    { "_clat.", VS_FIO_LOG_CLAT },
		{ "_lat.", VS_FIO_LOG_LAT },      { "_bw.", VS_FIO_LOG_BW },
		{ "_iops_", VS_FIO_LOG_IOPS },    { "_bw_", VS_FIO_LOG_BW },
	};
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	*named_out = true;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (strstr(name, marks[i].mark))
			return marks[i].kind;
	*named_out = false;
	return VS_FIO_LOG_IOPS;
}

static size_t commas(const char *line, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += line[i] == ',';
	return n;
}

/* Of the first lines most are rows, and one column of all of them is a direction. */
static bool looks_like_rows(const char *head, size_t min_commas, size_t max_commas)
{
	struct vs_fio_row rows[LOOK_LINES];
	size_t lines = 0, n = 0;

	for (; *head && lines < LOOK_LINES; lines++) {
		size_t len = strcspn(head, "\r\n"), count = commas(head, len);
		char line[256];

		/* The beginning of a row of a thousand columns is enough. */
		memcpy(line, head, len < sizeof(line) ? len : sizeof(line) - 1);
		line[len < sizeof(line) ? len : sizeof(line) - 1] = '\0';
		if (count >= min_commas && count <= max_commas && vs_fio_row_read(line, &rows[n]))
			n++;
		head += len;
		head += strspn(head, "\r\n");
		/* A row cut by the end of what was peeked at is no sign against it. */
		if (!*head && n > 0 && count < min_commas)
			break;
	}
	return n > 0 && n * 2 >= lines && vs_fio_row_direction(rows, n) > 0;
}

bool vs_fio_log_detect(const char *head, size_t len)
{
	(void)len;
	return looks_like_rows(head, 2, 8);
}

bool vs_fio_hist_detect(const char *head, size_t len)
{
	(void)len;
	return looks_like_rows(head, 18, 2000);
}
