/* Runs side by side, and what to make of it. Data that src/analysis makes and reports render. */
#ifndef VS_MODEL_COMPARISON_H
#define VS_MODEL_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>

#include "model/timeline.h"

/* One run. Tiers are indices into timeline->ladder, -1 none. */
struct vs_comparison_row {
	const struct vs_timeline *timeline; /* borrowed */
	char name[64];        /* the run's label, else "run 3"; unique in the comparison */
	int plateau;          /* index of the plateau that is its ceiling; -1 without any */
	double ceiling_iops;  /* the highest level it held; NAN without a plateau */
	double ceiling_mbps;  /* NAN when the block size is not known */
	int tier;             /* read from the level, or told */
	bool tier_told;       /* by the user, because the level does not show it */
	double promised_iops; /* by the tier at the run's block size; NAN */
	struct vs_latency latency;
	enum vs_bound bound_by;
	double price_month;     /* of the tier; NAN unpriced */
	double price_per_kiops; /* a month, per 1000 IOPS of the ceiling; NAN unpriced */
	int sufficient;      /* cheapest tier that allows the ceiling: tier itself or a lower one */
	double saving_month; /* of sufficient against tier; 0 when they are the same; NAN */
	int cheaper;         /* the next tier below `tier` */
	double cheaper_iops; /* what that would have given here; NAN */
	double cheaper_saving; /* a month; NAN */
};

struct vs_comparison {
	struct vs_comparison_row *rows;
	size_t n_rows;
	char currency[8];    /* that of all rows; "" when unpriced or mixed */
	bool mixed_currency; /* then prices are not compared */
	bool same_ceiling;   /* all ceilings are within 3 % of their median */
	int cheapest;        /* row with the lowest price per 1000 IOPS; -1 */
	char decision[4096]; /* what to do, in sentences */
};

#endif
