/* Runs side by side: the decision first, then the figures that it rests on. */
#include "reports/compare_report.h"

#include <string.h>
#include <strings.h>

#include "reports/json.h"
#include "reports/wrap.h"

static int put_table(const struct vs_comparison *cmp,
		     void (*rows)(const struct vs_comparison *cmp, struct vs_table *table),
		     enum vs_table_format format, const char *title, FILE *out,
		     struct vs_error *err)
{
	struct vs_table table;
	int rc = 0;

	rows(cmp, &table);
	if (table.n_cells > 0 || table.failed) {
		(void)fputs(title, out);
		rc = vs_table_write(&table, format, out, err);
	}
	vs_table_release(&table);
	return rc;
}

void vs_compare_notes(const struct vs_comparison *cmp, struct vs_buf *out)
{
	bool told = false;

	for (size_t i = 0; i < cmp->n_rows; i++)
		told = told || cmp->rows[i].tier_told;
	if (told)
		vs_buf_addf(out, "* as told; the level itself does not show the tier.\n");
	if (cmp->currency[0])
		vs_buf_addf(out,
			    "Prices in %s a month of the tier held; per 1000: of 1000 IOPS of the "
			    "level reached.\n",
			    cmp->currency);
}

static int notes(const struct vs_comparison *cmp, struct vs_buf *out, struct vs_error *err)
{
	vs_buf_init(out, 4096);
	vs_compare_notes(cmp, out);
	return out->failed ? vs_error_nomem(err) : 0;
}

static int write_text(const struct vs_comparison *cmp, int columns, FILE *out, struct vs_error *err)
{
	struct vs_buf below;

	columns = columns >= 40 ? columns : 80;
	vs_wrap_lines(out, "", cmp->decision, columns);
	if (put_table(cmp, vs_compare_rows, VS_TABLE_TEXT, "\n", out, err) != 0 ||
	    put_table(cmp, vs_compare_rows_cheaper, VS_TABLE_TEXT,
		      "\nWhat a cheaper tier would have given\n", out, err) != 0 ||
	    put_table(cmp, vs_compare_rows_runs, VS_TABLE_TEXT, "\nWhat was run\n", out, err) !=
		    0 ||
	    notes(cmp, &below, err) != 0)
		return -1;
	(void)fputs(below.len ? "\n" : "", out);
	vs_wrap_lines(out, "", below.data, columns);
	vs_buf_release(&below);
	return 0;
}

static int write_markdown(const struct vs_comparison *cmp, int columns, FILE *out,
			  struct vs_error *err)
{
	struct vs_buf below;

	(void)columns;
	(void)fputs("## volscale comparison\n\n", out);
	vs_markdown_text(out, cmp->decision);
	(void)fputc('\n', out);
	if (put_table(cmp, vs_compare_rows, VS_TABLE_MARKDOWN, "\n", out, err) != 0 ||
	    put_table(cmp, vs_compare_rows_cheaper, VS_TABLE_MARKDOWN,
		      "\n### What a cheaper tier would have given\n\n", out, err) != 0 ||
	    put_table(cmp, vs_compare_rows_runs, VS_TABLE_MARKDOWN, "\n### What was run\n\n", out,
		      err) != 0 ||
	    notes(cmp, &below, err) != 0)
		return -1;
	for (char *p = below.data, *end; p && *p; p = end + 1) {
		end = p + strcspn(p, "\n");
		*end = '\0';
		(void)fputc('\n', out);
		vs_markdown_text(out, p);
		(void)fputc('\n', out);
	}
	vs_buf_release(&below);
	return 0;
}

static int write_csv(const struct vs_comparison *cmp, int columns, FILE *out, struct vs_error *err)
{
	(void)columns;
	return put_table(cmp, vs_compare_rows_all, VS_TABLE_CSV, "", out, err);
}

static int write_json(const struct vs_comparison *cmp, int columns, FILE *out, struct vs_error *err)
{
	struct vs_json json;

	(void)columns;
	(void)err;
	vs_json_init(&json, out, 2);
	vs_compare_json_object(cmp, &json, NULL);
	return 0;
}

const struct vs_compare_format vs_compare_formats[] = {
	{ "text", ".txt", write_text },       { "csv", ".csv", write_csv },
	{ "json", ".json", write_json },      { "markdown", ".md", write_markdown },
	{ "html", ".html", vs_compare_html }, { NULL, NULL, NULL },
};

const struct vs_compare_format *vs_compare_format_named(const char *name)
{
	for (const struct vs_compare_format *f = vs_compare_formats; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

const struct vs_compare_format *vs_compare_format_for_file(const char *path)
{
	size_t len = strlen(path);

	for (const struct vs_compare_format *f = vs_compare_formats; f->name; f++) {
		size_t n = strlen(f->suffix);
		if (len > n && strcasecmp(path + len - n, f->suffix) == 0)
			return f;
	}
	return NULL;
}
