#include "reports/facts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"

static int64_t idle_start(const struct vs_run *run)
{
	for (size_t i = 0; i < run->n_phases; i++)
		if (run->phases[i].phase == VS_PHASE_IDLE)
			return run->phases[i].start_ns;
	return VS_UNKNOWN;
}

static void find_falls(const struct vs_timeline *timeline, struct vs_facts *out)
{
	int64_t from = out->idle_ns;

	if (from == VS_UNKNOWN)
		from = timeline->plateaus[out->top].end_ns;
	for (size_t i = 0; i < timeline->n_steps; i++) {
		const struct vs_step *step = &timeline->steps[i];
		int64_t after = step->at_ns > from ? step->at_ns - from : 0;

		if (step->direction != VS_DOWN || (int)step->from < out->top)
			continue;
		if (out->n_falls++ == 0)
			out->first_fall_ns = after;
		out->fall_ns = after;
		out->bottom = (int)step->to;
	}
}

void vs_facts_find(const struct vs_timeline *timeline, struct vs_facts *out)
{
	*out = (struct vs_facts){ .first = -1,
				  .top = -1,
				  .bottom = -1,
				  .idle_ns = idle_start(timeline->run),
				  .rise_ns = 0,
				  .fall_ns = VS_UNKNOWN,
				  .first_fall_ns = VS_UNKNOWN };
	for (size_t i = 0; i < timeline->n_plateaus; i++) {
		if (timeline->plateaus[i].phase != VS_PHASE_LOAD)
			continue;
		if (out->first < 0)
			out->first = (int)i;
		if (out->top < 0 ||
		    timeline->plateaus[i].iops > timeline->plateaus[out->top].iops * 1.01)
			out->top = (int)i;
	}
	if (out->top < 0)
		return;
	out->rise_ns =
		timeline->plateaus[out->top].start_ns - timeline->plateaus[out->first].start_ns;
	for (size_t i = 0; i < timeline->n_steps; i++)
		if (timeline->steps[i].direction == VS_UP && (int)timeline->steps[i].to <= out->top)
			out->n_rises++;
	find_falls(timeline, out);
}

const char *vs_facts_tier(const struct vs_timeline *timeline, size_t plateau)
{
	int tier = timeline->plateaus[plateau].tier;

	return tier >= 0 && timeline->ladder ? timeline->ladder->tiers[tier].name : NULL;
}

/* The message for one filled-in text, cut to size bytes. */
static char *fill_text(const struct vs_lang *lang, enum vs_msg msg, const char *const *args,
		       char *text, size_t size)
{
	struct vs_buf buf;

	vs_buf_init(&buf, 1024);
	vs_lang_fill(lang, msg, args, &buf);
	(void)snprintf(text, size, "%s", buf.data ? buf.data : "");
	vs_buf_release(&buf);
	return text;
}

static bool has_vpus(const struct vs_timeline *timeline)
{
	return timeline->ladder && timeline->ladder->n_tiers > 0 &&
	       isfinite(timeline->ladder->tiers[0].vpu);
}

char *vs_facts_tier_names(const struct vs_timeline *timeline, size_t plateau, char *text)
{
	const struct vs_plateau *p = &timeline->plateaus[plateau];
	size_t len = 0;

	(void)snprintf(text, 96, "-");
	for (size_t i = 0; timeline->ladder && i < timeline->ladder->n_tiers && len < 64; i++)
		if (p->tier >= 0 ? (int)i == p->tier : (p->tiers >> i & 1) != 0)
			len += (size_t)snprintf(text + len, 96 - len, "%s%s", len ? " / " : "",
						timeline->ladder->tiers[i].name);
	return text;
}

char *vs_facts_tier_words(const struct vs_timeline *timeline, const struct vs_lang *lang,
			  size_t plateau, char *text)
{
	char names[96];
	const char *args[] = { vs_facts_tier_names(timeline, plateau, names) };

	text[0] = '\0';
	if (strcmp(names, "-") == 0)
		return text;
	return fill_text(lang, has_vpus(timeline) ? VS_MSG_TIER : VS_MSG_TIER_OTHER, args, text,
			 96);
}

/* "VPU 10 (25,000 IOPS)", or only its IOPS. */
static void level_words(const struct vs_timeline *timeline, const struct vs_lang *lang,
			size_t plateau, char text[160])
{
	char tier[96], count[VS_UNITS_TEXT_MAX];
	const char *args[] = { tier, count };

	(void)vs_units_format_count(timeline->plateaus[plateau].iops, count);
	if (vs_facts_tier(timeline, plateau)) {
		(void)vs_facts_tier_words(timeline, lang, plateau, tier);
		(void)fill_text(lang, VS_MSG_IOPS_OF_TIER, args, text, 160);
	} else {
		(void)fill_text(lang, VS_MSG_IOPS, args + 1, text, 160);
	}
}

/* "VPU 10 to 120 (25,000 to 230,400 IOPS)" */
static void range_words(const struct vs_timeline *timeline, const struct vs_lang *lang, size_t from,
			size_t to, char text[256])
{
	char tier[96], a[VS_UNITS_TEXT_MAX], b[VS_UNITS_TEXT_MAX];
	const char *args[] = { tier, vs_facts_tier(timeline, to), a, b };

	(void)vs_units_format_count(timeline->plateaus[from].iops, a);
	(void)vs_units_format_count(timeline->plateaus[to].iops, b);
	if (vs_facts_tier(timeline, from) && args[1]) {
		(void)vs_facts_tier_words(timeline, lang, from, tier);
		(void)fill_text(lang, VS_MSG_TIER_RANGE, args, text, 256);
	} else {
		(void)fill_text(lang, VS_MSG_IOPS_RANGE, args + 2, text, 256);
	}
}

static void rise_words(const struct vs_timeline *timeline, const struct vs_lang *lang,
		       const struct vs_facts *facts, struct vs_buf *out)
{
	char range[256], level[160], duration[64], steps[24];
	const char *args[] = { range, duration, steps };
	const char *flat[] = { level, duration };
	const struct vs_plateau *first = &timeline->plateaus[facts->first];

	if (facts->top > facts->first) {
		range_words(timeline, lang, (size_t)facts->first, (size_t)facts->top, range);
		(void)vs_lang_duration(lang, facts->rise_ns, duration);
		(void)snprintf(steps, sizeof(steps), "%zu", facts->n_rises);
		vs_lang_fill(lang, facts->n_rises == 1 ? VS_MSG_SUM_RISE_ONE : VS_MSG_SUM_RISE,
			     args, out);
		return;
	}
	if (facts->bottom > facts->top &&
	    timeline->plateaus[facts->bottom].phase == VS_PHASE_LOAD) {
		range_words(timeline, lang, (size_t)facts->top, (size_t)facts->bottom, range);
		(void)vs_lang_duration(lang,
				       timeline->plateaus[facts->bottom].start_ns - first->start_ns,
				       duration);
		vs_lang_fill(lang, VS_MSG_SUM_DROP, args, out);
		return;
	}
	level_words(timeline, lang, (size_t)facts->first, level);
	(void)vs_lang_duration(lang, first->end_ns - first->start_ns, duration);
	vs_lang_fill(lang, VS_MSG_SUM_FLAT, flat, out);
}

/* What came after the rise; nothing when there was no idle phase and no fall. */
static void fall_words(const struct vs_timeline *timeline, const struct vs_lang *lang,
		       const struct vs_facts *facts, struct vs_buf *out)
{
	char level[160], duration[64], count[VS_UNITS_TEXT_MAX];
	const char *args[] = { level, duration };
	const char *number[] = { count };
	const char *tier;

	if (facts->bottom > facts->top &&
	    (facts->top > facts->first ||
	     timeline->plateaus[facts->bottom].phase == VS_PHASE_IDLE)) {
		tier = vs_facts_tier(timeline, (size_t)facts->bottom);
		(void)vs_units_format_count(timeline->plateaus[facts->bottom].iops, count);
		if (tier)
			(void)snprintf(level, sizeof(level), "%s", tier);
		else
			(void)fill_text(lang, VS_MSG_IOPS, number, level, sizeof(level));
		(void)vs_lang_duration(lang, facts->fall_ns, duration);
		vs_lang_fill(lang, VS_MSG_SUM_FALL, args, out);
	} else if (facts->idle_ns != VS_UNKNOWN && facts->n_falls == 0 &&
		   timeline->run->duration_ns > facts->idle_ns) {
		(void)vs_lang_duration(lang, timeline->run->duration_ns - facts->idle_ns, duration);
		vs_lang_fill(lang, VS_MSG_SUM_NO_FALL, args + 1, out);
	}
}

void vs_facts_summary(const struct vs_timeline *timeline, const struct vs_lang *lang,
		      struct vs_buf *out)
{
	struct vs_buf rise, fall, whole;
	char count[VS_UNITS_TEXT_MAX];
	const char *n[] = { vs_units_format_count((double)timeline->totals.samples, count) };
	const char *both[2], *end[1];
	struct vs_facts facts;

	vs_buf_init(&rise, 4096);
	vs_buf_init(&fall, 4096);
	vs_buf_init(&whole, 8192);
	vs_facts_find(timeline, &facts);
	if (facts.top < 0) {
		vs_lang_fill(lang, VS_MSG_SUM_NONE, n, &rise);
	} else {
		rise_words(timeline, lang, &facts, &rise);
		fall_words(timeline, lang, &facts, &fall);
	}
	both[0] = rise.data ? rise.data : "";
	both[1] = fall.data;
	if (fall.len)
		vs_lang_fill(lang, VS_MSG_SUM_JOIN, both, &whole);
	end[0] = fall.len && whole.data ? whole.data : both[0];
	if (rise.data && islower((unsigned char)end[0][0])) {
		char first = (char)toupper((unsigned char)end[0][0]);
		vs_buf_add(out, &first, 1);
		end[0]++;
	}
	vs_lang_fill(lang, VS_MSG_SUM_END, end, out);
	vs_buf_release(&rise);
	vs_buf_release(&fall);
	vs_buf_release(&whole);
}

static void warn(const struct vs_lang *lang, enum vs_msg msg, const char *const *args,
		 struct vs_buf *out)
{
	vs_lang_fill(lang, msg, args, out);
	vs_buf_add(out, "\n", 1);
}

static void warn_count(const struct vs_lang *lang, enum vs_msg msg, double count,
		       struct vs_buf *out)
{
	char text[VS_UNITS_TEXT_MAX];
	const char *args[] = { vs_units_format_count(count, text) };

	if (count > 0)
		warn(lang, msg, args, out);
}

/* Events that put the figures in doubt, each kind's first. */
static void warn_events(const struct vs_run *run, struct vs_buf *out)
{
	static const char *const kinds[] = {
		"import-mismatch", "device-mismatch", "late-sample",
		"queue-full",      "suspend",         "shared-device"
	};

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		for (size_t i = 0; i < run->n_events; i++) {
			const char *text = run->events[i].text ? run->events[i].text : "";
			if (strcmp(run->events[i].kind, kinds[k]) != 0)
				continue;
			for (const char *p = text; *p; p++)
				vs_buf_add(out, *p == '\n' ? " " : p, 1);
			vs_buf_add(out, "\n", 1);
			break;
		}
}

static void warn_device(const struct vs_timeline *timeline, const struct vs_lang *lang,
			struct vs_buf *out)
{
	char text[32];
	const char *args[] = { text };

	if (!timeline->totals.by_device)
		return;
	(void)snprintf(text, sizeof(text), "%.1f", 100 * timeline->totals.device_ratio);
	warn(lang, VS_MSG_WARN_DEVICE, args, out);
}

static void note_pending(const struct vs_timeline *timeline, const struct vs_lang *lang,
			 struct vs_buf *out)
{
	char at[24], count[VS_UNITS_TEXT_MAX];
	const char *args[] = { at, count };

	if (!timeline->pending.present)
		return;
	(void)vs_facts_clock(timeline->pending.start_ns, at);
	(void)vs_units_format_count(timeline->pending.iops, count);
	warn(lang, VS_MSG_NOTE_PENDING, args, out);
}

static void note_stalls(const struct vs_timeline *timeline, const struct vs_lang *lang,
			struct vs_buf *out)
{
	char count[VS_UNITS_TEXT_MAX], duration[64];
	const char *args[] = { count, duration };
	int64_t longest = 0;
	size_t n = 0;

	for (size_t i = 0; i < timeline->n_dips; i++) {
		if (!timeline->dips[i].stall)
			continue;
		n++;
		if (timeline->dips[i].duration_ns > longest)
			longest = timeline->dips[i].duration_ns;
	}
	if (n == 0)
		return;
	(void)vs_units_format_count((double)n, count);
	(void)vs_lang_duration(lang, longest, duration);
	warn(lang, VS_MSG_NOTE_STALLS, args, out);
}

void vs_facts_warnings(const struct vs_timeline *timeline, const struct vs_lang *lang,
		       struct vs_buf *out)
{
	const struct vs_run *run = timeline->run;

	if (run->emulated)
		warn(lang, VS_MSG_WARN_EMULATED, NULL, out);
	if (run->end == VS_END_RUNNING)
		warn(lang, VS_MSG_WARN_RUNNING, NULL, out);
	if (run->end == VS_END_INTERRUPTED)
		warn(lang, VS_MSG_WARN_INTERRUPTED, NULL, out);
	if (run->end == VS_END_FAILED)
		warn(lang, VS_MSG_WARN_FAILED, NULL, out);
	if (run->end == VS_END_CRASHED)
		warn(lang, VS_MSG_WARN_CRASHED, NULL, out);
	warn_device(timeline, lang, out);
	for (size_t i = 0; i < run->n_samples; i++)
		if (run->samples[i].flags & VS_SAMPLE_BIASED) {
			warn(lang, VS_MSG_WARN_BIASED, NULL, out);
			break;
		}
	warn_count(lang, VS_MSG_WARN_ERRORS, timeline->totals.errors, out);
	warn_count(lang, VS_MSG_WARN_MISSING, (double)timeline->totals.missing, out);
	warn_events(run, out);
	note_stalls(timeline, lang, out);
	note_pending(timeline, lang, out);
}

const struct vs_step *vs_facts_step_to(const struct vs_timeline *timeline, size_t plateau)
{
	for (size_t i = 0; i < timeline->n_steps; i++)
		if (timeline->steps[i].to == plateau)
			return &timeline->steps[i];
	return NULL;
}

double vs_facts_ci_pct(const struct vs_plateau *plateau)
{
	if (!(plateau->iops > 0))
		return (double)NAN;
	return 50 * (plateau->iops_ci95[1] - plateau->iops_ci95[0]) / plateau->iops;
}

const char *vs_facts_host(const struct vs_timeline *timeline, const char *name)
{
	const struct vs_observation *obs = vs_run_find(timeline->run, "host", name);

	return obs && obs->text ? obs->text : "";
}

char *vs_facts_clock(int64_t ns, char *text)
{
	long long sec = (ns + VS_NS_PER_SEC / 2) / VS_NS_PER_SEC;

	if (sec < 3600)
		(void)snprintf(text, 24, "%lld:%02lld", sec / 60, sec % 60);
	else
		(void)snprintf(text, 24, "%lld:%02lld:%02lld", sec / 3600, sec / 60 % 60, sec % 60);
	return text;
}
