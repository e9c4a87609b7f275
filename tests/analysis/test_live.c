/* The detector while the run goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/live.h"
#include "scenario.h"
#include "series_text.h"

#define S INT64_C(1000000000)

struct news {
	enum vs_live_news what;
	int64_t told_s; /* end of the reading that it was told at */
	int64_t at_s;
	double from, to;
};

struct log {
	struct vs_live *live;
	struct news news[4096];
	size_t n;
	int64_t now_s;
};

static void open_log(struct log *log, const struct vs_ladder *ladder)
{
	struct vs_error err = { 0 };

	memset(log, 0, sizeof(*log));
	assert_int_equal(vs_live_open(ladder, 4096, &log->live, &err), 0);
}

static void put_for(struct log *log, double iops, int64_t seconds)
{
	struct vs_live_step step;
	struct vs_error err = { 0 };

	assert_int_equal(vs_live_put(log->live, log->now_s * S, (log->now_s + seconds) * S, iops,
				     &step, &err),
			 0);
	log->now_s += seconds;
	if (step.news == VS_LIVE_NOTHING)
		return;
	assert_true(log->n < sizeof(log->news) / sizeof(log->news[0]));
	log->news[log->n++] = (struct news){ step.news, log->now_s, step.at_ns / S, step.from_iops,
					     step.to_iops };
}

static void put_series(struct log *log, const struct gen_series *s)
{
	for (size_t i = 0; i < s->n; i++) {
		if (isnan(s->iops[i]))
			log->now_s++;
		else
			put_for(log, s->iops[i], 1);
	}
}

static void put_text(struct log *log, const char *text)
{
	struct gen_series s;

	series_text(text, &s);
	put_series(log, &s);
	gen_release(&s);
}

static void close_log(struct log *log)
{
	vs_live_free(log->live);
}

static size_t count(const struct log *log, enum vs_live_news what)
{
	size_t n = 0;

	for (size_t i = 0; i < log->n; i++)
		n += log->news[i].what == what;
	return n;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static struct log the_log; /* too large for a stack */

/* The steps of stairs, with overshoots: none is missed or invented, half are told in 5 s. */
static void steps_are_confirmed_within_five_seconds(void **state)
{
	static const double noises[] = { 0.001, 0.01 };

	(void)state;
	for (size_t n = 0; n < 2; n++) {
		double delays[512];
		size_t told = 0, truths = 0, invented = 0;

		for (uint64_t seed = 0; seed < 40; seed++) {
			const struct scenario stairs = { .shape = STAIRS,
							 .size_gb = 1024,
							 .a = 20,
							 .b = 30,
							 .noise = noises[n] };
			struct gen gen = { 31 * seed + n };
			struct gen_series s;
			struct log *log = &the_log;
			size_t next = 0;

			scenario_make(&stairs, &gen, &s);
			open_log(log, NULL);
			put_series(log, &s);
			truths += s.n_changes;
			for (size_t i = 0; i < log->n; i++) {
				const struct news *news = &log->news[i];

				if (news->what != VS_LIVE_CONFIRMED)
					continue;
				if (next < s.n_changes &&
				    fabs((double)news->at_s - s.changes[next]) <= 3)
					delays[told++] = (double)news->told_s - s.changes[next++];
				else
					invented++;
			}
			close_log(log);
			gen_release(&s);
		}
		qsort(delays, told, sizeof(delays[0]), by_value);
		print_message(
			"%.1f %%: %zu of %zu told, %zu invented, median %.0f s, 90 %% %.0f s\n",
			100 * noises[n], told, truths, invented, delays[told / 2],
			delays[told * 9 / 10]);
		assert_true(told * 200 >= truths * 199);
		assert_int_equal(invented, 0);
		assert_true(delays[told / 2] <= 5);
	}
}

/* Alarms in 12 hours, each by itself, at 2 to 7 % noise. */
static size_t flat_alarms(double rho)
{
	size_t alarms = 0;

	for (uint64_t seed = 0; seed < 12; seed++) {
		struct gen gen = { seed };
		struct gen_series s = { .n = 0 };

		gen_level(&gen, &s, 100000, 3600, 0.02 + 0.01 * (double)(seed % 6), rho);
		open_log(&the_log, NULL);
		put_series(&the_log, &s);
		alarms += count(&the_log, VS_LIVE_CONFIRMED);
		close_log(&the_log);
		gen_release(&s);
	}
	print_message("%zu false alarms in 12 h of AR(%.1f)\n", alarms, rho);
	return alarms;
}

static void flat_series_raise_hardly_any_alarm(void **state)
{
	(void)state;
	assert_true(flat_alarms(0) <= 1);
	assert_true(flat_alarms(0.5) <= 10);
	assert_true(flat_alarms(0.8) <= 60);
}

static void a_suspect_is_told_at_once_and_a_dip_is_no_step(void **state)
{
	(void)state;
	open_log(&the_log, NULL);
	put_text(&the_log, "50x30 40x2 50x30");
	assert_int_equal(the_log.n, 1);
	assert_int_equal(the_log.news[0].what, VS_LIVE_SUSPECT);
	assert_int_equal(the_log.news[0].told_s, 31);
	close_log(&the_log);
}

static void an_overshoot_that_settles_is_a_correction(void **state)
{
	const struct news *last;

	(void)state;
	open_log(&the_log, NULL);
	put_text(&the_log, "25x30 70x4 50x30");
	assert_int_equal(count(&the_log, VS_LIVE_CONFIRMED), 1);
	assert_int_equal(count(&the_log, VS_LIVE_CORRECTED), 1);
	last = &the_log.news[the_log.n - 1];
	assert_int_equal(last->what, VS_LIVE_CORRECTED);
	assert_true(fabs(last->from - 25000) < 1 && fabs(last->to - 50000) < 1);
	close_log(&the_log);
}

static void a_stall_is_no_level(void **state)
{
	(void)state;
	open_log(&the_log, NULL);
	put_text(&the_log, "50x30 0.0x20 50x30");
	assert_int_equal(count(&the_log, VS_LIVE_CONFIRMED), 0);
	assert_int_equal(the_log.news[0].what, VS_LIVE_SUSPECT);
	assert_int_equal(the_log.news[0].told_s, 31);
	assert_true(fabs(vs_live_level(the_log.live) - 50000) < 1);
	close_log(&the_log);
}

static void a_process_that_was_stopped_tells_nothing(void **state)
{
	(void)state;
	open_log(&the_log, NULL);
	put_text(&the_log, "50x30");
	for (int i = 0; i < 4; i++)
		put_for(&the_log, 300 + i, 10);
	put_text(&the_log, "50x30");
	assert_int_equal(the_log.n, 0);
	close_log(&the_log);
}

/* A probe lasts as long as a stop does, but there is a silence before it. */
static void with_a_ladder_one_probe_confirms(void **state)
{
	struct vs_ladder ladder;

	(void)state;
	gen_ladder(1024, &ladder);
	open_log(&the_log, &ladder);
	put_text(&the_log, "230.4x30");
	for (int tier = 11; tier >= 0; tier--) {
		the_log.now_s += 58;
		put_for(&the_log, ladder.tiers[tier].iops, 2);
	}
	assert_int_equal(count(&the_log, VS_LIVE_CONFIRMED), 11);
	assert_true(fabs(the_log.news[the_log.n - 1].to - 25000) < 1);
	close_log(&the_log);
}

static void what_is_no_number_is_passed_over(void **state)
{
	static const double odd[] = { (double)NAN, (double)INFINITY, -5, 1e300 };

	(void)state;
	open_log(&the_log, NULL);
	put_text(&the_log, "50x30");
	for (size_t i = 0; i < 400; i++)
		put_for(&the_log, odd[i % 4], 1);
	put_text(&the_log, "50x30");
	assert_int_equal(count(&the_log, VS_LIVE_CONFIRMED), 0);
	assert_true(fabs(vs_live_level(the_log.live) - 50000) < 1);
	close_log(&the_log);
}

/* Three days with a step an hour: as exact at the end as in the beginning. */
static void a_long_run_is_followed_to_its_end(void **state)
{
	struct gen gen = { 17 };
	struct gen_series s = { .n = 0 };

	(void)state;
	for (int hour = 0; hour < 72; hour++)
		gen_level(&gen, &s, hour % 2 ? 50000 : 75000, 3600, 0.01, 0);
	open_log(&the_log, NULL);
	put_series(&the_log, &s);
	assert_int_equal(count(&the_log, VS_LIVE_CONFIRMED), 71);
	close_log(&the_log);
	gen_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_confirmed_within_five_seconds),
		cmocka_unit_test(flat_series_raise_hardly_any_alarm),
		cmocka_unit_test(a_suspect_is_told_at_once_and_a_dip_is_no_step),
		cmocka_unit_test(an_overshoot_that_settles_is_a_correction),
		cmocka_unit_test(a_stall_is_no_level),
		cmocka_unit_test(a_process_that_was_stopped_tells_nothing),
		cmocka_unit_test(with_a_ladder_one_probe_confirms),
		cmocka_unit_test(what_is_no_number_is_passed_over),
		cmocka_unit_test(a_long_run_is_followed_to_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
