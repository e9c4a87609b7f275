/* One self-contained page: no request to anywhere, and the same without scripts and in print. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "reports/formats.h"
#include "reports/html.h"
#include "reports/json.h"
#include "reports/table.h"

void vs_page_put(const struct vs_page *page, enum vs_msg msg)
{
	vs_html_text(page->out, page->lang->text[msg]);
}

void vs_page_fill(const struct vs_page *page, enum vs_msg msg, const char *const *args)
{
	struct vs_buf buf;

	vs_buf_init(&buf, 65536);
	vs_lang_fill(page->lang, msg, args, &buf);
	vs_html_text(page->out, buf.data ? buf.data : "");
	vs_buf_release(&buf);
}

void vs_page_section(const struct vs_page *page, const char *id, enum vs_msg title)
{
	(void)fprintf(
		page->out,
		"<section id=\"%s\" aria-labelledby=\"h-%s\">\n<h2 id=\"h-%s\"><a href=\"#%s\">",
		id, id, id, id);
	vs_page_put(page, title);
	(void)fputs("</a></h2>\n", page->out);
}

void vs_page_end_section(const struct vs_page *page)
{
	(void)fputs("</section>\n", page->out);
}

void vs_page_table(const struct vs_page *page, enum vs_msg name, const enum vs_msg *heads,
		   const char *align)
{
	(void)fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"",
		    page->out);
	vs_page_put(page, name);
	(void)fputs("\"><table>\n<thead><tr>", page->out);
	for (size_t i = 0; heads[i] != VS_MSG_COUNT; i++) {
		(void)fputs(align[i] == 'r' ? "<th scope=\"col\" class=\"n\">"
					    : "<th scope=\"col\">",
			    page->out);
		vs_page_put(page, heads[i]);
		(void)fputs("</th>", page->out);
	}
	(void)fputs("</tr></thead>\n<tbody>\n", page->out);
}

void vs_page_end_table(const struct vs_page *page)
{
	(void)fputs("</tbody></table></div>\n", page->out);
}

void vs_page_cell(const struct vs_page *page, const char *text)
{
	(void)fputs("<td>", page->out);
	vs_html_text(page->out, text && *text ? text : "\xe2\x80\x93");
	(void)fputs("</td>", page->out);
}

void vs_page_cell_msg(const struct vs_page *page, enum vs_msg msg)
{
	vs_page_cell(page, page->lang->text[msg]);
}

static void number_cell(const struct vs_page *page, const char *text, const char *suffix)
{
	(void)fputs("<td class=\"n\">", page->out);
	vs_html_text(page->out, text);
	vs_html_text(page->out, suffix);
	(void)fputs("</td>", page->out);
}

void vs_page_cell_count(const struct vs_page *page, double value)
{
	char text[VS_UNITS_TEXT_MAX];

	number_cell(page, isfinite(value) ? vs_units_format_count(value, text) : "\xe2\x80\x93",
		    "");
}

void vs_page_cell_number(const struct vs_page *page, double value, int decimals, const char *suffix)
{
	char text[64];

	if (isfinite(value))
		number_cell(page, vs_table_format(value, decimals, text), suffix);
	else
		number_cell(page, "\xe2\x80\x93", "");
}

void vs_page_cell_time(const struct vs_page *page, int64_t ns)
{
	int64_t wall_ms = page->timeline->run->started_wall_ms + (ns + 500000) / 1000000;
	time_t sec = (time_t)(wall_ms / 1000);
	char utc[VS_UNITS_TEXT_MAX], local[64];
	struct tm tm;

	(void)vs_units_format_utc(wall_ms, utc);
	(void)fprintf(page->out, "<td class=\"n\">%.8s", strlen(utc) > 19 ? utc + 11 : utc);
	if (localtime_r(&sec, &tm) && tm.tm_gmtoff != 0 &&
	    strftime(local, sizeof(local), "%H:%M:%S %Z", &tm) > 0) {
		(void)fputs("<small class=\"local\">", page->out);
		vs_html_text(page->out, local);
		(void)fputs("</small>", page->out);
	}
	(void)fputs("</td>", page->out);
}

int vs_report_html(const struct vs_timeline *timeline, const struct vs_report_options *options,
		   FILE *out, struct vs_error *err)
{
	struct vs_page page = { .timeline = timeline,
				.lang = vs_lang_named(options->lang),
				.out = out };

	if (!page.lang)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "no language '%s' for the report; there are en and ja",
				    options->lang);
	if (vs_curve_make(timeline->run, &page.series, err) != 0)
		return -1;
	vs_facts_find(timeline, &page.facts);
	vs_page_head(&page);
	vs_page_chart(&page);
	vs_page_tables(&page);
	vs_page_verdict(&page);
	vs_page_raw(&page);
	vs_curve_release(&page.series);
	return 0;
}
