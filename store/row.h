/* One column of a row that somebody else may have written: checked for type and range, or an error
 * that names the row. */
#ifndef VS_STORE_ROW_H
#define VS_STORE_ROW_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Times of a run, in ns, and everything that is counted, stay below this: 100 years, and sums of
 * two do not overflow. */
#define VS_ROW_MAX INT64_C(3155760000000000000)

/* The reading of one row: the first column that cannot be right makes it bad, and the rest 0. */
struct vs_row {
	sqlite3_stmt *stmt;
	const char *table;
	int64_t number; /* of the row in its query, from 0 */
	struct vs_error *err;
	bool bad;
};

/* Whole, from min to max. */
int64_t vs_row_int(struct vs_row *row, int column, int64_t min, int64_t max);
/* The same from 0 on; NULL gives VS_UNKNOWN. */
int64_t vs_row_known(struct vs_row *row, int column);
/* Finite, from 0 to 1e15. */
double vs_row_count(struct vs_row *row, int column);
/* Finite; NULL gives NAN. */
double vs_row_real(struct vs_row *row, int column);
/* Borrowed until the next step; NULL gives NULL when null_ok. */
const char *vs_row_text(struct vs_row *row, int column, bool null_ok);
/* One of ours ("running"): its value by the function. */
int vs_row_word(struct vs_row *row, int column, int (*value_of)(const char *));
/* Always -1; the error names table, row and column. */
int vs_row_fault(struct vs_row *row, int column, const char *why);

#endif
