/* What binds a plateau: the volume, the instance, the client; never a guess. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "analysis/analysis.h"
#include "analysis/bound.h"
#include "verdict_run.h"

struct fixture {
	double size_gb;
	int64_t volumes;
	double gbps; /* 0: not known */
	double metadata_gbps;
	double iops;
	double rate; /* 0: none asked */
	uint32_t inflight;
	double cpu_pct;   /* 0: not observed */
	const char *told; /* NULL: nobody says */
	enum vs_bound want;
	int64_t block_bytes; /* 0: 4096 */
	double shape_iops;   /* 0: not observed */
};

static void set_inflight(struct vs_run *run, uint32_t inflight)
{
	for (size_t i = 0; i < run->n_samples; i++)
		run->samples[i].inflight = inflight;
}

static void analyse(const struct fixture *f, struct vs_timeline *timeline, struct vs_run *run,
		    struct vs_ladder *ladder)
{
	struct vs_error err = { 0 };

	verdict_run_init(run, f->size_gb, f->volumes);
	if (f->gbps > 0)
		run->instance_gbps = f->gbps;
	if (f->rate > 0)
		run->workload.rate_iops = f->rate;
	if (f->told)
		verdict_run_observe(run, "user", "tier", (double)NAN, f->told);
	if (f->metadata_gbps > 0)
		verdict_run_observe(run, "imds", "networkingBandwidthInGbps", f->metadata_gbps,
				    NULL);
	if (f->shape_iops > 0)
		verdict_run_observe(run, "oci-instance", "iops", f->shape_iops, NULL);
	if (f->cpu_pct > 0)
		verdict_run_observe(run, "generator", "cpu_saturated_pct", f->cpu_pct, NULL);
	if (f->block_bytes)
		run->workload.block_bytes = f->block_bytes;
	verdict_run_add(run, VS_PHASE_LOAD, 60, f->iops);
	set_inflight(run, f->inflight);
	verdict_ladder(run, NULL, ladder);
	vs_timeline_init(timeline);
	assert_int_equal(vs_analyse(run, ladder, NULL, timeline, &err), 0);
	assert_int_equal(timeline->n_plateaus, 1);
}

static void each_limit_is_told_from_the_others(void **state)
{
	(void)state;
	static const struct fixture cases[] = {
		/* the volume, within 3 % of a tier */
		{ 1024, 1, 0, 0, 50000, 0, 1024, 0, NULL, VS_BOUND_VOLUME, 0, 0 },
		{ 1024, 1, 12, 0, 51400, 0, 1024, 0, NULL, VS_BOUND_VOLUME, 0, 0 },
		/* ten volumes that promise 500,000 or 750,000 behind 12 Gbit/s */
		{ 3072, 10, 12, 0, 360000, 0, 1024, 0, NULL, VS_BOUND_INSTANCE, 0, 0 },
		{ 3072, 10, 12, 0, 358400, 0, 1024, 0, "30", VS_BOUND_INSTANCE, 0, 0 },
		{ 3072, 10, 0, 12, 366000, 0, 1024, 0, NULL, VS_BOUND_INSTANCE, 0, 0 },
		{ 3072, 10, 0, 0, 360000, 0, 1024, 0, NULL, VS_BOUND_UNKNOWN, 0, 0 },
		{ 3072, 10, 25, 0, 360000, 0, 1024, 0, NULL, VS_BOUND_UNKNOWN, 0, 0 },
		/* the provider's documented 20,000 IOPS a Gbit/s */
		{ 3072, 10, 12, 0, 240500, 0, 1024, 0, "20", VS_BOUND_INSTANCE, 0, 0 },
		/* a shape off that rule: VM.Standard.E2.1.Micro, 0.48 Gbit/s, 6,000 IOPS */
		{ 3072, 1, 0.48, 0, 6050, 0, 1024, 0, "30", VS_BOUND_INSTANCE, 0, 6000 },
		{ 3072, 1, 0.48, 0, 9600, 0, 1024, 0, "30", VS_BOUND_UNKNOWN, 0, 6000 },
		/* large blocks: the bytes of VPU 20 (614.4 MB/s), and those of the instance */
		{ 1024, 1, 0, 0, 9375, 0, 1024, 0, NULL, VS_BOUND_VOLUME, 65536, 0 },
		{ 3072, 10, 12, 0, 1430, 0, 1024, 0, NULL, VS_BOUND_INSTANCE, 1 << 20, 0 },
		{ 3072, 10, 12, 0, 1200, 0, 1024, 0, NULL, VS_BOUND_UNKNOWN, 1 << 20, 0 },
		/* a level that looks like VPU 20 is not VPU 30's limit */
		{ 1024, 1, 0, 0, 50000, 0, 1024, 0, "30", VS_BOUND_UNKNOWN, 0, 0 },
		{ 1024, 1, 0, 0, 50000, 0, 1024, 0, "20", VS_BOUND_VOLUME, 0, 0 },
		/* the client: asked to go no faster, too little in flight, no CPU left */
		{ 1024, 1, 0, 0, 50000, 50000, 200, 0, NULL, VS_BOUND_CLIENT, 0, 0 },
		{ 1024, 1, 0, 0, 40000, 0, 800, 0, NULL, VS_BOUND_CLIENT, 0, 0 },
		{ 1024, 1, 0, 0, 40000, 0, 1024, 80, NULL, VS_BOUND_CLIENT, 0, 0 },
		{ 1024, 1, 0, 0, 40000, 0, 1024, 20, NULL, VS_BOUND_UNKNOWN, 0, 0 },
		{ 1024, 1, 0, 0, 40000, 0, 1000, 0, NULL, VS_BOUND_UNKNOWN, 0, 0 },
		{ 1024, 1, 0, 0, 40000, 0, 0, 0, NULL, VS_BOUND_UNKNOWN, 0, 0 }, /* an import */
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct vs_timeline timeline;
		struct vs_ladder ladder;
		struct vs_run run;

		print_message("case %zu: %g IOPS\n", c, cases[c].iops);
		analyse(&cases[c], &timeline, &run, &ladder);
		assert_string_equal(vs_bound_name(timeline.plateaus[0].bound_by),
				    vs_bound_name(cases[c].want));
		/* what fits no tier is never given one */
		assert_true((timeline.plateaus[0].tier >= 0) == (timeline.plateaus[0].tiers != 0));
		if (cases[c].want == VS_BOUND_INSTANCE)
			assert_int_equal(timeline.plateaus[0].tier, -1);
		vs_timeline_release(&timeline);
		vs_run_release(&run);
	}
}

static void twelve_gigabits_carry_358400_reads_of_4_kib(void **state)
{
	(void)state;
	/* to the hundred, as it is quoted */
	assert_int_equal(lround(vs_bound_iscsi_iops(12, 4096) / 100), 3584);
	assert_true(isnan(vs_bound_iscsi_iops((double)NAN, 4096)));
	assert_true(isnan(vs_bound_iscsi_iops(12, 0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_limit_is_told_from_the_others),
		cmocka_unit_test(twelve_gigabits_carry_358400_reads_of_4_kib),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
