/* A run's samples as series of readings: one for each stretch of load, one for each of probes. */
#ifndef VS_ANALYSIS_SERIES_H
#define VS_ANALYSIS_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/run.h"
#include "model/timeline.h"

/* All targets together, one reading an interval; in an idle stretch one a probe. */
struct vs_series {
	enum vs_phase phase; /* VS_PHASE_LOAD, or VS_PHASE_IDLE: of probes */
	size_t n;
	double *iops;
	int64_t *start_ns, *end_ns;
	float *err;    /* relative: iops x (1 +- err); NULL: all are exact */
	size_t biased; /* readings with VS_SAMPLE_BIASED */
	double noise;  /* relative, of one reading inside its probe; NAN not known */
};

static inline double vs_series_err(const struct vs_series *series, size_t i)
{
	return series->err ? (double)series->err[i] : 0;
}

struct vs_series_set {
	struct vs_series *at; /* in time order */
	size_t n;
	bool idle;       /* there was an idle stretch */
	int64_t idle_ns; /* where the first one began */
};

/*
 * A late sample of two intervals or more: the process was stopped or the machine slept, so what was
 * done in that time was not the volume's doing. And one in which a tenth of the reads or more
 * failed beside others that did not: the rest is no ceiling. Either counts in the totals and tells
 * nothing else.
 */
static inline bool vs_sample_tells_nothing(const struct vs_run *run, const struct vs_sample *sample)
{
	if (sample->ios > 0 && sample->errors * 9.0 >= sample->ios)
		return true;
	return (sample->flags & VS_SAMPLE_LATE) && run->interval_ns > 0 &&
	       sample->length_ns >= 2 * run->interval_ns;
}

/*
 * Sums over the targets per interval, each rate over its true length; RAMP and IDLE samples are in
 * no series, nor is a sample that tells nothing. An interval that lacks a target, or the device's
 * count when that judges, is missing: nothing is interpolated. A sample of no target of the run is
 * passed over. Fills totals. A probe gives what its last two readings behind the opening burst
 * agree on, else the lower one; the median of those behind it when the noise is above 3 %.
 */
int vs_series_build(const struct vs_run *run, struct vs_series_set *out, struct vs_totals *totals,
		    struct vs_error *err) VS_MUST_CHECK;
void vs_series_set_release(struct vs_series_set *set);

/* series.c for probes.c: what a set is built with. */
int vs_series_append(struct vs_series *series, double iops, int64_t start_ns, int64_t end_ns,
		     double err_iops, struct vs_error *err) VS_MUST_CHECK;

/* probes.c: the readings of all probes of one idle stretch, first[k] .. first[k + 1) are one's. */
struct vs_probes {
	struct vs_series readings;
	size_t *first;
	size_t n;
};

/* load_noise: relative noise of a load reading, NAN not known. */
int vs_probes_reduce(const struct vs_probes *probes, int64_t interval_ns, double load_noise,
		     struct vs_series *out, struct vs_error *err) VS_MUST_CHECK;
void vs_series_release(struct vs_series *series);

#endif
