#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stages.h"

/*
 * An idle volume that falls does so on time, a tier after the other. Through probes that meet each
 * tier once or twice, what one of them says is within its noise; what all of them say together, a
 * tier each so many seconds from a moment on, is not. That reading competes: it pays for its start,
 * its end and what is off time, and for how many such readings were tried.
 */
#define LEAST_FALL 4            /* tiers below which a fall shows no cadence */
#define MANY       600          /* readings from which it needs none */
#define AROUND_S   2            /* periods before and behind the fall that are read with it */
#define AROUND_N   4            /* and readings at least */
#define PERIOD_UP  1.02         /* one that is tried over the next */
#define PERIODS    ((size_t)50) /* at most */
#define PHASES     ((size_t)24)
#define UNLIKELY   8.0 /* cost above the cheapest from which a cadence tells nothing */
#define LIKELY     0.1
#define CHANCE     4.0 /* standard deviations that noise may misfit more */
#define OFTEN      4   /* steps of which one may be off time */

enum mode {
	RESTS,
	FALLS
};

#define PLACES ((size_t)2 * VS_LEVELS_MAX) /* a mode and a level each */

struct cadence {
	const struct vs_work *work;
	const struct vs_levels *levels;
	size_t begin, end; /* the readings that are read */
	int first, last;   /* their levels at both ends; -1: any */
	double period_s, since_s;
	size_t periods;       /* that are tried around period_s */
	double *misfit;       /* of each reading at each level, in units of work->infl */
	unsigned char *came;  /* mode and level before, of each mode and level of each reading */
	unsigned char *state; /* a walk's, of all readings */
};

/* The longest way down in the walk: readings [begin, end) from its first step to its last. */
static int longest_fall(const unsigned char *state, size_t n, size_t *begin, size_t *end)
{
	int most = 0;

	for (size_t i = 1, from; i < n; i++) {
		size_t last = i;

		if (state[i] >= state[i - 1])
			continue;
		for (from = i; i < n && state[i] <= state[i - 1]; i++)
			if (state[i] < state[i - 1])
				last = i;
		if (state[from - 1] - state[last] > most) {
			most = state[from - 1] - state[last];
			*begin = from;
			*end = last + 1;
		}
	}
	return most;
}

/* Steps that are due behind the reading before this one, up to it. */
static size_t due(const struct cadence *c, size_t i)
{
	double now = (vs_points_s(c->work->pts, i) - c->since_s) / c->period_s;
	double before = (vs_points_s(c->work->pts, i - 1) - c->since_s) / c->period_s;
	double steps = floor(now) - floor(before);

	return steps < VS_LEVELS_MAX ? (size_t)steps : VS_LEVELS_MAX;
}

static bool allowed(const struct cadence *c, size_t i, size_t level)
{
	return (i != c->begin || c->first < 0 || level == (size_t)c->first) &&
	       (i + 1 != c->end || c->last < 0 || level == (size_t)c->last);
}

static size_t place(enum mode mode, size_t level)
{
	return (size_t)mode * VS_LEVELS_MAX + level;
}

/* The cheapest way to a place, so far. */
struct way {
	double cost;
	size_t from;
};

static void offer(struct way *way, const double *past, size_t from, double cost)
{
	if (past[from] + cost < way->cost) {
		way->cost = past[from] + cost;
		way->from = from;
	}
}

/* The fall goes on by the steps that are due, or by one more or fewer; or it begins. */
static struct way falling(const struct cadence *c, const double *past, size_t level, size_t steps)
{
	double step = c->work->par->step_cost;
	struct way way = { .cost = (double)INFINITY };
	size_t above = c->levels->n - 1 - level;

	for (size_t k = steps ? steps - 1 : 0; k <= steps + 1 && k <= above; k++)
		offer(&way, past, place(FALLS, level + k), k == steps ? 0 : step);
	for (size_t k = 1; k <= steps && k <= above; k++)
		offer(&way, past, place(RESTS, level + k), step);
	return way;
}

/* It rests on, or has taken a step of its own; or the fall has ended, on time or before. */
static struct way resting(const struct cadence *c, const double *past, size_t level, size_t steps)
{
	double step = c->work->par->step_cost;
	struct way way = { .cost = (double)INFINITY };
	size_t above = c->levels->n - 1 - level;

	offer(&way, past, place(RESTS, level), 0);
	if (above)
		offer(&way, past, place(RESTS, level + 1), step);
	if (level)
		offer(&way, past, place(RESTS, level - 1), step + c->work->par->rise_cost);
	for (size_t k = 0; k <= steps && k <= above; k++)
		offer(&way, past, place(FALLS, level + k), step);
	return way;
}

/* Cost of the cheapest walk at one cadence; of one that costs more than enough, no less than that.
 */
static double walk(const struct cadence *c, double enough, unsigned char *state)
{
	double cost[2][PLACES];
	double least = 0;
	size_t at = 0;

	for (size_t i = c->begin; i < c->end && least < enough; i++) {
		const double *misfit = c->misfit + (i - c->begin) * c->levels->n;
		const double *past = cost[i % 2];
		double *now = cost[(i + 1) % 2];
		size_t steps = i > c->begin ? due(c, i) : 0;

		least = (double)INFINITY;
		for (size_t to = 0; to < PLACES; to++) {
			size_t level = to % VS_LEVELS_MAX;
			struct way way = { .cost = 0 };

			if (level >= c->levels->n)
				continue;
			if (i > c->begin)
				way = to < VS_LEVELS_MAX ? resting(c, past, level, steps)
							 : falling(c, past, level, steps);
			now[to] =
				allowed(c, i, level) ? way.cost + misfit[level] : (double)INFINITY;
			if (state)
				c->came[(i - c->begin) * PLACES + to] = (unsigned char)way.from;
			if (now[to] < least) {
				least = now[to];
				at = to;
			}
		}
	}
	for (size_t i = c->end; state && i-- > c->begin;) {
		state[i] = (unsigned char)(at % VS_LEVELS_MAX);
		at = c->came[(i - c->begin) * PLACES + at];
	}
	return least;
}

/*
 * Is it a fall that keeps time? One that does not, or that takes two tiers at a time, may be
 * cheaper to read so, with much of it off time or off what the readings' noise explains.
 */
static bool fits(const struct cadence *c)
{
	double n = (double)(c->end - c->begin);
	double misfit = 0;
	size_t steps = 0;
	size_t off = 0;
	size_t since = 0; /* off time since the step before */
	bool is_off, partial = false;

	for (size_t i = c->begin; i < c->end; i++) {
		misfit += c->misfit[(i - c->begin) * c->levels->n + c->state[i]];
		if (i == c->begin)
			continue;
		is_off = c->state[i] + due(c, i) != c->state[i - 1];
		if (c->state[i] == c->state[i - 1]) {
			since += is_off && steps > 0;
			continue;
		}
		/* the first and the last may be a part of what was due */
		off += since + (partial && steps > 1);
		partial = is_off;
		since = 0;
		steps++;
	}
	return misfit * c->work->infl <= n + CHANCE * sqrt(2 * n) && off * OFTEN <= steps;
}

static double cost_so_far(const struct cadence *c, const unsigned char *state)
{
	double cost = 0;

	for (size_t i = c->begin; i < c->end; i++) {
		cost += c->misfit[(i - c->begin) * c->levels->n + state[i]];
		if (i > c->begin)
			cost += vs_ladder_move_cost(c->work, state[i - 1], state[i]) /
				c->work->infl;
	}
	return cost;
}

/* The k-th cadence to try; the likely ones first: they tell when to give up on the others. */
static struct cadence cadence_at(const struct cadence *c, size_t k)
{
	struct cadence tried = *c;
	int i = (int)(k / PHASES);

	tried.period_s *= pow(PERIOD_UP, i % 2 ? (i + 1) / 2 : -i / 2);
	tried.since_s += tried.period_s * (double)(k % PHASES) / PHASES;
	return tried;
}

/* Costs of all cadences, exact for those that are likely; the index of the cheapest. */
static size_t search(const struct cadence *c, double enough, double *costs)
{
	size_t best = 0;

	costs[0] = (double)INFINITY;
	for (size_t k = 0; k < c->periods * PHASES; k++) {
		struct cadence tried = cadence_at(c, k);

		costs[k] = walk(&tried, enough + UNLIKELY, NULL);
		if (costs[k] < costs[best])
			best = k;
		enough = fmin(enough, costs[k]);
	}
	return best;
}

/* Which levels each reading may be of, from their probability over all cadences. */
static int settle(struct vs_work *work, const struct cadence *c, const double *costs, size_t best,
		  struct vs_error *err)
{
	size_t n = c->levels->n;
	double *weight = calloc(c->end - c->begin, n * sizeof(*weight));

	work->may = calloc(work->pts->n, sizeof(*work->may));
	if (!weight || !work->may) {
		free(weight);
		return vs_error_nomem(err);
	}
	for (size_t k = 0; k < c->periods * PHASES; k++) {
		struct cadence tried = cadence_at(c, k);

		if (costs[k] > costs[best] + UNLIKELY)
			continue;
		(void)walk(&tried, (double)INFINITY, c->state);
		for (size_t i = c->begin; i < c->end; i++)
			weight[(i - c->begin) * n + c->state[i]] +=
				exp((costs[best] - costs[k]) / 2);
	}
	for (size_t i = c->begin; i < c->end; i++) {
		const double *of = weight + (i - c->begin) * n;
		double sum = 0;

		for (size_t l = 0; l < n; l++)
			sum += of[l];
		for (size_t l = 0; l < n; l++)
			if (of[l] > LIKELY * sum)
				work->may[i] |= UINT64_C(1) << l;
	}
	free(weight);
	return 0;
}

/*
 * The cadences to try: around steps in the readings behind the first. That one, and the last, may
 * be off by what lies between two readings, and by a tier. False: none.
 */
static bool around(struct cadence *c, size_t begin, size_t end, int steps)
{
	double span_s = vs_points_s(c->work->pts, end - 1) - vs_points_s(c->work->pts, begin);
	double apart_s = span_s / (double)(end - begin);
	double off_s;

	if (!(span_s > 0) || steps < 1)
		return false;
	c->since_s = vs_points_s(c->work->pts, begin);
	c->period_s = span_s / steps;
	off_s = 2 * apart_s + c->period_s;
	c->periods =
		(size_t)fmin((double)PERIODS, 1 + 2 * ceil(log1p(off_s / span_s) / log(PERIOD_UP)));
	return true;
}

/* The stretch that is read: the fall, and what lies within a few periods of it. */
static void stretch_of(struct cadence *c, const unsigned char *state, size_t begin, size_t end)
{
	const struct vs_points *pts = c->work->pts;
	double around_s = AROUND_S * c->period_s;

	c->begin = begin;
	c->end = end;
	while (c->begin > 0 && (begin - c->begin < AROUND_N ||
				vs_points_s(pts, begin) - vs_points_s(pts, c->begin) < around_s))
		c->begin--;
	while (c->end < pts->n && (c->end - end < AROUND_N ||
				   vs_points_s(pts, c->end) - vs_points_s(pts, end - 1) < around_s))
		c->end++;
	c->first = c->begin > 0 ? state[c->begin] : -1;
	c->last = c->end < pts->n ? state[c->end - 1] : -1;
}

static int tables(struct cadence *c, struct vs_error *err)
{
	size_t n = c->end - c->begin;

	c->misfit = calloc(n, c->levels->n * sizeof(*c->misfit));
	c->came = calloc(n, PLACES);
	c->state = malloc(c->work->pts->n);
	if (!c->misfit || !c->came || !c->state)
		return vs_error_nomem(err);
	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < c->levels->n; l++)
			c->misfit[i * c->levels->n + l] =
				vs_ladder_reading_cost(c->work, c->begin + i, c->levels->x[l]) /
				c->work->infl;
	return 0;
}

int vs_cadence_decode(struct vs_work *work, const struct vs_levels *levels, unsigned char *state,
		      double *cost, struct vs_error *err)
{
	struct cadence all = { .work = work, .levels = levels };
	struct cadence cheapest;
	double costs[PERIODS * PHASES];
	size_t begin = 0;
	size_t end = 0;
	size_t best;
	int fall = longest_fall(state, work->pts->n, &begin, &end);
	double enough;
	bool better = false;
	int rc = -1;

	if (fall < LEAST_FALL ||
	    !around(&all, begin, end, fall - (state[begin - 1] - state[begin])))
		return 0;
	stretch_of(&all, state, begin, end);
	if (all.end - all.begin > MANY)
		return 0;
	if (tables(&all, err) != 0)
		goto out;
	enough = cost_so_far(&all, state) - 2 * log((double)(all.periods * PHASES));
	best = search(&all, enough, costs);
	if (costs[best] < enough) {
		cheapest = cadence_at(&all, best);
		(void)walk(&cheapest, (double)INFINITY, all.state);
		better = fits(&cheapest);
	}
	vs_explain_text(work->explain, "%s\n",
			better                 ? "the fall keeps time"
			: costs[best] < enough ? "a fall that keeps time is not what was read"
					       : "that the fall keeps time makes it no cheaper");
	if (better) {
		memcpy(state + all.begin, all.state + all.begin, all.end - all.begin);
		*cost -= (enough - costs[best]) * work->infl;
		vs_explain_text(work->explain, "a tier each %.0f s: the walk costs %.1f less\n",
				cheapest.period_s, (enough - costs[best]) * work->infl);
	}
	rc = better ? settle(work, &all, costs, best, err) : 0;
out:
	free(all.misfit);
	free(all.came);
	free(all.state);
	return rc;
}
