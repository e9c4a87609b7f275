/* What holds of many seeded series: the gates on the detector, small enough for every run of the
 * suite. scripts/bench-detector.sh measures the same at length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "invariants.h"
#include "scenario.h"
#include "score.h"
#include "series_text.h"

static const double sizes_gb[] = { 50, 200, 1024, 4096, 32768 };
#define SIZES (sizeof(sizes_gb) / sizeof(sizes_gb[0]))

/* F1 over stairs on real ladders of all sizes, up and down. */
static void stairs(double noise, double rho, bool damaged, bool ladder, double least)
{
	struct score score = { .runs = 0 };
	double f1;

	for (uint64_t seed = 0; seed < 60; seed++) {
		struct scenario s = { .shape = STAIRS,
				      .size_gb = sizes_gb[seed % SIZES],
				      .a = 20,
				      .b = 30,
				      .noise = noise,
				      .rho = rho,
				      .rounded = seed % 3 == 0,
				      .down = seed % 2 == 1,
				      .whole = seed % 4 == 3 };
		struct gen gen = { 7919 * seed + 11 };
		struct gen_series series;

		if (damaged) {
			s.missing = 0.05;
			s.zero = 0.005;
			s.dips = 0.02;
		}
		scenario_make(&s, &gen, &series);
		score_run(&score, &series, ladder ? s.size_gb : 0);
		gen_release(&series);
	}
	f1 = score_f1(&score, score.hits5);
	print_message("%zu steps, %.1f %% noise: F1 %.4f, exact %zu of %zu, %zu invented\n",
		      score.truths, 100 * noise, f1, score.exact, score.runs, score.strays);
	assert_true(f1 >= least);
	score_release(&score);
}

static void steps_are_found_at_one_percent(void **state)
{
	(void)state;
	stairs(0, 0, false, false, 0.995);
	stairs(0.001, 0, false, false, 0.995);
	stairs(0.01, 0, false, false, 0.995);
	stairs(0.01, 0, false, true, 0.995);
}

static void steps_are_found_at_three_percent(void **state)
{
	(void)state;
	stairs(0.03, 0, false, false, 0.98);
	stairs(0.03, 0, false, true, 0.98);
}

static void steps_are_found_among_dips_gaps_and_zero_seconds(void **state)
{
	(void)state;
	stairs(0.001, 0, true, false, 0.995);
	stairs(0.01, 0, true, true, 0.99);
}

static void the_ladder_finds_what_noise_hides(void **state)
{
	(void)state;
	stairs(0.05, 0, false, true, 0.95);
	stairs(0.1, 0, false, true, 0.875);
}

static size_t steps_of(const struct scenario *s, uint64_t seed, double size_gb)
{
	struct score score = { .runs = 0 };
	struct gen gen = { seed };
	struct gen_series series;
	size_t found;

	scenario_make(s, &gen, &series);
	score_run(&score, &series, size_gb);
	found = score.found;
	score_release(&score);
	gen_release(&series);
	return found;
}

/* 40 runs of two hours, 0.25 to 10 % noise, with and without a ladder. */
static void flat_runs_have_no_step(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 40; seed++) {
		const struct scenario flat = { .shape = FLAT,
					       .a = 7200,
					       .noise = 0.0025 * (double)(seed + 1) };
		double size_gb = seed % 2 ? 1024 : 0;
		size_t steps = steps_of(&flat, seed, size_gb);

		if (steps)
			fail_msg("seed %d, %.2f %%: %zu steps", (int)seed, 100 * flat.noise, steps);
	}
}

static void correlated_noise_is_no_step(void **state)
{
	size_t steps = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 60; seed++) {
		const struct scenario flat = {
			.shape = FLAT, .a = 1200, .noise = 0.05, .rho = 0.5
		};

		steps += steps_of(&flat, seed, 0);
	}
	print_message("%zu steps in 20 h of AR(0.5) noise of 5 %%\n", steps);
	assert_true(steps <= 4);
}

static void a_credit_that_runs_out_is_one_step(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 40; seed++) {
		const struct scenario credit = {
			.shape = CREDIT, .a = 200, .b = 200, .noise = 0.02
		};

		assert_int_equal(steps_of(&credit, seed, 0), 1);
	}
}

static void a_drift_is_no_staircase(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		const struct scenario drift = { .shape = DRIFT,
						.a = 600 + 150 * (double)seed,
						.b = 5 + 2 * (double)seed,
						.noise = 0.005 + 0.001 * (double)seed };
		size_t steps = steps_of(&drift, seed, 0);

		if (steps)
			fail_msg("seed %d: %zu steps", (int)seed, steps);
	}
}

/* The interval of a level holds the true one as often as it says. */
static void intervals_hold_the_level(void **state)
{
	size_t held = 0, all = 0, times = 0, times_held = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 300; seed++) {
		struct gen gen = { 31 * seed + 5 };
		struct gen_series s = { .n = 0 };
		struct analysed a;
		double noise = 0.005 * (double)(1 + seed % 6);
		double at_s;

		gen_level(&gen, &s, 100000, 30 + seed % 50, noise, 0);
		gen_level(&gen, &s, 150000, 30 + seed % 40, noise, 0);
		at_s = s.changes[0];
		gen_run(&s, &a.run);
		analyse(&a, 0, NULL);
		for (size_t k = 0; k < a.timeline.n_plateaus; k++) {
			const struct vs_plateau *p = &a.timeline.plateaus[k];
			double truth = k == 0 ? 100000 : 150000;

			held += p->iops_ci95[0] <= truth && truth <= p->iops_ci95[1];
			all++;
		}
		for (size_t k = 0; k < a.timeline.n_steps; k++) {
			const struct vs_step *step = &a.timeline.steps[k];

			times_held += (double)step->at_low_ns / 1e9 <= at_s &&
				      at_s <= (double)step->at_high_ns / 1e9;
			times++;
		}
		analysed_release(&a);
		gen_release(&s);
	}
	print_message("%zu of %zu levels and %zu of %zu times lie in their intervals\n", held, all,
		      times_held, times);
	assert_true(held * 100 >= all * 92);
	assert_true(times_held * 100 >= times * 95);
}

static double worst_value(int kind, size_t i, struct gen *gen)
{
	switch (kind) {
	case 0:
		return 50000;
	case 1:
		return exp(gen_normal(gen)) * 1000;
	case 2:
		return 1000.0 * (double)(1 + i % 97);
	case 3:
		return 0;
	case 4:
		return i % 2 ? 1e9 : 0;
	case 5:
		return i % 3 ? (double)NAN : 50000;
	case 6:
		return 1e-300;
	default:
		return i % 2 ? 1e300 : 5;
	}
}

static void worst_cases_are_bounded(void **state)
{
	static const char *const names[] = { "constant",
					     "white noise",
					     "a step every sample",
					     "all zero",
					     "alternating 0 and 10^9",
					     "missing but every third",
					     "next to nothing",
					     "up to 10^300" };

	(void)state;
	for (int kind = 0; kind < 8; kind++) {
		struct gen gen = { 3 };
		struct gen_series s = { .n = 0 };
		struct analysed a;

		for (size_t i = 0; i < 20000; i++)
			gen_put(&s, worst_value(kind, i, &gen));
		gen_run(&s, &a.run);
		if (kind == 5) /* and a tool that writes NaN */
			for (size_t i = 0; i < a.run.n_samples; i += 7)
				a.run.samples[i].ios = (double)NAN;
		analyse(&a, kind % 2 ? 1024 : 0, NULL);
		print_message("%s: %zu plateaus, %zu dips\n", names[kind], a.timeline.n_plateaus,
			      a.timeline.n_dips);
		if (kind == 0 || kind == 5)
			assert_int_equal(a.timeline.n_plateaus, 1);
		if (kind == 3)
			assert_int_equal(a.timeline.n_plateaus, 0);
		analysed_release(&a);
		gen_release(&s);
	}
}

/* Every trait at once, at random: whatever comes out must hang together. */
static void every_timeline_hangs_together(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 200; seed++) {
		struct gen gen = { 101 * seed + 7 };
		struct scenario s = { .shape = (enum shape)(gen_next(&gen) % (DRIFT + 1)),
				      .size_gb = sizes_gb[gen_next(&gen) % SIZES],
				      .a = gen_uniform(&gen, 3, 200),
				      .b = gen_uniform(&gen, 3, 200),
				      .noise = gen_uniform(&gen, 0, 0.15),
				      .rho = gen_uniform(&gen, 0, 0.9),
				      .rounded = gen_next(&gen) & 1,
				      .missing = gen_uniform(&gen, 0, 0.4),
				      .zero = gen_uniform(&gen, 0, 0.1),
				      .dips = gen_uniform(&gen, 0, 0.2),
				      .down = gen_next(&gen) & 1,
				      .whole = gen_next(&gen) & 1 };
		struct gen_series series;
		struct analysed a;

		if (s.b < s.a)
			s.b = s.a;
		scenario_make(&s, &gen, &series);
		gen_run(&series, &a.run);
		analyse(&a, gen_next(&gen) & 1 ? s.size_gb : 0, NULL); /* checks the invariants */
		analysed_release(&a);
		gen_release(&series);
	}
}

static void the_same_run_gives_the_same_timeline(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		const struct scenario s = { .shape = STAIRS,
					    .size_gb = 1024,
					    .a = 20,
					    .b = 60,
					    .noise = 0.04,
					    .dips = 0.02 };
		struct gen gen = { seed };
		struct gen_series series;
		struct analysed a[2];

		scenario_make(&s, &gen, &series);
		for (int i = 0; i < 2; i++) {
			gen_run(&series, &a[i].run);
			analyse(&a[i], 1024, NULL);
		}
		assert_int_equal(a[0].timeline.n_plateaus, a[1].timeline.n_plateaus);
		assert_int_equal(a[0].timeline.n_steps, a[1].timeline.n_steps);
		for (size_t k = 0; k < a[0].timeline.n_plateaus; k++) {
			const struct vs_plateau *p = &a[0].timeline.plateaus[k];
			const struct vs_plateau *q = &a[1].timeline.plateaus[k];

			assert_int_equal(p->start_ns, q->start_ns);
			assert_int_equal(p->end_ns, q->end_ns);
			assert_memory_equal(&p->iops, &q->iops, sizeof(p->iops));
		}
		analysed_release(&a[0]);
		analysed_release(&a[1]);
		gen_release(&series);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_found_at_one_percent),
		cmocka_unit_test(steps_are_found_at_three_percent),
		cmocka_unit_test(steps_are_found_among_dips_gaps_and_zero_seconds),
		cmocka_unit_test(the_ladder_finds_what_noise_hides),
		cmocka_unit_test(flat_runs_have_no_step),
		cmocka_unit_test(correlated_noise_is_no_step),
		cmocka_unit_test(a_credit_that_runs_out_is_one_step),
		cmocka_unit_test(a_drift_is_no_staircase),
		cmocka_unit_test(intervals_hold_the_level),
		cmocka_unit_test(worst_cases_are_bounded),
		cmocka_unit_test(every_timeline_hangs_together),
		cmocka_unit_test(the_same_run_gives_the_same_timeline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
