#include "analysis/median.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * Hoare's selection around the middle element. Series made to defeat it exist, so after as many
 * rounds as no honest series needs, what is left is sorted.
 */
double vs_select(double *a, size_t n, size_t k)
{
	ptrdiff_t lo = 0;
	ptrdiff_t hi = (ptrdiff_t)n - 1;
	ptrdiff_t want = (ptrdiff_t)k;
	int rounds = 64;

	while (lo < hi) {
		double pivot = a[lo + (hi - lo) / 2];
		ptrdiff_t i = lo;
		ptrdiff_t j = hi;

		if (rounds-- == 0) {
			qsort(a + lo, (size_t)(hi - lo + 1), sizeof(*a), by_value);
			break;
		}
		do {
			while (a[i] < pivot)
				i++;
			while (a[j] > pivot)
				j--;
			if (i <= j) {
				double t = a[i];

				a[i++] = a[j];
				a[j--] = t;
			}
		} while (i <= j);
		if (want <= j)
			hi = j;
		else if (want >= i)
			lo = i;
		else
			break;
	}
	return a[k];
}

double vs_median(double *a, size_t n)
{
	double upper;
	double lower;

	if (n == 0)
		return 0;
	upper = vs_select(a, n, n / 2);
	if (n & 1)
		return upper;
	lower = a[0];
	for (size_t i = 1; i < n / 2; i++)
		if (a[i] > lower)
			lower = a[i];
	return 0.5 * (lower + upper);
}

static int by_weighted_value(const void *a, const void *b)
{
	const struct vs_weighted *x = a;
	const struct vs_weighted *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

int64_t vs_weighted_median(struct vs_weighted *items, size_t n)
{
	double half = 0;
	double seen = 0;

	for (size_t i = 0; i < n; i++)
		half += items[i].weight * 0.5;
	qsort(items, n, sizeof(*items), by_weighted_value);
	for (size_t i = 0; i < n; i++) {
		seen += items[i].weight;
		if (seen >= half)
			return items[i].value;
	}
	return items[n - 1].value;
}
