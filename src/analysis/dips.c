#include <math.h>
#include <stdlib.h>

#include "analysis/build.h"
#include "analysis/median.h"

#define SHALLOW      0.02 /* nothing less than 2 % below the level is a dip */
#define SIGMAS       3.0
#define SAME_NS      1000000
#define BEHIND_STOP  2   /* readings that a stop of this machine may still show in */
#define AROUND       15  /* readings to either side that tell the noise there */
#define SIGMAS_ALONE 4.0 /* a single reading must be further out: noise has those */

static int add(struct vs_timeline *out, size_t *room, const struct vs_dip *dip,
	       struct vs_error *err)
{
	if (out->n_dips == *room) {
		size_t bigger = *room ? *room * 2 : 16;
		struct vs_dip *dips = reallocarray(out->dips, bigger, sizeof(*dips));

		if (!dips)
			return vs_error_nomem(err);
		out->dips = dips;
		*room = bigger;
	}
	out->dips[out->n_dips++] = *dip;
	return 0;
}

/*
 * The machine was stopped or starved in this reading: the reads then are few because nobody asked
 * for any, which says nothing of the volume. A wake-up that was only a little late is no excuse.
 */
static bool was_stopped(const struct vs_run *run, int64_t end_ns)
{
	size_t low = 0, high = run->n_samples;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (run->samples[mid].end_ns < end_ns - SAME_NS)
			low = mid + 1;
		else
			high = mid;
	}
	return low < run->n_samples && run->samples[low].end_ns <= end_ns + SAME_NS &&
	       (run->samples[low].flags & VS_SAMPLE_LATE) &&
	       run->samples[low].length_ns > run->interval_ns + run->interval_ns / 2;
}

struct finder {
	const struct vs_run *run;
	struct vs_timeline *out;
	const struct vs_series *series;
	size_t room;
	struct vs_dip dip; /* under way when readings > 0 */
	size_t readings;
	double deepest; /* as a fraction of the level */
	double sd;
};

static int end_dip(struct finder *f, struct vs_error *err)
{
	double alone = SIGMAS_ALONE * f->sd > SHALLOW ? SIGMAS_ALONE * f->sd : SHALLOW;
	bool counts = f->readings > 1 || f->dip.stall || f->deepest <= 1 - alone;

	if (f->readings == 0)
		return 0;
	f->readings = 0;
	return counts ? add(f->out, &f->room, &f->dip, err) : 0;
}

static double noise_between(const struct vs_series *s, size_t from, size_t to)
{
	double d[AROUND];
	size_t m = 0;

	for (size_t k = from; k < to; k++)
		if (s->iops[k] > 0 && s->iops[k + 1] > 0)
			d[m++] = fabs(log(s->iops[k + 1] / s->iops[k]));
	return VS_MAD_TO_SD / M_SQRT2 * vs_median(d, m);
}

/* The larger noise before and behind reading i: a plateau may be noisier in a part of it. */
static double local_noise(const struct vs_series *s, const struct vs_segment *seg, size_t i)
{
	size_t from = i > seg->begin + AROUND ? i - AROUND : seg->begin;
	size_t to = i + AROUND < seg->end - 1 ? i + AROUND : seg->end - 1;

	return fmax(noise_between(s, from, i), noise_between(s, i, to));
}

/* Is reading i below: seg NULL, outside of any plateau, where only a stall counts. */
static bool below(struct finder *f, const struct vs_segment *seg, double level, size_t i)
{
	double at = f->series->iops[i] * (1 + vs_series_err(f->series, i));
	double sd;

	if (!(f->series->iops[i] > 0))
		return true;
	if (!seg || at >= level * (1 - fmax(SIGMAS * seg->sd, SHALLOW)))
		return false;
	sd = fmax(seg->sd, local_noise(f->series, seg, i));
	if (f->readings == 0)
		f->sd = sd;
	return at < level * (1 - fmax(SIGMAS * sd, SHALLOW));
}

/*
 * Behind a stop the counts of one reading may have come into the one before: it is no lower than
 * the level together with what has been read since the stop.
 */
static bool made_up_for(const struct finder *f, double level, size_t i)
{
	const struct vs_series *s = f->series;
	double ios = 0, seconds = 0;

	for (size_t k = 0; k < BEHIND_STOP && k <= i; k++) {
		double length_s = (double)(s->end_ns[i - k] - s->start_ns[i - k]) / 1e9;

		ios += s->iops[i - k] * length_s;
		seconds += length_s;
		if (was_stopped(f->run, s->start_ns[i - k]))
			return level > 0 && ios >= seconds * level * (1 - SHALLOW);
	}
	return false;
}

static int put(struct finder *f, const struct vs_segment *seg, double level, size_t i,
	       struct vs_error *err)
{
	const struct vs_series *s = f->series;

	if (!below(f, seg, level, i) || was_stopped(f->run, s->end_ns[i]) ||
	    made_up_for(f, level, i))
		return end_dip(f, err);
	if (f->readings == 0) {
		f->dip = (struct vs_dip){ .at_ns = s->start_ns[i],
					  .iops_min = s->iops[i],
					  .stall = true };
		f->deepest = 1;
	}
	f->readings++;
	f->dip.duration_ns = s->end_ns[i] - f->dip.at_ns;
	f->dip.iops_min = fmin(f->dip.iops_min, s->iops[i]);
	f->dip.stall = f->dip.stall && !(s->iops[i] > 0);
	if (level > 0)
		f->deepest = fmin(f->deepest, s->iops[i] / level);
	return 0;
}

/* Runs of readings below the level inside plateaus; stalls also between them. */
int vs_build_dips(struct vs_build *build, struct vs_error *err)
{
	struct vs_timeline *out = build->out;
	struct finder f = { .out = out, .run = build->run };
	size_t k = 0;

	for (size_t n = 0; n < build->set.n; n++) {
		const struct vs_series *s = &build->set.at[n];

		f.series = s;
		if (s->phase != VS_PHASE_LOAD)
			continue;
		while (k < out->n_plateaus && build->origins[k].series != s &&
		       out->plateaus[k].end_ns <= s->start_ns[0])
			k++;
		for (size_t i = 0; i < s->n; i++) {
			const struct vs_segment *seg = NULL;

			while (k < out->n_plateaus && build->origins[k].series == s &&
			       i >= build->origins[k].seg.end)
				k++;
			if (k < out->n_plateaus && build->origins[k].series == s &&
			    i >= build->origins[k].seg.begin && !build->origins[k].seg.drift)
				seg = &build->origins[k].seg;
			if (put(&f, seg, seg ? out->plateaus[k].iops : 0, i, err) != 0)
				return -1;
		}
		if (end_dip(&f, err) != 0)
			return -1;
	}
	return 0;
}
