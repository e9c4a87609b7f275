/* The pace: exact over time, live, and never more catch-up than the burst. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "probes/pace.h"

static const struct {
	double rate_iops;
	uint32_t wanted;
	int64_t every_ns;
} schedules[] = {
	{ 0.5, 1, 10 * VS_NS_PER_MS },     { 7, 256, VS_NS_PER_MS },
	{ 1000, 1, 100 * VS_NS_PER_US },   { 25000, 256, VS_NS_PER_MS },
	{ 122880, 32, 97 * VS_NS_PER_US }, { 333333, 1024, 250 * VS_NS_PER_US },
	{ 1e7, 65536, VS_NS_PER_MS },
};

/* Simulated time, so the figure is exact: in 100 s, rate x 100 places, and the one at time 0. */
static void the_schedule_is_exact(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(schedules) / sizeof(schedules[0]); i++) {
		struct vs_error err = { 0 };
		struct vs_pace *pace = NULL;
		int64_t start, next = 0;
		double expected = schedules[i].rate_iops * 100;
		uint64_t got = 0;

		assert_int_equal(vs_pace_open(schedules[i].rate_iops, VS_NS_PER_SEC, &pace, &err),
				 0);
		start = vs_clock_mono_ns();
		vs_pace_restart(pace, start);
		for (int64_t t = 0; t <= 100 * VS_NS_PER_SEC; t += schedules[i].every_ns)
			got += vs_pace_take(pace, start + t, schedules[i].wanted, &next);
		print_message("%g IOPS: %llu of %.0f\n", schedules[i].rate_iops,
			      (unsigned long long)got, expected);
		assert_true(fabs((double)got - expected) <= 2 + expected * 5e-5);
		assert_true(vs_pace_granted(pace) == got);
		vs_pace_free(pace);
	}
}

static void it_says_when_to_ask_again(void **state)
{
	(void)state;
	struct vs_error err = { 0 };
	struct vs_pace *pace = NULL;
	int64_t start, next = 0;

	assert_int_equal(vs_pace_open(1000, VS_NS_PER_SEC, &pace, &err), 0);
	start = vs_clock_mono_ns();
	vs_pace_restart(pace, start);
	assert_int_equal(vs_pace_take(pace, start, 5, &next), 1);
	assert_in_range(next, start + VS_NS_PER_MS, start + VS_NS_PER_MS + 2);
	assert_int_equal(vs_pace_refused(pace), 4);
	assert_int_equal(vs_pace_take(pace, next - VS_NS_PER_US, 1, &next), 0);
	assert_int_equal(vs_pace_take(pace, next, 1, &next), 1);
	vs_pace_free(pace);
}

static void catching_up_ends_at_the_burst(void **state)
{
	(void)state;
	static const struct {
		int64_t burst_ns, pause_ns;
		uint32_t expected;
	} cases[] = {
		{ 0, 5 * VS_NS_PER_SEC, 1 },
		{ 100 * VS_NS_PER_MS, 5 * VS_NS_PER_SEC, 101 },
		{ 100 * VS_NS_PER_MS, 50 * VS_NS_PER_MS, 51 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_error err = { 0 };
		struct vs_pace *pace = NULL;
		int64_t start, next = 0;
		uint32_t got;

		assert_int_equal(vs_pace_open(1000, cases[i].burst_ns, &pace, &err), 0);
		start = vs_clock_mono_ns();
		vs_pace_restart(pace, start);
		got = vs_pace_take(pace, start + cases[i].pause_ns, 100000, &next);
		print_message("case %zu: %u\n", i, got);
		assert_in_range(got, cases[i].expected - 1, cases[i].expected);
		vs_pace_free(pace);
	}
}

static void a_restart_forgets_the_pause(void **state)
{
	(void)state;
	struct vs_error err = { 0 };
	struct vs_pace *pace = NULL;
	int64_t next = 0, later = vs_clock_mono_ns() + 60 * VS_NS_PER_SEC;

	assert_int_equal(vs_pace_open(1000, VS_NS_PER_SEC, &pace, &err), 0);
	vs_pace_restart(pace, later);
	assert_int_equal(vs_pace_take(pace, later, 100, &next), 1);
	vs_pace_free(pace);
}

static void a_new_rate_holds_at_once(void **state)
{
	(void)state;
	struct vs_error err = { 0 };
	struct vs_pace *pace = NULL;
	int64_t start, next = 0;
	uint64_t got = 0;

	assert_int_equal(vs_pace_open(0.01, VS_NS_PER_SEC, &pace, &err), 0);
	start = vs_clock_mono_ns();
	assert_int_equal(vs_pace_take(pace, start, 1, &next), 1);
	vs_pace_set_rate(pace, 50000);
	start = vs_clock_mono_ns();
	for (int64_t t = 0; t <= VS_NS_PER_SEC; t += VS_NS_PER_MS)
		got += vs_pace_take(pace, start + t, 1000, &next);
	assert_in_range(got, 49990, 50110);
	vs_pace_free(pace);
}

static void senseless_rates_are_refused(void **state)
{
	(void)state;
	static const double rates[] = { 0, -5, 1e10, (double)NAN, (double)INFINITY };

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct vs_error err = { 0 };
		struct vs_pace *pace = NULL;

		print_message("rate %g\n", rates[i]);
		assert_int_equal(vs_pace_open(rates[i], 0, &pace, &err), -1);
		assert_int_equal(err.code, VS_EUSAGE);
		assert_null(pace);
	}
}

struct taker {
	struct vs_pace *pace;
	int64_t until_ns;
	int64_t last_ns;
	uint64_t got;
};

static void *take_in_a_thread(void *arg)
{
	struct taker *taker = arg;
	int64_t now, next = 0;

	while ((now = vs_clock_mono_ns()) < taker->until_ns) {
		taker->got += vs_pace_take(taker->pace, now, 3, &next);
		taker->last_ns = now;
	}
	return NULL;
}

static void threads_share_one_schedule(void **state)
{
	(void)state;
	struct vs_error err = { 0 };
	struct vs_pace *pace = NULL;
	struct taker takers[4];
	pthread_t threads[4];
	uint64_t got = 0;
	int64_t start, last = 0;

	assert_int_equal(vs_pace_open(100000, VS_NS_PER_SEC, &pace, &err), 0);
	start = vs_clock_mono_ns();
	vs_pace_restart(pace, start);
	for (size_t i = 0; i < 4; i++) {
		takers[i] = (struct taker){ pace, start + VS_NS_PER_SEC, start, 0 };
		assert_int_equal(pthread_create(&threads[i], NULL, take_in_a_thread, &takers[i]),
				 0);
	}
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		got += takers[i].got;
		last = takers[i].last_ns > last ? takers[i].last_ns : last;
	}
	assert_true(got == vs_pace_granted(pace));
	/* a loaded machine may run none of them for a while, and least of all at the end */
	assert_in_range(got, (uint64_t)(last - start) / 10000 * 99 / 100,
			(uint64_t)(last - start) / 10000 + 100);
	vs_pace_free(pace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_schedule_is_exact),
		cmocka_unit_test(it_says_when_to_ask_again),
		cmocka_unit_test(catching_up_ends_at_the_burst),
		cmocka_unit_test(a_restart_forgets_the_pause),
		cmocka_unit_test(a_new_rate_holds_at_once),
		cmocka_unit_test(senseless_rates_are_refused),
		cmocka_unit_test(threads_share_one_schedule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
