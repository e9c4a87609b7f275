#include <math.h>

#include "analysis/stages.h"

#define LOOK_IN  3    /* readings of the new segment that may still lie at the old level */
#define ALIKE    1.5  /* widths of two segments that are the same but for chance */
#define NOTHING  20   /* powers of e */
#define SEARCHED 2000 /* readings to either side in which a change is located */

static double tolerance(const struct vs_work *work, const struct vs_segment *seg, size_t i)
{
	double local = (double)work->sigma[i];
	double err = work->pts->err ? (double)work->pts->err[i] : 0;
	double t = work->par->cap * (seg->sd > local ? seg->sd : local);

	return err > VS_COARSE ? t + err : t;
}

static bool at_level(const struct vs_work *work, const struct vs_segment *seg, size_t i,
		     double within)
{
	return !work->skip[i] && fabs(work->pts->x[i] - seg->level) <= within;
}

struct sides {
	double level[2], sd[2];
};

/* Where the tiers decided they are the levels: the mean of what is there misplaces a change. */
static double level_of(const struct vs_work *work, const struct vs_segment *seg)
{
	return work->levels && seg->state >= 0 ? work->levels->x[seg->state] : seg->level;
}

/* Widths that differ by chance are one. */
static struct sides sides_of(const struct vs_work *work, const struct vs_segment *a,
			     const struct vs_segment *b)
{
	struct sides s = { { level_of(work, a), level_of(work, b) }, { a->sd, b->sd } };
	double larger = s.sd[0] > s.sd[1] ? s.sd[0] : s.sd[1];
	double smaller = s.sd[0] > s.sd[1] ? s.sd[1] : s.sd[0];

	if (larger < ALIKE * smaller)
		s.sd[0] = s.sd[1] = larger;
	return s;
}

static double capped(double r, double cap2)
{
	return r * r < cap2 ? r * r : cap2;
}

/*
 * What the reading speaks for the old level over the new one: -2 ln of the likelihood ratio. The
 * width belongs to it: else the noisier neighbour would explain a quiet segment's readings as well
 * as that does.
 */
static double rise_at(const struct vs_work *work, const struct sides *sides, size_t i)
{
	double cap2 = work->par->cap * work->par->cap;
	double sigma = vs_work_sigma(work, i);
	double s0 = sides->sd[0] > sigma ? sides->sd[0] : sigma;
	double s1 = sides->sd[1] > sigma ? sides->sd[1] : sigma;
	double x = work->pts->x[i];

	if (work->skip[i])
		return 0;
	return capped((x - sides->level[0]) / s0, cap2) - capped((x - sides->level[1]) / s1, cap2) +
	       (s0 < s1 || s0 > s1 ? 2 * log(s0 / s1) : 0);
}

/* Of a place that costs so much more than the cheapest; nothing where that is next to nothing. */
static double likelihood(const struct vs_work *work, double dearer)
{
	double power = dearer / (2 * work->infl);

	return power < NOTHING ? exp(-power) : 0;
}

/*
 * Each place for the change, the levels given, is as likely as the readings to its sides make it:
 * half of that lies before the change, so that it is off by the least on average, and those places
 * that cost less than VS_PROFILE_95 more than the cheapest hold it in 95 of 100 cases (two-sided
 * random walk).
 */
static void locate(const struct vs_work *work, const struct vs_segment *a, struct vs_segment *b)
{
	size_t from = a->begin + 1;
	size_t to = b->end - 1;
	double enough = VS_PROFILE_95 * work->infl;
	double cost = 0, best = 0, all = 0, before = 0;
	struct sides sides = sides_of(work, a, b);
	double *rise = work->tmp;

	if (b->begin > from + SEARCHED)
		from = b->begin - SEARCHED;
	if (to > b->begin + SEARCHED)
		to = b->begin + SEARCHED;
	for (size_t i = from; i < to; i++) {
		rise[i - from] = rise_at(work, &sides, i);
		cost += rise[i - from];
		best = cost < best ? cost : best;
	}
	b->change_low = to;
	b->change_high = from;
	cost = 0;
	for (size_t i = from; i <= to; i++) {
		all += likelihood(work, cost - best);
		if (cost <= best + enough) {
			b->change_low = b->change_low < i ? b->change_low : i;
			b->change_high = i;
		}
		cost += i < to ? rise[i - from] : 0;
	}
	cost = 0;
	for (b->change = from; b->change < to; b->change++) {
		before += likelihood(work, cost - best);
		if (before >= all / 2)
			break;
		cost += rise[b->change - from];
	}
	/* what speaks for neither level, an overshoot, belongs to the change */
	while (b->change > from && !(fabs(rise[b->change - 1 - from]) > 0))
		b->change--;
}

static size_t clamped(size_t i, size_t low, size_t high)
{
	return i < low ? low : i > high ? high : i;
}

/* A drift has no level to place a change by: its own span does. */
static void beside_drift(const struct vs_segment *a, struct vs_segment *b)
{
	b->change = clamped(b->change, a->end, b->begin);
	b->change_low = clamped(b->change_low, a->end, b->begin);
	b->change_high = clamped(b->change_high, a->end, b->begin);
}

/* All steps of the fall together have placed this one. */
static void on_time(struct vs_segment *b)
{
	b->change = b->begin;
	b->change_low = b->change_low < b->begin ? b->change_low : b->begin;
	b->change_high = b->change_high > b->begin ? b->change_high : b->begin;
}

/*
 * Levels well apart: the change is behind the old level's last reading, and what lies before the
 * new level's first is the transition (a part of a second, an overshoot), in neither.
 */
static void refine(struct vs_work *work, struct vs_segment *a, struct vs_segment *b)
{
	double in_a = tolerance(work, a, a->end - 1);
	double in_b = tolerance(work, b, b->begin);
	size_t look = b->begin + LOOK_IN < b->end ? b->begin + LOOK_IN : b->end;
	size_t first;

	locate(work, a, b);
	if (vs_work_on_time(work, b->begin)) {
		on_time(b);
		return;
	}
	b->joined = (a->drift || b->drift) && vs_drift_joined(work, a, b);
	if (a->drift || b->drift) {
		beside_drift(a, b);
		return;
	}
	if (fabs(a->level - b->level) <= in_a + in_b) {
		a->end = b->change;
		b->begin = b->change;
		return;
	}
	for (first = look; first > a->begin + 1 && !at_level(work, a, first - 1, in_a); first--)
		;
	b->change = first;
	while (first < b->end && !at_level(work, b, first, in_b))
		first++;
	if (first == b->end) {
		b->change = b->begin;
	} else {
		a->end = b->change;
		b->begin = first;
	}
	b->change_low = b->change;
	b->change_high = b->begin > b->change ? b->change + 1 : b->change;
}

void vs_boundaries(struct vs_work *work)
{
	struct vs_segment *first = work->seg;
	struct vs_segment *last;

	if (work->n_seg == 0)
		return;
	last = &work->seg[work->n_seg - 1];
	for (size_t k = 0; k < work->n_seg; k++) {
		work->seg[k].change = work->seg[k].begin;
		work->seg[k].change_low = work->seg[k].begin;
		work->seg[k].change_high = work->seg[k].begin;
	}
	for (size_t k = 0; k + 1 < work->n_seg; k++)
		refine(work, &work->seg[k], &work->seg[k + 1]);
	/* An opening burst and what trails behind the last level are in no plateau. */
	if (!first->drift)
		while (first->begin + 1 < first->end &&
		       !at_level(work, first, first->begin, tolerance(work, first, first->begin)))
			first->begin++;
	if (!last->drift)
		while (last->end > last->begin + 1 &&
		       !at_level(work, last, last->end - 1, tolerance(work, last, last->end - 1)))
			last->end--;
	for (size_t k = 0; k < work->n_seg; k++)
		vs_segments_summarise(work, &work->seg[k]);
	vs_explain_placed(work);
	vs_explain_segments(work, "plateaus, with the changes placed");
}
