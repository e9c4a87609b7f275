#include "fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"

struct leg {
	enum vs_phase phase;
	int start_s, end_s;
	int tier;
};

static const struct leg scale_legs[] = {
	{ VS_PHASE_LOAD, 0, 28, 1 },   { VS_PHASE_LOAD, 28, 51, 2 },   { VS_PHASE_LOAD, 51, 74, 3 },
	{ VS_PHASE_LOAD, 74, 101, 4 }, { VS_PHASE_LOAD, 101, 240, 5 },
};
static const struct leg day_legs[] = {
	{ VS_PHASE_LOAD, 0, 3600, 1 },      { VS_PHASE_LOAD, 3600, 7200, 3 },
	{ VS_PHASE_LOAD, 7200, 28800, 12 }, { VS_PHASE_LOAD, 28800, 43200, 6 },
	{ VS_PHASE_LOAD, 43200, 64800, 2 }, { VS_PHASE_LOAD, 64800, 86400, 9 },
};
static const struct leg decay_legs[] = {
	{ VS_PHASE_LOAD, 0, 27, 1 },      { VS_PHASE_LOAD, 27, 53, 2 },
	{ VS_PHASE_LOAD, 53, 79, 3 },     { VS_PHASE_LOAD, 79, 300, 4 },
	{ VS_PHASE_IDLE, 300, 1800, 4 },  { VS_PHASE_IDLE, 1800, 1860, 3 },
	{ VS_PHASE_IDLE, 1860, 1920, 2 }, { VS_PHASE_IDLE, 1920, 3600, 1 },
};

static void must(int rc, const struct vs_error *err)
{
	if (rc == 0)
		return;
	(void)fprintf(stderr, "fixture: %s\n", err->text);
	abort();
}

/* The same figures on every machine: a uniform number in [-1, 1). */
static double noise(void)
{
	static uint32_t state = 12345;

	state = state * 1664525U + 1013904223U;
	return (double)(state >> 8) / 8388608.0 - 1;
}

static void add_sample(struct fixture *f, int second, enum vs_phase phase, double iops)
{
	double p99 = iops > 0 ? 1024e9 / iops * (1.3 + 0.1 * noise()) : 0;
	struct vs_sample s = {
		.end_ns = (second + 1) * VS_NS_PER_SEC,
		.length_ns = VS_NS_PER_SEC,
		.ios = round(iops),
		.bytes = (int64_t)round(iops) * 4096,
		.lat_p50_ns = iops > 0 ? (int64_t)(1024e9 / iops) : VS_UNKNOWN,
		.lat_p99_ns = iops > 0 ? (int64_t)p99 : VS_UNKNOWN,
		.lat_p999_ns = iops > 0 ? (int64_t)(p99 * 1.4) : VS_UNKNOWN,
		.lat_max_ns = iops > 0 ? (int64_t)(p99 * 3) : VS_UNKNOWN,
		.device_reads = (int64_t)round(iops),
		.device_merges = 0,
		.device_sectors = (int64_t)round(iops) * 8,
		.inflight = iops > 0 ? 1024 : 0,
		.phase = (uint16_t)phase,
	};
	struct vs_error err = { 0 };

	must(vs_run_add_sample(&f->run, &s, &err), &err);
	f->timeline.totals.samples++;
	f->timeline.totals.ios += s.ios;
	f->timeline.totals.bytes += (double)s.bytes;
}

static void add_leg(struct fixture *f, const struct leg *leg)
{
	double level = f->ladder.tiers[leg->tier].iops;

	for (int s = leg->start_s; s < leg->end_s; s++) {
		bool probe = (s - leg->start_s) % 60 < 2;
		bool dip = f->run.n_samples >= 150 && f->run.n_samples < 153;

		if (leg->phase == VS_PHASE_IDLE)
			add_sample(f, s, probe ? VS_PHASE_PROBE : VS_PHASE_IDLE,
				   probe ? level * (1 + 0.002 * noise()) : 0);
		else if (s == leg->start_s && s > 0)
			add_sample(f, s, leg->phase, level * 1.35);
		else
			add_sample(f, s, leg->phase, level * (dip ? 0.7 : 1 + 0.004 * noise()));
	}
}

static void add_plateau(struct fixture *f, const struct leg *leg)
{
	const struct vs_tier *tier = &f->ladder.tiers[leg->tier];
	int64_t p50 = (int64_t)(1024e9 / tier->iops);
	size_t i = f->timeline.n_plateaus++;

	f->timeline.plateaus[i] = (struct vs_plateau){
		.start_ns = leg->start_s * VS_NS_PER_SEC,
		.end_ns = leg->end_s * VS_NS_PER_SEC,
		.phase = leg->phase,
		.samples = (size_t)(leg->end_s - leg->start_s),
		.iops = tier->iops,
		.iops_mean = tier->iops * 1.0004,
		.iops_ci95 = { tier->iops * 0.9996, tier->iops * 1.0004 },
		.spread_pct = 0.21,
		.mbps = tier->iops * 0.004096,
		.latency = { p50, p50 + p50 / 3, p50 + p50 / 2, p50 * 3 },
		.vpu_estimate = tier->vpu + 0.04,
		.vpu_error = 0.1,
		.tier = leg->tier,
		.tiers = UINT64_C(1) << leg->tier,
		.error_pct = 0.02,
		.provider_vpu = i == 2 ? tier->vpu + 10 : tier->vpu,
		.confirmed = i == 2 ? VS_CONFIRMED_NO : VS_CONFIRMED_YES,
		.bound_by = VS_BOUND_VOLUME,
	};
	if (i == 2)
		(void)snprintf(f->timeline.plateaus[i].tier_reason,
			       sizeof(f->timeline.plateaus[i].tier_reason),
			       "the provider says VPU %g", tier->vpu + 10);
	if (i == 0 || f->timeline.plateaus[i - 1].tier == leg->tier)
		return;
	f->timeline.steps[f->timeline.n_steps++] = (struct vs_step){
		.direction = leg->tier > f->timeline.plateaus[i - 1].tier ? VS_UP : VS_DOWN,
		.at_ns = leg->start_s * VS_NS_PER_SEC,
		.at_low_ns =
			(leg->start_s - (leg->phase == VS_PHASE_IDLE ? 58 : 0)) * VS_NS_PER_SEC,
		.at_high_ns = (leg->start_s + 1) * VS_NS_PER_SEC,
		.from = i - 1,
		.to = i,
		.dwell_ns = leg->start_s * VS_NS_PER_SEC - f->timeline.plateaus[i - 1].start_ns,
		.overshoot_pct = leg->phase == VS_PHASE_LOAD ? 35 : 0,
		.provider_at_ns = i == 1 ? (leg->start_s - 4) * VS_NS_PER_SEC : VS_UNKNOWN,
	};
}

static void add_observation(struct fixture *f, int64_t at_ns, const char *source, const char *name,
			    double value, const char *text)
{
	struct vs_observation obs = { .at_ns = at_ns, .value = value };
	struct vs_error err = { 0 };

	must(vs_run_set_text(&obs.source, source, &err), &err);
	must(vs_run_set_text(&obs.name, name, &err), &err);
	must(vs_run_set_text(&obs.text, text, &err), &err);
	must(vs_run_add_observation(&f->run, &obs, &err), &err);
	free(obs.source);
	free(obs.name);
	free(obs.text);
}

static void add_legs(struct fixture *f, const struct leg *legs, size_t n)
{
	struct vs_error err = { 0 };

	f->timeline.plateaus = calloc(n, sizeof(*f->timeline.plateaus));
	f->timeline.steps = calloc(n, sizeof(*f->timeline.steps));
	if (!f->timeline.plateaus || !f->timeline.steps)
		abort();
	add_observation(f, 0, "host", "hostname", (double)NAN, "bm-e5");
	add_observation(f, 0, "host", "kernel", (double)NAN, "5.15.0-302.el8uek");
	add_observation(f, 0, "host", "cpus", 16, NULL);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || legs[i].phase != legs[i - 1].phase)
			must(vs_run_add_phase(&f->run, legs[i].start_s * VS_NS_PER_SEC,
					      legs[i].phase, &err),
			     &err);
		add_leg(f, &legs[i]);
		add_plateau(f, &legs[i]);
		add_observation(f, legs[i].start_s * VS_NS_PER_SEC, "oci-volume",
				"autoTunedVpusPerGB", f->ladder.tiers[legs[i].tier].vpu, NULL);
	}
	f->run.duration_ns = legs[n - 1].end_s * VS_NS_PER_SEC;
}

static void add_head(struct fixture *f)
{
	struct vs_target target = { .size_bytes = INT64_C(1099511627776),
				    .size_gb = 1024,
				    .is_device = true };
	struct vs_error err = { 0 };

	must(vs_run_set_text(&target.name, "/dev/nvme1n1", &err), &err);
	must(vs_run_add_target(&f->run, &target, &err), &err);
	free(target.name);
	must(vs_run_set_text(&f->run.provider, "oci", &err), &err);
	must(vs_run_set_text(&f->run.workload.rw, "randread", &err), &err);
	f->run.size_gb = 1024;
	f->run.instance_gbps = 25;
	f->run.workload.block_bytes = 4096;
	f->run.workload.iodepth = 256;
	f->run.workload.numjobs = 4;
}

static void add_extras(struct fixture *f)
{
	static const char label[] = "<script>alert(1)</script>\"&'";
	struct vs_event event = { .at_ns = 3 * VS_NS_PER_SEC };
	struct vs_error err = { 0 };

	must(vs_run_set_text(&f->run.label, label, &err), &err);
	must(vs_run_set_text(&event.kind, "note", &err), &err);
	must(vs_run_set_text(&event.text, label, &err), &err);
	must(vs_run_add_event(&f->run, &event, &err), &err);
	free(event.kind);
	free(event.text);
	f->timeline.dips = calloc(1, sizeof(*f->timeline.dips));
	if (!f->timeline.dips)
		abort();
	f->timeline.dips[0] =
		(struct vs_dip){ 150 * VS_NS_PER_SEC, 3 * VS_NS_PER_SEC, 86016, false };
	f->timeline.n_dips = 1;
	f->timeline.pending = (struct vs_pending){ true, 238 * VS_NS_PER_SEC, 134000 };
}

static void add_rest(struct fixture *f)
{
	f->timeline.cost = (struct vs_cost){ .currency = "USD",
					     .observed = 0.0105,
					     .month_at_top = 113.15,
					     .month_at_bottom = 43.52,
					     .break_even_h_per_day = 9.2 };
	for (size_t i = 0; i < f->timeline.n_plateaus; i++) {
		const struct vs_plateau *p = &f->timeline.plateaus[i];

		if (p->tier >= 0)
			f->timeline.cost.tier_s[p->tier] +=
				(double)(p->end_ns - p->start_ns) / (double)VS_NS_PER_SEC;
	}
	f->timeline.power = (struct vs_power){
		.noise_pct = 0.2,
		.min_plateau_ns = 6 * VS_NS_PER_SEC,
		.smallest_step_pct = 7.1,
	};
	f->timeline.totals.device_ratio = 1;
}

void fixture_init(struct fixture *f, enum fixture_kind kind)
{
	struct vs_ladder_query query = { .provider = "oci", .size_gb = 1024, .volumes = 1 };
	struct vs_catalogue *catalogue = NULL;
	struct vs_error err = { 0 };

	vs_run_init(&f->run);
	vs_timeline_init(&f->timeline);
	must(vs_catalogue_open(NULL, &catalogue, &err), &err);
	must(vs_catalogue_ladder(catalogue, &query, &f->ladder, &err), &err);
	vs_catalogue_free(catalogue);
	f->timeline.run = &f->run;
	f->run.id = 7;
	(void)snprintf(f->run.uuid, sizeof(f->run.uuid), "8c5f0f2e-6f0a-4d1c-9a55-0123456789ab");
	f->run.started_wall_ms = INT64_C(1769860800000); /* 2026-01-31T12:00:00Z */
	f->run.interval_ns = VS_NS_PER_SEC;
	f->run.end = kind == FIXTURE_EMPTY ? VS_END_CRASHED : VS_END_COMPLETED;
	if (kind == FIXTURE_EMPTY)
		return;
	f->timeline.totals.bytes = 0;
	f->timeline.ladder = &f->ladder;
	add_head(f);
	if (kind == FIXTURE_SCALE) {
		add_legs(f, scale_legs, sizeof(scale_legs) / sizeof(scale_legs[0]));
		add_extras(f);
	} else if (kind == FIXTURE_DAY) {
		add_legs(f, day_legs, sizeof(day_legs) / sizeof(day_legs[0]));
	} else {
		f->run.emulated = true;
		f->run.source = VS_SOURCE_REHEARSE;
		add_legs(f, decay_legs, sizeof(decay_legs) / sizeof(decay_legs[0]));
	}
	add_rest(f);
}

void fixture_release(struct fixture *f)
{
	vs_timeline_release(&f->timeline);
	vs_run_release(&f->run);
}
