/* The analysed run: plateaus, steps, tiers, cost. The only thing that a report renders. */
#ifndef VS_MODEL_TIMELINE_H
#define VS_MODEL_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/run.h"
#include "model/catalogue.h"

enum vs_direction {
	VS_UP,
	VS_DOWN
};
enum vs_bound {
	VS_BOUND_UNKNOWN,
	VS_BOUND_VOLUME,
	VS_BOUND_INSTANCE,
	VS_BOUND_CLIENT
};
enum vs_confirmed {
	VS_CONFIRMED_UNKNOWN,
	VS_CONFIRMED_NO,
	VS_CONFIRMED_YES
};

/* Quantiles over a stretch, from the samples' own: their median weighted by I/Os; max is the max.
 */
struct vs_latency {
	int64_t p50_ns, p99_ns, p999_ns, max_ns; /* VS_UNKNOWN each */
};

/* A maximal stretch of samples at one level: [start_ns, end_ns) since the run's start. */
struct vs_plateau {
	int64_t start_ns, end_ns;
	enum vs_phase phase; /* LOAD or IDLE (made of probe readings) */
	size_t samples;      /* that lie at the level */
	double iops;         /* robust level: median */
	double iops_mean;
	double iops_ci95[2]; /* of the level */
	double spread_pct;   /* robust standard deviation, in percent of the level */
	double mbps;         /* NAN when bytes are not known */
	struct vs_latency latency;
	bool drifting;               /* a line fits better than steps */
	double vpu_estimate;         /* NAN */
	double vpu_error;            /* half width of its 95 % interval; NAN */
	int tier;                    /* index into the ladder; -1 when none or several fit */
	uint64_t tiers;              /* the set that fits, bit i = tier i */
	char tier_reason[96];        /* why there is no single tier, or what the provider says
					instead; "" otherwise */
	double error_pct;            /* signed, against the tier; NAN without one */
	double provider_vpu;         /* what the provider said was in force; NAN nothing */
	enum vs_confirmed confirmed; /* whether that is one of tiers */
	enum vs_bound bound_by;
};

struct vs_step {
	enum vs_direction direction;
	int64_t at_ns;                 /* best estimate */
	int64_t at_low_ns, at_high_ns; /* it lies between these */
	size_t from, to;               /* indices of its plateaus */
	int64_t dwell_ns;              /* how long the lower/earlier plateau had lasted */
	double overshoot_pct;          /* highest transient over the new level; 0 none */
	int64_t provider_at_ns;        /* when the control plane said so; VS_UNKNOWN */
};

/* A transient below the level inside a plateau; a stall where nothing at all was done. */
struct vs_dip {
	int64_t at_ns, duration_ns;
	double iops_min;
	bool stall;
};

/* Trailing samples that may be the start of a new level. */
struct vs_pending {
	bool present;
	int64_t start_ns;
	double iops;
};

struct vs_cost {
	char currency[8];    /* "" when nothing is priced */
	double observed;     /* of the observed stretch, NAN unpriced */
	double month_at_top; /* a month held at the highest tier seen */
	double month_at_bottom;
	double break_even_h_per_day;  /* at the top, above which a fixed top tier is cheaper; NAN */
	double tier_s[VS_LADDER_MAX]; /* seconds billed at each tier of the ladder */
};

/* What the run can tell at its noise. */
struct vs_power {
	double noise_pct;         /* typical noise of one sample */
	int64_t min_plateau_ns;   /* a plateau this long shows the ladder's smallest step in 90 % */
	double smallest_step_pct; /* that step; without a ladder 7 % */
	bool too_short;           /* fewer samples than any verdict needs */
	bool too_noisy;           /* two such plateaus have no room in the load phase */
	bool probes_sparse;       /* no ladder: a level needs three probes */
	double unsteady_pct;      /* spread of readings too far apart for a level; 0 none */
	int64_t unsteady_start_ns, unsteady_end_ns; /* the longest such stretch */
};

struct vs_totals {
	size_t samples; /* intervals, all targets together count once */
	size_t missing; /* intervals between start and end without a sample */
	double ios;
	double bytes; /* NAN when not known */
	double errors;
	double device_ratio; /* device's reads / ours over the load; NAN when not known */
	bool by_device; /* levels are the device's count, because it differed by more than 1 % */
};

struct vs_timeline {
	const struct vs_run *run;       /* borrowed; outlives the timeline */
	const struct vs_ladder *ladder; /* borrowed; NULL when provider or size is not known */
	struct vs_totals totals;
	struct vs_plateau *plateaus;
	size_t n_plateaus;
	struct vs_step *steps;
	size_t n_steps;
	struct vs_dip *dips;
	size_t n_dips;
	struct vs_pending pending;
	struct vs_cost cost;
	struct vs_power power;
};

void vs_timeline_init(struct vs_timeline *timeline);
void vs_timeline_release(struct vs_timeline *timeline);
const char *vs_bound_name(enum vs_bound bound); /* the JSON contract's words */
const char *vs_direction_name(enum vs_direction direction);

#endif
