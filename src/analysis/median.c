#include "analysis/median.h"

#include <stdbool.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static double middle_of(double a, double b, double c)
{
	double low = a < b ? a : b;
	double high = a < b ? b : a;

	return c < low ? low : c > high ? high : c;
}

/*
 * Moves what is below the pivot, or with equal_too not above it, to the front of a[lo, hi); returns
 * where that ends. Without a branch on what the readings are: noise defeats any guess at one.
 */
static size_t part(double *a, size_t lo, size_t hi, double pivot, bool equal_too)
{
	size_t end = lo;

	for (size_t i = lo; i < hi; i++) {
		double v = a[i];

		a[i] = a[end];
		a[end] = v;
		end += equal_too ? v <= pivot : v < pivot;
	}
	return end;
}

/*
 * Selection around the middle one of three. Series made to defeat it exist, so after as many rounds
 * as no honest series needs, what is left is sorted.
 */
double vs_select(double *a, size_t n, size_t k)
{
	size_t lo = 0;
	size_t hi = n;

	for (int rounds = 64; hi - lo > 1; rounds--) {
		double pivot = middle_of(a[lo], a[lo + (hi - lo) / 2], a[hi - 1]);
		size_t end;

		if (rounds == 0) {
			qsort(a + lo, hi - lo, sizeof(*a), by_value);
			break;
		}
		end = part(a, lo, hi, pivot, false);
		if (k < end) {
			hi = end;
			continue;
		}
		lo = part(a, end, hi, pivot, true);
		if (k < lo)
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
