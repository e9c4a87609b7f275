/* The tables of a timeline, as rows that the text, Markdown and HTML reports share. */
#ifndef VS_REPORTS_ROWS_H
#define VS_REPORTS_ROWS_H

#include "model/timeline.h"
#include "reports/table.h"

/* Each initialises table; the caller releases it. */
void vs_rows_plateaus(const struct vs_timeline *timeline, struct vs_table *table);
void vs_rows_steps(const struct vs_timeline *timeline, struct vs_table *table);
/* One value a line: observed, month at the top, at the bottom, break-even. Empty when unpriced. */
void vs_rows_cost(const struct vs_timeline *timeline, struct vs_table *table);

#endif
