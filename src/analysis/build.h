/* What the parts of vs_analyse() share while a timeline is made. Inside src/analysis only. */
#ifndef VS_ANALYSIS_BUILD_H
#define VS_ANALYSIS_BUILD_H

#include "analysis/analysis.h"
#include "analysis/detect.h"
#include "analysis/series.h"

#define VS_ORIGIN_TIERS 5

/* Where a plateau came from. */
struct vs_origin {
	const struct vs_series *series; /* NULL: observations alone */
	struct vs_segment seg;
	double infl;          /* of the series: a reading tells so much less */
	double vpu;           /* the provider's word; NAN not told */
	bool behind_unsteady; /* a stretch without a level lies before it, in the same series */
	/* ln(IOPS) of the tiers that the walk over the ladder was at, or hardly dearer at, its own
	 * first; n_tiers 0: free fit */
	double tier_x[VS_ORIGIN_TIERS];
	size_t n_tiers;
	bool on_time; /* the whole fall's cadence says so, more than this level's own readings */
};

struct vs_build {
	const struct vs_run *run;
	const struct vs_ladder *ladder; /* NULL: not known, or not to be used for the fit */
	const struct vs_analysis_options *options;
	struct vs_series_set set;
	struct vs_timeline *out;
	struct vs_origin *origins; /* parallel to out->plateaus */
	size_t room;
	bool unsteady_at_end; /* the last series ends with readings that stand on no level */
};

/* A plateau at the end of both arrays, zeroed but for its unknowns; NULL with err. */
struct vs_plateau *vs_build_add_plateau(struct vs_build *build, enum vs_phase phase,
					struct vs_error *err);

/* plateaus.c: detects in every series and measures each plateau. */
int vs_build_plateaus(struct vs_build *build, struct vs_error *err) VS_MUST_CHECK;
/*
 * measure.c: level, interval, spread, MB/s and latency of a plateau whose span and origin are set.
 * few_sd: the noise where its own readings are few, or NAN.
 */
int vs_measure_plateau(const struct vs_build *build, const struct vs_origin *origin, double few_sd,
		       struct vs_plateau *p, struct vs_error *err) VS_MUST_CHECK;
/*
 * What a few probes of one level do not tell, those of all levels together do: noise is a matter of
 * the machine that probes. At least least; NAN for want of readings, and under load, where noise
 * changes.
 */
double vs_measure_pooled_sd(const struct vs_series *s, const struct vs_detection *found,
			    double least);
/* label.c: tiers, VPU estimate. The first is the tier_reason of a level that nothing speaks against
 * and that still is no tier's. */
#define VS_REASON_NO_TIER "no tier promises this level"
void vs_build_labels(struct vs_build *build);
/* steps.c: steps between neighbours, and what trails behind the last plateau. */
int vs_build_steps(struct vs_build *build, struct vs_error *err) VS_MUST_CHECK;
/* dips.c */
int vs_build_dips(struct vs_build *build, struct vs_error *err) VS_MUST_CHECK;
/* power.c: what the run can tell. */
void vs_build_power(struct vs_build *build);

/* provider.c: the control plane's view. */
/* Idle plateaus from observations, when there was an idle stretch without probes. */
int vs_build_told_plateaus(struct vs_build *build, struct vs_error *err) VS_MUST_CHECK;
/* Sets confirmed of every plateau and provider_at_ns of every step. */
int vs_build_confirm(struct vs_build *build, struct vs_error *err) VS_MUST_CHECK;

/* The least ratio of neighbouring distinct ceilings of the ladder, less 1; 0.07 without one. */
double vs_build_smallest_step(const struct vs_build *build);

#endif
