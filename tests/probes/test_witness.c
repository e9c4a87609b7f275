/* The kernel's counters as text of several kernels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "probes/witness.h"

static void layouts(void **state)
{
	(void)state;
	static const struct {
		const char *text, *what;
		bool ok;
	} cases[] = {
		{ "     100      7     800     3     0     0     0     0     0     4     3\n",
		  "11 columns, 2.6", true },
		{ "100 7 800 3 0 0 0 0 0 4 3 0 0 0 0 0 0\n", "17 columns, 5.5", true },
		{ "100 7 800 3 0 0 0 0 0 4 3 0 0 0 0 0 0 9 9\n", "columns to come", true },
		{ "", "nothing", false },
		{ "100 7\n", "too few", false },
		{ "a b c d\n", "no numbers", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_witness_counts counts = { 0 };

		print_message("%s\n", cases[i].what);
		assert_true(vs_witness_parse(cases[i].text, &counts) == cases[i].ok);
		if (cases[i].ok)
			assert_true(counts.reads == 100 && counts.merges == 7 &&
				    counts.sectors == 800 && counts.ticks_ms == 3);
	}
}

static void an_unknown_device_knows_nothing(void **state)
{
	(void)state;
	struct vs_witness witness;
	struct vs_witness_counts counts;

	vs_witness_open(&witness, NULL);
	assert_false(vs_witness_read(&witness, &counts));
	vs_witness_release(&witness);
	vs_witness_open(&witness, "4095:1048575");
	assert_false(vs_witness_read(&witness, &counts));
	vs_witness_release(&witness);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layouts),
		cmocka_unit_test(an_unknown_device_knows_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
