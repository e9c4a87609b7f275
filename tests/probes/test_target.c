/* What a target is found to be, and what is said of one that is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probes/scratch.h"
#include "probes/target.h"

static struct vs_scratch scratch;

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

static void a_file_is_described(void **state)
{
	(void)state;
	struct vs_target_info info;
	struct vs_error err = { 0 };

	if (vs_target_inspect(scratch.path, &info, &err) < 0)
		fail_msg("%s", err.text);
	assert_false(info.is_device);
	assert_int_equal(info.size_bytes, 1 << 20);
	assert_true(info.offset_align > 0 && (info.offset_align & (info.offset_align - 1)) == 0);
	assert_true(info.memory_align > 0 && (info.memory_align & (info.memory_align - 1)) == 0);
	/* where there is a device, its counters exist under the name and the number */
	if (info.device[0] != '\0') {
		char path[256];

		(void)snprintf(path, sizeof(path), "/sys/dev/block/%s/stat", info.device);
		assert_int_equal(access(path, R_OK), 0);
		(void)snprintf(path, sizeof(path), "/sys/class/block/%s/stat", info.kernel_name);
		assert_int_equal(access(path, R_OK), 0);
	}
}

static void what_is_no_target_is_refused_by_name(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		const char *word;
	} cases[] = {
		{ "/dev/no-such-volume", "no such device" },
		{ "/", "directory" },
		{ "/dev/null", "character device" },
		{ "test-pipe", "pipe" },
		{ "test-empty", "empty" },
		{ "CMakeCache.txt/x", "no such device" },
	};
	FILE *empty = fopen("test-empty", "we");

	assert_non_null(empty);
	assert_int_equal(fclose(empty), 0);
	(void)unlink("test-pipe");
	assert_int_equal(mkfifo("test-pipe", 0600), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_target_info info;
		struct vs_error err = { 0 };

		assert_int_equal(vs_target_inspect(cases[i].path, &info, &err), -1);
		print_message("%s\n", err.text);
		assert_int_equal(err.code, VS_EUSAGE);
		assert_non_null(strstr(err.text, cases[i].word));
		assert_non_null(strstr(err.text, cases[i].path));
		assert_null(strchr(err.text, '\n'));
	}
	assert_int_equal(access("/dev/no-such-volume", F_OK), -1);
	(void)unlink("test-pipe");
	(void)unlink("test-empty");
}

static void blocks_are_held_against_the_alignment(void **state)
{
	(void)state;
	static const struct {
		uint32_t align;
		uint64_t block_bytes;
		int expected;
	} cases[] = {
		{ 512, 512, 0 },
		{ 512, 4096, 0 },
		{ 512, 3072, 0 },
		{ 512, 1000, -1 },
		{ 4096, 512, -1 },
		{ 4096, 3072, -1 },
		{ 4096, 4096, 0 },
		{ 4096, 12288, 0 },
		{ 512, 0, -1 },
		{ 512, 1 << 20, 0 },
		{ 512, (1 << 20) + 512, -1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_target_info info = { .size_bytes = 1 << 20,
					       .offset_align = cases[i].align };
		struct vs_error err = { 0 };
		int rc = vs_target_check_block("volume", &info, cases[i].block_bytes, &err);

		print_message("align %u block %llu: %s\n", cases[i].align,
			      (unsigned long long)cases[i].block_bytes, err.text);
		assert_int_equal(rc, cases[i].expected);
		if (rc < 0) {
			assert_int_equal(err.code, VS_EUSAGE);
			assert_non_null(strstr(err.text, "--bs"));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_described),
		cmocka_unit_test(what_is_no_target_is_refused_by_name),
		cmocka_unit_test(blocks_are_held_against_the_alignment),
	};

	return cmocka_run_group_tests(tests, make_scratch, drop_scratch);
}
