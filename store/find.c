/* From what a user types to a run's id. */
#include "store/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "store/db.h"

#define PREFIX_MIN 4

static int no_runs(struct vs_store *store, struct vs_error *err)
{
	return vs_error_set(err, VS_ENOTFOUND, 0,
			    "'%s' holds no runs yet; make one with 'volscale observe', 'rehearse' "
			    "or 'import'",
			    store->path);
}

/* The value of ref when all of it is a number that an id can be. */
static bool parse_id(const char *ref, int64_t *out)
{
	size_t len = strlen(ref);

	if (len == 0 || len > 18 || strspn(ref, "0123456789") != len)
		return false;
	*out = strtoll(ref, NULL, 10);
	return true;
}

/* How many uuids begin with ref (2 stands for several); the id of the first. */
static int match_prefix(struct vs_store *store, const char *ref, int *n_out, int64_t *id_out,
			struct vs_error *err)
{
	sqlite3_stmt *stmt;
	int rc;

	*n_out = 0;
	if (vs_db_prepare(store,
			  "SELECT id FROM run WHERE substr(uuid, 1, length(?1)) = lower(?1) "
			  "ORDER BY id LIMIT 2",
			  &stmt, err) != 0)
		return -1;
	if (vs_db_bind_text(store, stmt, 1, ref, err) != 0) {
		(void)sqlite3_finalize(stmt);
		return -1;
	}
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
		if ((*n_out)++ == 0)
			*id_out = sqlite3_column_int64(stmt, 0);
	rc = rc == SQLITE_DONE ? 0 : vs_db_error(store, err, "be read");
	(void)sqlite3_finalize(stmt);
	return rc;
}

static int find(struct vs_store *store, const char *ref, int64_t *id_out, struct vs_error *err)
{
	int64_t last, id, exists = 0;
	char sql[64];
	int n;

	if (vs_db_int(store, "SELECT coalesce(max(id), -1) FROM run", &last, err) != 0)
		return -1;
	if (last < 0)
		return no_runs(store, err);
	if (strcmp(ref, "last") == 0) {
		*id_out = last;
		return 0;
	}
	if (parse_id(ref, &id)) {
		(void)sqlite3_snprintf(sizeof(sql), sql,
				       "SELECT EXISTS(SELECT 1 FROM run WHERE id = %lld)",
				       (long long)id);
		if (vs_db_int(store, sql, &exists, err) != 0)
			return -1;
		if (exists) {
			*id_out = id;
			return 0;
		}
	}
	if (strlen(ref) < PREFIX_MIN || strspn(ref, "0123456789abcdefABCDEF-") != strlen(ref)) {
		if (parse_id(ref, &id))
			return vs_no_such_run(store, id, err);
		return vs_error_set(
			err, VS_EUSAGE, 0,
			"'%s' names no run; give an id, the first %d or more letters of a "
			"uuid, or 'last'; 'volscale runs' lists them",
			ref, PREFIX_MIN);
	}
	if (match_prefix(store, ref, &n, id_out, err) != 0)
		return -1;
	if (n == 0)
		return vs_error_set(err, VS_ENOTFOUND, 0,
				    "there is no run '%s' in '%s'; 'volscale runs' lists them", ref,
				    store->path);
	if (n > 1)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "'%s' fits several runs; give more letters of the uuid, or the "
				    "id; 'volscale runs' lists them",
				    ref);
	return 0;
}

int vs_store_run_find(struct vs_store *store, const char *ref, int64_t *id_out,
		      struct vs_error *err)
{
	int rc;

	vs_db_limit_steps(store);
	rc = find(store, ref, id_out, err);
	sqlite3_progress_handler(store->db, 0, NULL, NULL);
	return rc;
}
