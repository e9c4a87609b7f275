#include "probes/pace.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"

/*
 * Times are counted in 1/256 ns from the opening: fine enough for 10^7 reads a second at 20 ppm,
 * and 63 bits of it last 417 days.
 */
#define TICK_BITS 8

#define RATE_MIN 0.001
#define RATE_MAX 1e9

__extension__ typedef unsigned __int128 wide;

struct vs_pace {
	_Atomic int64_t next;     /* the first place that is not taken */
	_Atomic uint64_t period;  /* between two places */
	_Atomic uint64_t inverse; /* 2^64 / period */
	_Atomic uint64_t granted;
	_Atomic uint64_t refused;
	_Atomic bool queueing;
	int64_t burst;
	int64_t origin_ns;
};

static int64_t to_ticks(const struct vs_pace *pace, int64_t now_ns)
{
	return (now_ns - pace->origin_ns) * (1 << TICK_BITS);
}

static void store_rate(struct vs_pace *pace, double rate_iops)
{
	double rate = rate_iops < RATE_MIN ? RATE_MIN : rate_iops > RATE_MAX ? RATE_MAX : rate_iops;
	uint64_t period = (uint64_t)((double)VS_NS_PER_SEC * (1 << TICK_BITS) / rate + 0.5);

	/*
	 * A reader between the two stores sees a pair that does not match: it may grant too many or
	 * too few once, but the schedule moves by the period all the same, so it is paid back.
	 */
	atomic_store_explicit(&pace->period, period, memory_order_relaxed);
	atomic_store_explicit(&pace->inverse, UINT64_MAX / period, memory_order_relaxed);
}

int vs_pace_open(double rate_iops, int64_t burst_ns, struct vs_pace **out, struct vs_error *err)
{
	struct vs_pace *pace;

	if (!(rate_iops >= RATE_MIN && rate_iops <= RATE_MAX))
		return vs_error_set(err, VS_EUSAGE, 0, "a rate of %g IOPS; give 0.001 to 1e9",
				    rate_iops);
	pace = calloc(1, sizeof(*pace));
	if (!pace)
		return vs_error_nomem(err);
	pace->burst = burst_ns * (1 << TICK_BITS);
	pace->origin_ns = vs_clock_mono_ns();
	store_rate(pace, rate_iops);
	*out = pace;
	return 0;
}

void vs_pace_free(struct vs_pace *pace)
{
	free(pace);
}

void vs_pace_set_rate(struct vs_pace *pace, double rate_iops)
{
	int64_t next = atomic_load_explicit(&pace->next, memory_order_relaxed);
	int64_t limit;

	store_rate(pace, rate_iops);
	/* a place given out at a low rate must not hold up a higher one */
	limit = to_ticks(pace, vs_clock_mono_ns()) +
		(int64_t)atomic_load_explicit(&pace->period, memory_order_relaxed);
	while (next > limit &&
	       !atomic_compare_exchange_weak_explicit(&pace->next, &next, limit,
						      memory_order_relaxed, memory_order_relaxed))
		;
}

void vs_pace_restart(struct vs_pace *pace, int64_t now_ns)
{
	int64_t next = atomic_load_explicit(&pace->next, memory_order_relaxed);
	int64_t now = to_ticks(pace, now_ns);

	while (next < now &&
	       !atomic_compare_exchange_weak_explicit(&pace->next, &next, now, memory_order_relaxed,
						      memory_order_relaxed))
		;
}

/* How many places lie in [0, delta]; the reciprocal may be one too low. */
static uint64_t places(uint64_t delta, uint64_t period, uint64_t inverse)
{
	uint64_t n = (uint64_t)(((wide)delta * inverse) >> 64) + 1;

	return n * period <= delta ? n + 1 : n;
}

uint32_t vs_pace_take(struct vs_pace *pace, int64_t now_ns, uint32_t wanted, int64_t *next_ns_out)
{
	uint64_t period = atomic_load_explicit(&pace->period, memory_order_relaxed);
	uint64_t inverse = atomic_load_explicit(&pace->inverse, memory_order_relaxed);
	int64_t next = atomic_load_explicit(&pace->next, memory_order_relaxed);
	int64_t now = to_ticks(pace, now_ns);
	int64_t after;
	uint32_t granted;

	do {
		int64_t base = next < now - pace->burst ? now - pace->burst : next;
		uint64_t due = base > now ? 0 : places((uint64_t)(now - base), period, inverse);

		granted = due < wanted ? (uint32_t)due : wanted;
		after = base + (int64_t)(granted * period);
	} while (granted > 0 && !atomic_compare_exchange_weak_explicit(&pace->next, &next, after,
								       memory_order_relaxed,
								       memory_order_relaxed));

	if (granted > 0)
		atomic_fetch_add_explicit(&pace->granted, granted, memory_order_relaxed);
	if (granted < wanted) {
		atomic_fetch_add_explicit(&pace->refused, wanted - granted, memory_order_relaxed);
		*next_ns_out = pace->origin_ns + (after >> TICK_BITS) + 1;
	}
	return granted;
}

uint64_t vs_pace_granted(const struct vs_pace *pace)
{
	return atomic_load_explicit(&pace->granted, memory_order_relaxed);
}

uint64_t vs_pace_refused(const struct vs_pace *pace)
{
	return atomic_load_explicit(&pace->refused, memory_order_relaxed);
}

void vs_pace_set_queueing(struct vs_pace *pace, bool queueing)
{
	atomic_store_explicit(&pace->queueing, queueing, memory_order_relaxed);
}

bool vs_pace_queueing(const struct vs_pace *pace)
{
	return atomic_load_explicit(&pace->queueing, memory_order_relaxed);
}
