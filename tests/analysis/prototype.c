/* What prototype_load() loads: compiled by scripts/bench-detector.sh with the prototype's sources
 * alone. What the prototype left to its own scripts, the choice between ladder and free fit and the
 * live rule, is written here from its description. */
#include "prototype.h"

#include <math.h>
#include <robcp.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW       30
#define FLOOR        0.003
#define TO_SIGMA     (1.4826 / M_SQRT2)
#define CAP2         9.0
#define STEP_COST    12.0
#define JUMP_COST    24.0
#define LIVE_DIFFS   60
#define LIVE_HORIZON 86400

static void *array(size_t n, size_t item)
{
	void *a = calloc(n + 1, item);

	if (!a)
		abort();
	return a;
}

/* ln(IOPS) of the readings that there are; id[k] is the k-th one's place. */
static int present(const struct gen_series *s, double *x, int *id)
{
	int n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (isnan(s->iops[i]))
			continue;
		x[n] = log(fmax(s->iops[i], 1));
		id[n++] = (int)i;
	}
	return n;
}

static double sigma_of(const double *x, int n, int from, double *tmp)
{
	int m = 0;

	if (from < 0)
		from = 0;
	for (int i = from; i < from + WINDOW && i + 1 < n; i++)
		tmp[m++] = fabs(x[i + 1] - x[i]);
	return TO_SIGMA * rc_median(tmp, m);
}

/* Weights: the larger sigma of the windows to the left and to the right, less what rho explains. */
static void weigh(const double *x, int n, double infl, double *tmp, double *w)
{
	double rho = (infl - 1) / (infl + 1);

	for (int i = 0; i < n; i++) {
		int right = i + WINDOW < n ? i : n - 1 - WINDOW;
		double s = fmax(FLOOR,
				fmax(sigma_of(x, n, i - WINDOW, tmp), sigma_of(x, n, right, tmp)));

		if (s > 1.5 * FLOOR)
			s /= sqrt(1 - rho);
		w[i] = 1 / (s * s);
	}
}

static double capped(double x, double w, double level)
{
	double cost = w * (x - level) * (x - level);

	return cost < CAP2 ? cost : CAP2;
}

/* Free fit against ladder: levels and changes are paid for on either side. */
static bool ladder_wins(const double *x, const double *w, int n, double infl, const double *levels,
			const int *state)
{
	double beta = (2 * log(fmax(n, 10)) + 5) * infl;
	int *start = array((size_t)n, sizeof(*start));
	double *mean = array((size_t)n, sizeof(*mean));
	double ladder = 0, open = -beta;

	rc_fpop(x, w, n, beta, CAP2, start, mean, NULL);
	for (int last = n - 1; last >= 0; last = start[last] - 1) {
		for (int i = start[last]; i <= last; i++)
			open += capped(x[i], w[i], mean[last]);
		open += beta + log(n) * infl;
	}
	for (int i = 0; i < n; i++) {
		ladder += capped(x[i], w[i], levels[state[i]]);
		if (i > 0 && state[i] != state[i - 1])
			ladder +=
				infl * (abs(state[i] - state[i - 1]) == 1 ? STEP_COST : JUMP_COST);
	}
	free(start);
	free(mean);
	return ladder <= open;
}

static int levels_of(const struct vs_ladder *ladder, double *levels)
{
	for (size_t l = 0; l < ladder->n_tiers; l++)
		levels[l] = log(ladder->tiers[l].iops);
	return (int)ladder->n_tiers;
}

/* Where the states change, transients passed over. */
static size_t changes_of(const int *state, const int *id, int n, int least, double *out)
{
	size_t found = 0;
	int past = -1;

	for (int begin = 0, end; begin < n; begin = end) {
		for (end = begin; end < n && state[end] == state[begin]; end++)
			;
		if (end - begin < least)
			continue;
		if (past >= 0 && state[begin] != past)
			out[found++] = id[begin];
		past = state[begin];
	}
	return found;
}

size_t prototype_steps(const struct gen_series *s, const struct vs_ladder *ladder, double *out)
{
	rc_par par;
	rc_seg *seg = NULL;
	double sigma, infl;
	double levels[VS_LADDER_MAX];
	double *x = array(s->n, sizeof(*x));
	double *w = array(s->n, sizeof(*w));
	double *tmp = array(s->n, sizeof(*tmp));
	int *id = array(s->n, sizeof(*id));
	int *state = array(s->n, sizeof(*state));
	int n = present(s, x, id);
	size_t found = 0;
	int n_seg;

	rc_default(&par);
	n_seg = rc_detect(s->iops, (int)s->n, &par, &seg, &sigma, &infl);
	for (int k = 1; k < n_seg; k++)
		out[found++] = seg[k].cp;
	if (ladder && n > WINDOW) {
		weigh(x, n, infl, tmp, w);
		rc_ladder(x, w, n, levels, levels_of(ladder, levels), STEP_COST * infl,
			  JUMP_COST * infl, CAP2, state);
		if (ladder_wins(x, w, n, infl, levels, state))
			found = changes_of(state, id, n, par.lmin, out);
	}
	free(seg);
	free(x);
	free(w);
	free(tmp);
	free(id);
	free(state);
	return found;
}

static double median_of(const double *x, int from, int to, double *tmp)
{
	memcpy(tmp, x + from, (size_t)(to - from) * sizeof(*tmp));
	return rc_median(tmp, to - from);
}

/* Causal: the last differences, more careful while there are few. */
static void weigh_live(const double *x, int n, double *tmp, double *sigma, double *w)
{
	for (int i = 0; i < n; i++) {
		int m = i < LIVE_DIFFS ? i : LIVE_DIFFS;

		for (int k = 0; k < m; k++)
			tmp[k] = fabs(x[i - k] - x[i - k - 1]);
		sigma[i] = m ? TO_SIGMA * rc_median(tmp, m) * (1 + 8.0 / m) : 0.03;
		sigma[i] = fmax(sigma[i], FLOOR);
		w[i] = 1 / (sigma[i] * sigma[i]);
	}
}

size_t prototype_live(const struct gen_series *s, struct prototype_alarm *out)
{
	double *x = array(s->n, sizeof(*x));
	double *w = array(s->n, sizeof(*w));
	double *sigma = array(s->n, sizeof(*sigma));
	double *tmp = array(s->n, sizeof(*tmp));
	int *id = array(s->n, sizeof(*id));
	int *start = array(s->n, sizeof(*start));
	int n = present(s, x, id);
	size_t told = 0;
	int current = 0;

	weigh_live(x, n, tmp, sigma, w);
	rc_fpop(x, w, n, 2 * log(LIVE_HORIZON) + 5, CAP2, start, NULL, NULL);
	for (int i = 0; i < n; i++) {
		int from = start[i];

		if (from <= current || i - from + 1 < 3 ||
		    fabs(median_of(x, from, i + 1, tmp) - median_of(x, current, from, tmp)) <=
			    fmax(0.01, 0.5 * sigma[i]))
			continue;
		/* so soon behind another it corrects that one */
		if (current == 0 || from - current >= 5)
			out[told++] = (struct prototype_alarm){ (size_t)id[from], (size_t)id[i] };
		current = from;
	}
	free(x);
	free(w);
	free(sigma);
	free(tmp);
	free(id);
	free(start);
	return told;
}
