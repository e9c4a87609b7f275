/* The load driver: N workers of libaio reads at a fixed depth. Reads only; there is no write path.
 *
 * Each worker has its own open file, aio context, slots and buffers. Its loop takes what has
 * completed, reads the clock once, counts the batch and submits it again in one call. So the time
 * of a completion is the time its batch was taken, and the same reading is the time of submission
 * of the reads that follow: a latency is too long by at most one turn of the loop.
 *
 * Random offsets are independent and uniform over the target's whole blocks (no map: nothing is
 * read "once each"). For sequential reads the target is split evenly among the jobs and a job's
 * share among its slots; each slot reads its own part in order and starts again at its end. So two
 * reads in flight are never neighbours and the block layer has nothing to merge (it would turn many
 * reads into one, and a capped volume would look faster than it is). Only a target of fewer than
 * two blocks a slot cannot be split so.
 */
#ifndef VS_PROBES_LOAD_H
#define VS_PROBES_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hist.h"
#include "probes/pace.h"

#define VS_LOAD_DEPTH_MAX 65536U
#define VS_LOAD_JOBS_MAX  1024U
#define VS_LOAD_ERRNOS    8

/* In the place of an errno: the read came back with fewer bytes than asked (the target shrank). */
#define VS_LOAD_SHORT (-1)

struct vs_load_options {
	bool random;          /* uniform offsets; else sequential streams that cannot merge */
	uint32_t block_bytes; /* a multiple of what the target's O_DIRECT asks */
	uint32_t iodepth;     /* of one job, 1 .. VS_LOAD_DEPTH_MAX */
	uint32_t numjobs;     /* of one target, 1 .. VS_LOAD_JOBS_MAX */
	uint64_t seed;        /* of the offsets; recorded with the run */
	struct vs_pace
		*pace; /* NULL: as fast as it goes. Shared by all workers, outlives the load */
};

struct vs_load_target {
	const char *path;
	uint64_t size_bytes; /* reads stay below it */
};

/* Failed reads of one kind. */
struct vs_load_failures {
	int errnum; /* VS_LOAD_SHORT; 0 with a count: kinds beyond the table's end */
	uint64_t count;
};

/* What one target's workers have done since the start. Read while they run; never goes back. */
struct vs_load_counters {
	struct vs_hist latency; /* of the completed reads; its total is their number */
	uint64_t bytes;         /* total x block, exactly */
	uint64_t errors;        /* completions that failed or came short: not in latency */
	struct vs_load_failures failures[VS_LOAD_ERRNOS]; /* the errors by kind, count 0 unused */
	uint32_t inflight;
	int64_t oldest_submit_ns; /* monotonic; 0 when nothing is in flight */
	int first_errno;          /* 0 none, VS_LOAD_SHORT */
	int64_t failing_since_ns; /* monotonic: from then on every read of every worker failed; 0 */
	uint64_t size_bytes;      /* below which it reads now: less than asked after a shrink */
	uint64_t reopened;        /* how often a worker opened the target again after a loss */
};

struct vs_load;

/* The memory of one job's buffers: in whole pages, huge ones where that at most doubles it. */
uint64_t vs_load_buffers_bytes(const struct vs_load_options *options);
/*
 * Opens each target O_RDONLY|O_DIRECT once a job (O_NOATIME too where it may), allocates all slots
 * and buffers, makes the aio contexts and starts the threads, parked. Reads one block of each
 * target to see that direct reads work. Fails with the remedy in the text (aio-max-nr, O_DIRECT
 * refused, block not a multiple of the sector).
 */
int vs_load_open(const struct vs_load_options *options, const struct vs_load_target *targets,
		 size_t n_targets, struct vs_load **out, struct vs_error *err) VS_MUST_CHECK;
/*
 * true: read at full depth; false: park (what is in flight completes and counts). Any thread. When
 * a pace that does not queue is set, its schedule begins anew, so nothing of the pause is caught
 * up.
 *
 * A read that fails rests before it is tried again, 1 ms at first, up to a second as long as every
 * read fails. Then the target is also opened again, if its path still leads to the same device or
 * file, and its size is read again: a smaller target is read below its new end.
 */
void vs_load_set_active(struct vs_load *load, bool active);
/* Snapshot of one target's counters; any thread, never waits. */
void vs_load_read(const struct vs_load *load, size_t target, struct vs_load_counters *out);
uint32_t vs_load_block_bytes(const struct vs_load *load);
/*
 * Parks, waits for what is in flight (at most timeout_ns), joins. -1: some reads never came back;
 * the counters are final all the same, and the threads and their memory are left alone, unless a
 * later call finds that all came back.
 */
int vs_load_stop(struct vs_load *load, int64_t timeout_ns, struct vs_error *err) VS_MUST_CHECK;
void vs_load_free(struct vs_load *load); /* after vs_load_stop(); NULL allowed */

#endif
