/* Foreign text (labels, names, events) in every format: it stays what and where it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "reports/report.h"

/* The report in one format; freed by the caller. */
static char *report_of(const struct fixture *f, const char *format,
		       const struct vs_report_options *options)
{
	struct vs_error err = { 0 };
	char *got = NULL;
	size_t len;
	FILE *out = open_memstream(&got, &len);

	assert_non_null(out);
	assert_int_equal(vs_report_format_named(format)->write(&f->timeline, options, out, &err),
			 0);
	(void)fclose(out);
	assert_int_equal(strlen(got), len);
	return got;
}

static void set(char **field, const char *text)
{
	struct vs_error err = { 0 };

	assert_int_equal(vs_run_set_text(field, text, &err), 0);
}

static void have(const char *text, const char *part, bool wanted)
{
	if ((strstr(text, part) != NULL) == wanted)
		return;
	print_error("%s '%s' in:\n%s\n", wanted ? "no" : "there is", part, text);
	fail();
}

/*
 * A line break in a host's or label's text made the text report read on behind the end of its
 * buffer: it printed pieces of whatever stood there.
 */
static void line_breaks(void **state)
{
	(void)state;
	struct vs_report_options options = { 0 };
	struct fixture f;
	char *got;

	fixture_init(&f, FIXTURE_SCALE);
	set(&f.run.label, "one\ntwo\tthree\r");
	set(&f.run.targets[0].name, "a\nb");
	set(&f.run.workload.rw, "read\nwrite");
	set(&f.run.observations[1].text, "5.15\nlast line"); /* the kernel: the last fact */
	got = report_of(&f, "text", &options);
	have(got, "run       7 (8c5f0f2e), observe, one two three , completed\n", true);
	have(got, "target    a b\n", true);
	have(got, "workload  read write of 4k", true);
	have(got, "host      bm-e5, 5.15 last line\n\n", true);
	free(got);
	got = report_of(&f, "markdown", &options);
	have(got, "- **run**: 7 (8c5f0f2e), observe, one two three , completed\n", true);
	have(got, "- **host**: bm-e5, 5.15 last line\n\n### Plateaus", true);
	free(got);
	fixture_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line_breaks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
