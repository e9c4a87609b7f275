/* A run's end, written to a database in trouble: waited for, told, and left by a second signal. */
#include <sys/wait.h>

#include "cli/session_end.h"
#include "helper.h"
#include "shim.h"

#define DB "ending.db"

static void open_run(struct vs_store **store, struct vs_run *run)
{
	(void)unlink(DB);
	shim_reset();
	make_head(run, 1);
	run->source = VS_SOURCE_WATCH;
	run->end = VS_END_RUNNING;
	*store = open_store(DB);
	OK(vs_store_run_create(*store, run, &run->id, &ok));
	run->end = VS_END_COMPLETED;
	run->duration_ns = VS_NS_PER_SEC;
}

static int end_run(struct vs_store *store, const struct vs_run *run, int64_t patience_ns,
		   struct vs_stop *stop, struct vs_error *err)
{
	const struct vs_sampler_totals totals = { .lateness_max_ns = 1 };
	struct vs_progress progress;
	const struct vs_session_end end = {
		.store = store, .run = run, .totals = &totals, .progress = &progress, .stop = stop
	};

	vs_progress_init(&progress, "never", 0);
	return vs_session_end(&end, patience_ns, err);
}

/* The end as a reader sees it. */
static void assert_end(const struct vs_run *run, enum vs_end wanted)
{
	struct vs_store *store = open_to_read(DB);
	struct vs_run read;

	vs_run_init(&read);
	OK(vs_store_run_load(store, run->id, &read, &ok));
	assert_int_equal(read.end, wanted);
	assert_int_equal(read.n_observations, wanted == VS_END_COMPLETED ? 3 : 0);
	vs_run_release(&read);
	vs_store_free(store);
}

static int64_t shut_until_ns;

static int ask_disk(void)
{
	return vs_clock_mono_ns() < shut_until_ns ? SQLITE_FULL : SQLITE_OK;
}

static void a_full_disk_is_waited_for(void **state)
{
	(void)state;
	struct vs_stop stop = VS_STOP_INIT;
	struct vs_store *store = NULL;
	struct vs_run run;

	open_run(&store, &run);
	shut_until_ns = vs_clock_mono_ns() + VS_NS_PER_SEC;
	shim.ask = ask_disk;
	OK(end_run(store, &run, 60 * VS_NS_PER_SEC, &stop, &ok));
	assert_true(vs_clock_mono_ns() >= shut_until_ns);
	vs_store_free(store);
	assert_end(&run, VS_END_COMPLETED);
	vs_run_release(&run);
}

static void what_stays_shut_is_an_error_that_says_so(void **state)
{
	(void)state;
	struct vs_stop stop = VS_STOP_INIT;
	struct vs_store *store = NULL;
	struct vs_error err = { 0 };
	struct vs_run run;

	open_run(&store, &run);
	shut_until_ns = INT64_MAX;
	shim.ask = ask_disk;
	assert_int_equal(end_run(store, &run, 600 * VS_NS_PER_MS, &stop, &err), -1);
	print_message("%s\n", err.text);
	assert_int_equal(err.code, VS_EDB);
	assert_non_null(strstr(err.text, "end is not recorded"));
	shim_reset();
	vs_store_free(store);
	assert_end(&run, VS_END_RUNNING); /* this process, its writer, still lives */
	vs_run_release(&run);
}

static sqlite3 *lock(void)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(DB, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	return db;
}

/* In a child: the end of a run whose database another connection has locked. */
static void end_locked_out(int say_fd)
{
	struct vs_stop stop = VS_STOP_INIT;
	struct vs_store *store = NULL;
	struct vs_error err = { 0 };
	struct vs_run run;

	open_run(&store, &run);
	(void)lock();
	if (dup2(say_fd, STDERR_FILENO) < 0 || vs_stop_open(&stop, &err) != 0)
		_exit(2);
	_exit(end_run(store, &run, 60 * VS_NS_PER_SEC, &stop, &err) == 0 ? 0 : 1);
}

static void assert_said(FILE *said, const char *words)
{
	char line[512] = "";

	assert_non_null(fgets(line, sizeof(line), said));
	print_message("%s", line);
	assert_non_null(strstr(line, words));
}

static void the_wait_is_told_and_a_second_signal_ends_it(void **state)
{
	(void)state;
	int fds[2], status = 0;
	FILE *said;
	pid_t child;

	assert_int_equal(pipe(fds), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		end_locked_out(fds[1]);
	(void)close(fds[1]);
	said = fdopen(fds[0], "r");
	assert_non_null(said);
	assert_said(said, "waiting for the database (");
	assert_int_equal(kill(child, SIGINT), 0);
	assert_said(said, "interrupt again");
	(void)usleep(
		300000); /* nearer, it would be the same one, sent to the process's group too */
	assert_int_equal(kill(child, SIGINT), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGINT);
	assert_int_equal(fclose(said), 0);
}

/* Asked to end before, the process waits with the signals' own meaning. */
static void after_the_first_signal_the_next_ends_the_process_anywhere(void **state)
{
	(void)state;
	int status = 0;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		struct vs_stop stop = VS_STOP_INIT;
		struct vs_error err = { 0 };

		if (vs_stop_open(&stop, &err) != 0 || raise(SIGTERM) != 0 || !vs_stop_take(&stop) ||
		    raise(SIGTERM) != 0 || vs_stop_take(&stop)) /* the same one again */
			_exit(2);
		vs_stop_let_go(&stop);
		(void)raise(SIGTERM);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_disk_is_waited_for),
		cmocka_unit_test(what_stays_shut_is_an_error_that_says_so),
		cmocka_unit_test(the_wait_is_told_and_a_second_signal_ends_it),
		cmocka_unit_test(after_the_first_signal_the_next_ends_the_process_anywhere),
	};

	shim_install();
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
