/* Events about a target in trouble: what they tell, and that they are few. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "probes/trouble.h"

#define SIZE (1ULL << 30)

static char told[4096]; /* "at_s kind text\n" each */
static size_t n_told;

static int put_event(void *ctx, const struct vs_event *event, struct vs_error *err)
{
	size_t len = strlen(told);

	(void)ctx;
	(void)err;
	n_told++;
	if (len + 1 < sizeof(told))
		(void)snprintf(told + len, sizeof(told) - len, "%g %s %s\n",
			       (double)event->at_ns / 1e9, event->kind, event->text);
	return 0;
}

static int put_nothing(void *ctx, const struct vs_sample *sample, struct vs_error *err)
{
	(void)ctx;
	(void)sample;
	(void)err;
	return -1;
}

static const struct vs_sink sink = { .sample = put_nothing, .event = put_event };
static struct vs_load_counters load;
static struct vs_trouble trouble;
static int64_t now_ns;

static void begin(uint32_t block_bytes, uint64_t split_bytes)
{
	memset(&load, 0, sizeof(load));
	load.size_bytes = SIZE;
	now_ns = 0;
	told[0] = '\0';
	n_told = 0;
	vs_trouble_init(&trouble, "/dev/x", block_bytes, true, split_bytes, SIZE);
}

/* One second of `ios` reads; the reads in flight are `age_ns` old. */
static struct vs_sample second(double ios, int64_t age_ns)
{
	now_ns += VS_NS_PER_SEC;
	return (struct vs_sample){ .end_ns = now_ns,
				   .length_ns = VS_NS_PER_SEC,
				   .ios = ios,
				   .device_reads = (int64_t)ios,
				   .lat_max_ns = ios > 0 ? VS_NS_PER_MS : VS_UNKNOWN,
				   .oldest_ns = age_ns,
				   .inflight = 64,
				   .phase = VS_PHASE_LOAD };
}

static void watch(const struct vs_sample *sample, int64_t failing_since_ns)
{
	const struct vs_trouble_reading reading = { sample, &load, failing_since_ns };

	vs_trouble_watch(&trouble, &reading, &sink);
}

static void finish(void)
{
	const struct vs_sample sample = second(25000, VS_NS_PER_MS);
	const struct vs_trouble_reading reading = { &sample, &load, VS_UNKNOWN };

	vs_trouble_watch(&trouble, &reading, &sink);
	vs_trouble_finish(&trouble, &reading, &sink);
}

static void pass(int seconds, double ios)
{
	for (int i = 0; i < seconds; i++) {
		const struct vs_sample sample = second(ios, VS_NS_PER_MS);
		watch(&sample, VS_UNKNOWN);
	}
}

/* Seconds in which `n` reads fail each, beside `ios` that do not. */
static void fail_reads(int seconds, size_t kind, int errnum, uint32_t n, double ios)
{
	int64_t since_ns = now_ns;

	for (int i = 0; i < seconds; i++) {
		struct vs_sample sample = second(ios, VS_NS_PER_MS);

		load.failures[kind].errnum = errnum;
		load.failures[kind].count += n;
		sample.errors = n;
		watch(&sample, ios > 0 ? VS_UNKNOWN : since_ns);
	}
}

static void hang(int seconds)
{
	int64_t since_ns = now_ns;

	for (int i = 0; i < seconds; i++) {
		const struct vs_sample sample = second(0, now_ns + VS_NS_PER_SEC - since_ns);
		watch(&sample, VS_UNKNOWN);
	}
}

static void a_healthy_run_tells_nothing(void **state)
{
	(void)state;
	begin(4096, 0);
	pass(20, 25000);
	pass(20, 50000);
	finish();
	assert_string_equal(told, "");
}

static void bad_ranges_are_one_event_and_its_end(void **state)
{
	(void)state;
	begin(4096, 0);
	pass(5, 25000);
	fail_reads(300, 0, EIO, 7, 24000);
	fail_reads(3, 1, VS_LOAD_SHORT, 1, 24000);
	pass(20, 25000);
	finish();
	assert_string_equal(
		told, "6 io-error reads of '/dev/x' fail (7 Input/output error); the run goes on "
		      "and tries again\n"
		      "318 io-error-over '/dev/x' is read without errors again: within 5 min 3 s "
		      "failed 2,100 Input/output error, 3 came back short\n"
		      "329 io-error-total 2,103 reads of '/dev/x' failed in all: 2,100 "
		      "Input/output error, 3 came back short\n");
}

static void a_lost_target_is_told_and_when_it_is_back(void **state)
{
	(void)state;
	begin(4096, 0);
	pass(5, 25000);
	fail_reads(60, 0, ENODEV, 64, 0);
	pass(5, 25000);
	finish();
	assert_string_equal(
		told,
		"6 io-error reads of '/dev/x' fail (64 No such device); the run goes on and tries "
		"again\n"
		"7 target-lost every read of '/dev/x' has failed for 2 s (128 No such device); it "
		"is tried again once a second and taken up when it is back\n"
		"66 target-back '/dev/x' is read again: within 1 min failed 3,840 No such device\n"
		"71 io-error-total 3,840 reads of '/dev/x' failed in all: 3,840 No such device\n");
}

static void a_target_that_flaps_does_not_flood(void **state)
{
	(void)state;
	begin(4096, 0);
	for (int i = 0; i < 1000; i++) {
		fail_reads(4, 0, EIO, 10, 0);
		pass(12, 25000);
		hang(2);
		pass(4, 25000);
	}
	finish();
	print_message("%zu events\n", n_told);
	assert_in_range(n_told, 40, 80);
	assert_non_null(strstr(told, "(time no. 16)"));
}

static void a_stall_and_its_catching_up_are_one_event(void **state)
{
	(void)state;
	struct vs_sample sample;

	begin(4096, 0);
	pass(10, 25000);
	hang(6);
	sample = second(40000, VS_NS_PER_MS);
	sample.lat_max_ns = 6300 * VS_NS_PER_MS; /* it began in the second before */
	watch(&sample, VS_UNKNOWN);
	pass(1, 35000);
	pass(10, 25000);
	finish();
	assert_string_equal(told, "20 stall '/dev/x' stalled at 10 s: no read completed for 6.3 s, "
				  "64 were in flight; the 2 intervals behind it caught up, at up "
				  "to 1.6 times the rate\n");
}

static void a_long_hang_is_told_while_it_lasts(void **state)
{
	(void)state;
	begin(4096, 0);
	pass(10, 25000);
	hang(90);
	pass(10, 25000);
	finish();
	assert_string_equal(told,
			    "20 hang no read of '/dev/x' has completed for 10 s and 64 are in "
			    "flight; the run waits for them ('dmesg' may say why)\n"
			    "102 stall '/dev/x' stalled at 10 s: no read completed for 1 min "
			    "30 s, 64 were in flight\n");
}

static void a_hang_at_the_end_is_told_too(void **state)
{
	(void)state;
	begin(4096, 0);
	pass(10, 25000);
	hang(4);
	finish();
	assert_int_equal(n_told, 1);
	assert_non_null(strstr(told, "stalled at 10 s: no read completed for 4 s"));
}

static void a_slow_target_does_not_stall(void **state)
{
	(void)state;
	begin(4096, 0);
	for (int i = 0; i < 50; i++) {
		/* a read a second, and one that was submitted just now */
		const struct vs_sample sample = second(i % 2, 300 * VS_NS_PER_MS);
		watch(&sample, VS_UNKNOWN);
	}
	finish();
	assert_string_equal(told, "");
}

static void a_target_that_shrinks_is_told(void **state)
{
	(void)state;
	begin(4096, 0);
	pass(2, 25000);
	load.size_bytes = SIZE / 2;
	pass(2, 25000);
	load.size_bytes = SIZE;
	pass(2, 25000);
	finish();
	assert_string_equal(
		told,
		"3 target-shrank '/dev/x' shrank from 1073741824 to 536870912 bytes; reads stay "
		"below its new end\n"
		"5 target-grew '/dev/x' is back from 536870912 to 1073741824 bytes; all of it is "
		"read\n");
}

static void count(int seconds, int64_t ours, int64_t theirs, int64_t merged)
{
	for (int i = 0; i < seconds; i++) {
		struct vs_sample sample = second((double)ours, VS_NS_PER_MS);

		sample.device_reads = theirs;
		sample.device_merges = merged;
		watch(&sample, VS_UNKNOWN);
	}
}

static void another_count_of_the_device_is_told_once(void **state)
{
	(void)state;
	begin(4096, 0);
	count(10, 25000, 25200, 0); /* within 1 % */
	assert_string_equal(told, "");
	count(100, 25000, 780, 24220);
	assert_int_equal(n_told, 1);
	assert_non_null(strstr(told,
			       "20 device-mismatch of '/dev/x' the kernel counted 3,900 reads "
			       "where 125,000 were ours: neighbouring reads are merged"));
	begin(4096, 0);
	count(20, 25000, 26000, 0);
	assert_int_equal(n_told, 1);
	assert_non_null(strstr(told, "somebody else reads it as well"));
	begin(1 << 20, 512 << 10);
	count(20, 2500, 5000, 0);
	assert_int_equal(n_told, 1);
	assert_non_null(strstr(told, "'--bs 512k' makes one of one"));
	/* reads on their way are no difference */
	begin(4096, 0);
	count(60, 10, 20, 0);
	assert_string_equal(told, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_run_tells_nothing),
		cmocka_unit_test(bad_ranges_are_one_event_and_its_end),
		cmocka_unit_test(a_lost_target_is_told_and_when_it_is_back),
		cmocka_unit_test(a_target_that_flaps_does_not_flood),
		cmocka_unit_test(a_stall_and_its_catching_up_are_one_event),
		cmocka_unit_test(a_long_hang_is_told_while_it_lasts),
		cmocka_unit_test(a_hang_at_the_end_is_told_too),
		cmocka_unit_test(a_slow_target_does_not_stall),
		cmocka_unit_test(a_target_that_shrinks_is_told),
		cmocka_unit_test(another_count_of_the_device_is_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
