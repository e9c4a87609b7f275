/* The load driver on a real block device: what the device counts, and what happens when it fails:
 * bad ranges, loss, shrinking, hanging.
 *
 * The device is a loop over a file. Cutting the file makes the reads behind its end fail with EIO;
 * telling the loop its new size shrinks the device; a throttle of one byte a second hangs it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/clock.h"
#include "probes/load.h"

#define MIB        (1024ULL * 1024)
#define FILE_BYTES (32 * MIB)
#define IMAGE      "trouble.img"
#define CGROUP     "volscale-test-trouble"

static char device[64];
static struct vs_load_counters counters, later;

/* Runs a command; its first line of output goes to out (may be NULL). */
static bool run(const char *command, char *out, size_t size)
{
	FILE *pipe = popen(command, "re"); // NOLINT(cert-env33-c): the commands are constants
	bool got;

	if (!pipe)
		return false;
	got = !out || fgets(out, (int)size, pipe) != NULL;
	if (out && got)
		out[strcspn(out, "\n")] = '\0';
	return pclose(pipe) == 0 && got;
}

static int make_device(void **state)
{
	(void)state;
	device[0] = '\0';
	if (geteuid() != 0 ||
	    !run("head -c 32M /dev/urandom >" IMAGE " && losetup -f --show " IMAGE " 2>/dev/null",
		 device, sizeof(device)))
		device[0] = '\0';
	return 0;
}

static int drop_device(void **state)
{
	char command[128];

	(void)state;
	if (device[0] != '\0') {
		(void)snprintf(command, sizeof(command), "losetup -d %s", device);
		(void)run(command, NULL, 0);
	}
	(void)unlink(IMAGE);
	return 0;
}

static void need_device(void)
{
	if (device[0] != '\0')
		return;
	print_message("skipped: no root or no loop device\n");
	skip();
}

static void sleep_ms(int64_t ms)
{
	(void)usleep((useconds_t)(ms * 1000));
}

static struct vs_load *open_load(bool random, uint32_t iodepth)
{
	struct vs_load_options options = {
		.random = random, .block_bytes = 4096, .iodepth = iodepth, .numjobs = 2, .seed = 1
	};
	struct vs_load_target target = { device, FILE_BYTES };
	struct vs_error err = { 0 };
	struct vs_load *load = NULL;

	if (vs_load_open(&options, &target, 1, &load, &err) < 0)
		fail_msg("%s", err.text);
	return load;
}

/* counters: the final ones. */
static void close_load(struct vs_load *load)
{
	struct vs_error err = { 0 };

	if (vs_load_stop(load, 20 * VS_NS_PER_SEC, &err) < 0)
		fail_msg("%s", err.text);
	vs_load_read(load, 0, &counters);
	vs_load_free(load);
}

/* Reads and merged reads that the kernel has counted for the device. */
static void read_device_counts(unsigned long long *reads_out, unsigned long long *merges_out)
{
	char path[PATH_MAX], text[256];
	FILE *file;

	(void)snprintf(path, sizeof(path), "/sys/class/block/%s/stat", strrchr(device, '/') + 1);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_non_null(fgets(text, sizeof(text), file));
	assert_int_equal(fclose(file), 0);
	assert_int_equal(sscanf(text, "%llu %llu", reads_out, merges_out), 2); // NOLINT
}

static void the_device_counts_what_we_count(void **state)
{
	(void)state;
	static const struct {
		bool random;
		uint32_t iodepth;
	} cases[] = { { false, 256 }, { false, 32 }, { false, 1 }, { true, 256 } };

	need_device();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_load *load = open_load(cases[i].random, cases[i].iodepth);
		unsigned long long reads, merges, reads_after, merges_after;
		double ours, theirs;

		read_device_counts(&reads, &merges);
		vs_load_set_active(load, true);
		sleep_ms(500);
		close_load(load);
		read_device_counts(&reads_after, &merges_after);
		ours = (double)vs_hist_total(&counters.latency);
		theirs = (double)(reads_after - reads);
		print_message("%s depth %u: %.0f of ours, %.0f of the device, %llu merged\n",
			      cases[i].random ? "random" : "read", cases[i].iodepth, ours, theirs,
			      merges_after - merges);
		assert_true(ours > 0);
		assert_true(fabs(theirs - ours) <= ours * 0.01);
		assert_true((double)(merges_after - merges) <= ours * 0.01);
	}
}

static void set_image_size(uint64_t bytes)
{
	assert_int_equal(truncate(IMAGE, (off_t)bytes), 0);
}

static void tell_the_loop(void)
{
	char command[128];

	(void)snprintf(command, sizeof(command), "losetup -c %s", device);
	assert_true(run(command, NULL, 0));
}

static void a_bad_range_is_counted_and_the_rest_read(void **state)
{
	(void)state;
	struct vs_load *load;
	uint64_t good, bad;

	need_device();
	load = open_load(true, 16);
	vs_load_set_active(load, true);
	set_image_size(FILE_BYTES / 2); /* the device keeps its size: its upper half is bad */
	sleep_ms(700);
	vs_load_read(load, 0, &counters);
	good = vs_hist_total(&counters.latency);
	bad = counters.errors;
	print_message("%llu good, %llu bad\n", (unsigned long long)good, (unsigned long long)bad);
	assert_int_equal(counters.first_errno, EIO);
	assert_int_equal(counters.failures[0].errnum, EIO);
	assert_true(counters.failures[0].count == bad);
	assert_true(bad > 16);
	sleep_ms(300);
	vs_load_read(load, 0, &later);
	assert_true(vs_hist_total(&later.latency) > good);
	assert_true(later.errors > bad);
	assert_true(later.size_bytes == FILE_BYTES);
	set_image_size(FILE_BYTES);
	close_load(load);
}

static void a_lost_device_is_retried_until_it_is_back(void **state)
{
	(void)state;
	struct vs_load *load;
	uint64_t good;

	need_device();
	load = open_load(true, 8);
	vs_load_set_active(load, true);
	sleep_ms(100);
	set_image_size(0);
	sleep_ms(3500);
	vs_load_read(load, 0, &counters);
	good = vs_hist_total(&counters.latency);
	print_message("%llu good, %llu bad, opened again %llu times\n", (unsigned long long)good,
		      (unsigned long long)counters.errors, (unsigned long long)counters.reopened);
	assert_true(counters.failing_since_ns > 0);
	assert_true(counters.reopened > 0);
	/* with back-off: some 13 rounds of 16 slots, not as fast as errors come */
	assert_in_range(counters.errors, 16, 16 * 40);
	set_image_size(FILE_BYTES);
	sleep_ms(2500);
	vs_load_read(load, 0, &later);
	assert_int_equal(later.failing_since_ns, 0);
	assert_true(vs_hist_total(&later.latency) > good + 100);
	close_load(load);
}

static void a_device_that_shrinks_is_read_below_its_new_end(void **state)
{
	(void)state;
	struct vs_load *load;
	uint64_t errors;

	need_device();
	load = open_load(true, 16);
	vs_load_set_active(load, true);
	sleep_ms(100);
	set_image_size(FILE_BYTES / 4);
	tell_the_loop();
	sleep_ms(1000);
	vs_load_read(load, 0, &counters);
	errors = counters.errors;
	print_message("%llu errors, now %llu bytes\n", (unsigned long long)errors,
		      (unsigned long long)counters.size_bytes);
	assert_true(errors > 0);
	assert_true(counters.size_bytes == FILE_BYTES / 4);
	sleep_ms(300);
	vs_load_read(load, 0, &later);
	assert_true(later.errors == errors);
	assert_true(vs_hist_total(&later.latency) > vs_hist_total(&counters.latency));
	close_load(load);
	set_image_size(FILE_BYTES);
	tell_the_loop();
}

static bool write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");
	bool ok;

	if (!file)
		return false;
	ok = fputs(text, file) >= 0;
	return fclose(file) == 0 && ok;
}

/* A cgroup with a limit of one byte a second on the device, or with none. False: not here. */
static bool set_throttle(const char *group, bool version_2, bool on)
{
	char path[PATH_MAX], text[64];
	struct stat st;

	if (stat(device, &st) < 0)
		return false;
	(void)snprintf(path, sizeof(path), "%s/%s", group,
		       version_2 ? "io.max" : "blkio.throttle.read_bps_device");
	(void)snprintf(text, sizeof(text), "%u:%u %s%s", major(st.st_rdev), minor(st.st_rdev),
		       version_2 ? "rbps=" : "",
		       on          ? "1"
		       : version_2 ? "max"
				   : "0");
	return write_text(path, text);
}

static bool enter_cgroup(char *group, size_t size, bool *version_2_out)
{
	char path[PATH_MAX];
	bool version_2 = access("/sys/fs/cgroup/blkio", F_OK) != 0;

	*version_2_out = version_2;
	(void)snprintf(group, size, "/sys/fs/cgroup/%s" CGROUP, version_2 ? "" : "blkio/");
	if (version_2)
		(void)write_text("/sys/fs/cgroup/cgroup.subtree_control", "+io");
	if (mkdir(group, 0700) != 0 && errno != EEXIST)
		return false;
	(void)snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	return write_text(path, "0");
}

static void leave_cgroup(const char *group, bool version_2)
{
	(void)write_text(version_2 ? "/sys/fs/cgroup/cgroup.procs"
				   : "/sys/fs/cgroup/blkio/cgroup.procs",
			 "0");
	(void)rmdir(group);
}

static void a_hang_shows_in_flight_and_its_age(void **state)
{
	(void)state;
	char group[128];
	bool version_2;
	struct vs_load *load;
	struct vs_error err = { 0 };
	uint64_t good;
	int64_t age_ms;

	need_device();
	if (!enter_cgroup(group, sizeof(group), &version_2) ||
	    !set_throttle(group, version_2, false)) {
		print_message("skipped: no cgroup that limits reads\n");
		skip();
	}
	load = open_load(true, 16);
	vs_load_set_active(load, true);
	sleep_ms(100);
	assert_true(set_throttle(group, version_2, true));
	sleep_ms(1500);
	vs_load_read(load, 0, &counters);
	good = vs_hist_total(&counters.latency);
	age_ms = (vs_clock_mono_ns() - counters.oldest_submit_ns) / VS_NS_PER_MS;
	print_message("%llu good, in flight %u, oldest %lld ms\n", (unsigned long long)good,
		      counters.inflight, (long long)age_ms);
	assert_int_equal(counters.inflight, 32);
	assert_in_range(age_ms, 1000, 1700);
	assert_int_equal(counters.errors, 0);
	assert_true(set_throttle(group, version_2, false));
	sleep_ms(1500);
	vs_load_read(load, 0, &later);
	print_message("%llu good after it\n", (unsigned long long)vs_hist_total(&later.latency));
	assert_true(vs_hist_total(&later.latency) > good + 32);
	assert_true(vs_hist_max_ns(&later.latency) > VS_NS_PER_SEC);
	/* a stop in a hang gives up when told, and says so */
	assert_true(set_throttle(group, version_2, true));
	sleep_ms(200);
	assert_int_equal(vs_load_stop(load, 300 * VS_NS_PER_MS, &err), -1);
	print_message("%s\n", err.text);
	assert_non_null(strstr(err.text, "hung"));
	assert_true(set_throttle(group, version_2, false));
	/* here the hang ends after all, so nothing is left behind */
	assert_int_equal(vs_load_stop(load, 20 * VS_NS_PER_SEC, NULL), 0);
	vs_load_free(load);
	leave_cgroup(group, version_2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_device_counts_what_we_count),
		cmocka_unit_test(a_bad_range_is_counted_and_the_rest_read),
		cmocka_unit_test(a_lost_device_is_retried_until_it_is_back),
		cmocka_unit_test(a_device_that_shrinks_is_read_below_its_new_end),
		cmocka_unit_test(a_hang_shows_in_flight_and_its_age),
	};

	return cmocka_run_group_tests(tests, make_device, drop_device);
}
