#include <math.h>

#include "analysis/build.h"

#define DETECTED_90 1.3 /* sigma beyond the threshold for a change seen in 9 of 10 cases */
#define FLOOR       0.003

/* Typical noise under load: the plateaus' own, each for as long as it lasted. */
static double typical_noise(const struct vs_timeline *out)
{
	double sum = 0;
	double weight = 0;

	for (size_t k = 0; k < out->n_plateaus; k++) {
		const struct vs_plateau *p = &out->plateaus[k];

		if (isnan(p->spread_pct) || p->phase != VS_PHASE_LOAD)
			continue;
		sum += p->spread_pct / 100 * (double)p->samples;
		weight += (double)p->samples;
	}
	return weight > 0 ? sum / weight : (double)NAN;
}

static size_t readings(const struct vs_build *build, enum vs_phase phase)
{
	size_t n = 0;

	for (size_t k = 0; k < build->set.n; k++)
		if (build->set.at[k].phase == phase)
			n += build->set.at[k].n;
	return n;
}

static double inflation(const struct vs_build *build)
{
	double most = 1;

	for (size_t k = 0; k < build->out->n_plateaus; k++)
		if (build->out->plateaus[k].phase == VS_PHASE_LOAD)
			most = fmax(most, build->origins[k].infl);
	return most;
}

/* Two plateaus of T readings each, a step d, noise s: T = 2 (sqrt(beta) + 1.3)^2 (s / d)^2. */
static double readings_needed(const struct vs_build *build, size_t load, double noise, double step)
{
	double ratio = fmax(noise, FLOOR) / log1p(step);
	struct vs_detect_params par;
	double beta, root, needed;

	vs_detect_defaults(&par);
	beta = (par.pen_log * log((double)(load > 10 ? load : 10)) + par.pen_add) *
	       inflation(build);
	root = sqrt(beta) + DETECTED_90;
	needed = fmax(2 * root * root * ratio * ratio, (double)par.min_samples);
	return ceil(fmin(needed, 1e9));
}

void vs_build_power(struct vs_build *build)
{
	struct vs_power *power = &build->out->power;
	size_t load = readings(build, VS_PHASE_LOAD);
	size_t probes = readings(build, VS_PHASE_IDLE);
	double step = vs_build_smallest_step(build);
	double noise = typical_noise(build->out);
	struct vs_detect_params par;
	double needed = 0;

	vs_detect_defaults(&par);
	power->smallest_step_pct = 100 * step;
	power->too_short = load < par.min_samples;
	power->probes_sparse = probes > 0 && (!build->ladder || build->options->no_ladder);
	power->noise_pct = 100 * noise;
	if (!isnan(noise)) {
		needed = readings_needed(build, load, noise, step);
		power->too_noisy = !power->too_short && needed * 2 > (double)load;
		power->min_plateau_ns =
			(int64_t)fmin(needed * (double)build->run->interval_ns, 9e18);
	}
}
