/* The JSON writer: numbers, escapes, layout. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/json.h"

static void numbers(void **state)
{
	(void)state;
	static const struct {
		double value;
		int decimals;
		const char *want;
	} cases[] = {
		{ 0, 3, "0" },
		{ -0.0001, 3, "0" },
		{ 0.1 + 0.2, 6, "0.3" },
		{ 1.0 / 3, 6, "0.333333" },
		{ 122880, 3, "122880" },
		{ 100, 0, "100" },
		{ 0.05, 2, "0.05" },
		{ -1234.5678, 2, "-1234.57" },
		{ 1e15, 3, "1000000000000000" },
		{ 3e20, 3, "3e+20" },
		{ (double)NAN, 3, "" },
		{ (double)INFINITY, 3, "" },
	};
	char text[48];

	(void)setlocale(LC_ALL, ""); /* whatever it is, the point is a point */
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_message("%g with %d\n", cases[i].value, cases[i].decimals);
		assert_string_equal(vs_json_format(cases[i].value, cases[i].decimals, text),
				    cases[i].want);
	}
}

static void layout_and_strings(void **state)
{
	(void)state;
	struct vs_json json;
	char *got = NULL;
	size_t len;
	FILE *out = open_memstream(&got, &len);

	assert_non_null(out);
	vs_json_init(&json, out, 1);
	vs_json_open(&json, NULL, '{');
	vs_json_text(&json, "a", "</script> \"\\\n\x01\xff\xe3\x81\x82");
	vs_json_text(&json, "b", NULL);
	vs_json_open(&json, "c", '[');
	vs_json_int(&json, NULL, -1);
	vs_json_number(&json, NULL, (double)NAN, 2);
	vs_json_bool(&json, NULL, true);
	vs_json_close(&json);
	vs_json_open(&json, "d", '{');
	vs_json_close(&json);
	vs_json_ladder(&json, "e", NULL);
	vs_json_close(&json);
	(void)fclose(out);
	assert_string_equal(got, "{\n"
				 "  \"a\": \"\\u003c/script> \\\"\\\\\\u000a\\u0001\xef\xbf\xbd"
				 "\xe3\x81\x82\",\n"
				 "  \"b\": null,\n"
				 "  \"c\": [-1, null, true],\n"
				 "  \"d\": {},\n"
				 "  \"e\": []\n"
				 "}\n");
	free(got);
}

static void utf8(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int len;
	} cases[] = {
		{ "a", 1 },
		{ "\xc3\xa9", 2 },
		{ "\xe2\x82\xac", 3 },
		{ "\xf0\x9f\x98\x80", 4 },
		{ "\x80", 0 },
		{ "\xc0\xaf", 0 },
		{ "\xe0\x80\x80", 0 },
		{ "\xed\xa0\x80", 0 },
		{ "\xf4\x90\x80\x80", 0 },
		{ "\xe2\x82", 0 },
		{ "\xff", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_message("case %zu\n", i);
		assert_int_equal(vs_json_utf8(cases[i].text), cases[i].len);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(layout_and_strings),
		cmocka_unit_test(utf8),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
