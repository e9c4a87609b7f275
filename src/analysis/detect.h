/* The detector itself: a series of readings in, segments at one level out. Inside src/analysis
 * only; what its stages share is in stages.h. */
#ifndef VS_ANALYSIS_DETECT_H
#define VS_ANALYSIS_DETECT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

/* Readings on the working scale. The arrays are the caller's and are not changed. */
struct vs_points {
	const double *x;       /* ln(max(IOPS, 1)), finite; with params->linear any finite unit */
	const int64_t *end_ns; /* when, not falling */
	const float *err;      /* x is known to +- this; NULL: exactly */
	size_t n;              /* at most VS_POINTS_MAX */
};

static inline double vs_points_s(const struct vs_points *points, size_t i)
{
	return (double)points->end_ns[i] / 1e9;
}

#define VS_POINTS_MAX ((size_t)INT32_MAX - 64)
#define VS_COARSE     0.01 /* a reading known to no better than 1 % */
#define VS_LN_STALL   1e-9 /* ln(IOPS) at or below: nothing was done */
#define VS_LEVELS_MAX 64
#define VS_PROFILE_95 7.352 /* -2 ln(1 - sqrt(0.95)): cost rise that holds 95 % of change times */
#define VS_MAD_TO_SD  1.4826

struct vs_detect_params {
	double cap;     /* a reading further than this many sigma counts as if it were there: 3 */
	double pen_log; /* a change costs (pen_log ln n + pen_add) x autocorrelation: 2, 5 */
	double pen_add;
	double floor; /* smallest sigma, on x's scale: 0.003; linear: of the global sigma */
	double most;  /* largest sigma, 0: no limit; where neighbours may all be at other levels */
	double merge_rel;   /* levels nearer than this are one: 0.01; not in linear mode */
	double merge_sd;    /* or nearer than this many sigma: 0.5 */
	double merge_z;     /* or than this many standard errors of their difference: 3 */
	size_t min_samples; /* fewer readings are a transient: 5 */
	size_t window;      /* readings that tell the local sigma: 30 */
	bool linear;        /* x is not a logarithm, and trends are the rule */
	bool stalls;        /* readings of nothing are no level of their own */
	double drift_step;  /* cost that a step saves on a drift by chance: 5 */
	double drift_line;  /* what a line must save over those: 12 */
	double far_cost;    /* the most that a reading costs: cap squared, 9 */
	double step_cost;   /* ladder: a change to the next level, 12; to any other, 24 */
	double jump_cost;
	double rise_cost;   /* what a change upwards costs beside: 0 */
	bool falls_on_time; /* a fall may be a tier each so many seconds, cheaper than its steps */
};

void vs_detect_defaults(struct vs_detect_params *params);
/* For series of any unit, not rates: the detector is measured on others' series so. */
void vs_detect_defaults_linear(struct vs_detect_params *params);

/* Levels that the series may stand on, rising, at least 1 % apart. */
struct vs_levels {
	double x[VS_LEVELS_MAX];
	size_t n; /* 0: not known */
};

struct vs_segment {
	size_t begin,
		end;   /* clean span [begin, end): its first and last reading lie at the level */
	size_t change; /* best first reading after the segment before */
	size_t change_low; /* 95 % of where that may be */
	size_t change_high;
	double level; /* mean of the readings at the level */
	double median;
	double sd;      /* robust, not under the floor: the tolerance is cap x sd */
	double spread;  /* robust, as it is */
	double err;     /* systematic: median of the readings' err */
	size_t inliers; /* readings at the level */
	int state;      /* index into the levels, -1 by the free fit */
	uint64_t also;  /* bit i: level i would have been hardly dearer for this segment */
	bool drift;
	bool joined; /* it, or the one before, drifts, and it goes on where that ended */
};

struct vs_detection {
	struct vs_segment *segments;
	size_t n;
	double infl; /* (1 + rho) / (1 - rho): how much less a reading tells than an independent one
		      */
	double beta; /* what a change cost */
	double free_cost, ladder_cost; /* total costs; ladder_cost NAN without levels */
	bool by_ladder;
	bool on_time; /* and a fall's cadence placed its steps */
};

/*
 * levels may be NULL. explain is NULL or takes text. out is the caller's to release. Without
 * readings there are no segments. Fails only for want of memory.
 */
int vs_detect(const struct vs_points *points, const struct vs_detect_params *params,
	      const struct vs_levels *levels, struct vs_buf *explain, struct vs_detection *out,
	      struct vs_error *err) VS_MUST_CHECK;
void vs_detection_release(struct vs_detection *detection);

/* Adds to what a doubter may read; nothing happens when explain is NULL. In explain.c. */
void vs_explain_text(struct vs_buf *explain, const char *fmt, ...) VS_PRINTF(2, 3);

#endif
