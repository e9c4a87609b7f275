/* What is written comes back, and the tables say it to any SQLite. */
#include "helper.h"

#include "store/prices.h"

static void a_run_comes_back_as_it_was_written(void **state)
{
	(void)state;
	struct vs_store *store = open_store("back.db");
	struct vs_run head, run;
	struct vs_sink sink;
	int64_t id;

	make_head(&head, 2);
	head.emulated = true;
	head.source = VS_SOURCE_REHEARSE;
	head.instance_gbps = 12.5;
	head.volumes = 10;
	OK(vs_run_set_text(&head.label, "it's \"quoted\" ü", &ok));
	id = record(store, &head, 3);
	sink = vs_store_sink(store, id);
	OK(vs_sink_number(&sink, 5, "oci-volume", "vpusPerGB", 10.5, &ok));
	OK(vs_sink_text(&sink, 4, "host", "kernel", "6.1", &ok));
	OK(vs_sink_event(&sink, 7, "step", &ok, "25,000 to 50,000"));
	OK(vs_store_add_phase(store, id,
			      &(struct vs_phase_mark){ 3 * VS_NS_PER_SEC, VS_PHASE_IDLE }, &ok));
	head.end = VS_END_COMPLETED;
	head.duration_ns = 3 * VS_NS_PER_SEC + 1;
	OK(vs_store_run_update(store, &head, &ok));
	vs_store_free(store);

	store = open_to_read("back.db");
	vs_run_init(&run);
	OK(vs_store_run_load(store, id, &run, &ok));
	assert_string_equal(run.uuid, head.uuid);
	assert_string_equal(run.label, head.label);
	assert_int_equal(run.source, VS_SOURCE_REHEARSE);
	assert_int_equal(run.end, VS_END_COMPLETED);
	assert_true(run.emulated);
	assert_int_equal(run.started_wall_ms, head.started_wall_ms);
	assert_int_equal(run.duration_ns, head.duration_ns);
	assert_int_equal(run.volumes, 10);
	assert_true(fabs(run.instance_gbps - 12.5) < 1e-12);
	assert_int_equal(run.workload.iodepth, 256);
	assert_true(run.workload.rate_iops < 0);
	assert_null(run.provider);
	assert_int_equal(run.n_targets, 2);
	assert_string_equal(run.targets[1].name, "/dev/sdc");
	assert_null(run.targets[1].device);
	assert_int_equal(run.n_phases, 2);
	assert_int_equal(run.phases[1].phase, VS_PHASE_IDLE);
	assert_int_equal(run.n_samples, 6);
	for (size_t i = 0; i < 6; i++) {
		struct vs_sample want = make_sample((int64_t)i / 2 + 1, (int)i % 2);

		print_message("sample %zu\n", i);
		assert_memory_equal(&run.samples[i], &want, sizeof(want));
	}
	assert_int_equal(run.n_observations, 2);
	assert_string_equal(run.observations[0].text, "6.1");
	assert_true(isnan(run.observations[0].value));
	assert_true(fabs(run.observations[1].value - 10.5) < 1e-12);
	assert_int_equal(run.n_events, 1);
	assert_string_equal(run.events[0].text, "25,000 to 50,000");
	vs_run_release(&run);
	vs_run_release(&head);
	vs_store_free(store);
}

static void unknown_values_are_null_and_whole_counts_integers(void **state)
{
	(void)state;
	struct vs_store *store = open_store("null.db");
	struct vs_sample sample = make_sample(3, 0);
	struct vs_run head, run;
	struct vs_sink sink;
	int64_t id;

	make_head(&head, 1);
	id = record(store, &head, 2);
	sink = vs_store_sink(store, id);
	sample.bytes = sample.lat_p50_ns = sample.device_reads = VS_UNKNOWN;
	OK(sink.sample(sink.ctx, &sample, &ok));
	sample = make_sample(4, 0);
	sample.ios = 12.5;
	sample.resolution_ios = 50;
	OK(sink.sample(sink.ctx, &sample, &ok));
	vs_run_init(&run);
	OK(vs_store_run_load(store, id, &run, &ok));
	assert_int_equal(run.samples[2].bytes, VS_UNKNOWN);
	assert_true(run.samples[3].resolution_ios > 49.9);
	vs_run_release(&run);
	vs_run_release(&head);
	vs_store_free(store);
	static const char *const cases[][2] = {
		{ "SELECT count(*) FROM sample", "4" },
		{ "SELECT sum(ios) FROM sample WHERE end_ns < 3500000000", "368646" },
		{ "SELECT typeof(ios) FROM sample LIMIT 1", "integer" },
		{ "SELECT bytes FROM sample WHERE end_ns BETWEEN 3000000000 AND 3500000000",
		  "NULL" },
		{ "SELECT phase FROM sample LIMIT 1", "load" },
		{ "SELECT label FROM run", "NULL" },
		{ "SELECT state FROM run", "running" },
		{ "SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_master WHERE type = "
		  "'table' AND name NOT LIKE 'sqlite%' ORDER BY name)",
		  "event observation phase price run sample target" },
		{ "PRAGMA journal_mode", "wal" },
		{ "PRAGMA integrity_check", "ok" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_message("%s\n", cases[i][0]);
		assert_string_equal(ask("null.db", cases[i][0]), cases[i][1]);
	}
}

static void samples_that_cannot_be_right_are_refused(void **state)
{
	(void)state;
	struct vs_store *store = open_store("nan.db");
	struct vs_sample good = make_sample(2, 0);
	struct vs_sample bad[6];
	struct vs_run head;
	struct vs_sink sink;

	make_head(&head, 1);
	sink = vs_store_sink(store, record(store, &head, 1));
	for (size_t i = 0; i < 6; i++)
		bad[i] = good;
	bad[0].ios = (double)NAN;
	bad[1].ios = (double)INFINITY;
	bad[2].ios = -1;
	bad[3].length_ns = -1;
	bad[4].end_ns = -1;
	bad[5].phase = 9;
	for (size_t i = 0; i < 6; i++) {
		struct vs_error err = { 0 };

		print_message("bad sample %zu\n", i);
		assert_int_equal(sink.sample(sink.ctx, &bad[i], &err), -1);
		assert_int_equal(err.code, VS_EINVAL);
	}
	OK(sink.sample(sink.ctx, &good, &ok));
	vs_run_release(&head);
	vs_store_free(store);
}

static void a_run_is_found_by_id_prefix_and_last(void **state)
{
	(void)state;
	struct vs_store *store = open_store("find.db");
	struct vs_run head;
	int64_t id;
	struct vs_error empty = { 0 };

	assert_int_equal(vs_store_run_find(store, "last", &id, &empty), -1);
	assert_int_equal(empty.code, VS_ENOTFOUND);
	assert_string_equal(empty.text, "'find.db' holds no runs yet; make one with 'volscale "
					"observe', 'rehearse' or 'import'");
	for (int i = 0; i < 3; i++) {
		make_head(&head, 1);
		(void)snprintf(head.uuid, sizeof(head.uuid), "%s",
			       i == 0   ? "abcd1111-0000-4000-8000-000000000000"
			       : i == 1 ? "abcd2222-0000-4000-8000-000000000000"
					: "99990000-0000-4000-8000-000000000000");
		(void)record(store, &head, 1);
		vs_run_release(&head);
	}
	static const struct {
		const char *ref;
		int64_t id; /* 0: refused */
		enum vs_code code;
	} cases[] = {
		{ "1", 1, VS_OK },
		{ "3", 3, VS_OK },
		{ "last", 3, VS_OK },
		{ "abcd1", 1, VS_OK },
		{ "ABCD2", 2, VS_OK },
		{ "9999", 3, VS_OK },
		{ "abcd", 0, VS_EUSAGE },
		{ "4", 0, VS_ENOTFOUND },
		{ "ffff", 0, VS_ENOTFOUND },
		{ "abc", 0, VS_EUSAGE },
		{ "", 0, VS_EUSAGE },
		{ "-1", 0, VS_EUSAGE },
		{ "1 OR 1", 0, VS_EUSAGE },
		{ "%%%%", 0, VS_EUSAGE },
		{ "99999999999999999999", 0, VS_ENOTFOUND },
		{ "99990000-0000-4000-8000-000000000000", 3, VS_OK },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_error err = { 0 };
		int rc = vs_store_run_find(store, cases[i].ref, &id, &err);

		print_message("'%s': %s\n", cases[i].ref, err.text);
		assert_int_equal(rc, cases[i].id ? 0 : -1);
		assert_int_equal(err.code, cases[i].code);
		if (rc == 0)
			assert_int_equal(id, cases[i].id);
	}
	vs_store_free(store);
}

static void a_deleted_run_leaves_nothing_and_its_id_is_not_used_again(void **state)
{
	(void)state;
	struct vs_store *store = open_store("delete.db");
	struct vs_error err = { 0 };
	struct vs_run head;
	int64_t id;

	make_head(&head, 1);
	id = record(store, &head, 5);
	assert_int_equal(vs_store_run_delete(store, id, &err), -1); /* we still record it */
	assert_int_equal(err.code, VS_EUSAGE);
	head.end = VS_END_COMPLETED;
	OK(vs_store_run_update(store, &head, &ok));
	OK(vs_store_run_delete(store, id, &ok));
	vs_error_clear(&err);
	assert_int_equal(vs_store_run_delete(store, id, &err), -1);
	assert_int_equal(err.code, VS_ENOTFOUND);
	vs_run_make_uuid(head.uuid);
	assert_int_equal(record(store, &head, 1), id + 1);
	vs_run_release(&head);
	vs_store_free(store);
	assert_string_equal(ask("delete.db", "SELECT count(*) FROM sample"), "1");
	assert_string_equal(ask("delete.db", "SELECT count(*) FROM target"), "1");
}

static void a_second_process_may_read_during_the_run(void **state)
{
	(void)state;
	struct vs_store *writer = open_store("live.db"), *reader;
	struct vs_sample sample = make_sample(3, 0);
	struct vs_run head, run;
	struct vs_sink sink;
	int64_t id;

	make_head(&head, 1);
	id = record(writer, &head, 2);
	OK(vs_store_begin(writer, &ok));
	sink = vs_store_sink(writer, id);
	OK(sink.sample(sink.ctx, &sample, &ok));
	reader = open_to_read("live.db");
	vs_run_init(&run);
	OK(vs_store_run_load(reader, id, &run, &ok));
	assert_int_equal(run.end, VS_END_RUNNING);
	assert_int_equal(run.n_samples, 2); /* the third is not committed */
	assert_int_equal(run.duration_ns, run.samples[1].end_ns);
	vs_run_release(&run);
	OK(vs_store_commit(writer, &ok));
	OK(vs_store_run_load(reader, id, &run, &ok));
	assert_int_equal(run.n_samples, 3);
	vs_run_release(&run);
	vs_run_release(&head);
	vs_store_free(reader);
	vs_store_free(writer);
}

static void prices_are_kept_until_they_are_put_again(void **state)
{
	(void)state;
	struct vs_store *store = open_store("price.db");
	struct vs_unit_price price = { .provider = "oci",
				       .item = "B91961",
				       .currency = "USD",
				       .value = 0.0255,
				       .priced_at = "2026-09-05",
				       .fetched_wall_ms = 1700000000000,
				       .source = "https://example.com/prices" };
	struct vs_unit_price found;
	struct vs_error err = { 0 };

	OK(vs_store_price_put(store, &price, &ok));
	price.value = 0.03;
	OK(vs_store_price_put(store, &price, &ok));
	OK(vs_store_price_get(store, "oci", "B91961", "USD", &found, &ok));
	assert_true(fabs(found.value - 0.03) < 1e-12);
	assert_string_equal(found.priced_at, "2026-09-05");
	assert_string_equal(found.source, price.source);
	assert_int_equal(vs_store_price_get(store, "oci", "B91961", "JPY", &found, &err), -1);
	assert_int_equal(err.code, VS_ENOTFOUND);
	price.value = (double)NAN;
	vs_error_clear(&err);
	assert_int_equal(vs_store_price_put(store, &price, &err), -1);
	vs_store_free(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_comes_back_as_it_was_written),
		cmocka_unit_test(unknown_values_are_null_and_whole_counts_integers),
		cmocka_unit_test(samples_that_cannot_be_right_are_refused),
		cmocka_unit_test(a_run_is_found_by_id_prefix_and_last),
		cmocka_unit_test(a_deleted_run_leaves_nothing_and_its_id_is_not_used_again),
		cmocka_unit_test(a_second_process_may_read_during_the_run),
		cmocka_unit_test(prices_are_kept_until_they_are_put_again),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
