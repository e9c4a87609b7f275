/* The parts of the HTML page; each writes its elements, and none keeps anything. */
#ifndef VS_REPORTS_HTML_H
#define VS_REPORTS_HTML_H

#include <stdio.h>

#include "model/timeline.h"
#include "reports/curve.h"
#include "reports/facts.h"
#include "reports/lang.h"

struct vs_page {
	const struct vs_timeline *timeline;
	const struct vs_lang *lang;
	struct vs_facts facts;
	struct vs_curve series;
	FILE *out;
};

void vs_page_head(const struct vs_page *page);    /* doctype to the header block of four columns */
void vs_page_chart(const struct vs_page *page);   /* #timeline */
void vs_page_tables(const struct vs_page *page);  /* #plateaus #steps #decay #latency */
void vs_page_verdict(const struct vs_page *page); /* #cost #verdict #method */
void vs_page_raw(const struct vs_page *page);     /* #raw, the embedded data */

/* Words of the page's language, escaped. */
void vs_page_put(const struct vs_page *page, enum vs_msg msg);
void vs_page_fill(const struct vs_page *page, enum vs_msg msg, const char *const *args);
/* <section id><h2>…</h2>; closed with vs_page_end_section(). */
void vs_page_section(const struct vs_page *page, const char *id, enum vs_msg title);
void vs_page_end_section(const struct vs_page *page);
/* Opens a table that scrolls by itself when it is too wide; heads end with VS_MSG_COUNT. */
void vs_page_table(const struct vs_page *page, enum vs_msg name, const enum vs_msg *heads,
		   const char *align);
void vs_page_end_table(const struct vs_page *page);
/* Cells. A NULL or empty text and a number that is not finite are shown as a dash. */
void vs_page_cell(const struct vs_page *page, const char *text);
void vs_page_cell_msg(const struct vs_page *page, enum vs_msg msg);
void vs_page_cell_count(const struct vs_page *page, double value);
void vs_page_cell_number(const struct vs_page *page, double value, int decimals,
			 const char *suffix);
/* A cell "12:01:23" in UTC with the generator's local time under it where they differ. */
void vs_page_cell_time(const struct vs_page *page, int64_t ns);

#endif
