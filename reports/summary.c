/* The sentence at the top of a report: what happened, how long it took, what stopped it. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "reports/facts.h"

struct summary {
	const struct vs_timeline *timeline;
	const struct vs_lang *lang;
	struct vs_facts facts;
	struct vs_buf text; /* the clauses so far */
};

static const char *text_of(const struct vs_buf *buf)
{
	return buf->data ? buf->data : "";
}

/* The clause joined to what stands there. Releases it. */
static void join(struct summary *s, struct vs_buf *clause)
{
	const char *both[] = { text_of(&s->text), text_of(clause) };
	struct vs_buf whole;

	vs_buf_init(&whole, 8192);
	if (s->text.len > 0 && clause->len > 0)
		vs_lang_fill(s->lang, VS_MSG_SUM_JOIN, both, &whole);
	else
		vs_buf_add(&whole, both[s->text.len == 0], strlen(both[s->text.len == 0]));
	whole.failed = whole.failed || clause->failed || s->text.failed;
	vs_buf_release(clause);
	vs_buf_release(&s->text);
	s->text = whole;
}

static void say(struct summary *s, enum vs_msg msg, const char *const *args)
{
	struct vs_buf clause;

	vs_buf_init(&clause, 4096);
	vs_lang_fill(s->lang, msg, args, &clause);
	join(s, &clause);
}

/* "VPU 10 (25,000 IOPS)", or only its IOPS. */
static void level_words(const struct summary *s, size_t plateau, struct vs_buf *out)
{
	char tier[96], count[VS_UNITS_TEXT_MAX];
	const char *args[] = { tier, count };

	(void)vs_units_format_count(s->timeline->plateaus[plateau].iops, count);
	if (!vs_facts_tier(s->timeline, plateau)) {
		vs_lang_fill(s->lang, VS_MSG_IOPS, args + 1, out);
		return;
	}
	(void)vs_facts_tier_words(s->timeline, s->lang, plateau, tier);
	vs_lang_fill(s->lang, VS_MSG_IOPS_OF_TIER, args, out);
}

/*
 * The tiers "VPU 10 to 120" with the IOPS " (25,000 to 230,400 IOPS)" apart; without tiers the
 * IOPS alone.
 */
static void range_words(const struct summary *s, size_t from, size_t to, struct vs_buf *range,
			struct vs_buf *iops)
{
	const struct vs_timeline *timeline = s->timeline;
	char tier[96], a[VS_UNITS_TEXT_MAX], b[VS_UNITS_TEXT_MAX];
	const char *args[] = { tier, vs_facts_tier(timeline, to), a, b };

	(void)vs_units_format_count(timeline->plateaus[from].iops, a);
	(void)vs_units_format_count(timeline->plateaus[to].iops, b);
	if (!vs_facts_tier(timeline, from) || !args[1]) {
		vs_lang_fill(s->lang, VS_MSG_IOPS_RANGE, args + 2, range);
		return;
	}
	(void)vs_facts_tier_words(timeline, s->lang, from, tier);
	vs_lang_fill(s->lang, VS_MSG_TIER_RANGE, args, range);
	vs_lang_fill(s->lang, VS_MSG_TIER_RANGE_IOPS, args + 2, iops);
}

static void say_change(struct summary *s, enum vs_msg msg, size_t from, size_t to, int64_t ns,
		       size_t n_steps)
{
	struct vs_buf range, iops;
	char duration[64], steps[24];
	const char *args[] = { NULL, duration, steps, NULL };

	vs_buf_init(&range, 1024);
	vs_buf_init(&iops, 1024);
	range_words(s, from, to, &range, &iops);
	(void)vs_lang_duration(s->lang, ns, duration);
	(void)snprintf(steps, sizeof(steps), "%zu", n_steps);
	args[0] = text_of(&range);
	args[3] = text_of(&iops);
	say(s, msg, args);
	vs_buf_release(&range);
	vs_buf_release(&iops);
}

static void say_level(struct summary *s, enum vs_msg msg, size_t plateau, int64_t ns)
{
	struct vs_buf level;
	char duration[64];
	const char *args[] = { NULL, duration };

	vs_buf_init(&level, 1024);
	level_words(s, plateau, &level);
	(void)vs_lang_duration(s->lang, ns, duration);
	args[0] = text_of(&level);
	say(s, msg, args);
	vs_buf_release(&level);
}

/* The load phase: up, down, or one level all along. */
static void say_load(struct summary *s)
{
	const struct vs_facts *f = &s->facts;
	const struct vs_plateau *plateaus = s->timeline->plateaus;
	const struct vs_plateau *first = &plateaus[f->first];

	if (f->top > f->first)
		say_change(s, f->n_rises == 1 ? VS_MSG_SUM_RISE_ONE : VS_MSG_SUM_RISE,
			   (size_t)f->first, (size_t)f->top, f->rise_ns, f->n_rises);
	else if (f->bottom > f->top && plateaus[f->bottom].phase == VS_PHASE_LOAD)
		say_change(s, VS_MSG_SUM_DROP, (size_t)f->top, (size_t)f->bottom,
			   plateaus[f->bottom].start_ns - first->start_ns, f->n_falls);
	else
		say_level(s, s->timeline->power.too_short ? VS_MSG_SUM_SHORT : VS_MSG_SUM_FLAT,
			  (size_t)f->first, first->end_ns - first->start_ns);
}

/* What came after the rise; nothing when there was no idle phase and no fall. */
static void say_fall(struct summary *s)
{
	const struct vs_facts *f = &s->facts;
	const struct vs_timeline *timeline = s->timeline;
	char level[64], duration[64], count[VS_UNITS_TEXT_MAX];
	const char *args[] = { level, duration };

	if (f->bottom > f->top &&
	    (f->top > f->first || timeline->plateaus[f->bottom].phase == VS_PHASE_IDLE)) {
		const char *tier = vs_facts_tier(timeline, (size_t)f->bottom);

		(void)vs_units_format_count(timeline->plateaus[f->bottom].iops, count);
		(void)snprintf(level, sizeof(level), "%s%s", tier ? tier : count,
			       tier ? "" : " IOPS");
		(void)vs_lang_duration(s->lang, f->fall_ns, duration);
		say(s, VS_MSG_SUM_FALL, args);
	} else if (f->idle_ns != VS_UNKNOWN && f->n_falls == 0 &&
		   timeline->run->duration_ns > f->idle_ns) {
		(void)vs_lang_duration(s->lang, timeline->run->duration_ns - f->idle_ns, duration);
		say(s, VS_MSG_SUM_NO_FALL, args + 1);
	}
}

/* Where it ended, when that is neither the top nor the last fall; what held the top level back. */
static void say_rest(struct summary *s)
{
	size_t last = s->timeline->n_plateaus - 1;
	enum vs_bound bound = s->timeline->plateaus[s->facts.top].bound_by;

	if ((int)last > s->facts.top && (int)last > s->facts.bottom && s->facts.n_falls > 0)
		say_level(s, VS_MSG_SUM_ENDED, last, 0);
	if (bound == VS_BOUND_INSTANCE)
		say(s, VS_MSG_SUM_INSTANCE, NULL);
	else if (bound == VS_BOUND_CLIENT)
		say(s, VS_MSG_SUM_CLIENT, NULL);
}

/* No level under load: what was done on the average. */
static void say_none(struct summary *s)
{
	char count[VS_UNITS_TEXT_MAX], duration[64];
	const char *args[] = { count, duration };
	const struct vs_run *run = s->timeline->run;

	if (s->timeline->totals.samples == 0 || run->duration_ns <= 0) {
		say(s, VS_MSG_SUM_EMPTY, NULL);
		return;
	}
	(void)vs_units_format_count(s->timeline->totals.ios * 1e9 / (double)run->duration_ns,
				    count);
	(void)vs_lang_duration(s->lang, run->duration_ns, duration);
	say(s, VS_MSG_SUM_NONE, args);
}

void vs_facts_summary(const struct vs_timeline *timeline, const struct vs_lang *lang,
		      struct vs_buf *out)
{
	struct summary s = { .timeline = timeline, .lang = lang };
	const char *args[1];

	vs_buf_init(&s.text, 8192);
	vs_facts_find(timeline, &s.facts);
	if (s.facts.top < 0) {
		say_none(&s);
	} else {
		say_load(&s);
		say_fall(&s);
		say_rest(&s);
	}
	if (s.text.len > 0)
		s.text.data[0] = (char)toupper((unsigned char)s.text.data[0]);
	args[0] = text_of(&s.text);
	vs_lang_fill(lang, VS_MSG_SUM_END, args, out);
	out->failed = out->failed || s.text.failed;
	vs_buf_release(&s.text);
}
