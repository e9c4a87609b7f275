/* What was said live, against what the whole recording shows. */
#ifndef VS_ANALYSIS_SAID_H
#define VS_ANALYSIS_SAID_H

#include "base/sink.h"
#include "model/timeline.h"

/* Kinds of the events that the live detector's steps are recorded as, and of what is made here. */
#define VS_SAID_STEP       "live-step"
#define VS_SAID_CORRECTION "live-correction"
#define VS_SAID_DIFFERENCE "live-difference"

/*
 * At the end of a run: the steps that were told live against those of the whole recording's
 * timeline. Live ones are the events "live-step" (or "step") and "live-correction" of the
 * timeline's run; their time is the event's, their direction and levels stand in its text ("step up
 * at 27.0 s: 25,000 -> 50,000 IOPS"). Two are the same step when the live one lies within five
 * intervals of the other's bounds. Emits into sink one event "live-difference", at the step's time
 * and saying both, for each step that only one of the two has, or that they tell in different
 * directions, or to levels that differ by more than 5 % and twice the plateau's spread. One that
 * the run has already is not emitted again. *n_out: how many were emitted. Fails when the sink
 * does, or for want of memory.
 */
int vs_said_compare(const struct vs_timeline *timeline, const struct vs_sink *sink, size_t *n_out,
		    struct vs_error *err) VS_MUST_CHECK;

#endif
