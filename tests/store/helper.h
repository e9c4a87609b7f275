/* What the tests of the store share: a folder of their own, a run with something in everything. */
#ifndef TESTS_STORE_HELPER_H
#define TESTS_STORE_HELPER_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "store/store.h"

static struct vs_error ok; /* of the call inside OK() */

#define OK(call)                                       \
 do {                                                  \
  vs_error_clear(&ok);                                 \
  if ((call) != 0)                                     \
   fail_msg("%s:%d: %s", __FILE__, __LINE__, ok.text); \
 } while (0)

/* The group runs in an empty folder, so that names in messages are short and the same always. */
static inline int enter_folder(void **state)
{
	static char folder[64];

	(void)snprintf(folder, sizeof(folder), "/tmp/vs-store-XXXXXX");
	if (!mkdtemp(folder) || chdir(folder) != 0)
		return -1;
	*state = folder;
	return 0;
}

/* The same in memory where there is such a file system: for tests that sync a thousand times. */
static inline int enter_memory_folder(void **state)
{
	static char folder[64] = "/dev/shm/vs-store-XXXXXX";

	*state = folder;
	return mkdtemp(folder) ? chdir(folder) : enter_folder(state);
}

static inline int leave_folder(void **state)
{
	char command[128];

	(void)snprintf(command, sizeof(command), "rm -rf '%s'", (char *)*state);
	return chdir("/") != 0 || system(command) != 0;
}

static inline void make_head(struct vs_run *head, int n_targets)
{
	vs_run_init(head);
	vs_run_make_uuid(head->uuid);
	head->started_wall_ms = vs_clock_wall_ns() / VS_NS_PER_MS;
	head->size_gb = 1024;
	head->workload.block_bytes = 4096;
	head->workload.iodepth = 256;
	head->workload.numjobs = 4;
	OK(vs_run_set_text(&head->workload.rw, "randread", &ok));
	for (int i = 0; i < n_targets; i++) {
		char name[16];
		struct vs_target target = { .name = name,
					    .size_bytes = INT64_C(1) << 40,
					    .size_gb = 1024,
					    .is_device = true };

		(void)snprintf(name, sizeof(name), "/dev/sd%c", 'b' + i);
		OK(vs_run_add_target(head, &target, &ok));
	}
}

/* The sample of a second of a volume that does what a real one would; `second` from 1 on. */
static inline struct vs_sample make_sample(int64_t second, int target)
{
	return (struct vs_sample){
		.end_ns = second * VS_NS_PER_SEC + second % 7 * 1013,
		.length_ns = VS_NS_PER_SEC + second % 5 * 211,
		.ios = (double)(122880 + second % 97),
		.bytes = (122880 + second % 97) * 4096,
		.lat_p50_ns = 8300000 + second % 11 * 65536,
		.lat_p99_ns = 9100000 + second % 13 * 65536,
		.lat_p999_ns = 12100000 + second % 17 * 65536,
		.lat_max_ns = 31000000 + second % 19 * 262144,
		.device_reads = 122880 + second % 97,
		.device_merges = 0,
		.device_sectors = (122880 + second % 97) * 8,
		.oldest_ns = 8300000 + second % 23 * 1001,
		.inflight = 1024,
		.target = (uint16_t)target,
		.phase = VS_PHASE_LOAD,
	};
}

static inline struct vs_store *open_store(const char *path)
{
	struct vs_store_options options = { .busy_timeout_ns = 200 * VS_NS_PER_MS };
	struct vs_store *store = NULL;

	OK(vs_store_open(path, &options, &store, &ok));
	return store;
}

static inline struct vs_store *open_to_read(const char *path)
{
	struct vs_store_options options = { .read_only = true };
	struct vs_store *store = NULL;

	OK(vs_store_open(path, &options, &store, &ok));
	return store;
}

/* A run of so many seconds of each target, with its end; its id. */
static inline int64_t record(struct vs_store *store, struct vs_run *head, int64_t seconds)
{
	struct vs_sink sink;
	int64_t id = 0;

	OK(vs_store_begin(store, &ok));
	OK(vs_store_run_create(store, head, &id, &ok));
	OK(vs_store_add_phase(store, id, &(struct vs_phase_mark){ 0, VS_PHASE_LOAD }, &ok));
	sink = vs_store_sink(store, id);
	for (int64_t second = 1; second <= seconds; second++)
		for (size_t t = 0; t < head->n_targets; t++) {
			struct vs_sample sample = make_sample(second, (int)t);
			OK(sink.sample(sink.ctx, &sample, &ok));
		}
	head->id = id;
	OK(vs_store_commit(store, &ok));
	return id;
}

/* What the sqlite3 library itself says: the first column of the first row, as text. */
#include <sqlite3.h>
static inline const char *ask(const char *path, const char *sql)
{
	static char answer[4096];
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db = NULL;

	(void)snprintf(answer, sizeof(answer), "(none)");
	if (sqlite3_open(path, &db) != SQLITE_OK ||
	    sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		(void)snprintf(answer, sizeof(answer), "error: %s", sqlite3_errmsg(db));
	else if (sqlite3_step(stmt) == SQLITE_ROW)
		(void)snprintf(answer, sizeof(answer), "%s",
			       sqlite3_column_type(stmt, 0) == SQLITE_NULL
				       ? "NULL"
				       : (const char *)sqlite3_column_text(stmt, 0));
	(void)sqlite3_finalize(stmt);
	(void)sqlite3_close(db);
	return answer;
}

#endif
