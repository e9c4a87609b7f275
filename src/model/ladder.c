#include <math.h>
#include <string.h>

#include "model/catalogue.h"

/* A level that lies on the edge of the tolerance is inside whatever the rounding. */
#define EDGE 1e-9

double vs_tier_ceiling_iops(const struct vs_tier *tier, int64_t block_bytes)
{
	if (block_bytes < 1)
		return tier->iops;
	/* fmin() takes the other one when a promise is missing */
	return fmin(tier->iops, tier->mbps * 1e6 / (double)block_bytes);
}

static bool fits(const struct vs_ladder *ladder, double ceiling, double iops)
{
	double low = ceiling * (1 - ladder->tolerance_low_pct / 100);
	double high = ceiling * (1 + ladder->tolerance_high_pct / 100);

	return iops >= low * (1 - EDGE) && iops <= high * (1 + EDGE);
}

uint64_t vs_ladder_fit(const struct vs_ladder *ladder, double iops, int64_t block_bytes)
{
	uint64_t set = 0;

	if (!(iops > 0))
		return 0;
	for (size_t i = 0; i < ladder->n_tiers; i++)
		if (fits(ladder, vs_tier_ceiling_iops(&ladder->tiers[i], block_bytes), iops))
			set |= UINT64_C(1) << i;
	return set;
}

/*
 * The ceiling is the least of four lines that all rise with v, so the v of a level is the greatest
 * of the four lines' own.
 */
double vs_ladder_vpu(const struct vs_ladder *ladder, double iops, int64_t block_bytes)
{
	double level, vpu;
	int zero, ten;

	zero = vs_ladder_find(ladder, "0");
	ten = vs_ladder_find(ladder, "10");
	if (strcmp(ladder->provider, "oci") != 0 || zero < 0 || ten < 0 || !(iops > 0))
		return (double)NAN;
	if (fits(ladder, vs_tier_ceiling_iops(&ladder->tiers[zero], block_bytes), iops) &&
	    !fits(ladder, vs_tier_ceiling_iops(&ladder->tiers[ten], block_bytes), iops))
		return 0;
	if (iops < vs_tier_ceiling_iops(&ladder->tiers[ten], block_bytes) *
			   (1 - ladder->tolerance_low_pct / 100))
		return (double)NAN;
	level = iops / (double)ladder->volumes;
	vpu = fmax((level / ladder->size_gb - 45) / 1.5, level / 2500);
	if (block_bytes > 0) {
		double mbps = level * (double)block_bytes / 1e6;
		vpu = fmax(vpu, (mbps * 1000 / ladder->size_gb - 360) / 12);
		vpu = fmax(vpu, (mbps - 280) / 20);
	}
	return vpu;
}

int vs_ladder_find(const struct vs_ladder *ladder, const char *name)
{
	for (size_t i = 0; i < ladder->n_tiers; i++)
		if (strcmp(ladder->tiers[i].name, name) == 0)
			return (int)i;
	return -1;
}
