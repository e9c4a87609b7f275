#include <math.h>
#include <stdio.h>

#include "analysis/build.h"
#include "analysis/told.h"

#define FEW_IN_ALL   5   /* readings under load below which no tier is named */
#define CHANCE       1.5 /* intervals of 95 % that a level may be off what others say of it */
#define FEW_AT_LEVEL 3   /* the same, of one level; a noisy one has others beside it */

static int count(uint64_t set)
{
	return __builtin_popcountll(set);
}

static void names(const struct vs_ladder *ladder, uint64_t set, char *text, size_t size)
{
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < ladder->n_tiers && len + 32 < size; i++)
		if (set >> i & 1)
			len += (size_t)snprintf(text + len, size - len, "%s%s", len ? ", " : "",
						ladder->tiers[i].name);
}

static void set_vpu(struct vs_plateau *p, const struct vs_ladder *ladder, int64_t block)
{
	double low, high;

	p->vpu_estimate = vs_ladder_vpu(ladder, p->iops, block);
	if (isnan(p->vpu_estimate))
		return;
	low = vs_ladder_vpu(ladder, p->iops_ci95[0], block);
	high = vs_ladder_vpu(ladder, p->iops_ci95[1], block);
	if (!isnan(low) && !isnan(high))
		p->vpu_error = fabs(high - low) / 2;
}

static uint64_t tiers_at(const struct vs_build *build, double x)
{
	int64_t block = build->run->workload.block_bytes;
	uint64_t set = 0;

	for (size_t i = 0; i < build->ladder->n_tiers; i++)
		if (fabs(log(vs_tier_ceiling_iops(&build->ladder->tiers[i], block)) - x) <=
		    VS_COARSE)
			set |= UINT64_C(1) << i;
	return set;
}

/*
 * Tiers that a level may be taken for: within twice the tolerance. A reading far from a tier may be
 * an outlier of it, but it does not fit it.
 */
static uint64_t nearby(const struct vs_ladder *ladder, double iops, int64_t block)
{
	uint64_t set = 0;

	for (size_t i = 0; i < ladder->n_tiers; i++) {
		double off_pct = 100 * (iops / vs_tier_ceiling_iops(&ladder->tiers[i], block) - 1);

		if (off_pct >= -2 * ladder->tolerance_low_pct &&
		    off_pct <= 2 * ladder->tolerance_high_pct)
			set |= UINT64_C(1) << i;
	}
	return set;
}

/* Tiers whose ceiling lies in the plateau's interval, widened by a factor. */
static uint64_t inside(const struct vs_ladder *ladder, const struct vs_plateau *p, int64_t block,
		       double factor)
{
	double low = p->iops * pow(p->iops_ci95[0] / p->iops, factor);
	double high = p->iops * pow(p->iops_ci95[1] / p->iops, factor);
	uint64_t set = 0;

	for (size_t i = 0; i < ladder->n_tiers; i++) {
		double iops = vs_tier_ceiling_iops(&ladder->tiers[i], block);

		if (iops >= low && iops <= high)
			set |= UINT64_C(1) << i;
	}
	return set;
}

/*
 * The walk over the ladder won against the free fit: the readings stand on the tiers themselves,
 * not a few percent beside them. Then the tier that it was at fits, and others only when they cost
 * hardly more. 0: no walk, or the level is not at its tier after all.
 */
static uint64_t walked(const struct vs_build *build, size_t k, uint64_t within)
{
	const struct vs_plateau *p = &build->out->plateaus[k];
	const struct vs_origin *origin = &build->origins[k];
	int64_t block = build->run->workload.block_bytes;
	uint64_t fit = vs_ladder_fit(build->ladder, p->iops, block);
	uint64_t near = nearby(build->ladder, p->iops, block) | within;
	uint64_t may =
		fit | within | (origin->on_time ? inside(build->ladder, p, block, CHANCE) : 0);
	uint64_t set = 0;

	for (size_t i = 0; i < origin->n_tiers; i++)
		set |= tiers_at(build, origin->tier_x[i]) &
		       (i == 0 || origin->on_time ? UINT64_MAX : near);
	return origin->n_tiers && (tiers_at(build, origin->tier_x[0]) & may) ? set : 0;
}

/* Why a level that could have a tier has none; NULL when nothing speaks against one. */
static const char *against(const struct vs_build *build, size_t k)
{
	const struct vs_plateau *p = &build->out->plateaus[k];
	const struct vs_series *s = build->origins[k].series;

	if (s && s->biased * 2 > s->n)
		return "the tool that recorded this is known to have miscounted";
	if (p->drifting)
		return "the level drifts";
	if (s && s->phase == VS_PHASE_LOAD && build->options->min_plateau_samples == 0 &&
	    (s->n < FEW_IN_ALL || p->samples < FEW_AT_LEVEL))
		return "too few readings to tell";
	return NULL;
}

/*
 * What the walk over the ladder says; of the free fit all tiers within whose tolerance the level
 * may lie: it, or any place in its interval. One is a label, several are a set.
 * Where the provider says between which tiers it moves, those of them.
 */
static void label(struct vs_build *build, size_t k, uint64_t range)
{
	struct vs_plateau *p = &build->out->plateaus[k];
	const struct vs_ladder *ladder = build->ladder;
	int64_t block = build->run->workload.block_bytes;
	const char *why = against(build, k);
	uint64_t within;
	char text[64];
	double ceiling;

	if (why) {
		(void)snprintf(p->tier_reason, sizeof(p->tier_reason), "%s", why);
		return;
	}
	set_vpu(p, ladder, block);
	within = inside(ladder, p, block, 1);
	p->tiers = walked(build, k, within);
	if (p->tiers == 0)
		p->tiers = vs_ladder_fit(ladder, p->iops, block) |
			   vs_ladder_fit(ladder, p->iops_ci95[0], block) |
			   vs_ladder_fit(ladder, p->iops_ci95[1], block) | within;
	if (p->tiers & range)
		p->tiers &= range;
	if (count(p->tiers) == 0) {
		(void)snprintf(p->tier_reason, sizeof(p->tier_reason), VS_REASON_NO_TIER);
	} else if (count(p->tiers) > 1) {
		names(ladder, p->tiers, text, sizeof(text));
		(void)snprintf(p->tier_reason, sizeof(p->tier_reason), "tiers %s all fit", text);
	} else {
		p->tier = __builtin_ctzll(p->tiers);
		ceiling = vs_tier_ceiling_iops(&ladder->tiers[p->tier], block);
		p->error_pct = 100 * (p->iops / ceiling - 1);
	}
}

void vs_build_labels(struct vs_build *build)
{
	uint64_t range = build->ladder ? vs_told_range(build->run, build->ladder) : 0;

	for (size_t k = 0; build->ladder && k < build->out->n_plateaus; k++)
		if (build->origins[k].series)
			label(build, k, range);
}
