#include "invariants.h"

#include <math.h>

static const char *plateaus(const struct vs_timeline *t)
{
	for (size_t k = 0; k < t->n_plateaus; k++) {
		const struct vs_plateau *p = &t->plateaus[k];

		if (p->start_ns >= p->end_ns)
			return "a plateau lasts";
		if (k && p->start_ns < t->plateaus[k - 1].end_ns)
			return "plateaus are in order and apart";
		if (p->end_ns > t->run->duration_ns)
			return "a plateau ends within the run";
		if (p->samples == 0)
			continue; /* told, not measured */
		if (!isfinite(p->iops) || p->iops <= 0)
			return "a measured plateau has a level";
		if (!(p->iops_ci95[0] <= p->iops && p->iops <= p->iops_ci95[1]))
			return "the interval holds the level";
		if (!(p->spread_pct >= 0) || !isfinite(p->iops_mean))
			return "spread and mean are numbers";
		if ((p->tier >= 0) != (p->tiers != 0 && (p->tiers & (p->tiers - 1)) == 0))
			return "a tier is named when one fits, and only then";
		if (p->tier < 0 && t->ladder && !p->tier_reason[0])
			return "no tier has a reason";
	}
	return NULL;
}

static const char *steps(const struct vs_timeline *t)
{
	for (size_t k = 0; k < t->n_steps; k++) {
		const struct vs_step *s = &t->steps[k];

		if (s->to != s->from + 1 || s->to >= t->n_plateaus)
			return "a step is between neighbours";
		if (!(s->at_low_ns <= s->at_ns && s->at_ns <= s->at_high_ns))
			return "a step lies within its bounds";
		if (k && s->at_ns < t->steps[k - 1].at_ns)
			return "steps are in order";
		if (s->dwell_ns < 0 || !(s->overshoot_pct >= 0))
			return "dwell and overshoot are not negative";
		if ((t->plateaus[s->to].iops > t->plateaus[s->from].iops) !=
		    (s->direction == VS_UP))
			return "the direction is that of the levels";
	}
	return NULL;
}

const char *invariants_broken(const struct vs_timeline *t)
{
	const char *broken = plateaus(t);

	if (!broken)
		broken = steps(t);
	for (size_t k = 0; !broken && k < t->n_dips; k++)
		if (t->dips[k].duration_ns <= 0 || !(t->dips[k].iops_min >= 0))
			broken = "a dip lasts and has a depth";
	if (!broken && t->pending.present && t->n_plateaus &&
	    t->pending.start_ns < t->plateaus[t->n_plateaus - 1].end_ns)
		broken = "what is pending is in no plateau";
	return broken;
}
