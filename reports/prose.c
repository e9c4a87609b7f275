#include "reports/prose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "reports/facts.h"
#include "reports/json.h"

#define SETS_TOLD 5

/* Foreign text: a line break or a tab in it must not look like ours. */
static void add_foreign(struct vs_buf *out, const char *text)
{
	for (const char *p = text; *p; p++)
		vs_buf_add(out, (unsigned char)*p < 0x20 ? " " : p, 1);
}

static void put_targets(const struct vs_run *run, struct vs_buf *out)
{
	vs_buf_addf(out, "target\t");
	for (size_t i = 0; i < run->n_targets && i < 8; i++) {
		vs_buf_addf(out, "%s", i ? ", " : "");
		add_foreign(out, run->targets[i].name ? run->targets[i].name : "unknown");
	}
	if (run->n_targets > 8)
		vs_buf_addf(out, " and %zu more", run->n_targets - 8);
	vs_buf_addf(out, "%s\n", run->n_targets ? "" : "unknown");
}

static void put_volume(const struct vs_timeline *timeline, struct vs_buf *out)
{
	const struct vs_run *run = timeline->run;
	char text[48];

	if (isnan(run->size_gb)) {
		vs_buf_addf(out,
			    "volume\tsize unknown, so no tier is named; give --size-gb for one\n");
		return;
	}
	vs_buf_addf(out, "volume\t%s GB", vs_json_format(run->size_gb, 3, text));
	if (run->volumes > 1)
		vs_buf_addf(out, " each of %lld", (long long)run->volumes);
	if (run->provider) {
		vs_buf_addf(out, ", ");
		add_foreign(out, run->provider);
	}
	if (isfinite(run->instance_gbps))
		vs_buf_addf(out, ", instance of %s Gbit/s",
			    vs_json_format(run->instance_gbps, 3, text));
	vs_buf_addf(out, "\n");
}

static void put_workload(const struct vs_workload *w, struct vs_buf *out)
{
	char text[VS_UNITS_TEXT_MAX];

	vs_buf_addf(out, "workload\t");
	add_foreign(out, w->rw ? w->rw : "unknown");
	if (w->block_bytes > 0)
		vs_buf_addf(out, " of %s", vs_units_format_size((uint64_t)w->block_bytes, text));
	if (w->iodepth > 0)
		vs_buf_addf(out, ", depth %lld", (long long)w->iodepth);
	if (w->numjobs > 0)
		vs_buf_addf(out, ", %lld %s", (long long)w->numjobs,
			    w->numjobs == 1 ? "job" : "jobs");
	if (w->rate_iops > 0)
		vs_buf_addf(out, ", limited to %s IOPS", vs_units_format_count(w->rate_iops, text));
	vs_buf_addf(out, "\n");
}

static void put_host(const struct vs_timeline *timeline, struct vs_buf *out)
{
	static const char *const names[] = { "hostname", "cpu", "kernel", "os" };
	const char *gap = "host\t";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *text = vs_facts_host(timeline, names[i]);
		if (!*text)
			continue;
		vs_buf_addf(out, "%s", gap);
		add_foreign(out, text);
		gap = ", ";
	}
	if (strcmp(gap, ", ") == 0)
		vs_buf_addf(out, "\n");
}

void vs_prose_facts(const struct vs_timeline *timeline, struct vs_buf *out)
{
	const struct vs_run *run = timeline->run;
	char text[64], utc[VS_UNITS_TEXT_MAX];

	vs_buf_addf(out, "run\t%lld%s%.8s%s, %s%s%s", (long long)run->id, run->uuid[0] ? " (" : "",
		    run->uuid, run->uuid[0] ? ")" : "", vs_source_name(run->source),
		    run->emulated ? ", emulated" : "", run->label ? ", " : "");
	add_foreign(out, run->label ? run->label : "");
	vs_buf_addf(out, ", %s\n", vs_end_name(run->end));
	vs_buf_addf(out, "started\t%s, lasted %s", vs_units_format_utc(run->started_wall_ms, utc),
		    vs_lang_duration(&vs_lang_en, run->duration_ns, text));
	vs_buf_addf(out, ", %zu samples of %s\n", timeline->totals.samples,
		    vs_lang_duration(&vs_lang_en, run->interval_ns, text));
	put_targets(run, out);
	put_volume(timeline, out);
	put_workload(&run->workload, out);
	put_host(timeline, out);
}

void vs_prose_tiers(const struct vs_timeline *timeline, struct vs_buf *out)
{
	size_t said = 0;

	for (size_t i = 0; i < timeline->n_plateaus; i++) {
		const struct vs_plateau *p = &timeline->plateaus[i];

		if (p->tier >= 0 || !p->tiers || !p->tier_reason[0] || said++ >= SETS_TOLD)
			continue;
		vs_buf_addf(out, "Plateau %zu has no single tier: %s.\n", i, p->tier_reason);
	}
}

void vs_prose_dips(const struct vs_timeline *timeline, struct vs_buf *out)
{
	int64_t longest = 0;
	double lowest = (double)INFINITY;
	char text[64], count[VS_UNITS_TEXT_MAX];

	if (timeline->n_dips == 0)
		return;
	for (size_t i = 0; i < timeline->n_dips; i++) {
		if (timeline->dips[i].duration_ns > longest)
			longest = timeline->dips[i].duration_ns;
		lowest = fmin(lowest, timeline->dips[i].iops_min);
	}
	vs_buf_addf(out, "%zu %s of at most %s, down to %s IOPS; in no level.", timeline->n_dips,
		    timeline->n_dips == 1 ? "dip" : "dips",
		    vs_lang_duration(&vs_lang_en, longest, text),
		    vs_units_format_count(lowest, count));
}
