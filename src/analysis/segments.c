#include <math.h>
#include <stdlib.h>

#include "analysis/median.h"
#include "analysis/stages.h"

static bool coarse(const struct vs_points *pts, size_t i)
{
	return pts->err && (double)pts->err[i] > VS_COARSE;
}

/* The readings of a stretch that tell its level: fine ones when they are a quarter of it. */
static size_t gather(struct vs_work *work, const struct vs_segment *seg, bool *all_out)
{
	const struct vs_points *pts = work->pts;
	size_t all = 0;
	size_t fine = 0;
	size_t m = 0;
	bool use_all;

	for (size_t i = seg->begin; i < seg->end; i++) {
		if (work->skip[i])
			continue;
		all++;
		fine += !coarse(pts, i);
	}
	use_all = fine * 4 < all;
	*all_out = use_all;
	for (size_t i = seg->begin; i < seg->end; i++)
		if (!work->skip[i] && (use_all || !coarse(pts, i)))
			work->tmp[m++] = pts->x[i];
	return m;
}

static double median_err(struct vs_work *work, const struct vs_segment *seg)
{
	size_t m = 0;

	if (!work->pts->err)
		return 0;
	for (size_t i = seg->begin; i < seg->end; i++)
		if (!work->skip[i])
			work->tmp[m++] = (double)work->pts->err[i];
	return vs_median(work->tmp, m);
}

void vs_segments_summarise(struct vs_work *work, struct vs_segment *seg)
{
	const double *x = work->pts->x;
	bool all;
	size_t m = gather(work, seg, &all);
	double local = 0;
	double sum = 0;
	size_t counted = 0;
	size_t summed = 0;

	seg->median = vs_median(work->tmp, m);
	for (size_t i = 0; i < m; i++)
		work->tmp[i] = fabs(work->tmp[i] - seg->median);
	seg->spread = VS_MAD_TO_SD * vs_median(work->tmp, m);
	for (size_t i = seg->begin; i < seg->end; i++) {
		if (work->skip[i])
			continue;
		local += (double)work->sigma[i];
		counted++;
	}
	seg->sd = seg->spread;
	/* A handful of readings does not tell its own spread. */
	if (m < 8)
		seg->sd = counted ? local / (double)counted : work->floor;
	if (seg->sd < work->floor)
		seg->sd = work->floor;
	seg->err = median_err(work, seg);
	seg->inliers = 0;
	for (size_t i = seg->begin; i < seg->end; i++) {
		double tolerance = work->par->cap * seg->sd;

		if (coarse(work->pts, i))
			tolerance += (double)work->pts->err[i];
		if (work->skip[i] || fabs(x[i] - seg->median) > tolerance)
			continue;
		seg->inliers++;
		if (all || !coarse(work->pts, i)) {
			summed++;
			sum += x[i];
		}
	}
	seg->level = summed && seg->err <= VS_COARSE ? sum / (double)summed : seg->median;
}

int vs_segments_collect(struct vs_work *work, struct vs_error *err)
{
	size_t count = 0;

	for (int64_t last = (int64_t)work->pts->n - 1; last >= 0; last = work->start[last] - 1)
		count++;
	free(work->seg);
	work->seg = calloc(count + 1, sizeof(*work->seg));
	work->n_seg = count;
	if (!work->seg)
		return vs_error_nomem(err);
	for (int64_t last = (int64_t)work->pts->n - 1; last >= 0; last = work->start[last] - 1) {
		struct vs_segment *seg = &work->seg[--count];

		seg->begin = (size_t)work->start[last];
		seg->end = (size_t)last + 1;
		seg->state = -1;
		vs_segments_summarise(work, seg);
	}
	return 0;
}

/*
 * Short segments are overshoots, dips and bursts, stalls are no level: neither is a plateau, and
 * what is around them is compared across them. When nothing is long enough, the whole series is
 * taken as one.
 */
void vs_segments_drop_transients(struct vs_work *work)
{
	size_t kept = 0;

	for (size_t k = 0; k < work->n_seg; k++) {
		const struct vs_segment *seg = &work->seg[k];
		bool stall = work->par->stalls && seg->median <= VS_LN_STALL;

		if (stall)
			for (size_t i = seg->begin; i < seg->end; i++)
				work->skip[i] = work->pts->x[i] <= VS_LN_STALL;
		if (!stall && seg->end - seg->begin >= work->par->min_samples) {
			work->seg[kept++] = *seg;
			continue;
		}
		vs_explain_text(work->explain, "  drop [%zu, %zu) %.0f: %s\n", seg->begin, seg->end,
				vs_explain_level(work, seg->median),
				stall ? "nothing was done" : "too few readings for a plateau");
	}
	if (kept == 0 && work->n_seg) {
		struct vs_segment *seg = &work->seg[0];

		*seg = (struct vs_segment){ .begin = 0, .end = work->pts->n, .state = -1 };
		vs_segments_summarise(work, seg);
		kept = seg->inliers > 0;
	}
	work->n_seg = kept;
}
