/*
 * bare_insert DB ROWS: what SQLite itself takes for ROWS samples of 1 s, in a table made like that
 * of DB, with one prepared INSERT in one transaction; prints nanoseconds of CPU a row.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static sqlite3 *db;
static sqlite3_stmt *stmt;

static void must(int rc)
{
	if (rc == SQLITE_OK || rc == SQLITE_ROW || rc == SQLITE_DONE)
		return;
	(void)fprintf(stderr, "bare_insert: %s\n", sqlite3_errmsg(db));
	exit(1);
}

static void insert(sqlite3_int64 row)
{
	for (int i = 9; i <= 15; i++)
		must(sqlite3_bind_null(stmt, i));
	for (int i = 16; i <= 19; i++)
		must(sqlite3_bind_int64(stmt, i, 0));
	must(sqlite3_bind_int64(stmt, 1, 1));
	must(sqlite3_bind_int64(stmt, 2, (row + 1) * 1000000000));
	must(sqlite3_bind_int64(stmt, 3, 0));
	must(sqlite3_bind_int64(stmt, 4, 1000000000));
	must(sqlite3_bind_text(stmt, 5, "load", 4, SQLITE_STATIC));
	must(sqlite3_bind_int64(stmt, 6, 25000 + row % 97));
	must(sqlite3_bind_double(stmt, 7, 0.5));
	must(sqlite3_bind_null(stmt, 8));
	must(sqlite3_step(stmt));
	must(sqlite3_reset(stmt));
}

int main(int argc, char **argv)
{
	sqlite3_int64 rows = argc == 3 ? strtoll(argv[2], NULL, 10) : 0;
	struct rusage use;

	if (rows <= 0) {
		(void)fprintf(stderr, "usage: bare_insert DB ROWS\n");
		return 2;
	}
	must(sqlite3_open(argv[1], &db));
	must(sqlite3_exec(db,
			  "PRAGMA cache_size = -512; PRAGMA synchronous = NORMAL; BEGIN; "
			  "DELETE FROM sample",
			  NULL, NULL, NULL));
	must(sqlite3_prepare_v2(db,
				"INSERT INTO sample VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
				-1, &stmt, NULL));
	for (sqlite3_int64 i = 0; i < rows; i++)
		insert(i);
	must(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
	must(sqlite3_finalize(stmt));
	must(sqlite3_close(db));
	if (getrusage(RUSAGE_SELF, &use) != 0)
		return 1;
	printf("%.0f\n",
	       ((double)use.ru_utime.tv_sec + (double)use.ru_stime.tv_sec) * 1e9 / (double)rows +
		       ((double)use.ru_utime.tv_usec + (double)use.ru_stime.tv_usec) * 1e3 /
			       (double)rows);
	return 0;
}
