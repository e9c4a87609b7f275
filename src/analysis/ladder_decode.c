#include <math.h>
#include <stdlib.h>

#include "analysis/stages.h"

#define ALSO                                                                         \
 2.0 /* a level that costs no more than this above the cheapest is as good a reading \
      */

/* How a state was reached, 2 bits each. */
enum way {
	STAYED,
	FROM_BELOW,
	FROM_ABOVE,
	JUMPED
};

struct decoder {
	const struct vs_work *work;
	const struct vs_levels *levels;
	double cost[2][VS_LEVELS_MAX];
	unsigned char *ways;        /* row_bytes a reading */
	unsigned char *jumped_from; /* of each reading; of each level too when rises are dearer */
	size_t row_bytes;
};

static size_t cheapest(const double *cost, size_t n)
{
	size_t best = 0;

	for (size_t l = 1; l < n; l++)
		if (cost[l] < cost[best])
			best = l;
	return best;
}

double vs_ladder_reading_cost(const struct vs_work *work, size_t i, double level)
{
	double r = (work->pts->x[i] - level) / vs_work_sigma(work, i);

	return r * r < work->par->far_cost ? r * r : work->par->far_cost;
}

static unsigned char *source(const struct decoder *d, size_t i, size_t level)
{
	return d->jumped_from + (d->work->par->rise_cost > 0 ? i * d->levels->n + level : i);
}

static void forward(struct decoder *d, size_t i, const double *past, double *now)
{
	double step = d->work->par->step_cost * d->work->infl;
	double jump = d->work->par->jump_cost * d->work->infl;
	double rise = d->work->par->rise_cost * d->work->infl;
	size_t n = d->levels->n;
	size_t least = cheapest(past, n);
	size_t above = n - 1; /* the cheapest from l on */
	unsigned char *row = d->ways + i * d->row_bytes;

	for (size_t l = n; l-- > 0;) {
		double best = past[l];
		enum way way = STAYED;
		size_t from;
		double jumped;

		above = past[l] <= past[above] ? l : above;
		from = least < l && past[above] < past[least] + rise ? above : least;
		jumped = past[from] + jump + (from < l ? rise : 0);
		if (i && l > 0 && past[l - 1] + step + rise < best) {
			best = past[l - 1] + step + rise;
			way = FROM_BELOW;
		}
		if (i && l + 1 < n && past[l + 1] + step < best) {
			best = past[l + 1] + step;
			way = FROM_ABOVE;
		}
		if (i && jumped < best) {
			best = jumped;
			way = JUMPED;
		}
		*source(d, i, l) = (unsigned char)from;
		row[l / 4] |= (unsigned char)((unsigned int)way << (l % 4 * 2));
		now[l] = best + vs_ladder_reading_cost(d->work, i, d->levels->x[l]);
	}
}

static void backward(const struct decoder *d, size_t state_now, unsigned char *state)
{
	for (size_t i = d->work->pts->n; i-- > 0;) {
		unsigned int way = d->ways[i * d->row_bytes + state_now / 4] >> (state_now % 4 * 2);

		state[i] = (unsigned char)state_now;
		switch ((enum way)(way & 3U)) {
		case STAYED:
			break;
		case FROM_BELOW:
			state_now--;
			break;
		case FROM_ABOVE:
			state_now++;
			break;
		case JUMPED:
			state_now = *source(d, i, state_now);
			break;
		}
	}
}

int vs_ladder_decode(const struct vs_work *work, const struct vs_levels *levels,
		     unsigned char *state, double *cost_out, struct vs_error *err)
{
	size_t n = work->pts->n;
	struct decoder d = { .work = work, .levels = levels, .row_bytes = (levels->n + 3) / 4 };
	size_t last;
	int rc = 0;

	d.ways = calloc(n + 1, d.row_bytes);
	d.jumped_from = calloc(n + 1, work->par->rise_cost > 0 ? levels->n : 1);
	if (d.ways && d.jumped_from) {
		for (size_t i = 0; i < n; i++)
			forward(&d, i, d.cost[i % 2], d.cost[(i + 1) % 2]);
		last = cheapest(d.cost[n % 2], levels->n);
		*cost_out = d.cost[n % 2][last];
		backward(&d, last, state);
	} else {
		rc = vs_error_nomem(err);
	}
	free(d.ways);
	free(d.jumped_from);
	return rc;
}

static bool is_stall(const struct vs_work *work, const struct vs_segment *seg)
{
	return work->par->stalls && seg->median <= VS_LN_STALL;
}

double vs_ladder_move_cost(const struct vs_work *work, int from, int to)
{
	const struct vs_detect_params *par = work->par;
	double cost = abs(from - to) == 1 ? par->step_cost : par->jump_cost;

	if (from == to)
		return 0;
	return (to > from ? cost + par->rise_cost : cost) * work->infl;
}

/* What the walk would have cost more with seg[k] at another level and the rest as it is. */
static double dearer_at(const struct vs_work *work, const struct vs_segment *seg, size_t n,
			size_t k, const struct vs_levels *levels, int other)
{
	double cost = 0;

	for (size_t i = seg[k].begin; i < seg[k].end; i++)
		cost += vs_ladder_reading_cost(work, i, levels->x[other]) -
			vs_ladder_reading_cost(work, i, levels->x[seg[k].state]);
	if (vs_work_on_time(work, seg[k].begin))
		return cost + 2 * work->par->step_cost * work->infl;
	if (k > 0)
		cost += vs_ladder_move_cost(work, seg[k - 1].state, other) -
			vs_ladder_move_cost(work, seg[k - 1].state, seg[k].state);
	if (k + 1 < n)
		cost += vs_ladder_move_cost(work, other, seg[k + 1].state) -
			vs_ladder_move_cost(work, seg[k].state, seg[k + 1].state);
	return cost;
}

/* Levels that a cadence of the fall allows each reading. */
static uint64_t of_all(const struct vs_work *work, const struct vs_segment *seg)
{
	uint64_t set = UINT64_MAX;

	for (size_t i = seg->begin; i < seg->end; i++)
		set &= work->may[i];
	return set;
}

/* The neighbours of its level: what lies further off is no likelier than they are. */
static uint64_t also_likely(const struct vs_work *work, const struct vs_segment *seg, size_t n,
			    size_t k, const struct vs_levels *levels)
{
	uint64_t set = 0;

	if (vs_work_on_time(work, seg[k].begin))
		set = of_all(work, &seg[k]) & ~(UINT64_C(1) << seg[k].state);
	for (int l = seg[k].state - 1; l <= seg[k].state + 1; l++)
		if (l >= 0 && (size_t)l < levels->n && l != seg[k].state &&
		    dearer_at(work, seg, n, k, levels, l) < ALSO)
			set |= UINT64_C(1) << l;
	return set;
}

int vs_ladder_segments(struct vs_work *work, const struct vs_levels *levels,
		       const unsigned char *state, struct vs_error *err)
{
	size_t n = work->pts->n;
	struct vs_segment *found;
	size_t runs = 1;
	size_t kept = 0;
	size_t standing = 0;

	for (size_t i = 1; i < n; i++)
		runs += state[i] != state[i - 1];
	found = calloc(runs, sizeof(*found));
	if (!found)
		return vs_error_nomem(err);
	for (size_t begin = 0, end; begin < n; begin = end) {
		struct vs_segment seg = { .begin = begin, .state = state[begin] };

		for (end = begin + 1; end < n && state[end] == state[begin]; end++)
			;
		seg.end = end;
		if (end - begin < work->par->min_samples)
			continue;
		if (kept && found[kept - 1].state == seg.state) {
			found[kept - 1].end = end;
			continue;
		}
		found[kept++] = seg;
	}
	for (size_t k = 0; k < kept; k++) {
		vs_segments_summarise(work, &found[k]);
		if (!is_stall(work, &found[k]))
			found[standing++] = found[k];
	}
	for (size_t k = 0; k < standing; k++)
		found[k].also = also_likely(work, found, standing, k, levels);
	if (standing == 0) {
		free(found);
		return 0;
	}
	free(work->seg);
	work->seg = found;
	work->n_seg = standing;
	return 0;
}
