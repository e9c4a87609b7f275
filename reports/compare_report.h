/* A comparison in, a report out: one table of formats, as for the timeline. */
#ifndef VS_REPORTS_COMPARE_REPORT_H
#define VS_REPORTS_COMPARE_REPORT_H

#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "model/comparison.h"
#include "reports/table.h"

struct vs_compare_format {
	const char *name;   /* "html" */
	const char *suffix; /* ".html" */
	/* columns: width of the terminal, 0: 80. Checks nothing of out: the caller flushes, and
	 * tests ferror(). */
	int (*write)(const struct vs_comparison *cmp, int columns, FILE *out, struct vs_error *err);
};

extern const struct vs_compare_format vs_compare_formats[]; /* ends with name == NULL */

/* NULL when there is none. */
const struct vs_compare_format *vs_compare_format_named(const char *name);
const struct vs_compare_format *vs_compare_format_for_file(const char *path);

/* compare_html.c */
int vs_compare_html(const struct vs_comparison *cmp, int columns, FILE *out, struct vs_error *err);
/* compare_svg.c: all runs over the time since their start, each a class "run0" to "run5". Fails
 * only for want of memory. */
int vs_compare_svg(const struct vs_comparison *cmp, FILE *out, struct vs_error *err);
/* compare_json.c: the object as a member of json's open container; key NULL at the top. */
struct vs_json;
void vs_compare_json_object(const struct vs_comparison *cmp, struct vs_json *json, const char *key);

/* What stands below the tables, a sentence a line. */
void vs_compare_notes(const struct vs_comparison *cmp, struct vs_buf *out);

/* compare_rows.c. Each initialises table; the caller releases it. */
/* Ceiling, tier, latency, price: a row a run. */
void vs_compare_rows(const struct vs_comparison *cmp, struct vs_table *table);
/* What the next tier below, and the cheapest sufficient one, would have given. */
void vs_compare_rows_cheaper(const struct vs_comparison *cmp, struct vs_table *table);
/* What was run: volume, workload, length. */
void vs_compare_rows_runs(const struct vs_comparison *cmp, struct vs_table *table);
/* Everything, for a spreadsheet. */
void vs_compare_rows_all(const struct vs_comparison *cmp, struct vs_table *table);

#endif
