#include "feeder.h"

#include <poll.h>
#include <time.h>

#include "base/clock.h"

#define BATCH 512

/* Up the ladder by a tier a quarter of an hour, an hour at the top, and down in an hour: each day.
 */
static double level_of(int64_t second)
{
	static const double tiers[] = { 25000,  50000,  75000,  100000, 122880, 138240,
					153600, 168960, 184320, 199680, 215040, 230400 };
	int64_t quarter = second % 86400 / 900;

	if (quarter < 12)
		return tiers[quarter];
	if (quarter < 16)
		return tiers[11];
	return quarter < 20 ? tiers[3] : tiers[0];
}

struct vs_sample feeder_sample(int64_t second)
{
	/* a small linear congruence: noise of 0.5 % that is the same every time */
	uint32_t noise = (uint32_t)second * 2654435761U >> 16;
	double ios =
		(double)(int64_t)(level_of(second) * (1 + ((double)noise / 65535 - 0.5) / 100));

	return (struct vs_sample){
		.end_ns = second * VS_NS_PER_SEC + noise % 50000,
		.length_ns = VS_NS_PER_SEC + noise % 50000 - 25000,
		.ios = ios,
		.bytes = (int64_t)ios * 4096,
		.lat_p50_ns = 8300000 + noise % 11 * 65536,
		.lat_p99_ns = 9100000 + noise % 13 * 65536,
		.lat_p999_ns = 12100000 + noise % 17 * 65536,
		.lat_max_ns = 31000000 + noise % 19 * 262144,
		.device_reads = (int64_t)ios,
		.device_sectors = (int64_t)ios * 8,
		.oldest_ns = 8300000 + noise % 23 * 1001,
		.inflight = 1024,
		.phase = VS_PHASE_LOAD,
	};
}

/* Never more than some batches ahead: a full queue would lose what these tests count. The fd also
 * rests for a moment while the queue is being read, so it has to rest for longer. */
static void wait_until_taken(struct vs_queue *queue)
{
	struct pollfd fd = { .fd = vs_queue_fd(queue), .events = POLLIN };
	const struct timespec little = { .tv_nsec = 50000 };

	for (int rests = 0; rests < 3; rests = poll(&fd, 1, 0) == 0 ? rests + 1 : 0)
		(void)nanosleep(&little, NULL);
}

void *feeder_main(void *arg)
{
	struct feeder *f = arg;
	struct vs_item item = { .kind = VS_ITEM_PHASE, .phase = VS_PHASE_LOAD };
	struct timespec pause = { .tv_sec = f->pause_ns / VS_NS_PER_SEC,
				  .tv_nsec = f->pause_ns % VS_NS_PER_SEC };

	(void)vs_queue_put(f->queue, &item);
	for (int64_t second = 1; second <= f->n_samples; second++) {
		if (f->before)
			f->before(second, f->ctx);
		item = (struct vs_item){ .kind = VS_ITEM_SAMPLE, .sample = feeder_sample(second) };
		item.at_ns = item.sample.end_ns;
		(void)vs_queue_put(f->queue, &item);
		if (f->pause_ns > 0) {
			(void)nanosleep(&pause, NULL);
			continue;
		}
		if (second % BATCH == 0)
			wait_until_taken(f->queue);
	}
	item = (struct vs_item){ .kind = VS_ITEM_END, .at_ns = f->n_samples * VS_NS_PER_SEC };
	while (!vs_queue_put(f->queue, &item))
		(void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	return NULL;
}
