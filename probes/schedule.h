/* Which phase a run is in at a time: ramp, load, then idle with short probes. Pure. */
#ifndef VS_PROBES_SCHEDULE_H
#define VS_PROBES_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sample.h"

/* All in ns, none negative. */
struct vs_schedule {
	int64_t ramp_ns;
	int64_t load_ns;
	int64_t decay_ns;        /* idle, after the load */
	int64_t probe_every_ns;  /* from the start of one probe to the next; 0: no probes */
	int64_t probe_length_ns; /* less than probe_every_ns */
};

int64_t vs_schedule_total_ns(const struct vs_schedule *schedule);
/*
 * The phase at t_ns since the run's start. The first probe begins probe_every_ns after the load's
 * end; one that would not be over by the end of the run is left out. At and after the end: IDLE.
 */
enum vs_phase vs_schedule_phase(const struct vs_schedule *schedule, int64_t t_ns);
/* Whether the workload runs in a phase. */
bool vs_schedule_is_active(enum vs_phase phase);

#endif
