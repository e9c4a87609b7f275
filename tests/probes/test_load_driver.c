/* The load driver on real files: it counts all, stays in the target, parks, paces and stops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "probes/load.h"
#include "probes/scratch.h"

#define MIB (1024ULL * 1024)

#define FILE_BYTES (64 * MIB)

static struct vs_scratch scratch;
static struct vs_load_counters counters, later;

static int make_scratch(void **state)
{
	struct vs_error err = { 0 };

	(void)state;
	if (vs_scratch_open(".", FILE_BYTES, &scratch, &err) == 0)
		return 0;
	print_message("%s\n", err.text);
	return -1;
}

static int drop_scratch(void **state)
{
	(void)state;
	vs_scratch_release(&scratch);
	return 0;
}

static void sleep_ms(int64_t ms)
{
	(void)usleep((useconds_t)(ms * 1000));
}

static struct vs_load *open_load(const struct vs_load_options *options, uint64_t size_bytes)
{
	struct vs_load_target target = { scratch.path, size_bytes };
	struct vs_error err = { 0 };
	struct vs_load *load = NULL;

	if (vs_load_open(options, &target, 1, &load, &err) < 0)
		fail_msg("%s", err.text);
	return load;
}

static void stop_load(struct vs_load *load)
{
	struct vs_error err = { 0 };

	if (vs_load_stop(load, 20 * VS_NS_PER_SEC, &err) < 0)
		fail_msg("%s", err.text);
}

static void every_shape_reads_and_counts(void **state)
{
	(void)state;
	static const struct {
		struct vs_load_options options;
		uint64_t size_bytes;
	} cases[] = {
		{ { true, 4096, 256, 2, 1, NULL }, 64 * MIB },
		{ { false, 4096, 256, 2, 1, NULL }, 64 * MIB },
		{ { true, 4096, 1, 1, 2, NULL }, 64 * MIB },
		{ { false, 4096, 1, 1, 2, NULL }, 64 * MIB },
		{ { true, 4096, 3, 3, 2, NULL }, 64 * MIB + 777 },
		{ { false, 131072, 7, 2, 3, NULL }, 64 * MIB },
		{ { true, 4096, 4096, 1, 4, NULL }, 64 * MIB },
		{ { false, 4096, 64, 2, 5, NULL }, 4096 * 5 },
		{ { true, 4096, 64, 2, 5, NULL }, 4096 },
		{ { false, 4096, 64, 2, 5, NULL }, 8191 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct vs_load_options *options = &cases[i].options;
		struct vs_load *load = open_load(options, cases[i].size_bytes);
		uint64_t total;

		vs_load_read(load, 0, &counters);
		assert_int_equal(vs_hist_total(&counters.latency), 0);
		assert_int_equal(counters.inflight, 0);
		vs_load_set_active(load, true);
		sleep_ms(150);
		vs_load_read(load, 0, &counters);
		assert_true(counters.inflight <= options->iodepth * options->numjobs);
		assert_true(counters.inflight > 0);
		assert_true(counters.oldest_submit_ns > 0);
		stop_load(load);
		vs_load_read(load, 0, &counters);
		total = vs_hist_total(&counters.latency);
		print_message("%s bs %u depth %u jobs %u: %llu reads, %llu errors\n",
			      options->random ? "random" : "read", options->block_bytes,
			      options->iodepth, options->numjobs, (unsigned long long)total,
			      (unsigned long long)counters.errors);
		assert_true(total >= (uint64_t)options->iodepth * options->numjobs);
		assert_true(counters.bytes == total * options->block_bytes);
		assert_int_equal(counters.errors, 0);
		assert_int_equal(counters.first_errno, 0);
		assert_int_equal(counters.inflight, 0);
		assert_int_equal(counters.oldest_submit_ns, 0);
		assert_true(counters.size_bytes == cases[i].size_bytes);
		vs_load_free(load);
	}
}

static void snapshots_add_up_to_the_total(void **state)
{
	(void)state;
	struct vs_load_options options = { true, 4096, 64, 2, 1, NULL };
	struct vs_load *load = open_load(&options, FILE_BYTES);
	uint64_t sum = 0, before = 0;

	vs_load_set_active(load, true);
	for (int i = 0; i < 20; i++) {
		uint64_t total;

		sleep_ms(10);
		vs_load_read(load, 0, &counters);
		total = vs_hist_total(&counters.latency);
		assert_true(total >= before);
		sum += total - before;
		before = total;
	}
	stop_load(load);
	vs_load_read(load, 0, &counters);
	sum += vs_hist_total(&counters.latency) - before;
	assert_true(sum == vs_hist_total(&counters.latency));
	vs_load_free(load);
}

static void a_parked_load_does_nothing_and_goes_on(void **state)
{
	(void)state;
	struct vs_load_options options = { false, 4096, 32, 2, 1, NULL };
	struct vs_load *load = open_load(&options, FILE_BYTES);

	for (int round = 0; round < 5; round++) {
		vs_load_set_active(load, true);
		sleep_ms(50);
		vs_load_set_active(load, false);
		sleep_ms(250);
		vs_load_read(load, 0, &counters);
		assert_int_equal(counters.inflight, 0);
		sleep_ms(50);
		vs_load_read(load, 0, &later);
		print_message("round %d: %llu reads\n", round,
			      (unsigned long long)vs_hist_total(&later.latency));
		assert_true(vs_hist_total(&counters.latency) == vs_hist_total(&later.latency));
		assert_true(vs_hist_total(&later.latency) > (uint64_t)round * 64);
	}
	stop_load(load);
	vs_load_free(load);
}

static double mean_latency_ns(const struct vs_hist *hist)
{
	double sum = 0;

	for (size_t i = 0; i < VS_HIST_BUCKETS; i++)
		sum += (double)hist->count[i] * (double)vs_hist_value_ns(i);
	return sum / (double)vs_hist_total(hist);
}

struct pace_case {
	double rate_iops;
	uint32_t iodepth, numjobs;
	bool queueing;
};

/* Two seconds of it: is the rate within 1 %, and the latency what a queue makes of it? */
static bool pace_holds(const struct pace_case *c)
{
	struct vs_error err = { 0 };
	struct vs_pace *pace = NULL;
	struct vs_load_options options = { true, 4096, c->iodepth, c->numjobs, 1, NULL };
	struct vs_load *load;
	int64_t start_ns;
	double seconds, rate, mean_ms;
	double queue_ms = c->iodepth * c->numjobs / c->rate_iops * 1e3;

	assert_int_equal(vs_pace_open(c->rate_iops, 2 * VS_NS_PER_SEC, &pace, &err), 0);
	vs_pace_set_queueing(pace, c->queueing);
	options.pace = pace;
	load = open_load(&options, FILE_BYTES);
	sleep_ms(20); /* a pause must not be caught up */
	start_ns = vs_clock_mono_ns();
	vs_pace_restart(pace, start_ns);
	vs_load_set_active(load, true);
	sleep_ms(2000);
	vs_load_read(load, 0, &counters);
	seconds = (double)(vs_clock_mono_ns() - start_ns) / 1e9;
	rate = (double)vs_hist_total(&counters.latency) / seconds;
	mean_ms = mean_latency_ns(&counters.latency) / 1e6;
	print_message("asked %.0f got %.1f IOPS, mean %.3f ms\n", c->rate_iops, rate, mean_ms);
	stop_load(load);
	vs_load_free(load);
	vs_pace_free(pace);
	return fabs(rate - c->rate_iops) <= c->rate_iops * 0.01 &&
	       (!c->queueing || fabs(mean_ms - queue_ms) <= queue_ms * 0.1);
}

static void the_pace_holds_within_one_percent(void **state)
{
	(void)state;
	static const struct pace_case cases[] = {
		{ 100, 1, 1, false },
		{ 3000, 256, 4, false },
		{ 5000, 32, 2, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int tries = 1;

		/* the disk under the file may be another's for two seconds */
		while (!pace_holds(&cases[i]))
			assert_true(++tries <= 5);
	}
}

static void errors_name_the_remedy(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		struct vs_load_options options;
		const char *word;
	} cases[] = {
		{ "/no/such/target", { true, 4096, 1, 1, 1, NULL }, "/no/such/target" },
		{ NULL, { true, 1000, 1, 1, 1, NULL }, "--bs" },
		{ NULL, { true, 4096, 0, 1, 1, NULL }, "--iodepth" },
		{ NULL, { true, 4096, 1, 0, 1, NULL }, "--numjobs" },
		{ NULL, { true, 256U << 20, 1, 1, 1, NULL }, "--bs" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_load_target target = { cases[i].path ? cases[i].path : scratch.path,
						 FILE_BYTES };
		struct vs_error err = { 0 };
		struct vs_load *load = NULL;
		int rc = vs_load_open(&cases[i].options, &target, 1, &load, &err);

		print_message("case %zu: %s\n", i, err.text);
		assert_int_equal(rc, -1);
		assert_non_null(strstr(err.text, cases[i].word));
		assert_null(load);
	}
}

static void a_target_that_shrinks_is_read_below_its_new_end(void **state)
{
	(void)state;
	for (int random = 0; random <= 1; random++) {
		struct vs_load_options options = { random, 4096, 32, 2, 1, NULL };
		struct vs_load *load = open_load(&options, FILE_BYTES);
		uint64_t errors;

		vs_load_set_active(load, true);
		sleep_ms(100);
		assert_int_equal(truncate(scratch.path, 16 * MIB), 0);
		sleep_ms(400);
		vs_load_read(load, 0, &counters);
		errors = counters.errors;
		print_message("random %d: %llu short\n", random, (unsigned long long)errors);
		assert_true(errors > 0);
		assert_int_equal(counters.first_errno, VS_LOAD_SHORT);
		assert_int_equal(counters.failures[0].errnum, VS_LOAD_SHORT);
		assert_true(counters.failures[0].count == errors);
		assert_true(counters.size_bytes == 16 * MIB);
		sleep_ms(200);
		vs_load_read(load, 0, &later);
		assert_true(later.errors == errors);
		assert_true(vs_hist_total(&later.latency) > vs_hist_total(&counters.latency));
		assert_int_equal(later.failing_since_ns, 0);
		stop_load(load);
		vs_load_free(load);
		assert_int_equal(truncate(scratch.path, FILE_BYTES), 0);
	}
}

static void an_emptied_target_is_retried_with_back_off_and_comes_back(void **state)
{
	(void)state;
	struct vs_load_options options = { true, 4096, 16, 1, 1, NULL };
	struct vs_load *load = open_load(&options, FILE_BYTES);
	uint64_t total;

	vs_load_set_active(load, true);
	sleep_ms(50);
	assert_int_equal(truncate(scratch.path, 0), 0);
	sleep_ms(1500);
	vs_load_read(load, 0, &counters);
	print_message("%llu errors in 1.5 s of 16 slots\n", (unsigned long long)counters.errors);
	assert_true(counters.failing_since_ns > 0);
	/* 1 + 2 + ... + 512 ms: ten rounds, not a spinning core */
	assert_in_range(counters.errors, 16 * 3, 16 * 40);
	total = vs_hist_total(&counters.latency);
	assert_int_equal(truncate(scratch.path, FILE_BYTES), 0);
	sleep_ms(2500);
	vs_load_read(load, 0, &counters);
	assert_int_equal(counters.failing_since_ns, 0);
	assert_true(vs_hist_total(&counters.latency) > total + 16);
	assert_true(counters.size_bytes == FILE_BYTES);
	stop_load(load);
	vs_load_free(load);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_shape_reads_and_counts),
		cmocka_unit_test(snapshots_add_up_to_the_total),
		cmocka_unit_test(a_parked_load_does_nothing_and_goes_on),
		cmocka_unit_test(the_pace_holds_within_one_percent),
		cmocka_unit_test(errors_name_the_remedy),
		cmocka_unit_test(a_target_that_shrinks_is_read_below_its_new_end),
		cmocka_unit_test(an_emptied_target_is_retried_with_back_off_and_comes_back),
	};

	return cmocka_run_group_tests(tests, make_scratch, drop_scratch);
}
