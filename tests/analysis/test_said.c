/* What was said live against what the whole recording shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "analysis/said.h"
#include "series_text.h"

#define S INT64_C(1000000000)

struct case_ {
	const char *name, *series;
	struct {
		int at_s;
		const char *kind, *text;
	} said[4];
	const char *differences[3]; /* beginnings of their texts */
};

static const struct case_ cases[] = {
	{ "all was told",
	  "25x20 50x20 75x20",
	  { { 20, "live-step", "step up at 20.0 s: 25,000 -> 50,000 IOPS, tier 10 -> 20" },
	    { 40, "live-step", "step up at 40.0 s: 50,000 -> 75,000 IOPS" } },
	  { NULL } },
	{ "a step was not told",
	  "25x20 50x20 75x20",
	  { { 20, "live-step", "step up at 20.0 s: 25,000 -> 50,000 IOPS" } },
	  { "live: no step; the whole recording: a step up at 40.0 s, 50,000 -> 75,000 IOPS" } },
	{ "a step was invented",
	  "25x60",
	  { { 31, "live-step", "step down at 31.0 s: 25,000 -> 24,000 IOPS" } },
	  { "live: a step down at 31.0 s, 25,000 -> 24,000 IOPS; the whole recording: no step "
	    "there" } },
	{ "told a little late",
	  "25x20 50x20",
	  { { 23, "live-step", "step up at 23.0 s: 25,000 -> 50,000 IOPS" } },
	  { NULL } },
	{ "told at another time",
	  "25x40 50x40",
	  { { 28, "live-step", "step up at 28.0 s: 25,000 -> 50,000 IOPS" } },
	  { "live: no step; the whole recording: a step up at 40.0 s",
	    "live: a step up at 28.0 s" } },
	{ "to another level",
	  "25x20 50x20",
	  { { 20, "live-step", "step up at 20.0 s: 25,000 -> 67,500 IOPS" } },
	  { "live: a step up at 20.0 s, 25,000 -> 67,500 IOPS; the whole recording: a step up at "
	    "20.0 s, 25,000 -> 50,000 IOPS" } },
	{ "which was corrected",
	  "25x20 67.5 50x20",
	  { { 20, "live-step", "step up at 20.0 s: 25,000 -> 67,500 IOPS" },
	    { 21, "live-correction",
	      "correction: the step at 21.0 s went 25,000 -> 50,000 IOPS" } },
	  { NULL } },
	{ "a correction takes a step back",
	  "25x20 24x3 25x20",
	  { { 20, "live-step", "step down at 20.0 s: 25,000 -> 24,000 IOPS" },
	    { 23, "live-correction",
	      "correction: the step at 23.0 s went 25,000 -> 25,000 IOPS" } },
	  { NULL } },
	{ "a text that says nothing of levels",
	  "25x20 50x20",
	  { { 20, "step", "a step" } },
	  { NULL } },
};

struct seen {
	struct vs_run *run; /* what is emitted is added to it, as the store would */
	size_t n;
};

static int take(void *ctx, const struct vs_event *event, struct vs_error *err)
{
	struct seen *seen = ctx;

	assert_string_equal(event->kind, VS_SAID_DIFFERENCE);
	seen->n++;
	return vs_run_add_event(seen->run, event, err);
}

static void differences_are_events(void **state)
{
	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct vs_error err = { 0 };
		struct gen_series s;
		struct analysed a;
		struct seen seen = { .run = &a.run };
		const struct vs_sink sink = { .ctx = &seen, .event = take };
		size_t said = 0, want = 0, emitted;

		print_message("%s\n", cases[c].name);
		series_text(cases[c].series, &s);
		gen_run(&s, &a.run);
		for (; said < 4 && cases[c].said[said].kind; said++) {
			const struct vs_event event = {
				.at_ns = cases[c].said[said].at_s * S,
				.kind = (char *)(uintptr_t)cases[c].said[said].kind,
				.text = (char *)(uintptr_t)cases[c].said[said].text,
			};

			assert_int_equal(vs_run_add_event(&a.run, &event, &err), 0);
		}
		analyse(&a, 1024, NULL);
		assert_int_equal(vs_said_compare(&a.timeline, &sink, &emitted, &err), 0);
		for (; want < 3 && cases[c].differences[want]; want++) {
			const char *text = cases[c].differences[want];

			if (said + want >= a.run.n_events)
				fail_msg("'%s' is missing", text);
			if (strncmp(a.run.events[said + want].text, text, strlen(text)) != 0)
				fail_msg("it says: %s", a.run.events[said + want].text);
		}
		if (seen.n != want)
			fail_msg("too many: %s", a.run.events[a.run.n_events - 1].text);
		assert_int_equal(emitted, want);
		/* and no more when asked again */
		assert_int_equal(vs_said_compare(&a.timeline, &sink, &emitted, &err), 0);
		assert_int_equal(seen.n, want);
		assert_int_equal(emitted, 0);
		analysed_release(&a);
		gen_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(differences_are_events) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
