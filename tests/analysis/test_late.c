/* A machine that was stopped or starved: no dip of the volume's is made of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "base/clock.h"
#include "verdict_run.h"

/*
 * Two minutes at a level; in the second minute a sample of so many seconds with so many reads, and
 * the two behind it with theirs.
 */
static size_t dips_behind(int64_t length_s, double ios, uint32_t flags, double next, double then)
{
	struct vs_timeline timeline;
	struct vs_ladder ladder;
	struct vs_error err = { 0 };
	struct vs_sample *sample;
	struct vs_run run;
	size_t dips;

	verdict_run_init(&run, 1024, 1);
	verdict_run_add(&run, VS_PHASE_LOAD, 120, 50000);
	sample = &run.samples[80];
	sample->length_ns = length_s * VS_NS_PER_SEC;
	sample->ios = ios;
	sample->flags = flags;
	sample[1].ios = next;
	sample[2].ios = then;
	for (size_t i = 80; i < run.n_samples; i++)
		run.samples[i].end_ns += (length_s - 1) * VS_NS_PER_SEC;
	run.duration_ns += (length_s - 1) * VS_NS_PER_SEC;
	verdict_ladder(&run, NULL, &ladder);
	vs_timeline_init(&timeline);
	assert_int_equal(vs_analyse(&run, &ladder, NULL, &timeline, &err), 0);
	assert_int_equal(timeline.n_plateaus, 1);
	assert_int_equal(timeline.n_steps, 0);
	dips = timeline.n_dips;
	vs_timeline_release(&timeline);
	vs_run_release(&run);
	return dips;
}

static size_t dips_of(int64_t length_s, double ios, uint32_t flags)
{
	return dips_behind(length_s, ios, flags, 50000, 50000);
}

static void a_stopped_machine_makes_no_dip(void **state)
{
	(void)state;
	assert_int_equal(dips_of(5, 4500, VS_SAMPLE_LATE), 0);
	assert_int_equal(dips_of(5, 0, VS_SAMPLE_LATE), 0);
}

static void what_one_reading_behind_a_stop_counts_for_the_next_is_no_dip(void **state)
{
	(void)state;
	assert_int_equal(dips_behind(5, 4500, VS_SAMPLE_LATE, 54000, 46500), 0);
	assert_int_equal(dips_behind(5, 4500, VS_SAMPLE_LATE, 50000, 46500), 1);
	assert_int_equal(dips_behind(5, 4500, VS_SAMPLE_LATE, 40000, 50000), 1);
	assert_int_equal(dips_behind(1, 50000, 0, 54000, 46500), 1); /* there was no stop */
}

static void what_the_volume_did_is_still_told(void **state)
{
	(void)state;
	assert_int_equal(dips_of(1, 4500, 0), 1);
	assert_int_equal(dips_of(1, 4500, VS_SAMPLE_LATE), 1); /* a little late is no excuse */
	assert_int_equal(dips_of(5, 4500, 0), 1);
	assert_int_equal(dips_of(5, 250000, VS_SAMPLE_LATE), 0); /* and late is no dip */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stopped_machine_makes_no_dip),
		cmocka_unit_test(what_one_reading_behind_a_stop_counts_for_the_next_is_no_dip),
		cmocka_unit_test(what_the_volume_did_is_still_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
