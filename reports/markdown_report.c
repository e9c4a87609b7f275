/* For a ticket: pasted, it renders; read as it is, it can be read. */
#include <string.h>

#include "base/error.h"
#include "reports/facts.h"
#include "reports/formats.h"
#include "reports/prose.h"
#include "reports/rows.h"

/* Each line of the buffer as an item of Markdown behind head; what it holds is foreign text. */
static void put_lines(FILE *out, const char *head, struct vs_buf *lines)
{
	char *p = lines->data;

	while (p && *p) {
		size_t len = strcspn(p, "\n");
		bool last = p[len] == '\0';

		p[len] = '\0';
		(void)fputs(head, out);
		vs_markdown_text(out, p);
		(void)fputc('\n', out);
		p += last ? len : len + 1;
	}
}

static void put_facts(const struct vs_timeline *timeline, FILE *out)
{
	struct vs_buf facts;

	vs_buf_init(&facts, 65536);
	vs_prose_facts(timeline, &facts);
	for (char *p = facts.data; p && *p;) {
		char *value = p + strcspn(p, "\t\n");
		char *end = value + strcspn(value, "\n");

		VS_ASSERT(*value == '\t' && *end == '\n');
		*value++ = '\0';
		*end = '\0';
		(void)fprintf(out, "- **%s**: ", p);
		vs_markdown_text(out, value);
		(void)fputc('\n', out);
		p = end + 1;
	}
	vs_buf_release(&facts);
}

static int put_table(const char *head, const struct vs_timeline *timeline,
		     void (*rows)(const struct vs_timeline *timeline, struct vs_table *table),
		     FILE *out, struct vs_error *err)
{
	struct vs_table table;
	int rc = 0;

	rows(timeline, &table);
	if (table.n_cells > 0 || table.failed) {
		(void)fprintf(out, "\n### %s\n\n", head);
		rc = vs_table_write(&table, VS_TABLE_MARKDOWN, out, err);
	}
	vs_table_release(&table);
	return rc;
}

static void put_end(const struct vs_timeline *timeline, FILE *out)
{
	struct vs_buf lines;

	vs_buf_init(&lines, 8192);
	vs_prose_tiers(timeline, &lines);
	vs_prose_dips(timeline, &lines);
	if (lines.len > 0)
		vs_buf_add(&lines, "\n", 1);
	vs_facts_power(timeline, &vs_lang_en, &lines);
	put_lines(out, "\n", &lines);
	vs_buf_release(&lines);
}

int vs_report_markdown(const struct vs_timeline *timeline, const struct vs_report_options *options,
		       FILE *out, struct vs_error *err)
{
	struct vs_buf summary, warnings;
	int rc = 0;

	(void)options;
	vs_buf_init(&summary, 8192);
	vs_buf_init(&warnings, 65536);
	vs_facts_summary(timeline, &vs_lang_en, &summary);
	vs_facts_warnings(timeline, &vs_lang_en, &warnings);
	if (summary.failed || warnings.failed) {
		rc = vs_error_nomem(err);
	} else {
		(void)fputs("## volscale timeline\n\n", out);
		put_lines(out, "", &summary);
		(void)fputc('\n', out);
		if (warnings.len > 0) {
			put_lines(out, "> - ", &warnings);
			(void)fputc('\n', out);
		}
		put_facts(timeline, out);
	}
	vs_buf_release(&summary);
	vs_buf_release(&warnings);
	if (rc != 0 || put_table("Plateaus", timeline, vs_rows_plateaus, out, err) != 0 ||
	    put_table("Steps", timeline, vs_rows_steps, out, err) != 0 ||
	    put_table("Cost", timeline, vs_rows_cost, out, err) != 0 ||
	    put_table("Cost by tier", timeline, vs_rows_cost_tiers, out, err) != 0)
		return -1;
	put_end(timeline, out);
	return 0;
}
