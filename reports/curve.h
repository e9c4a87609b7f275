/* The samples of a run as one series: all targets of an interval together, for charts. */
#ifndef VS_REPORTS_CURVE_H
#define VS_REPORTS_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/run.h"

struct vs_point {
	int64_t end_ns, length_ns;
	double iops;                             /* sum over the targets */
	int64_t p50_ns, p99_ns, p999_ns, max_ns; /* the slowest target's; VS_UNKNOWN */
	uint32_t errors;
	enum vs_phase phase;
};

struct vs_curve {
	struct vs_point *points;
	size_t n;
};

/* The source and name of the observations that are the control plane's VPU; NULL without any. */
struct vs_control {
	const char *source, *name;
};

void vs_control_find(const struct vs_run *run, struct vs_control *out);
bool vs_control_is(const struct vs_control *control, const struct vs_observation *obs);

/* Samples are missing between point i and the one before it. */
bool vs_curve_gap(const struct vs_curve *curve, size_t i, int64_t interval_ns);
int vs_curve_make(const struct vs_run *run, struct vs_curve *out,
		  struct vs_error *err) VS_MUST_CHECK;
void vs_curve_release(struct vs_curve *series);

#endif
