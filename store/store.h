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
	VS_DURABILITY_NORMAL, /* a kill loses nothing committed; a power cut may lose the last
				 seconds */
	VS_DURABILITY_FULL,   /* a committed second survives a power cut */
};

struct vs_store_options {
	bool read_only; /* the file must exist; nothing is written, not even a migration */
	enum vs_durability durability;
	int64_t busy_timeout_ns; /* 0: 5 s */
};

/*
 * Opens or creates the file; an old schema is migrated in one transaction (read-only: refused with
 * the remedy), a newer one and a foreign file are refused, untouched. A store belongs to one
 * thread.
 */
int vs_store_open(const char *path, const struct vs_store_options *options, struct vs_store **out,
		  struct vs_error *err) VS_MUST_CHECK;
void vs_store_free(struct vs_store *store); /* NULL allowed; an open transaction is rolled back */

/* Transactions do not nest. Whatever is added outside of one is a transaction by itself. */
int vs_store_begin(struct vs_store *store, struct vs_error *err) VS_MUST_CHECK;
int vs_store_commit(struct vs_store *store, struct vs_error *err) VS_MUST_CHECK;
void vs_store_rollback(struct vs_store *store);

/* Writes the run's row and its targets; head->id is ignored, the new id comes out. */
int vs_store_run_create(struct vs_store *store, const struct vs_run *head, int64_t *id_out,
			struct vs_error *err) VS_MUST_CHECK;
/* Writes every field of the run's row (not its arrays) and its targets again: head->id says which.
 */
int vs_store_run_update(struct vs_store *store, const struct vs_run *head,
			struct vs_error *err) VS_MUST_CHECK;
int vs_store_add_phase(struct vs_store *store, int64_t run_id, const struct vs_phase_mark *mark,
		       struct vs_error *err) VS_MUST_CHECK;
/* A sink that adds to the run; ctx is the store, so it lives as long. One run at a time. */
struct vs_sink vs_store_sink(struct vs_store *store, int64_t run_id);

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
int vs_store_run_delete(struct vs_store *store, int64_t id, struct vs_error *err) VS_MUST_CHECK;

#endif
