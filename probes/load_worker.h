/* One job of the load driver: the hot loop and what it needs. Inside probes/ only. */
#ifndef VS_PROBES_LOAD_WORKER_H
#define VS_PROBES_LOAD_WORKER_H

#include <libaio.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "probes/load.h"

/* What the workers of a load share: the switches, and where they wait while parked. */
struct vs_load_control {
	_Atomic bool active;
	_Atomic bool stop;
	pthread_mutex_t mutex;
	pthread_cond_t changed; /* active or stop were set, or a worker ended; CLOCK_MONOTONIC */
	uint32_t running;       /* workers that have not ended; under mutex */
};

struct vs_load_slot {
	alignas(64) struct iocb iocb; /* its data is the slot */
	uint64_t next_bytes;          /* sequential: the part [first, end) and the next read */
	uint64_t first_bytes;
	uint64_t end_bytes;
};

struct vs_load_failure_count {
	_Atomic int errnum;
	_Atomic uint64_t count;
};

struct vs_load_worker {
	/* set up once */
	struct vs_load_control *control;
	char *path;
	struct vs_pace *pace;
	bool queueing;
	bool random;
	uint32_t block_bytes;
	uint32_t depth;
	uint32_t job; /* index in its target */
	uint32_t numjobs;
	uint64_t asked_bytes; /* the target's size as the caller gave it */
	struct stat identity; /* of the open target */
	void *buffers;
	size_t buffers_bytes;
	pthread_t thread;

	/* the worker's own */
	io_context_t ctx;
	int fd;
	bool asking; /* the reads in ready[] are meant to start */
	uint64_t rng;
	uint64_t blocks; /* of the target */
	uint32_t inflight;
	uint32_t credit;     /* granted by the pace, not submitted yet */
	uint32_t head, tail; /* of ready[], free running */
	uint32_t ready_mask;
	uint32_t n_resting;
	bool failing;   /* no read has succeeded since one failed */
	uint32_t rests; /* since a read last succeeded */
	int64_t rest_until_ns;
	struct vs_load_slot *slots;
	struct io_event *events;
	struct iocb **ready;   /* ring: reads that wait to be submitted */
	struct iocb **resting; /* reads that failed and wait */

	/* written by the worker, read by vs_load_read() */
	alignas(64) int64_t *submitted_ns; /* a slot: since when it is in flight, 0 not */
	_Atomic int first_errno;
	_Atomic int64_t failing_since_ns;
	_Atomic uint64_t size_bytes;
	_Atomic uint64_t reopened;
	struct vs_load_failure_count failures[VS_LOAD_ERRNOS];
	struct vs_hist latency;
};

/* Splits the target anew and gives each slot its next offset; reads in flight keep theirs. */
void vs_load_worker_lay_out(struct vs_load_worker *worker, uint64_t size_bytes);
/* The thread: pthread_create()'s start routine, argument a struct vs_load_worker. */
void *vs_load_worker_run(void *arg);

/* load_trouble.c: outside the hot path. */

/* O_RDONLY|O_DIRECT, and without touching the access time where that is allowed. -1: errno. */
int vs_load_worker_open(const char *path, int more_flags);
void vs_load_worker_count_failure(struct vs_load_worker *worker, int errnum);
/* Looks at the size again, and opens the target again when nothing else helped. */
void vs_load_worker_recover(struct vs_load_worker *worker);

#endif
