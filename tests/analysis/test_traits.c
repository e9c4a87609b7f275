/* One small series for each trait of a recording, and the right reading of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "series_text.h"

struct trait {
	const char *name;
	const char *series;   /* thousands of IOPS */
	double size_gb;       /* 0: without a ladder */
	const char *plateaus; /* "level@start-end:tier", levels in thousands, tier "?" none */
	const char *steps;    /* seconds */
	const char *rest;     /* "dips 1", "stalls 1", "pending 134", "missing 2" */
};

static const struct trait traits[] = {
	{ "an auto-tuned rise with overshoots, 3 digits and a start of more at the end",
	  "25x27 67.5 50x22 110 75x22 122 100x26 137 123x18 154 134", 1024,
	  "25@0-27:10 50@28-50:20 75@51-73:30 100@74-100:40 123@101-119:50", "27 50 73 100",
	  "pending 134" },
	{ "the same without a ladder", "25x27 67.5 50x22 110 75x22", 0,
	  "25@0-27:? 50@28-50:? 75@51-73:?", "27 50", "" },
	{ "a fall", "100x20 75x20 50x20", 1024, "100@0-20:40 75@20-40:30 50@40-60:20", "20 40",
	  "" },
	{ "an opening burst is in no plateau", "164 138x26", 1024, "138@1-27:60", "", "" },
	{ "two seconds of overshoot", "25x25 75 62 50x25", 0, "25@0-25:? 50@27-52:?", "25", "" },
	{ "a step in the middle of a second", "50x20 60 100x20", 0, "50@0-20:? 100@21-41:?", "20.8",
	  "" },
	{ "dips of one and three seconds split nothing", "230x20 221 230x10 220 219 221 230x20",
	  1024, "230@0-55:120", "", "dips 2" },
	{ "a second of nothing is a stall", "50x20 0 50x20", 0, "50@0-41:?", "", "stalls 1" },
	{ "half a minute of nothing is a stall, no plateau of zero", "50x20 0.0x30 50x20", 0,
	  "50@0-70:?", "", "stalls 1" },
	{ "another level behind a stall", "50x20 0.0x10 75x20", 0, "50@0-20:? 75@30-50:?", "25",
	  "stalls 1" },
	{ "nothing but zeros", "0.0x60", 1024, "", "", "stalls 1" },
	{ "missing seconds split nothing", "50x10 -x3 50x10 - 50x10", 1024, "50@0-34:20", "",
	  "missing 4" },
	{ "a step inside a gap lies within it", "50x20 -x4 75x20", 1024, "50@0-20:20 75@24-44:30",
	  "22", "missing 4" },
	{ "one noisy plateau of 10 %", "360x120~10", 3072, "360@0-120:?", "", "" },
	{ "a quiet stretch and then a noisy one at another level", "100x60 200x60~8", 0,
	  "100@0-60:? 200@60-120:?", "60", "" },
	{ "a noisy stretch and then a quiet one", "200x60~8 100x60", 0, "200@0-60:? 100@60-120:?",
	  "60", "" },
	{ "quiet and then noisy at the same level", "100x60 100x60~8", 0, "100@0-120:?", "", "" },
	{ "steps of less than one percent are none", "100x30 100.5x30", 0, "100@0-60:?", "", "" },
	{ "a single zero-variance level", "25x60", 1024, "25@0-60:10", "", "" },
	{ "credit that runs out", "3x60~1 0.1x60~1", 0, "3@0-60:? 0.1@60-120:?", "60", "" },
	{ "a level between two tiers gets neither", "91x40", 1024, "91@0-40:?", "", "" },
	{ "four seconds are too few for a tier", "25x4", 1024, "25@0-4:?", "", "" },
};

static void list_plateaus(const struct vs_timeline *t, char *text, size_t size)
{
	size_t len = 0;

	text[0] = '\0';
	for (size_t k = 0; k < t->n_plateaus && len + 64 < size; k++)
		len += (size_t)snprintf(
			text + len, size - len, "%s%.0f@%.0f-%.0f:%s", k ? " " : "",
			t->plateaus[k].iops, (double)t->plateaus[k].start_ns / 1e9,
			(double)t->plateaus[k].end_ns / 1e9,
			t->plateaus[k].tier < 0 ? "?" : t->ladder->tiers[t->plateaus[k].tier].name);
}

static void check_plateaus(const struct vs_timeline *t, const char *want)
{
	size_t k = 0;
	char text[1024];

	list_plateaus(t, text, sizeof(text));
	for (const char *at = want; *at; k++) {
		double level, start, end;
		char tier[16];
		int used = 0;
		const struct vs_plateau *p = &t->plateaus[k];

		assert_int_equal(
			sscanf(at, "%lf@%lf-%lf:%15s %n", &level, &start, &end, tier, &used), 4);
		at += used;
		if (k >= t->n_plateaus || fabs(p->iops / (level * 1000) - 1) > 0.02 ||
		    fabs((double)p->start_ns / 1e9 - start) > (level > 150 ? 2.5 : 0.01) ||
		    fabs((double)p->end_ns / 1e9 - end) > (level > 150 ? 2.5 : 0.01) ||
		    strcmp(p->tier < 0 ? "?" : t->ladder->tiers[p->tier].name, tier) != 0)
			fail_msg("plateaus are %s", text);
	}
	if (k != t->n_plateaus)
		fail_msg("plateaus are %s", text);
}

static void check_steps(const struct vs_timeline *t, const char *want)
{
	size_t k = 0;

	for (const char *at = want; *at; k++) {
		double seconds;
		int used = 0;

		assert_int_equal(sscanf(at, "%lf %n", &seconds, &used), 1);
		at += used;
		if (k >= t->n_steps)
			fail_msg("%zu steps", t->n_steps);
		if (fabs((double)t->steps[k].at_ns / 1e9 - seconds) > 0.1)
			fail_msg("step %zu at %.2f s", k, (double)t->steps[k].at_ns / 1e9);
	}
	assert_int_equal(t->n_steps, k);
}

static void check_rest(const struct vs_timeline *t, const char *want)
{
	size_t stalls = 0;
	char text[64] = "";

	for (size_t k = 0; k < t->n_dips; k++)
		stalls += t->dips[k].stall;
	if (t->pending.present)
		(void)snprintf(text, sizeof(text), "pending %.0f", t->pending.iops / 1000);
	else if (stalls)
		(void)snprintf(text, sizeof(text), "stalls %zu", stalls);
	else if (t->n_dips)
		(void)snprintf(text, sizeof(text), "dips %zu", t->n_dips);
	else if (t->totals.missing)
		(void)snprintf(text, sizeof(text), "missing %zu", t->totals.missing);
	assert_string_equal(text, want);
}

static void each_trait_is_read_right(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(traits) / sizeof(traits[0]); i++) {
		struct analysed a;

		print_message("%s: %s\n", traits[i].name, traits[i].series);
		analyse_text(&a, traits[i].series, traits[i].size_gb);
		check_plateaus(&a.timeline, traits[i].plateaus);
		check_steps(&a.timeline, traits[i].steps);
		check_rest(&a.timeline, traits[i].rest);
		analysed_release(&a);
	}
}

static void overshoot_and_dwell_are_told(void **state)
{
	struct analysed a;

	(void)state;
	analyse_text(&a, "25x27 67.5 50x22 75x22", 1024);
	assert_int_equal(a.timeline.n_steps, 2);
	assert_true(fabs(a.timeline.steps[0].overshoot_pct - 35) < 0.01);
	assert_true(fabs(a.timeline.steps[1].overshoot_pct) < 0.01);
	assert_int_equal(a.timeline.steps[0].dwell_ns, INT64_C(27000000000));
	assert_int_equal(a.timeline.steps[1].dwell_ns, INT64_C(23000000000));
	assert_int_equal(a.timeline.steps[0].at_low_ns, INT64_C(27000000000));
	assert_int_equal(a.timeline.steps[0].at_high_ns, INT64_C(28000000000));
	analysed_release(&a);
}

static void a_drifting_stretch_is_called_drifting(void **state)
{
	struct gen gen = { 3 };
	struct gen_series s = { .n = 0 };
	struct analysed a;

	(void)state;
	gen_level(&gen, &s, 100000, 900, 0.005, 0);
	for (size_t i = 0; i < s.n; i++)
		s.iops[i] *= 1 - 0.25 * (double)i / (double)s.n;
	gen_run(&s, &a.run);
	analyse(&a, 1024, NULL);
	check_plateaus(&a.timeline, "87.4@0-900:?");
	assert_true(a.timeline.plateaus[0].drifting);
	assert_int_equal(a.timeline.plateaus[0].tier, -1);
	assert_string_equal(a.timeline.plateaus[0].tier_reason, "the level drifts");
	analysed_release(&a);
	gen_release(&s);
}

static void coarse_values_never_open_a_plateau(void **state)
{
	struct gen_series s;
	struct analysed a;

	(void)state;
	/* "24.0k" printed for 24,951 to 24,999, among "25.0k" for 25,000 to 25,049 */
	series_text("25x20 24x20 25x20", &s);
	gen_run(&s, &a.run);
	for (size_t i = 0; i < a.run.n_samples; i++)
		a.run.samples[i].resolution_ios = a.run.samples[i].ios < 24500 ? 1000 : 50;
	analyse(&a, 1024, NULL);
	check_plateaus(&a.timeline, "25@0-60:10");
	assert_true(fabs(a.timeline.plateaus[0].iops - 25000) < 1);
	assert_int_equal(a.timeline.plateaus[0].samples, 60);
	assert_int_equal(a.timeline.n_dips, 0);
	analysed_release(&a);
	gen_release(&s);
}

static void miscounted_imports_get_no_tier(void **state)
{
	struct gen_series s;
	struct analysed a;

	(void)state;
	series_text("25x20 50x20", &s);
	gen_run(&s, &a.run);
	for (size_t i = 0; i < a.run.n_samples; i++)
		a.run.samples[i].flags = VS_SAMPLE_BIASED;
	analyse(&a, 1024, NULL);
	assert_int_equal(a.timeline.n_plateaus, 2);
	for (size_t k = 0; k < 2; k++) {
		assert_int_equal(a.timeline.plateaus[k].tier, -1);
		assert_non_null(strstr(a.timeline.plateaus[k].tier_reason, "miscounted"));
	}
	analysed_release(&a);
	gen_release(&s);
}

static void the_devices_count_judges_when_it_differs(void **state)
{
	static const struct {
		bool device;
		double ratio;
		bool judged;
	} cases[] = { { true, 0.25, true }, { true, 0.995, false }, { false, 0.25, false } };

	(void)state;
	for (size_t c = 0; c < 3; c++) {
		struct gen_series s;
		struct analysed a;
		double want = cases[c].judged ? 10000 : 40000;

		print_message("ratio %.3f, %s\n", cases[c].ratio,
			      cases[c].device ? "device" : "file");
		series_text("40x30", &s);
		gen_run(&s, &a.run);
		a.run.targets[0].is_device = cases[c].device;
		for (size_t i = 0; i < a.run.n_samples; i++) {
			a.run.samples[i].device_reads =
				(int64_t)(cases[c].ratio * a.run.samples[i].ios);
			a.run.samples[i].device_sectors = a.run.samples[i].bytes / 512;
		}
		analyse(&a, 1024, NULL);
		assert_int_equal(a.timeline.totals.by_device, cases[c].judged);
		assert_int_equal(a.timeline.n_plateaus, 1);
		assert_true(fabs(a.timeline.plateaus[0].iops - want) < 1);
		assert_true(fabs(a.timeline.plateaus[0].mbps - 163.84) < 0.1);
		analysed_release(&a);
		gen_release(&s);
	}
}

/* Two targets whose samples interleave, a ramp before, and a late sample of 1.7 s. */
static void targets_add_up_and_rates_use_the_true_length(void **state)
{
	struct vs_target second = { .name = (char *)(uintptr_t) "b", .size_bytes = VS_UNKNOWN };
	struct vs_error err = { 0 };
	struct gen_series s = { .n = 0 };
	struct analysed a;
	int64_t end_ns = 0;

	(void)state;
	gen_run(&s, &a.run);
	assert_int_equal(vs_run_add_target(&a.run, &second, &err), 0);
	for (int i = 0; i < 30; i++) {
		int64_t length_ns = i == 20 ? INT64_C(1700000000) : INT64_C(1000000000);

		end_ns += length_ns;
		for (uint16_t target = 0; target < 2; target++) {
			struct vs_sample sample = {
				.end_ns = end_ns + target * 2000000,
				.length_ns = length_ns,
				.ios = (target ? 20000 : 5000) * (double)length_ns / 1e9,
				.bytes = VS_UNKNOWN,
				.lat_p50_ns = VS_UNKNOWN,
				.device_reads = VS_UNKNOWN,
				.target = target,
				.phase = i < 5 ? VS_PHASE_RAMP : VS_PHASE_LOAD,
			};

			if (i < 5)
				sample.ios *= 3;
			if (i != 12 || target == 0) /* one of the two is missing: no sum */
				assert_int_equal(vs_run_add_sample(&a.run, &sample, &err), 0);
		}
	}
	a.run.duration_ns = end_ns + 2000000;
	analyse(&a, 0, NULL);
	assert_int_equal(a.timeline.n_plateaus, 1);
	assert_true(fabs(a.timeline.plateaus[0].iops - 25000) < 0.01);
	assert_int_equal(a.timeline.plateaus[0].samples, 24);
	assert_int_equal(a.timeline.totals.samples, 29);
	assert_int_equal(a.timeline.totals.missing, 1);
	assert_int_equal(a.timeline.n_dips, 0);
	analysed_release(&a);
	gen_release(&s);
}

/* The process was stopped three times for 10 s, and once woke late within an interval. */
static void a_process_that_was_stopped_makes_no_dip(void **state)
{
	struct gen_series s;
	struct analysed a;

	(void)state;
	series_text("50x20 50x20 50x20", &s);
	gen_run(&s, &a.run);
	for (size_t i = 0; i < a.run.n_samples; i++) {
		struct vs_sample *sample = &a.run.samples[i];
		int64_t stops = (i > 10) + (i > 30) + (i > 31);

		sample->end_ns += stops * INT64_C(9000000000);
		sample->lat_max_ns = 5000000;
		if (i != 10 && i != 30 && i != 31)
			continue;
		sample->end_ns += INT64_C(9000000000);
		sample->length_ns = INT64_C(10000000000);
		sample->ios = 700;
		sample->flags = VS_SAMPLE_LATE;
		sample->lat_max_ns = INT64_C(10000000000);
	}
	a.run.samples[40].flags = VS_SAMPLE_LATE;
	a.run.duration_ns = a.run.samples[a.run.n_samples - 1].end_ns;
	analyse(&a, 1024, NULL);
	check_plateaus(&a.timeline, "50@0-87:20");
	assert_int_equal(a.timeline.plateaus[0].samples, 57);
	assert_int_equal(a.timeline.n_dips, 0);
	assert_int_equal(a.timeline.n_steps, 0);
	assert_int_equal(a.timeline.totals.samples, 60);
	assert_int_equal(a.timeline.totals.missing, 0);
	assert_int_equal(a.timeline.plateaus[0].latency.max_ns, 5000000);
	assert_true(fabs(a.timeline.plateaus[0].iops_mean - 50000) < 1);
	analysed_release(&a);
	gen_release(&s);
}

static void latency_is_the_median_weighted_by_reads(void **state)
{
	struct gen_series s;
	struct analysed a;

	(void)state;
	series_text("50x21", &s);
	gen_run(&s, &a.run);
	for (size_t i = 0; i < a.run.n_samples; i++) {
		a.run.samples[i].lat_p50_ns = 1000 + (int64_t)i;
		a.run.samples[i].lat_p99_ns = 2000;
		a.run.samples[i].lat_max_ns = i == 7 ? 900000 : 3000;
	}
	analyse(&a, 0, NULL);
	assert_int_equal(a.timeline.plateaus[0].latency.p50_ns, 1010);
	assert_int_equal(a.timeline.plateaus[0].latency.p99_ns, 2000);
	assert_int_equal(a.timeline.plateaus[0].latency.p999_ns, VS_UNKNOWN);
	assert_int_equal(a.timeline.plateaus[0].latency.max_ns, 900000);
	assert_true(fabs(a.timeline.plateaus[0].mbps - 204.8) < 1e-6);
	analysed_release(&a);
	gen_release(&s);
}

#define SAW5 " 40 30 37 33 21"
#define SAW  SAW5 SAW5 SAW5 SAW5 SAW5 SAW5

/* A sawtooth has a median and no level; noise of 10 % has one. */
static void readings_that_spread_too_far_are_no_level(void **state)
{
	struct analysed a;

	(void)state;
	analyse_text(&a, SAW, 0);
	assert_int_equal(a.timeline.n_plateaus, 0);
	assert_false(a.timeline.pending.present);
	assert_true(a.timeline.power.unsteady_pct > 15);
	assert_int_equal(a.timeline.power.unsteady_start_ns, 0);
	assert_true(a.timeline.power.unsteady_end_ns >= 29 * INT64_C(1000000000));
	analysed_release(&a);

	analyse_text(&a, "100x30" SAW " 50x30" SAW, 0);
	assert_int_equal(a.timeline.n_plateaus, 2);
	assert_int_equal(a.timeline.n_steps, 1);
	assert_int_equal(a.timeline.steps[0].at_low_ns, 30 * INT64_C(1000000000));
	assert_int_equal(a.timeline.steps[0].at_high_ns, 60 * INT64_C(1000000000));
	assert_false(a.timeline.pending.present);
	analysed_release(&a);

	analyse_text(&a, "50x30" SAW " 50x30", 0);
	assert_int_equal(a.timeline.n_plateaus, 2);
	assert_int_equal(a.timeline.n_steps, 0);
	analysed_release(&a);

	analyse_text(&a, "50x120~10", 0);
	assert_int_equal(a.timeline.n_plateaus, 1);
	assert_true(a.timeline.power.unsteady_pct <= 0);
	analysed_release(&a);
}

static void what_the_run_can_tell(void **state)
{
	static const struct {
		const char *series;
		bool too_short, too_noisy;
		double min_plateau_s; /* 0: nothing can be told */
	} cases[] = {
		{ "25x3", true, false, 5 },
		{ "230x60~10", false, true, 85 },
		{ "25x60", false, false, 5 },
		{ "0.0x60", false, false, 0 },
	};

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		const struct vs_power *power;
		struct analysed a;

		print_message("%s\n", cases[c].series);
		analyse_text(&a, cases[c].series, 1024);
		power = &a.timeline.power;
		assert_int_equal(power->too_short, cases[c].too_short);
		assert_int_equal(power->too_noisy, cases[c].too_noisy);
		assert_true(fabs((double)power->min_plateau_ns / 1e9 - cases[c].min_plateau_s) < 4);
		analysed_release(&a);
	}
}

static void the_explanation_follows_the_stages(void **state)
{
	struct vs_buf buf;
	struct vs_analysis_options options = { .explain = &buf };
	static const char *const parts[] = {
		"load: 100 readings", "a change costs",        "cheapest segments",
		"two levels cost",    "without transients",    "keep the change",
		"over the tiers",     "change placed at [49)", "with the changes placed",
	};
	struct gen_series s;
	struct analysed a;

	(void)state;
	vs_buf_init(&buf, 1 << 20);
	series_text("25x49 40 50x50", &s);
	gen_run(&s, &a.run);
	analyse(&a, 1024, &options);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strstr(buf.data, parts[i]))
			fail_msg("'%s' is not in:\n%s", parts[i], buf.data);
	vs_buf_release(&buf);
	analysed_release(&a);
	gen_release(&s);
}

static void an_empty_run_has_an_empty_timeline(void **state)
{
	struct gen_series s = { .n = 0 };
	struct analysed a;

	(void)state;
	gen_run(&s, &a.run);
	analyse(&a, 1024, NULL);
	assert_int_equal(a.timeline.n_plateaus, 0);
	assert_int_equal(a.timeline.n_steps, 0);
	assert_false(a.timeline.pending.present);
	analysed_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_trait_is_read_right),
		cmocka_unit_test(overshoot_and_dwell_are_told),
		cmocka_unit_test(a_drifting_stretch_is_called_drifting),
		cmocka_unit_test(coarse_values_never_open_a_plateau),
		cmocka_unit_test(miscounted_imports_get_no_tier),
		cmocka_unit_test(the_devices_count_judges_when_it_differs),
		cmocka_unit_test(targets_add_up_and_rates_use_the_true_length),
		cmocka_unit_test(a_process_that_was_stopped_makes_no_dip),
		cmocka_unit_test(latency_is_the_median_weighted_by_reads),
		cmocka_unit_test(readings_that_spread_too_far_are_no_level),
		cmocka_unit_test(what_the_run_can_tell),
		cmocka_unit_test(the_explanation_follows_the_stages),
		cmocka_unit_test(an_empty_run_has_an_empty_timeline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
