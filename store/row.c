#include "store/row.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/sample.h"

int vs_row_fault(struct vs_row *row, int column, const char *why)
{
	row->bad = true;
	return vs_error_set(row->err, VS_EINVAL, 0,
			    "damaged recording: row %" PRId64 " of table '%s': %s %s", row->number,
			    row->table, sqlite3_column_name(row->stmt, column), why);
}

int64_t vs_row_int(struct vs_row *row, int column, int64_t min, int64_t max)
{
	int64_t value;

	if (row->bad)
		return 0;
	if (sqlite3_column_type(row->stmt, column) != SQLITE_INTEGER) {
		(void)vs_row_fault(row, column, "is not a whole number");
		return 0;
	}
	value = sqlite3_column_int64(row->stmt, column);
	if (value < min || value > max) {
		(void)vs_row_fault(row, column, "is out of range");
		return 0;
	}
	return value;
}

int64_t vs_row_known(struct vs_row *row, int column)
{
	if (row->bad || sqlite3_column_type(row->stmt, column) == SQLITE_NULL)
		return VS_UNKNOWN;
	return vs_row_int(row, column, 0, VS_ROW_MAX);
}

double vs_row_real(struct vs_row *row, int column)
{
	int type = sqlite3_column_type(row->stmt, column);
	double value;

	if (row->bad || type == SQLITE_NULL)
		return (double)NAN;
	value = sqlite3_column_double(row->stmt, column);
	if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !isfinite(value)) {
		(void)vs_row_fault(row, column, "is not a finite number");
		return (double)NAN;
	}
	return value;
}

double vs_row_count(struct vs_row *row, int column)
{
	double value = vs_row_real(row, column);

	if (!row->bad && !(value >= 0 && value <= 1e15)) /* also when NULL */
		(void)vs_row_fault(row, column, "is out of range");
	return row->bad ? 0 : value;
}

const char *vs_row_text(struct vs_row *row, int column, bool null_ok)
{
	const char *text;
	int type = sqlite3_column_type(row->stmt, column);

	if (row->bad || (type == SQLITE_NULL && null_ok))
		return null_ok ? NULL : "";
	if (type != SQLITE_TEXT) {
		(void)vs_row_fault(row, column, "is not a text");
		return null_ok ? NULL : "";
	}
	text = (const char *)sqlite3_column_text(row->stmt, column);
	if (!text) {
		row->bad = true;
		(void)vs_error_nomem(row->err);
		return null_ok ? NULL : "";
	}
	if (strlen(text) != (size_t)sqlite3_column_bytes(row->stmt, column)) {
		(void)vs_row_fault(row, column, "holds a NUL");
		return null_ok ? NULL : "";
	}
	return text;
}

int vs_row_word(struct vs_row *row, int column, int (*value_of)(const char *))
{
	int value = value_of(vs_row_text(row, column, false));

	if (!row->bad && value < 0)
		(void)vs_row_fault(row, column, "is a word that this volscale does not know");
	return row->bad ? 0 : value;
}
