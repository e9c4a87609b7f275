#include "analysis/detect.h"

#include <stdlib.h>

#include "analysis/fpop.h"
#include "analysis/stages.h"

#define PASSES 4 /* of the segmentation while the autocorrelation is still found larger */

void vs_detect_defaults(struct vs_detect_params *params)
{
	*params = (struct vs_detect_params){
		.cap = 3,
		.pen_log = 2,
		.pen_add = 5,
		.floor = 0.003,
		.merge_rel = 0.01,
		.merge_sd = 0.5,
		.merge_z = 3,
		.min_samples = 5,
		.window = 30,
		.stalls = true,
		.drift_step = 5,
		.drift_line = 12,
		.far_cost = 9,
		.step_cost = 12,
		.jump_cost = 24,
	};
}

void vs_detect_defaults_linear(struct vs_detect_params *params)
{
	vs_detect_defaults(params);
	params->linear = true;
	params->stalls = false;
	params->floor = 0.1;
	params->drift_step = 3;
	params->drift_line = 4;
}

static int work_init(struct vs_work *work, struct vs_error *err)
{
	size_t n = work->pts->n;

	work->sigma = malloc((n + 1) * sizeof(*work->sigma));
	work->tmp = malloc((n + 1) * sizeof(*work->tmp));
	work->start = malloc((n + 1) * sizeof(*work->start));
	work->skip = calloc(n + 1, 1);
	if (work->sigma && work->tmp && work->start && work->skip)
		return 0;
	return vs_error_nomem(err);
}

static void work_release(struct vs_work *work)
{
	free(work->sigma);
	free(work->tmp);
	free(work->start);
	free(work->skip);
	free(work->seg);
	free(work->may);
}

static double ln_n(const struct vs_work *work)
{
	return log(work->pts->n > 10 ? (double)work->pts->n : 10);
}

/* The cheapest segmentation, its segments, and its total cost with every level paid for. */
static int segment(struct vs_work *work, double *total_out, struct vs_error *err)
{
	const struct vs_points *pts = work->pts;
	double lo = pts->x[0];
	double hi = pts->x[0];
	struct vs_fpop fpop;

	for (size_t i = 1; i < pts->n; i++) {
		lo = pts->x[i] < lo ? pts->x[i] : lo;
		hi = pts->x[i] > hi ? pts->x[i] : hi;
	}
	if (!(hi > lo)) {
		hi += 1e-9 * (1 + fabs(hi));
		lo -= 1e-9 * (1 + fabs(lo));
	}
	work->beta = (work->par->pen_log * ln_n(work) + work->par->pen_add) * work->infl;
	if (vs_fpop_init(&fpop, lo, hi, work->beta, work->par->far_cost, err) != 0)
		return -1;
	for (size_t i = 0; i < pts->n; i++)
		work->start[i] = (int32_t)vs_fpop_put(&fpop, pts->x[i], vs_work_weight(work, i));
	*total_out = vs_fpop_cost(&fpop);
	vs_fpop_release(&fpop);
	if (vs_segments_collect(work, err) != 0)
		return -1;
	*total_out += ln_n(work) * work->infl * (double)work->n_seg;
	return 0;
}

static int free_fit(struct vs_work *work, struct vs_detection *out, struct vs_error *err)
{
	vs_noise_scale(work);
	vs_noise_rho(work);
	for (int pass = 1; pass <= PASSES; pass++) {
		if (segment(work, &out->free_cost, err) != 0)
			return -1;
		vs_explain_text(
			work->explain,
			"pass %d: %zu readings, a change costs %.1f, autocorrelation %.2f\n", pass,
			work->pts->n, work->beta, work->rho);
		vs_explain_text(work->explain, "costs %.1f in all, its levels' own among them\n",
				out->free_cost);
		vs_explain_segments(work, "cheapest segments");
		vs_explain_changes(work);
		vs_segments_drop_transients(work);
		vs_explain_segments(work, "without transients");
		if (vs_merge(work, err) != 0)
			return -1;
		vs_explain_kept(work);
		vs_explain_segments(work, "merged");
		if (pass == PASSES || !vs_noise_residuals(work, pass == 1 && !work->par->linear))
			break;
	}
	return 0;
}

/* The walk over the known levels competes: it pays its changes, the free fit also its levels. */
static int try_levels(struct vs_work *work, const struct vs_levels *levels,
		      struct vs_detection *out, struct vs_error *err)
{
	unsigned char *state;
	int rc;

	out->ladder_cost = (double)NAN;
	if (!levels || levels->n == 0)
		return 0;
	state = malloc(work->pts->n + 1);
	if (!state)
		return vs_error_nomem(err);
	rc = vs_ladder_decode(work, levels, state, &out->ladder_cost, err);
	if (rc == 0 && work->par->falls_on_time)
		rc = vs_cadence_decode(work, levels, state, &out->ladder_cost, err);
	out->by_ladder = rc == 0 && out->ladder_cost <= out->free_cost;
	if (rc == 0)
		vs_explain_text(work->explain, "over the tiers: costs %.1f, free fit %.1f: %s\n",
				out->ladder_cost, out->free_cost,
				out->by_ladder ? "the tiers decide" : "the free fit decides");
	if (out->by_ladder) {
		work->levels = levels;
		rc = vs_ladder_segments(work, levels, state, err);
		vs_explain_segments(work, "stretches at one tier");
	}
	free(state);
	return rc;
}

int vs_detect(const struct vs_points *points, const struct vs_detect_params *params,
	      const struct vs_levels *levels, struct vs_buf *explain, struct vs_detection *out,
	      struct vs_error *err)
{
	struct vs_work work = { .pts = points, .par = params, .explain = explain };
	int rc;

	*out = (struct vs_detection){ .infl = 1, .ladder_cost = (double)NAN };
	if (points->n == 0)
		return 0;
	if (points->n > VS_POINTS_MAX)
		return vs_error_set(err, VS_EINVAL, 0,
				    "%zu readings are more than the detector takes; analyse a part",
				    points->n);
	rc = work_init(&work, err);
	if (rc == 0)
		rc = free_fit(&work, out, err);
	if (rc == 0)
		rc = try_levels(&work, levels, out, err);
	if (rc == 0 && !out->by_ladder) {
		rc = vs_drift(&work, err);
		vs_explain_segments(&work, "drifts joined");
	}
	if (rc == 0) {
		vs_boundaries(&work);
		out->segments = work.seg;
		out->n = work.n_seg;
		out->infl = work.infl;
		out->beta = work.beta;
		out->on_time = work.may != NULL;
		work.seg = NULL;
	}
	work_release(&work);
	return rc;
}

void vs_detection_release(struct vs_detection *detection)
{
	free(detection->segments);
	detection->segments = NULL;
	detection->n = 0;
}
