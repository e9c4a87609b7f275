#include "analysis/cost.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "analysis/told.h"

#define MONTH_SEC    (VS_MONTH_HOURS * 3600)
#define LEAST_SEC    60.0
#define SAME_PRICE   1e-6
#define HOURS_OF_DAY 24.0

static double price_of_set(const struct vs_ladder *ladder, uint64_t set)
{
	double price = (double)NAN;

	for (size_t i = 0; i < ladder->n_tiers; i++) {
		double own = ladder->tiers[i].price_month;

		if (!(set >> i & 1))
			continue;
		if (isnan(own) || fabs(own - price) > SAME_PRICE)
			return (double)NAN;
		price = own;
	}
	return price;
}

static int plateau_tier(const struct vs_run *run, const struct vs_ladder *ladder,
			const struct vs_plateau *plateau)
{
	return plateau->tier >= 0 ? plateau->tier : vs_told_tier(run, ladder, plateau->end_ns);
}

double vs_cost_plateau_price(const struct vs_run *run, const struct vs_ladder *ladder,
			     const struct vs_plateau *plateau)
{
	int tier = plateau_tier(run, ladder, plateau);

	if (tier >= 0)
		return ladder->tiers[tier].price_month;
	return price_of_set(ladder, plateau->tiers);
}

/* When plateau i's tier was in force, s: up to where the next one's begins. */
static double stretch_s(const struct vs_run *run, const struct vs_timeline *timeline, size_t i)
{
	int64_t from = i == 0 ? 0 : timeline->plateaus[i].start_ns;
	int64_t to = i + 1 < timeline->n_plateaus ? timeline->plateaus[i + 1].start_ns
						  : run->duration_ns;

	if (to < timeline->plateaus[i].end_ns && i + 1 == timeline->n_plateaus)
		to = timeline->plateaus[i].end_ns;
	return (double)(to - from) / (double)INT64_C(1000000000);
}

/* Hours at the top that the rise and the fall are worth, besides what was asked of the top. */
static double overhead_h(const struct vs_run *run, const struct vs_ladder *ladder,
			 const struct vs_timeline *timeline, double top, double bottom)
{
	double rise = 0, fall = 0;
	bool fell = false;

	for (size_t i = 0; i < timeline->n_plateaus; i++) {
		const struct vs_plateau *plateau = &timeline->plateaus[i];
		bool idle = plateau->phase != VS_PHASE_LOAD;
		double price = vs_cost_plateau_price(run, ladder, plateau);
		double over = stretch_s(run, timeline, i) * (price - bottom);

		fell = idle && price <= bottom + SAME_PRICE;
		if (isnan(over))
			continue;
		if (idle)
			fall += over;
		else if (price < top - SAME_PRICE)
			rise += over;
	}
	if (!fell) {
		double documented = ladder->fall_first_s * (top - bottom);
		fall = isnan(documented) ? documented : fmax(fall, documented);
	}
	return (rise + fall) / (3600 * (top - bottom));
}

void vs_cost_compute(const struct vs_run *run, const struct vs_ladder *ladder,
		     struct vs_timeline *timeline)
{
	struct vs_cost *cost = &timeline->cost;
	double seconds = 0, sum = 0, last = (double)NAN;
	double top = (double)NAN, bottom = (double)NAN;

	*cost = (struct vs_cost){ .observed = (double)NAN,
				  .month_at_top = (double)NAN,
				  .month_at_bottom = (double)NAN,
				  .break_even_h_per_day = (double)NAN };
	if (!ladder || timeline->n_plateaus == 0)
		return;
	for (size_t i = 0; i < timeline->n_plateaus; i++) {
		double length = stretch_s(run, timeline, i);
		int tier = plateau_tier(run, ladder, &timeline->plateaus[i]);

		/* the last one is billed up to the minute */
		if (i + 1 == timeline->n_plateaus && seconds + length < LEAST_SEC)
			length = LEAST_SEC - seconds;
		if (tier >= 0)
			cost->tier_s[tier] += length;
		last = vs_cost_plateau_price(run, ladder, &timeline->plateaus[i]);
		seconds += length;
		sum += length * last; /* NAN stays */
		top = fmax(top, last);
		bottom = fmin(bottom, last);
	}
	if (isnan(top))
		return;
	(void)snprintf(cost->currency, sizeof(cost->currency), "%s", ladder->currency);
	cost->observed = sum / MONTH_SEC;
	cost->month_at_top = top;
	cost->month_at_bottom = bottom;
	if (top - bottom > SAME_PRICE)
		cost->break_even_h_per_day =
			HOURS_OF_DAY - overhead_h(run, ladder, timeline, top, bottom);
	if (cost->break_even_h_per_day < 0) /* one episode costs more than a day at the top */
		cost->break_even_h_per_day = 0;
}
