#include "probes/schedule.h"

int64_t vs_schedule_total_ns(const struct vs_schedule *schedule)
{
	return schedule->ramp_ns + schedule->load_ns + schedule->decay_ns;
}

enum vs_phase vs_schedule_phase(const struct vs_schedule *schedule, int64_t t_ns)
{
	int64_t idle_ns = t_ns - schedule->ramp_ns - schedule->load_ns;
	int64_t every_ns = schedule->probe_every_ns;
	int64_t start_ns;

	if (t_ns < schedule->ramp_ns)
		return VS_PHASE_RAMP;
	if (idle_ns < 0)
		return VS_PHASE_LOAD;
	if (every_ns <= 0 || idle_ns < every_ns)
		return VS_PHASE_IDLE;
	start_ns = idle_ns - idle_ns % every_ns;
	if (idle_ns - start_ns < schedule->probe_length_ns &&
	    start_ns + schedule->probe_length_ns <= schedule->decay_ns)
		return VS_PHASE_PROBE;
	return VS_PHASE_IDLE;
}

bool vs_schedule_is_active(enum vs_phase phase)
{
	return phase != VS_PHASE_IDLE;
}
