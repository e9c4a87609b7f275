/* The load driver on real files: it counts all, stays in the target, parks, paces and stops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
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

static void reading_leaves_the_access_time(void **state)
{
	(void)state;
	/* long ago: any read would renew it, also on a file system mounted relatime */
	const struct timespec times[2] = { { .tv_sec = 1000 }, { .tv_nsec = UTIME_NOW } };
	struct vs_load_options options = { true, 4096, 8, 1, 1, NULL };
	struct vs_load *load;
	struct stat st;

	assert_int_equal(utimensat(AT_FDCWD, scratch.path, times, 0), 0);
	load = open_load(&options, FILE_BYTES);
	vs_load_set_active(load, true);
	sleep_ms(50);
	stop_load(load);
	vs_load_read(load, 0, &counters);
	vs_load_free(load);
	assert_true(vs_hist_total(&counters.latency) > 0);
	assert_int_equal(stat(scratch.path, &st), 0);
	assert_int_equal(st.st_atim.tv_sec, 1000);
}

/* Whose file it is not may read it, but not without touching the access time. */
static void a_target_of_another_user_is_read(void **state)
{
	(void)state;
	struct vs_load_options options = { true, 4096, 8, 1, 1, NULL };
	struct vs_load_target target = { scratch.path, FILE_BYTES };
	struct vs_error err = { 0 };
	struct vs_load *load = NULL;
	int fd, rc;

	if (geteuid() != 0) {
		print_message("skipped: no root\n");
		skip();
	}
	assert_int_equal(chmod(scratch.path, 0644), 0);
	(void)setfsuid(65534);
	fd = open(scratch.path, O_RDONLY | O_CLOEXEC);
	rc = vs_load_open(&options, &target, 1, &load, &err);
	(void)setfsuid(0);
	if (fd < 0) {
		print_message("skipped: others do not get to %s\n", scratch.path);
		skip();
	}
	assert_int_equal(close(fd), 0);
	if (rc < 0)
		fail_msg("%s", err.text);
	stop_load(load);
	vs_load_free(load);
}

/* The memory that asks for huge pages, and how much of it lies in none of its own. */
static void count_huge(unsigned long long *asking_out, unsigned long long *shared_out)
{
	FILE *file = fopen("/proc/self/smaps", "re");
	unsigned long long start = 0, end = 0;
	char line[512];

	*asking_out = *shared_out = 0;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		unsigned long long a, b;

		if (sscanf(line, "%llx-%llx ", &a, &b) == 2) { // NOLINT(cert-err34-c)
			start = a;
			end = b;
		} else if (strncmp(line, "VmFlags:", 8) == 0 && strstr(line, " hg")) {
			*asking_out += end - start;
			*shared_out += start % (2 * MIB) + end % (2 * MIB);
		}
	}
	assert_int_equal(fclose(file), 0);
}

static void jobs_share_no_huge_page(void **state)
{
	(void)state;
	static const struct {
		uint32_t iodepth, numjobs;
		uint64_t huge_bytes; /* of a job */
	} cases[] = {
		{ 1, 3, 0 },         { 255, 2, 0 },       { 256, 2, 2 * MIB },
		{ 257, 3, 2 * MIB }, { 512, 2, 2 * MIB }, { 513, 2, 4 * MIB },
	};

	if (access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0) {
		print_message("skipped: a kernel without huge pages\n");
		skip();
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_load_options options = { .block_bytes = 4096,
						   .iodepth = cases[i].iodepth,
						   .numjobs = cases[i].numjobs };
		unsigned long long before, asking, shared;
		struct vs_load *load;

		count_huge(&before, &shared);
		load = open_load(&options, FILE_BYTES);
		count_huge(&asking, &shared);
		stop_load(load);
		vs_load_free(load);
		assert_true(asking - before == cases[i].huge_bytes * cases[i].numjobs);
		assert_int_equal(shared, 0);
	}
}

static void buffers_are_whole_pages(void **state)
{
	(void)state;
	static const struct {
		uint32_t block_bytes, iodepth;
		uint64_t bytes; /* with pages of 4 KiB */
	} cases[] = {
		{ 512, 1, 4096 },       { 512, 17, 12288 },     { 4096, 255, 255ULL * 4096 },
		{ 4096, 256, 2 * MIB }, { 4096, 512, 2 * MIB }, { 4096, 513, 4 * MIB },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_load_options options = { .block_bytes = cases[i].block_bytes,
						   .iodepth = cases[i].iodepth };
		uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

		assert_true(vs_load_buffers_bytes(&options) ==
			    (cases[i].bytes + page - 1) / page * page);
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
		cmocka_unit_test(reading_leaves_the_access_time),
		cmocka_unit_test(a_target_of_another_user_is_read),
		cmocka_unit_test(jobs_share_no_huge_page),
		cmocka_unit_test(buffers_are_whole_pages),
		cmocka_unit_test(errors_name_the_remedy),
		cmocka_unit_test(a_target_that_shrinks_is_read_below_its_new_end),
		cmocka_unit_test(an_emptied_target_is_retried_with_back_off_and_comes_back),
	};

	return cmocka_run_group_tests(tests, make_scratch, drop_scratch);
}
