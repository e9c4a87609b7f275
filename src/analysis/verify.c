#include "analysis/verify.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "analysis/told.h"
#include "analysis/verify_parts.h"
#include "base/units.h"

#define SAME_LEVEL 1.01

struct vs_check *vs_verify_add(struct vs_verify *v, const char *id, const char *unit,
			       double expected, const char *fmt, ...)
{
	struct vs_check *check = &v->out->checks[v->out->n];
	va_list ap;

	VS_ASSERT(v->out->n < VS_CHECKS_MAX);
	v->out->n++;
	*check = (struct vs_check){ .id = id,
				    .verdict = VS_VERDICT_SKIP,
				    .unit = unit,
				    .expected = expected,
				    .found = (double)NAN,
				    .plateau = -1,
				    .step = -1,
				    .at_ns = VS_UNKNOWN };
	va_start(ap, fmt);
	(void)vsnprintf(check->title, sizeof(check->title), fmt, ap);
	va_end(ap);
	return check;
}

void vs_verify_say(struct vs_check *check, enum vs_verdict verdict, const char *fmt, ...)
{
	va_list ap;

	check->verdict = verdict;
	va_start(ap, fmt);
	(void)vsnprintf(check->evidence, sizeof(check->evidence), fmt, ap);
	va_end(ap);
}

char *vs_verify_clock(int64_t ns, char *text)
{
	long long sec = llround((double)ns / VS_VERIFY_SEC_NS);

	if (sec < 3600)
		(void)snprintf(text, VS_VERIFY_TEXT, "%lld:%02lld", sec / 60, sec % 60);
	else
		(void)snprintf(text, VS_VERIFY_TEXT, "%lld:%02lld:%02lld", sec / 3600,
			       sec / 60 % 60, sec % 60);
	return text;
}

char *vs_verify_tier(const struct vs_verify *v, int tier, char *text)
{
	const struct vs_ladder *ladder = v->timeline->ladder;

	if (tier < 0 || !ladder)
		(void)snprintf(text, VS_VERIFY_TEXT, "no tier");
	else
		(void)snprintf(text, VS_VERIFY_TEXT, "%s %s",
			       isnan(ladder->tiers[tier].vpu) ? "tier" : "VPU",
			       ladder->tiers[tier].name);
	return text;
}

char *vs_verify_plateau(const struct vs_verify *v, int plateau, char *text)
{
	const struct vs_plateau *p = &v->timeline->plateaus[plateau];
	char from[VS_VERIFY_TEXT], to[VS_VERIFY_TEXT], tier[VS_VERIFY_TEXT] = "";
	char level[VS_UNITS_TEXT_MAX];
	bool known = v->timeline->ladder && (p->tier >= 0 || !p->tiers);

	if (known)
		(void)vs_verify_tier(v, p->tier, tier);
	(void)snprintf(text, VS_VERIFY_TEXT, "plateau %d, %.12s to %.12s: %s IOPS%s%.32s%s",
		       plateau, vs_verify_clock(p->start_ns, from), vs_verify_clock(p->end_ns, to),
		       vs_units_format_count(p->iops, level), known ? ", " : "", tier,
		       p->samples == 0 ? " as the provider says" : "");
	return text;
}

char *vs_verify_step(const struct vs_verify *v, int step, char *text)
{
	const struct vs_step *s = &v->timeline->steps[step];
	const struct vs_plateau *a = &v->timeline->plateaus[s->from];
	const struct vs_plateau *b = &v->timeline->plateaus[s->to];
	char at[VS_VERIFY_TEXT], from[VS_VERIFY_TEXT], to[VS_VERIFY_TEXT];
	bool tiers = a->tier >= 0 && b->tier >= 0;

	if (tiers) {
		(void)vs_verify_tier(v, a->tier, from);
		(void)vs_verify_tier(v, b->tier, to);
	} else {
		(void)vs_units_format_count(a->iops, from);
		(void)vs_units_format_count(b->iops, to);
	}
	(void)snprintf(text, VS_VERIFY_TEXT, "step %d at %.12s, %.40s to %.40s%s", step,
		       vs_verify_clock(s->at_ns, at), from, to, tiers ? "" : " IOPS");
	return text;
}

int vs_verify_tier_at(const struct vs_verify *v, const struct vs_plateau *plateau)
{
	const struct vs_ladder *ladder = v->timeline->ladder;

	if (!ladder)
		return -1;
	return plateau->tier >= 0 ? plateau->tier
				  : vs_told_tier(v->timeline->run, ladder, plateau->end_ns);
}

static void find_plateaus(struct vs_verify *v)
{
	const struct vs_timeline *timeline = v->timeline;

	v->first = v->top = -1;
	v->last = (int)timeline->n_plateaus - 1;
	v->idle_ns = VS_UNKNOWN;
	for (size_t i = 0; i < timeline->run->n_phases && v->idle_ns == VS_UNKNOWN; i++)
		if (timeline->run->phases[i].phase == VS_PHASE_IDLE)
			v->idle_ns = timeline->run->phases[i].start_ns;
	for (size_t i = 0; i < timeline->n_plateaus; i++) {
		const struct vs_plateau *p = &timeline->plateaus[i];

		if (p->phase != VS_PHASE_LOAD)
			continue;
		if (v->first < 0)
			v->first = (int)i;
		if (v->top < 0 || p->iops > timeline->plateaus[v->top].iops * SAME_LEVEL)
			v->top = (int)i;
	}
}

static void count(struct vs_verification *out)
{
	for (size_t i = 0; i < out->n; i++)
		switch (out->checks[i].verdict) {
		case VS_VERDICT_PASS:
			out->passed++;
			break;
		case VS_VERDICT_FAIL:
			out->failed++;
			break;
		case VS_VERDICT_SKIP:
			out->skipped++;
			break;
		}
}

int vs_verify(const struct vs_timeline *timeline, const struct vs_expect *expect,
	      struct vs_verification *out, struct vs_error *err)
{
	const struct vs_ladder *ladder = timeline->ladder;
	struct vs_verify v = { .timeline = timeline, .expect = expect, .out = out };
	double tolerance_pct = expect->tolerance_pct, first_fall_s = expect->max_first_fall_s;

	*out = (struct vs_verification){ .timeline = timeline,
					 .documented = vs_expect_empty(expect) };
	if (out->documented) {
		tolerance_pct =
			ladder ? fmax(ladder->tolerance_low_pct, ladder->tolerance_high_pct) : 3;
		first_fall_s = ladder ? ladder->fall_first_s : (double)NAN;
	}
	find_plateaus(&v);
	vs_verify_tiers(&v);
	vs_verify_rises(&v);
	vs_verify_falls(&v, first_fall_s);
	vs_verify_tolerance(&v, tolerance_pct);
	if (vs_verify_share(&v, err) != 0)
		return -1;
	vs_verify_dips(&v);
	count(out);
	return 0;
}
