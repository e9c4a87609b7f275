/* Going on with a run, several runs as one, and where a database may lie. */
#include "helper.h"

static int64_t finished(struct vs_store *store, int64_t start_s, int64_t seconds, int n_targets,
			enum vs_end end, const char *rw)
{
	struct vs_run head;
	struct vs_sink sink;
	int64_t id;

	make_head(&head, n_targets);
	OK(vs_run_set_text(&head.workload.rw, rw, &ok));
	head.started_wall_ms = 1700000000000 + start_s * 1000;
	id = record(store, &head, seconds);
	sink = vs_store_sink(store, id);
	OK(vs_sink_number(&sink, VS_NS_PER_SEC, "oci-volume", "vpusPerGB", (double)start_s, &ok));
	head.end = end;
	head.duration_ns = seconds * VS_NS_PER_SEC;
	OK(vs_store_run_update(store, &head, &ok));
	vs_run_release(&head);
	return id;
}

static void a_resumed_run_goes_on_behind_the_gap(void **state)
{
	(void)state;
	struct vs_store *store = open_store("resume.db");
	struct vs_sample sample;
	struct vs_run head, run;
	struct vs_sink sink;
	int64_t id;

	make_head(&head, 1);
	head.started_wall_ms -= 60000; /* a minute ago; 10 s of it were recorded */
	id = record(store, &head, 10);
	head.end = VS_END_INTERRUPTED;
	head.duration_ns = 10 * VS_NS_PER_SEC;
	OK(vs_store_run_update(store, &head, &ok));
	vs_run_release(&head);
	OK(vs_store_run_reopen(store, id, &head, &ok));
	assert_int_equal(head.end, VS_END_RUNNING);
	assert_in_range(head.duration_ns, 60 * VS_NS_PER_SEC, 61 * VS_NS_PER_SEC);
	assert_int_equal(head.n_phases, 1);
	assert_int_equal(head.n_targets, 1);
	sample = make_sample(1, 0);
	sample.end_ns += head.duration_ns;
	sink = vs_store_sink(store, id);
	OK(sink.sample(sink.ctx, &sample, &ok));
	vs_run_init(&run);
	OK(vs_store_run_load(store, id, &run, &ok));
	assert_int_equal(run.end, VS_END_RUNNING);
	assert_int_equal(run.n_samples, 11);
	assert_int_equal(run.n_events, 1);
	assert_string_equal(run.events[0].kind, "resumed");
	assert_non_null(strstr(run.events[0].text, "resumed 50 s after it was interrupted"));
	vs_run_release(&run);
	vs_run_release(&head);
	vs_store_free(store);
}

/* The wall clock was set back by an hour: new samples still come behind the old ones. */
static void a_clock_set_back_does_not_mix_old_and_new(void **state)
{
	(void)state;
	struct vs_store *store = open_store("back.db");
	struct vs_run head;
	int64_t id;

	make_head(&head, 1);
	head.started_wall_ms += 3600000;
	id = record(store, &head, 10);
	head.end = VS_END_FAILED;
	head.duration_ns = 10 * VS_NS_PER_SEC;
	OK(vs_store_run_update(store, &head, &ok));
	vs_run_release(&head);
	OK(vs_store_run_reopen(store, id, &head, &ok));
	assert_int_equal(head.duration_ns, 10 * VS_NS_PER_SEC);
	vs_run_release(&head);
	vs_store_free(store);
}

static void what_cannot_be_resumed_is_refused(void **state)
{
	(void)state;
	struct vs_store *store = open_store("no.db");
	struct vs_run head;
	int64_t completed = finished(store, 0, 3, 1, VS_END_COMPLETED, "read"), running;
	const struct {
		int64_t id;
		enum vs_code code;
	} cases[] = { { completed, VS_EUSAGE },
		      { completed + 1, VS_EUSAGE },
		      { 77, VS_ENOTFOUND } };

	make_head(&head, 1);
	running = record(store, &head, 3);
	vs_run_release(&head);
	assert_int_equal(running, completed + 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_error err = { 0 };

		assert_int_equal(vs_store_run_reopen(store, cases[i].id, &head, &err), -1);
		print_message("run %lld: %s\n", (long long)cases[i].id, err.text);
		assert_int_equal(err.code, cases[i].code);
		vs_run_release(&head);
	}
	vs_store_free(store);
	assert_string_equal(ask("no.db", "SELECT count(*) FROM event"), "0");
}

static void merged_runs_keep_their_gaps(void **state)
{
	(void)state;
	struct vs_store *store = open_store("merge.db");
	int64_t late = finished(store, 100, 20, 2, VS_END_COMPLETED, "read");
	int64_t early = finished(store, 0, 30, 1, VS_END_INTERRUPTED, "read");
	struct vs_run run;
	int64_t id;

	OK(vs_store_run_merge(store, (int64_t[]){ late, early }, 2, "night", &id, &ok));
	vs_run_init(&run);
	OK(vs_store_run_load(store, id, &run, &ok));
	assert_int_equal(run.started_wall_ms, 1700000000000);
	assert_int_equal(run.duration_ns, 120 * VS_NS_PER_SEC);
	assert_int_equal(run.end, VS_END_COMPLETED);
	assert_string_equal(run.label, "night");
	assert_int_equal(run.n_targets, 2);
	assert_int_equal(run.n_samples, 30 + 2 * 20);
	assert_true(run.samples[29].end_ns < 31 * VS_NS_PER_SEC);
	assert_true(run.samples[30].end_ns > 101 * VS_NS_PER_SEC - 1);
	assert_int_equal(run.samples[31].target, 1);
	assert_int_equal(run.n_phases, 2);
	assert_int_equal(run.phases[1].start_ns, 100 * VS_NS_PER_SEC);
	assert_int_equal(run.n_observations, 2);
	assert_int_equal(run.observations[1].at_ns, 101 * VS_NS_PER_SEC);
	assert_int_equal(run.n_events, 1);
	assert_int_equal(run.events[0].at_ns, 30 * VS_NS_PER_SEC);
	print_message("%s\n", run.events[0].text);
	assert_non_null(strstr(run.events[0].text, "nothing was recorded for 1 min 10 s"));
	vs_run_release(&run);
	vs_store_free(store);
	assert_string_equal(ask("merge.db", "SELECT count(*) FROM run"), "3");
}

static void runs_that_do_not_fit_are_not_merged(void **state)
{
	(void)state;
	struct vs_store *store = open_store("misfit.db");
	int64_t a = finished(store, 0, 30, 1, VS_END_COMPLETED, "read");
	int64_t b = finished(store, 20, 30, 1, VS_END_COMPLETED, "read");
	int64_t c = finished(store, 100, 30, 1, VS_END_COMPLETED, "randread");
	int64_t d = finished(store, 200, 30, 1, VS_END_RUNNING, "read");
	const int64_t cases[][2] = { { a, b }, { a, c }, { a, d }, { a, a }, { a, 99 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_error err = { 0 };
		int64_t id;

		assert_int_equal(vs_store_run_merge(store, cases[i], 2, NULL, &id, &err), -1);
		print_message("%lld + %lld: %s\n", (long long)cases[i][0], (long long)cases[i][1],
			      err.text);
		assert_int_equal(err.code, i == 4 ? VS_ENOTFOUND : VS_EUSAGE);
	}
	vs_store_free(store);
	assert_string_equal(ask("misfit.db", "SELECT count(*) FROM run"), "4");
}

/* A file system on a loop device on a file: whoever measures any of the two is told. */
static void a_database_on_the_target_is_refused(void **state)
{
	(void)state;
	char notice[VS_STORE_NOTICE_MAX], loop[64];
	struct vs_error err = { 0 };
	const char *target = loop;
	FILE *in;

	if (geteuid() != 0 || system("truncate -s 16M img && mkfs.ext4 -q img && mkdir -p mnt && "
				     "mount -o loop img mnt 2>/dev/null && "
				     "findmnt -n -o SOURCE mnt >loop") != 0) {
		print_message("skipped: no loop device here\n");
		skip();
	}
	in = fopen("loop", "r");
	assert_non_null(in);
	assert_non_null(fgets(loop, sizeof(loop), in));
	(void)fclose(in);
	loop[strcspn(loop, "\n")] = '\0';
	assert_int_equal(vs_store_check_place("mnt/x.db", &target, 1, notice, &err), -1);
	print_message("%s\n", err.text);
	assert_int_equal(err.code, VS_EUSAGE);
	OK(vs_store_check_place("x.db", &target, 1, notice, &ok));
	assert_string_equal(notice, "");
	assert_int_equal(system("umount mnt"), 0);
}

static void a_target_file_beside_the_database_is_a_notice(void **state)
{
	(void)state;
	char notice[VS_STORE_NOTICE_MAX];
	struct vs_error err = { 0 };
	const char *target = "target";

	assert_int_equal(system("touch target"), 0);
	OK(vs_store_check_place("x.db", &target, 1, notice, &ok));
	assert_string_equal(notice, "database 'x.db' lies on the same file system as the target "
				    "'target'; its writes are part of what is measured");
	assert_int_equal(vs_store_check_place("target", &target, 1, notice, &err), -1);
	assert_int_equal(err.code, VS_EUSAGE);
	vs_error_clear(&err);
	assert_int_equal(vs_store_check_place("no/such/x.db", &target, 1, notice, &err), -1);
	assert_int_equal(err.code, VS_ESYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_resumed_run_goes_on_behind_the_gap),
		cmocka_unit_test(a_clock_set_back_does_not_mix_old_and_new),
		cmocka_unit_test(what_cannot_be_resumed_is_refused),
		cmocka_unit_test(merged_runs_keep_their_gaps),
		cmocka_unit_test(runs_that_do_not_fit_are_not_merged),
		cmocka_unit_test(a_database_on_the_target_is_refused),
		cmocka_unit_test(a_target_file_beside_the_database_is_a_notice),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
