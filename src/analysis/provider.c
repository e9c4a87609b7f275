#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/build.h"
#include "analysis/median.h"

#define NEAR_NS      INT64_C(120000000000) /* the provider's word and the step belong together */
#define TIER_SPACING 10.0 /* VPUs are multiples of it; a mean between is a change */
#define MINUTE_NS    INT64_C(60000000000)
#define STALE        2.5 /* times the usual distance of two readings: then nobody knows any more */
#define STALE_MIN_NS INT64_C(2000000000)

/* A reading of the provider's view. */
struct reading {
	int64_t at_ns;
	double vpu;
};

/* What the provider said, while somebody asked: vpu in [at_ns, end_ns). */
struct word {
	int64_t at_ns, end_ns;
	double vpu;
	bool taken; /* its beginning belongs to a step */
};

struct words {
	struct word *at;
	size_t n;
};

static bool is(const struct vs_observation *obs, const char *source, const char *name)
{
	return strcmp(obs->source, source) == 0 && strcmp(obs->name, name) == 0 &&
	       isfinite(obs->value);
}

static bool is_tier(double vpu)
{
	return fabs(vpu - TIER_SPACING * round(vpu / TIER_SPACING)) < 1e-6;
}

/* What the volume itself says of the VPU in force. */
static size_t read_polls(const struct vs_run *run, struct reading *out)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_observations; i++)
		if (is(&run->observations[i], "oci-volume", "autoTunedVpusPerGB"))
			out[n++] = (struct reading){ run->observations[i].at_ns,
						     run->observations[i].value };
	return n;
}

/*
 * The metric of guaranteed VPUs, a mean a minute: a value between two tiers is the minute of a
 * change, and tells how far into it the change was.
 */
static size_t read_minutes(const struct vs_run *run, struct reading *out)
{
	double between = (double)NAN;
	int64_t between_ns = 0;
	size_t n = 0;

	for (size_t i = 0; i < run->n_observations; i++) {
		const struct vs_observation *obs = &run->observations[i];
		double past = n ? out[n - 1].vpu : (double)NAN;
		int64_t at_ns = obs->at_ns;

		if (!is(obs, "oci-monitoring", "VolumeGuaranteedVPUsPerGB"))
			continue;
		if (!is_tier(obs->value)) {
			between = obs->value;
			between_ns = at_ns;
			continue;
		}
		if (!isnan(between) && !isnan(past) && fabs(obs->value - past) > 0)
			at_ns = between_ns + (int64_t)((obs->value - between) /
						       (obs->value - past) * (double)MINUTE_NS);
		between = (double)NAN;
		out[n++] = (struct reading){ at_ns, obs->value };
	}
	return n;
}

/* How long a reading holds at most: somewhat more than the usual distance to the next. */
static int64_t stale_after(const struct reading *readings, size_t n, double *scratch)
{
	double usual;

	if (n < 2)
		return MINUTE_NS;
	for (size_t i = 1; i < n; i++)
		scratch[i - 1] = (double)(readings[i].at_ns - readings[i - 1].at_ns);
	usual = STALE * vs_median(scratch, n - 1);
	return usual > (double)STALE_MIN_NS ? (int64_t)usual : STALE_MIN_NS;
}

/* A stretch without readings (the server was gone) ends a word: what held in it is not known. */
static void make_words(const struct reading *readings, size_t n, int64_t stale_ns,
		       struct words *out)
{
	for (size_t i = 0; i < n; i++) {
		int64_t at_ns = readings[i].at_ns, end_ns = at_ns + stale_ns;
		struct word *last = out->n ? &out->at[out->n - 1] : NULL;

		if (i + 1 < n && readings[i + 1].at_ns < end_ns)
			end_ns = readings[i + 1].at_ns;
		if (last && last->end_ns == at_ns && !(fabs(last->vpu - readings[i].vpu) > 0))
			last->end_ns = end_ns;
		else
			out->at[out->n++] = (struct word){ at_ns, end_ns, readings[i].vpu, false };
	}
}

static int collect(const struct vs_run *run, struct words *out, struct vs_error *err)
{
	size_t room = run->n_observations + 1, n;
	struct reading *readings = calloc(room, sizeof(*readings));
	double *scratch = calloc(room, sizeof(*scratch));
	int rc = 0;

	*out = (struct words){ .at = calloc(room, sizeof(*out->at)) };
	if (!readings || !scratch || !out->at) {
		free(out->at);
		out->at = NULL;
		rc = vs_error_nomem(err);
	} else {
		n = read_polls(run, readings);
		if (n == 0)
			n = read_minutes(run, readings);
		make_words(readings, n, stale_after(readings, n, scratch), out);
	}
	free(readings);
	free(scratch);
	return rc;
}

/* The value that held longest in [from, to); NAN unless something was known for half of it. */
static double held(const struct words *words, int64_t from_ns, int64_t to_ns)
{
	double best = (double)NAN;
	int64_t longest = 0, known = 0;

	for (size_t i = 0; i < words->n; i++) {
		const struct word *word = &words->at[i];
		int64_t begin = word->at_ns > from_ns ? word->at_ns : from_ns;
		int64_t end = word->end_ns < to_ns ? word->end_ns : to_ns;

		if (end <= begin)
			continue;
		known += end - begin;
		if (end - begin > longest) {
			longest = end - begin;
			best = word->vpu;
		}
	}
	return known * 2 >= to_ns - from_ns ? best : (double)NAN;
}

/* Says what the provider said where the level says something else. */
static void contradict(struct vs_plateau *p, double vpu)
{
	char reason[sizeof(p->tier_reason)];

	(void)snprintf(reason, sizeof(reason), "%s", p->tier_reason);
	(void)snprintf(p->tier_reason, sizeof(p->tier_reason), "%.56s%sthe provider says VPU %g",
		       reason, reason[0] ? "; " : "", vpu);
}

static int find_tier(const struct vs_ladder *ladder, double vpu)
{
	for (size_t i = 0; ladder && i < ladder->n_tiers; i++)
		if (fabs(ladder->tiers[i].vpu - vpu) < 0.5)
			return (int)i;
	return -1;
}

/* A level that fits several tiers agrees with each of them. */
static void confirm_plateaus(struct vs_build *build, const struct words *words)
{
	const struct vs_ladder *ladder = build->ladder;

	for (size_t k = 0; ladder && k < build->out->n_plateaus; k++) {
		struct vs_plateau *p = &build->out->plateaus[k];
		double vpu = held(words, p->start_ns, p->end_ns);
		int told = find_tier(ladder, vpu);

		if (!build->origins[k].series)
			continue;
		p->provider_vpu = vpu;
		if (told < 0 || p->drifting)
			continue;
		if (p->tiers >> told & 1)
			p->confirmed = VS_CONFIRMED_YES;
		else if (p->tiers)
			p->confirmed = VS_CONFIRMED_NO;
		if (!(p->tiers >> told & 1))
			contradict(p, vpu);
	}
}

/*
 * The nearest change of the provider's view that may belong to the step and to no other: exact, one
 * to the step's tier, which may lie anywhere about its two plateaus. -1 none.
 */
static ptrdiff_t find_change(const struct vs_build *build, const struct words *words,
			     const struct vs_step *step, bool exact)
{
	const struct vs_plateau *from = &build->out->plateaus[step->from];
	const struct vs_plateau *to = &build->out->plateaus[step->to];
	double vpu = build->ladder && to->tier >= 0 ? build->ladder->tiers[to->tier].vpu
						    : build->origins[step->to].vpu;
	int64_t low_ns = exact ? from->start_ns - NEAR_NS : step->at_ns - NEAR_NS;
	int64_t high_ns = exact ? to->end_ns + NEAR_NS : step->at_ns + NEAR_NS;
	ptrdiff_t best = -1;

	for (size_t i = 1; i < words->n; i++) {
		const struct word *word = &words->at[i];
		bool up = word->vpu > word[-1].vpu;

		/* behind a stretch in which nobody asked: nobody saw when it changed */
		if (word->taken || word[-1].end_ns < word->at_ns ||
		    !(fabs(word->vpu - word[-1].vpu) > 0))
			continue;
		if (up != (step->direction == VS_UP) || word->at_ns < low_ns ||
		    word->at_ns > high_ns || (exact && !(fabs(word->vpu - vpu) < 0.5)))
			continue;
		if (best < 0 ||
		    llabs(word->at_ns - step->at_ns) < llabs(words->at[best].at_ns - step->at_ns))
			best = (ptrdiff_t)i;
	}
	return best;
}

static void time_steps(struct vs_build *build, struct words *words, bool exact)
{
	for (size_t k = 0; k < build->out->n_steps; k++) {
		struct vs_step *step = &build->out->steps[k];
		ptrdiff_t found;

		if (step->provider_at_ns != VS_UNKNOWN)
			continue;
		found = find_change(build, words, step, exact);
		if (found < 0)
			continue;
		words->at[found].taken = true;
		step->provider_at_ns = words->at[found].at_ns;
	}
}

int vs_build_confirm(struct vs_build *build, struct vs_error *err)
{
	struct words words;

	if (collect(build->run, &words, err) != 0)
		return -1;
	confirm_plateaus(build, &words);
	time_steps(build, &words, true);
	time_steps(build, &words, false);
	free(words.at);
	return 0;
}

/*
 * Nothing was read, so nothing was measured: the level is the one that the provider promises at
 * the tier which it says, and samples is 0.
 */
static int add_told(struct vs_build *build, int64_t start_ns, int64_t end_ns, double vpu,
		    struct vs_error *err)
{
	struct vs_plateau *p = vs_build_add_plateau(build, VS_PHASE_IDLE, err);
	int tier = find_tier(build->ladder, vpu);

	if (!p)
		return -1;
	build->origins[build->out->n_plateaus - 1].vpu = vpu;
	p->start_ns = start_ns;
	p->end_ns = end_ns;
	p->vpu_estimate = p->provider_vpu = vpu;
	(void)snprintf(p->tier_reason, sizeof(p->tier_reason),
		       "as the provider says; not measured");
	if (tier < 0)
		return 0;
	p->tier = tier;
	p->tiers = UINT64_C(1) << tier;
	p->iops =
		vs_tier_ceiling_iops(&build->ladder->tiers[tier], build->run->workload.block_bytes);
	return 0;
}

static bool has_probes(const struct vs_build *build)
{
	for (size_t k = 0; k < build->set.n; k++)
		if (build->set.at[k].phase == VS_PHASE_IDLE)
			return true;
	return false;
}

/* In force at at_ns, NAN not known: what a plateau that was measured until then is compared by. */
static double last_word(const struct words *words, int64_t at_ns)
{
	double vpu = (double)NAN;

	for (size_t i = 0; i < words->n && words->at[i].at_ns <= at_ns; i++)
		vpu = words->at[i].end_ns >= at_ns ? words->at[i].vpu : (double)NAN;
	return vpu;
}

int vs_build_told_plateaus(struct vs_build *build, struct vs_error *err)
{
	struct words words;
	int64_t from_ns = build->set.idle_ns;
	int64_t to_ns = build->run->duration_ns;
	int rc = 0;

	if (!build->set.idle || has_probes(build))
		return 0;
	if (collect(build->run, &words, err) != 0)
		return -1;
	if (build->out->n_plateaus > 0)
		build->origins[build->out->n_plateaus - 1].vpu = last_word(&words, from_ns);
	for (size_t i = 0; i < words.n && rc == 0; i++) {
		int64_t begin = words.at[i].at_ns > from_ns ? words.at[i].at_ns : from_ns;
		int64_t end = words.at[i].end_ns < to_ns ? words.at[i].end_ns : to_ns;

		if (end > begin)
			rc = add_told(build, begin, end, words.at[i].vpu, err);
	}
	free(words.at);
	return rc;
}
