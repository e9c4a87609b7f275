/* Rows into the tables: a run's head, its phases, and what a sink is given. */
#include "store/store.h"

#include <inttypes.h>
#include <math.h>

#include "base/clock.h"
#include "store/db.h"

/* In the order of HEAD_COLUMNS, from ?1. */
#define HEAD_COLUMNS                                                               \
 "uuid, source, state, emulated, label, started_at_ms, duration_ns, interval_ns, " \
 "provider, size_gb, volumes, instance_gbps, rw, block_bytes, iodepth, numjobs, "  \
 "rate_iops, ended_at_ms, writer_pid, writer_start_ticks, writer_pid_namespace, "  \
 "writer_boot_id"
#define HEAD_PARAMETERS \
 "?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22"
#define PARAM_ENDED  18
#define PARAM_WRITER 19
#define PARAM_ID     23

/* A run that was not recorded live ended when its times say so. */
static int64_t ended_at_ms(const struct vs_run *head)
{
	if (head->source == VS_SOURCE_IMPORT || head->end == VS_END_CRASHED)
		return head->started_wall_ms + head->duration_ns / VS_NS_PER_MS;
	return vs_clock_wall_ns() / VS_NS_PER_MS;
}

static int bind_head(struct vs_store *store, sqlite3_stmt *stmt, const struct vs_run *head,
		     struct vs_error *err)
{
	const struct vs_workload *work = &head->workload;

	if (vs_db_bind_text(store, stmt, 1, head->uuid, err) != 0 ||
	    vs_db_bind_text(store, stmt, 2, vs_source_name(head->source), err) != 0 ||
	    vs_db_bind_text(store, stmt, 3, vs_end_name(head->end), err) != 0 ||
	    vs_db_bind_text(store, stmt, 5, head->label, err) != 0 ||
	    vs_db_bind_text(store, stmt, 9, head->provider, err) != 0 ||
	    vs_db_bind_text(store, stmt, 13, work->rw, err) != 0)
		return -1;
	(void)sqlite3_bind_int64(stmt, 4, head->emulated);
	(void)sqlite3_bind_int64(stmt, 6, head->started_wall_ms);
	(void)sqlite3_bind_int64(stmt, 7, head->duration_ns);
	(void)sqlite3_bind_int64(stmt, 8, head->interval_ns);
	vs_db_bind_real(stmt, 10, head->size_gb);
	vs_db_bind_known(stmt, 11, head->volumes ? head->volumes : VS_UNKNOWN);
	vs_db_bind_real(stmt, 12, head->instance_gbps);
	vs_db_bind_known(stmt, 14, work->block_bytes);
	vs_db_bind_known(stmt, 15, work->iodepth);
	vs_db_bind_known(stmt, 16, work->numjobs);
	vs_db_bind_real(stmt, 17, work->rate_iops < 0 ? (double)NAN : work->rate_iops);
	if (head->end != VS_END_RUNNING)
		(void)sqlite3_bind_int64(stmt, PARAM_ENDED, ended_at_ms(head));
	return 0;
}

static int bind_writer(struct vs_store *store, sqlite3_stmt *stmt, struct vs_error *err)
{
	struct vs_writer self;

	vs_writer_self(&self);
	(void)sqlite3_bind_int64(stmt, PARAM_WRITER, self.pid);
	(void)sqlite3_bind_int64(stmt, PARAM_WRITER + 1, self.start_ticks);
	(void)sqlite3_bind_int64(stmt, PARAM_WRITER + 2, self.pid_namespace);
	return vs_db_bind_text(store, stmt, PARAM_WRITER + 3, self.boot_id, err);
}

static int add_target(struct vs_store *store, sqlite3_stmt *stmt, int64_t run_id, size_t index,
		      const struct vs_target *target, struct vs_error *err)
{
	if (vs_db_bind_text(store, stmt, 3, target->name, err) != 0 ||
	    vs_db_bind_text(store, stmt, 7, target->device, err) != 0)
		return -1;
	(void)sqlite3_bind_int64(stmt, 1, run_id);
	(void)sqlite3_bind_int64(stmt, 2, (int64_t)index);
	vs_db_bind_known(stmt, 4, target->size_bytes);
	vs_db_bind_real(stmt, 5, target->size_gb);
	(void)sqlite3_bind_int64(stmt, 6, target->is_device);
	return vs_db_run(store, stmt, "be written", err);
}

static int write_targets(struct vs_store *store, int64_t run_id, const struct vs_run *head,
			 struct vs_error *err)
{
	sqlite3_stmt *stmt;
	int rc = 0;

	if (vs_db_prepare(store, "INSERT OR REPLACE INTO target VALUES (?1,?2,?3,?4,?5,?6,?7)",
			  &stmt, err) != 0)
		return -1;
	for (size_t i = 0; i < head->n_targets && rc == 0; i++)
		rc = add_target(store, stmt, run_id, i, &head->targets[i], err);
	(void)sqlite3_finalize(stmt);
	return rc;
}

int vs_db_begin_own(struct vs_store *store, bool *own_out, struct vs_error *err)
{
	*own_out = sqlite3_get_autocommit(store->db);
	return *own_out ? vs_store_begin(store, err) : 0;
}

int vs_db_end_own(struct vs_store *store, bool own, int rc, struct vs_error *err)
{
	if (!own)
		return rc;
	if (rc == 0)
		return vs_store_commit(store, err);
	vs_store_rollback(store);
	return rc;
}

static int insert_head(struct vs_store *store, const struct vs_run *head, struct vs_error *err)
{
	sqlite3_stmt *stmt;
	int rc;

	if (vs_db_prepare(store, "INSERT INTO run (" HEAD_COLUMNS ") VALUES (" HEAD_PARAMETERS ")",
			  &stmt, err) != 0)
		return -1;
	rc = bind_head(store, stmt, head, err);
	if (rc == 0 && head->end == VS_END_RUNNING)
		rc = bind_writer(store, stmt, err);
	if (rc == 0)
		rc = vs_db_run(store, stmt, "be written", err);
	(void)sqlite3_finalize(stmt);
	return rc;
}

int vs_store_run_create(struct vs_store *store, const struct vs_run *head, int64_t *id_out,
			struct vs_error *err)
{
	int64_t id = 0;
	bool own;
	int rc;

	if (vs_db_begin_own(store, &own, err) != 0)
		return -1;
	rc = insert_head(store, head, err);
	if (rc == 0) {
		id = sqlite3_last_insert_rowid(store->db);
		rc = write_targets(store, id, head, err);
	}
	if (vs_db_end_own(store, own, rc, err) != 0)
		return -1;
	*id_out = id;
	return 0;
}

/* The end's time is the first one's: writing the head again later does not move it. */
static int update_head(struct vs_store *store, const struct vs_run *head, struct vs_error *err)
{
	sqlite3_stmt *stmt;
	int rc;

	if (vs_db_prepare(store,
			  head->end == VS_END_RUNNING
				  ? "UPDATE run SET (" HEAD_COLUMNS ") = (" HEAD_PARAMETERS
				    ") WHERE id = ?23"
				  : "UPDATE run SET (" HEAD_COLUMNS ") = (?1,?2,?3,?4,?5,?6,?7,?8,"
				    "?9,?10,?11,?12,?13,?14,?15,?16,?17,coalesce(ended_at_ms,?18),"
				    "?19,?20,?21,?22) WHERE id = ?23",
			  &stmt, err) != 0)
		return -1;
	rc = bind_head(store, stmt, head, err);
	if (rc == 0 && head->end == VS_END_RUNNING)
		rc = bind_writer(store, stmt, err);
	(void)sqlite3_bind_int64(stmt, PARAM_ID, head->id);
	if (rc == 0)
		rc = vs_db_run(store, stmt, "be written", err);
	(void)sqlite3_finalize(stmt);
	if (rc == 0 && sqlite3_changes(store->db) == 0)
		rc = vs_no_such_run(store, head->id, err);
	return rc;
}

int vs_store_run_update(struct vs_store *store, const struct vs_run *head, struct vs_error *err)
{
	bool own;
	int rc;

	if (vs_db_begin_own(store, &own, err) != 0)
		return -1;
	rc = update_head(store, head, err);
	if (rc == 0)
		rc = write_targets(store, head->id, head, err);
	return vs_db_end_own(store, own, rc, err);
}

int vs_store_add_phase(struct vs_store *store, int64_t run_id, const struct vs_phase_mark *mark,
		       struct vs_error *err)
{
	sqlite3_stmt *stmt;
	int rc;

	if (vs_db_prepare(store, "INSERT INTO phase (run_id, start_ns, phase) VALUES (?1,?2,?3)",
			  &stmt, err) != 0)
		return -1;
	(void)sqlite3_bind_int64(stmt, 1, run_id);
	(void)sqlite3_bind_int64(stmt, 2, mark->start_ns);
	rc = vs_db_bind_text(store, stmt, 3, vs_phase_name(mark->phase), err);
	if (rc == 0)
		rc = vs_db_run(store, stmt, "be written", err);
	(void)sqlite3_finalize(stmt);
	return rc;
}

int vs_db_check_sample(const struct vs_sample *sample, struct vs_error *err)
{
	if (sample->end_ns < 0 || sample->length_ns < 0 || !isfinite(sample->ios) ||
	    sample->ios < 0 || sample->phase > VS_PHASE_RAMP)
		return vs_error_set(err, VS_EINVAL, 0,
				    "a sample of target %u with %g I/Os in %" PRId64
				    " ns up to %" PRId64 " ns cannot be right",
				    sample->target, sample->ios, sample->length_ns, sample->end_ns);
	return 0;
}

void vs_db_bind_measured(sqlite3_stmt *stmt, int first, const struct vs_sample *s)
{
	const char *phase = vs_phase_name((enum vs_phase)s->phase);

	(void)sqlite3_bind_text(stmt, first, phase, -1, SQLITE_STATIC);
	vs_db_bind_real(stmt, first + 1, s->ios);
	vs_db_bind_real(stmt, first + 2, s->resolution_ios > 0 ? s->resolution_ios : (double)NAN);
	vs_db_bind_known(stmt, first + 3, s->bytes);
	vs_db_bind_known(stmt, first + 4, s->lat_p50_ns);
	vs_db_bind_known(stmt, first + 5, s->lat_p99_ns);
	vs_db_bind_known(stmt, first + 6, s->lat_p999_ns);
	vs_db_bind_known(stmt, first + 7, s->lat_max_ns);
}

int vs_db_add_sample(struct vs_store *store, const struct vs_sample *s, struct vs_error *err)
{
	sqlite3_stmt *stmt;

	if (vs_db_check_sample(s, err) != 0)
		return -1;
	if (vs_db_kept(store, VS_STMT_ADD_SAMPLE,
		       "INSERT INTO sample (run_id, end_ns, target, length_ns, phase, ios, "
		       "resolution_ios, bytes, lat_p50_ns, lat_p99_ns, lat_p999_ns, lat_max_ns, "
		       "device_reads, device_merges, device_sectors, oldest_ns, inflight, errors, "
		       "flags) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,"
		       "?18,?19)",
		       &stmt, err) != 0)
		return -1;
	(void)sqlite3_bind_int64(stmt, 1, store->sink_run_id);
	(void)sqlite3_bind_int64(stmt, 2, s->end_ns);
	(void)sqlite3_bind_int64(stmt, 3, s->target);
	(void)sqlite3_bind_int64(stmt, 4, s->length_ns);
	vs_db_bind_measured(stmt, 5, s);
	vs_db_bind_known(stmt, 13, s->device_reads);
	vs_db_bind_known(stmt, 14, s->device_merges);
	vs_db_bind_known(stmt, 15, s->device_sectors);
	(void)sqlite3_bind_int64(stmt, 16, s->oldest_ns);
	(void)sqlite3_bind_int64(stmt, 17, s->inflight);
	(void)sqlite3_bind_int64(stmt, 18, s->errors);
	(void)sqlite3_bind_int64(stmt, 19, s->flags);
	return vs_db_run(store, stmt, "take a sample", err);
}

static int sink_sample(void *ctx, const struct vs_sample *sample, struct vs_error *err)
{
	return vs_db_add_sample(ctx, sample, err);
}

static int sink_observation(void *ctx, const struct vs_observation *obs, struct vs_error *err)
{
	struct vs_store *store = ctx;
	sqlite3_stmt *stmt;

	if (isinf(obs->value))
		return vs_error_set(err, VS_EINVAL, 0, "observation %s %s is infinite", obs->source,
				    obs->name);
	if (vs_db_kept(store, VS_STMT_ADD_OBSERVATION,
		       "INSERT INTO observation (run_id, at_ns, source, name, value, text) "
		       "VALUES (?1,?2,?3,?4,?5,?6)",
		       &stmt, err) != 0 ||
	    vs_db_bind_text(store, stmt, 3, obs->source, err) != 0 ||
	    vs_db_bind_text(store, stmt, 4, obs->name, err) != 0 ||
	    vs_db_bind_text(store, stmt, 6, obs->text, err) != 0)
		return -1;
	(void)sqlite3_bind_int64(stmt, 1, store->sink_run_id);
	(void)sqlite3_bind_int64(stmt, 2, obs->at_ns);
	vs_db_bind_real(stmt, 5, obs->value);
	return vs_db_run(store, stmt, "take an observation", err);
}

int vs_db_add_event(struct vs_store *store, int64_t run_id, int64_t at_ns, const char *kind,
		    const char *text, struct vs_error *err)
{
	sqlite3_stmt *stmt;

	if (vs_db_kept(store, VS_STMT_ADD_EVENT,
		       "INSERT INTO event (run_id, at_ns, kind, text) VALUES (?1,?2,?3,?4)", &stmt,
		       err) != 0 ||
	    vs_db_bind_text(store, stmt, 3, kind, err) != 0 ||
	    vs_db_bind_text(store, stmt, 4, text, err) != 0)
		return -1;
	(void)sqlite3_bind_int64(stmt, 1, run_id);
	(void)sqlite3_bind_int64(stmt, 2, at_ns);
	return vs_db_run(store, stmt, "take an event", err);
}

static int sink_event(void *ctx, const struct vs_event *event, struct vs_error *err)
{
	struct vs_store *store = ctx;

	return vs_db_add_event(store, store->sink_run_id, event->at_ns, event->kind, event->text,
			       err);
}

struct vs_sink vs_store_sink(struct vs_store *store, int64_t run_id)
{
	store->sink_run_id = run_id;
	return (struct vs_sink){ .ctx = store,
				 .sample = sink_sample,
				 .observation = sink_observation,
				 .event = sink_event };
}
