#include <math.h>
#include <stdlib.h>

#include "analysis/build.h"
#include "analysis/median.h"

/*
 * Probes: one reading is two or three seconds, and with a ladder may be the only one of its tier.
 * An idle volume falls: one probe is enough for a fall of however many tiers, but not for a fall
 * and a rise.
 */
#define PROBE_FLOOR     0.01
#define PROBE_FAR_COST  25.0
#define PROBE_STEP_COST 7.0
#define PROBE_JUMP_COST 16.0
#define PROBE_RISE_COST 13.0
#define PROBES_A_LEVEL  3

/*
 * A level is where readings stay. Noise of 10 % is met on real volumes, also where few readings
 * show more of it by chance (the standard deviation of n is 0.71 / sqrt(n) of itself uncertain); a
 * sawtooth is no noise.
 */
#define UNSTEADY       0.15
#define USUAL_NOISE    0.10
#define SPREAD_BY_LUCK (4 * 0.71)

struct vs_plateau *vs_build_add_plateau(struct vs_build *build, enum vs_phase phase,
					struct vs_error *err)
{
	struct vs_timeline *out = build->out;
	struct vs_plateau *p;

	if (out->n_plateaus == build->room) {
		size_t room = build->room ? build->room * 2 : 16;
		struct vs_plateau *plateaus = reallocarray(out->plateaus, room, sizeof(*plateaus));
		struct vs_origin *origins;

		if (plateaus)
			out->plateaus = plateaus;
		origins = reallocarray(build->origins, room, sizeof(*origins));
		if (origins)
			build->origins = origins;
		if (!plateaus || !origins) {
			(void)vs_error_nomem(err);
			return NULL;
		}
		build->room = room;
	}
	build->origins[out->n_plateaus] = (struct vs_origin){ .infl = 1, .vpu = (double)NAN };
	p = &out->plateaus[out->n_plateaus++];
	*p = (struct vs_plateau){
		.phase = phase,
		.iops = (double)NAN,
		.iops_mean = (double)NAN,
		.iops_ci95 = { (double)NAN, (double)NAN },
		.provider_vpu = (double)NAN,
		.spread_pct = (double)NAN,
		.mbps = (double)NAN,
		.latency = { VS_UNKNOWN, VS_UNKNOWN, VS_UNKNOWN, VS_UNKNOWN },
		.vpu_estimate = (double)NAN,
		.vpu_error = (double)NAN,
		.tier = -1,
		.error_pct = (double)NAN,
	};
	return p;
}

static int by_level(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static struct vs_levels levels_of(const struct vs_build *build)
{
	const struct vs_ladder *ladder = build->ladder;
	struct vs_levels all = { .n = 0 };
	struct vs_levels out = { .n = 0 };

	if (!ladder || build->options->no_ladder)
		return out;
	for (size_t i = 0; i < ladder->n_tiers && i < VS_LEVELS_MAX; i++) {
		double iops =
			vs_tier_ceiling_iops(&ladder->tiers[i], build->run->workload.block_bytes);

		if (iops >= 1 && isfinite(iops))
			all.x[all.n++] = log(iops);
	}
	qsort(all.x, all.n, sizeof(all.x[0]), by_level);
	for (size_t i = 0; i < all.n; i++)
		if (out.n == 0 || all.x[i] - out.x[out.n - 1] > VS_COARSE)
			out.x[out.n++] = all.x[i];
	return out;
}

double vs_build_smallest_step(const struct vs_build *build)
{
	struct vs_levels levels = levels_of(build);
	double least = (double)INFINITY;

	for (size_t i = 1; i < levels.n; i++)
		least = fmin(least, levels.x[i] - levels.x[i - 1]);
	return levels.n > 1 ? expm1(least) : 0.07;
}

/* What is the same for all plateaus of one series. */
struct found {
	const struct vs_series *series;
	const struct vs_levels *levels;
	double infl, few_sd;
	bool on_time;
};

static int add_plateau(struct vs_build *build, const struct found *found,
		       const struct vs_segment *seg, struct vs_error *err)
{
	const struct vs_series *s = found->series;
	struct vs_plateau *p = vs_build_add_plateau(build, s->phase, err);
	struct vs_origin *origin;

	if (!p)
		return -1;
	origin = &build->origins[build->out->n_plateaus - 1];
	origin->series = s;
	origin->seg = *seg;
	origin->infl = found->infl;
	origin->on_time = found->on_time;
	if (seg->state >= 0)
		origin->tier_x[origin->n_tiers++] = found->levels->x[seg->state];
	for (size_t l = 0; l < found->levels->n && origin->n_tiers < VS_ORIGIN_TIERS; l++)
		if (seg->also >> l & 1)
			origin->tier_x[origin->n_tiers++] = found->levels->x[l];
	p->start_ns = s->start_ns[seg->begin];
	p->end_ns = s->end_ns[seg->end - 1];
	return vs_measure_plateau(build, origin, found->few_sd, p, err);
}

/*
 * The robust spread is not raised by dips, but of few readings it is by luck; the standard
 * deviation the other way round. What both say holds.
 */
static bool is_unsteady(const struct vs_series *s, const struct vs_segment *seg)
{
	double n = (double)(seg->inliers ? seg->inliers : 1);
	double most = fmax(UNSTEADY, USUAL_NOISE * (1 + SPREAD_BY_LUCK / sqrt(n)));
	double squares = 0;

	if (s->phase != VS_PHASE_LOAD || seg->drift || seg->err > VS_COARSE || seg->spread <= most)
		return false;
	for (size_t i = seg->begin; i < seg->end; i++) {
		double r = log(s->iops[i] > 1 ? s->iops[i] : 1) - seg->level;

		squares += r * r;
	}
	return squares > (double)(seg->end - seg->begin) * most * most;
}

static void note_unsteady(struct vs_power *power, const struct vs_series *s,
			  const struct vs_segment *seg)
{
	int64_t start_ns = s->start_ns[seg->begin];
	int64_t end_ns = s->end_ns[seg->end - 1];

	if (power->unsteady_pct > 0 &&
	    end_ns - start_ns <= power->unsteady_end_ns - power->unsteady_start_ns)
		return;
	power->unsteady_start_ns = start_ns;
	power->unsteady_end_ns = end_ns;
	power->unsteady_pct = 100 * seg->spread;
}

/* The levels among what was found. */
static int add_plateaus(struct vs_build *build, const struct found *found,
			const struct vs_detection *detection, struct vs_error *err)
{
	bool behind = false;

	for (size_t k = 0; k < detection->n; k++) {
		const struct vs_segment *seg = &detection->segments[k];

		if (is_unsteady(found->series, seg)) {
			note_unsteady(&build->out->power, found->series, seg);
			behind = true;
			continue;
		}
		if (add_plateau(build, found, seg, err) != 0)
			return -1;
		build->origins[build->out->n_plateaus - 1].behind_unsteady = behind;
		behind = false;
	}
	build->unsteady_at_end = behind;
	return 0;
}

/*
 * Sigma of probes around the tiers next to them. Where each probe met another tier, the differences
 * of neighbours are steps and tell no noise; this does.
 */
static int around_levels(const struct vs_series *s, const struct vs_levels *levels, double *out,
			 struct vs_error *err)
{
	double *apart = malloc((s->n + 1) * sizeof(*apart));

	if (!apart)
		return vs_error_nomem(err);
	for (size_t i = 0; i < s->n; i++) {
		double x = log(s->iops[i] > 1 ? s->iops[i] : 1);

		apart[i] = (double)INFINITY;
		for (size_t l = 0; l < levels->n; l++)
			apart[i] = fmin(apart[i], fabs(x - levels->x[l]));
	}
	*out = VS_MAD_TO_SD * vs_median(apart, s->n);
	free(apart);
	return 0;
}

static struct vs_detect_params params_of(const struct vs_build *build, const struct vs_series *s,
					 const struct vs_levels *levels)
{
	struct vs_detect_params par;

	vs_detect_defaults(&par);
	if (build->options->min_plateau_samples > 0)
		par.min_samples = (size_t)build->options->min_plateau_samples;
	if (s->phase == VS_PHASE_LOAD)
		return par;
	par.floor = s->noise > PROBE_FLOOR ? s->noise : PROBE_FLOOR;
	par.min_samples = PROBES_A_LEVEL;
	if (levels->n == 0)
		return par;
	par.min_samples = 1;
	par.far_cost = PROBE_FAR_COST;
	par.step_cost = PROBE_STEP_COST;
	par.jump_cost = PROBE_JUMP_COST;
	par.rise_cost = PROBE_RISE_COST;
	par.falls_on_time = true;
	return par;
}

static int detect_series(struct vs_build *build, const struct vs_series *s, struct vs_error *err)
{
	struct vs_levels levels = levels_of(build);
	struct vs_detect_params par = params_of(build, s, &levels);
	struct vs_detection found = { .n = 0 };
	double *x = malloc((s->n + 1) * sizeof(*x));
	struct vs_points pts = { .x = x, .end_ns = s->end_ns, .err = s->err, .n = s->n };
	struct found of = { .series = s, .levels = &levels, .infl = 1, .few_sd = (double)NAN };
	int rc = -1;

	/* What a tool is known to have miscounted stands on no tier. */
	if (s->biased * 2 > s->n)
		levels.n = 0;
	if (!x) {
		(void)vs_error_nomem(err);
		goto out;
	}
	for (size_t i = 0; i < s->n; i++)
		x[i] = log(s->iops[i] > 1 ? s->iops[i] : 1);
	if (s->phase == VS_PHASE_IDLE && levels.n) {
		if (around_levels(s, &levels, &par.most, err) != 0)
			goto out;
		par.most = fmax(par.most, par.floor);
	}
	vs_explain_text(build->options->explain, "%s: %zu readings\n",
			s->phase == VS_PHASE_LOAD ? "load" : "idle, one reading a probe", s->n);
	rc = vs_detect(&pts, &par, &levels, build->options->explain, &found, err);
	of.infl = found.infl;
	of.on_time = found.on_time;
	of.few_sd = vs_measure_pooled_sd(s, &found, PROBE_FLOOR);
out:
	free(x);
	if (rc == 0)
		rc = add_plateaus(build, &of, &found, err);
	vs_detection_release(&found);
	return rc;
}

int vs_build_plateaus(struct vs_build *build, struct vs_error *err)
{
	for (size_t k = 0; k < build->set.n; k++)
		if (detect_series(build, &build->set.at[k], err) != 0)
			return -1;
	return 0;
}
