#include "store/store.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/db.h"

/* A text of a hostile file is refused by SQLite above this, and a statement of ours never needs it.
 */
#define TEXT_MAX_BYTES   (1 << 20)
#define WAL_KEEP_BYTES   "16777216"
#define STEPS_A_CALLBACK 10000

int vs_db_error(struct vs_store *store, struct vs_error *err, const char *what)
{
	int code = sqlite3_extended_errcode(store->db);
	const char *remedy = "";

	if (code == SQLITE_NOMEM)
		return vs_error_nomem(err);
	switch (code & 0xff) {
	case SQLITE_NOTADB:
		return vs_error_set(err, VS_EDB, code,
				    "'%s' is not a database; name another file with --db",
				    store->path);
	case SQLITE_BUSY:
		remedy = "; another program is writing to it";
		break;
	case SQLITE_FULL:
		remedy = "; make room on its disk";
		break;
	case SQLITE_CORRUPT:
		remedy = "; save what can be saved with 'sqlite3 FILE .recover'";
		break;
	case SQLITE_INTERRUPT:
		return vs_error_set(err, VS_EDB, SQLITE_CORRUPT,
				    "database '%s' cannot %s: it is damaged and reading it does "
				    "not end; save what can be saved with 'sqlite3 FILE .recover'",
				    store->path, what);
	default:
		break;
	}
	return vs_error_set(err, VS_EDB, code, "database '%s' cannot %s: %s%s", store->path, what,
			    sqlite3_errmsg(store->db), remedy);
}

bool vs_store_error_is_retryable(const struct vs_error *err)
{
	if (err->code == VS_ENOMEM)
		return true;
	if (err->code != VS_EDB)
		return false;
	switch (err->detail & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_FULL:
	case SQLITE_IOERR:
	case SQLITE_NOMEM:
	case SQLITE_CANTOPEN:
	case SQLITE_PROTOCOL:
		return true;
	default:
		return false;
	}
}

int vs_db_exec(struct vs_store *store, const char *sql, const char *what, struct vs_error *err)
{
	if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK)
		return 0;
	return vs_db_error(store, err, what);
}

int vs_db_end_reading(struct vs_store *store, int rc, struct vs_error *err)
{
	if (sqlite3_get_autocommit(store->db)) /* an error has ended it */
		return rc;
	if (rc == 0)
		return vs_db_exec(store, "ROLLBACK", "be read", err);
	(void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}

int vs_db_prepare(struct vs_store *store, const char *sql, sqlite3_stmt **out, struct vs_error *err)
{
	if (sqlite3_prepare_v2(store->db, sql, -1, out, NULL) == SQLITE_OK)
		return 0;
	return vs_db_error(store, err, "be read");
}

int vs_db_kept(struct vs_store *store, enum vs_stmt which, const char *sql, sqlite3_stmt **out,
	       struct vs_error *err)
{
	if (!store->kept[which] && sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
						      &store->kept[which], NULL) != SQLITE_OK)
		return vs_db_error(store, err, "be written");
	*out = store->kept[which];
	(void)sqlite3_reset(*out);
	(void)sqlite3_clear_bindings(*out);
	return 0;
}

int vs_db_run(struct vs_store *store, sqlite3_stmt *stmt, const char *what, struct vs_error *err)
{
	int rc = sqlite3_step(stmt);

	if (rc != SQLITE_DONE && rc != SQLITE_ROW)
		rc = vs_db_error(store, err, what);
	else
		rc = 0;
	(void)sqlite3_reset(stmt); /* only repeats the error of the step */
	return rc;
}

int vs_db_int(struct vs_store *store, const char *sql, int64_t *out, struct vs_error *err)
{
	sqlite3_stmt *stmt;
	int rc = 0;

	if (vs_db_prepare(store, sql, &stmt, err) != 0)
		return -1;
	if (sqlite3_step(stmt) == SQLITE_ROW)
		*out = sqlite3_column_int64(stmt, 0);
	else
		rc = vs_db_error(store, err, "be read");
	(void)sqlite3_finalize(stmt);
	return rc;
}

void vs_db_bind_known(sqlite3_stmt *stmt, int index, int64_t value)
{
	if (value < 0)
		(void)sqlite3_bind_null(stmt, index);
	else
		(void)sqlite3_bind_int64(stmt, index, value);
}

void vs_db_bind_real(sqlite3_stmt *stmt, int index, double value)
{
	if (!isfinite(value))
		(void)sqlite3_bind_null(stmt, index);
	else if (fabs(value) < 9e15 && islessequal(fabs(value - trunc(value)), 0.0))
		(void)sqlite3_bind_int64(stmt, index, (int64_t)value); /* so that sums are whole */
	else
		(void)sqlite3_bind_double(stmt, index, value);
}

int vs_db_bind_text(struct vs_store *store, sqlite3_stmt *stmt, int index, const char *text,
		    struct vs_error *err)
{
	if (sqlite3_bind_text(stmt, index, text, -1, SQLITE_TRANSIENT) == SQLITE_OK)
		return 0;
	return vs_db_error(store, err, "be written");
}

static int count_steps(void *ctx)
{
	struct vs_store *store = ctx;

	store->steps_left -= STEPS_A_CALLBACK;
	return store->steps_left < 0;
}

void vs_db_limit_steps(struct vs_store *store)
{
	struct stat st;
	int64_t bytes = stat(store->path, &st) == 0 ? (int64_t)st.st_size : 0;

	/* the smallest row takes some 10 bytes, and reading one some 100 steps */
	store->steps_left = 50000000 + bytes * 16;
	sqlite3_progress_handler(store->db, STEPS_A_CALLBACK, count_steps, store);
}

/* What a file may make SQLite do: nothing but hold tables. */
static void lock_down(sqlite3 *db)
{
	(void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, TEXT_MAX_BYTES);
	(void)sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
#ifdef SQLITE_DBCONFIG_ENABLE_VIEW
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
#endif
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
#endif
}

/* Before SQLite may touch the path: a device named by mistake must never be written to. */
static int check_path(const char *path, bool must_exist, struct vs_error *err)
{
	struct stat st;

	if (stat(path, &st) != 0) {
		if (errno != ENOENT)
			return vs_error_sys(err, errno, "cannot open database '%s'", path);
		if (must_exist)
			return vs_error_set(err, VS_ENOTFOUND, ENOENT,
					    "there is no database '%s'; 'volscale observe', "
					    "'rehearse' and 'import' make one, --db names another",
					    path);
		return 0;
	}
	if (!S_ISREG(st.st_mode))
		return vs_error_set(err, VS_EUSAGE, 0,
				    "'%s' is a %s and cannot be the database; name a file with "
				    "--db",
				    path,
				    S_ISDIR(st.st_mode)   ? "directory"
				    : S_ISBLK(st.st_mode) ? "block device"
							  : "special file");
	return 0;
}

/* A missing folder, a forbidden one: SQLite only says "unable to open". */
static int open_failed(struct vs_store *store, struct vs_error *err)
{
	int code = sqlite3_extended_errcode(store->db);
	int errnum = store->db ? sqlite3_system_errno(store->db) : 0;

	if ((code & 0xff) == SQLITE_CANTOPEN && errnum)
		return vs_error_sys(err, errnum, "cannot open database '%s'", store->path);
	return vs_db_error(store, err, "be opened");
}

void vs_store_set_busy_timeout(struct vs_store *store, int64_t busy_timeout_ns)
{
	int64_t busy_ns = busy_timeout_ns ? busy_timeout_ns : 5 * VS_NS_PER_SEC;

	(void)sqlite3_busy_timeout(store->db, (int)(busy_ns / VS_NS_PER_MS));
}

static int connect_to(struct vs_store *store, const char *name, int flags,
		      const struct vs_store_options *options, struct vs_error *err)
{
	int rc;

	rc = sqlite3_open_v2(name, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (rc != SQLITE_OK)
		return open_failed(store, err);
	(void)sqlite3_extended_result_codes(store->db, 1);
	vs_store_set_busy_timeout(store, options->busy_timeout_ns);
	lock_down(store->db);
	return 0;
}

/*
 * A recording on a medium that cannot be written has no room for the WAL's index. When there is no
 * WAL beside it the file is whole, and may be read as one that nobody changes.
 */
static int reconnect_immutable(struct vs_store *store, const struct vs_store_options *options,
			       struct vs_error *err)
{
	struct stat st;
	char *uri, *wal;
	int rc;

	wal = sqlite3_mprintf("%s-wal", store->path);
	uri = sqlite3_mprintf("file:%s?immutable=1", store->path);
	if (!wal || !uri) {
		rc = vs_error_nomem(err);
	} else if (strpbrk(store->path, "?#%") || (stat(wal, &st) == 0 && st.st_size > 0)) {
		rc = vs_error_set(err, VS_EDB, SQLITE_CANTOPEN,
				  "database '%s' cannot be read where it lies: nothing can be "
				  "written beside it; copy it and '%s-wal' to another folder",
				  store->path, store->path);
	} else {
		(void)sqlite3_close(store->db);
		store->db = NULL;
		rc = connect_to(store, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, options, err);
	}
	sqlite3_free(wal);
	sqlite3_free(uri);
	return rc;
}

static int open_read_only(struct vs_store *store, const struct vs_store_options *options,
			  struct vs_error *err)
{
	struct vs_error first = { 0 };
	bool current;

	if (connect_to(store, store->path, SQLITE_OPEN_READONLY, options, err) != 0)
		return -1;
	vs_db_limit_steps(store);
	if (vs_migrate_check(store, &current, &first) == 0)
		return 0;
	if (first.code != VS_EDB || ((first.detail & 0xff) != SQLITE_CANTOPEN &&
				     (first.detail & 0xff) != SQLITE_READONLY)) {
		if (err)
			*err = first;
		return -1;
	}
	if (reconnect_immutable(store, options, err) != 0)
		return -1;
	vs_db_limit_steps(store);
	return vs_migrate_check(store, &current, err);
}

/* A journal mode is asked for, not set: the answer is the mode that is in force. */
static int set_journal(struct vs_store *store, const char *mode, struct vs_error *err)
{
	char sql[48];
	sqlite3_stmt *stmt;
	const char *answer;
	int rc;

	(void)sqlite3_snprintf(sizeof(sql), sql, "PRAGMA journal_mode = %s", mode);
	if (vs_db_prepare(store, sql, &stmt, err) != 0)
		return -1;
	if (sqlite3_step(stmt) != SQLITE_ROW) {
		rc = vs_db_error(store, err, "be written");
	} else {
		answer = (const char *)sqlite3_column_text(stmt, 0);
		rc = answer && strcmp(answer, mode) == 0 ? 0 : -1;
		if (rc != 0)
			(void)vs_error_set(err, VS_EDB, SQLITE_CANTOPEN,
					   "database '%s' cannot be written: its file system "
					   "does not allow journal mode '%s' ('%s' instead); put "
					   "it on a local disk",
					   store->path, mode, answer ? answer : "none");
	}
	(void)sqlite3_finalize(stmt);
	return rc;
}

/* While two make the same file, SQLite says at once that it is locked, and does not wait. */
static int set_wal(struct vs_store *store, struct vs_error *err)
{
	const struct timespec little = { .tv_nsec = 20 * VS_NS_PER_MS };
	int64_t limit_ns = vs_clock_mono_ns() + 2 * VS_NS_PER_SEC;
	struct vs_error why = { 0 };
	int rc;

	while ((rc = set_journal(store, "wal", &why)) != 0 && why.code == VS_EDB &&
	       (why.detail & 0xff) == SQLITE_BUSY && vs_clock_mono_ns() < limit_ns) {
		vs_error_clear(&why);
		(void)nanosleep(&little, NULL);
	}
	return rc == 0 ? 0 : vs_error_set(err, why.code, why.detail, "%s", why.text);
}

static int open_writable(struct vs_store *store, const struct vs_store_options *options,
			 struct vs_error *err)
{
	int flags = SQLITE_OPEN_READWRITE | (options->existing ? 0 : SQLITE_OPEN_CREATE);
	bool full = options->durability == VS_DURABILITY_FULL;
	bool current;

	if (connect_to(store, store->path, flags, options, err) != 0)
		return -1;
	/* until the file is known to be ours, leave also the WAL of its owner alone */
	(void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	vs_db_limit_steps(store);
	if (vs_migrate_check(store, &current, err) != 0)
		return -1;
	if (sqlite3_db_readonly(store->db, "main") == 1)
		return vs_error_sys(err, EACCES, "cannot write database '%s'", store->path);
	sqlite3_progress_handler(store->db, 0, NULL, NULL);
	(void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
	/* the tables are made before there is a WAL: there only FULL stands a power cut */
	/* a recording only ever appends: a larger cache would be memory that grows for hours */
	if (vs_db_exec(store, "PRAGMA cache_size = -512", "be written", err) != 0 ||
	    vs_db_exec(store, "PRAGMA synchronous = FULL", "be written", err) != 0 ||
	    vs_db_exec(store, "PRAGMA journal_size_limit = " WAL_KEEP_BYTES, "be written", err) !=
		    0)
		return -1;
	if (!current && vs_migrate(store, err) != 0)
		return -1;
	if (vs_place_is_network(store->path))
		return set_journal(store, "delete", err);
	if (set_wal(store, err) != 0)
		return -1;
	return full ? 0 : vs_db_exec(store, "PRAGMA synchronous = NORMAL", "be written", err);
}

int vs_store_open(const char *path, const struct vs_store_options *options, struct vs_store **out,
		  struct vs_error *err)
{
	struct vs_store *store;
	int rc;

	if (check_path(path, options->read_only || options->existing, err) != 0)
		return -1;
	store = calloc(1, sizeof(*store));
	if (!store || !(store->path = strdup(path))) {
		free(store);
		return vs_error_nomem(err);
	}
	store->read_only = options->read_only;
	store->folder_fd = -1;
	if (!options->read_only)
		vs_db_hold_folder(store);
	rc = options->read_only ? open_read_only(store, options, err)
				: open_writable(store, options, err);
	if (rc != 0) {
		vs_store_free(store);
		return -1;
	}
	*out = store;
	return 0;
}

void vs_store_free(struct vs_store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < VS_STMT_COUNT; i++)
		(void)sqlite3_finalize(store->kept[i]);
	vs_db_leave_wal(store);
	VS_ASSERT(sqlite3_close(store->db) == SQLITE_OK); /* else a statement was left open */
	if (store->folder_fd >= 0)
		(void)close(store->folder_fd);
	free(store->path);
	free(store);
}

static int run_kept(struct vs_store *store, enum vs_stmt which, const char *sql,
		    struct vs_error *err)
{
	sqlite3_stmt *stmt;

	if (vs_db_kept(store, which, sql, &stmt, err) != 0)
		return -1;
	return vs_db_run(store, stmt, "be written", err);
}

int vs_store_begin(struct vs_store *store, struct vs_error *err)
{
	/* a rollback may have wanted memory itself */
	if (!sqlite3_get_autocommit(store->db) &&
	    vs_db_exec(store, "ROLLBACK", "be written", err) != 0)
		return -1;
	return run_kept(store, VS_STMT_BEGIN, "BEGIN IMMEDIATE", err);
}

int vs_store_commit(struct vs_store *store, struct vs_error *err)
{
	/* SQLite rolls back by itself on some failures; a commit of nothing would hide that */
	if (sqlite3_get_autocommit(store->db))
		return vs_error_set(err, VS_EDB, SQLITE_ABORT_ROLLBACK,
				    "database '%s': the batch was rolled back", store->path);
	if (vs_bulk_flush(store, err) == 0 && run_kept(store, VS_STMT_COMMIT, "COMMIT", err) == 0) {
		vs_bulk_end(store);
		return 0;
	}
	vs_store_rollback(store);
	return -1;
}

void vs_store_rollback(struct vs_store *store)
{
	vs_bulk_end(store);
	/* a statement that failed half-way holds the transaction open until it is reset */
	for (size_t i = 0; i < VS_STMT_COUNT; i++)
		(void)sqlite3_reset(store->kept[i]);
	if (!sqlite3_get_autocommit(store->db))
		(void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
}
