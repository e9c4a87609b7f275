/* The stages of the detector, each a file, and the work that they hand on. */
#ifndef VS_ANALYSIS_STAGES_H
#define VS_ANALYSIS_STAGES_H

#include "analysis/detect.h"

struct vs_work {
	const struct vs_points *pts;
	const struct vs_detect_params *par;
	struct vs_buf *explain;
	double floor;
	double rho, infl, beta;
	float *sigma;                   /* local noise of each reading */
	double *tmp;                    /* n + 1 */
	int32_t *start;                 /* start of the best last segment of each prefix */
	unsigned char *skip;            /* 1: in no level (a stall) */
	const struct vs_levels *levels; /* that the segments' states are of; NULL: free fit */
	struct vs_segment *seg;
	size_t n_seg;
	uint64_t *may; /* NULL, or of each reading in a fall that keeps time, bit l: may be at l */
};

static inline double vs_work_sigma(const struct vs_work *work, size_t i)
{
	double s = (double)work->sigma[i];
	/* A reading known to +- e, evenly: its standard deviation is e / sqrt(3). */
	double e = work->pts->err ? (double)work->pts->err[i] * 0.57735 : 0;

	return s > e ? s : e;
}

/* Its level is known by the cadence of a fall, more than by itself. */
static inline bool vs_work_on_time(const struct vs_work *work, size_t i)
{
	return work->may && work->may[i];
}

static inline double vs_work_weight(const struct vs_work *work, size_t i)
{
	double s = vs_work_sigma(work, i);

	return 1 / (s * s);
}

/* noise.c: sigma[] from the differences of neighbours, then rho from those two apart. */
void vs_noise_scale(struct vs_work *work);
void vs_noise_rho(struct vs_work *work);
/*
 * Autocorrelation that is left inside the segments. True: it is more than assumed, or, when
 * may_lower, clearly less; sigma and rho follow it, and the segmentation is worth another pass.
 */
bool vs_noise_residuals(struct vs_work *work, bool may_lower);

/* segments.c: seg[] from start[], transients taken out, summaries. */
int vs_segments_collect(struct vs_work *work, struct vs_error *err) VS_MUST_CHECK;
void vs_segments_summarise(struct vs_work *work, struct vs_segment *seg);
void vs_segments_drop_transients(struct vs_work *work);

/* merge.c, drift.c, boundary.c: each changes seg[] in place. */
int vs_merge(struct vs_work *work, struct vs_error *err) VS_MUST_CHECK;
/* The largest difference of two levels that still are one; why_out names the rule, may be NULL. */
double vs_merge_threshold(const struct vs_work *work, const struct vs_segment *a,
			  const struct vs_segment *b, const char **why_out);
int vs_drift(struct vs_work *work, struct vs_error *err) VS_MUST_CHECK;
/* b goes on where a ends, without a jump. */
bool vs_drift_joined(struct vs_work *work, const struct vs_segment *a, const struct vs_segment *b);
void vs_boundaries(struct vs_work *work);

/* ladder_decode.c: the cheapest walk over the levels; state[n]. */
int vs_ladder_decode(const struct vs_work *work, const struct vs_levels *levels,
		     unsigned char *state, double *cost_out, struct vs_error *err) VS_MUST_CHECK;
double vs_ladder_reading_cost(const struct vs_work *work, size_t i, double level);
double vs_ladder_move_cost(const struct vs_work *work, int from, int to);
/* Replaces seg[] by the runs of states; when none is long enough, it stays. */
int vs_ladder_segments(struct vs_work *work, const struct vs_levels *levels,
		       const unsigned char *state, struct vs_error *err) VS_MUST_CHECK;

/* cadence.c: a cheaper walk, when there is one whose fall keeps time: state, *cost and may[]. */
int vs_cadence_decode(struct vs_work *work, const struct vs_levels *levels, unsigned char *state,
		      double *cost, struct vs_error *err) VS_MUST_CHECK;

/* explain.c: nothing happens when work->explain is NULL. */
void vs_explain_segments(const struct vs_work *work, const char *stage);
double vs_explain_level(const struct vs_work *work, double x);
/* Each change of the cheapest segmentation: what the two sides cost as one level and as two. */
void vs_explain_changes(struct vs_work *work);
/* Each boundary that a merge left. */
void vs_explain_kept(const struct vs_work *work);
/* Each boundary as it was placed. */
void vs_explain_placed(const struct vs_work *work);

#endif
