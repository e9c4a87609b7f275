#include "analysis/live.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/detect.h"
#include "analysis/fpop.h"
#include "analysis/median.h"

#define RING        512   /* readings that are remembered */
#define LOOKED_AT   256   /* that a level is taken from */
#define DIFFS       180   /* that tell the noise, */
#define DIFFS_LAST  60    /* and the last of them, should they be noisier */
#define LONG_AT     16    /* readings from one look at all of them to the next */
#define HORIZON     86400 /* readings: a change costs what it would in a day's run */
#define LENGTHS     9     /* of readings that tell the usual one */
#define ENOUGH      3     /* readings at a level */
#define LASTS       4     /* readings off the level that are no dip any more */
#define PLAIN       6.0   /* sigma between levels from which a step is plain */
#define PAIRS       1200  /* of readings that tell their correlation, */
#define PAIRS_LEAST 64    /* from so many on, */
#define PAIRS_AT    32    /* and it is looked at every so many */
#define RHO_SD      2.0   /* over sqrt(pairs): what it may seem to be by chance */
#define RHO_MOST    0.9
#define SETTLES     5    /* a step so soon behind another corrects it */
#define HIGHEST     28.0 /* ln(IOPS): 10^12 */
#define FIRST_NOISE 0.03 /* before there are differences */
#define PROBE_NOISE 0.01
#define PROBE_QUIET 0.02 /* up to this noise a single probe tells its tier */
#define TIER_BAND   0.03

struct vs_live {
	struct vs_detect_params par;
	struct vs_levels levels;
	struct vs_fpop fpop;
	double x[RING];
	int64_t start_ns[RING];
	double diffs[DIFFS];
	int64_t n_diffs;
	double long_noise;
	float pairs[2][PAIRS]; /* differences of neighbours, and of neighbours but one */
	int64_t n_pairs;
	double infl;     /* (1 + rho) / (1 - rho) */
	double beta;     /* what a change costs when readings are independent */
	int64_t n;       /* readings so far; reading i is in the rings at i % RING */
	int64_t current; /* first reading of the level now */
	int64_t alerted; /* first reading of the last step told; < 0: none */
	int64_t past_end_ns;
	double lengths_ns[LENGTHS]; /* of the last readings that followed one another */
	int64_t n_lengths;
	double before; /* level before the last step told */
	double level;  /* NAN: none yet */
	double noise;
	int64_t off;  /* readings in a row that are off the level, */
	int off_side; /* above it 1, below it -1 */
	bool probing;
	bool suspect;
	double scratch[PAIRS];
};

static int by_level(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

int vs_live_open(const struct vs_ladder *ladder, int64_t block_bytes, struct vs_live **out,
		 struct vs_error *err)
{
	struct vs_live *live = calloc(1, sizeof(*live));

	if (!live)
		return vs_error_nomem(err);
	vs_detect_defaults(&live->par);
	live->level = (double)NAN;
	live->before = (double)NAN;
	live->alerted = -1;
	live->infl = 1;
	live->past_end_ns = -1;
	for (size_t i = 0; ladder && i < ladder->n_tiers && i < VS_LEVELS_MAX; i++) {
		double iops = vs_tier_ceiling_iops(&ladder->tiers[i], block_bytes);

		if (iops >= 1 && isfinite(iops))
			live->levels.x[live->levels.n++] = log(iops);
	}
	qsort(live->levels.x, live->levels.n, sizeof(live->levels.x[0]), by_level);
	live->beta = live->par.pen_log * log(HORIZON) + live->par.pen_add;
	if (vs_fpop_init(&live->fpop, -1, HIGHEST, live->beta, live->par.cap * live->par.cap,
			 err) != 0) {
		free(live);
		return -1;
	}
	*out = live;
	return 0;
}

void vs_live_free(struct vs_live *live)
{
	if (!live)
		return;
	vs_fpop_release(&live->fpop);
	free(live);
}

double vs_live_level(const struct vs_live *live)
{
	return exp(live->level);
}

/* Median of the last readings of [from, to) that are remembered. */
static double level_of(struct vs_live *live, int64_t from, int64_t to)
{
	size_t m = 0;

	if (from < to - LOOKED_AT)
		from = to - LOOKED_AT;
	if (from <= live->n - RING)
		from = live->n - RING + 1;
	for (int64_t i = from; i < to; i++)
		live->scratch[m++] = live->x[i % RING];
	return m ? vs_median(live->scratch, m) : live->level;
}

/* Noise of the last m differences, on the safe side while there are few. */
static double noise_of_last(struct vs_live *live, size_t m)
{
	for (size_t i = 0; i < m; i++)
		live->scratch[i] = live->diffs[(live->n_diffs - 1 - (int64_t)i) % DIFFS];
	return VS_MAD_TO_SD / M_SQRT2 * vs_median(live->scratch, m) * (1 + 8 / (double)m);
}

/* Mean square of m differences, without those that are steps or dips. */
static double mean_square(struct vs_live *live, const float *d, size_t m)
{
	double sum = 0, most;
	size_t counted = 0;

	for (size_t i = 0; i < m; i++)
		live->scratch[i] = (double)d[i];
	most = live->par.cap * VS_MAD_TO_SD * vs_median(live->scratch, m);
	for (size_t i = 0; i < m; i++) {
		if ((double)d[i] > most)
			continue;
		sum += (double)d[i] * (double)d[i];
		counted++;
	}
	return sum / (double)counted;
}

/*
 * How much less a reading tells than an independent one, as the whole recording's analysis has it:
 * differences of neighbours but one against those of neighbours, steps and dips left out. What few
 * of them may seem to tell by chance is taken off.
 */
static void judge_correlation(struct vs_live *live, double x)
{
	size_t m;
	double near, rho;

	if (live->n < 2)
		return;
	live->pairs[0][live->n_pairs % PAIRS] = (float)fabs(x - live->x[(live->n - 1) % RING]);
	live->pairs[1][live->n_pairs % PAIRS] = (float)fabs(x - live->x[(live->n - 2) % RING]);
	live->n_pairs++;
	if (live->n_pairs < PAIRS_LEAST || live->n_pairs % PAIRS_AT != 0)
		return;
	m = live->n_pairs < PAIRS ? (size_t)live->n_pairs : PAIRS;
	near = mean_square(live, live->pairs[0], m);
	live->infl = 1;
	if (sqrt(near / 2) <= 1.5 * live->par.floor)
		return;
	rho = mean_square(live, live->pairs[1], m) / near - 1 - RHO_SD / sqrt((double)m);
	rho = rho < RHO_MOST ? rho : RHO_MOST;
	if (rho > 0)
		live->infl = (1 + rho) / (1 - rho);
}

/* Causal: a stretch that is quiet by chance does not make its first odd reading a step. */
static double noise_now(struct vs_live *live, double x)
{
	size_t m, last;
	double s;

	if (live->n > 0)
		live->diffs[live->n_diffs++ % DIFFS] = fabs(x - live->x[(live->n - 1) % RING]);
	m = live->n_diffs < DIFFS ? (size_t)live->n_diffs : DIFFS;
	if (m == 0)
		return FIRST_NOISE;
	last = m < DIFFS_LAST ? m : DIFFS_LAST;
	s = noise_of_last(live, last);
	if (last == m)
		live->long_noise = s;
	else if (live->n_diffs % LONG_AT == 0)
		live->long_noise = noise_of_last(live, m);
	s = fmax(s, live->long_noise);
	return s > live->par.floor ? s : live->par.floor;
}

static void tell_step(struct vs_live *live, int64_t first, double from, double to,
		      struct vs_live_step *out)
{
	bool again = live->alerted >= 0 && first - live->alerted < SETTLES && !live->probing;

	if (!again)
		live->before = from;
	live->alerted = first;
	live->current = first;
	if (first <= live->n - RING) /* when it was is forgotten: not before what is remembered */
		first = live->n - RING + 1;
	live->level = to;
	live->suspect = false;
	*out = (struct vs_live_step){ .news = again ? VS_LIVE_CORRECTED : VS_LIVE_CONFIRMED,
				      .at_ns = live->start_ns[first % RING],
				      .from_iops = exp(live->before),
				      .to_iops = exp(to) };
}

/* The level that x stands on; -1 when there is none near. */
static int level_at(const struct vs_live *live, double x)
{
	int best = -1;

	for (size_t l = 0; l < live->levels.n; l++)
		if (fabs(x - live->levels.x[l]) < TIER_BAND &&
		    (best < 0 ||
		     fabs(x - live->levels.x[l]) < fabs(x - live->levels.x[(size_t)best])))
			best = (int)l;
	return best;
}

/* Quiet probes and known tiers: one reading decides. True when it was decided here. */
static bool judge_probe(struct vs_live *live, double x, struct vs_live_step *out)
{
	int now = level_at(live, x);
	int past = level_at(live, live->level);

	if (!live->probing || live->levels.n == 0 || live->noise > PROBE_QUIET)
		return false;
	if (now < 0 || isnan(live->level))
		return false;
	if (now != past && fabs(x - live->level) > 3 * PROBE_NOISE)
		tell_step(live, live->n, live->level, x, out);
	return true;
}

static void judge(struct vs_live *live, int64_t start, double noise, struct vs_live_step *out)
{
	double least = live->par.merge_sd * noise;
	double from, to;

	if (start <= live->current || live->n - start + 1 < ENOUGH)
		return;
	from = level_of(live, live->current, start);
	to = level_of(live, start, live->n + 1);
	if (least < live->par.merge_rel)
		least = live->par.merge_rel;
	/* The overshoot before a level that has been told already. */
	if (live->alerted >= 0 && start - live->alerted < SETTLES &&
	    fabs(to - live->level) <= least) {
		live->current = start;
		return;
	}
	if (fabs(to - from) > least)
		tell_step(live, start, from, to, out);
}

/*
 * What is plain needs no recursion: LASTS readings in a row far off on one side, of which the last
 * ENOUGH agree; those before are the overshoot. A dip seldom lasts so long.
 */
static void judge_plain(struct vs_live *live, double x, double noise, struct vs_live_step *out)
{
	double band = live->par.cap * noise;
	double to;
	int side = x > live->level + band ? 1 : x < live->level - band ? -1 : 0;

	live->off = side != 0 && side == live->off_side ? live->off + 1 : side != 0;
	live->off_side = side;
	if (out->news != VS_LIVE_NOTHING || live->off < LASTS || live->off >= RING)
		return;
	to = level_of(live, live->n - ENOUGH + 1, live->n + 1);
	for (int64_t i = live->n - ENOUGH + 1; i <= live->n; i++)
		if (fabs(live->x[i % RING] - to) > band)
			return;
	if (fabs(to - live->level) <= PLAIN * noise ||
	    fabs(to - live->level) <= live->par.merge_rel)
		return;
	tell_step(live, live->n - live->off + 1, live->level, to, out);
	live->off = 0;
}

/* Keeps the level; a reading outside its band makes a suspect until one is inside again. */
static void watch_level(struct vs_live *live, double x, double noise, struct vs_live_step *out)
{
	bool outside = !isnan(live->level) && fabs(x - live->level) > live->par.cap * noise;

	if (outside && !live->suspect && out->news == VS_LIVE_NOTHING)
		*out = (struct vs_live_step){ .news = VS_LIVE_SUSPECT,
					      .at_ns = live->start_ns[live->n % RING],
					      .from_iops = exp(live->level),
					      .to_iops = exp(x) };
	live->suspect = outside && out->news <= VS_LIVE_SUSPECT;
	if (!outside && live->n - live->current + 1 >= ENOUGH &&
	    (live->n % 8 == 0 || live->n - live->current < 16))
		live->level = level_of(live, live->current, live->n + 1);
}

/*
 * Twice the usual length and no silence before it: no probe, but a process that was stopped. The
 * usual length is a median, since behind a late sample stands a short one.
 */
static bool was_stopped(struct vs_live *live, int64_t start_ns, int64_t end_ns)
{
	size_t m = live->n_lengths < LENGTHS ? (size_t)live->n_lengths : LENGTHS;
	double length_ns = (double)(end_ns - start_ns);
	double usual_ns;

	for (size_t i = 0; i < m; i++)
		live->scratch[i] = live->lengths_ns[i];
	usual_ns = vs_median(live->scratch, m);
	if (m > 0 && (double)(start_ns - live->past_end_ns) >= usual_ns)
		return false;
	if (m > 0 && length_ns >= 2 * usual_ns)
		return true;
	live->lengths_ns[live->n_lengths++ % LENGTHS] = length_ns;
	return false;
}

/* Readings of nothing are no level, however many; the first one is told. */
static bool stalls(struct vs_live *live, int64_t start_ns, double x, struct vs_live_step *out)
{
	if (x > VS_LN_STALL)
		return false;
	if (!isnan(live->level) && !live->suspect) {
		live->suspect = true;
		*out = (struct vs_live_step){ .news = VS_LIVE_SUSPECT,
					      .at_ns = start_ns,
					      .from_iops = exp(live->level) };
	}
	return true;
}

int vs_live_put(struct vs_live *live, int64_t start_ns, int64_t end_ns, double iops,
		struct vs_live_step *step_out, struct vs_error *err)
{
	double x = log(iops > 1 ? iops : 1);
	double noise;
	int64_t start;

	(void)err;
	*step_out = (struct vs_live_step){ .news = VS_LIVE_NOTHING };
	if (!isfinite(iops) || x > HIGHEST)
		return 0;
	if (was_stopped(live, start_ns, end_ns) || stalls(live, start_ns, x, step_out)) {
		live->past_end_ns = end_ns;
		return 0;
	}
	/* Between probes there is a silence; what the load's noise was still holds. */
	live->probing =
		live->past_end_ns >= 0 && start_ns - live->past_end_ns > 2 * (end_ns - start_ns);
	live->past_end_ns = end_ns;
	noise = noise_now(live, x);
	judge_correlation(live, x);
	/* rho is (infl - 1) / (infl + 1), and neighbours' differences are sigma sqrt(2 (1 - rho))
	 */
	noise *= sqrt((live->infl + 1) / 2);
	live->fpop.beta = live->beta * live->infl;
	if (!live->probing)
		live->noise = noise;
	live->x[live->n % RING] = x;
	live->start_ns[live->n % RING] = start_ns;
	start = vs_fpop_put(&live->fpop, x, 1 / (noise * noise));
	if (!judge_probe(live, x, step_out)) {
		judge(live, start, noise, step_out);
		judge_plain(live, x, noise, step_out);
		watch_level(live, x, noise, step_out);
	}
	live->n++;
	return 0;
}
