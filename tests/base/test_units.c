/* Units in and out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/units.h"

static void durations(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t ns; /* -1: refused */
	} cases[] = {
		{ "90", 90 * VS_NS_PER_SEC },
		{ "90s", 90 * VS_NS_PER_SEC },
		{ "15m", 900 * VS_NS_PER_SEC },
		{ "2h", 7200 * VS_NS_PER_SEC },
		{ "1h30m", 5400 * VS_NS_PER_SEC },
		{ "250ms", 250 * VS_NS_PER_MS },
		{ "1.5s", 1500 * VS_NS_PER_MS },
		{ "0", 0 },
		{ "", -1 },
		{ "s", -1 },
		{ "-1s", -1 },
		{ "1x", -1 },
		{ "1h30", -1 },
		{ "1..5s", -1 },
		{ "999999999h", -1 },
		{ "1e3", -1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_error err = { 0 };
		int64_t ns = -1;
		int rc = vs_units_parse_duration(cases[i].text, &ns, &err);

		print_message("'%s'\n", cases[i].text);
		assert_int_equal(rc, cases[i].ns < 0 ? -1 : 0);
		if (rc == 0)
			assert_int_equal(ns, cases[i].ns);
		else
			assert_int_equal(err.code, VS_EUSAGE);
	}
}

static void sizes(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t bytes;
	} cases[] = {
		{ "4096", 4096 },  { "4k", 4096 },      { "4K", 4096 },   { "4KiB", 4096 },
		{ "1m", 1 << 20 }, { "1g", 1 << 30 },   { "1.5k", 1536 }, { "3k", 3072 },
		{ "0.3k", -1 },    { "k", -1 },         { "4x", -1 },     { "", -1 },
		{ "-4k", -1 },     { "99999999t", -1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_error err = { 0 };
		uint64_t bytes = 0;
		int rc = vs_units_parse_size(cases[i].text, &bytes, &err);

		print_message("'%s'\n", cases[i].text);
		assert_int_equal(rc, cases[i].bytes < 0 ? -1 : 0);
		if (rc == 0)
			assert_int_equal(bytes, cases[i].bytes);
	}
}

static void numbers(void **state)
{
	(void)state;
	struct vs_error err = { 0 };
	uint64_t u;
	double d;

	assert_int_equal(vs_units_parse_u64("18446744073709551615", &u, &err), 0);
	assert_true(u == UINT64_MAX);
	assert_int_equal(vs_units_parse_u64("18446744073709551616", &u, &err), -1);
	assert_int_equal(vs_units_parse_number("-1.25", &d, NULL), 0);
	assert_true(d > -1.2501 && d < -1.2499);
	assert_int_equal(vs_units_parse_number("nan", &d, NULL), -1);
	assert_int_equal(vs_units_parse_number("1,5", &d, NULL), -1);
}

static void formatting(void **state)
{
	(void)state;
	static const struct {
		int64_t ms;
		const char *text;
	} durations[] = {
		{ 0, "0 ms" },       { 250, "250 ms" },
		{ 2940, "2.9 s" },   { 8999, "9 s" },
		{ 9960, "10 s" },    { 27000, "27 s" },
		{ 59600, "1 min" },  { 286000, "4 min 46 s" },
		{ 3601000, "1 h" },  { 4500000, "1 h 15 min" },
		{ 7199000, "2 h" },  { 86399000, "1 d" },
		{ 86400000, "1 d" }, { 7 * 86400000 + 3600000, "7 d 1 h" },
	};
	char text[VS_UNITS_TEXT_MAX];

	assert_string_equal(vs_units_format_count(122880, text), "122,880");
	assert_string_equal(vs_units_format_count(999.6, text), "1,000");
	assert_string_equal(vs_units_format_count(-1234567, text), "-1,234,567");
	for (size_t i = 0; i < sizeof(durations) / sizeof(durations[0]); i++)
		assert_string_equal(vs_units_format_duration(durations[i].ms * VS_NS_PER_MS, text),
				    durations[i].text);
	assert_string_equal(vs_units_format_utc(1769860800000, text), "2026-01-31T12:00:00.000Z");
	assert_string_equal(vs_units_format_utc(-1, text), "1969-12-31T23:59:59.999Z");
	assert_string_equal(vs_units_format_size(4096, text), "4k");
	assert_string_equal(vs_units_format_size(4097, text), "4097");
	assert_string_equal(vs_units_format_size(1 << 20, text), "1m");
}

static void first_error_wins(void **state)
{
	(void)state;
	struct vs_error err = { 0 };

	assert_int_equal(vs_error_set(&err, VS_EINVAL, 7, "first"), -1);
	assert_int_equal(vs_error_set(&err, VS_ENOMEM, 0, "second"), -1);
	assert_int_equal(vs_error_prefix(&err, "file '%s': ", "x"), -1);
	assert_int_equal(err.code, VS_EINVAL);
	assert_int_equal(err.detail, 7);
	assert_string_equal(err.text, "file 'x': first");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations),        cmocka_unit_test(sizes),
		cmocka_unit_test(numbers),          cmocka_unit_test(formatting),
		cmocka_unit_test(first_error_wins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
