/* A table, and its five ways out: what every command that prints rows uses. */
#ifndef VS_REPORTS_TABLE_H
#define VS_REPORTS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

enum vs_column_kind {
	VS_COLUMN_TEXT,
	VS_COLUMN_RIGHT,  /* text that is set to the right: a time, a tier */
	VS_COLUMN_NUMBER, /* text, markdown, html: grouped, `decimals` digits; csv, json: plain */
	VS_COLUMN_BOOL,   /* yes, no; csv, json: true, false */
};

struct vs_column {
	const char *name;  /* csv, json: "price_month" */
	const char *title; /* text, markdown, html: "price/month"; NULL hides the column there */
	enum vs_column_kind kind;
	int decimals; /* 0 to 9 */
};

struct vs_cell {
	char *text;    /* TEXT; NULL: unknown */
	double number; /* NUMBER: NAN unknown; BOOL: 0 or 1 */
};

/*
 * Cells are added row after row, in the order of the columns. A failed allocation sticks and is
 * told by vs_table_write(). An unknown cell is empty in csv, null in json, "-" elsewhere.
 */
struct vs_table {
	const struct vs_column *columns; /* borrowed */
	size_t n_columns;
	struct vs_cell *cells;
	size_t n_cells, cap;
	bool failed;
};

enum vs_table_format {
	VS_TABLE_TEXT,
	VS_TABLE_CSV,
	VS_TABLE_JSON, /* an array of objects */
	VS_TABLE_MARKDOWN,
	VS_TABLE_HTML, /* a table element */
};

void vs_table_init(struct vs_table *table, const struct vs_column *columns, size_t n_columns);
void vs_table_release(struct vs_table *table);
void vs_table_text(struct vs_table *table, const char *text); /* copied */
void vs_table_number(struct vs_table *table, double value);
void vs_table_bool(struct vs_table *table, bool value);
/* "text", "csv", "json", "markdown", "html"; -1: no such format. */
int vs_table_format_named(const char *name);
/* Checks nothing of out: the caller flushes and tests ferror(). */
int vs_table_write(const struct vs_table *table, enum vs_table_format format, FILE *out,
		   struct vs_error *err) VS_MUST_CHECK;

/* A finite number for a reader: grouped, with just so many decimals. Fills text[64]. */
char *vs_table_format(double value, int decimals, char *text);

struct vs_json;
/* The table as an array of objects, a member of the container that is open. */
void vs_table_json(const struct vs_table *table, struct vs_json *json, const char *key);

/*
 * One value of a csv line: quoted when it must be; bytes that are not UTF-8 become U+FFFD. A ' is
 * put before what a spreadsheet would run as a formula.
 */
void vs_csv_text(FILE *out, const char *text);
/* Text with & < > " ' escaped, control characters and broken UTF-8 as U+FFFD. */
void vs_html_text(FILE *out, const char *text);
/* Text for a cell or line of Markdown: what has a meaning there is escaped, lines are joined. */
void vs_markdown_text(FILE *out, const char *text);

#endif
