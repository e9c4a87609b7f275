#include <math.h>
#include <stdlib.h>

#include "analysis/build.h"
#include "analysis/median.h"

#define EQUAL 0.01 /* levels of two series nearer than this are one */

struct when {
	int64_t low_ns, at_ns, high_ns;
};

/*
 * Inside one series: from the last reading at the old level to the first not at it. Readings of
 * nothing tell no level: a change behind a stall was at any time in it, as with missing readings.
 */
static struct when change_time(const struct vs_series *s, const struct vs_segment *seg, double from,
			       double to)
{
	size_t c = seg->change;
	struct when w = { .low_ns = s->end_ns[seg->change_low - 1] };
	size_t told = c;
	double part;

	while (told < seg->begin && !(s->iops[told] > 0))
		told++;
	if (told < seg->begin) {
		/* A reading between the levels is a part of a second at either; an overshoot most
		 * likely filled its second. */
		part = (s->iops[told] - from) / (to - from);
		w.high_ns = s->end_ns[told];
		w.at_ns = s->start_ns[told];
		if (part > 0 && part < 1)
			w.at_ns = s->end_ns[told] -
				  (int64_t)(part * (double)(s->end_ns[told] - s->start_ns[told]));
	} else {
		w.high_ns = s->start_ns[told > seg->change_high ? told : seg->change_high];
		w.at_ns = s->end_ns[c - 1] + (s->start_ns[told] - s->end_ns[c - 1]) / 2;
	}
	if (w.at_ns < w.low_ns)
		w.low_ns = w.at_ns;
	if (w.at_ns > w.high_ns)
		w.high_ns = w.at_ns;
	return w;
}

static struct when between(const struct vs_plateau *a, const struct vs_plateau *b)
{
	return (struct when){ .low_ns = a->end_ns,
			      .at_ns = a->end_ns + (b->start_ns - a->end_ns) / 2,
			      .high_ns = b->start_ns };
}

/* The highest reading of the transition over the new level of a rise, percent. */
static double overshoot(const struct vs_series *s, const struct vs_segment *a,
			const struct vs_segment *b, double level)
{
	double most = 0;

	for (size_t i = a->end; i < b->begin; i++)
		most = fmax(most, s->iops[i]);
	return most > level * exp(3 * b->sd) ? 100 * (most / level - 1) : 0;
}

/* Two series' levels, or two of the provider's words, are the same: then nothing happened. */
static bool equal(const struct vs_build *build, size_t i, size_t j)
{
	const struct vs_plateau *a = &build->out->plateaus[i];
	const struct vs_plateau *b = &build->out->plateaus[j];
	const struct vs_origin *oa = &build->origins[i];
	const struct vs_origin *ob = &build->origins[j];
	double half_a, half_b, larger;

	if (oa->series && oa->series == ob->series && !ob->behind_unsteady)
		return ob->seg.joined;
	if (!oa->series != !ob->series) /* a level measured and one told: only words compare */
		return !(fabs(oa->vpu - ob->vpu) > 0);
	if (a->tier >= 0 && a->tier == b->tier)
		return true;
	if (!(a->iops > 0) || !(b->iops > 0))
		return !(fabs(oa->vpu - ob->vpu) > 0);
	half_a = log(a->iops_ci95[1] / a->iops);
	half_b = log(b->iops_ci95[1] / b->iops);
	larger = fmax(EQUAL, 1.5 * hypot(half_a, half_b));
	return !(fabs(log(a->iops / b->iops)) > larger);
}

static bool rises(const struct vs_build *build, size_t i, size_t j)
{
	const struct vs_plateau *a = &build->out->plateaus[i];
	const struct vs_plateau *b = &build->out->plateaus[j];

	if (a->iops > 0 && b->iops > 0 && build->origins[i].series && build->origins[j].series)
		return b->iops > a->iops;
	return build->origins[j].vpu > build->origins[i].vpu;
}

static int pending(struct vs_build *build, struct vs_error *err)
{
	const struct vs_timeline *out = build->out;
	struct vs_pending *pending_out = &build->out->pending;
	const struct vs_series *s;
	double *rest;
	size_t from;
	size_t m = 0;

	if (out->n_plateaus == 0 || !(s = build->origins[out->n_plateaus - 1].series))
		return 0;
	from = build->origins[out->n_plateaus - 1].seg.end;
	if (s != &build->set.at[build->set.n - 1] || from >= s->n || build->unsteady_at_end)
		return 0;
	rest = malloc((s->n - from) * sizeof(*rest));
	if (!rest)
		return vs_error_nomem(err);
	for (size_t i = from; i < s->n; i++)
		if (s->iops[i] > 0)
			rest[m++] = s->iops[i];
	if (m) {
		pending_out->present = true;
		pending_out->start_ns = s->start_ns[from];
		/* The first second of a rise overshoots: of two, the lower is the likelier level.
		 */
		pending_out->iops = m == 2 ? fmin(rest[0], rest[1]) : vs_median(rest, m);
	}
	free(rest);
	return 0;
}

int vs_build_steps(struct vs_build *build, struct vs_error *err)
{
	struct vs_timeline *out = build->out;
	int64_t since_ns = out->n_plateaus ? out->plateaus[0].start_ns : 0;

	out->steps = calloc(out->n_plateaus + 1, sizeof(*out->steps));
	if (!out->steps)
		return vs_error_nomem(err);
	for (size_t k = 0; k + 1 < out->n_plateaus; k++) {
		const struct vs_plateau *a = &out->plateaus[k];
		const struct vs_plateau *b = &out->plateaus[k + 1];
		const struct vs_series *s = build->origins[k].series;
		bool inside = s && s == build->origins[k + 1].series &&
			      !build->origins[k + 1].behind_unsteady;
		struct vs_step *step = &out->steps[out->n_steps];
		struct when w;

		if (equal(build, k, k + 1))
			continue;
		w = inside ? change_time(s, &build->origins[k + 1].seg, a->iops, b->iops)
			   : between(a, b);
		*step = (struct vs_step){ .direction = rises(build, k, k + 1) ? VS_UP : VS_DOWN,
					  .at_ns = w.at_ns,
					  .at_low_ns = w.low_ns,
					  .at_high_ns = w.high_ns,
					  .from = k,
					  .to = k + 1,
					  .dwell_ns = w.at_ns - since_ns,
					  .provider_at_ns = VS_UNKNOWN };
		if (inside && step->direction == VS_UP)
			step->overshoot_pct = overshoot(s, &build->origins[k].seg,
							&build->origins[k + 1].seg, b->iops);
		since_ns = w.at_ns;
		out->n_steps++;
	}
	return pending(build, err);
}
