/* Inside the store: one connection, its statements, and how a failure of SQLite becomes an error.
 */
#ifndef VS_STORE_DB_H
#define VS_STORE_DB_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/run.h"

/* Prepared when first used, kept until the store is closed. */
enum vs_stmt {
	VS_STMT_BEGIN,
	VS_STMT_COMMIT,
	VS_STMT_ADD_SAMPLE,
	VS_STMT_ADD_SAMPLES, /* VS_BULK_ROWS of them */
	VS_STMT_ADD_OBSERVATION,
	VS_STMT_ADD_EVENT,
	VS_STMT_COUNT
};

#define VS_BULK_ROWS 64

struct vs_store {
	sqlite3 *db;
	char *path;
	bool read_only;
	int folder_fd;       /* locked, shared, as long as the store may write; -1 not */
	int64_t sink_run_id; /* that the sink adds to */
	int64_t steps_left;  /* of the virtual machine, for the read that is going on */
	sqlite3_stmt *kept[VS_STMT_COUNT];
	struct vs_sample waiting[VS_BULK_ROWS]; /* of the bulk sink, in no table yet */
	size_t n_waiting;
};

/* The error of the last call on the connection: "database 'x.db': cannot " + what + why. */
int vs_db_error(struct vs_store *store, struct vs_error *err, const char *what);
int vs_db_exec(struct vs_store *store, const char *sql, const char *what,
	       struct vs_error *err) VS_MUST_CHECK;
/* Ends what BEGIN began to read, and returns rc; where it stays open although rc is 0, -1. */
int vs_db_end_reading(struct vs_store *store, int rc, struct vs_error *err) VS_MUST_CHECK;
/* A statement of the caller's, with its parameters from ?1 on still to bind. */
int vs_db_prepare(struct vs_store *store, const char *sql, sqlite3_stmt **out,
		  struct vs_error *err) VS_MUST_CHECK;
/* A kept one, borrowed; reset and its parameters cleared. */
int vs_db_kept(struct vs_store *store, enum vs_stmt which, const char *sql, sqlite3_stmt **out,
	       struct vs_error *err) VS_MUST_CHECK;
/* Steps a statement that yields no row, and resets it. */
int vs_db_run(struct vs_store *store, sqlite3_stmt *stmt, const char *what,
	      struct vs_error *err) VS_MUST_CHECK;
/* The single integer that sql yields. */
int vs_db_int(struct vs_store *store, const char *sql, int64_t *out,
	      struct vs_error *err) VS_MUST_CHECK;

/* A change of several statements is one transaction, the caller's when there is one. */
int vs_db_begin_own(struct vs_store *store, bool *own_out, struct vs_error *err) VS_MUST_CHECK;
int vs_db_end_own(struct vs_store *store, bool own, int rc, struct vs_error *err) VS_MUST_CHECK;
int vs_db_add_sample(struct vs_store *store, const struct vs_sample *sample,
		     struct vs_error *err) VS_MUST_CHECK;
int vs_db_add_event(struct vs_store *store, int64_t run_id, int64_t at_ns, const char *kind,
		    const char *text, struct vs_error *err) VS_MUST_CHECK;

/* Binding: unknown values (negative, NAN, NULL) become NULL. */
void vs_db_bind_known(sqlite3_stmt *stmt, int index, int64_t value);
void vs_db_bind_real(sqlite3_stmt *stmt, int index, double value); /* whole: as an integer */
int vs_db_bind_text(struct vs_store *store, sqlite3_stmt *stmt, int index, const char *text,
		    struct vs_error *err) VS_MUST_CHECK;

/* SQLite would store a NAN as NULL and keep an infinity: neither is a count. */
int vs_db_check_sample(const struct vs_sample *sample, struct vs_error *err) VS_MUST_CHECK;
/* A sample's columns from phase to lat_max_ns: eight parameters. */
void vs_db_bind_measured(sqlite3_stmt *stmt, int first, const struct vs_sample *sample);
/* What waits goes into the table; bulk.c. */
int vs_bulk_flush(struct vs_store *store, struct vs_error *err) VS_MUST_CHECK;
void vs_bulk_end(struct vs_store *store); /* what still waits is forgotten */

/* A statement that reads may run for so many steps as the file can need, and not for ever. */
void vs_db_limit_steps(struct vs_store *store);

/* Creates or migrates, and checks that the tables are as we made them; migrate.c. */
int vs_migrate(struct vs_store *store, struct vs_error *err) VS_MUST_CHECK;
/* Only checks; migrate.c. *current_out: the version is ours and nothing is to be done. */
int vs_migrate_check(struct vs_store *store, bool *current_out, struct vs_error *err) VS_MUST_CHECK;

/* Keeps others from removing a database of that folder as unused, while this one is open; rescue.c.
 */
void vs_db_hold_folder(struct vs_store *store);
/* Before the connection is closed; rescue.c. */
void vs_db_leave_wal(struct vs_store *store);

/* Does path, or the folder it would be made in, lie on a network file system? place.c. */
bool vs_place_is_network(const char *path);

/* Who writes a run; writer.c. */
struct vs_writer {
	int64_t pid; /* 0 nobody */
	int64_t start_ticks;
	int64_t pid_namespace;
	char boot_id[40];
};

void vs_writer_self(struct vs_writer *out);
/* 1 lives, 0 gone, -1 cannot be told from here (another container). */
int vs_writer_lives(const struct vs_writer *writer);

/* The row of a run and its targets, checked; read.c. Also tells who writes it (NULL: not asked). */
int vs_read_head(struct vs_store *store, int64_t id, struct vs_run *head, struct vs_writer *writer,
		 struct vs_error *err) VS_MUST_CHECK;
int vs_read_phases(struct vs_store *store, struct vs_run *run, struct vs_error *err) VS_MUST_CHECK;
int vs_no_such_run(struct vs_store *store, int64_t id, struct vs_error *err);

#endif
