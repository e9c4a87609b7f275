/*
 * Every allocation fails once, and from every one on all: opening, writing, the recorder, loading,
 * analysis and the reports say so and go on living; what was committed is there. `test_nomem N`
 * tries each Nth (default 97; slow: 1).
 */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/recorder.h"
#include "feeder.h"
#include "nomem.h"

#define DB      "nomem.db"
#define SECONDS 1900 /* three levels */
#define DENSE   100

static const struct vs_volume_options volume = { .db = DB,
						 .size_gb = (double)NAN,
						 .instance_gbps = (double)NAN,
						 .price_gb = (double)NAN,
						 .price_vpu = (double)NAN };

static void remove_db(void)
{
	(void)unlink(DB);
	(void)unlink(DB "-wal");
	(void)unlink(DB "-shm");
	(void)unlink(DB "-journal");
}

static void forget_db(void *ctx)
{
	(void)ctx;
	remove_db();
}

static int make_head(struct vs_run *run, struct vs_error *err)
{
	static char name[] = "/dev/sdb";
	const struct vs_target target = { .name = name, .size_bytes = 1 << 30, .size_gb = 1024 };

	vs_run_init(run);
	vs_run_make_uuid(run->uuid);
	run->source = VS_SOURCE_OBSERVE;
	run->end = VS_END_RUNNING;
	run->started_wall_ms = vs_clock_wall_ns() / VS_NS_PER_MS;
	run->interval_ns = VS_NS_PER_SEC;
	run->size_gb = 1024;
	run->workload.block_bytes = 4096;
	if (vs_run_set_text(&run->provider, "oci", err) != 0 ||
	    vs_run_set_text(&run->label, "a label", err) != 0 ||
	    vs_run_set_text(&run->workload.rw, "randread", err) != 0)
		return -1;
	return vs_run_add_target(run, &target, err);
}

static int add_samples(struct vs_store *store, int64_t id, int64_t from, int64_t to,
		       struct vs_error *err)
{
	struct vs_sink sink = vs_store_sink(store, id);

	if (vs_store_begin(store, err) != 0)
		return -1;
	for (int64_t second = from; second <= to; second++) {
		struct vs_sample sample = feeder_sample(second);

		if (sink.sample(sink.ctx, &sample, err) != 0) {
			vs_store_rollback(store);
			return -1;
		}
	}
	if (vs_sink_event(&sink, to * VS_NS_PER_SEC, "batch", err, "up to %" PRId64, to) != 0 ||
	    vs_sink_number(&sink, 0, "test", "number", 1.5, err) != 0 ||
	    vs_sink_text(&sink, 0, "test", "text", "words", err) != 0) {
		vs_store_rollback(store);
		return -1;
	}
	return vs_store_commit(store, err);
}

static int write_all(int64_t seconds, struct vs_error *err)
{
	const struct vs_store_options options = { 0 };
	const struct vs_phase_mark mark = { 0, VS_PHASE_LOAD };
	struct vs_store *store = NULL;
	struct vs_run run;
	int rc;

	rc = make_head(&run, err);
	if (rc == 0)
		rc = vs_store_open(DB, &options, &store, err);
	if (rc == 0)
		rc = vs_store_run_create(store, &run, &run.id, err);
	if (rc == 0)
		rc = vs_store_add_phase(store, run.id, &mark, err);
	if (rc == 0)
		rc = add_samples(store, run.id, 1, seconds, err);
	if (rc == 0) {
		run.end = VS_END_COMPLETED;
		run.duration_ns = seconds * VS_NS_PER_SEC;
		rc = vs_store_run_update(store, &run, err);
	}
	vs_store_free(store);
	vs_run_release(&run);
	return rc;
}

static int list_and_show(void *ctx, struct vs_error *err)
{
	const struct vs_store_options options = { .read_only = true };
	struct vs_store *store = NULL;
	struct vs_run *runs = NULL;
	size_t n = 0;
	int rc = vs_store_open(DB, &options, &store, err);

	(void)ctx;
	if (rc == 0)
		rc = vs_store_run_list(store, &runs, &n, err);
	for (size_t i = 0; i < n; i++)
		vs_run_release(&runs[i]);
	free(runs);
	vs_store_free(store);
	return rc;
}

static int report_all(void *ctx, struct vs_error *err)
{
	static const char *const formats[] = { "text", "csv", "json", "markdown", "html" };
	const struct vs_analysis_options analysis = { 0 };
	struct vs_loaded loaded = { 0 };
	int rc = vs_cli_load(&volume, "last", &analysis, &loaded, err);

	(void)ctx;
	for (size_t i = 0; rc == 0 && i < sizeof(formats) / sizeof(formats[0]); i++)
		rc = vs_cli_write_report(&loaded.timeline, formats[i], "/dev/null", false, NULL,
					 err);
	if (rc == 0)
		rc = vs_cli_write_report(&loaded.timeline, "csv", "/dev/null", true, NULL, err);
	vs_loaded_release(&loaded);
	return rc;
}

static int64_t ask(const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db = NULL;
	int64_t answer = -1;

	if (sqlite3_open(DB, &db) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		answer = sqlite3_column_int64(stmt, 0);
	(void)sqlite3_finalize(stmt);
	(void)sqlite3_close(db);
	return answer;
}

static int write_some(void *ctx, struct vs_error *err)
{
	(void)ctx;
	return write_all(3, err);
}

static void check_written(void *ctx, int rc)
{
	(void)ctx;
	if (access(DB, F_OK) != 0)
		return;
	assert_int_equal(ask("SELECT count(*) FROM pragma_integrity_check WHERE "
			     "integrity_check = 'ok'"),
			 1);
	if (rc == 0)
		assert_int_equal(ask("SELECT count(*) FROM sample"), 3);
}

static void writing_without_memory(void **state)
{
	(void)state;
	nomem_try(&(struct nomem_action){ .act = write_some,
					  .prepare = forget_db,
					  .check = check_written,
					  .least = 20 },
		  DENSE);
}

static int open_only(void *ctx, struct vs_error *err)
{
	const struct vs_store_options options = { 0 };
	struct vs_store *store = NULL;
	int rc = vs_store_open(DB, &options, &store, err);

	(void)ctx;
	if (rc == 0)
		rc = vs_store_begin(store, err);
	if (rc == 0)
		vs_store_rollback(store);
	vs_store_free(store);
	return rc;
}

/* Each allocation, also of a suite that tries few: a rollback may want memory itself. */
static void opening_without_memory(void **state)
{
	struct vs_error err = { 0 };

	(void)state;
	remove_db();
	assert_int_equal(write_all(3, &err), 0);
	nomem_try(&(struct nomem_action){ .act = open_only, .least = 20 }, INT32_MAX);
}

static void listing_without_memory(void **state)
{
	(void)state;
	struct vs_error err = { 0 };

	remove_db();
	assert_int_equal(write_all(3, &err), 0);
	nomem_try(&(struct nomem_action){ .act = list_and_show, .least = 20 }, DENSE);
}

static void reporting_without_memory(void **state)
{
	(void)state;
	struct vs_error err = { 0 };

	remove_db();
	assert_int_equal(write_all(SECONDS, &err), 0);
	nomem_try(&(struct nomem_action){ .act = report_all, .least = 20 }, DENSE);
}

static struct vs_store *open_run(struct vs_run *run)
{
	const struct vs_store_options options = { 0 };
	struct vs_error err = { 0 };
	struct vs_store *store = NULL;

	remove_db();
	if (make_head(run, &err) != 0 || vs_store_open(DB, &options, &store, &err) != 0 ||
	    vs_store_run_create(store, run, &run->id, &err) != 0)
		fail_msg("%s", err.text);
	return store;
}

/* For the recorder a lack of memory is trouble that passes: nothing is lost. */
static void recording_without_memory(void **state)
{
	struct vs_stop no_stop = VS_STOP_INIT;
	(void)state;
	int64_t n;

	for (n = 1;; n += n < 6 ? 1 : nomem_stride) {
		struct feeder feeder = { .n_samples = 40 };
		struct vs_recorder_result result;
		struct vs_error err = { 0 };
		struct vs_progress progress;
		struct vs_run run;
		struct vs_recorder_options options = { .store = open_run(&run),
						       .block_bytes = 4096,
						       .n_targets = 1,
						       .progress = &progress,
						       .buffer_items = 256,
						       .stop = &no_stop };
		int rc;

		options.run_id = run.id;
		vs_progress_init(&progress, "never", 0);
		assert_int_equal(vs_queue_open(256, &feeder.queue, &err), 0);
		options.queue = feeder.queue;
		(void)feeder_main(&feeder);
		nomem_start(n, 1);
		rc = vs_recorder_run(&options, &result, &err);
		nomem_stop();
		vs_queue_free(feeder.queue);
		vs_store_free(options.store);
		vs_run_release(&run);
		if (rc == 0)
			assert_int_equal(ask("SELECT count(*) FROM sample"), 40);
		else
			assert_int_equal(err.code, VS_ENOMEM); /* before it had begun */
		if (nomem.failed == 0)
			break;
	}
	print_message("%" PRId64 " allocations\n", n);
	assert_true(n > 100);
}

/* In memory where there is such a file system: the disk's syncs are not what is tried here. */
static int enter_folder(void **state)
{
	static char folder[64] = "/dev/shm/vs-nomem-XXXXXX";

	*state = folder;
	if (!mkdtemp(folder)) {
		(void)snprintf(folder, sizeof(folder), "/tmp/vs-nomem-XXXXXX");
		if (!mkdtemp(folder))
			return -1;
	}
	return chdir(folder);
}

static int leave_folder(void **state)
{
	remove_db();
	return chdir("/") != 0 || rmdir(*state) != 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writing_without_memory),
		cmocka_unit_test(opening_without_memory),
		cmocka_unit_test(listing_without_memory),
		cmocka_unit_test(recording_without_memory),
		cmocka_unit_test(reporting_without_memory),
	};

	nomem_install(argc, argv);
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
