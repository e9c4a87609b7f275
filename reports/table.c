#include "reports/table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "reports/json.h"
#include "reports/wrap.h"

/* Decimals of csv and json: enough to compute with, and no noise of the 17th digit. */
#define PLAIN_DECIMALS 6

void vs_table_init(struct vs_table *table, const struct vs_column *columns, size_t n_columns)
{
	*table = (struct vs_table){ .columns = columns, .n_columns = n_columns };
}

void vs_table_release(struct vs_table *table)
{
	for (size_t i = 0; i < table->n_cells; i++)
		free(table->cells[i].text);
	free(table->cells);
	vs_table_init(table, table->columns, table->n_columns);
}

static void add_cell(struct vs_table *table, const char *text, double number)
{
	struct vs_cell cell = { .number = number };

	if (table->failed)
		return;
	if (table->n_cells == table->cap) {
		size_t cap = table->cap ? 2 * table->cap : 64;
		struct vs_cell *cells = reallocarray(table->cells, cap, sizeof(*cells));
		if (!cells) {
			table->failed = true;
			return;
		}
		table->cells = cells;
		table->cap = cap;
	}
	if (text && !(cell.text = strdup(text))) {
		table->failed = true;
		return;
	}
	table->cells[table->n_cells++] = cell;
}

void vs_table_text(struct vs_table *table, const char *text)
{
	add_cell(table, text, (double)NAN);
}

void vs_table_number(struct vs_table *table, double value)
{
	add_cell(table, NULL, value);
}

void vs_table_bool(struct vs_table *table, bool value)
{
	add_cell(table, NULL, value ? 1 : 0);
}

int vs_table_format_named(const char *name)
{
	static const char *const names[] = { "text", "csv", "json", "markdown", "html" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return (int)i;
	return -1;
}

char *vs_table_format(double value, int decimals, char *text)
{
	char plain[48], whole[VS_UNITS_TEXT_MAX];
	const char *point;
	int have;

	(void)vs_json_format(fabs(value), decimals, plain);
	point = strchr(plain, '.');
	have = point ? (int)strlen(point + 1) : 0;
	/* what vs_json_format() rounded must not be rounded again: 0.5 */
	(void)vs_units_format_count(
		fabs(value) < 1e15 ? (double)strtoull(plain, NULL, 10) : fabs(value), whole);
	(void)snprintf(text, 64, "%s%s%s%s%.*s",
		       value < 0 && strpbrk(plain, "123456789") ? "-" : "", whole,
		       decimals > 0 ? "." : "", point ? point + 1 : "", decimals - have,
		       "000000000");
	return text;
}

static bool is_text(const struct vs_column *column)
{
	return column->kind == VS_COLUMN_TEXT || column->kind == VS_COLUMN_RIGHT;
}

static bool is_right(const struct vs_column *column)
{
	return column->kind == VS_COLUMN_NUMBER || column->kind == VS_COLUMN_RIGHT;
}

/* What a reader sees in a cell. Returns text[64] or the cell's own text. */
static const char *cell_shown(const struct vs_column *column, const struct vs_cell *cell,
			      char *text)
{
	if (is_text(column))
		return cell->text ? cell->text : "-";
	if (!isfinite(cell->number))
		return "-";
	if (column->kind == VS_COLUMN_BOOL)
		return cell->number > 0 ? "yes" : "no";
	return vs_table_format(cell->number, column->decimals, text);
}

static int width_of(const char *text)
{
	return vs_wrap_width(text, strlen(text));
}

static void put_padded(FILE *out, const char *text, int width, bool right, bool last)
{
	int pad = width - width_of(text);

	if (right)
		(void)fprintf(out, "%*s", pad, "");
	vs_wrap_plain(out, text, strlen(text));
	if (!right && !last)
		(void)fprintf(out, "%*s", pad, "");
}

static void write_text(const struct vs_table *table, size_t n_rows, const int *widths, FILE *out)
{
	size_t last = 0;
	char text[64];
	int total = -2;
	bool wide;

	for (size_t c = 0; c < table->n_columns; c++)
		if (table->columns[c].title) {
			last = c;
			total += widths[c] + 2;
		}
	wide = total > 80; /* a terminal's line: rather close together than wrapped */
	for (size_t r = 0; r <= n_rows; r++) {
		const char *gap = "";
		for (size_t c = 0; c < table->n_columns; c++) {
			const struct vs_column *column = &table->columns[c];
			const char *shown = column->title;
			if (!column->title)
				continue;
			if (r > 0)
				shown = cell_shown(column,
						   &table->cells[(r - 1) * table->n_columns + c],
						   text);
			(void)fputs(gap, out);
			put_padded(out, shown, widths[c], is_right(column), c == last);
			gap = wide ? " " : "  ";
		}
		(void)fputc('\n', out);
	}
}

static int write_text_table(const struct vs_table *table, size_t n_rows, FILE *out,
			    struct vs_error *err)
{
	int *widths = calloc(table->n_columns + 1, sizeof(*widths));
	char text[64];

	if (!widths)
		return vs_error_nomem(err);
	for (size_t c = 0; c < table->n_columns; c++)
		if (table->columns[c].title)
			widths[c] = width_of(table->columns[c].title);
	for (size_t i = 0; i < n_rows * table->n_columns; i++) {
		size_t c = i % table->n_columns;
		int width = width_of(cell_shown(&table->columns[c], &table->cells[i], text));
		if (width > widths[c])
			widths[c] = width;
	}
	write_text(table, n_rows, widths, out);
	free(widths);
	return 0;
}

static void write_csv(const struct vs_table *table, size_t n_rows, FILE *out)
{
	char text[48];

	for (size_t c = 0; c < table->n_columns; c++) {
		(void)fputs(c ? "," : "", out);
		vs_csv_text(out, table->columns[c].name);
	}
	(void)fputc('\n', out);
	for (size_t i = 0; i < n_rows * table->n_columns; i++) {
		const struct vs_column *column = &table->columns[i % table->n_columns];
		const struct vs_cell *cell = &table->cells[i];

		if (is_text(column) && cell->text)
			vs_csv_text(out, cell->text);
		else if (column->kind == VS_COLUMN_BOOL && isfinite(cell->number))
			(void)fputs(cell->number > 0 ? "true" : "false", out);
		else if (column->kind == VS_COLUMN_NUMBER)
			(void)fputs(vs_json_format(cell->number, PLAIN_DECIMALS, text), out);
		(void)fputc((i + 1) % table->n_columns ? ',' : '\n', out);
	}
}

void vs_table_json(const struct vs_table *table, struct vs_json *json, const char *key)
{
	vs_json_open(json, key, '[');
	for (size_t i = 0; i < table->n_cells; i++) {
		const struct vs_column *column = &table->columns[i % table->n_columns];
		const struct vs_cell *cell = &table->cells[i];

		if (i % table->n_columns == 0)
			vs_json_open(json, NULL, '{');
		if (is_text(column))
			vs_json_text(json, column->name, cell->text);
		else if (column->kind == VS_COLUMN_BOOL && isfinite(cell->number))
			vs_json_bool(json, column->name, cell->number > 0);
		else
			vs_json_number(json, column->name, cell->number, PLAIN_DECIMALS);
		if ((i + 1) % table->n_columns == 0)
			vs_json_close(json);
	}
	vs_json_close(json);
}

static void write_markdown(const struct vs_table *table, size_t n_rows, FILE *out)
{
	char text[64];

	for (size_t c = 0; c < table->n_columns; c++)
		if (table->columns[c].title) {
			(void)fputs("| ", out);
			vs_markdown_text(out, table->columns[c].title);
			(void)fputc(' ', out);
		}
	(void)fputs("|\n", out);
	for (size_t c = 0; c < table->n_columns; c++)
		if (table->columns[c].title)
			(void)fputs(is_right(&table->columns[c]) ? "| ---: " : "| --- ", out);
	(void)fputs("|\n", out);
	for (size_t i = 0; i < n_rows * table->n_columns; i++) {
		const struct vs_column *column = &table->columns[i % table->n_columns];
		if (column->title) {
			(void)fputs("| ", out);
			vs_markdown_text(out, cell_shown(column, &table->cells[i], text));
			(void)fputc(' ', out);
		}
		if ((i + 1) % table->n_columns == 0)
			(void)fputs("|\n", out);
	}
}

static void write_html(const struct vs_table *table, size_t n_rows, FILE *out)
{
	char text[64];

	(void)fputs("<table>\n<thead><tr>", out);
	for (size_t c = 0; c < table->n_columns; c++)
		if (table->columns[c].title) {
			(void)fputs(is_right(&table->columns[c]) ? "<th scope=\"col\" class=\"n\">"
								 : "<th scope=\"col\">",
				    out);
			vs_html_text(out, table->columns[c].title);
			(void)fputs("</th>", out);
		}
	(void)fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < n_rows * table->n_columns; i++) {
		const struct vs_column *column = &table->columns[i % table->n_columns];
		if (i % table->n_columns == 0)
			(void)fputs("<tr>", out);
		if (column->title) {
			(void)fputs(is_right(column) ? "<td class=\"n\">" : "<td>", out);
			vs_html_text(out, cell_shown(column, &table->cells[i], text));
			(void)fputs("</td>", out);
		}
		if ((i + 1) % table->n_columns == 0)
			(void)fputs("</tr>\n", out);
	}
	(void)fputs("</tbody>\n</table>\n", out);
}

int vs_table_write(const struct vs_table *table, enum vs_table_format format, FILE *out,
		   struct vs_error *err)
{
	size_t n_rows = table->n_cells / table->n_columns;
	struct vs_json json;

	if (table->failed)
		return vs_error_nomem(err);
	VS_ASSERT(n_rows * table->n_columns == table->n_cells);
	switch (format) {
	case VS_TABLE_TEXT:
		return write_text_table(table, n_rows, out, err);
	case VS_TABLE_CSV:
		write_csv(table, n_rows, out);
		break;
	case VS_TABLE_JSON:
		vs_json_init(&json, out, 1);
		vs_table_json(table, &json, NULL);
		break;
	case VS_TABLE_MARKDOWN:
		write_markdown(table, n_rows, out);
		break;
	case VS_TABLE_HTML:
		write_html(table, n_rows, out);
		break;
	}
	return 0;
}
