/* The provider's word beside what was measured: confirmed, contradicted, unknown, and when. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "series_text.h"

static void observe(struct vs_run *run, const char *source, const char *name, double at_s,
		    double value)
{
	char source_copy[32], name_copy[48];
	struct vs_observation obs = { .at_ns = (int64_t)(at_s * 1e9),
				      .source = source_copy,
				      .name = name_copy,
				      .value = value };
	struct vs_error err = { 0 };

	(void)snprintf(source_copy, sizeof(source_copy), "%s", source);
	(void)snprintf(name_copy, sizeof(name_copy), "%s", name);
	assert_int_equal(vs_run_add_observation(run, &obs, &err), 0);
}

/*
 * polls: "10@0 20@24 end@60": read every every_s seconds from 0 on; the value holds from there;
 * "gone@30" is a server that does not answer from there.
 */
static void polls(struct vs_run *run, const char *text, double every_s)
{
	double from[16], vpu[16], end = 0;
	char word[16];
	size_t n = 0;
	int used;

	for (const char *p = text; sscanf(p, " %15[^@]@%lf%n", word, &from[n], &used) == 2;
	     p += used) {
		if (strcmp(word, "end") == 0) {
			end = from[n];
			break;
		}
		vpu[n] = (double)NAN;
		(void)sscanf(word, "%lf", &vpu[n]);
		n++;
	}
	for (double at = 0; at < end; at += every_s) {
		double value = (double)NAN;

		for (size_t i = 0; i < n; i++)
			if (from[i] <= at)
				value = vpu[i];
		if (!isnan(value))
			observe(run, "oci-volume", "autoTunedVpusPerGB", at, value);
	}
}

struct scene {
	const char *name, *series, *polls;
	double every_s;
	const char *confirmed; /* a letter a plateau: y, n, - */
	const char *steps;     /* "provider's time", - unknown */
};

static const struct scene scenes[] = {
	{ "agreed, 3 s ahead", "25x30 50x30 75x30", "10@0 20@27 30@57 end@90", 1, "yyy", "27 57 " },
	{ "polls of 10 s see it late", "25x60 50x60", "10@0 20@57 end@120", 10, "yy", "60 " },
	{ "a word that does not fit", "25x30 50x30", "10@0 30@27 end@60", 1, "yn", "27 " },
	{ "the volume never moves", "25x60", "20@0 end@60", 1, "n", "" },
	{ "no fall was measured", "50x30 75x30", "20@0 10@27 end@60", 1, "yn", "- " },
	{ "gone half-way: the rest is not known", "25x30 50x30 75x30", "10@0 20@27 gone@50 end@90",
	  1, "yy-", "27 - " },
	{ "gone over the change: nobody saw it", "25x30 50x60", "10@0 gone@20 20@50 end@90", 1,
	  "yy", "- " },
	{ "nobody says", "25x30 50x30", "", 1, "--", "- " },
};

static void the_word_is_held_against_the_level(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
		const struct scene *scene = &scenes[i];
		char confirmed[32] = "", steps[128] = "";
		struct gen_series s;
		struct analysed a;

		print_message("%s\n", scene->name);
		series_text(scene->series, &s);
		gen_run(&s, &a.run);
		polls(&a.run, scene->polls, scene->every_s);
		analyse(&a, 1024, NULL);
		for (size_t k = 0; k < a.timeline.n_plateaus; k++)
			confirmed[k] = "-ny"[a.timeline.plateaus[k].confirmed];
		for (size_t k = 0; k < a.timeline.n_steps; k++) {
			int64_t at_ns = a.timeline.steps[k].provider_at_ns;
			size_t len = strlen(steps);

			if (at_ns < 0)
				(void)snprintf(steps + len, sizeof(steps) - len, "- ");
			else
				(void)snprintf(steps + len, sizeof(steps) - len, "%.0f ",
					       (double)at_ns / 1e9);
		}
		assert_string_equal(confirmed, scene->confirmed);
		assert_string_equal(steps, scene->steps);
		analysed_release(&a);
		gen_release(&s);
	}
}

/* The word is 3 s ahead: at a plateau's end it is already the next one's. */
static void what_the_provider_confirms_is_bound_by_the_volume(void **state)
{
	struct gen_series s;
	struct analysed a;

	(void)state;
	series_text("25x30 50x30", &s);
	gen_run(&s, &a.run);
	polls(&a.run, "10@0 20@27 30@57 end@60", 1);
	analyse(&a, 1024, NULL);
	assert_int_equal(a.timeline.n_plateaus, 2);
	assert_int_equal(a.timeline.plateaus[0].bound_by, VS_BOUND_VOLUME);
	assert_int_equal(a.timeline.plateaus[1].bound_by, VS_BOUND_VOLUME);
	analysed_release(&a);
	gen_release(&s);
}

static void a_contradiction_is_put_into_words(void **state)
{
	struct gen_series s;
	struct analysed a;

	(void)state;
	series_text("25x30 91x30", &s);
	gen_run(&s, &a.run);
	polls(&a.run, "20@0 40@28 end@60", 1);
	analyse(&a, 1024, NULL);
	assert_string_equal(a.timeline.plateaus[0].tier_reason, "the provider says VPU 20");
	assert_string_equal(a.timeline.plateaus[1].tier_reason,
			    "no tier promises this level; the provider says VPU 40");
	assert_int_equal(a.timeline.plateaus[1].confirmed, VS_CONFIRMED_UNKNOWN);
	analysed_release(&a);
	gen_release(&s);
}

/* Without polls the metric tells: a minute of 13 between 10 and 20 is a change after 42 of its 60
 * s. */
static void a_minute_between_two_tiers_is_a_change(void **state)
{
	struct gen_series s;
	struct analysed a;

	(void)state;
	series_text("25x165 50x135", &s);
	gen_run(&s, &a.run);
	for (int i = 0; i < 5; i++)
		observe(&a.run, "oci-monitoring", "VolumeGuaranteedVPUsPerGB", 60 * i,
			i < 2    ? 10
			: i == 2 ? 13
				 : 20);
	analyse(&a, 1024, NULL);
	assert_int_equal(a.timeline.n_steps, 1);
	assert_true(fabs((double)a.timeline.steps[0].provider_at_ns / 1e9 - 162) < 0.1);
	assert_int_equal(a.timeline.plateaus[0].confirmed, VS_CONFIRMED_YES);
	assert_int_equal(a.timeline.plateaus[1].confirmed, VS_CONFIRMED_YES);
	analysed_release(&a);
	gen_release(&s);
}

/* A noisy level between VPU 110 and 120, of a volume that goes no higher than 110. */
static void the_range_of_auto_tuning_narrows_a_set(void **state)
{
	(void)state;
	for (int told = 0; told < 2; told++) {
		struct gen_series s;
		struct analysed a;
		const struct vs_plateau *p;

		series_text("222x30~8", &s);
		gen_run(&s, &a.run);
		if (told) {
			observe(&a.run, "oci-volume", "vpusPerGB", 0, 10);
			observe(&a.run, "oci-volume", "maxVpusPerGB", 0, 110);
		}
		analyse(&a, 1024, NULL);
		p = a.timeline.plateaus;
		assert_int_equal(a.timeline.n_plateaus, 1);
		assert_int_equal(__builtin_popcountll(p->tiers), told ? 1 : 2);
		assert_int_equal(p->tier, told ? 10 : -1); /* VPU 10 stands first */
		analysed_release(&a);
		gen_release(&s);
	}
}

/* An idle stretch without probes: its levels are told. The load's end is no step by itself. */
static void decay_is_watched_without_load(void **state)
{
	static const struct {
		const char *polls, *tiers, *steps; /* of the idle stretch; all steps */
	} cases[] = {
		{ "20@0 10@150 end@240", "20 10 ", "150 " },
		{ "20@0 10@150 gone@200 end@240", "20 10 ", "150 " },
		{ "20@0 gone@30 end@240", "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char tiers[64] = "", steps[64] = "";
		struct gen_series s;
		struct analysed a;

		print_message("%s\n", cases[i].polls);
		/* 40,000 IOPS: the instance, below VPU 20's 50,000 */
		series_text("40x60 0.0x180", &s);
		gen_run(&s, &a.run);
		for (size_t k = 60; k < a.run.n_samples; k++)
			a.run.samples[k].phase = VS_PHASE_IDLE;
		polls(&a.run, cases[i].polls, 5);
		analyse(&a, 1024, NULL);
		for (size_t k = 0; k < a.timeline.n_plateaus; k++) {
			const struct vs_plateau *p = &a.timeline.plateaus[k];
			size_t len = strlen(tiers);

			if (p->phase == VS_PHASE_IDLE)
				(void)snprintf(
					tiers + len, sizeof(tiers) - len, "%s ",
					p->tier < 0 ? "?" : a.timeline.ladder->tiers[p->tier].name);
		}
		for (size_t k = 0; k < a.timeline.n_steps; k++) {
			size_t len = strlen(steps);
			(void)snprintf(steps + len, sizeof(steps) - len, "%.0f ",
				       (double)a.timeline.steps[k].at_ns / 1e9);
		}
		assert_string_equal(tiers, cases[i].tiers);
		assert_string_equal(steps, cases[i].steps);
		analysed_release(&a);
		gen_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_word_is_held_against_the_level),
		cmocka_unit_test(what_the_provider_confirms_is_bound_by_the_volume),
		cmocka_unit_test(a_contradiction_is_put_into_words),
		cmocka_unit_test(a_minute_between_two_tiers_is_a_change),
		cmocka_unit_test(the_range_of_auto_tuning_narrows_a_set),
		cmocka_unit_test(decay_is_watched_without_load),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
