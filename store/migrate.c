#include "store/db.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "vscl": tells our files from any other SQLite database. Also in the first migration. */
#define APPLICATION_ID 0x7673636c

/*
 * What leads from each version to the next. A released entry is never edited. Samples are keyed by
 * time before target: a recording then only ever appends, and a load reads in the order it needs.
 */
static const char *const migrations[] = {
	"CREATE TABLE run (\n"
	"  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	"  uuid TEXT NOT NULL UNIQUE,\n"
	"  source TEXT NOT NULL,\n"
	"  state TEXT NOT NULL,\n"
	"  emulated INTEGER NOT NULL,\n"
	"  label TEXT,\n"
	"  started_at_ms INTEGER NOT NULL,\n"
	"  ended_at_ms INTEGER,\n"
	"  duration_ns INTEGER NOT NULL,\n"
	"  interval_ns INTEGER NOT NULL,\n"
	"  provider TEXT,\n"
	"  size_gb REAL,\n"
	"  volumes INTEGER,\n"
	"  instance_gbps REAL,\n"
	"  rw TEXT,\n"
	"  block_bytes INTEGER,\n"
	"  iodepth INTEGER,\n"
	"  numjobs INTEGER,\n"
	"  rate_iops REAL,\n"
	"  writer_pid INTEGER,\n"
	"  writer_start_ticks INTEGER,\n"
	"  writer_pid_namespace INTEGER,\n"
	"  writer_boot_id TEXT);\n"
	"CREATE TABLE target (\n"
	"  run_id INTEGER NOT NULL REFERENCES run(id),\n"
	"  target INTEGER NOT NULL,\n"
	"  name TEXT NOT NULL,\n"
	"  size_bytes INTEGER,\n"
	"  size_gb REAL,\n"
	"  is_device INTEGER NOT NULL,\n"
	"  device TEXT,\n"
	"  PRIMARY KEY (run_id, target)) WITHOUT ROWID;\n"
	"CREATE TABLE phase (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  run_id INTEGER NOT NULL REFERENCES run(id),\n"
	"  start_ns INTEGER NOT NULL,\n"
	"  phase TEXT NOT NULL);\n"
	"CREATE INDEX phase_by_run ON phase(run_id, start_ns);\n"
	"CREATE TABLE sample (\n"
	"  run_id INTEGER NOT NULL REFERENCES run(id),\n"
	"  end_ns INTEGER NOT NULL,\n"
	"  target INTEGER NOT NULL,\n"
	"  length_ns INTEGER NOT NULL,\n"
	"  phase TEXT NOT NULL,\n"
	"  ios NUMERIC NOT NULL,\n"
	"  resolution_ios REAL,\n"
	"  bytes INTEGER,\n"
	"  lat_p50_ns INTEGER,\n"
	"  lat_p99_ns INTEGER,\n"
	"  lat_p999_ns INTEGER,\n"
	"  lat_max_ns INTEGER,\n"
	"  device_reads INTEGER,\n"
	"  device_merges INTEGER,\n"
	"  device_sectors INTEGER,\n"
	"  oldest_ns INTEGER NOT NULL,\n"
	"  inflight INTEGER NOT NULL,\n"
	"  errors INTEGER NOT NULL,\n"
	"  flags INTEGER NOT NULL,\n"
	"  PRIMARY KEY (run_id, end_ns, target)) WITHOUT ROWID;\n"
	"CREATE TABLE observation (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  run_id INTEGER NOT NULL REFERENCES run(id),\n"
	"  at_ns INTEGER NOT NULL,\n"
	"  source TEXT NOT NULL,\n"
	"  name TEXT NOT NULL,\n"
	"  value NUMERIC,\n"
	"  text TEXT);\n"
	"CREATE INDEX observation_by_run ON observation(run_id, at_ns);\n"
	"CREATE TABLE event (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  run_id INTEGER NOT NULL REFERENCES run(id),\n"
	"  at_ns INTEGER NOT NULL,\n"
	"  kind TEXT NOT NULL,\n"
	"  text TEXT NOT NULL);\n"
	"CREATE INDEX event_by_run ON event(run_id, at_ns);\n"
	"PRAGMA application_id = 0x7673636c;\n",

	"CREATE TABLE price (\n"
	"  provider TEXT NOT NULL,\n"
	"  item TEXT NOT NULL,\n"
	"  currency TEXT NOT NULL,\n"
	"  value REAL NOT NULL,\n"
	"  priced_at TEXT NOT NULL,\n"
	"  fetched_at_ms INTEGER NOT NULL,\n"
	"  source TEXT NOT NULL,\n"
	"  PRIMARY KEY (provider, item, currency)) WITHOUT ROWID;\n",
};

#define VERSION ((int64_t)(sizeof(migrations) / sizeof(migrations[0])))

/* At one moment: another program may be making the tables. */
static int read_facts(struct vs_store *store, int64_t *application_id, int64_t *version,
		      int64_t *objects, struct vs_error *err)
{
	bool own = sqlite3_get_autocommit(store->db);
	int rc;

	if (own && vs_db_exec(store, "BEGIN", "be read", err) != 0)
		return -1;
	rc = vs_db_int(store, "SELECT EXISTS(SELECT 1 FROM sqlite_master)", objects, err);
	if (rc == 0)
		rc = vs_db_int(store, "PRAGMA application_id", application_id, err);
	if (rc == 0)
		rc = vs_db_int(store, "PRAGMA user_version", version, err);
	return own ? vs_db_end_reading(store, rc, err) : rc;
}

static int read_version(struct vs_store *store, int64_t *version_out, struct vs_error *err)
{
	int64_t application_id = 0, objects = 0;

	*version_out = 0;
	if (read_facts(store, &application_id, version_out, &objects, err) != 0)
		return -1;
	if (application_id == 0 && *version_out == 0 && objects == 0)
		return 0;
	if (application_id != APPLICATION_ID)
		return vs_error_set(err, VS_EFORMAT, 0,
				    "'%s' is a database of another program, not of volscale; name "
				    "another file with --db",
				    store->path);
	if (*version_out > VERSION)
		return vs_error_set(err, VS_EFORMAT, 0,
				    "'%s' was written by a newer volscale (its version %" PRId64
				    ", ours %" PRId64 "); use that one, or name another file "
				    "with --db",
				    store->path, *version_out, VERSION);
	if (*version_out < 1)
		return vs_error_set(err, VS_EFORMAT, 0,
				    "'%s' is damaged: its version is %" PRId64
				    "; name another file with --db",
				    store->path, *version_out);
	return 0;
}

static int differs(struct vs_store *store, struct vs_error *err, const char *name)
{
	return vs_error_set(err, VS_EFORMAT, 0,
			    "'%s' is not as volscale makes it: table '%s' was changed; name "
			    "another file with --db",
			    store->path, name);
}

/*
 * The n-th statement of the migrations must stand in the file word for word: then no view, virtual
 * table, generated column or check of somebody else's runs when we read. `sql` ends at the ';'.
 */
static int check_table(struct vs_store *store, sqlite3_stmt *lookup, const char *sql, size_t len,
		       struct vs_error *err)
{
	static const char prefix[] = "CREATE TABLE ";
	const char *name = sql + sizeof(prefix) - 1;
	size_t name_len = strcspn(name, " ");
	char text[32];
	int rc;

	VS_ASSERT(name_len < sizeof(text));
	memcpy(text, name, name_len);
	text[name_len] = '\0';
	(void)sqlite3_reset(lookup);
	if (sqlite3_bind_text(lookup, 1, text, -1, SQLITE_TRANSIENT) != SQLITE_OK)
		return vs_db_error(store, err, "be read");
	rc = sqlite3_step(lookup);
	if (rc == SQLITE_DONE)
		return differs(store, err, text);
	if (rc != SQLITE_ROW)
		return vs_db_error(store, err, "be read");
	const char *found = (const char *)sqlite3_column_text(lookup, 0);
	if (!found || strlen(found) != len || memcmp(found, sql, len) != 0)
		return differs(store, err, text);
	return 0;
}

static int check_tables(struct vs_store *store, int64_t version, struct vs_error *err)
{
	sqlite3_stmt *lookup;
	int rc = 0;

	if (vs_db_prepare(store, "SELECT sql FROM sqlite_master WHERE name = ?1 AND type = 'table'",
			  &lookup, err) != 0)
		return -1;
	for (int64_t i = 0; i < version && rc == 0; i++) {
		for (const char *sql = migrations[i]; *sql && rc == 0;) {
			size_t len = strcspn(sql, ";");

			if (strncmp(sql, "CREATE TABLE ", 13) == 0)
				rc = check_table(store, lookup, sql, len, err);
			sql += len + strspn(sql + len, ";\n");
		}
	}
	(void)sqlite3_finalize(lookup);
	return rc;
}

int vs_migrate_check(struct vs_store *store, bool *current_out, struct vs_error *err)
{
	int64_t version;

	if (read_version(store, &version, err) != 0 || check_tables(store, version, err) != 0)
		return -1;
	*current_out = version == VERSION;
	if (!*current_out && store->read_only && version == 0)
		return vs_error_set(err, VS_ENOTFOUND, 0,
				    "'%s' is empty: no run was recorded in it; make one with "
				    "'volscale observe', 'rehearse' or 'import'",
				    store->path);
	if (!*current_out && store->read_only)
		return vs_error_set(err, VS_EFORMAT, 0,
				    "'%s' was written by an older volscale; 'volscale runs' brings "
				    "it up to date",
				    store->path);
	return 0;
}

static int migrate_from(struct vs_store *store, int64_t version, struct vs_error *err)
{
	char sql[48];

	for (int64_t i = version; i < VERSION; i++)
		if (vs_db_exec(store, migrations[i], "be brought up to date", err) != 0)
			return -1;
	(void)sqlite3_snprintf(sizeof(sql), sql, "PRAGMA user_version = %lld", (long long)VERSION);
	return vs_db_exec(store, sql, "be brought up to date", err);
}

int vs_migrate(struct vs_store *store, struct vs_error *err)
{
	int64_t version;

	/* looked at again: another process may have been faster while we waited for the lock */
	if (vs_db_exec(store, "BEGIN IMMEDIATE", "be brought up to date", err) != 0)
		return -1;
	if (read_version(store, &version, err) != 0 || check_tables(store, version, err) != 0 ||
	    migrate_from(store, version, err) != 0 ||
	    vs_db_exec(store, "COMMIT", "be brought up to date", err) != 0) {
		(void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
		return -1;
	}
	return 0;
}
