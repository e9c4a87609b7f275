#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "analysis/median.h"
#include "analysis/stages.h"

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
			seg->begin, seg->end, vs_points_s(work->pts, seg->begin),
			vs_points_s(work->pts, seg->end - 1), vs_explain_level(work, seg->median),
			100 * seg->spread, seg->inliers, seg->end - seg->begin,
			seg->drift ? ", drifting" : "");
	}
	if (work->n_seg > LISTED)
		vs_explain_text(work->explain, "  and %zu more\n", work->n_seg - LISTED);
}

/* Capped cost of [from, to) at the level that is the median of it. */
static double level_cost(struct vs_work *work, size_t from, size_t to)
{
	double cap2 = work->par->cap * work->par->cap;
	double level, cost = 0;

	for (size_t i = from; i < to; i++)
		work->tmp[i - from] = work->pts->x[i];
	level = vs_median(work->tmp, to - from);
	for (size_t i = from; i < to; i++) {
		double r = (work->pts->x[i] - level) / vs_work_sigma(work, i);

		cost += r * r < cap2 ? r * r : cap2;
	}
	return cost;
}

void vs_explain_changes(struct vs_work *work)
{
	double past;

	if (!work->explain || work->n_seg == 0)
		return;
	past = level_cost(work, work->seg[0].begin, work->seg[0].end);
	for (size_t k = 1; k < work->n_seg && k < LISTED; k++) {
		const struct vs_segment *a = &work->seg[k - 1];
		const struct vs_segment *b = &work->seg[k];
		double cost = level_cost(work, b->begin, b->end);

		vs_explain_text(work->explain,
				"  change at [%zu) %.1f s: two levels cost %.1f and a change %.1f, "
				"one level costs %.1f\n",
				b->begin, vs_points_s(work->pts, b->begin), past + cost, work->beta,
				level_cost(work, a->begin, b->end));
		past = cost;
	}
}

void vs_explain_kept(const struct vs_work *work)
{
	for (size_t k = 1; work->explain && k < work->n_seg && k < LISTED; k++) {
		const struct vs_segment *a = &work->seg[k - 1];
		const struct vs_segment *b = &work->seg[k];
		const char *why;
		double threshold = vs_merge_threshold(work, a, b, &why);

		vs_explain_text(work->explain,
				"  keep the change at [%zu) %.1f s, %.0f to %.0f: they differ by "
				"%.3f, not less than %.3f (%s)\n",
				b->begin, vs_points_s(work->pts, b->begin),
				vs_explain_level(work, a->level), vs_explain_level(work, b->level),
				fabs(a->level - b->level), threshold, why);
	}
}

void vs_explain_placed(const struct vs_work *work)
{
	for (size_t k = 1; work->explain && k < work->n_seg && k < LISTED; k++) {
		const struct vs_segment *a = &work->seg[k - 1];
		const struct vs_segment *b = &work->seg[k];

		vs_explain_text(work->explain,
				"  change placed at [%zu), in 95 %% of cases in [%zu, %zu]; [%zu, "
				"%zu) is in neither level\n",
				b->change, b->change_low, b->change_high, a->end, b->begin);
	}
}
