/* The recorder on a database in trouble: what waits, what is written later, what is counted as
 * lost. */
#include <inttypes.h>
#include <pthread.h>
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
#include "shim.h"

#define DB "recorder.db"

static struct vs_error ok;

#define OK(call)                                       \
 do {                                                  \
  vs_error_clear(&ok);                                 \
  if ((call) != 0)                                     \
   fail_msg("%s:%d: %s", __FILE__, __LINE__, ok.text); \
 } while (0)

struct recording {
	struct vs_store *store;
	struct vs_run run;
	struct vs_recorder_result result;
	struct vs_error err;
	int rc;
	FILE *events;
};

static void remove_db(void)
{
	(void)unlink(DB);
	(void)unlink(DB "-wal");
	(void)unlink(DB "-shm");
}

static void open_run(struct recording *rec)
{
	static char name[] = "/dev/sdb";
	const struct vs_store_options options = { 0 };
	const struct vs_target target = { .name = name, .size_bytes = 1 << 30, .size_gb = 1 };

	remove_db();
	shim_reset();
	vs_run_init(&rec->run);
	vs_run_make_uuid(rec->run.uuid);
	rec->run.source = VS_SOURCE_OBSERVE;
	rec->run.end = VS_END_RUNNING;
	rec->run.started_wall_ms = vs_clock_wall_ns() / VS_NS_PER_MS;
	rec->run.interval_ns = VS_NS_PER_SEC;
	OK(vs_run_add_target(&rec->run, &target, &ok));
	OK(vs_store_open(DB, &options, &rec->store, &ok));
	OK(vs_store_run_create(rec->store, &rec->run, &rec->run.id, &ok));
	rec->events = tmpfile();
	assert_non_null(rec->events);
}

/* Feeds n seconds while the recorder runs; the run stays open in *rec. */
static void record(struct recording *rec, struct feeder *feeder, size_t buffer_items)
{
	struct vs_stop no_stop = VS_STOP_INIT;
	struct vs_progress progress;
	struct vs_recorder_options options = { .store = rec->store,
					       .run_id = rec->run.id,
					       .block_bytes = 4096,
					       .n_targets = 1,
					       .progress = &progress,
					       .events = rec->events,
					       .buffer_items = buffer_items,
					       .stop = &no_stop };
	pthread_t thread;

	vs_progress_init(&progress, "never", feeder->n_samples * VS_NS_PER_SEC);
	OK(vs_queue_open(8192, &feeder->queue, &ok));
	options.queue = feeder->queue;
	assert_int_equal(pthread_create(&thread, NULL, feeder_main, feeder), 0);
	vs_error_clear(&rec->err);
	rec->rc = vs_recorder_run(&options, &rec->result, &rec->err);
	assert_int_equal(pthread_join(thread, NULL), 0);
	vs_queue_free(feeder->queue);
}

static void close_run(struct recording *rec)
{
	shim_reset();
	vs_store_free(rec->store);
	vs_run_release(&rec->run);
	assert_int_equal(fclose(rec->events), 0);
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

static bool was_told(struct recording *rec, const char *kind)
{
	char line[1024], word[64];
	bool found = false;

	(void)snprintf(word, sizeof(word), "\"kind\":\"%s\"", kind);
	rewind(rec->events);
	while (!found && fgets(line, sizeof(line), rec->events))
		found = strstr(line, word) != NULL;
	return found;
}

/* Every second is there once, with the values that were fed. */
static void assert_seconds(int64_t n)
{
	int64_t bytes = 0;

	for (int64_t second = 1; second <= n; second++)
		bytes += feeder_sample(second).bytes;
	assert_int_equal(ask("SELECT count(*) FROM sample"), n);
	assert_int_equal(ask("SELECT sum(bytes) FROM sample"), bytes);
	assert_int_equal(ask("SELECT count(*) FROM pragma_integrity_check WHERE "
			     "integrity_check = 'ok'"),
			 1);
}

static void well_while_all_is_well(void **state)
{
	(void)state;
	struct feeder feeder = { .n_samples = 5000 };
	struct recording rec;

	open_run(&rec);
	record(&rec, &feeder, 256);
	assert_int_equal(rec.rc, 0);
	assert_int_equal(rec.result.samples, 5000);
	assert_int_equal(rec.result.lost, 0);
	assert_int_equal(rec.result.end, VS_END_COMPLETED);
	assert_int_equal(rec.result.end_ns, feeder_sample(5000).end_ns);
	assert_seconds(5000);
	assert_int_equal(ask("SELECT count(*) FROM event WHERE kind = 'live-step'"), 5);
	close_run(&rec);
}

/* From one second of the feed to another the disk fails; the feed goes on at its pace. */
struct outage {
	int64_t from, to;
	int code;
};

static _Atomic int outage_code;

static int ask_outage(void)
{
	return outage_code;
}

static void make_outage(int64_t second, void *ctx)
{
	const struct outage *outage = ctx;

	outage_code = second >= outage->from && second < outage->to ? outage->code : SQLITE_OK;
}

static void what_a_full_or_failing_disk_refuses_is_written_later(void **state)
{
	(void)state;
	static const int codes[] = { SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC };

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct outage outage = { .from = 100, .to = 900, .code = codes[i] };
		struct feeder feeder = { .n_samples = 1000,
					 .pause_ns = VS_NS_PER_MS,
					 .before = make_outage,
					 .ctx = &outage };
		struct recording rec;

		open_run(&rec);
		shim.ask = ask_outage;
		record(&rec, &feeder, 2048);
		assert_int_equal(rec.rc, 0);
		assert_int_equal(rec.result.lost, 0);
		assert_seconds(1000);
		assert_int_equal(ask("SELECT count(*) FROM event WHERE kind = 'database-trouble'"),
				 1);
		assert_int_equal(
			ask("SELECT count(*) FROM event WHERE kind = 'database-recovered'"), 1);
		assert_int_equal(ask("SELECT count(*) FROM event WHERE kind = 'samples-lost'"), 0);
		close_run(&rec);
	}
}

/* What fits is a whole beginning; the rest is counted, said at once, and an event afterwards. */
static void what_finds_no_room_is_counted_told_and_recorded(void **state)
{
	(void)state;
	struct outage outage = { .from = 100, .to = 900, .code = SQLITE_FULL };
	struct feeder feeder = {
		.n_samples = 1000, .pause_ns = VS_NS_PER_MS, .before = make_outage, .ctx = &outage
	};
	struct recording rec;
	char sql[160];

	open_run(&rec);
	shim.ask = ask_outage;
	record(&rec, &feeder, 200);
	assert_int_equal(rec.rc, 0);
	assert_true(rec.result.lost > 500);
	assert_true(was_told(&rec, "losing-samples"));
	assert_true(was_told(&rec, "samples-lost"));
	/* nothing but samples and perhaps the event of the trouble was refused */
	assert_in_range(ask("SELECT count(*) FROM sample") + (int64_t)rec.result.lost, 1000, 1003);
	(void)snprintf(sql, sizeof(sql),
		       "SELECT sum(CAST(text AS INTEGER)) = %" PRIu64
		       " FROM event WHERE kind = 'samples-lost'",
		       rec.result.lost);
	assert_int_equal(ask(sql), 1);
	assert_int_equal(ask("SELECT count(*) FROM pragma_integrity_check WHERE "
			     "integrity_check = 'ok'"),
			 1);
	close_run(&rec);
}

struct lock {
	sqlite3 *db;
	int64_t from, to;
};

static void hold_lock(int64_t second, void *ctx)
{
	struct lock *lock = ctx;

	if (second == lock->from) {
		assert_int_equal(sqlite3_open(DB, &lock->db), SQLITE_OK);
		(void)sqlite3_busy_timeout(lock->db, 10000);
		assert_int_equal(sqlite3_exec(lock->db, "BEGIN IMMEDIATE", NULL, NULL, NULL),
				 SQLITE_OK);
	}
	if (second == lock->to)
		assert_int_equal(sqlite3_close(lock->db), SQLITE_OK);
}

static void a_lock_is_waited_out(void **state)
{
	(void)state;
	struct lock lock = { .from = 100, .to = 1900 };
	struct feeder feeder = {
		.n_samples = 2000, .pause_ns = VS_NS_PER_MS, .before = hold_lock, .ctx = &lock
	};
	struct recording rec;

	open_run(&rec);
	record(&rec, &feeder, 4096);
	assert_int_equal(rec.rc, 0);
	assert_int_equal(rec.result.lost, 0);
	assert_seconds(2000);
	assert_true(was_told(&rec, "database-trouble"));
	assert_true(was_told(&rec, "database-recovered"));
	close_run(&rec);
}

/* Nothing fails, it only takes its time: a run's last samples are waited for. */
static void a_slow_disk_loses_nothing(void **state)
{
	(void)state;
	struct feeder feeder = { .n_samples = 300, .pause_ns = VS_NS_PER_MS };
	struct recording rec;

	open_run(&rec);
	shim.sync_ns = 300 * VS_NS_PER_MS;
	record(&rec, &feeder, 2048);
	assert_int_equal(rec.rc, 0);
	assert_int_equal(rec.result.lost, 0);
	assert_seconds(300);
	close_run(&rec);
}

static int ask_corrupt(void)
{
	return ask_outage() ? SQLITE_CORRUPT : SQLITE_OK;
}

/* What cannot pass ends the run, and the message says how much was not kept. */
static void a_database_that_is_lost_ends_the_run(void **state)
{
	(void)state;
	struct outage outage = { .from = 100, .to = 300, .code = SQLITE_CORRUPT };
	struct feeder feeder = {
		.n_samples = 300, .pause_ns = VS_NS_PER_MS, .before = make_outage, .ctx = &outage
	};
	struct recording rec;

	open_run(&rec);
	shim.ask = ask_corrupt;
	record(&rec, &feeder, 2048);
	print_message("%s\n", rec.err.text);
	assert_int_equal(rec.rc, -1);
	assert_int_equal(rec.result.end, VS_END_FAILED);
	assert_true(rec.result.lost > 0);
	assert_non_null(strstr(rec.err.text, "records are lost"));
	close_run(&rec);
}

static int enter_folder(void **state)
{
	static char folder[64];

	(void)snprintf(folder, sizeof(folder), "/tmp/vs-recorder-XXXXXX");
	*state = folder;
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
	remove_db();
	return chdir("/") != 0 || rmdir(*state) != 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(well_while_all_is_well),
		cmocka_unit_test(what_a_full_or_failing_disk_refuses_is_written_later),
		cmocka_unit_test(what_finds_no_room_is_counted_told_and_recorded),
		cmocka_unit_test(a_lock_is_waited_out),
		cmocka_unit_test(a_slow_disk_loses_nothing),
		cmocka_unit_test(a_database_that_is_lost_ends_the_run),
	};

	shim_install();
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
