#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/detect.h"
#include "analysis/median.h"
#include "analysis/series.h"

#define NOISY 0.03  /* from here on all settled readings tell more than the last two */
#define AGREE 2.0   /* sigma that two readings of one level differ by at most */
#define QUIET 0.003 /* least sigma of a reading */

/*
 * The readings of a probe that count: behind the opening burst, and at its end none that was cut
 * short or that went on after the load had ended.
 */
struct stretch {
	size_t begin, end;
};

static bool partial(const struct vs_series *r, size_t i, int64_t interval_ns)
{
	int64_t length_ns = r->end_ns[i] - r->start_ns[i];

	return length_ns < interval_ns / 2 || length_ns > interval_ns + interval_ns / 5;
}

static struct stretch settled(const struct vs_probes *probes, size_t k, int64_t interval_ns)
{
	const struct vs_series *r = &probes->readings;
	struct stretch s = { probes->first[k], probes->first[k + 1] };

	while (s.end - s.begin > 1 && partial(r, s.end - 1, interval_ns))
		s.end--;
	if (s.end - s.begin > 2)
		s.begin++;
	return s;
}

/*
 * A refilled bucket makes the first seconds of a probe higher, never lower. Of two readings the
 * second holds, or both when the first is no higher. Behind the first of more, the last two tell
 * the level together when they agree, in noise all of them, else the lower one.
 */
static double value_of(const struct vs_probes *probes, size_t k, struct stretch s, double noise,
		       double *sorted)
{
	const struct vs_series *r = &probes->readings;
	size_t last = s.end - 1;
	double a = r->iops[last];
	double b = last > s.begin ? r->iops[last - 1] : a;

	if (s.begin == probes->first[k])
		return b > a ? a : 0.5 * (a + b);
	if (!(a > 0 && b > 0 && fabs(log(a / b)) <= AGREE * fmax(noise, QUIET) * M_SQRT2))
		return fmin(a, b);
	if (noise <= NOISY)
		return 0.5 * (a + b);
	memcpy(sorted, r->iops + s.begin, (s.end - s.begin) * sizeof(*sorted));
	return vs_median(sorted, s.end - s.begin);
}

static size_t lower_of_last(const struct vs_series *r, struct stretch s)
{
	size_t last = s.end - 1;

	return last > s.begin && r->iops[last - 1] < r->iops[last] ? last - 1 : last;
}

/*
 * Sigma from what the later of two readings is higher by. Noise is as often up as down; a burst
 * that lasts and a fall are down, and in a fall of a tier a minute most pairs may hold one. So what
 * the rises say bounds it: two of three are below a sigma, and a few may be short of it by chance.
 */
static double sigma_of(double *rises, size_t n)
{
	size_t up = 0;
	double least = (double)INFINITY;

	for (size_t i = 0; i < n; i++) {
		double rise = rises[i];

		rises[i] = rises[up];
		rises[up] = rise;
		up += rise >= 0;
	}
	if (up)
		least = (1 + 1 / sqrt((double)up)) * vs_select(rises, up, 2 * up / 3);
	for (size_t i = 0; i < n; i++)
		rises[i] = fabs(rises[i]);
	return fmin(least, VS_MAD_TO_SD * vs_median(rises, n)) / M_SQRT2;
}

/*
 * Noise of one reading: from the last two of long probes, where the burst is over; else from
 * neighbouring probes, which holds unless each one saw another level, and then it is not more than
 * under load.
 */
static int noise_of(const struct vs_probes *probes, int64_t interval_ns, double load_noise,
		    double *out, struct vs_error *err)
{
	const struct vs_series *r = &probes->readings;
	double *within = malloc((probes->n + 1) * 2 * sizeof(*within));
	double *between = within ? within + probes->n + 1 : NULL;
	double past = 0;
	size_t n_within = 0;
	size_t n_between = 0;

	if (!within)
		return vs_error_nomem(err);
	for (size_t k = 0; k < probes->n; k++) {
		struct stretch s = settled(probes, k, interval_ns);
		double a = r->iops[s.end - 1];
		double b = s.end - s.begin > 1 ? r->iops[s.end - 2] : 0;
		double low = r->iops[lower_of_last(r, s)];

		if (s.begin > probes->first[k] && a > 0 && b > 0)
			within[n_within++] = log(a / b);
		if (past > 0 && low > 0)
			between[n_between++] = log(low / past);
		past = low;
	}
	if (n_within >= 3 || n_between == 0)
		*out = sigma_of(within, n_within);
	else
		*out = fmin(sigma_of(between, n_between), load_noise);
	free(within);
	return 0;
}

int vs_probes_reduce(const struct vs_probes *probes, int64_t interval_ns, double load_noise,
		     struct vs_series *out, struct vs_error *err)
{
	const struct vs_series *r = &probes->readings;
	double *sorted = NULL;
	int rc = 0;

	if (noise_of(probes, interval_ns, load_noise, &out->noise, err) != 0)
		return -1;
	sorted = malloc((r->n + 1) * sizeof(*sorted));
	if (!sorted)
		return vs_error_nomem(err);
	for (size_t k = 0; k < probes->n && rc == 0; k++) {
		struct stretch s = settled(probes, k, interval_ns);
		size_t low = lower_of_last(r, s);
		double iops = value_of(probes, k, s, out->noise, sorted);
		double base = iops > 1 ? iops : 1;

		rc = vs_series_append(out, iops, r->start_ns[probes->first[k]],
				      r->end_ns[probes->first[k + 1] - 1],
				      vs_series_err(r, low) * base, err);
	}
	free(sorted);
	return rc;
}
