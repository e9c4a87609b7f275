/* Runs side by side: the published comparisons come out right, in figures and in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/compare.h"
#include "verdict_run.h"

#define MAX_RUNS 3

struct fixture {
	struct vs_run runs[MAX_RUNS];
	struct vs_ladder ladders[MAX_RUNS];
	struct vs_timeline timelines[MAX_RUNS];
	const struct vs_timeline *pointers[MAX_RUNS];
	size_t n;
	struct vs_comparison cmp;
};

static struct vs_run *begin(struct fixture *f, const char *label, double size_gb, int64_t volumes)
{
	struct vs_run *run = &f->runs[f->n++];

	verdict_run_init(run, size_gb, volumes);
	run->id = (int64_t)f->n;
	assert_int_equal(vs_run_set_text(&run->label, label, NULL), 0);
	return run;
}

static void compare(struct fixture *f, const struct vs_prices *prices)
{
	struct vs_error err = { 0 };

	for (size_t i = 0; i < f->n; i++) {
		verdict_ladder(&f->runs[i], prices, &f->ladders[i]);
		vs_timeline_init(&f->timelines[i]);
		assert_int_equal(
			vs_analyse(&f->runs[i], &f->ladders[i], NULL, &f->timelines[i], &err), 0);
		f->pointers[i] = &f->timelines[i];
	}
	assert_int_equal(vs_compare(f->pointers, f->n, &f->cmp, &err), 0);
	print_message("%s\n", f->cmp.decision);
}

static void end(struct fixture *f)
{
	vs_comparison_release(&f->cmp);
	for (size_t i = 0; i < f->n; i++) {
		vs_timeline_release(&f->timelines[i]);
		vs_run_release(&f->runs[i]);
	}
}

static void near(double got, double want)
{
	if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-3 * fmax(1, fabs(want))))
		fail_msg("got %.10g, want %.10g", got, want);
}

static void says(const struct fixture *f, const char *words)
{
	if (!strstr(f->cmp.decision, words))
		fail_msg("'%s' is not in: %s", words, f->cmp.decision);
}

static void fifty_gb_at_three_tiers_in_yen(void **state)
{
	(void)state;
	static const struct {
		const char *label;
		double iops, promised, price;
	} runs[] = { { "VPU 0", 101, 100, 153 },
		     { "VPU 10", 3034, 3000, 255 },
		     { "VPU 20", 3798, 3750, 357 } };
	struct vs_prices yen = { .currency = "JPY",
				 .per_gb_month = 3.06,
				 .per_vpu_gb_month = 0.204 };
	struct fixture f = { .n = 0 };

	for (size_t i = 0; i < 3; i++)
		verdict_run_add(begin(&f, runs[i].label, 50, 1), VS_PHASE_LOAD, 60, runs[i].iops);
	compare(&f, &yen);
	for (size_t i = 0; i < 3; i++) {
		const struct vs_comparison_row *row = &f.cmp.rows[i];

		print_message("%s\n", row->name);
		assert_string_equal(row->name, runs[i].label);
		near(row->promised_iops, runs[i].promised);
		near(row->price_month, runs[i].price);
		assert_true(fabs(row->ceiling_iops / runs[i].iops - 1) < 0.01);
		near(row->price_per_kiops, runs[i].price / row->ceiling_iops * 1000);
		assert_int_equal(row->bound_by, VS_BOUND_VOLUME);
		assert_false(row->tier_told);
		assert_int_equal(row->sufficient, row->tier);
		near(row->saving_month, 0);
	}
	/* what the next cheaper tier would have given */
	near(f.cmp.rows[2].cheaper_iops, 3000);
	near(f.cmp.rows[2].cheaper_saving, 102);
	near(f.cmp.rows[0].cheaper_iops, (double)NAN);
	assert_string_equal(f.cmp.currency, "JPY");
	assert_int_equal(f.cmp.cheapest, 1);
	says(&f, "Per 1000 IOPS VPU 10 is the cheapest: 84.05 JPY a month.");
	says(&f, "From VPU 10 to VPU 20: 764 IOPS more (+25 %) for 102.00 JPY a month more");
	says(&f, "Take VPU 20 only for a load that needs more than 3,034 IOPS.");
	says(&f, "Up to 101 IOPS VPU 0 is enough, for 153.00 JPY a month.");
	end(&f);
}

static void ten_volumes_behind_twelve_gigabits_need_no_vpu_30(void **state)
{
	(void)state;
	static const char *const told[] = { "30", "20" };
	static const double promised[] = { 750000, 500000 };
	struct fixture f = { .n = 0 };

	for (size_t i = 0; i < 2; i++) {
		struct vs_run *run = begin(&f, i ? "striped 20" : "striped 30", 3072, 10);

		run->instance_gbps = 12;
		verdict_run_observe(run, "user", "tier", (double)NAN, told[i]);
		verdict_run_add(run, VS_PHASE_LOAD, 120, i ? 359000 : 361000);
	}
	compare(&f, NULL);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(f.cmp.rows[i].bound_by, VS_BOUND_INSTANCE);
		assert_true(f.cmp.rows[i].tier_told);
		near(f.cmp.rows[i].promised_iops, promised[i]);
		assert_string_equal(f.ladders[i].tiers[f.cmp.rows[i].sufficient].name, "20");
	}
	assert_true(f.cmp.same_ceiling);
	near(f.cmp.rows[0].saving_month, 522.24);
	near(f.cmp.rows[1].saving_month, 0);
	assert_string_equal(
		f.cmp.decision,
		"Both runs reach the same level, about 360,000 IOPS, bound by the "
		"instance. VPU 20 suffices; against VPU 30 it saves 522.24 USD a month.");
	end(&f);
}

static void tiers_that_nobody_tells_leave_the_price_of_the_next_one(void **state)
{
	(void)state;
	struct fixture f = { .n = 0 };

	for (size_t i = 0; i < 2; i++) {
		struct vs_run *run = begin(&f, i ? "b" : "a", 3072, 10);

		run->instance_gbps = 12;
		verdict_run_add(run, VS_PHASE_LOAD, 120, i ? 359000 : 361000);
	}
	compare(&f, NULL);
	assert_string_equal(
		f.cmp.decision,
		"Both runs reach the same level, about 360,000 IOPS, bound by the instance. VPU 20 "
		"suffices for that. VPU 30 would cost 522.24 USD a month more and give nothing. "
		"a, b: the level is no tier's; say which was in force as RUN@TIER.");
	end(&f);
}

static void a_single_run_can_still_be_told_a_cheaper_tier(void **state)
{
	(void)state;
	struct fixture f = { .n = 0 };
	struct vs_run *run = begin(&f, NULL, 3072, 10);

	run->instance_gbps = 12;
	verdict_run_observe(run, "user", "tier", (double)NAN, "30");
	verdict_run_add(run, VS_PHASE_LOAD, 60, 360000);
	compare(&f, NULL);
	assert_string_equal(f.cmp.rows[0].name, "run 1");
	says(&f, "VPU 20 instead of VPU 30 would give the same and save 522.24 USD a month.");
	end(&f);
}

static void what_is_not_known_is_said_and_not_made_up(void **state)
{
	(void)state;
	struct vs_prices unpriced = { .currency = "JPY",
				      .per_gb_month = (double)NAN,
				      .per_vpu_gb_month = 1 };
	struct fixture f = { .n = 0 };

	verdict_run_add(begin(&f, "same", 1024, 1), VS_PHASE_LOAD, 60, 40000);
	verdict_run_add(begin(&f, "same", 1024, 1), VS_PHASE_LOAD, 60, 50000);
	(void)begin(&f, "empty", 1024, 1);
	compare(&f, &unpriced);
	assert_string_equal(f.cmp.rows[0].name, "same (run 1)");
	assert_int_equal(f.cmp.rows[0].tier, -1);
	assert_string_equal(f.cmp.rows[1].name, "same (run 2)");
	near(f.cmp.rows[1].price_month, (double)NAN);
	assert_int_equal(f.cmp.rows[2].plateau, -1);
	assert_int_equal(f.cmp.cheapest, -1);
	assert_string_equal(f.cmp.currency, "");
	says(&f, "same (run 1): the level is no tier's; say which was in force as RUN@TIER.");
	says(&f, "same (run 2): unpriced.");
	says(&f, "empty: no plateau.");
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fifty_gb_at_three_tiers_in_yen),
		cmocka_unit_test(ten_volumes_behind_twelve_gigabits_need_no_vpu_30),
		cmocka_unit_test(tiers_that_nobody_tells_leave_the_price_of_the_next_one),
		cmocka_unit_test(a_single_run_can_still_be_told_a_cheaper_tier),
		cmocka_unit_test(what_is_not_known_is_said_and_not_made_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
