/* What the observed timeline costs, tier by tier. An estimate from list prices. */
#ifndef VS_ANALYSIS_COST_H
#define VS_ANALYSIS_COST_H

#include "base/run.h"
#include "model/catalogue.h"
#include "model/timeline.h"

/*
 * Fills timeline->cost. Each second of the run costs its tier's price a month / (730 x 3600); a run
 * shorter than a minute is billed as one minute, at its last tier. A tier is in force from its
 * plateau's start to the next one's; the first one also before. A plateau without a tier of its own
 * is at the one that vs_told_tier() says, or, when all tiers that fit cost the same, at that price.
 * When any stretch has no price, observed is NAN: a part is not given for the whole.
 *
 * Bottom and top are the cheapest and the dearest priced tier seen. The break-even takes one
 * episode a day: h hours at the top, the rest at the bottom, and what the rise and the fall of this
 * run cost over the bottom (a fall that was not seen counts as the provider's documented hour at
 * the top). Above break_even_h_per_day a volume held at the top all month is no dearer. NAN when
 * only one tier was seen, or when neither a fall was seen nor one is documented.
 */
void vs_cost_compute(const struct vs_run *run, const struct vs_ladder *ladder,
		     struct vs_timeline *timeline);
/* Price a month of the tiers of a plateau at which it may be; NAN when unknown or unpriced. */
double vs_cost_plateau_price(const struct vs_run *run, const struct vs_ladder *ladder,
			     const struct vs_plateau *plateau);

#endif
