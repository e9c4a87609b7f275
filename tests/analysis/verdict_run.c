#include "verdict_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"

#define DEPTH 1024

static void must(int rc, const struct vs_error *err)
{
	if (rc == 0)
		return;
	(void)fprintf(stderr, "%s\n", err->text);
	abort();
}

void verdict_run_init(struct vs_run *run, double size_gb, int64_t volumes)
{
	struct vs_target target = { .name = (char *)(uintptr_t) "/dev/test",
				    .size_bytes = VS_UNKNOWN,
				    .size_gb = size_gb,
				    .is_device = true };
	struct vs_error err = { 0 };

	vs_run_init(run);
	run->id = 1;
	run->end = VS_END_COMPLETED;
	run->interval_ns = VS_NS_PER_SEC;
	run->size_gb = size_gb;
	run->volumes = volumes;
	run->workload.block_bytes = 4096;
	run->workload.iodepth = 256;
	run->workload.numjobs = 4;
	must(vs_run_set_text(&run->provider, "oci", &err), &err);
	must(vs_run_add_target(run, &target, &err), &err);
}

static void add_sample(struct vs_run *run, enum vs_phase phase, double iops)
{
	static const double noise[] = { 0.001, -0.002, 0.0005, 0.0015, -0.001, 0, -0.0005 };
	struct vs_sample sample = {
		.length_ns = VS_NS_PER_SEC,
		.lat_p50_ns = 1000000,
		.lat_p99_ns = 2000000,
		.lat_p999_ns = 3000000,
		.lat_max_ns = 4000000,
		.device_reads = VS_UNKNOWN,
		.device_merges = VS_UNKNOWN,
		.device_sectors = VS_UNKNOWN,
		.phase = (uint16_t)phase,
	};
	struct vs_error err = { 0 };

	run->duration_ns += VS_NS_PER_SEC;
	sample.end_ns = run->duration_ns;
	sample.ios = round(iops * (1 + noise[run->n_samples % 7]));
	sample.bytes = (int64_t)sample.ios * 4096;
	sample.inflight = iops > 0 ? DEPTH : 0;
	must(vs_run_add_sample(run, &sample, &err), &err);
}

void verdict_run_add(struct vs_run *run, enum vs_phase phase, int seconds, double iops)
{
	const struct vs_phase_mark *last = run->n_phases ? &run->phases[run->n_phases - 1] : NULL;
	struct vs_error err = { 0 };

	if (!last || last->phase != phase)
		must(vs_run_add_phase(run, run->duration_ns, phase, &err), &err);
	for (int s = 0; s < seconds; s++) {
		if (phase == VS_PHASE_LOAD)
			add_sample(run, VS_PHASE_LOAD, iops);
		else if (s % 60 >= 57) /* three seconds at its end */
			add_sample(run, VS_PHASE_PROBE, iops);
		else
			add_sample(run, VS_PHASE_IDLE, 0);
	}
}

void verdict_run_observe(struct vs_run *run, const char *source, const char *name, double value,
			 const char *text)
{
	struct vs_observation obs = { .at_ns = run->duration_ns,
				      .source = (char *)(uintptr_t)source,
				      .name = (char *)(uintptr_t)name,
				      .value = value,
				      .text = (char *)(uintptr_t)text };
	struct vs_error err = { 0 };

	must(vs_run_add_observation(run, &obs, &err), &err);
}

void verdict_ladder(const struct vs_run *run, const struct vs_prices *prices, struct vs_ladder *out)
{
	struct vs_ladder_query query = { .provider = run->provider,
					 .size_gb = run->size_gb,
					 .volumes = run->volumes,
					 .prices = prices };
	struct vs_catalogue *catalogue = NULL;
	struct vs_error err = { 0 };

	must(vs_catalogue_open(NULL, &catalogue, &err), &err);
	must(vs_catalogue_ladder(catalogue, &query, out, &err), &err);
	vs_catalogue_free(catalogue);
}
