/* The table writer and the escapes: what every row of every command goes through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/table.h"

static const struct vs_column columns[] = {
	{ "name", "name", VS_COLUMN_TEXT, 0 },
	{ "iops", "IOPS", VS_COLUMN_NUMBER, 0 },
	{ "price_month", "price", VS_COLUMN_NUMBER, 2 },
	{ "hidden", NULL, VS_COLUMN_NUMBER, 0 },
	{ "ok", "ok", VS_COLUMN_BOOL, 0 },
};

static void fill(struct vs_table *table)
{
	vs_table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
	vs_table_text(table, "a|b \"<&'");
	vs_table_number(table, 122880.4);
	vs_table_number(table, -1234.5);
	vs_table_number(table, 7);
	vs_table_bool(table, true);
	vs_table_text(table, NULL);
	vs_table_number(table, 0.1 + 0.2);
	vs_table_number(table, (double)NAN);
	vs_table_number(table, 1.0 / 3);
	vs_table_bool(table, false);
}

static void every_format(void **state)
{
	(void)state;
	static const struct {
		const char *format, *want;
	} cases[] = {
		{ "text", "name         IOPS      price  ok\n"
			  "a|b \"<&'  122,880  -1,234.50  yes\n"
			  "-               0          -  no\n" },
		{ "csv", "name,iops,price_month,hidden,ok\n"
			 "\"a|b \"\"<&'\",122880.4,-1234.5,7,true\n"
			 ",0.3,,0.333333,false\n" },
		{ "json", "[\n"
			  "  {\"name\": \"a|b \\\"\\u003c&'\", \"iops\": 122880.4, "
			  "\"price_month\": -1234.5, \"hidden\": 7, \"ok\": true},\n"
			  "  {\"name\": null, \"iops\": 0.3, \"price_month\": null, "
			  "\"hidden\": 0.333333, \"ok\": false}\n"
			  "]\n" },
		{ "markdown", "| name | IOPS | price | ok |\n"
			      "| --- | ---: | ---: | --- |\n"
			      "| a\\|b \"&lt;&amp;' | 122,880 | -1,234.50 | yes |\n"
			      "| - | 0 | - | no |\n" },
		{ "html",
		  "<table>\n<thead><tr><th scope=\"col\">name</th><th scope=\"col\" class=\"n\">IOPS"
		  "</th><th scope=\"col\" class=\"n\">price</th><th scope=\"col\">ok</th></tr>"
		  "</thead>\n<tbody>\n"
		  "<tr><td>a|b &quot;&lt;&amp;&#39;</td><td class=\"n\">122,880</td>"
		  "<td class=\"n\">-1,234.50</td><td>yes</td></tr>\n"
		  "<tr><td>-</td><td class=\"n\">0</td><td class=\"n\">-</td><td>no</td></tr>\n"
		  "</tbody>\n</table>\n" },
	};

	assert_int_equal(vs_table_format_named("yaml"), -1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int format = vs_table_format_named(cases[i].format);
		struct vs_error err = { 0 };
		struct vs_table table;
		char *got = NULL;
		size_t len;
		FILE *out = open_memstream(&got, &len);

		print_message("%s\n", cases[i].format);
		assert_non_null(out);
		assert_true(format >= 0);
		fill(&table);
		assert_int_equal(vs_table_write(&table, (enum vs_table_format)format, out, &err),
				 0);
		(void)fclose(out);
		assert_string_equal(got, cases[i].want);
		free(got);
		vs_table_release(&table);
	}
}

static void no_rows(void **state)
{
	(void)state;
	struct vs_error err = { 0 };
	struct vs_table table;
	char *got = NULL;
	size_t len;
	FILE *out = open_memstream(&got, &len);

	assert_non_null(out);
	vs_table_init(&table, columns, 2);
	assert_int_equal(vs_table_write(&table, VS_TABLE_JSON, out, &err), 0);
	assert_int_equal(vs_table_write(&table, VS_TABLE_TEXT, out, &err), 0);
	(void)fclose(out);
	assert_string_equal(got, "[]\nname  IOPS\n");
	free(got);
	vs_table_release(&table);
}

static void escapes(void **state)
{
	(void)state;
	static const struct {
		void (*put)(FILE *out, const char *text);
		const char *text, *want;
	} cases[] = {
		{ vs_html_text, "<script>alert(1)</script>\"&'",
		  "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;&#39;" },
		{ vs_html_text, "\x1b[31m\xff\xe3\x81\x82",
		  "\xef\xbf\xbd[31m\xef\xbf\xbd\xe3\x81\x82" },
		{ vs_csv_text, "a,b", "\"a,b\"" },
		{ vs_csv_text, "plain", "plain" },
		{ vs_csv_text, "=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\"" },
		{ vs_csv_text, "@SUM(A1)", "'@SUM(A1)" },
		{ vs_csv_text, "+1;cmd", "\"'+1;cmd\"" },
		{ vs_csv_text, "-", "-" },
		{ vs_csv_text, "two\nlines", "\"two\nlines\"" },
		{ vs_markdown_text, "a*b\n[x](y)", "a\\*b \\[x\\](y)" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *got = NULL;
		size_t len;
		FILE *out = open_memstream(&got, &len);

		print_message("%s\n", cases[i].text);
		assert_non_null(out);
		cases[i].put(out, cases[i].text);
		(void)fclose(out);
		assert_string_equal(got, cases[i].want);
		free(got);
	}
}

/* A character of two columns is one of two columns, or the next column stands askew. */
static void wide_characters_take_two_columns(void **state)
{
	(void)state;
	struct vs_error err = { 0 };
	struct vs_table table;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	vs_table_init(&table, columns, 2);
	vs_table_text(&table, "\xe6\x97\xa5\xe6\x9c\xac");
	vs_table_number(&table, 1);
	vs_table_text(&table, "abcd");
	vs_table_number(&table, 2);
	assert_int_equal(vs_table_write(&table, VS_TABLE_TEXT, out, &err), 0);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, "name  IOPS\n"
				  "\xe6\x97\xa5\xe6\x9c\xac     1\n"
				  "abcd     2\n");
	free(text);
	vs_table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format),
		cmocka_unit_test(wide_characters_take_two_columns),
		cmocka_unit_test(no_rows),
		cmocka_unit_test(escapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
