/* The tables of a timeline, as rows that the text, Markdown and HTML reports share. */
#ifndef VS_REPORTS_ROWS_H
#define VS_REPORTS_ROWS_H

#include "model/timeline.h"
#include "reports/table.h"

/* Each initialises table; the caller releases it. */
void vs_rows_plateaus(const struct vs_timeline *timeline, struct vs_table *table);
void vs_rows_steps(const struct vs_timeline *timeline, struct vs_table *table);
/* rows_cost.c. One value a line: observed, month at the top, at the bottom, break-even. Empty
 * without a ladder; without a price it says so. */
void vs_rows_cost(const struct vs_timeline *timeline, struct vs_table *table);
/* How long each tier was billed, and what that cost. Empty when unpriced or of one tier. */
void vs_rows_cost_tiers(const struct vs_timeline *timeline, struct vs_table *table);

#endif
