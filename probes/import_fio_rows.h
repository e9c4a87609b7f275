/* Rows of fio's logs: "time, value, direction, block size ..." in all its column layouts. */
#ifndef VS_PROBES_IMPORT_FIO_ROWS_H
#define VS_PROBES_IMPORT_FIO_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VS_FIO_ROW_COLUMNS 5 /* that are looked at; up to 9 are written */

/* Numbers as written. */
struct vs_fio_row {
	uint64_t column[VS_FIO_ROW_COLUMNS];
	size_t n; /* columns read, at most VS_FIO_ROW_COLUMNS */
};

enum vs_fio_log_kind { /* the first of them that is given counts the I/Os */
	VS_FIO_LOG_IOPS,
	VS_FIO_LOG_HIST, /* I/Os by completion latency */
	VS_FIO_LOG_BW,
	VS_FIO_LOG_LAT,
	VS_FIO_LOG_CLAT,
	VS_FIO_LOG_SLAT,
};

/* false when line is no row: fewer than three whole numbers, or something else behind them. */
bool vs_fio_row_read(const char *line, struct vs_fio_row *row);
/*
 * Which column holds the direction: 2, or 3 in logs with two values a row (log_window_value=both);
 * 0 when the rows agree on neither.
 */
size_t vs_fio_row_direction(const struct vs_fio_row *rows, size_t n);
/* Of the file's name; *named_out false when it says nothing (then IOPS). */
enum vs_fio_log_kind vs_fio_log_kind_of(const char *path, bool *named_out);

#endif
