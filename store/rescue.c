/* A database whose file was removed or replaced while it is open: all of it is still there for us.
 */
#include <stdio.h>
#include <unistd.h>

#include "store/db.h"
#include "store/store.h"

bool vs_store_has_moved(struct vs_store *store)
{
	int moved = 0;

	return sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) ==
		       SQLITE_OK &&
	       moved;
}

/* SQLite would delete the WAL by its name, which may be another database's by now. */
void vs_db_leave_wal(struct vs_store *store)
{
	int keep = 1;

	if (store->db && vs_store_has_moved(store))
		(void)sqlite3_file_control(store->db, "main", SQLITE_FCNTL_PERSIST_WAL, &keep);
}

int vs_store_copy(struct vs_store *store, const char *path, struct vs_error *err)
{
	sqlite3_backup *backup = NULL;
	sqlite3 *to = NULL;
	int rc = SQLITE_CANTOPEN;

	if (access(path, F_OK) == 0)
		return vs_error_set(err, VS_EUSAGE, 0, "'%s' is there already", path);
	if (sqlite3_open_v2(path, &to,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
			    NULL) == SQLITE_OK)
		backup = sqlite3_backup_init(to, "main", store->db, "main");
	if (backup) {
		(void)sqlite3_backup_step(backup, -1);
		rc = sqlite3_backup_finish(backup);
	}
	(void)sqlite3_close(to);
	if (rc == SQLITE_OK)
		return 0;
	(void)unlink(path);
	return vs_error_set(err, VS_EDB, rc, "database '%s' cannot be copied to '%s': %s",
			    store->path, path, sqlite3_errstr(rc));
}
