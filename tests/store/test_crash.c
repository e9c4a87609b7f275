/* kill -9 of a process that records, at random moments; `test_crash N` kills N times (10). */
#include "helper.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

/* Intervals are short here, so that a kill can hit any moment of many commits. */
#define INTERVAL_NS (2 * VS_NS_PER_MS)

static int n_kills = 10;

/* Records for ever, a transaction an interval, telling each begun interval on the pipe. */
static void record_for_ever(const char *path, int64_t id, int64_t from, int fd)
{
	struct vs_store *store = open_store(path);
	struct vs_sink sink = vs_store_sink(store, id);
	struct vs_error err = { 0 };

	for (int64_t n = from;; n++) {
		struct vs_sample sample = make_sample(n, 0);
		struct timespec pause = { .tv_nsec = INTERVAL_NS / 4 };

		sample.end_ns = n * INTERVAL_NS;
		sample.length_ns = INTERVAL_NS;
		if (write(fd, &n, sizeof(n)) != sizeof(n) || vs_store_begin(store, &err) != 0 ||
		    sink.sample(sink.ctx, &sample, &err) != 0 || vs_store_commit(store, &err) != 0)
			_exit(1);
		(void)nanosleep(&pause, NULL);
	}
}

/* A child that makes the run, or goes on with it, is killed after delay_ns. The last interval that
 * it had begun. */
static int64_t record_and_kill(const char *path, bool create, int64_t from, long delay_ns)
{
	struct timespec delay = { .tv_nsec = delay_ns };
	int64_t last = 0, n;
	int fds[2], status;
	pid_t child;

	assert_int_equal(pipe(fds), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct vs_store *store = open_store(path);
		struct vs_error err = { 0 };
		struct vs_run head;
		int64_t id = 1;

		if (create) {
			make_head(&head, 1);
			head.interval_ns = INTERVAL_NS;
			if (vs_store_run_create(store, &head, &id, &err) != 0)
				_exit(1);
		} else {
			vs_run_init(&head);
			if (vs_store_run_reopen(store, id, &head, &err) != 0)
				_exit(1);
		}
		vs_store_free(store);
		record_for_ever(path, id, from, fds[1]);
	}
	(void)close(fds[1]);
	assert_int_equal(read(fds[0], &last, sizeof(last)), sizeof(last)); /* it has begun */
	(void)nanosleep(&delay, NULL);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	while (read(fds[0], &n, sizeof(n)) == sizeof(n))
		last = n;
	(void)close(fds[0]);
	return last;
}

static void a_kill_loses_one_interval_at_most_and_reads_as_crashed(void **state)
{
	(void)state;
	unsigned int seed = (unsigned int)time(NULL);
	int64_t from = 1;

	print_message("seed %u\n", seed);
	for (int i = 0; i < n_kills; i++) {
		long delay_ns = rand_r(&seed) % 60000000; /* NOLINT: any moment will do */
		int64_t begun = record_and_kill("kill.db", i == 0, from, delay_ns);
		struct vs_store *store;
		struct vs_run run;
		int64_t stored, expected;

		print_message("kill %d after %ld us: interval %lld\n", i, delay_ns / 1000,
			      (long long)begun);
		store = open_to_read("kill.db");
		vs_run_init(&run);
		OK(vs_store_run_load(store, 1, &run, &ok));
		assert_int_equal(run.end, VS_END_CRASHED);
		stored = run.n_samples ? run.samples[run.n_samples - 1].end_ns / INTERVAL_NS : 0;
		assert_in_range(stored, begun - 1, begun);
		expected = run.n_samples ? run.samples[run.n_samples - 1].end_ns : 0;
		if (i == 0)
			assert_int_equal(run.duration_ns, expected);
		for (size_t k = 0; k < run.n_samples; k++)
			assert_int_equal(run.samples[k].end_ns, (int64_t)(k + 1) * INTERVAL_NS);
		vs_run_release(&run);
		vs_store_free(store);
		assert_string_equal(ask("kill.db", "PRAGMA integrity_check"), "ok");
		from = stored + 1;
	}
	if (n_kills > 1)
		assert_string_equal(ask("kill.db", "SELECT count(*) = (SELECT count(*) FROM event "
						   "WHERE kind = 'resumed') FROM event"),
				    "1");
}

static void the_list_says_crashed_too(void **state)
{
	(void)state;
	struct vs_store *store;
	struct vs_run *runs;
	size_t n;

	(void)record_and_kill("list.db", true, 1, 300000000);
	store = open_to_read("list.db");
	OK(vs_store_run_list(store, &runs, &n, &ok));
	assert_int_equal(n, 1);
	assert_int_equal(runs[0].end, VS_END_CRASHED);
	assert_true(runs[0].duration_ns > 0);
	vs_run_release(&runs[0]);
	free(runs);
	vs_store_free(store);
}

/* The pid of a dead writer may be somebody else's by now, or of before the last boot. */
static void another_process_with_the_pid_is_not_the_writer(void **state)
{
	(void)state;
	static const struct {
		const char *change;
		enum vs_end end;
	} cases[] = {
		{ "label = label", VS_END_RUNNING },
		{ "writer_start_ticks = writer_start_ticks + 1", VS_END_CRASHED },
		{ "writer_boot_id = 'x'", VS_END_CRASHED },
		{ "writer_pid = NULL", VS_END_CRASHED },
		/* in another container nothing can be told but that it was quiet for long */
		{ "writer_pid_namespace = 1", VS_END_RUNNING },
		{ "writer_pid_namespace = 1, started_at_ms = started_at_ms - 100000",
		  VS_END_CRASHED },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_store *store;
		struct vs_run run;
		char sql[128];

		print_message("%s\n", cases[i].change);
		(void)unlink("pid.db");
		store = open_store("pid.db");
		make_head(&run, 1);
		(void)record(store, &run, 5);
		vs_run_release(&run);
		(void)snprintf(sql, sizeof(sql), "UPDATE run SET %s", cases[i].change);
		(void)ask("pid.db", sql);
		OK(vs_store_run_load(store, 1, &run, &ok));
		assert_int_equal(run.end, cases[i].end);
		vs_run_release(&run);
		vs_store_free(store);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kill_loses_one_interval_at_most_and_reads_as_crashed),
		cmocka_unit_test(the_list_says_crashed_too),
		cmocka_unit_test(another_process_with_the_pid_is_not_the_writer),
	};

	if (argc > 1)
		n_kills = (int)strtol(argv[1], NULL, 10);
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
