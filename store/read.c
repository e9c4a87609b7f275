/* A run out of the tables. Each query reads along a key and checks that the key grows, so that not
 * even a damaged file, whose pages lead in a circle, is read for ever. */
#include "store/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "store/db.h"
#include "store/row.h"

/* A writer that we cannot see, in another container, counts as alive for so long without a sample.
 */
#define QUIET_NS (60 * VS_NS_PER_SEC)

int vs_no_such_run(struct vs_store *store, int64_t id, struct vs_error *err)
{
	return vs_error_set(err, VS_ENOTFOUND, 0,
			    "there is no run %" PRId64 " in '%s'; 'volscale runs' lists them", id,
			    store->path);
}

/* Steps; 1 a row to read, 0 no more, -1. */
static int next_row(struct vs_store *store, struct vs_row *row)
{
	int rc;

	if (row->bad)
		return -1;
	rc = sqlite3_step(row->stmt);
	row->number++;
	if (rc == SQLITE_ROW)
		return 1;
	return rc == SQLITE_DONE ? 0 : vs_db_error(store, row->err, "be read");
}

/* Starts a query whose ?1 is the run. */
static int query(struct vs_store *store, const char *table, const char *sql, int64_t run_id,
		 struct vs_row *row, struct vs_error *err)
{
	*row = (struct vs_row){ .table = table, .number = -1, .err = err };
	if (vs_db_prepare(store, sql, &row->stmt, err) != 0)
		return -1;
	(void)sqlite3_bind_int64(row->stmt, 1, run_id);
	return 0;
}

/* (a, b) must come after the pair before it. */
static void check_order(struct vs_row *row, int column, int64_t a, int64_t b, int64_t last[2])
{
	if (!row->bad && row->number > 0 && (a < last[0] || (a == last[0] && b <= last[1])))
		(void)vs_row_fault(row, column, "is out of order");
	last[0] = a;
	last[1] = b;
}

#define HEAD_SQL                                                                      \
 "SELECT id, uuid, source, state, emulated, label, started_at_ms, duration_ns, "      \
 "interval_ns, provider, size_gb, volumes, instance_gbps, rw, block_bytes, iodepth, " \
 "numjobs, rate_iops, writer_pid, writer_start_ticks, writer_pid_namespace, "         \
 "writer_boot_id FROM run "

static int read_head_texts(struct vs_row *row, struct vs_run *head)
{
	const char *uuid = vs_row_text(row, 1, false);

	if (!row->bad && strlen(uuid) >= sizeof(head->uuid))
		return vs_row_fault(row, 1, "is no UUID");
	(void)snprintf(head->uuid, sizeof(head->uuid), "%s", uuid);
	if (vs_run_set_text(&head->label, vs_row_text(row, 5, true), row->err) != 0 ||
	    vs_run_set_text(&head->provider, vs_row_text(row, 9, true), row->err) != 0 ||
	    vs_run_set_text(&head->workload.rw, vs_row_text(row, 13, true), row->err) != 0)
		return -1;
	return row->bad ? -1 : 0;
}

static int read_head_row(struct vs_row *row, struct vs_run *head, struct vs_writer *writer)
{
	struct vs_workload *work = &head->workload;
	double rate;

	head->id = vs_row_int(row, 0, INT64_MIN, INT64_MAX);
	head->source = (enum vs_source)vs_row_word(row, 2, vs_source_value);
	head->end = (enum vs_end)vs_row_word(row, 3, vs_end_value);
	head->emulated = vs_row_int(row, 4, 0, 1) != 0;
	head->started_wall_ms =
		vs_row_int(row, 6, -VS_ROW_MAX / VS_NS_PER_MS, VS_ROW_MAX / VS_NS_PER_MS);
	head->duration_ns = vs_row_int(row, 7, 0, VS_ROW_MAX);
	head->interval_ns = vs_row_int(row, 8, 0, VS_ROW_MAX);
	head->size_gb = vs_row_real(row, 10);
	head->volumes = vs_row_known(row, 11);
	if (head->volumes < 0)
		head->volumes = 0;
	head->instance_gbps = vs_row_real(row, 12);
	work->block_bytes = vs_row_known(row, 14);
	work->iodepth = vs_row_known(row, 15);
	work->numjobs = vs_row_known(row, 16);
	rate = vs_row_real(row, 17);
	work->rate_iops = isnan(rate) ? VS_UNKNOWN : rate;
	if (!row->bad && (head->size_gb < 0 || head->instance_gbps < 0))
		return vs_row_fault(row, head->size_gb < 0 ? 10 : 12, "is out of range");
	*writer = (struct vs_writer){ .pid = vs_row_known(row, 18),
				      .start_ticks = vs_row_known(row, 19),
				      .pid_namespace = vs_row_known(row, 20) };
	const char *boot_id = vs_row_text(row, 21, true);
	(void)snprintf(writer->boot_id, sizeof(writer->boot_id), "%s", boot_id ? boot_id : "");
	return read_head_texts(row, head);
}

static int read_targets(struct vs_store *store, struct vs_run *run, struct vs_error *err)
{
	struct vs_row row;
	int rc;

	if (query(store, "target",
		  "SELECT target, name, size_bytes, size_gb, is_device, device FROM target "
		  "WHERE run_id = ?1 ORDER BY target",
		  run->id, &row, err) != 0)
		return -1;
	while ((rc = next_row(store, &row)) == 1) {
		int64_t index = vs_row_int(&row, 0, 0, UINT16_MAX);
		struct vs_target target = { .size_bytes = vs_row_known(&row, 2),
					    .size_gb = vs_row_real(&row, 3),
					    .is_device = vs_row_int(&row, 4, 0, 1) != 0 };

		if (!row.bad && index != row.number)
			(void)vs_row_fault(&row, 0, "is not the next one");
		if (!row.bad && target.size_gb < 0)
			(void)vs_row_fault(&row, 3, "is out of range");
		rc = vs_run_set_text(&target.name, vs_row_text(&row, 1, false), err);
		if (rc == 0)
			rc = vs_run_set_text(&target.device, vs_row_text(&row, 5, true), err);
		if (rc == 0 && !row.bad)
			rc = vs_run_add_target(run, &target, err);
		free(target.name);
		free(target.device);
		if (rc != 0)
			break;
	}
	(void)sqlite3_finalize(row.stmt);
	return rc;
}

/* When the last sample ended; 0 without any. */
static int last_sample(struct vs_store *store, int64_t run_id, int64_t *end_ns_out,
		       struct vs_error *err)
{
	struct vs_row row;
	int rc;

	*end_ns_out = 0;
	if (query(store, "sample",
		  "SELECT end_ns FROM sample WHERE run_id = ?1 ORDER BY end_ns DESC LIMIT 1",
		  run_id, &row, err) != 0)
		return -1;
	rc = next_row(store, &row);
	if (rc == 1) {
		*end_ns_out = vs_row_int(&row, 0, 0, VS_ROW_MAX);
		rc = row.bad ? -1 : 0;
	}
	(void)sqlite3_finalize(row.stmt);
	return rc;
}

/* A run without an end: how long is it by now, and does its writer live? */
static int settle_running(struct vs_store *store, struct vs_run *head,
			  const struct vs_writer *writer, struct vs_error *err)
{
	int64_t end_ns, quiet_ms;
	int lives = vs_writer_lives(writer);

	if (last_sample(store, head->id, &end_ns, err) != 0)
		return -1;
	if (end_ns > head->duration_ns)
		head->duration_ns = end_ns;
	if (lives < 0) {
		quiet_ms = vs_clock_wall_ns() / VS_NS_PER_MS - head->started_wall_ms -
			   head->duration_ns / VS_NS_PER_MS;
		lives = quiet_ms < (QUIET_NS + 10 * head->interval_ns) / VS_NS_PER_MS;
	}
	if (!lives)
		head->end = VS_END_CRASHED;
	return 0;
}

static int finish_head(struct vs_store *store, struct vs_run *head, const struct vs_writer *writer,
		       struct vs_error *err)
{
	if (head->end == VS_END_RUNNING && settle_running(store, head, writer, err) != 0)
		return -1;
	return read_targets(store, head, err);
}

int vs_read_head(struct vs_store *store, int64_t id, struct vs_run *head, struct vs_writer *writer,
		 struct vs_error *err)
{
	struct vs_writer own;
	struct vs_row row;
	int rc;

	if (!writer)
		writer = &own;
	if (query(store, "run", HEAD_SQL "WHERE id = ?1", id, &row, err) != 0)
		return -1;
	rc = next_row(store, &row);
	if (rc == 1)
		rc = read_head_row(&row, head, writer);
	else if (rc == 0)
		rc = vs_no_such_run(store, id, err);
	(void)sqlite3_finalize(row.stmt);
	return rc == 0 ? finish_head(store, head, writer, err) : -1;
}

int vs_read_phases(struct vs_store *store, struct vs_run *run, struct vs_error *err)
{
	int64_t last[2] = { 0, 0 };
	struct vs_row row;
	int rc;

	if (query(store, "phase",
		  "SELECT start_ns, phase, id FROM phase WHERE run_id = ?1 ORDER BY start_ns, id",
		  run->id, &row, err) != 0)
		return -1;
	while ((rc = next_row(store, &row)) == 1) {
		int64_t start_ns = vs_row_int(&row, 0, 0, VS_ROW_MAX);
		int phase = vs_row_word(&row, 1, vs_phase_value);

		check_order(&row, 0, start_ns, vs_row_int(&row, 2, INT64_MIN, INT64_MAX), last);
		if (!row.bad && vs_run_add_phase(run, start_ns, (enum vs_phase)phase, err) != 0) {
			rc = -1;
			break;
		}
	}
	(void)sqlite3_finalize(row.stmt);
	return rc;
}

static void read_sample(struct vs_row *row, size_t n_targets, struct vs_sample *s)
{
	double resolution = vs_row_real(row, 5);

	*s = (struct vs_sample){
		.end_ns = vs_row_int(row, 0, 0, VS_ROW_MAX),
		.target = (uint16_t)vs_row_int(row, 1, 0, (int64_t)n_targets - 1),
		.length_ns = vs_row_int(row, 2, 0, VS_ROW_MAX),
		.phase = (uint16_t)vs_row_word(row, 3, vs_phase_value),
		.ios = vs_row_count(row, 4),
		.resolution_ios = resolution > 0 ? resolution : 0,
		.bytes = vs_row_known(row, 6),
		.lat_p50_ns = vs_row_known(row, 7),
		.lat_p99_ns = vs_row_known(row, 8),
		.lat_p999_ns = vs_row_known(row, 9),
		.lat_max_ns = vs_row_known(row, 10),
		.device_reads = vs_row_known(row, 11),
		.device_merges = vs_row_known(row, 12),
		.device_sectors = vs_row_known(row, 13),
		.oldest_ns = vs_row_int(row, 14, 0, VS_ROW_MAX),
		.inflight = (uint32_t)vs_row_int(row, 15, 0, UINT32_MAX),
		.errors = (uint32_t)vs_row_int(row, 16, 0, UINT32_MAX),
		.flags = (uint32_t)vs_row_int(row, 17, 0, UINT32_MAX),
	};
}

static int read_samples(struct vs_store *store, struct vs_run *run, struct vs_error *err)
{
	int64_t last[2] = { 0, 0 };
	struct vs_sample sample;
	struct vs_row row;
	int rc;

	if (query(store, "sample",
		  "SELECT end_ns, target, length_ns, phase, ios, resolution_ios, bytes, "
		  "lat_p50_ns, lat_p99_ns, lat_p999_ns, lat_max_ns, device_reads, device_merges, "
		  "device_sectors, oldest_ns, inflight, errors, flags FROM sample "
		  "WHERE run_id = ?1 ORDER BY end_ns, target",
		  run->id, &row, err) != 0)
		return -1;
	while ((rc = next_row(store, &row)) == 1) {
		read_sample(&row, run->n_targets, &sample);
		check_order(&row, 0, sample.end_ns, sample.target, last);
		if (!row.bad && vs_run_add_sample(run, &sample, err) != 0) {
			rc = -1;
			break;
		}
	}
	(void)sqlite3_finalize(row.stmt);
	return rc;
}

static int read_observations(struct vs_store *store, struct vs_run *run, struct vs_error *err)
{
	int64_t last[2] = { 0, 0 };
	struct vs_row row;
	int rc;

	if (query(store, "observation",
		  "SELECT at_ns, source, name, value, text, id FROM observation "
		  "WHERE run_id = ?1 ORDER BY at_ns, id",
		  run->id, &row, err) != 0)
		return -1;
	while ((rc = next_row(store, &row)) == 1) {
		struct vs_observation obs = { .at_ns = vs_row_int(&row, 0, -VS_ROW_MAX, VS_ROW_MAX),
					      .value = vs_row_real(&row, 3) };

		check_order(&row, 0, obs.at_ns, vs_row_int(&row, 5, INT64_MIN, INT64_MAX), last);
		rc = vs_run_set_text(&obs.source, vs_row_text(&row, 1, false), err);
		if (rc == 0)
			rc = vs_run_set_text(&obs.name, vs_row_text(&row, 2, false), err);
		if (rc == 0)
			rc = vs_run_set_text(&obs.text, vs_row_text(&row, 4, true), err);
		if (rc == 0 && !row.bad)
			rc = vs_run_add_observation(run, &obs, err);
		free(obs.source);
		free(obs.name);
		free(obs.text);
		if (rc != 0)
			break;
	}
	(void)sqlite3_finalize(row.stmt);
	return rc;
}

static int read_events(struct vs_store *store, struct vs_run *run, struct vs_error *err)
{
	int64_t last[2] = { 0, 0 };
	struct vs_row row;
	int rc;

	if (query(store, "event",
		  "SELECT at_ns, kind, text, id FROM event WHERE run_id = ?1 ORDER BY at_ns, id",
		  run->id, &row, err) != 0)
		return -1;
	while ((rc = next_row(store, &row)) == 1) {
		struct vs_event event = { .at_ns = vs_row_int(&row, 0, -VS_ROW_MAX, VS_ROW_MAX) };

		check_order(&row, 0, event.at_ns, vs_row_int(&row, 3, INT64_MIN, INT64_MAX), last);
		rc = vs_run_set_text(&event.kind, vs_row_text(&row, 1, false), err);
		if (rc == 0)
			rc = vs_run_set_text(&event.text, vs_row_text(&row, 2, false), err);
		if (rc == 0 && !row.bad)
			rc = vs_run_add_event(run, &event, err);
		free(event.kind);
		free(event.text);
		if (rc != 0)
			break;
	}
	(void)sqlite3_finalize(row.stmt);
	return rc;
}

int vs_store_run_load(struct vs_store *store, int64_t id, struct vs_run *run, struct vs_error *err)
{
	bool own = sqlite3_get_autocommit(store->db);
	int rc;

	vs_db_limit_steps(store);
	/* all tables as of one moment, while a recorder goes on writing */
	if (own && vs_db_exec(store, "BEGIN", "be read", err) != 0)
		return -1;
	rc = vs_read_head(store, id, run, NULL, err);
	if (rc == 0 &&
	    (vs_read_phases(store, run, err) != 0 || read_samples(store, run, err) != 0 ||
	     read_observations(store, run, err) != 0 || read_events(store, run, err) != 0))
		rc = -1;
	if (own)
		rc = vs_db_end_reading(store, rc, err);
	sqlite3_progress_handler(store->db, 0, NULL, NULL);
	return rc;
}

static int list_rows(struct vs_store *store, struct vs_run **runs, size_t *n, struct vs_error *err)
{
	struct vs_writer writer;
	struct vs_row row;
	size_t cap = 0;
	int rc;

	if (query(store, "run", HEAD_SQL "WHERE ?1 = 0 ORDER BY id", 0, &row, err) != 0)
		return -1;
	while ((rc = next_row(store, &row)) == 1) {
		if (*n == cap) {
			size_t bigger = cap ? cap * 2 : 16;
			struct vs_run *more = reallocarray(*runs, bigger, sizeof(**runs));

			if (!more) {
				rc = vs_error_nomem(err);
				break;
			}
			*runs = more;
			cap = bigger;
		}
		struct vs_run *head = &(*runs)[(*n)++];

		vs_run_init(head);
		rc = read_head_row(&row, head, &writer);
		if (rc == 0 && *n > 1 && head->id <= head[-1].id)
			rc = vs_row_fault(&row, 0, "is out of order");
		if (rc == 0)
			rc = finish_head(store, head, &writer, err);
		if (rc != 0)
			break;
	}
	(void)sqlite3_finalize(row.stmt);
	return rc;
}

int vs_store_run_list(struct vs_store *store, struct vs_run **runs_out, size_t *n_out,
		      struct vs_error *err)
{
	struct vs_run *runs = NULL;
	size_t n = 0;
	int rc;

	vs_db_limit_steps(store);
	rc = list_rows(store, &runs, &n, err);
	sqlite3_progress_handler(store->db, 0, NULL, NULL);
	if (rc != 0) {
		while (n > 0)
			vs_run_release(&runs[--n]);
		free(runs);
		return -1;
	}
	*runs_out = runs;
	*n_out = n;
	return 0;
}
