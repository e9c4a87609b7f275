/* For a terminal: the answer first, then the evidence, in 80 columns. */
#include <string.h>

#include "reports/facts.h"
#include "reports/formats.h"
#include "reports/json.h"
#include "reports/prose.h"
#include "reports/rows.h"

/* Columns that a character takes: CJK and emoji two. */
static int width_at(const char *s, int len)
{
	return len == 4 || (len == 3 && (unsigned char)*s >= 0xe3 && (unsigned char)*s <= 0xed) ? 2
												: 1;
}

static int word_width(const char *s, size_t len)
{
	int width = 0;

	for (size_t i = 0; i < len;) {
		int n = vs_json_utf8(s + i);
		width += n ? width_at(s + i, n) : 1;
		i += n ? (size_t)n : 1;
	}
	return width;
}

/* What could steer a terminal is shown as '?'. */
static void put_safe(FILE *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len;) {
		int n = vs_json_utf8(s + i);
		if (n == 0 || (unsigned char)s[i] < 0x20 || s[i] == 0x7f)
			(void)fputc('?', out);
		else
			(void)fwrite(s + i, 1, (size_t)n, out);
		i += n ? (size_t)n : 1;
	}
}

/* Words of one line of text, behind a head, wrapped with a hanging indent. */
static void put_wrapped(FILE *out, const char *head, const char *text, size_t len, int columns)
{
	int indent = word_width(head, strlen(head)), at = indent;
	bool first = true;

	(void)fputs(head, out);
	for (size_t i = 0; i < len;) {
		size_t n = 0;
		int width;

		while (i + n < len && text[i + n] != ' ')
			n++;
		width = word_width(text + i, n);
		if (!first && at + 1 + width > columns) {
			(void)fprintf(out, "\n%*s", indent, "");
			at = indent;
		} else if (!first) {
			(void)fputc(' ', out);
			at++;
		}
		put_safe(out, text + i, n);
		at += width;
		first = false;
		i += n;
		while (i < len && text[i] == ' ')
			i++;
	}
	(void)fputc('\n', out);
}

static void put_lines(FILE *out, const char *head, const struct vs_buf *lines, int columns)
{
	const char *p = lines->data ? lines->data : "";

	while (*p) {
		size_t len = strcspn(p, "\n");
		put_wrapped(out, head, p, len, columns);
		p += p[len] ? len + 1 : len;
	}
}

static void put_facts(const struct vs_timeline *timeline, FILE *out, int columns)
{
	struct vs_buf facts;

	vs_buf_init(&facts, 65536);
	vs_prose_facts(timeline, &facts);
	for (const char *p = facts.data ? facts.data : ""; *p;) {
		size_t name = strcspn(p, "\t"), len;
		char head[16];

		(void)snprintf(head, sizeof(head), "%-10.*s", (int)name, p);
		p += name + 1;
		len = strcspn(p, "\n");
		put_wrapped(out, head, p, len, columns);
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
	struct vs_buf dips;

	vs_buf_init(&dips, 4096);
	vs_prose_dips(timeline, &dips);
	if (dips.len > 0 || timeline->power.text[0])
		(void)fputc('\n', out);
	put_lines(out, "", &dips, columns);
	if (timeline->power.text[0])
		put_wrapped(out, "", timeline->power.text, strlen(timeline->power.text), columns);
	vs_buf_release(&dips);
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
		put_lines(out, "", &summary, columns);
		put_lines(out, "! ", &warnings, columns);
		(void)fputc('\n', out);
		put_facts(timeline, out, columns);
	}
	vs_buf_release(&summary);
	vs_buf_release(&warnings);
	if (rc != 0 || put_table(timeline, vs_rows_plateaus, out, err) != 0 ||
	    put_table(timeline, vs_rows_steps, out, err) != 0 ||
	    put_table(timeline, vs_rows_cost, out, err) != 0)
		return -1;
	put_end(timeline, out, columns);
	return 0;
}
