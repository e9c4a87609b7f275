/* The sampler: one sample a target in every interval, on time, whatever the disk or database does.
 */
#ifndef VS_PROBES_SAMPLER_H
#define VS_PROBES_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/run.h"
#include "probes/load.h"
#include "probes/queue.h"
#include "probes/schedule.h"

#define VS_SAMPLER_MAX_TARGETS 64

struct vs_sampler_options {
	int64_t interval_ns;
	struct vs_schedule schedule;
	int64_t origin_ns; /* the run's time at the start: 0, or where a resumed run goes on */
	const struct vs_target *targets; /* borrowed; their `device` names the witness */
	size_t n_targets;
	struct vs_load *load;   /* NULL (watch): the kernel's counts are the samples */
	uint32_t n_workers;     /* threads of the load, for the CPU check; 0 with watch */
	struct vs_queue *queue; /* where samples, phases and events go; an END item comes last */
};

/* What was driven, for the host record; filled when the END item has been put. */
struct vs_sampler_totals {
	int64_t lateness_p99_ns; /* of the wake-ups; max is in lateness_max_ns */
	int64_t lateness_max_ns;
	double cpu_saturated_pct; /* of the load's intervals: our threads used >= 95 % of their
				     cores */
};

struct vs_sampler;

/*
 * Starts the thread: it makes the load active where the schedule says so, at interval boundaries,
 * and ends by itself. A late wake-up lengthens one sample and shortens the next; intervals missed
 * whole become one long sample. The last sample waits (at most one interval) for what is in flight,
 * so that the samples add up to the driver's total.
 */
int vs_sampler_open(const struct vs_sampler_options *options, struct vs_sampler **out,
		    struct vs_error *err) VS_MUST_CHECK;
/* Ends the run at the next moment: a last sample of its true length, then the END item. Any thread.
 */
void vs_sampler_stop(struct vs_sampler *sampler);
/* Joins the thread, and frees; totals may be NULL. */
void vs_sampler_free(struct vs_sampler *sampler, struct vs_sampler_totals *totals_out);
/* Monotonic time of the run's time 0. */
int64_t vs_sampler_start_ns(const struct vs_sampler *sampler);

#endif
