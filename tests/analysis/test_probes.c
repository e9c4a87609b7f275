/* An idle volume that falls a tier a minute, seen through short probes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "invariants.h"
#include "series_text.h"

#define S INT64_C(1000000000)

struct decay {
	double size_gb;
	int spacing_s, length_s;
	double noise;
	int falls_after_s; /* then a tier a minute, from 120 to 10 */
	int lasts_s;
	bool in_twos; /* two tiers a step */
	int uneven_s; /* each step comes up to so much later than a minute behind the one before */
};

static void put(struct vs_run *run, enum vs_phase phase, int64_t end_s, double ios)
{
	struct vs_error err = { 0 };
	struct vs_sample sample = {
		.end_ns = end_s * S,
		.length_ns = S,
		.ios = ios,
		.bytes = (int64_t)(ios * 4096),
		.lat_p50_ns = VS_UNKNOWN,
		.lat_p99_ns = VS_UNKNOWN,
		.lat_p999_ns = VS_UNKNOWN,
		.lat_max_ns = VS_UNKNOWN,
		.device_reads = VS_UNKNOWN,
		.device_merges = VS_UNKNOWN,
		.device_sectors = VS_UNKNOWN,
		.phase = (uint16_t)phase,
	};

	assert_int_equal(vs_run_add_sample(run, &sample, &err), 0);
	run->duration_ns = sample.end_ns;
}

/* The second of the idle stretch in which the volume falls to a tier. */
static int falls_at(const struct decay *d, int tier)
{
	struct gen gen = { (uint64_t)d->falls_after_s };
	int at_s = d->falls_after_s;

	for (int k = 10; k > tier; k--)
		at_s += 60 + (d->uneven_s ? (int)(gen_next(&gen) % (uint64_t)d->uneven_s) : 0);
	return at_s;
}

/* The tier in force at a second of the idle stretch: 11 is VPU 120, 0 is VPU 10. */
static int tier_at(const struct decay *d, int second)
{
	int steps = 0;
	int tier;

	while (steps < 11 && second >= falls_at(d, 10 - steps))
		steps++;
	tier = d->in_twos ? 11 - 2 * steps : 11 - steps;
	return tier > 0 ? tier : 0;
}

static void make(const struct decay *d, struct gen *gen, struct analysed *a)
{
	struct gen_series none = { .n = 0 };
	struct vs_ladder ladder;
	int64_t at_s = 0;

	gen_ladder(d->size_gb, &ladder);
	gen_run(&none, &a->run);
	for (int i = 0; i < 40; i++)
		put(&a->run, VS_PHASE_LOAD, ++at_s,
		    ladder.tiers[11].iops * exp(d->noise * gen_normal(gen)));
	for (int i = 0; i < d->lasts_s; i++) {
		int in_probe = i % d->spacing_s - (d->spacing_s - d->length_s);
		double level = ladder.tiers[tier_at(d, i)].iops;

		/* the bucket has refilled: a probe's first second is higher */
		if (in_probe == 0)
			level *= gen_uniform(gen, 1.05, 1.4);
		if (in_probe >= 0)
			put(&a->run, VS_PHASE_PROBE, ++at_s,
			    level * exp(d->noise * gen_normal(gen)));
		else
			put(&a->run, VS_PHASE_IDLE, ++at_s, 0);
	}
}

/* NULL when the idle plateaus are the tiers that the probes met, and each step lies in its bounds.
 */
static const char *wrong(const struct decay *d, const struct vs_timeline *t)
{
	size_t k = 0;
	int past = -1;

	for (int i = 0; i < d->lasts_s; i++) {
		int tier = tier_at(d, i);

		if (i % d->spacing_s != d->spacing_s - 1 || tier == past)
			continue;
		while (k < t->n_plateaus && t->plateaus[k].phase == VS_PHASE_LOAD)
			k++;
		if (k == t->n_plateaus)
			return "a level is missing";
		if (t->plateaus[k].tier != tier)
			return "a level has another tier";
		past = tier;
		k++;
	}
	if (k != t->n_plateaus)
		return "a level was invented";
	for (size_t i = 0; i < t->n_steps; i++) {
		const struct vs_step *s = &t->steps[i];
		int64_t true_s = 40 + falls_at(d, t->plateaus[s->to].tier);

		if (s->direction != VS_DOWN)
			return "a step up in a decay";
		if (s->at_low_ns > (true_s + 1) * S || s->at_high_ns < (true_s - 60) * S)
			return "a step lies outside of its bounds";
	}
	return NULL;
}

/* Probes whose plateau has their tier, a set with it, or not. */
struct readings {
	size_t all, right, open, wrong;
};

static void count(const struct decay *d, const struct vs_timeline *t, struct readings *out)
{
	for (int i = d->spacing_s - 1; i < d->lasts_s; i += d->spacing_s) {
		int64_t at_ns = (40 + i) * S;
		int tier = tier_at(d, i);
		size_t k = 0;

		out->all++;
		while (k < t->n_plateaus && t->plateaus[k].end_ns <= at_ns)
			k++;
		if (k < t->n_plateaus && t->plateaus[k].start_ns <= at_ns) {
			out->right += t->plateaus[k].tier == tier;
			out->open += t->plateaus[k].tier < 0 && (t->plateaus[k].tiers >> tier & 1);
			out->wrong += t->plateaus[k].tier >= 0 && t->plateaus[k].tier != tier;
		}
	}
}

static const int spacings[] = { 10, 15, 20, 30, 45, 60 };
#define SPACINGS (sizeof(spacings) / sizeof(spacings[0]))

static struct decay decay_of(int spacing_s, double noise, uint64_t seed)
{
	return (struct decay){ .size_gb = 1024,
			       .spacing_s = spacing_s,
			       .length_s = seed % 2 ? 3 : 2,
			       .noise = noise,
			       .falls_after_s = 300 + (int)(7 * seed),
			       .lasts_s = 1200 };
}

/* A fall that keeps no time has no cadence for its steps to be placed by. */
static void an_uneven_fall_is_read_exactly(void **state)
{
	(void)state;
	for (size_t s = 0; s < SPACINGS; s++) {
		for (uint64_t seed = 0; seed < 5; seed++) {
			struct gen gen = { 1000 * s + seed };
			struct decay d = decay_of(spacings[s], 0.01, seed);
			struct analysed a;
			const char *why;

			d.uneven_s = 10 + 25 * (int)seed;
			d.lasts_s = 2400;
			make(&d, &gen, &a);
			analyse(&a, d.size_gb, NULL);
			why = wrong(&d, &a.timeline);
			if (why)
				fail_msg("every %d s, up to %d s late, seed %d: %s", d.spacing_s,
					 d.uneven_s, (int)seed, why);
			analysed_release(&a);
		}
	}
}

static void a_tier_a_minute_is_read_exactly(void **state)
{
	static const double noises[] = { 0, 0.005, 0.01 };

	(void)state;
	for (size_t s = 0; s < SPACINGS; s++) {
		for (size_t n = 0; n < sizeof(noises) / sizeof(noises[0]); n++) {
			for (uint64_t seed = 0; seed < 6; seed++) {
				struct gen gen = { 1000 * s + 100 * n + seed };
				struct decay d = decay_of(spacings[s], noises[n], seed);
				struct analysed a;
				const char *why;

				make(&d, &gen, &a);
				analyse(&a, d.size_gb, NULL);
				why = wrong(&d, &a.timeline);
				if (why)
					fail_msg("every %d s, %.1f %%, seed %d: %s", d.spacing_s,
						 100 * d.noise, (int)seed, why);
				analysed_release(&a);
			}
		}
	}
}

/*
 * At 2 % one probe of 2 s is at times as near to the next tier, and one that the volume fell in is
 * between: the others of the fall tell most of them. Probes further apart than a tier's minute pass
 * tiers over.
 */
static void in_noise_and_far_apart_a_probe_is_hardly_ever_read_wrong(void **state)
{
	static const struct {
		double noise, right, wrong;
		uint64_t seeds;
		int spacings[6]; /* ends with 0 */
	} cases[] = {
		{ 0.02, 0.995, 0.003, 16, { 10, 15, 20, 30, 45, 60 } },
		{ 0.03, 0.985, 0.012, 4, { 10, 15, 20, 30, 45, 60 } },
		{ 0.01, 0.999, 0.000, 6, { 75, 90, 120, 180 } },
		{ 0.02, 0.975, 0.006, 10, { 75, 90, 120, 180 } },
	};

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct readings sum = { 0 };
		double all;

		for (size_t s = 0; s < SPACINGS && cases[c].spacings[s]; s++) {
			for (uint64_t seed = 0; seed < cases[c].seeds; seed++) {
				struct gen gen = { 1000 * s + seed };
				struct decay d =
					decay_of(cases[c].spacings[s], cases[c].noise, seed);
				struct analysed a;

				make(&d, &gen, &a);
				analyse(&a, d.size_gb, NULL);
				count(&d, &a.timeline, &sum);
				analysed_release(&a);
			}
		}
		all = (double)sum.all;
		print_message(
			"%.1f %%: of %zu probes %zu are read right, %zu left open, %zu wrong\n",
			100 * cases[c].noise, sum.all, sum.right, sum.open, sum.wrong);
		assert_true((double)sum.right >= cases[c].right * all);
		assert_true((double)sum.wrong <= cases[c].wrong * all);
	}
}

/* A tier each half minute would be cheaper than its jumps, with each second one off time. */
static void a_fall_of_two_tiers_at_a_time_is_none_of_one(void **state)
{
	struct readings sum = { 0 };

	(void)state;
	for (uint64_t seed = 0; seed < 40; seed++) {
		struct gen gen = { seed };
		struct decay d = decay_of(30, 0.02, seed);
		struct analysed a;

		d.in_twos = true;
		make(&d, &gen, &a);
		analyse(&a, d.size_gb, NULL);
		count(&d, &a.timeline, &sum);
		analysed_release(&a);
	}
	print_message("of %zu probes %zu are read right, %zu left open, %zu wrong\n", sum.all,
		      sum.right, sum.open, sum.wrong);
	assert_true((double)sum.right >= 0.985 * (double)sum.all);
	assert_true((double)sum.wrong <= 0.005 * (double)sum.all);
}

/* Each 25th probe is disturbed. */
static void low_probes_cut_no_level_without_a_ladder(void **state)
{
	size_t exact = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 200; seed++) {
		struct gen gen = { seed };
		struct decay d = decay_of(10, 0.01, seed % 40);
		struct analysed a;
		size_t levels = 0;

		make(&d, &gen, &a);
		for (size_t i = 40; i + 10 <= a.run.n_samples; i += 10) {
			double share = gen_next(&gen) % 25 ? 1 : gen_uniform(&gen, 0.5, 0.97);

			for (size_t k = i; k < i + 10; k++)
				a.run.samples[k].ios *= share;
		}
		analyse(&a, 0, NULL);
		for (size_t k = 0; k < a.timeline.n_plateaus; k++)
			levels += a.timeline.plateaus[k].phase == VS_PHASE_IDLE;
		exact += levels == 12;
		analysed_release(&a);
	}
	print_message("%zu of 200 decays have their twelve levels\n", exact);
	assert_true(exact >= 197);
}

/* A probe that was disturbed, and by chance by as much as a tier, or by two. */
static void one_low_probe_is_no_fall(void **state)
{
	(void)state;
	for (int tiers = 1; tiers <= 2; tiers++) {
		struct gen gen = { 9 };
		struct decay d = decay_of(30, 0.005, 1);
		struct vs_ladder ladder;
		struct analysed a;

		d.falls_after_s = d.lasts_s = 600;
		make(&d, &gen, &a);
		gen_ladder(d.size_gb, &ladder);
		for (size_t i = 0; i < a.run.n_samples; i++)
			if (a.run.samples[i].end_ns > (40 + 267) * S &&
			    a.run.samples[i].end_ns <= (40 + 270) * S)
				a.run.samples[i].ios *=
					ladder.tiers[11 - tiers].iops / ladder.tiers[11].iops;
		analyse(&a, d.size_gb, NULL);
		assert_int_equal(a.timeline.n_plateaus, 2);
		assert_int_equal(a.timeline.n_steps, 0);
		assert_int_equal(a.timeline.plateaus[1].tier, 11);
		analysed_release(&a);
	}
}

static void without_a_ladder_a_level_needs_three_probes_and_that_is_said(void **state)
{
	struct gen gen = { 5 };
	struct decay often = { .size_gb = 1024,
			       .spacing_s = 15,
			       .length_s = 3,
			       .noise = 0.005,
			       .falls_after_s = 300,
			       .lasts_s = 1200 };
	struct analysed a;
	size_t idle = 0;

	(void)state;
	make(&often, &gen, &a);
	analyse(&a, 0, NULL);
	for (size_t k = 0; k < a.timeline.n_plateaus; k++)
		idle += a.timeline.plateaus[k].phase == VS_PHASE_IDLE;
	assert_int_equal(idle, 12);
	assert_true(a.timeline.power.probes_sparse);
	analysed_release(&a);
}

/* Somebody else's log of probes alone: there was no load to tell the noise. */
static void probes_alone_are_read_and_what_they_can_tell_is_said(void **state)
{
	struct gen gen = { 8 };
	struct decay d = decay_of(30, 0.005, 1);
	struct analysed a;

	(void)state;
	make(&d, &gen, &a);
	a.run.n_samples -= 40;
	memmove(a.run.samples, a.run.samples + 40, a.run.n_samples * sizeof(a.run.samples[0]));
	analyse(&a, d.size_gb, NULL);
	assert_null(wrong(&d, &a.timeline));
	assert_false(a.timeline.power.probes_sparse);
	assert_true(isnan(a.timeline.power.noise_pct));
	analysed_release(&a);
}

static void one_probe_of_a_kind_is_no_level_without_a_ladder(void **state)
{
	struct gen gen = { 6 };
	struct decay rare = { .size_gb = 1024,
			      .spacing_s = 60,
			      .length_s = 3,
			      .noise = 0.005,
			      .falls_after_s = 310,
			      .lasts_s = 1800 };
	struct analysed a;

	(void)state;
	make(&rare, &gen, &a);
	analyse(&a, 0, NULL);
	for (size_t k = 0; k < a.timeline.n_plateaus; k++)
		assert_true(a.timeline.plateaus[k].samples >= 3);
	analysed_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tier_a_minute_is_read_exactly),
		cmocka_unit_test(an_uneven_fall_is_read_exactly),
		cmocka_unit_test(in_noise_and_far_apart_a_probe_is_hardly_ever_read_wrong),
		cmocka_unit_test(a_fall_of_two_tiers_at_a_time_is_none_of_one),
		cmocka_unit_test(one_low_probe_is_no_fall),
		cmocka_unit_test(low_probes_cut_no_level_without_a_ladder),
		cmocka_unit_test(without_a_ladder_a_level_needs_three_probes_and_that_is_said),
		cmocka_unit_test(probes_alone_are_read_and_what_they_can_tell_is_said),
		cmocka_unit_test(one_probe_of_a_kind_is_no_level_without_a_ladder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
