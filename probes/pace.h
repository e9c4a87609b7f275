/* The pacing governor: how many reads may start now. For --rate-iops and for the emulated volume.
 */
#ifndef VS_PROBES_PACE_H
#define VS_PROBES_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/*
 * An open-loop schedule shared by all workers: each read takes the next place, places lie 1/rate
 * apart, and a schedule that fell behind catches up by at most the burst. So the rate holds to 1 %
 * over 10 s as long as the target keeps up and no stall is longer than the burst.
 */
struct vs_pace;

/* 0.001 <= rate_iops <= 1e9. burst_ns >= 0: how much of the past may be caught up. */
int vs_pace_open(double rate_iops, int64_t burst_ns, struct vs_pace **out,
		 struct vs_error *err) VS_MUST_CHECK;
void vs_pace_free(struct vs_pace *pace);
/* From now on this rate, brought into the range of vs_pace_open(); any thread. */
void vs_pace_set_rate(struct vs_pace *pace, double rate_iops);
/* The schedule begins at now_ns: nothing from before is caught up. Any thread. */
void vs_pace_restart(struct vs_pace *pace, int64_t now_ns);
/*
 * Of `wanted` reads the first `returned` may start now; when fewer than wanted, *next_ns_out is
 * when to ask again (monotonic). No lock, no division, no floating point. Any thread.
 */
uint32_t vs_pace_take(struct vs_pace *pace, int64_t now_ns, uint32_t wanted, int64_t *next_ns_out);
/* Reads ever granted, and reads ever asked for and refused: the emulated volume's view of demand.
 */
uint64_t vs_pace_granted(const struct vs_pace *pace);
uint64_t vs_pace_refused(const struct vs_pace *pace);
/*
 * true: latency counts from when a read asked, as behind a real ceiling (the emulated volume
 * queues). false: from when it was let through, as with a client's own limit. Set it before the
 * first read.
 */
void vs_pace_set_queueing(struct vs_pace *pace, bool queueing);
bool vs_pace_queueing(const struct vs_pace *pace);

#endif
