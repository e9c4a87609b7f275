/* The latency histogram: integer, log-linear, merged by adding. */
#ifndef VS_BASE_HIST_H
#define VS_BASE_HIST_H

#include <stddef.h>
#include <stdint.h>

/*
 * Values below 128 ns have a bucket each. From there on each power of two is split into 64 equal
 * buckets, so a bucket [v, v + w) has w <= v / 64, and its middle is within 1/128 (0.8 %) of
 * every value in it. The last bucket takes everything from 2^38 ns (275 s) on.
 */
#define VS_HIST_SUB_BITS 6
#define VS_HIST_MAX_BITS 38
#define VS_HIST_BUCKETS  ((VS_HIST_MAX_BITS - VS_HIST_SUB_BITS + 1) * 64 + 1)

struct vs_hist {
	uint64_t count[VS_HIST_BUCKETS];
};

static inline size_t vs_hist_index(uint64_t ns)
{
	unsigned int shift;

	if (ns < 128)
		return (size_t)ns;
	if (ns >> VS_HIST_MAX_BITS)
		return VS_HIST_BUCKETS - 1;
	shift = 63U - (unsigned int)__builtin_clzll(ns) - VS_HIST_SUB_BITS;
	return ((size_t)shift << VS_HIST_SUB_BITS) + (size_t)(ns >> shift);
}

/* The middle of a bucket, ns. */
uint64_t vs_hist_value_ns(size_t index);
uint64_t vs_hist_total(const struct vs_hist *hist);
/* The value below which `quantile` (0 < quantile <= 1) of the counts lie, ns; -1 when empty. */
int64_t vs_hist_quantile_ns(const struct vs_hist *hist, double quantile);
/* The highest bucket in use, ns; -1 when empty. */
int64_t vs_hist_max_ns(const struct vs_hist *hist);
void vs_hist_add(struct vs_hist *into, const struct vs_hist *from);

#endif
