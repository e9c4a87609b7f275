/* A database whose file was removed or replaced while it is open: all of it is still there for us.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
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

void vs_db_hold_folder(struct vs_store *store)
{
	const struct timespec little = { .tv_nsec = 10 * VS_NS_PER_MS };
	const char *slash = strrchr(store->path, '/');
	char folder[4200];

	(void)snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - store->path) + 1 : 1,
		       slash ? store->path : ".");
	store->folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* who holds it alone removes a file; if that takes long it is another program's lock */
	for (int tries = 0; store->folder_fd >= 0 && tries < 100; tries++) {
		if (flock(store->folder_fd, LOCK_SH | LOCK_NB) == 0)
			return;
		(void)nanosleep(&little, NULL);
	}
	if (store->folder_fd >= 0)
		(void)close(store->folder_fd);
	store->folder_fd = -1;
}

/* With the folder for itself alone nobody else has it open to write. */
void vs_store_remove_unused(struct vs_store *store)
{
	struct vs_error why = { 0 };
	char path[4200];
	int64_t rows = 1;

	if (store->folder_fd < 0 || flock(store->folder_fd, LOCK_EX | LOCK_NB) != 0 ||
	    vs_db_int(store, "SELECT (SELECT count(*) FROM run) + (SELECT count(*) FROM price)",
		      &rows, &why) != 0 ||
	    rows != 0 || vs_store_has_moved(store))
		return;
	(void)unlink(store->path);
	for (size_t i = 0; i < 2; i++) {
		(void)snprintf(path, sizeof(path), "%s%s", store->path, i ? "-wal" : "-shm");
		(void)unlink(path);
	}
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
