#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "analysis/detect.h"

#define LISTED 200 /* segments of one stage that are printed */

void vs_explain_text(struct vs_buf *explain, const char *fmt, ...)
{
	char line[512];
	va_list args;

	if (!explain)
		return;
	va_start(args, fmt);
	(void)vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	vs_buf_addf(explain, "%s", line);
}

double vs_explain_level(const struct vs_work *work, double x)
{
	return work->par->linear ? x : exp(x);
}

void vs_explain_segments(const struct vs_work *work, const char *stage)
{
	if (!work->explain)
		return;
	vs_explain_text(work->explain, "%s: %zu\n", stage, work->n_seg);
	for (size_t k = 0; k < work->n_seg && k < LISTED; k++) {
		const struct vs_segment *seg = &work->seg[k];

		vs_explain_text(
			work->explain,
			"  [%zu, %zu) %.1f s to %.1f s: %.0f +- %.2f %%, %zu of %zu readings at "
			"the level%s\n",
			seg->begin, seg->end, (double)work->pts->t_s[seg->begin],
			(double)work->pts->t_s[seg->end - 1], vs_explain_level(work, seg->median),
			100 * seg->spread, seg->inliers, seg->end - seg->begin,
			seg->drift ? ", drifting" : "");
	}
	if (work->n_seg > LISTED)
		vs_explain_text(work->explain, "  and %zu more\n", work->n_seg - LISTED);
}
