#include <math.h>
#include <stdlib.h>

#include "analysis/build.h"
#include "analysis/median.h"

#define NORMAL_95  1.96
#define MEDIAN_SE  1.2533 /* standard error of a median over that of a mean */
#define POOL_LEAST 4      /* readings beyond one a level from which their noise is asked */

static bool in_level(const struct vs_series *s, const struct vs_segment *seg, size_t i)
{
	double x = log(s->iops[i] > 1 ? s->iops[i] : 1);

	return fabs(x - seg->median) <= 3 * seg->sd + vs_series_err(s, i);
}

double vs_measure_pooled_sd(const struct vs_series *s, const struct vs_detection *found,
			    double least)
{
	double squares = 0;
	size_t free_readings = 0;

	for (size_t k = 0; k < found->n && s->phase == VS_PHASE_IDLE; k++) {
		const struct vs_segment *seg = &found->segments[k];
		size_t m = 0;

		for (size_t i = seg->begin; i < seg->end; i++) {
			double r = log(s->iops[i] > 1 ? s->iops[i] : 1) - seg->median;

			if (!in_level(s, seg, i))
				continue;
			squares += r * r;
			m++;
		}
		free_readings += m ? m - 1 : 0;
	}
	if (free_readings < POOL_LEAST)
		return (double)NAN;
	return fmax(sqrt(squares / (double)free_readings), least);
}

/* Level, its mean, its interval and its spread. few_sd: noise when readings are few, or NAN. */
static int measure_level(struct vs_plateau *p, const struct vs_series *s,
			 const struct vs_origin *origin, double few_sd, struct vs_error *err)
{
	const struct vs_segment *seg = &origin->seg;
	double infl = origin->infl;
	double *sorted = malloc((seg->end - seg->begin) * sizeof(*sorted));
	double ios = 0, seconds = 0, squares = 0, sd, half;
	size_t m = 0;

	if (!sorted)
		return vs_error_nomem(err);
	for (size_t i = seg->begin; i < seg->end; i++) {
		double length_s = (double)(s->end_ns[i] - s->start_ns[i]) / 1e9;

		ios += s->iops[i] * length_s;
		seconds += length_s;
		if (!in_level(s, seg, i))
			continue;
		p->samples++;
		if (vs_series_err(s, i) > VS_COARSE && seg->err <= VS_COARSE)
			continue;
		sorted[m++] = s->iops[i];
	}
	p->iops = m ? vs_median(sorted, m) : exp(seg->median);
	if (seg->err > VS_COARSE || p->iops <= 0)
		p->iops = exp(seg->median);
	for (size_t i = 0; i < m; i++)
		squares += (sorted[i] / p->iops - 1) * (sorted[i] / p->iops - 1);
	free(sorted);
	sd = m > 1 ? sqrt(squares / (double)(m - 1)) : seg->sd;
	/* A few readings may agree by chance: then the series' own noise holds. */
	few_sd = fmin(seg->sd, few_sd);
	if (m < 8 && few_sd > sd)
		sd = few_sd;
	half = NORMAL_95 * (m > 2 ? MEDIAN_SE : 1) * sd * sqrt(infl / (double)(m ? m : 1)) +
	       seg->err;
	p->iops_mean = seconds > 0 ? ios / seconds : p->iops;
	p->iops_ci95[0] = p->iops * exp(-half);
	p->iops_ci95[1] = p->iops * exp(half);
	p->spread_pct = 100 * seg->spread;
	p->drifting = seg->drift;
	return 0;
}

/* First sample that ends after from_ns. */
static size_t first_sample(const struct vs_run *run, int64_t from_ns)
{
	size_t lo = 0;
	size_t hi = run->n_samples;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (run->samples[mid].end_ns <= from_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool is_of(const struct vs_run *run, const struct vs_plateau *p, const struct vs_sample *s)
{
	return !vs_sample_tells_nothing(run, s) &&
	       s->phase == (p->phase == VS_PHASE_LOAD ? VS_PHASE_LOAD : VS_PHASE_PROBE) &&
	       s->end_ns - s->length_ns / 2 >= p->start_ns &&
	       s->end_ns - s->length_ns / 2 < p->end_ns;
}

/* Bytes a read, from what judges the level; the largest latency; NAN and VS_UNKNOWN without. */
static double bytes_a_read(const struct vs_build *build, const struct vs_plateau *p, size_t from)
{
	const struct vs_run *run = build->run;
	double ios = 0;
	double bytes = 0;

	for (size_t i = from; i < run->n_samples && run->samples[i].end_ns <= p->end_ns; i++) {
		const struct vs_sample *s = &run->samples[i];
		bool device = build->out->totals.by_device && s->target < run->n_targets &&
			      run->targets[s->target].is_device && s->device_reads >= 0 &&
			      s->device_sectors >= 0 && s->errors == 0;

		if (!is_of(run, p, s) || (s->bytes < 0 && !device))
			continue;
		ios += device ? (double)s->device_reads : s->ios;
		bytes += device ? (double)s->device_sectors * 512 : (double)s->bytes;
	}
	return ios > 0 ? bytes / ios : (double)NAN;
}

static int64_t quantile(const struct vs_sample *s, int which)
{
	switch (which) {
	case 0:
		return s->lat_p50_ns;
	case 1:
		return s->lat_p99_ns;
	default:
		return s->lat_p999_ns;
	}
}

static int measure_latency(const struct vs_build *build, struct vs_plateau *p, size_t from,
			   struct vs_error *err)
{
	const struct vs_run *run = build->run;
	int64_t *into[] = { &p->latency.p50_ns, &p->latency.p99_ns, &p->latency.p999_ns };
	struct vs_weighted *items;
	size_t to = from;
	bool any = false;

	for (; to < run->n_samples && run->samples[to].end_ns <= p->end_ns; to++) {
		const struct vs_sample *s = &run->samples[to];

		if (!is_of(run, p, s))
			continue;
		any = any || s->lat_p50_ns >= 0 || s->lat_p99_ns >= 0 || s->lat_p999_ns >= 0;
		if (s->lat_max_ns > p->latency.max_ns)
			p->latency.max_ns = s->lat_max_ns;
	}
	if (!any)
		return 0;
	items = malloc((to - from) * sizeof(*items));
	if (!items)
		return vs_error_nomem(err);
	for (int which = 0; which < 3; which++) {
		size_t m = 0;

		for (size_t i = from; i < to; i++) {
			const struct vs_sample *s = &run->samples[i];

			if (is_of(run, p, s) && quantile(s, which) >= 0)
				items[m++] = (struct vs_weighted){ quantile(s, which), s->ios };
		}
		if (m)
			*into[which] = vs_weighted_median(items, m);
	}
	free(items);
	return 0;
}

int vs_measure_plateau(const struct vs_build *build, const struct vs_origin *origin, double few_sd,
		       struct vs_plateau *p, struct vs_error *err)
{
	size_t from;

	if (measure_level(p, origin->series, origin, few_sd, err) != 0)
		return -1;
	from = first_sample(build->run, p->start_ns);
	p->mbps = p->iops * bytes_a_read(build, p, from) / 1e6;
	return measure_latency(build, p, from, err);
}
