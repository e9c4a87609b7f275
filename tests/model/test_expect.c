/* Files of expectations: what is named is read, and what cannot be meant is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/expect.h"

static void every_member_is_read(void **state)
{
	(void)state;
	static const char text[] =
		"{\"start_tier\": 10, \"top_tier\": \"P30\", \"end_tier\": \"10\", \"max_rise\": "
		"99, \"max_rise_total\": \"10m\", \"max_first_fall\": \"1h\", \"max_fall\": 90.5, "
		"\"max_dip\": \"250ms\", \"tolerance_pct\": 3, \"min_share_pct\": 95}";
	struct vs_error err = { 0 };
	struct vs_expect expect;

	vs_expect_init(&expect);
	assert_true(vs_expect_empty(&expect));
	assert_int_equal(vs_expect_parse(text, strlen(text), "test", &expect, &err), 0);
	assert_false(vs_expect_empty(&expect));
	assert_string_equal(expect.start_tier, "10");
	assert_string_equal(expect.top_tier, "P30");
	assert_string_equal(expect.end_tier, "10");
	assert_true(fabs(expect.max_rise_s - 99) < 1e-9);
	assert_true(fabs(expect.max_rise_total_s - 600) < 1e-9);
	assert_true(fabs(expect.max_first_fall_s - 3600) < 1e-9);
	assert_true(fabs(expect.max_fall_s - 90.5) < 1e-9);
	assert_true(fabs(expect.max_dip_s - 0.25) < 1e-9);
	assert_true(fabs(expect.tolerance_pct - 3) < 1e-9);
	assert_true(fabs(expect.min_share_pct - 95) < 1e-9);
}

static void what_is_not_named_stays(void **state)
{
	(void)state;
	struct vs_error err = { 0 };
	struct vs_expect expect;

	vs_expect_init(&expect);
	expect.max_rise_s = 7;
	assert_int_equal(vs_expect_parse("{\"max_dip\": 1}", 14, "test", &expect, &err), 0);
	assert_true(fabs(expect.max_rise_s - 7) < 1e-9);
	assert_true(isnan(expect.max_fall_s));
}

static void what_cannot_be_meant_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "", "expectations test: line" },
		{ "[]", "give a JSON object" },
		{ "{\"top\": 120}", "there is no 'top'; known are start_tier, top_tier" },
		{ "{\"top_tier\": true}", "top_tier: give a tier's name" },
		{ "{\"top_tier\": \"\"}", "top_tier: give a tier's name" },
		{ "{\"top_tier\": \"a name that is longer than any tier's\"}", "top_tier" },
		{ "{\"max_rise\": \"soon\"}", "max_rise: " },
		{ "{\"max_rise\": null}", "max_rise: give a number of seconds" },
		{ "{\"max_rise\": -1}", "max_rise: give 0 or more" },
		{ "{\"tolerance_pct\": \"3\"}", "tolerance_pct: give a number" },
		{ "{\"min_share_pct\": 101}", "at most 100" },
		{ "{\"max_dip\": 1, \"max_dip\": 2}", "line" },
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct vs_error err = { 0 };
		struct vs_expect expect;

		print_message("%s\n", cases[c].text);
		vs_expect_init(&expect);
		assert_int_equal(vs_expect_parse(cases[c].text, strlen(cases[c].text), "test",
						 &expect, &err),
				 -1);
		print_message("  %s\n", err.text);
		assert_int_equal(err.code, VS_EFORMAT);
		assert_non_null(strstr(err.text, cases[c].says));
		assert_true(vs_expect_empty(&expect));
	}
}

static void a_file_is_read_and_a_missing_one_is_named(void **state)
{
	(void)state;
	char path[] = "/tmp/test-expect-XXXXXX";
	struct vs_error err = { 0 };
	struct vs_expect expect;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "{\"max_dip\": 4}", 14), 14);
	(void)close(fd);
	vs_expect_init(&expect);
	assert_int_equal(vs_expect_read(path, &expect, &err), 0);
	assert_true(fabs(expect.max_dip_s - 4) < 1e-9);
	(void)unlink(path);
	assert_int_equal(vs_expect_read(path, &expect, &err), -1);
	assert_int_equal(err.code, VS_ESYS);
	assert_non_null(strstr(err.text, path));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_member_is_read),
		cmocka_unit_test(what_is_not_named_stays),
		cmocka_unit_test(what_cannot_be_meant_is_refused),
		cmocka_unit_test(a_file_is_read_and_a_missing_one_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
