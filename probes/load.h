/* The load driver: N workers of libaio reads at a fixed depth. Reads only; there is no write path.
 */
#ifndef VS_PROBES_LOAD_H
#define VS_PROBES_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hist.h"
#include "probes/pace.h"

struct vs_load_options {
	bool random;          /* uniform offsets; else sequential streams that cannot merge */
	uint32_t block_bytes; /* a multiple of what the target's O_DIRECT asks */
	uint32_t iodepth;     /* of one job */
	uint32_t numjobs;     /* of one target */
	uint64_t seed;        /* of the offsets; recorded with the run */
	struct vs_pace
		*pace; /* NULL: as fast as it goes. Shared by all workers, outlives the load */
};

struct vs_load_target {
	const char *path;
	uint64_t size_bytes; /* reads stay below it */
};

/* What one target's workers have done since the start. Read while they run; never goes back. */
struct vs_load_counters {
	struct vs_hist latency; /* of the completed reads; its total is their number */
	uint64_t bytes;
	uint64_t errors; /* completions that failed or came short */
	uint32_t inflight;
	int64_t oldest_submit_ns; /* monotonic; 0 when nothing is in flight */
	int first_errno;          /* 0 none */
};

struct vs_load;

/*
 * Opens each target O_RDONLY|O_DIRECT once a job, allocates all slots and buffers, makes the aio
 * contexts and starts the threads, parked. Fails with the remedy in the text (aio-max-nr, O_DIRECT
 * refused, block not a multiple of the sector).
 */
int vs_load_open(const struct vs_load_options *options, const struct vs_load_target *targets,
		 size_t n_targets, struct vs_load **out, struct vs_error *err) VS_MUST_CHECK;
/* true: read at full depth; false: park (what is in flight completes and counts). Any thread. */
void vs_load_set_active(struct vs_load *load, bool active);
/* Snapshot of one target's counters; any thread, never waits. */
void vs_load_read(const struct vs_load *load, size_t target, struct vs_load_counters *out);
/*
 * Parks, waits for what is in flight (at most timeout_ns), joins. -1: some reads never came back;
 * the counters are final all the same, and the threads and their memory are left alone.
 */
int vs_load_stop(struct vs_load *load, int64_t timeout_ns, struct vs_error *err) VS_MUST_CHECK;
void vs_load_free(struct vs_load *load); /* after vs_load_stop(); NULL allowed */

#endif
