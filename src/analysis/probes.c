#include <math.h>
#include <stdlib.h>

#include "analysis/median.h"
#include "analysis/series.h"

#define NOISY                                                                       \
 0.03 /* from here on the lower of two readings is a bias, and the median is better \
       */

/* The readings of a probe that count: behind the opening burst, and none that was cut short. */
struct stretch {
	size_t begin, end;
};

static struct stretch settled(const struct vs_probes *probes, size_t k, int64_t interval_ns)
{
	const struct vs_series *r = &probes->readings;
	struct stretch s = { probes->first[k], probes->first[k + 1] };

	while (s.end - s.begin > 1 &&
	       r->end_ns[s.end - 1] - r->start_ns[s.end - 1] < interval_ns / 2)
		s.end--;
	if (s.end - s.begin > 2)
		s.begin++;
	return s;
}

static size_t lower_of_last(const struct vs_series *r, struct stretch s)
{
	size_t last = s.end - 1;

	return last > s.begin && r->iops[last - 1] < r->iops[last] ? last - 1 : last;
}

/*
 * Noise of one reading: from the last two of long probes, where the burst is over; else from
 * neighbouring probes, which holds unless each one saw another level; in no case more than under
 * load.
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
	double noise;

	if (!within)
		return vs_error_nomem(err);
	for (size_t k = 0; k < probes->n; k++) {
		struct stretch s = settled(probes, k, interval_ns);
		double a = r->iops[s.end - 1];
		double b = s.end - s.begin > 1 ? r->iops[s.end - 2] : 0;
		double low = r->iops[lower_of_last(r, s)];

		if (s.begin > probes->first[k] && a > 0 && b > 0)
			within[n_within++] = fabs(log(a / b));
		if (past > 0 && low > 0)
			between[n_between++] = fabs(log(low / past));
		past = low;
	}
	noise = n_between ? vs_median(between, n_between) : 0;
	if (n_within >= 3 || n_between == 0)
		noise = vs_median(within, n_within);
	noise *= 1.4826 / M_SQRT2;
	free(within);
	*out = load_noise < noise ? load_noise : noise;
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
		double iops = r->iops[low];
		double base = iops > 1 ? iops : 1;

		if (out->noise > NOISY) {
			for (size_t i = s.begin; i < s.end; i++)
				sorted[i - s.begin] = r->iops[i];
			iops = vs_median(sorted, s.end - s.begin);
		}
		rc = vs_series_append(out, iops, r->start_ns[probes->first[k]],
				      r->end_ns[probes->first[k + 1] - 1],
				      (double)r->err[low] * base, err);
	}
	free(sorted);
	return rc;
}
