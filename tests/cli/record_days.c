/*
 * record_days DB DAYS: so many days of samples through the real recorder, with a compressed clock.
 * Prints what it took; fails when memory grew by more than 1 MB after the first hour or a sample
 * takes more than 120 bytes.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/recorder.h"
#include "feeder.h"

#define MAX_GROWTH_KIB 1024
#define MAX_BYTES      120.0

static long first_hour_kib, most_kib;

static long memory_kib(void)
{
	FILE *in = fopen("/proc/self/status", "re");
	long kib = -1;
	char line[128];

	if (!in)
		return -1;
	while (fgets(line, sizeof(line), in))
		if (sscanf(line, "RssAnon: %ld", &kib) == 1)
			break;
	(void)fclose(in);
	return kib;
}

static void watch_memory(int64_t second, void *ctx)
{
	(void)ctx;
	if (second % 600 != 0)
		return;
	if (second == 3600)
		first_hour_kib = memory_kib();
	if (second > 3600) {
		long now_kib = memory_kib();

		most_kib = now_kib > most_kib ? now_kib : most_kib;
	}
}

static int make_run(struct vs_run *run, struct vs_store **store, const char *path, int64_t seconds,
		    struct vs_error *err)
{
	const struct vs_store_options options = { 0 };
	static char name[] = "/dev/sdb";
	const struct vs_target target = {
		.name = name, .size_bytes = INT64_C(1) << 40, .size_gb = 1024, .is_device = true
	};

	vs_run_init(run);
	vs_run_make_uuid(run->uuid);
	run->source = VS_SOURCE_OBSERVE;
	run->end = VS_END_RUNNING;
	run->started_wall_ms = vs_clock_wall_ns() / VS_NS_PER_MS - seconds * 1000;
	run->interval_ns = VS_NS_PER_SEC;
	run->size_gb = 1024;
	run->workload.block_bytes = 4096;
	run->workload.iodepth = 256;
	run->workload.numjobs = 4;
	if (vs_run_set_text(&run->workload.rw, "randread", err) != 0 ||
	    vs_run_set_text(&run->provider, "oci", err) != 0 ||
	    vs_run_add_target(run, &target, err) != 0 ||
	    vs_store_open(path, &options, store, err) != 0)
		return -1;
	return vs_store_run_create(*store, run, &run->id, err);
}

static int record(struct vs_run *run, struct vs_store *store, int64_t seconds,
		  struct vs_recorder_result *result, struct vs_error *err)
{
	struct vs_stop no_stop = VS_STOP_INIT;
	struct vs_progress progress;
	struct feeder feeder = { .n_samples = seconds, .before = watch_memory };
	struct vs_recorder_options options = { .store = store,
					       .run_id = run->id,
					       .block_bytes = 4096,
					       .n_targets = 1,
					       .progress = &progress,
					       .buffer_items = 1625,
					       .stop = &no_stop };
	pthread_t thread;
	int rc;

	vs_progress_init(&progress, "never", seconds * VS_NS_PER_SEC);
	if (vs_queue_open(options.buffer_items, &feeder.queue, err) != 0)
		return -1;
	options.queue = feeder.queue;
	if (pthread_create(&thread, NULL, feeder_main, &feeder) != 0)
		return -1;
	rc = vs_recorder_run(&options, result, err);
	(void)pthread_join(thread, NULL);
	vs_queue_free(feeder.queue);
	if (rc != 0)
		return -1;
	run->end = result->end;
	run->duration_ns = result->end_ns;
	return vs_store_run_update(store, run, err);
}

static int check(const char *path, int64_t seconds, const struct vs_recorder_result *result,
		 double took_s)
{
	struct stat st = { 0 };
	double bytes;
	int failed = 0;

	(void)stat(path, &st);
	bytes = (double)st.st_size / (double)seconds;
	printf("%" PRId64 " samples in %.1f s, %.1f bytes a sample, memory %ld KiB after an hour "
	       "and at most %ld KiB later\n",
	       seconds, took_s, bytes, first_hour_kib, most_kib);
	if (result->samples != (uint64_t)seconds || result->lost != 0) {
		printf("%" PRIu64 " of them saved, %" PRIu64 " lost\n", result->samples,
		       result->lost);
		failed++;
	}
	failed += bytes > MAX_BYTES;
	failed += first_hour_kib <= 0 || most_kib - first_hour_kib > MAX_GROWTH_KIB;
	return failed ? 1 : 0;
}

int main(int argc, char **argv)
{
	int64_t seconds = argc == 3 ? strtoll(argv[2], NULL, 10) * 86400 : 0;
	struct vs_recorder_result result = { 0 };
	struct vs_store *store = NULL;
	struct vs_error err = { 0 };
	struct vs_run run;
	int64_t start_ns = vs_clock_mono_ns();
	int rc;

	if (seconds <= 0) {
		(void)fputs("usage: record_days DB DAYS\n", stderr);
		return 2;
	}
	rc = make_run(&run, &store, argv[1], seconds, &err);
	if (rc == 0)
		rc = record(&run, store, seconds, &result, &err);
	vs_store_free(store);
	vs_run_release(&run);
	if (rc != 0) {
		(void)fprintf(stderr, "record_days: %s\n", err.text);
		return 1;
	}
	return check(argv[1], seconds, &result,
		     (double)(vs_clock_mono_ns() - start_ns) / (double)VS_NS_PER_SEC);
}
