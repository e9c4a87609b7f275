/* Cost, verdict and method: what the figures mean, and how they came to be. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "reports/html.h"
#include "reports/table.h"

static void paragraph(const struct vs_page *page, enum vs_msg msg, const char *const *args)
{
	(void)fputs("<p>", page->out);
	vs_page_fill(page, msg, args);
	(void)fputs("</p>\n", page->out);
}

static void cost_line(const struct vs_page *page, enum vs_msg name, double value)
{
	char number[64], text[96];

	(void)fputs("<div><dt>", page->out);
	vs_page_put(page, name);
	(void)fputs("</dt><dd>", page->out);
	if (isfinite(value)) {
		(void)snprintf(text, sizeof(text), "%s %s",
			       vs_table_format(value, value < 1 ? 4 : 2, number),
			       page->timeline->cost.currency);
		vs_html_text(page->out, text);
	} else {
		vs_page_put(page, VS_MSG_UNPRICED);
	}
	(void)fputs("</dd></div>\n", page->out);
}

/* Each tier that was seen: how long, and what a month of it costs. */
static void put_tier_times(const struct vs_page *page)
{
	static const enum vs_msg heads[] = { VS_MSG_COL_TIER, VS_MSG_COL_TIME_AT, VS_MSG_COL_PRICE,
					     VS_MSG_COUNT };
	const struct vs_timeline *timeline = page->timeline;
	char text[64];

	vs_page_table(page, VS_MSG_SECTION_COST, heads, "lrr");
	for (size_t t = 0; timeline->ladder && t < timeline->ladder->n_tiers; t++) {
		int64_t ns = 0;

		for (size_t i = 0; i < timeline->n_plateaus; i++)
			if (timeline->plateaus[i].tier == (int)t)
				ns += timeline->plateaus[i].end_ns - timeline->plateaus[i].start_ns;
		if (ns == 0)
			continue;
		(void)fputs("<tr>", page->out);
		vs_page_cell(page, timeline->ladder->tiers[t].name);
		(void)fprintf(page->out, "<td class=\"n\">%s</td>",
			      vs_lang_duration(page->lang, ns, text));
		vs_page_cell_number(page, timeline->ladder->tiers[t].price_month, 2, "");
		(void)fputs("</tr>\n", page->out);
	}
	vs_page_end_table(page);
}

static void put_cost(const struct vs_page *page)
{
	const struct vs_cost *cost = &page->timeline->cost;
	char hours[64];
	const char *args[] = { hours };

	vs_page_section(page, "cost", VS_MSG_SECTION_COST);
	if (cost->currency[0] == '\0') {
		paragraph(page,
			  page->timeline->ladder && page->timeline->ladder->priced_at[0]
				  ? VS_MSG_COST_NO_TIER
				  : VS_MSG_COST_NONE,
			  NULL);
		vs_page_end_section(page);
		return;
	}
	(void)fputs("<dl class=\"figures\">\n", page->out);
	cost_line(page, VS_MSG_COST_OBSERVED, cost->observed);
	cost_line(page, VS_MSG_COST_BOTTOM, cost->month_at_bottom);
	cost_line(page, VS_MSG_COST_TOP, cost->month_at_top);
	(void)fputs("</dl>\n", page->out);
	if (isfinite(cost->break_even_h_per_day)) {
		(void)vs_table_format(cost->break_even_h_per_day, 1, hours);
		paragraph(page, VS_MSG_COST_BREAK_EVEN, args);
	}
	put_tier_times(page);
	if (page->timeline->ladder && page->timeline->ladder->priced_at[0]) {
		args[0] = page->timeline->ladder->priced_at;
		paragraph(page, VS_MSG_COST_PRICED_AT, args);
	}
	vs_page_end_section(page);
}

/* One line of the verdict. args NULL: msg is the finding as it is. */
static void check(const struct vs_page *page, enum vs_msg name, enum vs_msg state, enum vs_msg msg,
		  const char *const *args)
{
	static const char *const classes[] = { "ok", "note", "warn" };

	(void)fprintf(page->out, "<tr class=\"%s\"><th scope=\"row\">",
		      classes[state - VS_MSG_STATE_OK]);
	vs_page_put(page, name);
	(void)fputs("</th><td><span class=\"state\">", page->out);
	vs_page_put(page, state);
	(void)fputs("</span></td><td>", page->out);
	vs_page_fill(page, msg, args);
	(void)fputs("</td></tr>\n", page->out);
}

static void check_tiers(const struct vs_page *page)
{
	const struct vs_timeline *timeline = page->timeline;
	char without[24], all[24];
	const char *args[] = { without, all };
	size_t n = 0;

	for (size_t i = 0; i < timeline->n_plateaus; i++)
		n += timeline->plateaus[i].tier < 0;
	(void)snprintf(without, sizeof(without), "%zu", n);
	(void)snprintf(all, sizeof(all), "%zu", timeline->n_plateaus);
	if (!timeline->ladder)
		check(page, VS_MSG_CHECK_TIERS, VS_MSG_STATE_NOTE, VS_MSG_CHECK_TIERS_NONE, NULL);
	else if (n > 0)
		check(page, VS_MSG_CHECK_TIERS, VS_MSG_STATE_NOTE, VS_MSG_CHECK_TIERS_NOT, args);
	else
		check(page, VS_MSG_CHECK_TIERS, VS_MSG_STATE_OK, VS_MSG_CHECK_TIERS_OK, args + 1);
}

static void check_top(const struct vs_page *page)
{
	const struct vs_timeline *timeline = page->timeline;
	const struct vs_ladder *ladder = timeline->ladder;
	const struct vs_plateau *top = &timeline->plateaus[page->facts.top];
	char level[160], tier[96], count[VS_UNITS_TEXT_MAX], share[64];
	const char *args[] = { level, share };
	double promise = ladder && ladder->n_tiers > 0
				 ? vs_tier_ceiling_iops(&ladder->tiers[ladder->n_tiers - 1],
							timeline->run->workload.block_bytes)
				 : (double)NAN;

	(void)vs_facts_tier_words(timeline, page->lang, (size_t)page->facts.top, tier);
	(void)snprintf(level, sizeof(level), "%s%s%s IOPS", tier, tier[0] ? ", " : "",
		       vs_units_format_count(top->iops, count));
	if (isfinite(promise)) {
		(void)vs_table_format(100 * top->iops / promise, 0, share);
		check(page, VS_MSG_CHECK_TOP, VS_MSG_STATE_OK, VS_MSG_CHECK_TOP_IS, args);
	} else {
		check(page, VS_MSG_CHECK_TOP, VS_MSG_STATE_OK, VS_MSG_CHECK_TOP_ONLY, args);
	}
	check(page, VS_MSG_CHECK_BOUND,
	      top->bound_by == VS_BOUND_VOLUME ? VS_MSG_STATE_OK : VS_MSG_STATE_NOTE,
	      (enum vs_msg)(VS_MSG_BOUND_UNKNOWN + (int)top->bound_by), NULL);
}

static void check_dips(const struct vs_page *page)
{
	const struct vs_timeline *timeline = page->timeline;
	char number[24], longest[64], lowest[VS_UNITS_TEXT_MAX];
	const char *args[] = { number, longest, lowest };
	int64_t ns = 0;
	double iops = (double)INFINITY;

	if (timeline->n_dips == 0) {
		check(page, VS_MSG_CHECK_DIPS, VS_MSG_STATE_OK, VS_MSG_CHECK_DIPS_NONE, NULL);
		return;
	}
	for (size_t i = 0; i < timeline->n_dips; i++) {
		if (timeline->dips[i].duration_ns > ns)
			ns = timeline->dips[i].duration_ns;
		iops = fmin(iops, timeline->dips[i].iops_min);
	}
	(void)snprintf(number, sizeof(number), "%zu", timeline->n_dips);
	(void)vs_lang_duration(page->lang, ns, longest);
	(void)vs_units_format_count(iops, lowest);
	check(page, VS_MSG_CHECK_DIPS, VS_MSG_STATE_NOTE, VS_MSG_CHECK_DIPS_SOME, args);
}

static void check_record(const struct vs_page *page)
{
	const struct vs_totals *totals = &page->timeline->totals;
	char a[64], b[64];
	const char *args[] = { a, b };

	if (isnan(totals->device_ratio)) {
		check(page, VS_MSG_CHECK_DEVICE, VS_MSG_STATE_NOTE, VS_MSG_CHECK_DEVICE_UNKNOWN,
		      NULL);
	} else {
		(void)vs_table_format(100 * totals->device_ratio, 2, a);
		check(page, VS_MSG_CHECK_DEVICE,
		      totals->by_device ? VS_MSG_STATE_WARN : VS_MSG_STATE_OK,
		      VS_MSG_CHECK_DEVICE_OK, args);
	}
	(void)vs_units_format_count((double)totals->missing, a);
	(void)vs_units_format_count(totals->errors, b);
	if (page->timeline->run->end != VS_END_COMPLETED)
		check(page, VS_MSG_CHECK_COMPLETE, VS_MSG_STATE_NOTE, VS_MSG_CHECK_COMPLETE_END,
		      NULL);
	if (totals->missing > 0 || totals->errors > 0) {
		check(page, VS_MSG_CHECK_COMPLETE, VS_MSG_STATE_WARN, VS_MSG_CHECK_COMPLETE_NOT,
		      args);
	} else if (page->timeline->run->end == VS_END_COMPLETED) {
		(void)vs_units_format_count((double)totals->samples, a);
		check(page, VS_MSG_CHECK_COMPLETE, VS_MSG_STATE_OK, VS_MSG_CHECK_COMPLETE_OK, args);
	}
}

static void put_verdict(const struct vs_page *page)
{
	static const enum vs_msg heads[] = { VS_MSG_COL_CHECK, VS_MSG_COL_STATE, VS_MSG_COL_FINDING,
					     VS_MSG_COUNT };

	vs_page_section(page, "verdict", VS_MSG_SECTION_VERDICT);
	vs_page_table(page, VS_MSG_SECTION_VERDICT, heads, "lll");
	if (page->timeline->n_plateaus > 0)
		check_tiers(page);
	if (page->facts.top >= 0)
		check_top(page);
	check_dips(page);
	check_record(page);
	vs_page_end_table(page);
	(void)fputs("<p class=\"hint\">", page->out);
	vs_page_put(page, VS_MSG_VERDICT_NOTE);
	(void)fputs("</p>\n", page->out);
	vs_page_end_section(page);
}

static void put_uncertainty(const struct vs_page *page)
{
	const struct vs_timeline *timeline = page->timeline;
	struct vs_buf power;
	double widest = 0;
	char text[64];
	const char *args[] = { text };

	for (size_t i = 0; i < timeline->n_plateaus; i++)
		widest = fmax(widest, vs_facts_ci_pct(&timeline->plateaus[i]));
	if (widest > 0) {
		(void)vs_table_format(widest, 2, text);
		paragraph(page, VS_MSG_METHOD_CI, args);
	}
	vs_buf_init(&power, 4096);
	vs_facts_power(timeline, page->lang, &power);
	if (power.len > 0) {
		(void)fputs("<p class=\"power\">", page->out);
		vs_html_text(page->out, power.data);
		(void)fputs("</p>\n", page->out);
	}
	vs_buf_release(&power);
}

static void put_method(const struct vs_page *page)
{
	const struct vs_ladder *ladder = page->timeline->ladder;
	char a[64], b[64];
	const char *args[] = { a, b };

	vs_page_section(page, "method", VS_MSG_SECTION_METHOD);
	(void)vs_lang_duration(page->lang, page->timeline->run->interval_ns, a);
	paragraph(page, VS_MSG_METHOD_SAMPLE, args);
	paragraph(page, VS_MSG_METHOD_PLATEAU, NULL);
	paragraph(page, VS_MSG_METHOD_STEP, NULL);
	if (ladder) {
		(void)vs_table_format(ladder->tolerance_low_pct, 0, a);
		(void)vs_table_format(ladder->tolerance_high_pct, 0, b);
		paragraph(page, VS_MSG_METHOD_TIER, args);
	} else {
		paragraph(page, VS_MSG_METHOD_NO_LADDER, NULL);
	}
	paragraph(page, VS_MSG_METHOD_BOUND, NULL);
	put_uncertainty(page);
	vs_page_end_section(page);
}

void vs_page_verdict(const struct vs_page *page)
{
	put_cost(page);
	put_verdict(page);
	put_method(page);
}
