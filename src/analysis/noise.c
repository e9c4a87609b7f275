#include <math.h>

#include "analysis/median.h"
#include "analysis/stages.h"

#define STRIDE_PARTS 6           /* windows a window length */
#define AROUND       ((size_t)4) /* windows to either side that tell whether one is odd */
#define CHANCE       2.0f        /* times that one may be quieter than those by chance */
#define ENOUGH       30          /* pairs below which rho is not asked */
#define GUESSED_FROM 500    /* differences from which rho is guessed before there are segments */
#define GUESS_SD     6.0    /* over sqrt(differences): what the guess may be too high */
#define SAMPLED      100000 /* differences that are looked at for it: enough for 3 digits */

/* |x[i + lag] - x[i]|, less what coarse readings may account for. */
static double difference(const struct vs_points *pts, size_t i, size_t lag)
{
	double d = fabs(pts->x[i + lag] - pts->x[i]);

	if (pts->err &&
	    ((double)pts->err[i] > VS_COARSE || (double)pts->err[i + lag] > VS_COARSE)) {
		d -= (double)pts->err[i] + (double)pts->err[i + lag];
		if (d < 0)
			d = 0;
	}
	return d;
}

/* Sigma from the differences that begin at [from, to): that of white noise around a level. */
static double window_sigma(struct vs_work *work, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		work->tmp[i - from] = difference(work->pts, i, 1);
	return VS_MAD_TO_SD / M_SQRT2 * vs_median(work->tmp, to - from);
}

static float floored(const struct vs_work *work, double sigma)
{
	if (work->par->most > 0 && sigma > work->par->most)
		sigma = work->par->most;
	return (float)(sigma > work->floor ? sigma : work->floor);
}

/*
 * tmp[block] = median of the windows around it. One window may be quiet by chance, and then makes a
 * step of what is noise; that it is not half as noisy as its neighbours is no chance.
 */
static void longer_scale(struct vs_work *work, size_t stride)
{
	size_t n = work->pts->n;
	size_t window = work->par->window;

	for (size_t block = 0; block * stride < n; block++) {
		double around[2 * AROUND];
		size_t m = 0;

		for (size_t k = 0; k < 2 * AROUND; k++) {
			size_t i = block * stride + k * window;

			if (i >= AROUND * window && i - AROUND * window < n)
				around[m++] = (double)work->sigma[i - AROUND * window];
		}
		work->tmp[block] = vs_median(around, m);
	}
}

/*
 * The larger of the windows that end and that begin at a reading. A window in the middle would be
 * far too small for the first readings of a noisy stretch behind a quiet one.
 */
void vs_noise_scale(struct vs_work *work)
{
	size_t n = work->pts->n;
	size_t window = work->par->window;
	size_t stride = window / STRIDE_PARTS ? window / STRIDE_PARTS : 1;
	size_t diffs = n ? n - 1 : 0;
	double global;

	work->floor = work->par->floor;
	if (work->par->linear || n < window) {
		global = window_sigma(work, 0, diffs);
		if (work->par->linear)
			work->floor *= global > 0 ? global : 1e-9;
		if (n < window) {
			for (size_t i = 0; i < n; i++)
				work->sigma[i] = floored(work, global);
			return;
		}
	}
	/* Each stride's rightward window first, then the maximum with the one that ended here. */
	for (size_t block = (n - 1) / stride + 1; block-- > 0;) {
		size_t from = block * stride;
		size_t to = from + window < diffs ? from + window : diffs;
		float sigma;

		if (to < from + window / 2)
			from = to > window ? to - window : 0;
		sigma = floored(work, window_sigma(work, from, to));
		for (size_t i = block * stride; i < n && i < (block + 1) * stride; i++)
			work->sigma[i] = sigma;
	}
	/* where trends are the rule, a window is no odder for being quiet */
	if (!work->par->linear)
		longer_scale(work, stride);
	for (size_t i = n; i-- > 0;) {
		float left = work->sigma[i >= window ? i - window : 0];
		float longer = work->par->linear ? 0 : (float)work->tmp[i / stride];

		if (left > work->sigma[i])
			work->sigma[i] = left;
		if (!work->par->linear && longer > work->sigma[i] &&
		    longer < CHANCE * work->sigma[i])
			work->sigma[i] = longer;
	}
}

static bool noisy(const struct vs_work *work, size_t i)
{
	return (double)work->sigma[i] > 1.5 * work->floor;
}

static void set_rho(struct vs_work *work, double rho)
{
	double factor = sqrt((1 - work->rho) / (1 - rho));

	for (size_t i = 0; i < work->pts->n; i++)
		if (noisy(work, i))
			work->sigma[i] = (float)((double)work->sigma[i] * factor);
	work->rho = rho;
	work->infl = (1 + rho) / (1 - rho);
}

/*
 * For an AR(1): E|x[i+2] - x[i]|^2 / E|x[i+1] - x[i]|^2 = 1 + rho, whatever the levels are. Of a
 * short series the ratio is too uncertain: a rho guessed too high hides steps, and one that is too
 * low is found from the residuals. Where x is no logarithm of a rate, slow trends are the rule, and
 * the guess is taken at once.
 */
void vs_noise_rho(struct vs_work *work)
{
	size_t n = work->pts->n;
	size_t step = n / SAMPLED + 1;
	size_t enough = work->par->linear ? ENOUGH : GUESSED_FROM;
	double sd = work->par->linear ? 2 : GUESS_SD;
	double medians[2];
	double rho;
	size_t m = 0;

	work->rho = 0;
	work->infl = 1;
	for (size_t lag = 1; lag <= 2; lag++) {
		m = 0;
		for (size_t i = 0; i + 2 < n; i += step)
			if (noisy(work, i))
				work->tmp[m++] =
					difference(work->pts, i, lag) / (double)work->sigma[i];
		if (m < enough)
			return;
		medians[lag - 1] = vs_median(work->tmp, m);
	}
	if (medians[0] <= 0)
		return;
	rho = medians[1] * medians[1] / (medians[0] * medians[0]) - 1 - sd / sqrt((double)m);
	if (rho > 0)
		set_rho(work, rho < 0.9 ? rho : 0.9);
}

bool vs_noise_residuals(struct vs_work *work, bool may_lower)
{
	double r0 = 0;
	double r1 = 0;
	double rho, margin;
	size_t pairs = 0;

	for (size_t k = 0; k < work->n_seg; k++) {
		const struct vs_segment *seg = &work->seg[k];
		double before = 0;
		bool joined = false;

		if (seg->inliers < 10 || seg->sd <= 1.5 * work->floor)
			continue;
		for (size_t i = seg->begin; i < seg->end; i++) {
			double r = (work->pts->x[i] - seg->level) / seg->sd;

			if (fabs(r) > work->par->cap) {
				joined = false;
				continue;
			}
			r0 += r * r;
			if (joined) {
				r1 += r * before;
				pairs++;
			}
			before = r;
			joined = true;
		}
	}
	if (pairs < ENOUGH)
		return false;
	rho = r1 / r0;
	margin = 1 / sqrt((double)pairs);
	if (rho - 1.5 * margin > work->rho + 0.05) {
		rho -= 1.5 * margin;
		set_rho(work, rho < 0.95 ? rho : 0.95);
		return true;
	}
	/* The first guess has steps in it and few differences under it: it may be too high. */
	if (may_lower && rho + margin < work->rho - 0.05) {
		set_rho(work, rho + margin > 0 ? rho + margin : 0);
		return true;
	}
	return false;
}
