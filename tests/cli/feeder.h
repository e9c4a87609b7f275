/* A volume's seconds into a queue, as fast as the recorder takes them: the clock is the sample's.
 */
#ifndef TESTS_CLI_FEEDER_H
#define TESTS_CLI_FEEDER_H

#include <stdint.h>

#include "probes/queue.h"

struct feeder {
	struct vs_queue *queue;
	int64_t n_samples;
	int64_t pause_ns; /* between two samples; 0: only as long as the queue is not empty */
	/* called before each sample, from the feeding thread; NULL none */
	void (*before)(int64_t second, void *ctx);
	void *ctx;
};

/* The thread's main: samples 1..n of one second each of an auto-tuned volume, then the END item. */
void *feeder_main(void *feeder);
/* What the feeder puts as sample `second`. */
struct vs_sample feeder_sample(int64_t second);

#endif
