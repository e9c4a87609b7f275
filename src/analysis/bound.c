#include "analysis/bound.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "analysis/series.h"
#include "analysis/told.h"

#define BYTES_PER_GBIT 125e6
/* A jumbo frame: 9000 bytes of IP carry 8948 of TCP (with timestamps) and take 9038 on the wire. */
#define JUMBO_PAYLOAD 8948.0
#define JUMBO_WIRE    9038.0
#define ISCSI_HEADER  48.0

#define LINE_LOW      0.92
#define LINE_HIGH     1.01
#define OCI_GBPS_IOPS 20000.0
#define OCI_MOST_IOPS 600000.0
#define OCI_NEAR      0.03
#define RATE_NEAR     0.02
#define DEPTH_FULL    0.90
#define CPU_SATURATED 50.0 /* percent of the load's time */

double vs_bound_iscsi_iops(double gbps, int64_t block_bytes)
{
	double block = (double)block_bytes;

	if (!(gbps > 0) || block_bytes < 1)
		return (double)NAN;
	return gbps * BYTES_PER_GBIT * (JUMBO_PAYLOAD / JUMBO_WIRE) / (block + ISCSI_HEADER);
}

static bool within(double value, double of, double share)
{
	return fabs(value - of) <= share * of;
}

/* Gbit/s of the instance; NAN when nobody says. */
static double instance_gbps(const struct vs_run *run)
{
	double gbps = run->instance_gbps;

	for (size_t i = 0; i < run->n_observations && !(gbps > 0); i++)
		if (strcmp(run->observations[i].name, "networkingBandwidthInGbps") == 0)
			gbps = run->observations[i].value;
	return gbps > 0 ? gbps : (double)NAN;
}

static bool rate_binds(const struct vs_run *run, const struct vs_plateau *plateau)
{
	return run->workload.rate_iops > 0 &&
	       within(plateau->iops, run->workload.rate_iops, RATE_NEAR);
}

static bool volume_binds(const struct vs_run *run, const struct vs_ladder *ladder,
			 const struct vs_plateau *plateau)
{
	double promised;
	int told;

	if (!ladder || !plateau->tiers)
		return false;
	if (plateau->confirmed == VS_CONFIRMED_YES)
		return true; /* by the word that held during it; at its end the next may hold */
	told = vs_told_tier(run, ladder, plateau->end_ns);
	if (told < 0)
		return true;
	promised = vs_tier_ceiling_iops(&ladder->tiers[told], run->workload.block_bytes);
	return !(promised * (1 - ladder->tolerance_low_pct / 100) > plateau->iops);
}

/* IOPS that OCI documents for the instance: its shape's own, else the rule of its network. */
static double documented_iops(const struct vs_run *run, double gbps)
{
	const struct vs_observation *own = vs_run_find(run, "oci-instance", "iops");

	if (!run->provider || strcmp(run->provider, "oci") != 0)
		return (double)NAN;
	if (own && own->value > 0)
		return own->value;
	return isnan(gbps) ? gbps : fmin(OCI_GBPS_IOPS * gbps, OCI_MOST_IOPS);
}

static bool instance_binds(const struct vs_run *run, const struct vs_plateau *plateau)
{
	double gbps = instance_gbps(run), line = gbps * BYTES_PER_GBIT, bytes;

	if (within(plateau->iops, documented_iops(run, gbps), OCI_NEAR))
		return true;
	bytes = run->workload.block_bytes > 0 ? plateau->iops * (double)run->workload.block_bytes
					      : plateau->mbps * 1e6;
	return bytes >= LINE_LOW * line && bytes <= LINE_HIGH * line;
}

/* Mean share of the asked depth that was in flight; NAN when the samples do not say. */
static double depth_share(const struct vs_run *run, const struct vs_plateau *plateau)
{
	double asked, sum = 0;
	size_t n = 0;

	if (run->workload.iodepth < 1 || run->workload.numjobs < 1 ||
	    plateau->phase != VS_PHASE_LOAD)
		return (double)NAN;
	asked = (double)run->workload.iodepth * (double)run->workload.numjobs;
	for (size_t i = 0; i < run->n_samples; i++) {
		const struct vs_sample *sample = &run->samples[i];

		if (sample->end_ns > plateau->end_ns)
			break;
		if (sample->end_ns - sample->length_ns < plateau->start_ns ||
		    sample->phase != VS_PHASE_LOAD || vs_sample_tells_nothing(run, sample))
			continue;
		sum += sample->inflight;
		n++;
	}
	/* an import has no such count, and nothing in flight ever is no load of ours */
	return n > 0 && sum > 0 ? sum / ((double)n * asked) : (double)NAN;
}

static bool client_binds(const struct vs_run *run, const struct vs_plateau *plateau)
{
	const struct vs_observation *cpu = vs_run_find(run, "generator", "cpu_saturated_pct");

	if (cpu && plateau->phase == VS_PHASE_LOAD && cpu->value >= CPU_SATURATED)
		return true;
	return depth_share(run, plateau) < DEPTH_FULL;
}

void vs_bound_judge(const struct vs_run *run, const struct vs_ladder *ladder,
		    struct vs_timeline *timeline)
{
	for (size_t i = 0; i < timeline->n_plateaus; i++) {
		struct vs_plateau *plateau = &timeline->plateaus[i];

		if (plateau->samples == 0) /* the provider's word alone: nothing was bound */
			plateau->bound_by = VS_BOUND_UNKNOWN;
		else if (rate_binds(run, plateau))
			plateau->bound_by = VS_BOUND_CLIENT;
		else if (volume_binds(run, ladder, plateau))
			plateau->bound_by = VS_BOUND_VOLUME;
		else if (instance_binds(run, plateau))
			plateau->bound_by = VS_BOUND_INSTANCE;
		else if (client_binds(run, plateau))
			plateau->bound_by = VS_BOUND_CLIENT;
		else
			plateau->bound_by = VS_BOUND_UNKNOWN;
	}
}
