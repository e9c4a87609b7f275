#include <math.h>
#include <stdlib.h>

#include "analysis/median.h"
#include "analysis/stages.h"

#define PASSES       4
#define LONGEST      64 /* boundaries of one run that are tried in all combinations */
#define BUDGET       24 /* readings looked at in all, in series lengths, and a million */
#define BUDGET_LEAST 1000000
#define SLOPE        8.0 /* cost that a slope saves before it is believed */
#define AT_EDGE      8   /* readings to either side that tell whether two stretches join */
#define TOLD         50  /* lines that were tried in vain and are explained */
#define HOPELESS     9.0 /* mean squared residual in sigma from which no line is tried */

/* x = c0 + c1 (t - middle), over the readings of seg[first..last]. */
struct line {
	const struct vs_work *work;
	size_t first, last;
	size_t n;
	double middle, c0, c1;
};

/* Calls in the order of time; what lies between segments belongs to none. */
#define FOR_READINGS(line, i)                                                          \
 for (size_t seg_ = (line)->first; seg_ <= (line)->last; seg_++)                       \
  for (size_t i = (line)->work->seg[seg_].begin; i < (line)->work->seg[seg_].end; i++) \
   if (!(line)->work->skip[i])

static double at_time(const struct line *line, size_t i)
{
	return vs_points_s(line->work->pts, i) - line->middle;
}

static double residual(const struct line *line, size_t i)
{
	return line->work->pts->x[i] - line->c0 - line->c1 * at_time(line, i);
}

/* Medians of the outer thirds give the slope, the median of what is left the height. */
static void robust_start(struct line *line, bool sloped)
{
	double *tmp = line->work->tmp;
	double medians[2];
	double times[2] = { 0, 0 };
	size_t third = line->n / 3;
	size_t m = 0;

	line->c0 = 0;
	line->c1 = 0;
	if (sloped && line->n >= 6) {
		for (int outer = 0; outer < 2; outer++) {
			size_t from = outer ? line->n - third : 0;
			size_t k = 0;

			m = 0;
			times[outer] = 0;
			FOR_READINGS(line, i)
			{
				if (k >= from && m < third) {
					tmp[m++] = line->work->pts->x[i];
					times[outer] += at_time(line, i) / (double)third;
				}
				k++;
			}
			medians[outer] = vs_median(tmp, m);
		}
		if (times[1] > times[0])
			line->c1 = (medians[1] - medians[0]) / (times[1] - times[0]);
	}
	m = 0;
	FOR_READINGS(line, i)
	tmp[m++] = residual(line, i);
	line->c0 = vs_median(tmp, m);
}

/* False: it stays as it was. */
static bool refit(struct line *line, bool sloped, double limit)
{
	double sw = 0, st = 0, stt = 0, sx = 0, stx = 0, det;
	const struct line before = *line;

	FOR_READINGS(line, i)
	{
		double w = vs_work_weight(line->work, i);
		double r = residual(line, i);
		double t = at_time(line, i);

		if (w * r * r > limit)
			continue;
		sw += w;
		st += w * t;
		stt += w * t * t;
		sx += w * line->work->pts->x[i];
		stx += w * t * line->work->pts->x[i];
	}
	if (sw <= 0)
		return false;
	det = sw * stt - st * st;
	if (!sloped) {
		line->c0 = sx / sw;
	} else if (det > 1e-12 * sw * stt) {
		line->c1 = (sw * stx - st * sx) / det;
		line->c0 = (sx - line->c1 * st) / sw;
	}
	return fabs(line->c0 - before.c0) > 0 || fabs(line->c1 - before.c1) > 0;
}

/* Capped cost of the best line (or level); *lag1_out: autocorrelation of its residuals. */
static double fit(struct vs_work *work, size_t first, size_t last, bool sloped, double *lag1_out)
{
	double cap2 = work->par->cap * work->par->cap;
	struct line line = { .work = work, .first = first, .last = last };
	double cost = 0, r0 = 0, r1 = 0, before = 0;
	bool joined = false;

	line.middle = 0.5 * (vs_points_s(work->pts, work->seg[first].begin) +
			     vs_points_s(work->pts, work->seg[last].end - 1));
	FOR_READINGS(&line, i)
	line.n++;
	robust_start(&line, sloped);
	(void)refit(&line, sloped, 4 * cap2);
	for (int pass = 1; pass < PASSES && refit(&line, sloped, cap2); pass++)
		;
	FOR_READINGS(&line, i)
	{
		double r = residual(&line, i) / vs_work_sigma(work, i);

		cost += r * r < cap2 ? r * r : cap2;
		if (r * r > cap2) {
			joined = false;
			continue;
		}
		r0 += r * r;
		if (joined)
			r1 += r * before;
		before = r;
		joined = true;
	}
	*lag1_out = r0 > 0 ? r1 / r0 : 0;
	return cost;
}

/* From the levels alone: is any line through seg[first..last] worth a look? */
static bool hopeless(const struct vs_work *work, size_t first, size_t last)
{
	double sw = 0, st = 0, stt = 0, sx = 0, stx = 0, c0, c1, cost = 0, det;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t k = first; k <= last; k++) {
			const struct vs_segment *seg = &work->seg[k];
			double from = vs_points_s(work->pts, seg->begin);
			double to = vs_points_s(work->pts, seg->end - 1);
			double t =
				0.5 * (from + to) - vs_points_s(work->pts, work->seg[first].begin);
			double w = (double)seg->inliers / (seg->sd * seg->sd);
			double r;

			if (pass == 0) {
				sw += w;
				st += w * t;
				stt += w * (t * t + (to - from) * (to - from) / 12);
				sx += w * seg->level;
				stx += w * t * seg->level;
				continue;
			}
			det = sw * stt - st * st;
			c1 = det > 0 ? (sw * stx - st * sx) / det : 0;
			c0 = (sx - c1 * st) / sw;
			r = seg->level - c0 - c1 * t;
			cost += w * (r * r + c1 * c1 * (to - from) * (to - from) / 12);
		}
	}
	sw = 0;
	for (size_t k = first; k <= last; k++)
		sw += (double)work->seg[k].inliers;
	return cost > HOPELESS * sw;
}

struct drifter {
	struct vs_work *work;
	double *cost;  /* of each segment as a level, or as a line when it is one; < 0: not yet */
	size_t *steps; /* that became part of it */
	size_t budget; /* readings that may still be looked at */
	size_t told;   /* lines explained that were not better */
};

/*
 * One line instead of steps. Steps that were placed on a drift fit its noise too: about drift_step
 * each is no reason to believe in them. Where there really is a staircase, they save twice that.
 * The residuals of the line must not hang together, as those of a staircase do (a sawtooth).
 */
static bool line_is_better(struct drifter *d, size_t first, size_t last, double *line_out)
{
	struct vs_work *work = d->work;
	size_t n = work->seg[last].end - work->seg[first].begin;
	size_t steps = last - first;
	double cost = 0;
	double lag1, line;
	bool better;

	if (n > d->budget || hopeless(work, first, last))
		return false;
	d->budget -= n;
	for (size_t k = first; k <= last; k++) {
		if (d->cost[k] < 0)
			d->cost[k] = fit(work, k, k, false, &lag1);
		cost += d->cost[k];
		steps += d->steps[k];
	}
	line = fit(work, first, last, true, &lag1);
	better = line <= cost + (work->par->drift_step * (double)steps - work->par->drift_line) *
					 work->infl &&
		 lag1 <= work->rho + 3 / sqrt((double)n);
	if (better || d->told++ < TOLD)
		vs_explain_text(work->explain,
				"  a line over [%zu, %zu) costs %.1f, its %zu steps cost %.1f, its "
				"residuals' correlation is %.2f: %s\n",
				work->seg[first].begin, work->seg[last].end, line, steps, cost,
				lag1, better ? "drift" : "steps");
	*line_out = line;
	return better;
}

static void make_drift(struct drifter *d, size_t first, size_t last, double line)
{
	struct vs_work *work = d->work;
	size_t behind = work->n_seg - last - 1;

	work->seg[first].end = work->seg[last].end;
	vs_segments_summarise(work, &work->seg[first]);
	work->seg[first].drift = true;
	/* Among trends a longer line must only beat levels, not the lines that it is made of. */
	d->cost[first] = work->par->linear ? -1 : line;
	for (size_t k = first + 1; k <= last; k++)
		d->steps[first] += d->steps[k];
	d->steps[first] += last - first;
	for (size_t k = 0; k < behind; k++) {
		work->seg[first + 1 + k] = work->seg[last + 1 + k];
		d->cost[first + 1 + k] = d->cost[last + 1 + k];
		d->steps[first + 1 + k] = d->steps[last + 1 + k];
	}
	work->n_seg -= last - first;
}

/* seg[k..j] rise or fall throughout: the longest stretches first. */
static bool try_run(struct drifter *d, size_t k, size_t j)
{
	size_t longest = j - k;
	double line;

	if (longest > LONGEST) {
		if (line_is_better(d, k, j, &line)) {
			make_drift(d, k, j, line);
			return true;
		}
		longest = LONGEST;
	}
	for (size_t len = longest; len >= 1; len--) {
		for (size_t first = k; first + len <= j; first++) {
			if (line_is_better(d, first, first + len, &line)) {
				make_drift(d, first, first + len, line);
				return true;
			}
		}
	}
	return false;
}

bool vs_drift_joined(struct vs_work *work, const struct vs_segment *a, const struct vs_segment *b)
{
	double medians[2];
	double noise = 0;

	for (int side = 0; side < 2; side++) {
		size_t m = 0;

		for (size_t k = 0; m < AT_EDGE; k++) {
			size_t i = side ? b->begin + k : a->end - 1 - k;

			if (side ? i >= b->end : k >= a->end - a->begin)
				break;
			if (work->skip[i])
				continue;
			noise = fmax(noise, vs_work_sigma(work, i));
			work->tmp[m++] = work->pts->x[i];
		}
		medians[side] = vs_median(work->tmp, m);
	}
	/* three standard errors of the difference of two medians of AT_EDGE readings */
	return fabs(medians[1] - medians[0]) <=
	       work->par->merge_rel + 3 * 1.2533 * noise * sqrt(2.0 / AT_EDGE * work->infl);
}

/* A stretch beside a drift that is no drift by itself, but slopes rather than stands. */
static bool slopes(struct vs_work *work, size_t k)
{
	double lag1;

	return fit(work, k, k, true, &lag1) < fit(work, k, k, false, &lag1) - SLOPE;
}

/* A drift that bends is found as several lines: one stretch all the same. */
static void join_bends(struct vs_work *work)
{
	size_t kept = 0;

	for (size_t k = 1; k < work->n_seg; k++) {
		struct vs_segment *a = &work->seg[kept];
		const struct vs_segment *b = &work->seg[k];

		if ((a->drift || b->drift) && vs_drift_joined(work, a, b) &&
		    (a->drift || slopes(work, kept)) && (b->drift || slopes(work, k))) {
			a->end = b->end;
			vs_segments_summarise(work, a);
			a->drift = true;
		} else {
			work->seg[++kept] = *b;
		}
	}
	work->n_seg = work->n_seg ? kept + 1 : 0;
}

int vs_drift(struct vs_work *work, struct vs_error *err)
{
	struct drifter d = { .work = work, .budget = BUDGET * work->pts->n + BUDGET_LEAST };
	int rc = 0;

	d.cost = calloc(work->n_seg + 1, sizeof(*d.cost));
	d.steps = calloc(work->n_seg + 1, sizeof(*d.steps));
	if (!d.cost || !d.steps)
		rc = vs_error_nomem(err);
	for (size_t i = 0; rc == 0 && i < work->n_seg; i++)
		d.cost[i] = -1;
	for (size_t k = 0; rc == 0 && k + 1 < work->n_seg;) {
		bool up = work->seg[k + 1].level > work->seg[k].level;
		size_t j = k + 1;

		while (j + 1 < work->n_seg && (work->seg[j + 1].level > work->seg[j].level) == up)
			j++;
		if (!try_run(&d, k, j))
			k = j;
	}
	free(d.cost);
	free(d.steps);
	if (!work->par->linear)
		join_bends(work);
	return rc;
}
