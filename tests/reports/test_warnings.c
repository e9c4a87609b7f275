/* What must be known before figures are trusted stands in every format, at its top. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "fixture.h"
#include "reports/report.h"

struct trouble {
	void (*make)(struct fixture *f);
	const char *english, *japanese;
	const char *json; /* how the JSON tells it */
};

static void add_event(struct fixture *f, const char *kind, const char *text)
{
	struct vs_event event = { .at_ns = VS_NS_PER_SEC };
	struct vs_error err = { 0 };

	assert_int_equal(vs_run_set_text(&event.kind, kind, &err), 0);
	assert_int_equal(vs_run_set_text(&event.text, text, &err), 0);
	assert_int_equal(vs_run_add_event(&f->run, &event, &err), 0);
	free(event.kind);
	free(event.text);
}

static void emulated(struct fixture *f)
{
	f->run.emulated = true;
}

static void running(struct fixture *f)
{
	f->run.end = VS_END_RUNNING;
}

static void interrupted(struct fixture *f)
{
	f->run.end = VS_END_INTERRUPTED;
}

static void crashed(struct fixture *f)
{
	f->run.end = VS_END_CRASHED;
}

static void by_device(struct fixture *f)
{
	f->timeline.totals.by_device = true;
	f->timeline.totals.device_ratio = 0.031;
	add_event(f, "device-mismatch", "the device did 3.1 % of the reads");
}

static void biased(struct fixture *f)
{
	f->run.samples[9].flags |= VS_SAMPLE_BIASED;
	add_event(f, "import-bias", "fio 3.1 miscounts in this mode");
}

static void missing(struct fixture *f)
{
	f->timeline.totals.missing = 1234;
}

static void errors(struct fixture *f)
{
	f->timeline.totals.errors = 17;
}

static void mismatch(struct fixture *f)
{
	add_event(f, "import-mismatch", "the samples average 100.0 IOPS, fio itself says 110.0");
}

static void no_series(struct fixture *f)
{
	add_event(f, "no-series", "the input holds 1 result and no series over time");
}

static void stalls(struct fixture *f)
{
	f->timeline.dips[0].stall = true;
}

static void pending(struct fixture *f)
{
	(void)f; /* the fixture has one */
}

static const struct trouble troubles[] = {
	{ emulated, "Emulated: the ceiling was paced by volscale itself",
	  "エミュレーション: 上限は volscale 自身が", "\"emulated\": true" },
	{ running, "The run is still going on", "記録はまだ続いています", "\"end\": \"running\"" },
	{ interrupted, "The run was interrupted", "記録は終了前に中断",
	  "\"end\": \"interrupted\"" },
	{ crashed, "The recording process died", "に異常終了しました", "\"end\": \"crashed\"" },
	{ by_device, "The device did 3.1 % of the reads", "3.1 %",
	  "\"kind\": \"device-mismatch\"" },
	{ biased, "The recording tool is known to miscount", "数え間違うことが知られています",
	  "\"kind\": \"import-bias\"" },
	{ missing, "Intervals without a sample: 1,234", "1,234 区間にはサンプルがありません",
	  "\"missing\": 1234" },
	{ errors, "17 reads failed", "17 件の読み取りが失敗", "\"errors\": 17" },
	{ mismatch, "The samples average 100.0 IOPS, fio itself says 110.0.",
	  "The samples average 100.0 IOPS", "\"kind\": \"import-mismatch\"" },
	{ no_series, "The input holds 1 result and no series over time.",
	  "The input holds 1 result", "\"kind\": \"no-series\"" },
	{ stalls, "Stalls without any finished read: 1", "停止が 1 回", "\"dips\": [\n    {" },
	{ pending, "From 3:58 on there may be a new level of 134,000 IOPS",
	  "3:58 以降は 134,000 IOPS の新しい水準", "\"start_s\": 238," },
};

/* The report with its line breaks as spaces, so that a wrapped sentence is found. */
static char *report_of(const struct fixture *f, const char *format, const char *lang)
{
	struct vs_report_options options = { .lang = lang, .columns = 2000 };
	struct vs_error err = { 0 };
	char *got = NULL;
	size_t len;
	FILE *out = open_memstream(&got, &len);

	assert_non_null(out);
	assert_int_equal(vs_report_format_named(format)->write(&f->timeline, &options, out, &err),
			 0);
	(void)fclose(out);
	return got;
}

/* want stands in the report, before the first table or chart. */
static void expect(const struct fixture *f, const char *format, const char *lang, const char *want,
		   const char *before)
{
	char *got = report_of(f, format, lang);
	const char *at = strstr(got, want), *end = before ? strstr(got, before) : NULL;

	if (!at || (before && (!end || at > end))) {
		print_error("%s %s: no '%s' %s %s\n", format, lang, want, before ? "before" : "",
			    before ? before : "");
		fail();
	}
	free(got);
}

static void every_warning_in_every_format(void **state)
{
	(void)state;

	for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++) {
		const struct trouble *t = &troubles[i];
		struct fixture f;

		print_message("%s\n", t->english);
		fixture_init(&f, FIXTURE_SCALE);
		t->make(&f);
		expect(&f, "text", "en", t->english, "\n# phase");
		expect(&f, "markdown", "en", t->english, "### Plateaus");
		expect(&f, "html", "en", t->english, "<nav");
		expect(&f, "html", "ja", t->japanese, "<nav");
		expect(&f, "json", "en", t->json, NULL);
		fixture_release(&f);
	}
}

/* Figures of an emulated volume can not be taken for a cloud's. */
static void the_emulated_mark(void **state)
{
	(void)state;
	struct fixture f;

	fixture_init(&f, FIXTURE_DECAY);
	expect(&f, "text", "en", "rehearse, emulated, completed", NULL);
	expect(&f, "markdown", "en", "rehearse, emulated, completed", NULL);
	expect(&f, "html", "en", "<strong class=\"badge\">EMULATED</strong>", "<h1>");
	expect(&f, "html", "ja", "<strong class=\"badge\">エミュレーション</strong>", "<h1>");
	fixture_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_warning_in_every_format),
		cmocka_unit_test(the_emulated_mark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
