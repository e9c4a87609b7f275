#include "reports/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t slower(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void add(struct vs_point *point, const struct vs_sample *s)
{
	if (s->length_ns > 0)
		point->iops += s->ios * 1e9 / (double)s->length_ns;
	point->p50_ns = slower(point->p50_ns, s->lat_p50_ns);
	point->p99_ns = slower(point->p99_ns, s->lat_p99_ns);
	point->p999_ns = slower(point->p999_ns, s->lat_p999_ns);
	point->max_ns = slower(point->max_ns, s->lat_max_ns);
	point->errors += s->errors;
}

int vs_curve_make(const struct vs_run *run, struct vs_curve *out, struct vs_error *err)
{
	uint16_t last = UINT16_MAX;

	*out = (struct vs_curve){ 0 };
	if (run->n_samples == 0)
		return 0;
	out->points = calloc(run->n_samples, sizeof(*out->points));
	if (!out->points)
		return vs_error_nomem(err);
	for (size_t i = 0; i < run->n_samples; i++) {
		const struct vs_sample *s = &run->samples[i];

		/* targets of one interval stand side by side, in their order */
		if (s->target <= last || out->n == 0)
			out->points[out->n++] =
				(struct vs_point){ .end_ns = s->end_ns,
						   .length_ns = s->length_ns,
						   .p50_ns = VS_UNKNOWN,
						   .p99_ns = VS_UNKNOWN,
						   .p999_ns = VS_UNKNOWN,
						   .max_ns = VS_UNKNOWN,
						   .phase = (enum vs_phase)s->phase };
		add(&out->points[out->n - 1], s);
		last = s->target;
	}
	return 0;
}

bool vs_curve_gap(const struct vs_curve *curve, size_t i, int64_t interval_ns)
{
	const struct vs_point *p = &curve->points[i];

	return i > 0 && 2 * (p->end_ns - p->length_ns - p[-1].end_ns) > interval_ns;
}

bool vs_control_is(const struct vs_control *control, const struct vs_observation *obs)
{
	return control->name && isfinite(obs->value) && !obs->text &&
	       strcmp(control->source, obs->source) == 0 && strcmp(control->name, obs->name) == 0;
}

/* The volume's own word first; the metric comes late and in steps of a minute. */
void vs_control_find(const struct vs_run *run, struct vs_control *out)
{
	static const struct vs_control known[] = {
		{ "oci-volume", "autoTunedVpusPerGB" },
		{ "oci-volume", "vpusPerGB" },
		{ "oci-monitoring", "VolumeGuaranteedVPUsPerGB" },
	};

	for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++)
		for (size_t i = 0; i < run->n_observations; i++)
			if (vs_control_is(&known[k], &run->observations[i])) {
				*out = known[k];
				return;
			}
	*out = (struct vs_control){ NULL, NULL };
}

void vs_curve_release(struct vs_curve *series)
{
	free(series->points);
	*series = (struct vs_curve){ 0 };
}
