/* For a terminal: the answer first, then the evidence, in 80 columns. */
#include <string.h>

#include "base/error.h"
#include "reports/facts.h"
#include "reports/formats.h"
#include "reports/prose.h"
#include "reports/rows.h"
#include "reports/wrap.h"

static void put_facts(const struct vs_timeline *timeline, FILE *out, int columns)
{
	struct vs_buf facts;

	vs_buf_init(&facts, 65536);
	vs_prose_facts(timeline, &facts);
	for (const char *p = facts.data ? facts.data : ""; *p;) {
		size_t name = strcspn(p, "\t\n"), len;
		char head[16];

		VS_ASSERT(p[name] == '\t');
		(void)snprintf(head, sizeof(head), "%-10.*s", (int)name, p);
		p += name + 1;
		len = strcspn(p, "\n");
		vs_wrap_text(out, head, p, len, columns);
		p += len + 1;
	}
	vs_buf_release(&facts);
}

static int put_table(const struct vs_timeline *timeline,
		     void (*rows)(const struct vs_timeline *timeline, struct vs_table *table),
		     FILE *out, struct vs_error *err)
{
	struct vs_table table;
	int rc = 0;

	rows(timeline, &table);
	if (table.n_cells > 0 || table.failed) {
		(void)fputc('\n', out);
		rc = vs_table_write(&table, VS_TABLE_TEXT, out, err);
	}
	vs_table_release(&table);
	return rc;
}

static void put_end(const struct vs_timeline *timeline, FILE *out, int columns)
{
	struct vs_buf lines;

	vs_buf_init(&lines, 8192);
	vs_prose_tiers(timeline, &lines);
	vs_prose_dips(timeline, &lines);
	if (lines.len > 0)
		vs_buf_add(&lines, "\n", 1);
	vs_facts_power(timeline, &vs_lang_en, &lines);
	if (lines.len > 0)
		(void)fputc('\n', out);
	vs_wrap_lines(out, "", lines.data, columns);
	vs_buf_release(&lines);
}

int vs_report_text(const struct vs_timeline *timeline, const struct vs_report_options *options,
		   FILE *out, struct vs_error *err)
{
	int columns = options->columns >= 40 ? options->columns : 80;
	struct vs_buf summary, warnings;
	int rc = 0;

	vs_buf_init(&summary, 8192);
	vs_buf_init(&warnings, 65536);
	vs_facts_summary(timeline, &vs_lang_en, &summary);
	vs_facts_warnings(timeline, &vs_lang_en, &warnings);
	if (summary.failed || warnings.failed) {
		rc = vs_error_nomem(err);
	} else {
		vs_wrap_lines(out, "", summary.data, columns);
		vs_wrap_lines(out, "! ", warnings.data, columns);
		(void)fputc('\n', out);
		put_facts(timeline, out, columns);
	}
	vs_buf_release(&summary);
	vs_buf_release(&warnings);
	if (rc != 0 || put_table(timeline, vs_rows_plateaus, out, err) != 0 ||
	    put_table(timeline, vs_rows_steps, out, err) != 0 ||
	    put_table(timeline, vs_rows_cost, out, err) != 0 ||
	    put_table(timeline, vs_rows_cost_tiers, out, err) != 0)
		return -1;
	put_end(timeline, out, columns);
	return 0;
}
