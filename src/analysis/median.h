/* Order statistics by selection: linear time also on hostile input, the same result everywhere. */
#ifndef VS_ANALYSIS_MEDIAN_H
#define VS_ANALYSIS_MEDIAN_H

#include <stddef.h>
#include <stdint.h>

/* The k-th smallest (from 0) of a[n], n > k; reorders a so that a[0..k) are not above it. */
double vs_select(double *a, size_t n, size_t k);
/* The median of a[n]; for even n the mean of the middle two; 0 for n = 0. Reorders a. */
double vs_median(double *a, size_t n);

struct vs_weighted {
	int64_t value;
	double weight; /* not negative */
};
/* The value at which half of the weight is reached. Reorders items; n > 0. */
int64_t vs_weighted_median(struct vs_weighted *items, size_t n);

#endif
