/* The histogram's error bound, and its quantiles against exact ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hist.h"

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static void every_value_is_within_one_percent(void **state)
{
	(void)state;
	uint64_t seed = 1;

	for (int i = 0; i < 1000000; i++) {
		uint64_t ns = next_random(&seed) >> (next_random(&seed) % 37 + 26);
		size_t index = vs_hist_index(ns);
		double error = fabs((double)vs_hist_value_ns(index) - (double)ns);

		assert_true(index < VS_HIST_BUCKETS - 1);
		assert_true(error <= (double)ns / 128);
	}
}

static void buckets_do_not_overlap(void **state)
{
	(void)state;
	for (size_t i = 0; i < VS_HIST_BUCKETS - 1; i++)
		assert_int_equal(vs_hist_index(vs_hist_value_ns(i)), i);
	assert_int_equal(vs_hist_index(UINT64_MAX), VS_HIST_BUCKETS - 1);
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void quantiles_match_sorted_values(void **state)
{
	(void)state;
	enum {
		N = 100000
	};
	static uint64_t values[N];
	static const double quantiles[] = { 0.5, 0.99, 0.999 };
	struct vs_hist hist = { { 0 } };
	uint64_t seed = 7;

	for (int i = 0; i < N; i++) {
		values[i] = (uint64_t)exp((double)(next_random(&seed) >> 11) * 0x1p-53 * 18);
		hist.count[vs_hist_index(values[i])]++;
	}
	qsort(values, N, sizeof(values[0]), compare);
	assert_int_equal(vs_hist_total(&hist), N);
	for (size_t q = 0; q < 3; q++) {
		double exact = (double)values[(size_t)(quantiles[q] * N) - 1];
		double got = (double)vs_hist_quantile_ns(&hist, quantiles[q]);
		assert_true(fabs(got - exact) <= exact * 0.01);
	}
	assert_true(fabs((double)vs_hist_max_ns(&hist) - (double)values[N - 1]) <=
		    (double)values[N - 1] * 0.01);
}

static void empty_histogram_knows_nothing(void **state)
{
	(void)state;
	struct vs_hist hist = { { 0 } };

	assert_int_equal(vs_hist_quantile_ns(&hist, 0.5), -1);
	assert_int_equal(vs_hist_max_ns(&hist), -1);
}

static void merging_is_adding(void **state)
{
	(void)state;
	struct vs_hist a = { { 0 } }, b = { { 0 } };

	a.count[vs_hist_index(1000)] = 3;
	b.count[vs_hist_index(1000)] = 4;
	b.count[vs_hist_index(50)] = 1;
	vs_hist_add(&a, &b);
	assert_int_equal(vs_hist_total(&a), 8);
	assert_int_equal(a.count[vs_hist_index(1000)], 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_value_is_within_one_percent),
		cmocka_unit_test(buckets_do_not_overlap),
		cmocka_unit_test(quantiles_match_sorted_values),
		cmocka_unit_test(empty_histogram_knows_nothing),
		cmocka_unit_test(merging_is_adding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
