/* What goes wrong with a target while it is read, in as few events as tell it all. Pure: no clock,
 * no file; the sampler hands in what it has just sampled.
 *
 * Kinds: io-error (the first failed read), io-error-over (none for a while; how many of each kind),
 * io-error-total (once, at the end), target-lost (every read has failed for 2 s), target-back,
 * target-shrank, target-grew, hang (nothing for 10 s although reads are in flight), stall (it is
 * over: its length, and the catch-up behind it), device-mismatch (the kernel's count for the device
 * is another than ours). A kind that comes again and again is told 8 times, then the 16th, 32nd ...
 */
#ifndef VS_PROBES_TROUBLE_H
#define VS_PROBES_TROUBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sample.h"
#include "base/sink.h"
#include "probes/load.h"

/* What there is to look at in one interval. Times are the run's. */
struct vs_trouble_reading {
	const struct vs_sample *sample;
	const struct vs_load_counters *load; /* since the start; its times are not looked at */
	int64_t failing_since_ns;            /* since when every read has failed; VS_UNKNOWN */
};

/* How often a kind of event has come. */
struct vs_trouble_times {
	uint64_t n;
};

struct vs_trouble {
	const char *name; /* of the target */
	uint32_t block_bytes;
	uint64_t split_bytes; /* the most that the kernel reads at a time; 0 not known */
	bool is_device;

	/* failed reads: an episode ends after some seconds without */
	bool failing, lost;
	int64_t failing_since_ns, failed_last_ns;
	struct vs_load_failures before[VS_LOAD_ERRNOS];
	uint64_t size_bytes; /* as last told */

	/* stalls */
	bool stalled, hang_told;
	int64_t stall_since_ns, stall_length_ns;
	uint32_t stall_inflight;
	int calm;         /* intervals since the last one of nothing or of catching up */
	int rest;         /* intervals of catching up */
	double peak_iops; /* of the catch-up */
	double rate_iops, rate_last_iops; /* the last two intervals in which all was well */

	/* the device's own count, summed until it says something */
	uint64_t ours, failed, theirs, merges;
	int64_t counted_ns;
	uint32_t inflight_max;
	int mismatches; /* windows in a row */

	struct vs_trouble_times errors_told, over_told, lost_told, back_told, size_told,
		hang_told_n, stall_told, mismatch_told;
};

/* true when this time is to be told. */
bool vs_trouble_is_told(struct vs_trouble_times *times);

/* Name is borrowed for as long. The rest of the struct is the module's own. */
void vs_trouble_init(struct vs_trouble *trouble, const char *name, uint32_t block_bytes,
		     bool is_device, uint64_t split_bytes, uint64_t size_bytes);
/* After each interval; events go to the sink. */
void vs_trouble_watch(struct vs_trouble *trouble, const struct vs_trouble_reading *reading,
		      const struct vs_sink *sink);
/* After the last one: what is still open is closed, and what failed is summed up. */
void vs_trouble_finish(struct vs_trouble *trouble, const struct vs_trouble_reading *reading,
		       const struct vs_sink *sink);

#endif
