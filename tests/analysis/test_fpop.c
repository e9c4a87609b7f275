/* The recursion against every segmentation there is, and what bounds it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "analysis/fpop.h"
#include "analysis/median.h"
#include "gen.h"

#define CAP2 9.0

/* min over levels of the capped cost of x[from, to): best of all sets of inliers' means. */
static double segment_cost(const double *x, const double *w, size_t from, size_t to)
{
	double best = CAP2 * (double)(to - from);

	/* Between two neighbouring ends of bands the set of inliers is the same. */
	for (size_t e = 2 * from; e < 2 * to; e++) {
		double r = sqrt(CAP2 / w[e / 2]);
		double edge = x[e / 2] + (e & 1 ? r : -r);

		for (int side = -1; side <= 1; side += 2) {
			double at = edge + side * 1e-9;
			double sw = 0, sx = 0, cost = 0;

			for (size_t i = from; i < to; i++) {
				if (w[i] * (x[i] - at) * (x[i] - at) < CAP2) {
					sw += w[i];
					sx += w[i] * x[i];
				}
			}
			if (sw <= 0)
				continue;
			for (size_t i = from; i < to; i++)
				cost += fmin(CAP2, w[i] * (x[i] - sx / sw) * (x[i] - sx / sw));
			best = fmin(best, cost);
		}
	}
	return best;
}

static double brute_force(const double *x, const double *w, size_t n, double beta)
{
	double best[32];

	for (size_t to = 1; to <= n; to++) {
		best[to] = segment_cost(x, w, 0, to);
		for (size_t from = 1; from < to; from++)
			best[to] = fmin(best[to], best[from] + beta + segment_cost(x, w, from, to));
	}
	return best[n];
}

static void the_recursion_equals_brute_force_in_300_weighted_cases(void **state)
{
	struct gen gen = { 42 };
	struct vs_error err = { 0 };

	(void)state;
	for (int c = 0; c < 300; c++) {
		size_t n = 2 + gen_next(&gen) % 14;
		double beta = gen_uniform(&gen, 2, 30);
		double level = 0;
		double x[16], w[16];
		double got, want;
		struct vs_fpop fpop;

		for (size_t i = 0; i < n; i++) {
			if (gen_next(&gen) % 5 == 0)
				level = gen_uniform(&gen, 0, 20);
			x[i] = level + gen_normal(&gen) * (gen_next(&gen) % 6 ? 1 : 8);
			w[i] = gen_uniform(&gen, 0.2, 3);
		}
		assert_int_equal(vs_fpop_init(&fpop, -60, 80, beta, CAP2, &err), 0);
		for (size_t i = 0; i < n; i++) {
			int64_t start = vs_fpop_put(&fpop, x[i], w[i]);

			assert_in_range(start, 0, i);
		}
		got = vs_fpop_cost(&fpop);
		want = brute_force(x, w, n, beta);
		if (fabs(got - want) > 1e-6)
			fail_msg("case %d, %zu readings: %.9f, brute force %.9f", c, n, got, want);
		vs_fpop_release(&fpop);
	}
}

static void a_sweep_over_thousands_of_levels_stays_bounded(void **state)
{
	struct vs_fpop fpop;
	struct vs_error err = { 0 };

	(void)state;
	assert_int_equal(vs_fpop_init(&fpop, 0, 28, 27, CAP2, &err), 0);
	for (int i = 0; i < 50000; i++)
		(void)vs_fpop_put(&fpop, fmod(i * 0.618033988749, 1) * 20 + 1, 1e5);
	print_message("at most %zu pieces\n", fpop.most);
	assert_in_range(fpop.most, 1, VS_FPOP_PIECES);
	vs_fpop_release(&fpop);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static void selection_equals_sorting(void **state)
{
	struct gen gen = { 7 };

	(void)state;
	for (int c = 0; c < 2000; c++) {
		size_t n = 1 + gen_next(&gen) % 70;
		unsigned int kinds = 1 + (unsigned int)(gen_next(&gen) % 9);
		double a[80], b[80];
		double want;

		for (size_t i = 0; i < n; i++)
			a[i] = b[i] = c % 2 ? (double)(gen_next(&gen) % kinds) : gen_normal(&gen);
		qsort(b, n, sizeof(b[0]), by_value);
		want = n % 2 ? b[n / 2] : 0.5 * (b[n / 2 - 1] + b[n / 2]);
		if (fabs(vs_median(a, n) - want) > 0)
			fail_msg("case %d: median of %zu", c, n);
	}
}

static void a_weighted_median_is_where_half_of_the_weight_is(void **state)
{
	struct vs_weighted items[] = { { 30, 1 }, { 10, 1 }, { 20, 5 }, { 40, 1 } };
	struct vs_weighted heavy[] = { { 1, 1 }, { 2, 1 }, { 900, 10 } };
	struct vs_weighted nothing[] = { { 5, 0 }, { 7, 0 } };

	(void)state;
	assert_int_equal(vs_weighted_median(items, 4), 20);
	assert_int_equal(vs_weighted_median(heavy, 3), 900);
	assert_in_range(vs_weighted_median(nothing, 2), 5, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_recursion_equals_brute_force_in_300_weighted_cases),
		cmocka_unit_test(a_sweep_over_thousands_of_levels_stays_bounded),
		cmocka_unit_test(selection_equals_sorting),
		cmocka_unit_test(a_weighted_median_is_where_half_of_the_weight_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
