/* The levels against what their tiers promise: which tier, how near, how steadily. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analysis/build.h"
#include "analysis/series.h"
#include "analysis/told.h"
#include "analysis/verify_parts.h"
#include "base/units.h"

#define FEW       5    /* readings under load below which a level is not judged */
#define FULL      0.95 /* of the promised ceiling */
#define MOSTLY    0.5  /* of the load must be judged for a share to mean something */
#define SAME_CEIL 0.01

static double ceiling(const struct vs_verify *v, int tier)
{
	return vs_tier_ceiling_iops(&v->timeline->ladder->tiers[tier],
				    v->timeline->run->workload.block_bytes);
}

/* Whether a plateau is at the tier that was asked for. */
static void judge_tier(const struct vs_verify *v, struct vs_check *check, int plateau, int asked)
{
	const struct vs_plateau *p = &v->timeline->plateaus[plateau];
	char text[VS_VERIFY_TEXT], tier[VS_VERIFY_TEXT];
	int told = vs_told_tier(v->timeline->run, v->timeline->ladder, p->end_ns);

	check->plateau = plateau;
	check->at_ns = p->start_ns;
	(void)vs_verify_plateau(v, plateau, text);
	if (p->tier >= 0)
		vs_verify_say(check, p->tier == asked ? VS_VERDICT_PASS : VS_VERDICT_FAIL, "%s",
			      text);
	else if (told >= 0)
		vs_verify_say(check, told == asked ? VS_VERDICT_PASS : VS_VERDICT_FAIL,
			      "%s; %s as told", text, vs_verify_tier(v, told, tier));
	else if (p->tiers)
		vs_verify_say(check, p->tiers >> asked & 1 ? VS_VERDICT_SKIP : VS_VERDICT_FAIL,
			      "%s: %s", text, p->tier_reason);
	else
		vs_verify_say(check,
			      strcmp(p->tier_reason, VS_REASON_NO_TIER) == 0 ? VS_VERDICT_FAIL
									     : VS_VERDICT_SKIP,
			      "%s: %s", text, p->tier_reason);
}

static void check_tier(struct vs_verify *v, const char *id, const char *words, const char *asked,
		       int plateau)
{
	const struct vs_ladder *ladder = v->timeline->ladder;
	int tier = ladder ? vs_ladder_find(ladder, asked) : -1;
	char name[VS_VERIFY_TEXT];
	struct vs_check *check;

	if (!*asked)
		return;
	if (tier >= 0)
		(void)vs_verify_tier(v, tier, name);
	else
		(void)snprintf(name, sizeof(name), "tier %s", asked);
	check = vs_verify_add(v, id, NULL, (double)NAN, "%s %.40s", words, name);
	if (tier < 0)
		vs_verify_say(check, VS_VERDICT_SKIP,
			      "no ladder: the volume's provider or size is not known");
	else if (plateau < 0)
		vs_verify_say(check, VS_VERDICT_SKIP, "no plateau was found");
	else
		judge_tier(v, check, plateau, tier);
}

void vs_verify_tiers(struct vs_verify *v)
{
	check_tier(v, "start-tier", "starts at", v->expect->start_tier, v->first);
	check_tier(v, "top-tier", "reaches", v->expect->top_tier, v->top);
	check_tier(v, "end-tier", "ends at", v->expect->end_tier, v->last);
}

/* The tier to hold a level against: its own or the told one, else the nearest; -1 none. */
static int reference_tier(const struct vs_verify *v, const struct vs_plateau *p)
{
	int best = vs_verify_tier_at(v, p);
	double nearest = (double)INFINITY;

	if (best >= 0)
		return best;
	for (size_t t = 0; t < v->timeline->ladder->n_tiers; t++) {
		double off = fabs(log(p->iops / ceiling(v, (int)t)));
		if (off < nearest) {
			nearest = off;
			best = (int)t;
		}
	}
	return best;
}

static bool can_be_judged(const struct vs_plateau *p)
{
	return p->samples > 0 && p->iops > 0 && !p->drifting &&
	       (p->phase != VS_PHASE_LOAD || p->samples >= FEW);
}

void vs_verify_tolerance(struct vs_verify *v, double tolerance_pct)
{
	static const char *const bounds[] = { [VS_BOUND_UNKNOWN] = "",
					      [VS_BOUND_VOLUME] = ", bound by the volume",
					      [VS_BOUND_INSTANCE] = ", bound by the instance",
					      [VS_BOUND_CLIENT] = ", bound by the client" };
	const struct vs_timeline *timeline = v->timeline;
	char text[VS_VERIFY_TEXT], tier[VS_VERIFY_TEXT];
	struct vs_check *check;
	size_t n = 0;
	int worst_tier = -1;

	if (isnan(tolerance_pct))
		return;
	check = vs_verify_add(v, "tolerance", "%", tolerance_pct,
			      "every level within %g %% of a tier's promise", tolerance_pct);
	for (size_t i = 0; timeline->ladder && i < timeline->n_plateaus; i++) {
		const struct vs_plateau *p = &timeline->plateaus[i];
		int reference = can_be_judged(p) ? reference_tier(v, p) : -1;
		double off;

		if (reference < 0)
			continue;
		n++;
		off = 100 * (p->iops / ceiling(v, reference) - 1);
		if (worst_tier >= 0 && fabs(off) <= fabs(check->found))
			continue;
		check->found = off;
		check->plateau = (int)i;
		check->at_ns = p->start_ns;
		worst_tier = reference;
	}
	if (!timeline->ladder)
		vs_verify_say(check, VS_VERDICT_SKIP,
			      "no ladder: the volume's provider or size is not known");
	else if (n == 0)
		vs_verify_say(check, VS_VERDICT_SKIP, "no level was held for long enough");
	else
		vs_verify_say(check,
			      fabs(check->found) <= tolerance_pct ? VS_VERDICT_PASS
								  : VS_VERDICT_FAIL,
			      "the furthest of %zu: %s; %+.1f %% off %s%s", n,
			      vs_verify_plateau(v, check->plateau, text), check->found,
			      vs_verify_tier(v, worst_tier, tier),
			      bounds[timeline->plateaus[check->plateau].bound_by]);
}

/* What was promised while plateau p was in force; NAN when that is not known. */
static double promise(const struct vs_verify *v, const struct vs_plateau *p)
{
	int tier = vs_verify_tier_at(v, p);
	double all = (double)NAN;

	if (tier >= 0)
		return ceiling(v, tier);
	for (size_t t = 0; t < v->timeline->ladder->n_tiers; t++) {
		double own = ceiling(v, (int)t);

		if (!(p->tiers >> t & 1))
			continue;
		if (!isnan(all) && fabs(own / all - 1) > SAME_CEIL)
			return (double)NAN;
		all = own;
	}
	return all;
}

/* Seconds of the load: full, below, and under no known promise. */
struct share {
	double full_s, below_s, unknown_s;
	double worst_s;      /* below, in the plateau that has most of them */
	int worst;           /* that plateau; -1 none */
	int64_t worst_at_ns; /* its first such second */
	double here_s;       /* below, in the plateau at hand */
	int64_t here_at_ns;
};

static void close_plateau(struct share *share, int plateau)
{
	if (share->here_s > share->worst_s) {
		share->worst_s = share->here_s;
		share->worst = plateau;
		share->worst_at_ns = share->here_at_ns;
	}
	share->here_s = 0;
}

/*
 * Of plateau k, or of the last one before that has a promise, when its level is under that: the
 * tier did not change because the volume gave less than it promises.
 */
static double promise_then(const struct vs_verify *v, size_t k)
{
	const struct vs_plateau *plateaus = v->timeline->plateaus;
	double own = promise(v, &plateaus[k]), before = (double)NAN;

	for (size_t i = k; isnan(own) && isnan(before) && i-- > 0;)
		before = promise(v, &plateaus[i]);
	return isnan(own) && plateaus[k].iops < before ? before : own;
}

/* Seconds between two plateaus belong to the earlier one, whose tier was the last one known. */
static void add_series(const struct vs_verify *v, const struct vs_series *s, struct share *share)
{
	const struct vs_timeline *timeline = v->timeline;
	size_t k = 0;

	for (size_t i = 0; i < s->n; i++) {
		double length_s = (double)(s->end_ns[i] - s->start_ns[i]) / VS_VERIFY_SEC_NS;
		double promised;

		while (k + 1 < timeline->n_plateaus &&
		       timeline->plateaus[k + 1].start_ns <= s->start_ns[i])
			close_plateau(share, (int)k++);
		promised = timeline->n_plateaus > 0 ? promise_then(v, k) : (double)NAN;
		if (isnan(promised)) {
			share->unknown_s += length_s;
		} else if (s->iops[i] * (1 + vs_series_err(s, i)) >= FULL * promised) {
			share->full_s += length_s;
		} else {
			share->below_s += length_s;
			if (!(share->here_s > 0))
				share->here_at_ns = s->start_ns[i];
			share->here_s += length_s;
		}
	}
	close_plateau(share, (int)k);
}

static char *duration(double s, char *text)
{
	return vs_units_format_duration((int64_t)llround(s * VS_VERIFY_SEC_NS), text);
}

static void say_share(const struct vs_verify *v, struct vs_check *check, const struct share *share)
{
	double judged_s = share->full_s + share->below_s;
	double min_pct = check->expected;
	char at[VS_VERIFY_TEXT], text[VS_VERIFY_TEXT], rest[96] = "", most[64] = "";
	char judged[VS_UNITS_TEXT_MAX], other[VS_UNITS_TEXT_MAX];

	(void)duration(judged_s, judged);
	if (judged_s + share->unknown_s <= 0) {
		vs_verify_say(check, VS_VERDICT_SKIP, "no load was recorded");
		return;
	}
	if (judged_s <= MOSTLY * (judged_s + share->unknown_s)) {
		vs_verify_say(check, VS_VERDICT_SKIP, "the promise is known for %s of %s of load",
			      judged_s > 0 ? judged : "nothing",
			      duration(judged_s + share->unknown_s, other));
		return;
	}
	check->found = 100 * share->full_s / judged_s;
	if (share->unknown_s > 0)
		(void)snprintf(rest, sizeof(rest), "; %s without a tier not counted",
			       duration(share->unknown_s, other));
	if (share->worst < 0) {
		vs_verify_say(check, VS_VERDICT_PASS, "all of %s%s", judged, rest);
		return;
	}
	check->plateau = share->worst;
	check->at_ns = share->worst_at_ns;
	if (share->worst_s < share->below_s)
		(void)snprintf(most, sizeof(most), "most of it (%s) ",
			       duration(share->worst_s, other));
	vs_verify_say(check, check->found >= min_pct ? VS_VERDICT_PASS : VS_VERDICT_FAIL,
		      "%.1f %% of %s; %s below, %sfrom %s on in %s%s", check->found, judged,
		      duration(share->below_s, other), most,
		      vs_verify_clock(share->worst_at_ns, at),
		      vs_verify_plateau(v, share->worst, text), rest);
}

int vs_verify_share(struct vs_verify *v, struct vs_error *err)
{
	double min_pct = v->expect->min_share_pct;
	struct share share = { .worst = -1 };
	struct vs_series_set set = { 0 };
	struct vs_totals totals;
	struct vs_check *check;

	if (isnan(min_pct))
		return 0;
	check = vs_verify_add(v, "share", "%", min_pct,
			      "%g %% of the load's seconds at 95 %% of the promise or more",
			      min_pct);
	if (!v->timeline->ladder) {
		vs_verify_say(check, VS_VERDICT_SKIP,
			      "no ladder: the volume's provider or size is not known");
		return 0;
	}
	if (vs_series_build(v->timeline->run, &set, &totals, err) != 0)
		return -1;
	for (size_t i = 0; i < set.n; i++)
		if (set.at[i].phase == VS_PHASE_LOAD)
			add_series(v, &set.at[i], &share);
	vs_series_set_release(&set);
	say_share(v, check, &share);
	return 0;
}
