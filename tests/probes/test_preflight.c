/* The preflight: each finding from a made-up /proc and /sys, and a real file system on a loop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "probes/preflight.h"
#include "probes/scratch.h"

static struct vs_scratch scratch;
static struct vs_findings findings;
static char root[] = "preflight-root";

static int make_scratch(void **state)
{
	struct vs_error err = { 0 };

	(void)state;
	if (vs_scratch_open(".", 1 << 20, &scratch, &err) == 0)
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

/* Writes a file under the made-up root, and the folders above it. */
static void put(const char *name, const char *text)
{
	char path[PATH_MAX];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s%s", root, name);
	for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
		*slash = '/';
	}
	file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* A machine without anything to find. */
static void put_healthy(void)
{
	put("/proc/sys/fs/aio-max-nr", "65536\n");
	put("/proc/sys/fs/aio-nr", "1000\n");
	put("/proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable:    8000000 kB\n");
	put("/proc/self/mountinfo", "20 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
	put("/proc/swaps", "Filename Type Size Used Priority\n");
	put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
}

static const struct vs_finding *find(const char *kind)
{
	for (size_t i = 0; i < findings.n; i++)
		if (strcmp(findings.items[i].kind, kind) == 0)
			return &findings.items[i];
	return NULL;
}

static void check(const struct vs_load_options *load, const struct vs_target_info *info,
		  double expected_iops)
{
	const char *path = scratch.path;
	struct vs_preflight preflight = { .load = load,
					  .paths = &path,
					  .infos = info,
					  .n_targets = 1,
					  .expected_iops = expected_iops,
					  .root = root };

	vs_preflight_check(&preflight, &findings);
	for (size_t i = 0; i < findings.n; i++)
		print_message("%s %s: %s\n", findings.items[i].refuse ? "refuse" : "notice",
			      findings.items[i].kind, findings.items[i].text);
}

static struct vs_target_info plain_file(void)
{
	return (struct vs_target_info){ .size_bytes = 1 << 20,
					.logical_bytes = 512,
					.physical_bytes = 4096,
					.offset_align = 512,
					.memory_align = 512 };
}

static void a_healthy_machine_has_no_findings(void **state)
{
	(void)state;
	struct vs_target_info info = plain_file();
	struct vs_load_options load = { true, 4096, 256, 1, 1, NULL };

	put_healthy();
	check(&load, &info, 100000);
	assert_int_equal(findings.n, 0);
}

static void each_trouble_is_found_with_its_remedy(void **state)
{
	(void)state;
	static const struct {
		const char *name, *text; /* of a file under the root; NULL: all healthy */
		struct vs_load_options load;
		double expected_iops;
		const char *kind;
		bool refuse;
		const char *remedy;
	} cases[] = {
		{ "/proc/sys/fs/aio-nr",
		  "65000\n",
		  { true, 4096, 256, 4, 1, NULL },
		  0,
		  "aio-max-nr",
		  true,
		  "sysctl -w fs.aio-max-nr=1048576" },
		{ NULL,
		  NULL,
		  { true, 4096, 65536, 4, 1, NULL },
		  0,
		  "aio-max-nr",
		  true,
		  "--iodepth" },
		{ "/proc/meminfo",
		  "MemAvailable: 1000 kB\n",
		  { true, 4096, 256, 4, 1, NULL },
		  0,
		  "memory",
		  true,
		  "--numjobs" },
		{ "/proc/meminfo",
		  "MemAvailable: 12000 kB\n",
		  { true, 4096, 256, 4, 1, NULL },
		  0,
		  "memory",
		  false,
		  "--bs" },
		{ "/sys/devices/system/clocksource/clocksource0/current_clocksource",
		  "hpet\n",
		  { true, 4096, 256, 1, 1, NULL },
		  0,
		  "clock-source",
		  false,
		  "tsc" },
		{ NULL, NULL, { true, 4096, 256, 1, 1, NULL }, 1e9, "cpus", false, "more CPUs" },
		{ NULL, NULL, { true, 4096, 1, 60000, 1, NULL }, 0, "cpus", false, "--numjobs" },
		{ NULL,
		  NULL,
		  { true, 4096, 1, 1048576, 1, NULL },
		  0,
		  "open-files",
		  true,
		  "ulimit -n" },
		{ NULL, NULL, { true, 1000, 1, 1, 1, NULL }, 0, "alignment", true, "--bs" },
		{ NULL, NULL, { true, 2U << 20, 1, 1, 1, NULL }, 0, "alignment", true, "--bs" },
		{ NULL, NULL, { true, 512, 1, 1, 1, NULL }, 0, "sectors", false, "--bs 4096" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_target_info info = plain_file();
		const struct vs_finding *finding;

		print_message("case %zu, %s\n", i, cases[i].kind);
		put_healthy();
		if (cases[i].name)
			put(cases[i].name, cases[i].text);
		check(&cases[i].load, &info, cases[i].expected_iops);
		finding = find(cases[i].kind);
		assert_non_null(finding);
		if (!finding)
			return; /* what assert_non_null() does, and a compiler does not know */
		assert_int_equal(finding->refuse, cases[i].refuse);
		assert_non_null(strstr(finding->text, cases[i].remedy));
		assert_null(strchr(finding->text, '\n'));
	}
}

static void users_of_a_device_are_found(void **state)
{
	(void)state;
	static const struct {
		const char *name, *text;
		const char *kind, *word;
	} cases[] = {
		{ "/proc/self/mountinfo", "20 1 8:16 / /data rw - ext4 /dev/sdb rw\n", "mounted",
		  "at '/data'" },
		{ "/proc/self/mountinfo", "20 1 8:17 / /part rw - xfs /dev/sdb1 rw\n", "mounted",
		  "its partition sdb1" },
		{ "/sys/dev/block/8:16/holders/dm-0/x", "", "held", "the LVM volume vg-data" },
		{ "/sys/dev/block/8:17/holders/md0/x", "", "held", "the RAID array md0" },
	};
	struct vs_load_options load = { true, 4096, 1, 1, 1, NULL };
	struct vs_target_info info = plain_file();

	info.is_device = true;
	(void)snprintf(info.device, sizeof(info.device), "8:16");
	(void)snprintf(info.kernel_name, sizeof(info.kernel_name), "sdb");
	put("/sys/dev/block/8:16/sdb1/partition", "1\n");
	put("/sys/dev/block/8:16/sdb1/dev", "8:17\n");
	put("/sys/class/block/dm-0/dm/uuid", "LVM-abc\n");
	put("/sys/class/block/dm-0/dm/name", "vg-data\n");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool found = false;

		print_message("case %zu, %s\n", i, cases[i].word);
		put_healthy();
		put(cases[i].name, cases[i].text);
		check(&load, &info, 0);
		for (size_t k = 0; k < findings.n; k++)
			found = found || (strcmp(findings.items[k].kind, cases[i].kind) == 0 &&
					  strstr(findings.items[k].text, cases[i].word));
		assert_true(found);
		assert_false(findings.items[0].refuse);
	}
}

static void a_swap_file_is_found(void **state)
{
	(void)state;
	struct vs_load_options load = { true, 4096, 1, 1, 1, NULL };
	struct vs_target_info info = plain_file();
	char text[256];

	put_healthy();
	(void)snprintf(text, sizeof(text), "Filename Type Size Used Priority\n%s file 1 0 -2\n",
		       scratch.path);
	put("/proc/swaps", text);
	check(&load, &info, 0);
	assert_non_null(find("swap"));
	put_healthy();
}

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

static void a_mounted_file_system_is_found_on_a_real_device(void **state)
{
	(void)state;
	char device[64], command[512];
	const char *path = device;
	struct vs_error err = { 0 };
	struct vs_target_info info;
	struct vs_load_options load = { true, 4096, 1, 1, 1, NULL };
	struct vs_preflight preflight = {
		.load = &load, .paths = &path, .infos = &info, .n_targets = 1
	};

	if (geteuid() != 0 || !run("truncate -s 16M preflight.img && mkfs.ext4 -q preflight.img "
				   "2>&1 && losetup -f --show preflight.img 2>/dev/null",
				   device, sizeof(device))) {
		print_message("skipped: no root, no mkfs.ext4 or no loop device\n");
		skip();
	}
	(void)snprintf(command, sizeof(command), "mkdir -p preflight.mnt && mount %s preflight.mnt",
		       device);
	if (run(command, NULL, 0) && vs_target_inspect(device, &info, &err) == 0)
		vs_preflight_check(&preflight, &findings);
	(void)snprintf(command, sizeof(command),
		       "umount preflight.mnt; losetup -d %s; rm -f preflight.img; "
		       "rmdir preflight.mnt",
		       device);
	(void)run(command, NULL, 0);
	if (err.code != VS_OK)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < findings.n; i++)
		print_message("%s: %s\n", findings.items[i].kind, findings.items[i].text);
	assert_non_null(find("mounted"));
	assert_non_null(strstr(find("mounted")->text, "preflight.mnt"));
	assert_non_null(find("file-system"));
	assert_non_null(strstr(find("file-system")->text, "ext4"));
}

static void check_one(const char *path)
{
	struct vs_target_info info = plain_file();
	struct vs_load_options load = { true, 4096, 1, 1, 1, NULL };
	struct vs_preflight preflight = {
		.load = &load, .paths = &path, .infos = &info, .n_targets = 1, .root = root
	};

	put_healthy();
	vs_preflight_check(&preflight, &findings);
}

static void a_file_that_no_disk_holds_is_found(void **state)
{
	(void)state;
	static const char in_memory[] = "/dev/shm/volscale-test-preflight";
	const struct vs_finding *finding;
	struct statfs fs;
	FILE *file = fopen("sparse", "we");

	assert_non_null(file);
	assert_true(fputs("a block that is there", file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(truncate("sparse", 8 << 20), 0);
	check_one("sparse");
	assert_int_equal(unlink("sparse"), 0);
	finding = find("sparse");
	if (finding) {
		assert_non_null(strstr(finding->text, "of 8 MiB"));
		assert_false(finding->refuse);
	} else {
		assert_non_null(find("in-memory")); /* the test itself runs in memory */
	}
	if (statfs("/dev/shm", &fs) < 0 || fs.f_type != TMPFS_MAGIC)
		return;
	file = fopen(in_memory, "we");
	assert_non_null(file);
	assert_int_equal(fclose(file), 0);
	check_one(in_memory);
	assert_int_equal(unlink(in_memory), 0);
	finding = find("in-memory");
	assert_non_null(finding);
	if (finding)
		assert_non_null(strstr(finding->text, "ext4 or xfs"));
}

static void findings_beyond_the_room_are_counted(void **state)
{
	(void)state;
	memset(&findings, 0, sizeof(findings));
	for (int i = 0; i < VS_FINDINGS_MAX + 3; i++)
		vs_findings_add(&findings, false, "x", "number %d", i);
	assert_int_equal(findings.n, VS_FINDINGS_MAX);
	assert_int_equal(findings.lost, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_machine_has_no_findings),
		cmocka_unit_test(each_trouble_is_found_with_its_remedy),
		cmocka_unit_test(users_of_a_device_are_found),
		cmocka_unit_test(a_swap_file_is_found),
		cmocka_unit_test(a_mounted_file_system_is_found_on_a_real_device),
		cmocka_unit_test(a_file_that_no_disk_holds_is_found),
		cmocka_unit_test(findings_beyond_the_room_are_counted),
	};

	return cmocka_run_group_tests(tests, make_scratch, drop_scratch);
}
