/*
 * The data of the page: the timeline as `report --format json` has it, and every sample. A day of
 * seconds must stay small, so a column is the differences of neighbouring values as zigzag LEB128
 * in base64; latencies are kept as round(128 log2 ns), which is closer (0.3 %) than they were
 * measured.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "reports/assets.h"
#include "reports/formats.h"
#include "reports/html.h"
#include "reports/json.h"
#include "reports/table.h"

/* Events beyond this are only in the JSON report. */
#define MAX_EVENTS 200

enum column {
	END_MS,
	IOPS,
	P50,
	P99,
	P999,
	MAX,
	N_LINES
};

static int64_t latency_code(int64_t ns)
{
	return ns <= 0 ? 0 : llround(128 * log2((double)ns)) + 1;
}

static int64_t value_of(const struct vs_point *p, enum column column)
{
	switch (column) {
	case END_MS:
		return p->end_ns / 1000000;
	case IOPS:
		return llround(p->iops);
	case P50:
		return latency_code(p->p50_ns);
	case P99:
		return latency_code(p->p99_ns);
	case P999:
		return latency_code(p->p999_ns);
	case MAX:
		return latency_code(p->max_ns);
	case N_LINES:
		break;
	}
	return 0;
}

/* Base64 of a stream of bytes, three at a time. */
struct base64 {
	FILE *out;
	uint32_t bits;
	int n;
};

static void put_quad(struct base64 *b)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits = b->bits << (8 * (3 - b->n));

	for (int i = 0; i < 4; i++)
		(void)fputc(i <= b->n ? digits[bits >> (18 - 6 * i) & 63] : '=', b->out);
	b->bits = 0;
	b->n = 0;
}

static void put_byte(struct base64 *b, unsigned char byte)
{
	b->bits = b->bits << 8 | byte;
	if (++b->n == 3)
		put_quad(b);
}

static void put_column(const struct vs_page *page, const char *name, enum column column)
{
	struct base64 b = { .out = page->out };
	int64_t before = 0;

	(void)fprintf(page->out, "\"%s\": \"", name);
	for (size_t i = 0; i < page->series.n; i++) {
		int64_t value = value_of(&page->series.points[i], column);
		int64_t delta = value - before;
		uint64_t z = delta < 0 ? ((uint64_t) - (delta + 1) << 1) + 1 : (uint64_t)delta << 1;

		before = value;
		for (; z > 127; z >>= 7)
			put_byte(&b, (unsigned char)((z & 127) | 128));
		put_byte(&b, (unsigned char)z);
	}
	if (b.n > 0)
		put_quad(&b);
	(void)fputs("\"", page->out);
}

/* [["load", 28], ["idle", 60], …]: so many points in a row. */
static void put_phases(const struct vs_page *page)
{
	const struct vs_curve *s = &page->series;
	struct vs_json json;

	(void)fputs("\"phase\": ", page->out);
	vs_json_init(&json, page->out, 0);
	vs_json_open(&json, NULL, '[');
	for (size_t i = 0; i < s->n;) {
		size_t from = i;
		while (i < s->n && s->points[i].phase == s->points[from].phase)
			i++;
		vs_json_open(&json, NULL, '[');
		vs_json_text(&json, NULL, vs_phase_name(s->points[from].phase));
		vs_json_int(&json, NULL, (int64_t)(i - from));
		vs_json_close(&json);
	}
	vs_json_close(&json);
}

/* [[index, failed reads], …] */
static void put_errors(const struct vs_page *page)
{
	const char *gap = "";

	(void)fputs("\"errors\": [", page->out);
	for (size_t i = 0; i < page->series.n; i++)
		if (page->series.points[i].errors > 0) {
			(void)fprintf(page->out, "%s[%zu, %u]", gap, i,
				      page->series.points[i].errors);
			gap = ", ";
		}
	(void)fputs("]", page->out);
}

/* [index, …]: before this point samples are missing. */
static void put_gaps(const struct vs_page *page)
{
	const char *gap = "";

	(void)fputs("\"gaps\": [", page->out);
	for (size_t i = 0; i < page->series.n; i++)
		if (vs_curve_gap(&page->series, i, page->timeline->run->interval_ns)) {
			(void)fprintf(page->out, "%s%zu", gap, i);
			gap = ", ";
		}
	(void)fputs("]", page->out);
}

static void put_series(const struct vs_page *page)
{
	static const char *const names[] = { "end_ms",       "iops",          "lat_p50_code",
					     "lat_p99_code", "lat_p999_code", "lat_max_code" };

	(void)fprintf(page->out,
		      "\"series\": {\"n\": %zu, \"encoding\": \"columns: base64 of LEB128 zigzag "
		      "deltas; latency_us = 2^((code - 1) / 128) / 1000, 0 = none; "
		      "phase: runs; errors: [index, count]; gaps: samples are missing "
		      "before this index\",\n",
		      page->series.n);
	for (int c = 0; c < N_LINES; c++) {
		put_column(page, names[c], (enum column)c);
		(void)fputs(",\n", page->out);
	}
	put_phases(page);
	(void)fputs(",\n", page->out);
	put_errors(page);
	(void)fputs(",\n", page->out);
	put_gaps(page);
	(void)fputs("}", page->out);
}

static bool is_new(const struct vs_run *run, size_t i)
{
	const struct vs_observation *obs = &run->observations[i];

	for (size_t k = 0; k < i; k++)
		if (strcmp(run->observations[k].name, obs->name) == 0 &&
		    strcmp(run->observations[k].source, obs->source) == 0)
			return false;
	return true;
}

/* Numbers of one source and name as two columns: a day of polling is long. */
static void put_track(const struct vs_run *run, size_t first, struct vs_json *json)
{
	const struct vs_observation *head = &run->observations[first];

	vs_json_open(json, NULL, '{');
	vs_json_text(json, "source", head->source);
	vs_json_text(json, "name", head->name);
	for (int column = 0; column < 2; column++) {
		vs_json_open(json, column ? "value" : "at_s", '[');
		for (size_t k = first; k < run->n_observations; k++) {
			const struct vs_observation *obs = &run->observations[k];
			if (strcmp(obs->name, head->name) != 0 ||
			    strcmp(obs->source, head->source) != 0)
				continue;
			if (!column)
				vs_json_number(json, NULL, (double)obs->at_ns / 1e9, 1);
			else if (obs->text)
				vs_json_text(json, NULL, obs->text);
			else
				vs_json_number(json, NULL, obs->value, 3);
		}
		vs_json_close(json);
	}
	vs_json_close(json);
}

static void put_observations(const struct vs_page *page)
{
	const struct vs_run *run = page->timeline->run;
	struct vs_json json;

	(void)fputs("\"observations\": ", page->out);
	vs_json_init(&json, page->out, 0);
	vs_json_open(&json, NULL, '[');
	for (size_t i = 0; i < run->n_observations; i++)
		if (strcmp(run->observations[i].source, "host") != 0 && is_new(run, i))
			put_track(run, i, &json);
	vs_json_close(&json);
}

/* What the script says to the reader. */
static void put_words(const struct vs_page *page)
{
	static const struct {
		const char *key;
		enum vs_msg msg;
	} words[] = {
		{ "iops", VS_MSG_COL_IOPS },
		{ "p50", VS_MSG_CHART_P50 },
		{ "p99", VS_MSG_CHART_P99 },
		{ "latency", VS_MSG_CHART_LATENCY },
		{ "plateau", VS_MSG_CHART_PLATEAU },
		{ "vpu", VS_MSG_CHART_VPU },
		{ "tier", VS_MSG_COL_TIER },
		{ "probe", VS_MSG_PROBE },
		{ "time", VS_MSG_CHART_TIME },
		{ "step", VS_MSG_COL_STEP },
		{ "idle", VS_MSG_IDLE },
		{ "pending", VS_MSG_PENDING },
		{ "stall", VS_MSG_STALL },
	};
	struct vs_json json;

	(void)fputs("\"words\": ", page->out);
	vs_json_init(&json, page->out, 0);
	vs_json_open(&json, NULL, '{');
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		vs_json_text(&json, words[i].key, page->lang->text[words[i].msg]);
	vs_json_close(&json);
}

static void put_events(const struct vs_page *page)
{
	static const enum vs_msg heads[] = { VS_MSG_COL_AT, VS_MSG_COL_KIND, VS_MSG_COL_TEXT,
					     VS_MSG_COUNT };
	const struct vs_run *run = page->timeline->run;
	char text[24];
	const char *args[] = { text };

	if (run->n_events == 0)
		return;
	(void)fputs("<details><summary>", page->out);
	vs_page_put(page, VS_MSG_RAW_EVENTS);
	(void)fprintf(page->out, " (%zu)</summary>\n", run->n_events);
	vs_page_table(page, VS_MSG_RAW_EVENTS, heads, "rll");
	for (size_t i = 0; i < run->n_events && i < MAX_EVENTS; i++) {
		(void)fprintf(page->out, "<tr><td class=\"n\">%s</td>",
			      vs_facts_clock(run->events[i].at_ns, text));
		vs_page_cell(page, run->events[i].kind);
		vs_page_cell(page, run->events[i].text);
		(void)fputs("</tr>\n", page->out);
	}
	vs_page_end_table(page);
	if (run->n_events > MAX_EVENTS) {
		(void)snprintf(text, sizeof(text), "%zu", run->n_events - MAX_EVENTS);
		(void)fputs("<p>", page->out);
		vs_page_fill(page, VS_MSG_RAW_MORE, args);
		(void)fputs("</p>\n", page->out);
	}
	(void)fputs("</details>\n", page->out);
}

/* Which of the observations is the control plane's VPU: ["source", "name"] or null. */
static void put_control(const struct vs_page *page)
{
	struct vs_control control;
	struct vs_json json;

	vs_control_find(page->timeline->run, &control);
	vs_json_init(&json, page->out, 0);
	if (!control.name) {
		vs_json_null(&json, NULL);
		return;
	}
	vs_json_open(&json, NULL, '[');
	vs_json_text(&json, NULL, control.source);
	vs_json_text(&json, NULL, control.name);
	vs_json_close(&json);
}

static void put_data(const struct vs_page *page)
{
	struct vs_json json;

	(void)fputs("<script type=\"application/json\" id=\"raw-data\">\n{\"timeline\": ",
		    page->out);
	vs_json_init(&json, page->out, 0);
	vs_report_json_timeline(page->timeline, &json, NULL, false);
	(void)fputs(",\n", page->out);
	put_observations(page);
	(void)fputs(",\n\"control\": ", page->out);
	put_control(page);
	(void)fputs(",\n", page->out);
	put_series(page);
	(void)fputs(",\n", page->out);
	put_words(page);
	(void)fputs("}\n</script>\n", page->out);
}

static void put_scripts(const struct vs_page *page)
{
	if (vs_asset_uplot_js_len > 0) {
		(void)fputs("<details><summary>uPlot</summary><p>", page->out);
		vs_page_put(page, VS_MSG_LIBRARY);
		(void)fputs("</p><pre>", page->out);
		for (size_t i = 0; i < vs_asset_uplot_licence_len; i++) {
			char c[] = { (char)vs_asset_uplot_licence[i], '\0' };
			vs_html_text(page->out, c);
		}
		(void)fputs("</pre></details>\n", page->out);
	}
	vs_page_end_section(page);
	(void)fputs("</main>\n", page->out);
	put_data(page);
	if (vs_asset_uplot_js_len > 0) {
		(void)fputs("<script>\n", page->out);
		(void)fwrite(vs_asset_uplot_js, 1, vs_asset_uplot_js_len, page->out);
		(void)fputs("</script>\n", page->out);
	}
	(void)fputs("<script>\n", page->out);
	(void)fwrite(vs_asset_script, 1, vs_asset_script_len, page->out);
	(void)fputs("</script>\n</body>\n</html>\n", page->out);
}

void vs_page_raw(const struct vs_page *page)
{
	vs_page_section(page, "raw", VS_MSG_SECTION_RAW);
	(void)fputs("<p>", page->out);
	vs_page_put(page, VS_MSG_RAW_INTRO);
	(void)fputs("</p>\n<p class=\"save\" hidden><button type=\"button\" id=\"save-json\">",
		    page->out);
	vs_page_put(page, VS_MSG_RAW_JSON);
	(void)fputs("</button> <button type=\"button\" id=\"save-csv\">", page->out);
	vs_page_put(page, VS_MSG_RAW_CSV);
	(void)fputs("</button></p>\n", page->out);
	put_events(page);
	put_scripts(page);
}
