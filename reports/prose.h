/* The facts of a run as words, for the text and Markdown reports. */
#ifndef VS_REPORTS_PROSE_H
#define VS_REPORTS_PROSE_H

#include "base/buf.h"
#include "model/timeline.h"

/* Lines "name\tvalue\n": run, started, targets, volume, workload, host. */
void vs_prose_facts(const struct vs_timeline *timeline, struct vs_buf *out);
/* Why a level that several tiers promise has none of its own, a line each. */
void vs_prose_tiers(const struct vs_timeline *timeline, struct vs_buf *out);
/* "12 dips of at most 3 s, down to 221,000 IOPS"; nothing without any. */
void vs_prose_dips(const struct vs_timeline *timeline, struct vs_buf *out);

#endif
