/* The top of the page: what it is, the sentence, the warnings, and the block of four columns. */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "reports/assets.h"
#include "reports/html.h"
#include "reports/json.h"
#include "reports/table.h"

static void put_asset(const struct vs_page *page, const char *tag, const unsigned char *bytes,
		      size_t len)
{
	if (len == 0)
		return;
	(void)fprintf(page->out, "<%s>\n", tag);
	(void)fwrite(bytes, 1, len, page->out);
	(void)fprintf(page->out, "</%s>\n", tag);
}

static void put_document(const struct vs_page *page, const char *summary)
{
	const struct vs_run *run = page->timeline->run;

	(void)fprintf(
		page->out,
		"<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"color-scheme\" content=\"light dark\">\n"
		"<meta name=\"generator\" content=\"volscale " VS_VERSION "\">\n"
		"<link rel=\"icon\" href=\"data:,\">\n<title>",
		page->lang->code);
	vs_html_text(page->out, run->label ? run->label : "volscale");
	(void)fputs(": ", page->out);
	vs_html_text(page->out, summary);
	(void)fputs("</title>\n", page->out);
	put_asset(page, "style", vs_asset_uplot_css, vs_asset_uplot_css_len);
	put_asset(page, "style", vs_asset_style, vs_asset_style_len);
	(void)fputs("</head>\n<body>\n", page->out);
}

static void put_contents(const struct vs_page *page)
{
	static const struct {
		const char *id;
		enum vs_msg title;
	} items[] = {
		{ "timeline", VS_MSG_SECTION_TIMELINE }, { "plateaus", VS_MSG_SECTION_PLATEAUS },
		{ "steps", VS_MSG_SECTION_STEPS },       { "decay", VS_MSG_SECTION_DECAY },
		{ "latency", VS_MSG_SECTION_LATENCY },   { "cost", VS_MSG_SECTION_COST },
		{ "verdict", VS_MSG_SECTION_VERDICT },   { "method", VS_MSG_SECTION_METHOD },
		{ "raw", VS_MSG_SECTION_RAW },
	};

	(void)fputs("<nav aria-label=\"", page->out);
	vs_page_put(page, VS_MSG_CONTENTS);
	(void)fputs("\"><ul>", page->out);
	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		(void)fprintf(page->out, "<li><a href=\"#%s\">", items[i].id);
		vs_page_put(page, items[i].title);
		(void)fputs("</a></li>", page->out);
	}
	(void)fputs("</ul></nav>\n", page->out);
}

static void put_warnings(const struct vs_page *page)
{
	struct vs_buf warnings;

	vs_buf_init(&warnings, 65536);
	vs_facts_warnings(page->timeline, page->lang, &warnings);
	if (warnings.len > 0)
		(void)fputs("<ul class=\"warnings\">\n", page->out);
	for (char *p = warnings.data; p && *p;) {
		char *end = p + strcspn(p, "\n");
		bool last = *end == '\0';
		*end = '\0';
		(void)fputs("<li>", page->out);
		vs_html_text(page->out, p);
		(void)fputs("</li>\n", page->out);
		p = last ? end : end + 1;
	}
	if (warnings.len > 0)
		(void)fputs("</ul>\n", page->out);
	vs_buf_release(&warnings);
}

static void fact(const struct vs_page *page, enum vs_msg name, const char *text)
{
	if (!text || !*text)
		return;
	(void)fputs("<div><dt>", page->out);
	vs_page_put(page, name);
	(void)fputs("</dt><dd>", page->out);
	vs_html_text(page->out, text);
	(void)fputs("</dd></div>\n", page->out);
}

/* "1024 GB"; nothing for what is not known. */
static void number_fact(const struct vs_page *page, enum vs_msg name, double value,
			const char *unit)
{
	char number[64], text[96];

	if (!isfinite(value) || value < 0)
		return;
	(void)vs_table_format(value, value < 100 && floor(value) < value ? 1 : 0, number);
	(void)snprintf(text, sizeof(text), "%s%s", number, unit);
	fact(page, name, text);
}

static void block_head(const struct vs_page *page, enum vs_msg name)
{
	(void)fputs("<div class=\"block\"><h2>", page->out);
	vs_page_put(page, name);
	(void)fputs("</h2><dl>\n", page->out);
}

static void block_end(const struct vs_page *page)
{
	(void)fputs("</dl></div>\n", page->out);
}

static double host_number(const struct vs_page *page, const char *name)
{
	const struct vs_observation *obs = vs_run_find(page->timeline->run, "host", name);

	return obs ? obs->value : (double)NAN;
}

static void put_platform(const struct vs_page *page)
{
	const struct vs_timeline *timeline = page->timeline;

	block_head(page, VS_MSG_PLATFORM);
	fact(page, VS_MSG_HOST, vs_facts_host(timeline, "hostname"));
	fact(page, VS_MSG_CPU, vs_facts_host(timeline, "cpu"));
	number_fact(page, VS_MSG_CPUS, host_number(page, "cpus"), "");
	number_fact(page, VS_MSG_MEMORY, round(host_number(page, "memory_mib") / 102.4) / 10,
		    " GiB");
	fact(page, VS_MSG_OS, vs_facts_host(timeline, "os"));
	fact(page, VS_MSG_KERNEL, vs_facts_host(timeline, "kernel"));
	number_fact(page, VS_MSG_INSTANCE_LIMIT, timeline->run->instance_gbps, " Gbit/s");
	if (!*vs_facts_host(timeline, "hostname") && !*vs_facts_host(timeline, "kernel"))
		fact(page, VS_MSG_HOST, page->lang->text[VS_MSG_PLATFORM_NONE]);
	block_end(page);
}

static void put_volume(const struct vs_page *page)
{
	const struct vs_run *run = page->timeline->run;
	const struct vs_ladder *ladder = page->timeline->ladder;
	char text[128], count[VS_UNITS_TEXT_MAX];

	block_head(page, VS_MSG_VOLUME);
	for (size_t i = 0; i < run->n_targets && i < 8; i++)
		fact(page, VS_MSG_TARGET, run->targets[i].name);
	if (isnan(run->size_gb))
		fact(page, VS_MSG_SIZE, page->lang->text[VS_MSG_UNKNOWN]);
	number_fact(page, VS_MSG_SIZE, run->size_gb, " GB");
	if (run->volumes > 1)
		number_fact(page, VS_MSG_VOLUMES, (double)run->volumes, "");
	fact(page, VS_MSG_PROVIDER, run->provider);
	if (ladder && ladder->n_tiers > 0) {
		const struct vs_tier *top = &ladder->tiers[ladder->n_tiers - 1];
		(void)snprintf(text, sizeof(text), "%s: %s IOPS", top->name,
			       vs_units_format_count(top->iops, count));
		fact(page, VS_MSG_LADDER_TOP, text);
	}
	block_end(page);
}

static void put_workload(const struct vs_page *page)
{
	const struct vs_workload *w = &page->timeline->run->workload;
	char text[VS_UNITS_TEXT_MAX];

	block_head(page, VS_MSG_WORKLOAD);
	fact(page, VS_MSG_PATTERN, w->rw ? w->rw : page->lang->text[VS_MSG_UNKNOWN]);
	if (w->block_bytes > 0)
		fact(page, VS_MSG_BLOCK, vs_units_format_size((uint64_t)w->block_bytes, text));
	number_fact(page, VS_MSG_DEPTH, (double)w->iodepth, "");
	number_fact(page, VS_MSG_JOBS, (double)w->numjobs, "");
	if (w->rate_iops > 0)
		number_fact(page, VS_MSG_RATE, w->rate_iops, " IOPS");
	block_end(page);
}

/* The generator's zone beside UTC; nothing where they are the same. */
static void put_local(const struct vs_page *page)
{
	int64_t wall_ms = page->timeline->run->started_wall_ms;
	time_t sec = (time_t)(wall_ms / 1000);
	struct tm tm;
	char text[64];

	if (!localtime_r(&sec, &tm) || tm.tm_gmtoff == 0 ||
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %Z (%z)", &tm) == 0)
		return;
	fact(page, VS_MSG_LOCAL, text);
}

static void put_measurement(const struct vs_page *page)
{
	const struct vs_run *run = page->timeline->run;
	char text[128], utc[VS_UNITS_TEXT_MAX];

	block_head(page, VS_MSG_MEASUREMENT);
	(void)snprintf(text, sizeof(text), "%lld, %s%s%.8s", (long long)run->id,
		       vs_source_name(run->source), run->uuid[0] ? ", " : "", run->uuid);
	fact(page, VS_MSG_RUN, text);
	(void)vs_units_format_utc(run->started_wall_ms, utc);
	(void)snprintf(text, sizeof(text), "%.10s %.8s UTC", utc, strlen(utc) > 19 ? utc + 11 : "");
	fact(page, VS_MSG_STARTED, text);
	put_local(page);
	fact(page, VS_MSG_DURATION, vs_lang_duration(page->lang, run->duration_ns, text));
	fact(page, VS_MSG_INTERVAL, vs_lang_duration(page->lang, run->interval_ns, text));
	number_fact(page, VS_MSG_SAMPLES, (double)page->timeline->totals.samples, "");
	fact(page, VS_MSG_END, page->lang->text[VS_MSG_END_RUNNING + (int)run->end]);
	fact(page, VS_MSG_TOOL, "volscale " VS_VERSION);
	block_end(page);
}

/* The sentence, in which no line breaks between a number and its unit. */
static void put_headline(const struct vs_page *page, const char *text)
{
	static const char *const units[] = { " s", " min", " h", " d", " ms", " IOPS" };
	struct vs_buf line;

	vs_buf_init(&line, 16384);
	for (const char *p = text; *p; p++) {
		bool unit = false;

		for (size_t i = 0; i < sizeof(units) / sizeof(units[0]) && p > text; i++) {
			size_t len = strlen(units[i]);
			unit = unit ||
			       (strncmp(p, units[i], len) == 0 && !isalpha((unsigned char)p[len]) &&
				isdigit((unsigned char)p[-1]));
		}
		vs_buf_add(&line, unit ? "\xc2\xa0" : p, unit ? 2 : 1);
	}
	vs_html_text(page->out, line.data ? line.data : "");
	vs_buf_release(&line);
}

void vs_page_head(const struct vs_page *page)
{
	const struct vs_run *run = page->timeline->run;
	struct vs_buf summary;

	vs_buf_init(&summary, 8192);
	vs_facts_summary(page->timeline, page->lang, &summary);
	put_document(page, summary.data ? summary.data : "");
	(void)fputs("<header id=\"summary\">\n<p class=\"kind\">", page->out);
	vs_page_put(page, VS_MSG_TITLE);
	if (run->emulated) {
		(void)fputs(" <strong class=\"badge\">", page->out);
		vs_page_put(page, VS_MSG_EMULATED_BADGE);
		(void)fputs("</strong>", page->out);
	}
	if (run->label) {
		(void)fputs(" <span class=\"label\">", page->out);
		vs_html_text(page->out, run->label);
		(void)fputs("</span>", page->out);
	}
	(void)fputs("</p>\n<h1>", page->out);
	put_headline(page, summary.data ? summary.data : "");
	(void)fputs("</h1>\n", page->out);
	vs_buf_release(&summary);
	put_warnings(page);
	(void)fputs("<div class=\"blocks\">\n", page->out);
	put_platform(page);
	put_volume(page);
	put_workload(page);
	put_measurement(page);
	(void)fputs("</div>\n</header>\n", page->out);
	put_contents(page);
	(void)fputs("<main>\n", page->out);
}
