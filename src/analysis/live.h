/* The detector while the run goes on: the same recursion, causal, one reading in. */
#ifndef VS_ANALYSIS_LIVE_H
#define VS_ANALYSIS_LIVE_H

#include <stdint.h>

#include "base/error.h"
#include "model/catalogue.h"

enum vs_live_news {
	VS_LIVE_NOTHING,
	VS_LIVE_SUSPECT,   /* the first reading outside the level's band */
	VS_LIVE_CONFIRMED, /* a step, by the rule */
	VS_LIVE_CORRECTED, /* the step just announced went to another level (an overshoot settled)
			    */
};

struct vs_live_step {
	enum vs_live_news news;
	int64_t at_ns;    /* when the step was, since the run's start */
	double from_iops; /* level before it */
	double to_iops;   /* level after it, so far */
};

struct vs_live;

/*
 * ladder may be NULL; its ceilings at block_bytes (VS_UNKNOWN: in IOPS) are copied. Memory stays
 * bounded however long the run is.
 */
int vs_live_open(const struct vs_ladder *ladder, int64_t block_bytes, struct vs_live **out,
		 struct vs_error *err) VS_MUST_CHECK;
void vs_live_free(struct vs_live *live);
/*
 * One reading: [start_ns, end_ns), its level in IOPS (of all targets). Load samples as they come,
 * and one value a probe. O(pieces) work, no allocation. A reading that is not a number is passed
 * over, so is one of nothing (a stall is no level; it is a suspect), and one that lasts twice as
 * long as is usual without a silence before it: the process was stopped, and what was done
 * meanwhile tells nothing of the volume.
 *
 * A step is confirmed when three readings agree on another level and the recursion starts a new one
 * there, or, when they are far off it, after four readings in a row to one side of the old one;
 * with a ladder a single probe is enough, since it stands on a tier or it does not.
 */
int vs_live_put(struct vs_live *live, int64_t start_ns, int64_t end_ns, double iops,
		struct vs_live_step *step_out, struct vs_error *err) VS_MUST_CHECK;
/* The level now, IOPS; NAN before there is one. */
double vs_live_level(const struct vs_live *live);

#endif
