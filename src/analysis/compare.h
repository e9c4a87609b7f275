/* Runs side by side: which tier is worth its money. */
#ifndef VS_ANALYSIS_COMPARE_H
#define VS_ANALYSIS_COMPARE_H

#include "base/error.h"
#include "model/comparison.h"

/*
 * timelines: n >= 1, borrowed by out. A run's tier is the one that vs_told_tier() says, else the
 * one that its level shows. Fails only for want of memory.
 */
int vs_compare(const struct vs_timeline *const *timelines, size_t n, struct vs_comparison *out,
	       struct vs_error *err) VS_MUST_CHECK;
void vs_comparison_release(struct vs_comparison *comparison);
/* "VPU 20", "tier P30"; "no tier" for -1. Fills text[40] and returns it. */
const char *vs_comparison_tier_name(const struct vs_comparison_row *row, int tier, char *text);

#endif
