/* The recorder: the main thread of a run. Drains the queue into the store, detects live, talks. */
#ifndef VS_CLI_RECORDER_H
#define VS_CLI_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/live.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/run.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "model/catalogue.h"
#include "probes/queue.h"
#include "probes/sampler.h"
#include "store/store.h"

#define VS_RECORDER_BUFFER_MIN 64

/* How long a run goes on beside a database in trouble, and waits for it at its end. */
#define VS_RECORDER_PATIENCE_NS (600 * VS_NS_PER_SEC)
#define VS_RECORDER_RETRY_NS    (500 * VS_NS_PER_MS)
/* A wait in SQLite is one without detection or signals. */
#define VS_RECORDER_BUSY_NS (200 * VS_NS_PER_MS)

struct vs_recorder_options {
	struct vs_store *store;
	int64_t run_id;
	struct vs_queue *queue;
	struct vs_sampler
		*sampler; /* told to stop by a signal; NULL: who fills the queue ends it */
	const struct vs_ladder *ladder; /* NULL: levels have no tier */
	int64_t block_bytes;
	size_t n_targets;
	struct vs_progress *progress;
	FILE *events;        /* NDJSON, a line an event; NULL none */
	size_t buffer_items; /* what may wait for a database in trouble; VS_RECORDER_BUFFER_MIN on
			      */
	struct vs_stop *stop;
	int64_t give_up_ns; /* 0: never; else end the run when nothing was read for this long */
};

struct vs_recorder_result {
	enum vs_end end;
	int64_t end_ns;   /* run's time of the last sample */
	uint64_t samples; /* saved */
	uint64_t lost;    /* items that found no place or could not be written in the end */
	uint64_t errors;  /* reads that failed */
	double ios;
};

/*
 * Returns when the sampler has ended and everything is saved. A database in trouble is retried:
 * items wait, sampling and live detection go on, and what does not fit is counted, told and
 * recorded. -1 when the database could not be written any more at the end, or for want of memory;
 * result is filled all the same.
 */
int vs_recorder_run(const struct vs_recorder_options *options, struct vs_recorder_result *result,
		    struct vs_error *err) VS_MUST_CHECK;

#endif
