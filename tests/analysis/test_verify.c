/* A run against expectations: each verdict with its evidence, and nothing passed that the run
 * cannot tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/verify.h"
#include "base/clock.h"
#include "verdict_run.h"

struct fixture {
	struct vs_run run;
	struct vs_ladder ladder;
	struct vs_timeline timeline;
	struct vs_verification v;
};

/* Up from VPU 10 to 40 in three steps; then, when asked, idle: down to 10. */
static void rise(struct vs_run *run)
{
	verdict_run_init(run, 1024, 1);
	verdict_run_add(run, VS_PHASE_LOAD, 28, 25000);
	verdict_run_add(run, VS_PHASE_LOAD, 23, 50000);
	verdict_run_add(run, VS_PHASE_LOAD, 24, 75000);
	verdict_run_add(run, VS_PHASE_LOAD, 45, 100000);
}

static void fall(struct vs_run *run)
{
	verdict_run_add(run, VS_PHASE_IDLE, 25 * 60, 100000);
	verdict_run_add(run, VS_PHASE_IDLE, 120, 75000);
	verdict_run_add(run, VS_PHASE_IDLE, 180, 50000);
	verdict_run_add(run, VS_PHASE_IDLE, 600, 25000);
}

static void verify(struct fixture *f, const char *expectations, bool has_ladder)
{
	struct vs_error err = { 0 };
	struct vs_expect expect;

	vs_expect_init(&expect);
	assert_int_equal(vs_expect_parse(expectations, strlen(expectations), "test", &expect, &err),
			 0);
	if (has_ladder)
		verdict_ladder(&f->run, NULL, &f->ladder);
	vs_timeline_init(&f->timeline);
	assert_int_equal(
		vs_analyse(&f->run, has_ladder ? &f->ladder : NULL, NULL, &f->timeline, &err), 0);
	assert_int_equal(vs_verify(&f->timeline, &expect, &f->v, &err), 0);
	for (size_t i = 0; i < f->v.n; i++)
		print_message("%s %s: %s\n", vs_verdict_name(f->v.checks[i].verdict),
			      f->v.checks[i].title, f->v.checks[i].evidence);
	assert_int_equal(f->v.passed + f->v.failed + f->v.skipped, f->v.n);
}

static void release(struct fixture *f)
{
	vs_timeline_release(&f->timeline);
	vs_run_release(&f->run);
}

static const struct vs_check *find(const struct fixture *f, const char *id)
{
	for (size_t i = 0; i < f->v.n; i++)
		if (strcmp(f->v.checks[i].id, id) == 0)
			return &f->v.checks[i];
	fail_msg("no check '%s'", id);
	abort(); /* fail_msg() does not come back, which a compiler does not know */
}

struct want {
	const char *expectations, *id;
	enum vs_verdict verdict;
	const char *says;
};

static void hold(void (*make)(struct vs_run *run), bool has_ladder, const struct want *cases,
		 size_t n)
{
	for (size_t c = 0; c < n; c++) {
		const struct vs_check *check;
		struct fixture f;

		print_message("%s\n", cases[c].expectations);
		make(&f.run);
		verify(&f, cases[c].expectations, has_ladder);
		check = find(&f, cases[c].id);
		assert_string_equal(vs_verdict_name(check->verdict),
				    vs_verdict_name(cases[c].verdict));
		if (!strstr(check->evidence, cases[c].says))
			fail_msg("'%s' is not in: %s", cases[c].says, check->evidence);
		release(&f);
	}
}

static void rise_and_fall(struct vs_run *run)
{
	rise(run);
	fall(run);
}

static void a_rise_and_a_fall_are_judged(void **state)
{
	(void)state;
	static const struct want cases[] = {
		{ "{\"start_tier\": 10}", "start-tier", VS_VERDICT_PASS,
		  "plateau 0, 0:00 to 0:28: 25,000 IOPS, VPU 10" },
		{ "{\"start_tier\": \"20\"}", "start-tier", VS_VERDICT_FAIL, "VPU 10" },
		{ "{\"top_tier\": 40}", "top-tier", VS_VERDICT_PASS, "VPU 40" },
		{ "{\"top_tier\": 120}", "top-tier", VS_VERDICT_FAIL,
		  "plateau 3, 1:15 to 2:00: 100,000 IOPS, VPU 40" },
		{ "{\"end_tier\": 10}", "end-tier", VS_VERDICT_PASS, "VPU 10" },
		{ "{\"end_tier\": 20}", "end-tier", VS_VERDICT_FAIL, "VPU 10" },
		{ "{\"max_rise\": 28}", "rise", VS_VERDICT_PASS,
		  "the longest of 3: step 0 at 0:28, VPU 10 to VPU 20, after 28 s" },
		{ "{\"max_rise\": 20}", "rise", VS_VERDICT_FAIL, "step 0 at 0:28" },
		/* at the top for 45 s where 120 was asked for: a rise that never came */
		{ "{\"max_rise\": \"30s\", \"top_tier\": 120}", "rise", VS_VERDICT_FAIL,
		  "no further rise in 45 s of load" },
		{ "{\"max_rise\": \"30s\", \"top_tier\": 40}", "rise", VS_VERDICT_PASS, "28 s" },
		{ "{\"max_rise_total\": 75}", "rise-total", VS_VERDICT_PASS,
		  "reached after 1 min 15 s" },
		{ "{\"max_rise_total\": \"1m\"}", "rise-total", VS_VERDICT_FAIL, "1 min 15 s" },
		{ "{\"max_rise_total\": 100, \"top_tier\": 120}", "rise-total", VS_VERDICT_FAIL,
		  "not over after 2 min of load" },
		{ "{\"max_rise_total\": 300, \"top_tier\": 120}", "rise-total", VS_VERDICT_SKIP,
		  "not over after 2 min of load" },
		{ "{\"max_first_fall\": \"60m\"}", "first-fall", VS_VERDICT_PASS,
		  "VPU 40 to VPU 30, after 25 min" },
		{ "{\"max_first_fall\": \"20m\"}", "first-fall", VS_VERDICT_FAIL, "25 min" },
		/* the probes lie a minute apart: the fall was between 24:59 and 25:57 */
		{ "{\"max_first_fall\": 1510}", "first-fall", VS_VERDICT_SKIP, "too close" },
		{ "{\"max_fall\": \"4m\"}", "falls", VS_VERDICT_PASS, "the longest of 2: step 5" },
		{ "{\"max_fall\": 60}", "falls", VS_VERDICT_FAIL, "after 3 min" },
		{ "{\"tolerance_pct\": 1}", "tolerance", VS_VERDICT_PASS, "the furthest of " },
		{ "{\"tolerance_pct\": 0}", "tolerance", VS_VERDICT_FAIL, ", bound by the volume" },
		{ "{\"min_share_pct\": 100}", "share", VS_VERDICT_PASS, "all of 2 min" },
		{ "{\"max_dip\": 5}", "dips", VS_VERDICT_PASS, "no dip" },
	};

	hold(rise_and_fall, true, cases, sizeof(cases) / sizeof(cases[0]));
}

static void idle_for_twenty_minutes(struct vs_run *run)
{
	rise(run);
	verdict_run_add(run, VS_PHASE_IDLE, 20 * 60, 100000);
}

static void flat(struct vs_run *run)
{
	verdict_run_init(run, 1024, 1);
	verdict_run_add(run, VS_PHASE_LOAD, 60, 25000);
}

static void flat_at_no_tier(struct vs_run *run)
{
	verdict_run_init(run, 3072, 10);
	run->instance_gbps = 12;
	verdict_run_add(run, VS_PHASE_LOAD, 60, 360000);
}

/* VPU 0 and 10 of a large volume allow the same 480 MB/s. */
static void flat_at_two_tiers(struct vs_run *run)
{
	verdict_run_init(run, 2000, 1);
	run->workload.block_bytes = 1 << 20;
	verdict_run_add(run, VS_PHASE_LOAD, 60, 480e6 / (1 << 20));
}

static void what_the_run_cannot_tell_is_skipped_with_the_reason(void **state)
{
	(void)state;
	static const struct want flat_cases[] = {
		{ "{\"max_first_fall\": 3600}", "first-fall", VS_VERDICT_SKIP,
		  "no decay phase was recorded" },
		{ "{\"max_fall\": 60}", "falls", VS_VERDICT_SKIP, "no decay phase" },
		{ "{\"max_rise\": 60}", "rise", VS_VERDICT_SKIP, "no rise was seen" },
		{ "{\"max_rise_total\": 60}", "rise-total", VS_VERDICT_SKIP, "no rise was seen" },
		{ "{}", "first-fall", VS_VERDICT_SKIP, "no decay phase" },
		{ "{\"max_dip\": 0.5}", "dips", VS_VERDICT_SKIP, "the samples are 1 s apart" },
	};
	static const struct want idle_cases[] = {
		{ "{\"max_first_fall\": 3600}", "first-fall", VS_VERDICT_SKIP,
		  "no fall yet, and only 20 min of idleness watched" },
		{ "{\"max_first_fall\": 600}", "first-fall", VS_VERDICT_FAIL, "no fall in 20 min" },
		{ "{\"max_fall\": 60}", "falls", VS_VERDICT_SKIP, "no fall was seen" },
	};
	static const struct want no_tier_cases[] = {
		{ "{\"top_tier\": 30}", "top-tier", VS_VERDICT_FAIL, "no tier promises" },
		{ "{\"tolerance_pct\": 3}", "tolerance", VS_VERDICT_FAIL,
		  "off VPU 20, bound by the instance" },
		{ "{\"min_share_pct\": 90}", "share", VS_VERDICT_SKIP,
		  "the promise is known for nothing of 1 min" },
	};
	static const struct want two_tier_cases[] = {
		{ "{\"top_tier\": 10}", "top-tier", VS_VERDICT_SKIP,
		  "458 IOPS: tiers 0, 10 all fit" },
		{ "{\"top_tier\": 20}", "top-tier", VS_VERDICT_FAIL, "tiers 0, 10 all fit" },
		/* whichever of the two it is, the promise is the same */
		{ "{\"min_share_pct\": 99}", "share", VS_VERDICT_PASS, "all of 1 min" },
	};
	static const struct want no_ladder_cases[] = {
		{ "{\"top_tier\": 30}", "top-tier", VS_VERDICT_SKIP, "no ladder" },
		{ "{\"tolerance_pct\": 3}", "tolerance", VS_VERDICT_SKIP, "no ladder" },
		{ "{\"min_share_pct\": 90}", "share", VS_VERDICT_SKIP, "no ladder" },
		{ "{\"max_rise\": 10}", "rise", VS_VERDICT_FAIL,
		  "25,000 to 50,000 IOPS, after 28 s" },
	};

	hold(flat, true, flat_cases, sizeof(flat_cases) / sizeof(flat_cases[0]));
	hold(idle_for_twenty_minutes, true, idle_cases, sizeof(idle_cases) / sizeof(idle_cases[0]));
	hold(flat_at_no_tier, true, no_tier_cases,
	     sizeof(no_tier_cases) / sizeof(no_tier_cases[0]));
	hold(flat_at_two_tiers, true, two_tier_cases,
	     sizeof(two_tier_cases) / sizeof(two_tier_cases[0]));
	hold(rise, false, no_ladder_cases, sizeof(no_ladder_cases) / sizeof(no_ladder_cases[0]));
}

static void told_vpu_30(struct vs_run *run)
{
	flat_at_no_tier(run);
	verdict_run_observe(run, "user", "tier", (double)NAN, "30");
}

static void a_told_tier_is_held_against_the_level(void **state)
{
	(void)state;
	static const struct want cases[] = {
		{ "{\"top_tier\": 30}", "top-tier", VS_VERDICT_PASS, "VPU 30 as told" },
		{ "{\"top_tier\": 20}", "top-tier", VS_VERDICT_FAIL, "VPU 30 as told" },
		{ "{\"tolerance_pct\": 3}", "tolerance", VS_VERDICT_FAIL,
		  "-52.0 % off VPU 30, bound by the instance" },
		{ "{\"min_share_pct\": 90}", "share", VS_VERDICT_FAIL, "1 min below" },
	};

	hold(told_vpu_30, true, cases, sizeof(cases) / sizeof(cases[0]));
}

static void short_dip(struct vs_run *run)
{
	flat(run);
	verdict_run_add(run, VS_PHASE_LOAD, 3, 12000);
	verdict_run_add(run, VS_PHASE_LOAD, 60, 25000);
}

static void dips_count_unless_the_host_explains_them(void **state)
{
	(void)state;
	static const struct want shorts[] = {
		{ "{\"max_dip\": 2}", "dips", VS_VERDICT_FAIL, "3 s at 1:00, down to 11,9" },
		{ "{\"max_dip\": 3}", "dips", VS_VERDICT_PASS, "in plateau 0" },
		{ "{\"min_share_pct\": 99}", "share", VS_VERDICT_FAIL,
		  "97.6 % of 2 min 3 s; 3 s below, from 1:00 on in plateau 0" },
		{ "{\"min_share_pct\": 95}", "share", VS_VERDICT_PASS, "97.6 %" },
	};

	hold(short_dip, true, shorts, sizeof(shorts) / sizeof(shorts[0]));
}

/* Eight seconds are a level of their own, and a dip all the same. */
static void long_dip(struct vs_run *run)
{
	flat(run);
	verdict_run_add(run, VS_PHASE_LOAD, 8, 17000);
	verdict_run_add(run, VS_PHASE_LOAD, 60, 25000);
}

static void drop_to_no_tier(struct vs_run *run)
{
	flat(run);
	verdict_run_add(run, VS_PHASE_LOAD, 60, 17000);
}

static void drop_to_a_tier(struct vs_run *run)
{
	flat(run);
	verdict_run_add(run, VS_PHASE_LOAD, 60, 2048);
}

static void a_dip_that_is_a_plateau_is_found_too(void **state)
{
	(void)state;
	static const struct want longs[] = {
		{ "{\"max_dip\": 5}", "dips", VS_VERDICT_FAIL, "8 s at 1:00, down to 16,9" },
		{ "{\"max_dip\": 8}", "dips", VS_VERDICT_PASS, "in plateau 1" },
		{ "{\"min_share_pct\": 95}", "share", VS_VERDICT_FAIL, "8 s below" },
	};
	static const struct want drops[] = {
		{ "{\"max_dip\": 5}", "dips", VS_VERDICT_FAIL, "1 min at 1:00" },
		{ "{\"min_share_pct\": 95}", "share", VS_VERDICT_FAIL, "50.0 % of 2 min" },
	};
	static const struct want steps[] = {
		{ "{\"max_dip\": 5}", "dips", VS_VERDICT_PASS, "no dip" },
		{ "{\"min_share_pct\": 95}", "share", VS_VERDICT_PASS, "all of 2 min" },
	};

	hold(long_dip, true, longs, sizeof(longs) / sizeof(longs[0]));
	hold(drop_to_no_tier, true, drops, sizeof(drops) / sizeof(drops[0]));
	hold(drop_to_a_tier, true, steps, sizeof(steps) / sizeof(steps[0]));
}

static void slept(struct vs_run *run)
{
	struct vs_event event = { .at_ns = 63 * VS_NS_PER_SEC,
				  .kind = (char *)(uintptr_t) "suspend",
				  .text = (char *)(uintptr_t) "the host slept" };

	short_dip(run);
	assert_int_equal(vs_run_add_event(run, &event, NULL), 0);
}

static void a_dip_while_the_host_slept_is_none_of_the_volumes(void **state)
{
	(void)state;
	static const struct want cases[] = {
		{ "{\"max_dip\": 2}", "dips", VS_VERDICT_PASS,
		  "no dip; 1 explained by the recording host" },
	};

	hold(slept, true, cases, 1);
}

static void with_nothing_asked_the_documented_is_held(void **state)
{
	(void)state;
	struct fixture f;

	rise_and_fall(&f.run);
	verify(&f, "{}", true);
	assert_true(f.v.documented);
	assert_int_equal(f.v.n, 2);
	assert_true(fabs(find(&f, "first-fall")->expected - 3600) < 1e-9);
	assert_true(fabs(find(&f, "tolerance")->expected - 3) < 1e-9);
	assert_int_equal(f.v.passed, 2);
	release(&f);
}

static void a_run_without_samples_is_not_judged(void **state)
{
	(void)state;
	struct fixture f;

	verdict_run_init(&f.run, 1024, 1);
	verify(&f,
	       "{\"start_tier\": 10, \"top_tier\": 10, \"end_tier\": 10, \"max_rise\": 1, "
	       "\"max_rise_total\": 1, \"max_first_fall\": 1, \"max_fall\": 1, "
	       "\"tolerance_pct\": 3, \"min_share_pct\": 1, \"max_dip\": 1}",
	       true);
	assert_int_equal(f.v.n, 10);
	assert_int_equal(f.v.skipped, 10);
	release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rise_and_a_fall_are_judged),
		cmocka_unit_test(what_the_run_cannot_tell_is_skipped_with_the_reason),
		cmocka_unit_test(a_told_tier_is_held_against_the_level),
		cmocka_unit_test(dips_count_unless_the_host_explains_them),
		cmocka_unit_test(a_dip_that_is_a_plateau_is_found_too),
		cmocka_unit_test(a_dip_while_the_host_slept_is_none_of_the_volumes),
		cmocka_unit_test(with_nothing_asked_the_documented_is_held),
		cmocka_unit_test(a_run_without_samples_is_not_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
