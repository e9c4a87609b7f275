/* The option parser: one table gives parser, defaults and help. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cli/opt.h"

struct values {
	bool flag;
	const char *text, *choice;
	struct vs_opt_list list;
	uint64_t count, size;
	double number;
	int64_t span_ns;
};

static const struct vs_opt table[] = {
	{ "flag", 'f', VS_OPT_FLAG, offsetof(struct values, flag), NULL, NULL, "a flag" },
	{ "text", 't', VS_OPT_TEXT, offsetof(struct values, text), "TEXT", "def", "a text" },
	{ "choice", 0, VS_OPT_CHOICE, offsetof(struct values, choice), "one|two", "one",
	  "a choice" },
	{ "list", 0, VS_OPT_LIST, offsetof(struct values, list), "FILE", NULL, "a list" },
	{ "count", 0, VS_OPT_U64, offsetof(struct values, count), "N", "7", "a count" },
	{ "size", 0, VS_OPT_SIZE, offsetof(struct values, size), "SIZE", "4k", "a size" },
	{ "number", 0, VS_OPT_NUMBER, offsetof(struct values, number), "N", NULL, "a number" },
	{ "span", 0, VS_OPT_DURATION, offsetof(struct values, span_ns), "TIME", "2s", "a span" },
	{ .name = NULL },
};

static const struct vs_opt_command command = {
	.name = "test",
	.operands = "FILE...",
	.summary = "a test",
	.tables = { table },
	.min_operands = 0,
	.max_operands = 2,
};

#define MAX_ARGS 8

static int parse(const char *const *args, struct values *v, char ***operands, size_t *n,
		 struct vs_error *err)
{
	static char store[MAX_ARGS][64];
	static char *argv[MAX_ARGS + 1];
	int argc = 0;

	for (; args[argc]; argc++) {
		(void)strncpy(store[argc], args[argc], sizeof(store[0]) - 1);
		argv[argc] = store[argc];
	}
	argv[argc] = NULL;
	*v = (struct values){ 0 };
	return vs_opt_parse(&command, argc, argv, v, operands, n, err);
}

static void defaults_and_values(void **state)
{
	(void)state;
	const char *const none[] = { "test", NULL };
	const char *const given[] = { "test", "a",      "--flag", "--text=x", "--size",
				      "1m",   "-tlast", "b",      NULL };
	struct vs_error err = { 0 };
	struct values v;
	char **operands;
	size_t n;

	assert_int_equal(parse(none, &v, &operands, &n, &err), 0);
	assert_false(v.flag);
	assert_string_equal(v.text, "def");
	assert_string_equal(v.choice, "one");
	assert_int_equal(v.count, 7);
	assert_int_equal(v.size, 4096);
	assert_int_equal(v.span_ns, 2000000000);
	assert_int_equal(n, 0);

	assert_int_equal(parse(given, &v, &operands, &n, &err), 0);
	assert_true(v.flag);
	assert_string_equal(v.text, "last");
	assert_int_equal(v.size, 1 << 20);
	assert_int_equal(n, 2);
	assert_string_equal(operands[0], "a");
	assert_string_equal(operands[1], "b");
}

static void lists_and_the_double_dash(void **state)
{
	(void)state;
	const char *const given[] = { "test", "--list", "a", "--list=b", "--", "--flag", NULL };
	struct values v;
	char **operands;
	size_t n;

	assert_int_equal(parse(given, &v, &operands, &n, NULL), 0);
	assert_int_equal(v.list.n, 2);
	assert_string_equal(v.list.items[1], "b");
	assert_false(v.flag);
	assert_int_equal(n, 1);
	assert_string_equal(operands[0], "--flag");
	vs_opt_release(&command, &v);
	assert_int_equal(v.list.n, 0);
}

static void errors_name_the_thing(void **state)
{
	(void)state;
	static const struct {
		const char *args[5];
		const char *want;
	} cases[] = {
		{ { "test", "--flga" }, "unknown option --flga; did you mean --flag?" },
		{ { "test", "--quite-other" },
		  "unknown option --quite-other; 'volscale test --help' lists them" },
		{ { "test", "-x" }, "unknown option -x; 'volscale test --help' lists them" },
		{ { "test", "--text" }, "--text needs a value: TEXT" },
		{ { "test", "--flag=1" }, "--flag takes no value" },
		{ { "test", "--choice", "three" }, "--choice: 'three' is none of one|two" },
		{ { "test", "--choice", "" }, "--choice: '' is none of one|two" },
		{ { "test", "--count", "-1" }, "--count: '-1' is not a whole number" },
		{ { "test", "a", "b", "c" },
		  "one operand too many: 'c'; usage: volscale test [options] FILE..." },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_error err = { 0 };
		struct values v;
		char **operands;
		size_t n;

		assert_int_equal(parse(cases[i].args, &v, &operands, &n, &err), -1);
		assert_int_equal(err.code, VS_EUSAGE);
		assert_string_equal(err.text, cases[i].want);
	}
}

static void help_fits_80_columns(void **state)
{
	(void)state;
	FILE *out = tmpfile();
	char line[256];
	int lines = 0;

	assert_non_null(out);
	vs_opt_print_help(&command, out);
	rewind(out);
	for (; fgets(line, sizeof(line), out); lines++)
		assert_true(strcspn(line, "\n") <= 80);
	assert_true(lines > 10);
	(void)fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_and_values),
		cmocka_unit_test(lists_and_the_double_dash),
		cmocka_unit_test(errors_name_the_thing),
		cmocka_unit_test(help_fits_80_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
