#include "base/hist.h"

uint64_t vs_hist_value_ns(size_t index)
{
	unsigned int shift;
	uint64_t low;

	if (index < 128)
		return index;
	shift = (unsigned int)(index >> VS_HIST_SUB_BITS) - 1;
	low = (uint64_t)(index - ((size_t)shift << VS_HIST_SUB_BITS)) << shift;
	return low + (UINT64_C(1) << shift) / 2;
}

uint64_t vs_hist_total(const struct vs_hist *hist)
{
	uint64_t total = 0;

	for (size_t i = 0; i < VS_HIST_BUCKETS; i++)
		total += hist->count[i];
	return total;
}

int64_t vs_hist_quantile_ns(const struct vs_hist *hist, double quantile)
{
	double rank = quantile * (double)vs_hist_total(hist);
	uint64_t seen = 0;

	for (size_t i = 0; i < VS_HIST_BUCKETS; i++) {
		seen += hist->count[i];
		if (seen > 0 && (double)seen >= rank)
			return (int64_t)vs_hist_value_ns(i);
	}
	return -1;
}

int64_t vs_hist_max_ns(const struct vs_hist *hist)
{
	for (size_t i = VS_HIST_BUCKETS; i-- > 0;)
		if (hist->count[i])
			return (int64_t)vs_hist_value_ns(i);
	return -1;
}

void vs_hist_add(struct vs_hist *into, const struct vs_hist *from)
{
	for (size_t i = 0; i < VS_HIST_BUCKETS; i++)
		into->count[i] += from->count[i];
}
