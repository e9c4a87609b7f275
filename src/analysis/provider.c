#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/build.h"

#define NEAR_NS      INT64_C(120000000000) /* the provider's word and the step belong together */
#define TIER_SPACING 10.0 /* VPUs are multiples of it; a mean between is a change */
#define MINUTE_NS    INT64_C(60000000000)

/* When the provider's view changed: value holds from at_ns until the next. */
struct word {
	int64_t at_ns;
	double vpu;
};

struct words {
	struct word *at;
	size_t n;
	int64_t last_ns; /* of the last reading at all */
};

static bool is(const struct vs_observation *obs, const char *source, const char *name)
{
	return strcmp(obs->source, source) == 0 && strcmp(obs->name, name) == 0 &&
	       isfinite(obs->value);
}

static bool is_tier(double vpu)
{
	return fabs(vpu - TIER_SPACING * round(vpu / TIER_SPACING)) < 1e-6;
}

static void add(struct words *words, int64_t at_ns, double vpu)
{
	if (words->n && !(fabs(words->at[words->n - 1].vpu - vpu) > 0))
		return;
	words->at[words->n++] = (struct word){ at_ns, vpu };
}

/*
 * What the volume itself says wins; else the metric of guaranteed VPUs, a mean a minute: a value
 * between two tiers is the minute of a change, and tells how far into it the change was.
 */
static int collect(const struct vs_run *run, struct words *out, struct vs_error *err)
{
	double between = (double)NAN;
	int64_t between_ns = 0;

	*out = (struct words){ .at = calloc(run->n_observations + 1, sizeof(*out->at)) };
	if (!out->at)
		return vs_error_nomem(err);
	for (size_t i = 0; i < run->n_observations; i++) {
		const struct vs_observation *obs = &run->observations[i];

		if (!is(obs, "oci-volume", "autoTunedVpusPerGB"))
			continue;
		add(out, obs->at_ns, obs->value);
		out->last_ns = obs->at_ns;
	}
	for (size_t i = 0; out->last_ns == 0 && out->n == 0 && i < run->n_observations; i++) {
		const struct vs_observation *obs = &run->observations[i];
		int64_t at_ns = obs->at_ns;
		double past = out->n ? out->at[out->n - 1].vpu : (double)NAN;

		if (!is(obs, "oci-monitoring", "VolumeGuaranteedVPUsPerGB"))
			continue;
		if (!is_tier(obs->value)) {
			between = obs->value;
			between_ns = at_ns;
			continue;
		}
		if (!isnan(between) && !isnan(past) && fabs(obs->value - past) > 0)
			at_ns = between_ns + (int64_t)((obs->value - between) /
						       (obs->value - past) * (double)MINUTE_NS);
		between = (double)NAN;
		add(out, at_ns, obs->value);
	}
	return 0;
}

/* The value that held longest in [from, to); NAN when none was known. */
static double held(const struct words *words, int64_t from_ns, int64_t to_ns)
{
	double best = (double)NAN;
	int64_t longest = 0;

	for (size_t i = 0; i < words->n; i++) {
		int64_t begin = words->at[i].at_ns > from_ns ? words->at[i].at_ns : from_ns;
		int64_t end = i + 1 < words->n && words->at[i + 1].at_ns < to_ns
				      ? words->at[i + 1].at_ns
				      : to_ns;

		if (end - begin > longest) {
			longest = end - begin;
			best = words->at[i].vpu;
		}
	}
	return best;
}

static void confirm_plateaus(struct vs_build *build, const struct words *words)
{
	for (size_t k = 0; build->ladder && k < build->out->n_plateaus; k++) {
		struct vs_plateau *p = &build->out->plateaus[k];
		double vpu = held(words, p->start_ns, p->end_ns);

		if (isnan(vpu) || p->tier < 0 || isnan(build->ladder->tiers[p->tier].vpu) ||
		    !build->origins[k].series)
			continue;
		p->confirmed = fabs(build->ladder->tiers[p->tier].vpu - vpu) < 0.5
				       ? VS_CONFIRMED_YES
				       : VS_CONFIRMED_NO;
	}
}

/* The change of the provider's view that belongs to a step: to the step's tier, else nearest. */
static int64_t told_at(const struct vs_build *build, const struct words *words,
		       const struct vs_step *step)
{
	const struct vs_plateau *from = &build->out->plateaus[step->from];
	const struct vs_plateau *to = &build->out->plateaus[step->to];
	double vpu = build->ladder && to->tier >= 0 ? build->ladder->tiers[to->tier].vpu
						    : build->origins[step->to].vpu;
	int64_t best_ns = VS_UNKNOWN;
	bool best_exact = false;

	for (size_t i = 1; i < words->n; i++) {
		int64_t at_ns = words->at[i].at_ns;
		bool up = words->at[i].vpu > words->at[i - 1].vpu;
		bool exact = fabs(words->at[i].vpu - vpu) < 0.5;
		bool nearer = best_ns == VS_UNKNOWN ||
			      llabs(at_ns - step->at_ns) < llabs(best_ns - step->at_ns);

		if (up != (step->direction == VS_UP) || at_ns < from->start_ns - NEAR_NS ||
		    at_ns > to->end_ns + NEAR_NS ||
		    (!exact && llabs(at_ns - step->at_ns) > NEAR_NS))
			continue;
		if ((exact && !best_exact) || (exact == best_exact && nearer)) {
			best_ns = at_ns;
			best_exact = exact;
		}
	}
	return best_ns;
}

int vs_build_confirm(struct vs_build *build, struct vs_error *err)
{
	struct words words;

	if (collect(build->run, &words, err) != 0)
		return -1;
	confirm_plateaus(build, &words);
	for (size_t k = 0; k < build->out->n_steps; k++)
		build->out->steps[k].provider_at_ns = told_at(build, &words, &build->out->steps[k]);
	free(words.at);
	return 0;
}

static int find_tier(const struct vs_ladder *ladder, double vpu)
{
	for (size_t i = 0; ladder && i < ladder->n_tiers; i++)
		if (fabs(ladder->tiers[i].vpu - vpu) < 0.5)
			return (int)i;
	return -1;
}

/*
 * Nothing was read, so nothing was measured: the level is the one that the provider promises at
 * the tier which it says, and samples is 0.
 */
static int add_told(struct vs_build *build, int64_t start_ns, int64_t end_ns, double vpu,
		    struct vs_error *err)
{
	struct vs_plateau *p = vs_build_add_plateau(build, VS_PHASE_IDLE, err);
	int tier = find_tier(build->ladder, vpu);

	if (!p)
		return -1;
	build->origins[build->out->n_plateaus - 1].vpu = vpu;
	p->start_ns = start_ns;
	p->end_ns = end_ns;
	p->vpu_estimate = vpu;
	(void)snprintf(p->tier_reason, sizeof(p->tier_reason),
		       "as the provider says; not measured");
	if (tier < 0)
		return 0;
	p->tier = tier;
	p->tiers = UINT64_C(1) << tier;
	p->iops =
		vs_tier_ceiling_iops(&build->ladder->tiers[tier], build->run->workload.block_bytes);
	return 0;
}

static bool has_probes(const struct vs_build *build)
{
	for (size_t k = 0; k < build->set.n; k++)
		if (build->set.at[k].phase == VS_PHASE_IDLE)
			return true;
	return false;
}

int vs_build_told_plateaus(struct vs_build *build, struct vs_error *err)
{
	struct words words;
	int64_t from_ns = build->set.idle_ns;
	int64_t to_ns = build->run->duration_ns;
	int rc = 0;

	if (!build->set.idle || has_probes(build))
		return 0;
	if (collect(build->run, &words, err) != 0)
		return -1;
	for (size_t i = 0; i < words.n && rc == 0; i++) {
		int64_t begin = words.at[i].at_ns > from_ns ? words.at[i].at_ns : from_ns;
		int64_t end = i + 1 < words.n ? words.at[i + 1].at_ns : to_ns;

		if (end > begin)
			rc = add_told(build, begin, end, words.at[i].vpu, err);
	}
	free(words.at);
	return rc;
}
