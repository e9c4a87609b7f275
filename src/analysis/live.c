#include "analysis/live.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/detect.h"
#include "analysis/fpop.h"
#include "analysis/median.h"

#define RING        512   /* readings that are remembered */
#define LOOKED_AT   256   /* that a level is taken from */
#define DIFFS       60    /* that tell the noise */
#define HORIZON     86400 /* readings: a change costs what it would in a day's run */
#define ENOUGH      3     /* readings at a level */
#define SETTLES     5     /* a step so soon behind another corrects it */
#define HIGHEST     28.0  /* ln(IOPS): 10^12 */
#define FIRST_NOISE 0.03  /* before there are differences */
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
	int64_t n;       /* readings so far; reading i is in the rings at i % RING */
	int64_t current; /* first reading of the level now */
	int64_t alerted; /* first reading of the last step told; < 0: none */
	int64_t past_end_ns;
	double before; /* level before the last step told */
	double level;  /* NAN: none yet */
	double noise;
	bool probing;
	bool suspect;
	double scratch[RING];
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
	double beta;

	if (!live)
		return vs_error_nomem(err);
	vs_detect_defaults(&live->par);
	live->level = (double)NAN;
	live->before = (double)NAN;
	live->alerted = -1;
	live->past_end_ns = -1;
	for (size_t i = 0; ladder && i < ladder->n_tiers && i < VS_LEVELS_MAX; i++) {
		double iops = vs_tier_ceiling_iops(&ladder->tiers[i], block_bytes);

		if (iops >= 1 && isfinite(iops))
			live->levels.x[live->levels.n++] = log(iops);
	}
	qsort(live->levels.x, live->levels.n, sizeof(live->levels.x[0]), by_level);
	beta = live->par.pen_log * log(HORIZON) + live->par.pen_add;
	if (vs_fpop_init(&live->fpop, -1, HIGHEST, beta, live->par.cap * live->par.cap, err) != 0) {
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

/* Causal, and on the safe side while there are few differences. */
static double noise_now(struct vs_live *live, double x)
{
	size_t m = live->n_diffs < DIFFS ? (size_t)live->n_diffs : DIFFS;
	double s;

	if (live->n > 0) {
		live->diffs[live->n_diffs++ % DIFFS] = fabs(x - live->x[(live->n - 1) % RING]);
		m = m < DIFFS ? m + 1 : m;
	}
	if (m == 0)
		return FIRST_NOISE;
	for (size_t i = 0; i < m; i++)
		live->scratch[i] = live->diffs[i];
	s = VS_MAD_TO_SD / M_SQRT2 * vs_median(live->scratch, m) * (1 + 8 / (double)m);
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
	if (fabs(to - from) > least)
		tell_step(live, start, from, to, out);
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
	/* Between probes there is a silence; what the load's noise was still holds. */
	live->probing =
		live->past_end_ns >= 0 && start_ns - live->past_end_ns > 2 * (end_ns - start_ns);
	live->past_end_ns = end_ns;
	noise = noise_now(live, x);
	if (!live->probing)
		live->noise = noise;
	live->x[live->n % RING] = x;
	live->start_ns[live->n % RING] = start_ns;
	start = vs_fpop_put(&live->fpop, x, 1 / (noise * noise));
	if (!judge_probe(live, x, step_out)) {
		judge(live, start, noise, step_out);
		watch_level(live, x, noise, step_out);
	}
	live->n++;
	return 0;
}
