/* The progress line: what it says, and that it fits a terminal of 80 columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "cli/progress.h"

static void says_everything(void **state)
{
	(void)state;
	struct vs_progress progress;
	struct vs_progress_state at = { .at_ns = 125 * VS_NS_PER_SEC,
					.phase = VS_PHASE_LOAD,
					.iops = 100234.4,
					.level_iops = 100000,
					.tier = "40" };
	char text[320];

	vs_progress_init(&progress, "never", 3725 * VS_NS_PER_SEC);
	for (int i = 0; i < 30; i++) {
		struct vs_progress_state put = at;
		put.iops = i * 1000.0;
		vs_progress_put(&progress, &put);
	}
	vs_progress_format(&progress, &at, text, sizeof(text));
	print_message("%s\n", text);
	assert_non_null(strstr(text, "02:05 left 1:00:00 load 100,234 IOPS"));
	assert_non_null(strstr(text, "plateau 100,000 tier 40"));
	assert_null(strstr(text, "errors"));
	assert_true(strlen(text) < 160);
}

static void unknown_is_left_out(void **state)
{
	(void)state;
	struct vs_progress progress;
	struct vs_progress_state at = { .phase = VS_PHASE_IDLE,
					.level_iops = (double)NAN,
					.errors = 3 };
	char text[320];

	vs_progress_init(&progress, "never", 0);
	vs_progress_format(&progress, &at, text, sizeof(text));
	assert_string_equal(text, "00:00 idle 0 IOPS errors 3 ");
}

/* Whatever is to be told, it is shorter than the line; of the readings the newest stay. */
static void fits_the_terminal(void **state)
{
	(void)state;
	struct vs_progress progress;
	struct vs_progress_state at = { .at_ns = 36000 * VS_NS_PER_SEC,
					.phase = VS_PHASE_PROBE,
					.iops = 11234567,
					.level_iops = 11234567,
					.tier = "120",
					.errors = 1234567 };
	char text[320];

	vs_progress_init(&progress, "never", 86400 * VS_NS_PER_SEC);
	progress.utf8 = false;
	for (int i = 0; i < 20; i++) {
		struct vs_progress_state put = at;
		put.iops = i * 1000.0;
		vs_progress_put(&progress, &put);
	}
	for (progress.columns = 1; progress.columns < 140; progress.columns++) {
		vs_progress_format(&progress, &at, text, sizeof(text));
		assert_true((int)strlen(text) < progress.columns);
	}
	assert_int_equal(text[strlen(text) - 1], '#');
	progress.columns = 80;
	at.errors = 0;
	vs_progress_format(&progress, &at, text, sizeof(text));
	print_message("%s\n", text);
	assert_int_equal(strlen(text), 79);
	assert_int_equal(text[78], '#');
}

/* 64 bits from the clock to the text. */
static void a_month_fits(void **state)
{
	(void)state;
	struct vs_progress progress;
	struct vs_progress_state at = { .at_ns = INT64_C(86400) * VS_NS_PER_SEC,
					.phase = VS_PHASE_LOAD,
					.iops = 12345678,
					.level_iops = 12345678,
					.errors = UINT64_C(18446744073709551615) };
	char text[320];

	vs_progress_init(&progress, "never", 30 * at.at_ns);
	vs_progress_format(&progress, &at, text, sizeof(text));
	print_message("%s\n", text);
	assert_non_null(strstr(text, "24:00:00 left 696:00:00 load 12,345,678 IOPS"));
	assert_non_null(strstr(text, "errors 18446744073709551615"));
	at.at_ns = 31 * at.at_ns; /* later than planned: not a negative time */
	vs_progress_format(&progress, &at, text, sizeof(text));
	assert_non_null(strstr(text, "744:00:00 left 00:00"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_everything),
		cmocka_unit_test(unknown_is_left_out),
		cmocka_unit_test(fits_the_terminal),
		cmocka_unit_test(a_month_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
