/* The column names and cells that iostat and sar have in common, over all their versions. */
#ifndef VS_PROBES_IMPORT_SYSSTAT_H
#define VS_PROBES_IMPORT_SYSSTAT_H

#include <stdbool.h>
#include <stddef.h>

#include "probes/import_devices.h"

#define VS_SYSSTAT_COLUMNS 64

/* Where a table keeps what; read from its header each time that comes. */
struct vs_sysstat_table {
	char names[VS_SYSSTAT_COLUMNS][16];
	size_t n; /* columns; 0: no table */
	size_t device;
	bool counts; /* a column counts I/Os */
};

/* A row with nothing told. */
void vs_sysstat_row_init(struct vs_device_row *row);
/* Puts a value into row by its column's name ("r/s", "rkB/s", "tps"); others are left alone. */
void vs_sysstat_put(struct vs_device_row *row, const char *name, double value);
/* "25000.00", "25000,00", "24.4k": a cell of a table. */
bool vs_sysstat_cell(const char *text, double *out);
/* words: a header with the name of its device column at [device]. */
void vs_sysstat_header(struct vs_sysstat_table *table, char *const *words, size_t n, size_t device);
/* Fills row from the words of a line; false when it does not fit the header. */
bool vs_sysstat_line(const struct vs_sysstat_table *table, char *const *words, size_t n,
		     struct vs_device_row *row);

#endif
