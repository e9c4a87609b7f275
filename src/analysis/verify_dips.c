/* Dips under load, also those that lasted long enough to be a level of their own. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analysis/verify_parts.h"
#include "base/units.h"

#define LOWER       0.97                /* of the level before */
#define EVENT_AFTER INT64_C(3000000000) /* an event is told a little after what it is about */

struct search {
	const struct vs_verify *v;
	struct vs_dip worst; /* of those that nothing explains; duration 0 none */
	size_t n, explained;
};

/* What our own side did then: the host slept, we were late, a gap was joined. */
static bool is_explained(const struct vs_run *run, const struct vs_dip *dip)
{
	static const char *const kinds[] = { "suspend", "clock-step", "late-sample",
					     "gap",     "resumed",    "samples-lost" };

	for (size_t i = 0; i < run->n_events; i++) {
		const struct vs_event *event = &run->events[i];

		if (event->at_ns < dip->at_ns ||
		    event->at_ns > dip->at_ns + dip->duration_ns + EVENT_AFTER)
			continue;
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
			if (strcmp(event->kind, kinds[k]) == 0)
				return true;
	}
	return false;
}

static void consider(struct search *s, const struct vs_dip *dip)
{
	if (is_explained(s->v->timeline->run, dip)) {
		s->explained++;
		return;
	}
	s->n++;
	if (dip->duration_ns > s->worst.duration_ns)
		s->worst = *dip;
}

/* Plateaus below the one before, up to where its level is back. One that is not left again is a
 * dip only when it is no tier's; else it is a step down. Returns the plateau behind. */
static size_t consider_low(struct search *s, size_t i)
{
	const struct vs_timeline *timeline = s->v->timeline;
	const struct vs_plateau *p = timeline->plateaus;
	double before = p[i - 1].iops;
	struct vs_dip dip = { .at_ns = p[i].start_ns, .iops_min = p[i].iops };
	bool no_tier = timeline->ladder && !p[i].tiers, back;
	size_t j = i;

	while (j < timeline->n_plateaus && p[j].phase == VS_PHASE_LOAD &&
	       p[j].iops < LOWER * before) {
		dip.iops_min = fmin(dip.iops_min, p[j].iops);
		j++;
	}
	back = j < timeline->n_plateaus && p[j].phase == VS_PHASE_LOAD;
	dip.duration_ns = (back ? p[j].start_ns : p[j - 1].end_ns) - dip.at_ns;
	if (back || no_tier)
		consider(s, &dip);
	return j;
}

static void consider_all(struct search *s)
{
	const struct vs_timeline *timeline = s->v->timeline;
	const struct vs_plateau *p = timeline->plateaus;

	for (size_t i = 0; i < timeline->n_dips; i++)
		consider(s, &timeline->dips[i]);
	for (size_t i = 1; i < timeline->n_plateaus;)
		if (p[i].phase == VS_PHASE_LOAD && p[i - 1].phase == VS_PHASE_LOAD &&
		    p[i].iops < LOWER * p[i - 1].iops)
			i = consider_low(s, i);
		else
			i++;
}

static int plateau_at(const struct vs_timeline *timeline, int64_t at_ns)
{
	for (size_t i = 0; i < timeline->n_plateaus; i++)
		if (at_ns >= timeline->plateaus[i].start_ns && at_ns < timeline->plateaus[i].end_ns)
			return (int)i;
	return -1;
}

static void say(const struct search *s, struct vs_check *check)
{
	char took[VS_UNITS_TEXT_MAX], low[VS_UNITS_TEXT_MAX], at[VS_VERIFY_TEXT];
	char rest[64] = "", where[48] = "", many[48] = "";

	if (s->explained)
		(void)snprintf(rest, sizeof(rest), "; %zu explained by the recording host",
			       s->explained);
	if (s->n == 0) {
		check->found = 0;
		vs_verify_say(check, VS_VERDICT_PASS, "no dip%s", rest);
		return;
	}
	check->found = (double)s->worst.duration_ns / VS_VERIFY_SEC_NS;
	check->at_ns = s->worst.at_ns;
	check->plateau = plateau_at(s->v->timeline, s->worst.at_ns);
	if (check->plateau >= 0)
		(void)snprintf(where, sizeof(where), ", in plateau %d", check->plateau);
	if (s->n > 1)
		(void)snprintf(many, sizeof(many), "the longest of %zu: ", s->n);
	vs_verify_say(check, check->found > check->expected ? VS_VERDICT_FAIL : VS_VERDICT_PASS,
		      "%s%s at %s, down to %s IOPS%s%s", many,
		      vs_units_format_duration(s->worst.duration_ns, took),
		      vs_verify_clock(s->worst.at_ns, at),
		      vs_units_format_count(s->worst.iops_min, low), where, rest);
}

void vs_verify_dips(struct vs_verify *v)
{
	double max_s = v->expect->max_dip_s;
	const struct vs_run *run = v->timeline->run;
	char limit[VS_UNITS_TEXT_MAX], apart[VS_UNITS_TEXT_MAX];
	struct search search = { .v = v };
	struct vs_check *check;

	if (isnan(max_s))
		return;
	(void)vs_units_format_duration((int64_t)llround(max_s * VS_VERIFY_SEC_NS), limit);
	check = vs_verify_add(v, "dips", "s", max_s, "no unexplained dip longer than %s", limit);
	if (v->first < 0) {
		vs_verify_say(check, VS_VERDICT_SKIP, "no plateau under load");
	} else if ((double)run->interval_ns > max_s * VS_VERIFY_SEC_NS && max_s > 0) {
		vs_verify_say(check, VS_VERDICT_SKIP, "the samples are %s apart",
			      vs_units_format_duration(run->interval_ns, apart));
	} else {
		consider_all(&search);
		say(&search, check);
	}
}
