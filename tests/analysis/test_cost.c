/* The cost of a timeline, second by second. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "verdict_run.h"

#define MONTH 2628000.0 /* s of 730 h */

struct fixture {
	struct vs_run run;
	struct vs_ladder ladder;
	struct vs_timeline timeline;
};

static void begin(struct fixture *f, double size_gb)
{
	verdict_run_init(&f->run, size_gb, 1);
}

static void analyse(struct fixture *f, const struct vs_prices *prices)
{
	struct vs_error err = { 0 };

	verdict_ladder(&f->run, prices, &f->ladder);
	vs_timeline_init(&f->timeline);
	assert_int_equal(vs_analyse(&f->run, &f->ladder, NULL, &f->timeline, &err), 0);
}

static void end(struct fixture *f)
{
	vs_timeline_release(&f->timeline);
	vs_run_release(&f->run);
}

static void near(double got, double want, double share)
{
	if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= share * fabs(want)))
		fail_msg("got %.10g, want %.10g", got, want);
}

static void a_rise_is_billed_by_the_second_at_each_tier(void **state)
{
	(void)state;
	struct fixture f;

	begin(&f, 1024);
	verdict_run_add(&f.run, VS_PHASE_LOAD, 28, 25000);
	verdict_run_add(&f.run, VS_PHASE_LOAD, 23, 50000);
	verdict_run_add(&f.run, VS_PHASE_LOAD, 69, 75000);
	analyse(&f, NULL);
	assert_int_equal(f.timeline.n_plateaus, 3);
	near(f.timeline.cost.observed, (28 * 43.52 + 23 * 60.928 + 69 * 78.336) / MONTH, 1e-9);
	near(f.timeline.cost.tier_s[1], 28, 1e-9);
	near(f.timeline.cost.tier_s[2], 23, 1e-9);
	near(f.timeline.cost.tier_s[3], 69, 1e-9);
	near(f.timeline.cost.month_at_bottom, 43.52, 1e-9);
	near(f.timeline.cost.month_at_top, 78.336, 1e-9);
	/* no fall was seen: the documented hour at the top, and half a tier's price for 23 s */
	near(f.timeline.cost.break_even_h_per_day, 24 - 1 - 23.0 / 3600 / 2, 1e-9);
	assert_string_equal(f.timeline.cost.currency, "USD");
	end(&f);
}

static void a_run_of_seconds_is_billed_as_a_minute(void **state)
{
	(void)state;
	struct fixture f;

	begin(&f, 1024);
	verdict_run_add(&f.run, VS_PHASE_LOAD, 20, 25000);
	verdict_run_add(&f.run, VS_PHASE_LOAD, 20, 50000);
	analyse(&f, NULL);
	near(f.timeline.cost.observed, (20 * 43.52 + 40 * 60.928) / MONTH, 1e-9);
	near(f.timeline.cost.tier_s[2], 40, 1e-9);
	end(&f);
}

static void a_seen_fall_moves_the_break_even(void **state)
{
	(void)state;
	struct fixture f;

	begin(&f, 1024);
	verdict_run_add(&f.run, VS_PHASE_LOAD, 60, 25000);
	verdict_run_add(&f.run, VS_PHASE_LOAD, 120, 50000);
	verdict_run_add(&f.run, VS_PHASE_IDLE, 1800, 50000);
	verdict_run_add(&f.run, VS_PHASE_IDLE, 600, 25000);
	analyse(&f, NULL);
	assert_int_equal(f.timeline.n_plateaus, 4);
	/* half an hour at the top without demand; the fall lies within a probe's minute */
	assert_true(fabs(f.timeline.cost.break_even_h_per_day - 23.5) < 65.0 / 3600);
	end(&f);
}

static void one_tier_has_no_break_even(void **state)
{
	(void)state;
	struct fixture f;

	begin(&f, 50);
	verdict_run_add(&f.run, VS_PHASE_LOAD, 60, 3000);
	analyse(&f, NULL);
	near(f.timeline.cost.observed, 60 * 2.125 / MONTH, 1e-9);
	near(f.timeline.cost.break_even_h_per_day, (double)NAN, 0);
	end(&f);
}

static void a_level_without_a_tier_is_unpriced_unless_its_tier_is_told(void **state)
{
	(void)state;
	struct fixture f;

	for (int told = 0; told < 2; told++) {
		begin(&f, 1024);
		if (told)
			verdict_run_observe(&f.run, "oci-volume", "vpusPerGB", 30, NULL);
		verdict_run_add(&f.run, VS_PHASE_LOAD, 60, 25000);
		verdict_run_add(&f.run, VS_PHASE_LOAD, 60, 60000);
		analyse(&f, NULL);
		near(f.timeline.cost.observed,
		     told ? (60 * 43.52 + 60 * 78.336) / MONTH : (double)NAN, 1e-9);
		near(f.timeline.cost.month_at_bottom, 43.52, 1e-9);
		end(&f);
	}
}

static void a_missing_price_is_unpriced_and_never_zero(void **state)
{
	(void)state;
	struct vs_prices prices = { .currency = "JPY",
				    .per_gb_month = (double)NAN,
				    .per_vpu_gb_month = 0.204 };
	struct fixture f;

	begin(&f, 1024);
	verdict_run_add(&f.run, VS_PHASE_LOAD, 60, 25000);
	analyse(&f, &prices);
	near(f.timeline.cost.observed, (double)NAN, 0);
	near(f.timeline.cost.month_at_top, (double)NAN, 0);
	assert_string_equal(f.timeline.cost.currency, "");
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rise_is_billed_by_the_second_at_each_tier),
		cmocka_unit_test(a_run_of_seconds_is_billed_as_a_minute),
		cmocka_unit_test(a_seen_fall_moves_the_break_even),
		cmocka_unit_test(one_tier_has_no_break_even),
		cmocka_unit_test(a_level_without_a_tier_is_unpriced_unless_its_tier_is_told),
		cmocka_unit_test(a_missing_price_is_unpriced_and_never_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
