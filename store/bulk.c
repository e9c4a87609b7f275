/*
 * Samples by the million, of a run that is read at one go: a row an INSERT costs more than twice
 * what it costs among many in one. What an import never knows stands in the statement.
 */
#include "store/store.h"

#include <string.h>

#include "store/db.h"

#define ROW_PARAMETERS 11 /* and ?1, the run; in all fewer than the 999 that SQLite may allow */

static int prepare(struct vs_store *store, struct vs_error *err)
{
	static const char columns[] =
		"INSERT INTO sample (run_id, end_ns, target, length_ns, phase, ios, "
		"resolution_ios, bytes, lat_p50_ns, lat_p99_ns, lat_p999_ns, lat_max_ns, "
		"oldest_ns, inflight, errors, flags) VALUES ";
	static const char row[] = "(?1,?,0,?,?,?,?,?,?,?,?,?,0,0,0,?),";
	char sql[sizeof(columns) + VS_BULK_ROWS * (sizeof(row) - 1)], *end = sql;

	memcpy(end, columns, sizeof(columns) - 1);
	end += sizeof(columns) - 1;
	for (size_t i = 0; i < VS_BULK_ROWS; i++, end += sizeof(row) - 1)
		memcpy(end, row, sizeof(row) - 1);
	end[-1] = '\0'; /* the last comma */
	return vs_db_kept(store, VS_STMT_ADD_SAMPLES, sql, &store->kept[VS_STMT_ADD_SAMPLES], err);
}

static void bind(sqlite3_stmt *stmt, int first, const struct vs_sample *s)
{
	(void)sqlite3_bind_int64(stmt, first, s->end_ns);
	(void)sqlite3_bind_int64(stmt, first + 1, s->length_ns);
	vs_db_bind_measured(stmt, first + 2, s);
	(void)sqlite3_bind_int64(stmt, first + 10, s->flags);
}

/* Has the statement a place for all that is known of it? */
static bool is_plain(const struct vs_sample *s)
{
	return s->target == 0 && s->device_reads < 0 && s->device_merges < 0 &&
	       s->device_sectors < 0 && s->oldest_ns == 0 && s->inflight == 0 && s->errors == 0;
}

static int insert_many(struct vs_store *store, struct vs_error *err)
{
	sqlite3_stmt *stmt;

	if (!store->kept[VS_STMT_ADD_SAMPLES] && prepare(store, err) != 0)
		return -1;
	stmt = store->kept[VS_STMT_ADD_SAMPLES];
	(void)sqlite3_bind_int64(stmt, 1, store->sink_run_id);
	for (int i = 0; i < VS_BULK_ROWS; i++)
		bind(stmt, 2 + i * ROW_PARAMETERS, &store->waiting[i]);
	return vs_db_run(store, stmt, "take a sample", err);
}

int vs_bulk_flush(struct vs_store *store, struct vs_error *err)
{
	size_t n = store->n_waiting;

	store->n_waiting = 0;
	if (n == VS_BULK_ROWS)
		return insert_many(store, err);
	for (size_t i = 0; i < n; i++)
		if (vs_db_add_sample(store, &store->waiting[i], err) != 0)
			return -1;
	return 0;
}

static int sink_sample(void *ctx, const struct vs_sample *s, struct vs_error *err)
{
	struct vs_store *store = ctx;

	if (!is_plain(s))
		return vs_db_add_sample(store, s, err);
	if (vs_db_check_sample(s, err) != 0)
		return -1;
	store->waiting[store->n_waiting++] = *s;
	return store->n_waiting == VS_BULK_ROWS ? vs_bulk_flush(store, err) : 0;
}

/* Each row refers to a run that the same transaction made: SQLite need not look it up again. */
static void look_up_runs(struct vs_store *store, int on)
{
	(void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_FKEY, on, NULL);
}

struct vs_sink vs_store_bulk_sink(struct vs_store *store, int64_t run_id)
{
	struct vs_sink sink = vs_store_sink(store, run_id);

	VS_ASSERT(!sqlite3_get_autocommit(store->db));
	look_up_runs(store, 0);
	sink.sample = sink_sample;
	return sink;
}

void vs_bulk_end(struct vs_store *store)
{
	store->n_waiting = 0;
	look_up_runs(store, 1);
}
