/* The recordings on disk: SQLite and nothing else. One writer at a time, readers any time. */
#ifndef VS_STORE_STORE_H
#define VS_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/run.h"
#include "base/sink.h"

struct vs_store;

enum vs_durability {
	VS_DURABILITY_NORMAL, /* a kill loses nothing committed; a power cut may lose what the
				 system had not written back, some 30 s on Linux */
	VS_DURABILITY_FULL,   /* a committed second survives a power cut */
};

struct vs_store_options {
	bool read_only; /* the file must exist; nothing is written, not even a migration */
	bool existing;  /* a missing file is VS_ENOTFOUND instead of made */
	enum vs_durability durability;
	int64_t busy_timeout_ns; /* how long to wait for another writer; 0: 5 s */
};

/*
 * Opens or creates the file; an old schema is migrated in one transaction (read-only: refused with
 * the remedy), a newer one, a foreign one and one whose tables are not as we made them are refused,
 * untouched. WAL, or on a network file system a rollback journal. A store belongs to one thread.
 */
int vs_store_open(const char *path, const struct vs_store_options *options, struct vs_store **out,
		  struct vs_error *err) VS_MUST_CHECK;
/* From now on; 0: the 5 s again. */
void vs_store_set_busy_timeout(struct vs_store *store, int64_t busy_timeout_ns);
void vs_store_free(struct vs_store *store); /* NULL allowed; an open transaction is rolled back */

/* Was its file removed or replaced since it was opened? What is written still goes into the old
 * one, which is gone when the store is freed: make a copy. */
bool vs_store_has_moved(struct vs_store *store);
/* Removes the file when nothing was recorded in it and nobody else has it open. */
void vs_store_remove_unused(struct vs_store *store);
/* Copies the whole database, also one whose file is gone, to a path where there is nothing yet. */
int vs_store_copy(struct vs_store *store, const char *path, struct vs_error *err) VS_MUST_CHECK;

/*
 * Transactions do not nest. Whatever is added outside of one is a transaction by itself. After a
 * failed commit nothing of the transaction is kept and the store is as good as before: begin again
 * and add the same batch. After a failed addition call vs_store_rollback() first.
 */
int vs_store_begin(struct vs_store *store, struct vs_error *err) VS_MUST_CHECK;
int vs_store_commit(struct vs_store *store, struct vs_error *err) VS_MUST_CHECK;
void vs_store_rollback(struct vs_store *store); /* without a transaction: nothing */
/* May the same call work later: locked, disk full, I/O error, out of memory? */
bool vs_store_error_is_retryable(const struct vs_error *err);

/*
 * May a database at path (it need not exist) be written while the targets are measured? VS_EUSAGE
 * with the reason when it lies on one of them (also through partitions, LVM, md, loop) or on a
 * network file system; the caller may go on when forced. A thing to know but no reason to refuse
 * comes back as one line in notice ("" none): a target that is a file on the same file system.
 */
#define VS_STORE_NOTICE_MAX 256
int vs_store_check_place(const char *path, const char *const *targets, size_t n_targets,
			 char notice[VS_STORE_NOTICE_MAX], struct vs_error *err) VS_MUST_CHECK;

/*
 * Writes the run's row and its targets; head->id is ignored, the new id comes out. While its end is
 * VS_END_RUNNING the row names this process, so that a reader can tell a crash.
 */
int vs_store_run_create(struct vs_store *store, const struct vs_run *head, int64_t *id_out,
			struct vs_error *err) VS_MUST_CHECK;
/* Writes every field of the run's row (not its arrays) and its targets again: head->id says which.
 */
int vs_store_run_update(struct vs_store *store, const struct vs_run *head,
			struct vs_error *err) VS_MUST_CHECK;
int vs_store_add_phase(struct vs_store *store, int64_t run_id, const struct vs_phase_mark *mark,
		       struct vs_error *err) VS_MUST_CHECK;
/*
 * Takes over a run of observe, watch or rehearse that was interrupted, failed or crashed: it is
 * running again, written by this process. head_out (initialised; the caller releases) is its head
 * with the phases; head_out->duration_ns is where new samples go on, the time between by the wall
 * clock. An event "resumed" tells the gap. VS_EUSAGE when it is still being recorded or has ended.
 */
int vs_store_run_reopen(struct vs_store *store, int64_t id, struct vs_run *head_out,
			struct vs_error *err) VS_MUST_CHECK;
/* A sink that adds to the run; ctx is the store, so it lives as long. One run at a time. */
struct vs_sink vs_store_sink(struct vs_store *store, int64_t run_id);
/*
 * The same for a run that is read at one go, inside one transaction: its samples are in the tables
 * when that is committed, and not before.
 */
struct vs_sink vs_store_bulk_sink(struct vs_store *store, int64_t run_id);

/* ref: an id, a uuid prefix of 4 or more, or "last". VS_ENOTFOUND, or VS_EUSAGE when ambiguous. */
int vs_store_run_find(struct vs_store *store, const char *ref, int64_t *id_out,
		      struct vs_error *err) VS_MUST_CHECK;
/*
 * Loads the whole run into run (initialised; the caller releases). A run that is marked running
 * while its writer is gone is loaded as crashed. Hostile values (NULL, text for numbers, negative
 * lengths, infinities) are an error that names the row, never a crash.
 */
int vs_store_run_load(struct vs_store *store, int64_t id, struct vs_run *run,
		      struct vs_error *err) VS_MUST_CHECK;
/* Heads only (targets, no samples), oldest first; the caller releases each and frees the array. */
int vs_store_run_list(struct vs_store *store, struct vs_run **runs_out, size_t *n_out,
		      struct vs_error *err) VS_MUST_CHECK;
/* VS_EUSAGE while it is being recorded. The file keeps its size and uses the room again. */
int vs_store_run_delete(struct vs_store *store, int64_t id, struct vs_error *err) VS_MUST_CHECK;
/*
 * Makes one new run of several that were recorded the same way (source, workload, interval) one
 * after the other: the earliest is its start, the gaps between stay gaps (with an event "gap"), and
 * targets of one name are one. The old ones stay. VS_EUSAGE when they differ or overlap.
 */
int vs_store_run_merge(struct vs_store *store, const int64_t *ids, size_t n, const char *label,
		       int64_t *id_out, struct vs_error *err) VS_MUST_CHECK;

#endif
