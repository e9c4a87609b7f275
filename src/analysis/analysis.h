/* Series in, timeline out: detect, label, cost, verify. Pure: no I/O, no clock, no threads. */
#ifndef VS_ANALYSIS_ANALYSIS_H
#define VS_ANALYSIS_ANALYSIS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/run.h"
#include "model/catalogue.h"
#include "model/timeline.h"

struct vs_analysis_options {
	bool no_ladder;          /* the free fit even when the ladder is known */
	int min_plateau_samples; /* 0: the default, 5 */
	struct vs_buf *explain;  /* NULL, or takes each stage's segments and costs as text */
};

/*
 * Reads run (whole; samples in time order) and fills out, which must be initialised and which the
 * caller releases. ladder may be NULL; run and ladder are borrowed by out. A run without samples
 * gives a timeline without plateaus. Fails only for want of memory.
 */
int vs_analyse(const struct vs_run *run, const struct vs_ladder *ladder,
	       const struct vs_analysis_options *options, struct vs_timeline *out,
	       struct vs_error *err) VS_MUST_CHECK;

#endif
