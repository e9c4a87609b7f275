/* Which phase when: ramp, load, idle, probes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "probes/schedule.h"

#define S(sec) ((int64_t)((sec)*1e9))

static void phases_in_order(void **state)
{
	(void)state;
	static const struct vs_schedule schedule = { .ramp_ns = S(5),
						     .load_ns = S(10),
						     .decay_ns = S(130),
						     .probe_every_ns = S(60),
						     .probe_length_ns = S(2) };
	static const struct {
		double t_s;
		enum vs_phase phase;
	} cases[] = {
		{ 0, VS_PHASE_RAMP },    { 4.9, VS_PHASE_RAMP },   { 5, VS_PHASE_LOAD },
		{ 14.9, VS_PHASE_LOAD }, { 15, VS_PHASE_IDLE },    { 74.9, VS_PHASE_IDLE },
		{ 75, VS_PHASE_PROBE },  { 76.9, VS_PHASE_PROBE }, { 77, VS_PHASE_IDLE },
		{ 135, VS_PHASE_PROBE }, { 137, VS_PHASE_IDLE },   { 144.9, VS_PHASE_IDLE },
		{ 1000, VS_PHASE_IDLE },
	};

	assert_true(vs_schedule_total_ns(&schedule) == S(145));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_message("%.1f s\n", cases[i].t_s);
		assert_int_equal(vs_schedule_phase(&schedule, S(cases[i].t_s)), cases[i].phase);
	}
}

static void a_probe_cut_short_is_left_out(void **state)
{
	(void)state;
	static const struct vs_schedule schedule = { .load_ns = S(10),
						     .decay_ns = S(61),
						     .probe_every_ns = S(30),
						     .probe_length_ns = S(2) };

	assert_int_equal(vs_schedule_phase(&schedule, S(40.5)), VS_PHASE_PROBE);
	assert_int_equal(vs_schedule_phase(&schedule, S(70.5)), VS_PHASE_IDLE);
}

static void no_probes(void **state)
{
	(void)state;
	static const struct vs_schedule schedule = { .load_ns = S(10), .decay_ns = S(100) };

	for (int t = 10; t < 110; t++)
		assert_int_equal(vs_schedule_phase(&schedule, S(t)), VS_PHASE_IDLE);
	assert_false(vs_schedule_is_active(VS_PHASE_IDLE));
	assert_true(vs_schedule_is_active(VS_PHASE_PROBE));
	assert_true(vs_schedule_is_active(VS_PHASE_RAMP));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phases_in_order),
		cmocka_unit_test(a_probe_cut_short_is_left_out),
		cmocka_unit_test(no_probes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
