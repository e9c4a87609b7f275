#include "reports/facts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "reports/json.h"
#include "reports/table.h"

#define WARNING_MAX_BYTES 1000

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

void vs_facts_copy(char *to, size_t size, const char *from)
{
	size_t len = 0;

	while (from[len]) {
		int n = vs_json_utf8(from + len);
		size_t step = n ? (size_t)n : 1;
		if (len + step >= size)
			break;
		len += step;
	}
	memcpy(to, from, len);
	to[len] = '\0';
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
	for (size_t i = 0; timeline->ladder && i < timeline->ladder->n_tiers; i++) {
		if (p->tier >= 0 ? (int)i != p->tier : (p->tiers >> i & 1) == 0)
			continue;
		if (len >= 64) { /* room for no more: say that there are */
			(void)snprintf(text + len, 96 - len, " / ...");
			break;
		}
		len += (size_t)snprintf(text + len, 96 - len, "%s%s", len ? " / " : "",
					timeline->ladder->tiers[i].name);
	}
	return text;
}

char *vs_facts_tier_words(const struct vs_timeline *timeline, const struct vs_lang *lang,
			  size_t plateau, char *text)
{
	char names[96];
	const char *args[] = { vs_facts_tier_names(timeline, plateau, names) };
	struct vs_buf buf;

	text[0] = '\0';
	if (strcmp(names, "-") == 0)
		return text;
	vs_buf_init(&buf, 1024);
	vs_lang_fill(lang, has_vpus(timeline) ? VS_MSG_TIER : VS_MSG_TIER_OTHER, args, &buf);
	vs_facts_copy(text, 96, buf.data ? buf.data : "");
	vs_buf_release(&buf);
	return text;
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

/* An event's text as a sentence on one line; one that somebody made a book is cut. */
static void warn_text(const char *text, struct vs_buf *out)
{
	char first = (char)toupper((unsigned char)*text);
	size_t len = strlen(text), cut = len;

	if (len == 0)
		return;
	if (len > WARNING_MAX_BYTES) {
		cut = WARNING_MAX_BYTES;
		while (cut > 1 && ((unsigned char)text[cut] & 0xc0) == 0x80)
			cut--; /* not within a character */
	}
	vs_buf_add(out, &first, 1);
	for (size_t i = 1; i < cut; i++)
		vs_buf_add(out, text[i] == '\n' ? " " : &text[i], 1);
	if (cut < len)
		vs_buf_addf(out, " ...\n");
	else
		vs_buf_addf(out, "%s\n", strchr(".!?", text[len - 1]) ? "" : ".");
}

/* Events that put the figures in doubt, each kind's first. */
static void warn_events(const struct vs_run *run, struct vs_buf *out)
{
	static const char *const kinds[] = { "no-series",    "import-mismatch", "import-coverage",
					     "import-bias",  "device-mismatch", "late-sample",
					     "samples-lost", "suspend",         "shared-device",
					     "clock-step" };

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		for (size_t i = 0; i < run->n_events; i++) {
			if (strcmp(run->events[i].kind, kinds[k]) != 0)
				continue;
			warn_text(run->events[i].text ? run->events[i].text : "", out);
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

static void note_unsteady(const struct vs_timeline *timeline, const struct vs_lang *lang,
			  struct vs_buf *out)
{
	const struct vs_power *power = &timeline->power;
	char start[24], end[24], spread[64];
	const char *args[] = { start, end, spread };

	if (!(power->unsteady_pct > 0))
		return;
	(void)vs_facts_clock(power->unsteady_start_ns, start);
	(void)vs_facts_clock(power->unsteady_end_ns, end);
	(void)vs_table_format(power->unsteady_pct, 0, spread);
	warn(lang, VS_MSG_NOTE_UNSTEADY, args, out);
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

static void warn_crashed(const struct vs_run *run, const struct vs_lang *lang, struct vs_buf *out)
{
	char utc[VS_UNITS_TEXT_MAX];
	const char *args[] = { vs_units_format_utc(
		run->started_wall_ms + run->duration_ns / VS_NS_PER_MS, utc) };

	warn(lang, VS_MSG_WARN_CRASHED, args, out);
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
		warn_crashed(run, lang, out);
	warn_device(timeline, lang, out);
	for (size_t i = 0; i < run->n_samples; i++)
		if (run->samples[i].flags & VS_SAMPLE_BIASED) {
			warn(lang, VS_MSG_WARN_BIASED, NULL, out);
			break;
		}
	warn_count(lang, VS_MSG_WARN_ERRORS, timeline->totals.errors, out);
	warn_count(lang, VS_MSG_WARN_MISSING, (double)timeline->totals.missing, out);
	warn_events(run, out);
	note_unsteady(timeline, lang, out);
	note_stalls(timeline, lang, out);
	note_pending(timeline, lang, out);
}

void vs_facts_power(const struct vs_timeline *timeline, const struct vs_lang *lang,
		    struct vs_buf *out)
{
	const struct vs_power *power = &timeline->power;
	char noise[64], step[64], duration[64];
	const char *args[] = { noise, duration, step };

	if (power->too_short) {
		vs_lang_fill(lang, VS_MSG_POWER_SHORT, NULL, out);
		return;
	}
	if (power->min_plateau_ns <= 0)
		return;
	(void)vs_table_format(power->noise_pct, 1, noise);
	(void)vs_table_format(power->smallest_step_pct, 1, step);
	(void)vs_lang_duration(lang, power->min_plateau_ns, duration);
	vs_lang_fill(lang, power->too_noisy ? VS_MSG_POWER_NOISY : VS_MSG_POWER, args, out);
	if (!power->probes_sparse)
		return;
	vs_buf_addf(out, "%s", lang == &vs_lang_ja ? "" : " ");
	vs_lang_fill(lang, VS_MSG_POWER_SPARSE, NULL, out);
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
