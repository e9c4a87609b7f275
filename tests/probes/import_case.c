#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/units.h"
#include "import_case.h"

static int take_sample(void *ctx, const struct vs_sample *sample, struct vs_error *err)
{
	assert_true(sample->bytes >= VS_UNKNOWN);
	assert_true(sample->lat_p50_ns >= VS_UNKNOWN && sample->lat_p99_ns >= VS_UNKNOWN);
	return vs_run_add_sample(ctx, sample, err);
}

static int take_observation(void *ctx, const struct vs_observation *obs, struct vs_error *err)
{
	return vs_run_add_observation(ctx, obs, err);
}

static int take_event(void *ctx, const struct vs_event *event, struct vs_error *err)
{
	return vs_run_add_event(ctx, event, err);
}

static void show_samples(const struct vs_run *run, struct vs_buf *out)
{
	for (size_t i = 0; i < run->n_samples; i++) {
		const struct vs_sample *s = &run->samples[i];
		vs_buf_addf(out, "%s%.6g=%.6g", i ? " " : "", (double)s->end_ns / 1e9,
			    s->ios * 1e9 / (double)s->length_ns);
		if (s->flags & VS_SAMPLE_ZERO_FILL)
			vs_buf_addf(out, "z");
		if (s->flags & VS_SAMPLE_BIASED)
			vs_buf_addf(out, "b");
		if (s->phase != VS_PHASE_LOAD)
			vs_buf_addf(out, "%c", vs_phase_name((enum vs_phase)s->phase)[0]);
		if (s->resolution_ios >= 3)
			vs_buf_addf(out, "~%.0f", s->resolution_ios);
		if (s->length_ns != run->interval_ns)
			vs_buf_addf(out, "/%.3g", (double)s->length_ns / 1e9);
	}
}

static void show_notes(const struct vs_run *run, struct vs_buf *out)
{
	for (size_t i = 0; i < run->n_events; i++)
		if (strcmp(run->events[i].kind, "import-clock") != 0)
			vs_buf_addf(out, "%s%s", out->len ? " " : "", run->events[i].kind);
}

static bool differs(const char *name, const char *what, const char *want, const char *got)
{
	if (!want || strcmp(want, got) == 0)
		return false;
	print_message("%s: %s\n  want: %s\n  got:  %s\n", name, what, want, got);
	return true;
}

static bool wrong_head(const struct import_case *c, const struct vs_run *run)
{
	const struct vs_workload *load = &run->workload;
	char text[128], utc[VS_UNITS_TEXT_MAX];
	const struct vs_observation *tool = vs_run_find(run, "import", "tool-iops");
	bool bad = false;

	bad |= differs(c->name, "target", c->target, run->n_targets ? run->targets[0].name : "");
	bad |= differs(c->name, "start", c->started,
		       vs_units_format_utc(run->started_wall_ms, utc));
	(void)snprintf(text, sizeof(text), "%s %lld x%lld x%lld", load->rw ? load->rw : "?",
		       (long long)load->block_bytes, (long long)load->iodepth,
		       (long long)load->numjobs);
	bad |= differs(c->name, "workload", c->load, text);
	if (c->tool_iops > 0 && (!tool || fabs(tool->value / c->tool_iops - 1) > 0.0005)) {
		print_message("%s: the tool's own mean\n  want: %g\n  got:  %g\n", c->name,
			      c->tool_iops, tool ? tool->value : -1);
		bad = true;
	}
	return bad;
}

static bool wrong_reading(const struct import_case *c, const struct vs_run *run,
			  const struct vs_import_summary *summary)
{
	struct vs_buf samples, notes;
	bool bad = false;

	vs_buf_init(&samples, 1 << 20);
	vs_buf_init(&notes, 1 << 20);
	show_samples(run, &samples);
	show_notes(run, &notes);
	bad |= differs(c->name, "format", c->format, summary->format);
	bad |= differs(c->name, "samples", c->samples, samples.data ? samples.data : "");
	bad |= differs(c->name, "notes", c->notes, notes.data ? notes.data : "");
	bad |= wrong_head(c, run);
	bad |= !vs_run_find(run, "import", "sha256") || !vs_run_find(run, "import", "file");
	vs_buf_release(&samples);
	vs_buf_release(&notes);
	return bad;
}

static bool fails(const struct import_case *c)
{
	const char *path = "import_case.tmp";
	struct vs_import_summary summary = { 0 };
	struct vs_error err = { 0 };
	struct vs_run run;
	struct vs_sink sink = { &run, take_sample, take_observation, take_event };
	FILE *out = fopen(path, "wb");
	bool bad;
	int rc;

	assert_non_null(out);
	assert_int_equal(fwrite(c->text, 1, c->len ? c->len : strlen(c->text), out),
			 c->len ? c->len : strlen(c->text));
	assert_int_equal(fclose(out), 0);
	vs_run_init(&run);
	run.end = VS_END_COMPLETED;
	rc = vs_import(&path, 1, &c->options, &run, &sink, &summary, &err);
	if (c->error) {
		bad = rc == 0 || !strstr(err.text, c->error);
		if (bad)
			print_message("%s: the refusal\n  want: ...%s...\n  got:  %s\n", c->name,
				      c->error, rc == 0 ? "none" : err.text);
	} else if (rc != 0) {
		print_message("%s: refused: %s\n", c->name, err.text);
		bad = true;
	} else {
		bad = wrong_reading(c, &run, &summary);
	}
	vs_run_release(&run);
	(void)unlink(path);
	return bad;
}

void import_cases_hold(const struct import_case *cases, size_t n)
{
	size_t failed = 0;

	for (size_t i = 0; i < n; i++)
		failed += fails(&cases[i]);
	assert_int_equal(failed, 0);
}
