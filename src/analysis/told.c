#include "analysis/told.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int tier_of(const struct vs_ladder *ladder, const struct vs_observation *obs)
{
	char name[24];

	if (obs->text)
		return vs_ladder_find(ladder, obs->text);
	if (!isfinite(obs->value))
		return -1;
	(void)snprintf(name, sizeof(name), "%g", obs->value);
	return vs_ladder_find(ladder, name);
}

/* The last one until at_ns that carries a value; NULL. */
static const struct vs_observation *last_of(const struct vs_run *run, const char *source,
					    const char *name, int64_t at_ns)
{
	const struct vs_observation *found = NULL;

	for (size_t i = 0; i < run->n_observations; i++) {
		const struct vs_observation *obs = &run->observations[i];

		if (obs->at_ns > at_ns)
			break;
		if (strcmp(obs->source, source) == 0 && strcmp(obs->name, name) == 0 &&
		    (obs->text || isfinite(obs->value)))
			found = obs;
	}
	return found;
}

int vs_told_tier(const struct vs_run *run, const struct vs_ladder *ladder, int64_t at_ns)
{
	const struct vs_observation *obs = last_of(run, "user", "tier", INT64_MAX);

	if (!obs)
		obs = last_of(run, "oci-volume", "autoTunedVpusPerGB", at_ns);
	if (!obs)
		obs = last_of(run, "oci-volume", "vpusPerGB", at_ns);
	return obs ? tier_of(ladder, obs) : -1;
}

uint64_t vs_told_range(const struct vs_run *run, const struct vs_ladder *ladder)
{
	double low = (double)INFINITY, high = (double)NAN;
	uint64_t set = 0;

	for (size_t i = 0; i < run->n_observations; i++) {
		const struct vs_observation *obs = &run->observations[i];

		if (strcmp(obs->source, "oci-volume") != 0)
			continue;
		if (strcmp(obs->name, "vpusPerGB") == 0)
			low = fmin(low, obs->value);
		if (strcmp(obs->name, "maxVpusPerGB") == 0)
			high = fmax(high, obs->value);
	}
	for (size_t i = 0; i < ladder->n_tiers; i++)
		if (!isfinite(low) || !isfinite(high) || isnan(ladder->tiers[i].vpu) ||
		    (ladder->tiers[i].vpu > low - 0.5 && ladder->tiers[i].vpu < high + 0.5))
			set |= UINT64_C(1) << i;
	return set;
}
