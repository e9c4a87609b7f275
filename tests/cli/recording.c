#include "recording.h"

#include <sqlite3.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/run.h"
#include "feeder.h"
#include "store/store.h"

static int add_rows(struct vs_store *store, int64_t id, int64_t seconds, struct vs_error *err)
{
	struct vs_sink sink = vs_store_sink(store, id);
	const struct vs_phase_mark load = { 0, VS_PHASE_LOAD };
	const struct vs_phase_mark idle = { seconds / 2 * VS_NS_PER_SEC, VS_PHASE_IDLE };

	if (vs_store_begin(store, err) != 0 || vs_store_add_phase(store, id, &load, err) != 0 ||
	    vs_store_add_phase(store, id, &idle, err) != 0)
		return -1;
	for (int64_t second = 1; second <= seconds; second++)
		for (uint16_t target = 0; target < 2; target++) {
			struct vs_sample sample = feeder_sample(second + 880);

			sample.end_ns = second * VS_NS_PER_SEC;
			sample.target = target;
			if (second > seconds / 2)
				sample.phase = second % 10 < 2 ? VS_PHASE_PROBE : VS_PHASE_IDLE;
			if (sink.sample(sink.ctx, &sample, err) != 0)
				return -1;
		}
	if (vs_sink_event(&sink, VS_NS_PER_SEC, "late-sample", err, "a sample came late") != 0 ||
	    vs_sink_number(&sink, 0, "oci-volume", "autoTunedVpusPerGB", 10, err) != 0 ||
	    vs_sink_text(&sink, 0, "host", "volscale", "0.1.0", err) != 0)
		return -1;
	return vs_store_commit(store, err);
}

static int set_page_size(const char *path, int page_bytes, struct vs_error *err)
{
	char sql[64];
	sqlite3 *db;
	int rc;

	(void)snprintf(sql, sizeof(sql),
		       "PRAGMA journal_mode = DELETE; PRAGMA page_size = %d; VACUUM", page_bytes);
	rc = sqlite3_open(path, &db);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
	(void)sqlite3_close(db);
	return rc == SQLITE_OK ? 0 : vs_error_set(err, VS_EDB, rc, "cannot set the page size");
}

int recording_make(const char *path, int page_bytes, int64_t seconds, struct vs_error *err)
{
	const struct vs_store_options options = { 0 };
	static char name[] = "/dev/sdx";
	struct vs_target target = { .name = name, .size_bytes = INT64_C(1) << 40, .size_gb = 1024 };
	struct vs_store *store = NULL;
	struct vs_run run;
	int rc;

	vs_run_init(&run);
	(void)snprintf(run.uuid, sizeof(run.uuid), "6f1c02aa-0000-4000-8000-000000000001");
	run.source = VS_SOURCE_OBSERVE;
	run.end = VS_END_COMPLETED;
	run.started_wall_ms = INT64_C(1769860800000);
	run.interval_ns = VS_NS_PER_SEC;
	run.duration_ns = seconds * VS_NS_PER_SEC;
	run.size_gb = 1024;
	run.volumes = 2;
	run.workload.block_bytes = 4096;
	run.workload.iodepth = 256;
	run.workload.numjobs = 4;
	rc = vs_run_set_text(&run.provider, "oci", err);
	if (rc == 0)
		rc = vs_run_set_text(&run.label, "a label", err);
	if (rc == 0)
		rc = vs_run_set_text(&run.workload.rw, "randread", err);
	for (int i = 0; rc == 0 && i < 2; i++)
		rc = vs_run_add_target(&run, &target, err);
	if (rc == 0)
		rc = vs_store_open(path, &options, &store, err);
	if (rc == 0)
		rc = vs_store_run_create(store, &run, &run.id, err);
	if (rc == 0)
		rc = add_rows(store, run.id, seconds, err);
	vs_store_free(store);
	vs_run_release(&run);
	return rc == 0 ? set_page_size(path, page_bytes, err) : -1;
}
