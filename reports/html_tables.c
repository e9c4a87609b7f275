/* Plateaus, steps, decay, latency: the figures behind the chart. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "reports/assets.h"
#include "reports/html.h"
#include "reports/json.h"
#include "reports/svg.h"
#include "reports/table.h"

/* Dips beyond this are only in the JSON report. */
#define MAX_DIPS 20

static enum vs_msg phase_msg(enum vs_phase phase)
{
	return phase == VS_PHASE_LOAD ? VS_MSG_LOAD : VS_MSG_IDLE;
}

static void button(const struct vs_page *page, const char *act, const char *sign, enum vs_msg name)
{
	(void)fprintf(page->out, "<button type=\"button\" data-act=\"%s\" title=\"", act);
	vs_page_put(page, name);
	(void)fputs("\" aria-label=\"", page->out);
	vs_page_put(page, name);
	(void)fprintf(page->out, "\">%s</button>", sign);
}

static void word_button(const struct vs_page *page, const char *act, enum vs_msg name)
{
	(void)fprintf(page->out, "<button type=\"button\" data-act=\"%s\">", act);
	vs_page_put(page, name);
	(void)fputs("</button>", page->out);
}

static void put_static(const struct vs_page *page)
{
	vs_svg_timeline(page->timeline, &page->series, page->lang, page->out);
}

/* Which line is which; the script hides what the run has not. */
static void put_keys(const struct vs_page *page)
{
	static const struct {
		const char *key;
		enum vs_msg name;
	} keys[] = {
		{ "iops", VS_MSG_COL_IOPS },       { "probe", VS_MSG_PROBE },
		{ "level", VS_MSG_CHART_PLATEAU }, { "vpu", VS_MSG_CHART_VPU },
		{ "lat", VS_MSG_CHART_P99 },       { "muted", VS_MSG_CHART_P50 },
		{ "dip", VS_MSG_CHECK_DIPS },      { "pending", VS_MSG_PENDING },
	};

	(void)fputs("<ul class=\"keys\">", page->out);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		(void)fprintf(page->out, "<li data-key=\"%s\"><i class=\"key-%s\"></i>",
			      keys[i].key, keys[i].key);
		vs_page_put(page, keys[i].name);
		(void)fputs("</li>", page->out);
	}
	(void)fputs("</ul>\n", page->out);
}

static void put_interactive(const struct vs_page *page)
{
	(void)fputs("<div id=\"chart\" hidden>\n<div class=\"tools\">", page->out);
	button(page, "in", "+", VS_MSG_CHART_ZOOM_IN);
	button(page, "out", "\xe2\x88\x92", VS_MSG_CHART_ZOOM_OUT);
	button(page, "left", "\xe2\x86\x90", VS_MSG_CHART_EARLIER);
	button(page, "right", "\xe2\x86\x92", VS_MSG_CHART_LATER);
	word_button(page, "all", VS_MSG_CHART_ALL);
	word_button(page, "load", VS_MSG_CHART_LOAD);
	word_button(page, "idle", VS_MSG_CHART_IDLE);
	(void)fputs(
		"<output id=\"readout\"></output></div>\n"
		"<div id=\"plot\" role=\"group\" tabindex=\"0\" aria-describedby=\"chart-help\" "
		"aria-label=\"",
		page->out);
	vs_page_put(page, VS_MSG_CHART_LABEL);
	(void)fputs("\"></div>\n", page->out);
	put_keys(page);
	(void)fputs("<p id=\"chart-help\" class=\"hint\">", page->out);
	vs_page_put(page, VS_MSG_CHART_HELP);
	(void)fputs("</p>\n</div>\n<noscript>\n", page->out);
	put_static(page);
	(void)fputs("</noscript>\n", page->out);
}

void vs_page_chart(const struct vs_page *page)
{
	bool live = vs_asset_uplot_js_len > 0;

	vs_page_section(page, "timeline", VS_MSG_SECTION_TIMELINE);
	if (live)
		put_interactive(page);
	(void)fputs(live ? "<div class=\"static printed\">\n" : "<div class=\"static\">\n",
		    page->out);
	put_static(page);
	(void)fputs("</div>\n", page->out);
	if (!live) {
		(void)fputs("<p class=\"hint\">", page->out);
		vs_page_put(page, VS_MSG_CHART_STATIC);
		(void)fputs("</p>\n", page->out);
	}
	vs_page_end_section(page);
}

static void sentence(const struct vs_page *page, enum vs_msg msg)
{
	(void)fputs("<p>", page->out);
	vs_page_put(page, msg);
	(void)fputs("</p>\n", page->out);
}

static enum vs_msg bound_msg(enum vs_bound bound)
{
	return (enum vs_msg)(VS_MSG_BOUND_UNKNOWN + (int)bound);
}

static enum vs_msg confirmed_msg(enum vs_confirmed confirmed)
{
	return confirmed == VS_CONFIRMED_YES  ? VS_MSG_YES
	       : confirmed == VS_CONFIRMED_NO ? VS_MSG_NO
					      : VS_MSG_UNKNOWN;
}

/* Why there is no single tier. The analysis says it in English; what it says most, in others. */
static void put_reason(const struct vs_page *page, const struct vs_plateau *p)
{
	const char *text = p->tier_reason;

	if (page->lang != &vs_lang_en)
		text = p->drifting     ? page->lang->text[VS_MSG_DRIFTING]
		       : p->tiers == 0 ? page->lang->text[VS_MSG_NO_TIER]
				       : "";
	(void)fputs(" <small>", page->out);
	vs_html_text(page->out, text);
	(void)fputs("</small>", page->out);
}

static void tier_cell(const struct vs_page *page, size_t i)
{
	const struct vs_plateau *p = &page->timeline->plateaus[i];
	char text[96];

	(void)fputs(p->tier >= 0 ? "<td class=\"tiercell\">" : "<td>", page->out);
	vs_html_text(page->out, vs_facts_tier_names(page->timeline, i, text));
	if (p->tier_reason[0])
		put_reason(page, p);
	(void)fputs("</td>", page->out);
}

/* "yes (20)": whether the provider says the same, and what it says. */
static void confirmed_cell(const struct vs_page *page, const struct vs_plateau *p)
{
	char number[48], text[128];

	if (isnan(p->provider_vpu)) {
		vs_page_cell_msg(page, confirmed_msg(p->confirmed));
		return;
	}
	(void)snprintf(text, sizeof(text), "%s (%s)", page->lang->text[confirmed_msg(p->confirmed)],
		       vs_json_format(p->provider_vpu, 1, number));
	vs_page_cell(page, text);
}

/* "29.8 +- 0.4" */
static void vpu_cell(const struct vs_page *page, const struct vs_plateau *p)
{
	char error[48], suffix[64] = "";

	if (!isnan(p->vpu_error))
		(void)snprintf(suffix, sizeof(suffix), " \xc2\xb1 %s",
			       vs_table_format(p->vpu_error, 1, error));
	vs_page_cell_number(page, p->vpu_estimate, 1, suffix);
}

static void plateau_row(const struct vs_page *page, size_t i)
{
	const struct vs_plateau *p = &page->timeline->plateaus[i];
	char text[96];

	(void)fprintf(page->out, "<tr id=\"plateau-%zu\"><th scope=\"row\" class=\"n\">%zu</th>", i,
		      i);
	vs_page_cell_msg(page, phase_msg(p->phase));
	(void)fputs("<td class=\"n\">", page->out);
	(void)fputs(vs_facts_clock(p->start_ns, text), page->out);
	(void)fprintf(page->out, "</td><td class=\"n\">%s</td>", vs_facts_clock(p->end_ns, text));
	vs_page_cell_time(page, p->start_ns);
	vs_page_cell_number(page, (double)p->samples, 0, "");
	vs_page_cell_count(page, p->iops);
	vs_page_cell_number(page, vs_facts_ci_pct(p), 2, " %");
	vs_page_cell_number(page, p->spread_pct, 2, " %");
	vs_page_cell_number(page, p->mbps, 1, "");
	vpu_cell(page, p);
	tier_cell(page, i);
	vs_page_cell_number(page, p->error_pct, 2, " %");
	vs_page_cell_msg(page, bound_msg(p->bound_by));
	confirmed_cell(page, p);
	(void)fputs("</tr>\n", page->out);
}

static void put_dips(const struct vs_page *page)
{
	static const enum vs_msg heads[] = { VS_MSG_COL_AT, VS_MSG_COL_UTC_AT, VS_MSG_COL_DURATION,
					     VS_MSG_COL_LOWEST, VS_MSG_COUNT };
	const struct vs_timeline *timeline = page->timeline;
	char text[64];
	const char *args[] = { text };

	(void)fputs("<h3 id=\"dips\">", page->out);
	vs_page_put(page, VS_MSG_CHECK_DIPS);
	(void)fputs("</h3>\n<p>", page->out);
	vs_page_put(page, VS_MSG_DIPS_INTRO);
	(void)fputs("</p>\n", page->out);
	vs_page_table(page, VS_MSG_CHECK_DIPS, heads, "rrrr");
	for (size_t i = 0; i < timeline->n_dips && i < MAX_DIPS; i++) {
		const struct vs_dip *dip = &timeline->dips[i];

		(void)fprintf(page->out, "<tr><td class=\"n\">%s</td>",
			      vs_facts_clock(dip->at_ns, text));
		vs_page_cell_time(page, dip->at_ns);
		(void)fprintf(page->out, "<td class=\"n\">%s</td>",
			      vs_lang_duration(page->lang, dip->duration_ns, text));
		vs_page_cell_count(page, dip->iops_min);
		(void)fputs("</tr>\n", page->out);
	}
	vs_page_end_table(page);
	if (timeline->n_dips <= MAX_DIPS)
		return;
	(void)vs_units_format_count((double)(timeline->n_dips - MAX_DIPS), text);
	(void)fputs("<p class=\"hint\">", page->out);
	vs_page_fill(page, VS_MSG_DIPS_MORE, args);
	(void)fputs("</p>\n", page->out);
}

static void put_plateaus(const struct vs_page *page)
{
	static const enum vs_msg heads[] = {
		VS_MSG_COL_INDEX,  VS_MSG_COL_PHASE, VS_MSG_COL_START,     VS_MSG_COL_END,
		VS_MSG_COL_UTC,    VS_MSG_SAMPLES,   VS_MSG_COL_IOPS,      VS_MSG_COL_CI,
		VS_MSG_COL_SPREAD, VS_MSG_COL_MBPS,  VS_MSG_COL_VPU,       VS_MSG_COL_TIER,
		VS_MSG_COL_OFF,    VS_MSG_COL_BOUND, VS_MSG_COL_CONFIRMED, VS_MSG_COUNT
	};

	vs_page_section(page, "plateaus", VS_MSG_SECTION_PLATEAUS);
	if (page->timeline->n_plateaus == 0) {
		sentence(page, VS_MSG_NO_PLATEAUS);
	} else {
		vs_page_table(page, VS_MSG_SECTION_PLATEAUS, heads, "rlrrrrrrrrrlrll");
		for (size_t i = 0; i < page->timeline->n_plateaus; i++)
			plateau_row(page, i);
		vs_page_end_table(page);
	}
	if (page->timeline->n_dips > 0)
		put_dips(page);
	vs_page_end_section(page);
}

static void step_row(const struct vs_page *page, size_t i)
{
	const struct vs_step *s = &page->timeline->steps[i];
	double from = page->timeline->plateaus[s->from].iops;
	double to = page->timeline->plateaus[s->to].iops;
	char a[96], b[96];

	(void)fprintf(page->out,
		      "<tr id=\"step-%zu\" class=\"%s\"><th scope=\"row\" class=\"n\">"
		      "<a href=\"#step-%zu\">%zu</a></th>",
		      i, vs_direction_name(s->direction), i, i);
	vs_page_cell_msg(page, s->direction == VS_UP ? VS_MSG_UP : VS_MSG_DOWN);
	(void)fprintf(page->out, "<td class=\"n\">%s</td>", vs_facts_clock(s->at_ns, a));
	(void)fprintf(page->out, "<td class=\"n\">%s \xe2\x80\x93 %s</td>",
		      vs_facts_clock(s->at_low_ns, a), vs_facts_clock(s->at_high_ns, b));
	vs_page_cell_time(page, s->at_ns);
	vs_page_cell_count(page, from);
	vs_page_cell_count(page, to);
	vs_page_cell_number(page, from > 0 ? 100 * (to / from - 1) : (double)NAN, 1, " %");
	(void)snprintf(a, sizeof(a), "%s", vs_facts_tier_names(page->timeline, s->from, b));
	(void)fputs("<td>", page->out);
	vs_html_text(page->out, a);
	(void)fputs(" \xe2\x86\x92 ", page->out);
	vs_html_text(page->out, vs_facts_tier_names(page->timeline, s->to, b));
	(void)fputs("</td>", page->out);
	vs_page_cell(page, vs_lang_duration(page->lang, s->dwell_ns, a));
	vs_page_cell_number(page, s->overshoot_pct > 0 ? s->overshoot_pct : (double)NAN, 0, " %");
	vs_page_cell_number(page,
			    s->provider_at_ns < 0 ? (double)NAN
						  : (double)(s->at_ns - s->provider_at_ns) / 1e9,
			    1, " s");
	(void)fputs("</tr>\n", page->out);
}

static void put_steps(const struct vs_page *page)
{
	static const enum vs_msg heads[] = {
		VS_MSG_COL_INDEX,  VS_MSG_COL_STEP,  VS_MSG_COL_AT,        VS_MSG_COL_BETWEEN,
		VS_MSG_COL_UTC_AT, VS_MSG_COL_FROM,  VS_MSG_COL_TO,        VS_MSG_COL_CHANGE,
		VS_MSG_COL_TIER,   VS_MSG_COL_DWELL, VS_MSG_COL_OVERSHOOT, VS_MSG_COL_LAG,
		VS_MSG_COUNT
	};

	vs_page_section(page, "steps", VS_MSG_SECTION_STEPS);
	if (page->timeline->n_steps == 0) {
		sentence(page, VS_MSG_NO_STEPS);
	} else {
		vs_page_table(page, VS_MSG_SECTION_STEPS, heads, "rlrrrrrrllrr");
		for (size_t i = 0; i < page->timeline->n_steps; i++)
			step_row(page, i);
		vs_page_end_table(page);
	}
	vs_page_end_section(page);
}

static void fall_rows(const struct vs_page *page)
{
	int64_t last = page->facts.idle_ns;
	char text[96];

	for (size_t i = 0; i < page->timeline->n_steps; i++) {
		const struct vs_step *s = &page->timeline->steps[i];

		if (s->direction != VS_DOWN || (int)s->from < page->facts.top ||
		    s->at_ns < page->facts.idle_ns)
			continue;
		(void)fprintf(
			page->out,
			"<tr><th scope=\"row\" class=\"n\"><a href=\"#step-%zu\">%zu</a></th>", i,
			i);
		vs_page_cell(page,
			     vs_lang_duration(page->lang, s->at_ns - page->facts.idle_ns, text));
		vs_page_cell(page, vs_lang_duration(page->lang, s->at_ns - last, text));
		vs_page_cell_count(page, page->timeline->plateaus[s->to].iops);
		vs_page_cell(page, vs_facts_tier_names(page->timeline, s->to, text));
		(void)fputs("</tr>\n", page->out);
		last = s->at_ns;
	}
}

static void put_falls(const struct vs_page *page)
{
	static const enum vs_msg heads[] = { VS_MSG_COL_STEP,       VS_MSG_COL_SINCE_IDLE,
					     VS_MSG_COL_SINCE_LAST, VS_MSG_COL_IOPS,
					     VS_MSG_COL_TIER,       VS_MSG_COUNT };
	const struct vs_facts *facts = &page->facts;
	char first[64], falls[24], level[96], count[VS_UNITS_TEXT_MAX];
	const char *args[] = { first, falls, level };

	(void)vs_lang_duration(page->lang, facts->first_fall_ns, first);
	(void)snprintf(falls, sizeof(falls), "%zu", facts->n_falls);
	(void)vs_facts_tier_words(page->timeline, page->lang, (size_t)facts->bottom, level);
	if (!level[0]) {
		(void)vs_units_format_count(page->timeline->plateaus[facts->bottom].iops, count);
		(void)snprintf(level, sizeof(level), "%s IOPS", count);
	}
	(void)fputs("<p>", page->out);
	vs_page_fill(page, VS_MSG_DECAY_INTRO, args);
	(void)fputs("</p>\n", page->out);
	vs_page_table(page, VS_MSG_SECTION_DECAY, heads, "rllrl");
	fall_rows(page);
	vs_page_end_table(page);
}

static void put_decay(const struct vs_page *page)
{
	const struct vs_facts *facts = &page->facts;
	char text[64];
	const char *args[] = { text };

	vs_page_section(page, "decay", VS_MSG_SECTION_DECAY);
	if (facts->idle_ns == VS_UNKNOWN) {
		sentence(page, VS_MSG_NO_DECAY);
	} else if (facts->n_falls == 0 || facts->bottom < 0) {
		(void)vs_lang_duration(page->lang,
				       page->timeline->run->duration_ns - facts->idle_ns, text);
		(void)fputs("<p>", page->out);
		vs_page_fill(page, VS_MSG_DECAY_NONE, args);
		(void)fputs("</p>\n", page->out);
	} else {
		put_falls(page);
	}
	vs_page_end_section(page);
}

static double ms_of(int64_t ns)
{
	return ns < 0 ? (double)NAN : (double)ns / 1e6;
}

static bool has_latency(const struct vs_timeline *timeline)
{
	for (size_t i = 0; i < timeline->n_plateaus; i++) {
		const struct vs_latency *l = &timeline->plateaus[i].latency;
		if (l->p50_ns >= 0 || l->p99_ns >= 0 || l->p999_ns >= 0 || l->max_ns >= 0)
			return true;
	}
	return false;
}

static void put_latency(const struct vs_page *page)
{
	static const enum vs_msg heads[] = { VS_MSG_CHART_PLATEAU, VS_MSG_COL_IOPS,
					     VS_MSG_CHART_P50,     VS_MSG_CHART_P99,
					     VS_MSG_P999,          VS_MSG_MAX,
					     VS_MSG_COUNT };

	vs_page_section(page, "latency", VS_MSG_SECTION_LATENCY);
	if (page->timeline->n_plateaus == 0 || !has_latency(page->timeline)) {
		sentence(page,
			 page->timeline->n_plateaus == 0 ? VS_MSG_NO_PLATEAUS : VS_MSG_NO_LATENCY);
		vs_page_end_section(page);
		return;
	}
	vs_page_table(page, VS_MSG_SECTION_LATENCY, heads, "rrrrrr");
	for (size_t i = 0; i < page->timeline->n_plateaus; i++) {
		const struct vs_plateau *p = &page->timeline->plateaus[i];

		(void)fprintf(
			page->out,
			"<tr><th scope=\"row\" class=\"n\"><a href=\"#plateau-%zu\">%zu</a></th>",
			i, i);
		vs_page_cell_count(page, p->iops);
		vs_page_cell_number(page, ms_of(p->latency.p50_ns), 2, " ms");
		vs_page_cell_number(page, ms_of(p->latency.p99_ns), 2, " ms");
		vs_page_cell_number(page, ms_of(p->latency.p999_ns), 2, " ms");
		vs_page_cell_number(page, ms_of(p->latency.max_ns), 2, " ms");
		(void)fputs("</tr>\n", page->out);
	}
	vs_page_end_table(page);
	vs_page_end_section(page);
}

void vs_page_tables(const struct vs_page *page)
{
	put_plateaus(page);
	put_steps(page);
	put_decay(page);
	put_latency(page);
}
