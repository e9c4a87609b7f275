#include "import_set.h"

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

static int take_sample(void *ctx, const struct vs_sample *sample, struct vs_error *err)
{
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

		vs_buf_addf(out, "%s%.6g=%.5g", i ? " " : "", (double)s->end_ns / 1e9,
			    s->ios * 1e9 / (double)s->length_ns);
		if (s->length_ns != 1000000000)
			vs_buf_addf(out, "/%.4g", (double)s->length_ns / 1e9);
		if (s->flags & VS_SAMPLE_ZERO_FILL)
			vs_buf_addf(out, "z");
		if (s->flags & VS_SAMPLE_BIASED)
			vs_buf_addf(out, "b");
		if (s->phase == VS_PHASE_RAMP)
			vs_buf_addf(out, "r");
		if (s->lat_p50_ns >= 0)
			vs_buf_addf(out, "@%.0f,%.0f", (double)s->lat_p50_ns / 1e3,
				    (double)s->lat_p99_ns / 1e3);
		if (s->bytes >= 0)
			vs_buf_addf(out, "+%lld", (long long)s->bytes);
	}
}

static bool differs(const char *name, const char *what, const char *want, const char *got)
{
	if (!want || strcmp(want, got) == 0)
		return false;
	print_message("%s: %s\n  want: %s\n  got:  %s\n", name, what, want, got);
	return true;
}

/* Each wanted part is in some event, and no more events are there than parts. */
static bool wrong_events(const struct import_set *set, const struct vs_run *run)
{
	char want[1024];
	size_t n = 0, n_want = 0;
	bool bad = false;
	char *rest = want;

	if (!set->events)
		return false;
	(void)snprintf(want, sizeof(want), "%s", set->events);
	for (size_t i = 0; i < run->n_events; i++)
		n += strcmp(run->events[i].kind, "import-clock") != 0;
	for (char *part; *rest && (part = strtok_r(rest, "|", &rest)) != NULL; n_want++) {
		bool found = false;
		for (size_t i = 0; i < run->n_events; i++) {
			char text[512];
			(void)snprintf(text, sizeof(text), "%s: %s", run->events[i].kind,
				       run->events[i].text);
			found = found || strstr(text, part);
		}
		if (!found)
			print_message("%s: no event has '%s'\n", set->name, part);
		bad = bad || !found;
	}
	if (!bad && n == n_want)
		return false;
	for (size_t i = 0; i < run->n_events; i++)
		print_message("%s: event %s: %s\n", set->name, run->events[i].kind,
			      run->events[i].text);
	return true;
}

static bool wrong_reading(const struct import_set *set, const struct vs_run *run)
{
	const struct vs_observation *tool = vs_run_find(run, "import", "tool-iops");
	const struct vs_workload *load = &run->workload;
	struct vs_buf samples;
	char text[128];
	bool bad = false;

	vs_buf_init(&samples, 1 << 20);
	show_samples(run, &samples);
	bad |= differs(set->name, "samples", set->samples, samples.data ? samples.data : "");
	bad |= wrong_events(set, run);
	(void)snprintf(text, sizeof(text), "%s %lld x%lld x%lld", load->rw ? load->rw : "?",
		       (long long)load->block_bytes, (long long)load->iodepth,
		       (long long)load->numjobs);
	bad |= differs(set->name, "workload", set->load, text);
	if (set->tool_iops > 0 && (!tool || fabs(tool->value / set->tool_iops - 1) > 0.0005)) {
		print_message("%s: the tool's own mean\n  want: %g\n  got:  %g\n", set->name,
			      set->tool_iops, tool ? tool->value : -1);
		bad = true;
	}
	if (!vs_run_find(run, "import", "sha256") || !vs_run_find(run, "import", "file")) {
		print_message("%s: no file or no sha256\n", set->name);
		bad = true;
	}
	vs_buf_release(&samples);
	return bad;
}

static size_t write_files(const struct import_set *set, const char **paths)
{
	size_t n = 0;

	for (; n < SET_FILES && set->files[n].text; n++) {
		FILE *out;
		size_t len = strlen(set->files[n].text);

		paths[n] = set->files[n].name;
		out = fopen(paths[n], "wb");
		assert_non_null(out);
		assert_int_equal(fwrite(set->files[n].text, 1, len, out), len);
		assert_int_equal(fclose(out), 0);
	}
	return n;
}

static bool fails(const struct import_set *set)
{
	const char *paths[SET_FILES] = { NULL };
	size_t n = write_files(set, paths);
	struct vs_import_options options = { .format = set->format };
	struct vs_import_summary summary = { 0 };
	struct vs_error err = { 0 };
	struct vs_run run;
	struct vs_sink sink = { &run, take_sample, take_observation, take_event };
	bool bad;
	int rc;

	vs_run_init(&run);
	run.end = VS_END_COMPLETED;
	rc = vs_import(paths, n, &options, &run, &sink, &summary, &err);
	if (set->error) {
		bad = rc == 0 || !strstr(err.text, set->error);
		if (bad)
			print_message("%s: the refusal\n  want: ...%s...\n  got:  %s\n", set->name,
				      set->error, rc == 0 ? "none" : err.text);
	} else if (rc != 0) {
		print_message("%s: refused: %s\n", set->name, err.text);
		bad = true;
	} else {
		bad = wrong_reading(set, &run);
	}
	vs_run_release(&run);
	for (size_t i = 0; i < n; i++)
		(void)unlink(paths[i]);
	return bad;
}

void import_sets_hold(const struct import_set *sets, size_t n)
{
	char folder[] = "import-set-XXXXXX", before[4096];
	size_t failed = 0;

	/* Relative names, so that messages and targets are the same everywhere. */
	assert_non_null(getcwd(before, sizeof(before)));
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	for (size_t i = 0; i < n; i++)
		failed += fails(&sets[i]);
	assert_int_equal(chdir(before), 0);
	assert_int_equal(rmdir(folder), 0);
	assert_int_equal(failed, 0);
}
