/* What changes a recorded run: deleting it, and going on with it. */
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/units.h"
#include "store/db.h"

static int refuse_running(const struct vs_run *head, const struct vs_writer *writer,
			  const char *what, struct vs_error *err)
{
	return vs_error_set(err, VS_EUSAGE, 0,
			    "run %" PRId64 " is being recorded by process %" PRId64
			    "; stop that first, then %s it",
			    head->id, writer->pid, what);
}

static int delete_rows(struct vs_store *store, int64_t id, struct vs_error *err)
{
	static const char *const sql[] = {
		"DELETE FROM sample WHERE run_id = ?1",      "DELETE FROM phase WHERE run_id = ?1",
		"DELETE FROM observation WHERE run_id = ?1", "DELETE FROM event WHERE run_id = ?1",
		"DELETE FROM target WHERE run_id = ?1",      "DELETE FROM run WHERE id = ?1",
	};
	sqlite3_stmt *stmt;
	int rc = 0;

	for (size_t i = 0; i < sizeof(sql) / sizeof(sql[0]) && rc == 0; i++) {
		if (vs_db_prepare(store, sql[i], &stmt, err) != 0)
			return -1;
		(void)sqlite3_bind_int64(stmt, 1, id);
		rc = vs_db_run(store, stmt, "be written", err);
		(void)sqlite3_finalize(stmt);
	}
	if (rc == 0 && sqlite3_changes(store->db) == 0)
		rc = vs_no_such_run(store, id, err);
	return rc;
}

/* Also a run whose rows cannot be read may be deleted, but not one that is being written. */
static int check_deletable(struct vs_store *store, int64_t id, struct vs_error *err)
{
	struct vs_error unread = { 0 };
	struct vs_writer writer;
	struct vs_run head;
	int rc = 0;

	vs_run_init(&head);
	if (vs_read_head(store, id, &head, &writer, &unread) != 0)
		rc = vs_store_error_is_retryable(&unread)
			     ? vs_error_set(err, unread.code, unread.detail, "%s", unread.text)
			     : 0;
	else if (head.end == VS_END_RUNNING)
		rc = refuse_running(&head, &writer, "delete", err);
	vs_run_release(&head);
	return rc;
}

int vs_store_run_delete(struct vs_store *store, int64_t id, struct vs_error *err)
{
	bool own;
	int rc;

	if (vs_db_begin_own(store, &own, err) != 0)
		return -1;
	rc = check_deletable(store, id, err);
	if (rc == 0)
		rc = delete_rows(store, id, err);
	return vs_db_end_own(store, own, rc, err);
}

static int check_reopenable(const struct vs_run *head, const struct vs_writer *writer,
			    struct vs_error *err)
{
	if (head->end == VS_END_RUNNING)
		return refuse_running(head, writer, "resume", err);
	if (head->end == VS_END_COMPLETED)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "run %" PRId64 " is complete; only one that was interrupted, "
				    "failed or crashed can be resumed",
				    head->id);
	if (head->source == VS_SOURCE_IMPORT)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "run %" PRId64 " was imported; only a recording of our own can "
				    "be resumed",
				    head->id);
	return 0;
}

static int reopen(struct vs_store *store, struct vs_run *head, struct vs_error *err)
{
	char gap[VS_UNITS_TEXT_MAX], text[128];
	const char *how = head->end == VS_END_CRASHED  ? "crashed"
			  : head->end == VS_END_FAILED ? "failed"
						       : "was interrupted";
	int64_t ended_ns = head->duration_ns;
	int64_t now_ns = vs_clock_wall_ns() - head->started_wall_ms * VS_NS_PER_MS;

	/* a wall clock that was set back must not put new samples among the old */
	if (now_ns > ended_ns)
		head->duration_ns = now_ns;
	head->end = VS_END_RUNNING;
	(void)snprintf(text, sizeof(text), "resumed %s after it %s: nothing was recorded between",
		       vs_units_format_duration(head->duration_ns - ended_ns, gap), how);
	if (vs_store_run_update(store, head, err) != 0)
		return -1;
	return vs_db_add_event(store, head->id, head->duration_ns, "resumed", text, err);
}

int vs_store_run_reopen(struct vs_store *store, int64_t id, struct vs_run *head_out,
			struct vs_error *err)
{
	struct vs_writer writer;
	bool own;
	int rc;

	if (vs_db_begin_own(store, &own, err) != 0)
		return -1;
	rc = vs_read_head(store, id, head_out, &writer, err);
	if (rc == 0)
		rc = vs_read_phases(store, head_out, err);
	if (rc == 0)
		rc = check_reopenable(head_out, &writer, err);
	if (rc == 0)
		rc = reopen(store, head_out, err);
	return vs_db_end_own(store, own, rc, err);
}
