/* How long the rises and the falls took. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "analysis/verify_parts.h"
#include "base/units.h"

/* A time that is known to lie between low and high, best at `at`; seconds. */
struct span {
	double low_s, at_s, high_s;
};

static double seconds(int64_t ns)
{
	return (double)ns / VS_VERIFY_SEC_NS;
}

static char *duration(double s, char *text)
{
	return vs_units_format_duration((int64_t)llround(s * VS_VERIFY_SEC_NS), text);
}

/* Above the limit for certain fails, at most the limit passes, between the two is not judged. */
static enum vs_verdict judge(const struct span *span, double max_s)
{
	if (span->at_s <= max_s)
		return VS_VERDICT_PASS;
	return span->low_s > max_s ? VS_VERDICT_FAIL : VS_VERDICT_SKIP;
}

static const char *doubt(enum vs_verdict verdict)
{
	return verdict == VS_VERDICT_SKIP ? "; too close to the limit to tell" : "";
}

static const struct vs_step *step_to(const struct vs_timeline *timeline, size_t plateau)
{
	for (size_t i = 0; i < timeline->n_steps; i++)
		if (timeline->steps[i].to == plateau)
			return &timeline->steps[i];
	return NULL;
}

/* From when plateau `from` was reached to the step. */
static struct span since(const struct vs_timeline *timeline, size_t from, const struct vs_step *to)
{
	const struct vs_step *begin = step_to(timeline, from);
	int64_t start = timeline->plateaus[from].start_ns;
	struct span span = { .low_s = seconds(to->at_low_ns - (begin ? begin->at_high_ns : start)),
			     .at_s = seconds(to->at_ns - (begin ? begin->at_ns : start)),
			     .high_s =
				     seconds(to->at_high_ns - (begin ? begin->at_low_ns : start)) };

	return span;
}

/* The verdict of a step that took so long, behind "the longest of 4: " or nothing. */
static void say_step(const struct vs_verify *v, struct vs_check *check, const char *head,
		     const struct vs_step *step, const struct span *span)
{
	enum vs_verdict verdict = judge(span, check->expected);
	char took[VS_UNITS_TEXT_MAX], text[VS_VERIFY_TEXT];

	check->step = (int)(step - v->timeline->steps);
	check->plateau = (int)(step->direction == VS_UP ? step->to : step->from);
	check->at_ns = step->at_ns;
	check->found = span->at_s;
	vs_verify_say(check, verdict, "%s%s, after %s%s", head,
		      vs_verify_step(v, check->step, text), duration(span->at_s, took),
		      doubt(verdict));
}

/* "the longest of 4: "; nothing of one. text[VS_VERIFY_TEXT]. */
static const char *of_several(size_t n, char *text)
{
	text[0] = '\0';
	if (n > 1)
		(void)snprintf(text, VS_VERIFY_TEXT, "the longest of %zu: ", n);
	return text;
}

static bool is_rise(const struct vs_verify *v, const struct vs_step *step)
{
	return step->direction == VS_UP &&
	       v->timeline->plateaus[step->from].phase == VS_PHASE_LOAD &&
	       v->timeline->plateaus[step->to].phase == VS_PHASE_LOAD;
}

/* The load ends where the idle phase begins, else with the run. */
static int64_t load_end(const struct vs_verify *v)
{
	return v->idle_ns != VS_UNKNOWN ? v->idle_ns : v->timeline->run->duration_ns;
}

/* A top tier was asked for and is not the tier of the highest plateau. */
static bool top_is_missing(const struct vs_verify *v)
{
	int asked;

	if (!v->expect->top_tier[0] || !v->timeline->ladder || v->top < 0)
		return false;
	asked = vs_ladder_find(v->timeline->ladder, v->expect->top_tier);
	return asked >= 0 && !(v->timeline->plateaus[v->top].tiers >> asked & 1) &&
	       vs_verify_tier_at(v, &v->timeline->plateaus[v->top]) != asked;
}

/* The longest of the rises, and the one that never came. */
static void check_rise(struct vs_verify *v)
{
	double max_s = v->expect->max_rise_s, last_s;
	const struct vs_timeline *timeline = v->timeline;
	char limit[VS_UNITS_TEXT_MAX], took[VS_UNITS_TEXT_MAX], text[VS_VERIFY_TEXT];
	const struct vs_step *slowest = NULL;
	struct span longest = { .at_s = -1 };
	struct vs_check *check;
	size_t n = 0;

	check = vs_verify_add(v, "rise", "s", max_s, "each rise within %s", duration(max_s, limit));
	for (size_t i = 0; i < timeline->n_steps; i++) {
		const struct vs_step *step = &timeline->steps[i];
		struct span span = since(timeline, step->from, step);

		if (!is_rise(v, step))
			continue;
		n++;
		if (span.at_s > longest.at_s) {
			longest = span;
			slowest = step;
		}
	}
	last_s = v->top < 0 ? 0 : seconds(load_end(v) - timeline->plateaus[v->top].start_ns);
	if (top_is_missing(v) && last_s > max_s && last_s > longest.at_s) {
		check->found = last_s;
		check->plateau = v->top;
		check->at_ns = timeline->plateaus[v->top].start_ns;
		vs_verify_say(check, VS_VERDICT_FAIL, "%s; no further rise in %s of load",
			      vs_verify_plateau(v, v->top, text), duration(last_s, took));
	} else if (!slowest) {
		vs_verify_say(check, VS_VERDICT_SKIP, "no rise was seen");
	} else {
		say_step(v, check, of_several(n, text), slowest, &longest);
	}
}

static void check_rise_total(struct vs_verify *v)
{
	double max_s = v->expect->max_rise_total_s, load_s;
	const struct vs_timeline *timeline = v->timeline;
	const struct vs_step *step = v->top > v->first ? step_to(timeline, (size_t)v->top) : NULL;
	int64_t start = v->first < 0 ? 0 : timeline->plateaus[v->first].start_ns;
	char limit[VS_UNITS_TEXT_MAX], took[VS_UNITS_TEXT_MAX], text[VS_VERIFY_TEXT];
	enum vs_verdict verdict;
	struct vs_check *check;
	struct span span;

	check = vs_verify_add(v, "rise-total", "s", max_s, "the whole rise within %s",
			      duration(max_s, limit));
	check->plateau = v->top;
	load_s = seconds(load_end(v) - start);
	if (top_is_missing(v)) {
		check->found = load_s > max_s ? load_s : (double)NAN;
		vs_verify_say(check, load_s > max_s ? VS_VERDICT_FAIL : VS_VERDICT_SKIP,
			      "not over after %s of load: %s", duration(load_s, took),
			      vs_verify_plateau(v, v->top, text));
		return;
	}
	if (!step) {
		vs_verify_say(check, VS_VERDICT_SKIP, "no rise was seen");
		return;
	}
	span = (struct span){ .low_s = seconds(step->at_low_ns - start),
			      .at_s = seconds(step->at_ns - start),
			      .high_s = seconds(step->at_high_ns - start) };
	verdict = judge(&span, max_s);
	check->step = (int)(step - timeline->steps);
	check->at_ns = step->at_ns;
	check->found = span.at_s;
	vs_verify_say(check, verdict, "%s, reached after %s%s", vs_verify_plateau(v, v->top, text),
		      duration(span.at_s, took), doubt(verdict));
}

void vs_verify_rises(struct vs_verify *v)
{
	if (!isnan(v->expect->max_rise_s))
		check_rise(v);
	if (!isnan(v->expect->max_rise_total_s))
		check_rise_total(v);
}

static bool is_fall(const struct vs_verify *v, const struct vs_step *step)
{
	return step->direction == VS_DOWN && v->timeline->plateaus[step->to].phase != VS_PHASE_LOAD;
}

/* Why nothing can be said of the falls; NULL when something can. */
static const char *no_decay(const struct vs_verify *v)
{
	const struct vs_timeline *timeline = v->timeline;

	if (v->idle_ns == VS_UNKNOWN)
		return "no decay phase was recorded (observe --decay)";
	for (size_t i = 0; i < timeline->n_plateaus; i++)
		if (timeline->plateaus[i].phase != VS_PHASE_LOAD)
			return NULL;
	return "the decay phase tells no level: no probes, and no word of the provider";
}

/* When what was measured while idle ends. */
static int64_t idle_end(const struct vs_verify *v)
{
	return v->timeline->plateaus[v->last].end_ns;
}

static void say_no_fall(const struct vs_verify *v, struct vs_check *check)
{
	double watched_s = seconds(idle_end(v) - v->idle_ns);
	char took[VS_UNITS_TEXT_MAX], text[VS_VERIFY_TEXT];

	check->plateau = v->last;
	(void)vs_verify_plateau(v, v->last, text);
	(void)duration(watched_s, took);
	if (v->timeline->plateaus[v->last].tier == 0) {
		vs_verify_say(check, VS_VERDICT_SKIP, "nothing to fall from: %s", text);
	} else if (watched_s > check->expected) {
		check->found = watched_s;
		vs_verify_say(check, VS_VERDICT_FAIL, "no fall in %s of idleness: %s", took, text);
	} else {
		vs_verify_say(check, VS_VERDICT_SKIP,
			      "no fall yet, and only %s of idleness watched", took);
	}
}

static void check_first_fall(struct vs_verify *v, double max_s)
{
	const struct vs_timeline *timeline = v->timeline;
	const struct vs_step *step = NULL;
	char limit[VS_UNITS_TEXT_MAX];
	struct vs_check *check;
	struct span span;

	check = vs_verify_add(v, "first-fall", "s", max_s, "the first fall within %s of idleness",
			      duration(max_s, limit));
	for (size_t i = 0; i < timeline->n_steps && !step; i++)
		if (is_fall(v, &timeline->steps[i]))
			step = &timeline->steps[i];
	if (no_decay(v)) {
		vs_verify_say(check, VS_VERDICT_SKIP, "%s", no_decay(v));
	} else if (!step) {
		say_no_fall(v, check);
	} else {
		span = (struct span){ .low_s = seconds(step->at_low_ns - v->idle_ns),
				      .at_s = seconds(step->at_ns - v->idle_ns),
				      .high_s = seconds(step->at_high_ns - v->idle_ns) };
		say_step(v, check, "", step, &span);
	}
}

/* The last level is above where the load began, and lasted longer than a fall may take. */
static bool stuck(const struct vs_verify *v, double max_s, double *lasted_out)
{
	const struct vs_plateau *last = &v->timeline->plateaus[v->last];

	*lasted_out = seconds(last->end_ns - last->start_ns);
	return last->phase != VS_PHASE_LOAD && v->first >= 0 && last->tier != 0 &&
	       last->iops > v->timeline->plateaus[v->first].iops * 1.03 && *lasted_out > max_s;
}

static void check_falls(struct vs_verify *v)
{
	double max_s = v->expect->max_fall_s, lasted_s;
	const struct vs_timeline *timeline = v->timeline;
	char limit[VS_UNITS_TEXT_MAX], took[VS_UNITS_TEXT_MAX], text[VS_VERIFY_TEXT];
	const struct vs_step *slowest = NULL;
	struct span longest = { .at_s = -1 };
	struct vs_check *check;
	size_t n = 0;

	check = vs_verify_add(v, "falls", "s", max_s, "each later fall within %s of the one before",
			      duration(max_s, limit));
	if (no_decay(v)) {
		vs_verify_say(check, VS_VERDICT_SKIP, "%s", no_decay(v));
		return;
	}
	for (size_t i = 0; i < timeline->n_steps; i++) {
		const struct vs_step *step = &timeline->steps[i];
		struct span span = since(timeline, step->from, step);

		if (!is_fall(v, step) || n++ == 0 || !(span.at_s > longest.at_s))
			continue;
		longest = span;
		slowest = step;
	}
	if (n > 0 && stuck(v, max_s, &lasted_s) && lasted_s > longest.at_s) {
		check->found = lasted_s;
		check->plateau = v->last;
		check->at_ns = timeline->plateaus[v->last].start_ns;
		vs_verify_say(check, VS_VERDICT_FAIL, "%s; no further fall in %s",
			      vs_verify_plateau(v, v->last, text), duration(lasted_s, took));
	} else if (!slowest) {
		vs_verify_say(check, VS_VERDICT_SKIP, "%s was seen",
			      n == 1 ? "only one fall" : "no fall");
	} else {
		say_step(v, check, of_several(n - 1, text), slowest, &longest);
	}
}

void vs_verify_falls(struct vs_verify *v, double max_first_fall_s)
{
	if (!isnan(max_first_fall_s))
		check_first_fall(v, max_first_fall_s);
	if (!isnan(v->expect->max_fall_s))
		check_falls(v);
}
