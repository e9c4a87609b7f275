/* The bulk sink writes what the plain one writes, when the transaction is committed. */
#include "helper.h"

#define SECONDS 200 /* of samples: some full statements, and a rest */

/* As an import knows them, but for each 50th, which the many at once have no place for. */
static struct vs_sample imported(int64_t second)
{
	struct vs_sample s = make_sample(second, 0);

	if (second % 50 == 0)
		return s;
	s.ios += second % 3 ? 0 : 0.25;
	s.resolution_ios = second % 2 ? 0.5 : 0;
	s.bytes = second % 4 ? s.bytes : VS_UNKNOWN;
	s.lat_p50_ns = s.lat_p99_ns = s.lat_p999_ns = s.lat_max_ns = VS_UNKNOWN;
	s.device_reads = s.device_merges = s.device_sectors = VS_UNKNOWN;
	s.oldest_ns = s.inflight = 0;
	s.flags = second % 5 ? 0 : VS_SAMPLE_ZERO_FILL;
	s.phase = second < 10 ? VS_PHASE_RAMP : VS_PHASE_LOAD;
	return s;
}

static void add_all(const struct vs_sink *sink, int64_t seconds)
{
	for (int64_t second = 1; second <= seconds; second++) {
		struct vs_sample sample = imported(second);
		OK(sink->sample(sink->ctx, &sample, &ok));
	}
}

/* Opens a transaction, with a run in it. */
static struct vs_sink begin_run(struct vs_store *store, bool bulk)
{
	struct vs_run head;
	int64_t id;

	make_head(&head, 1);
	OK(vs_store_begin(store, &ok));
	OK(vs_store_run_create(store, &head, &id, &ok));
	vs_run_release(&head);
	return bulk ? vs_store_bulk_sink(store, id) : vs_store_sink(store, id);
}

#define ROWS_OF(run)                                                                   \
 "SELECT end_ns, target, length_ns, phase, quote(ios), quote(resolution_ios), bytes, " \
 "lat_p50_ns, lat_p99_ns, lat_p999_ns, lat_max_ns, device_reads, device_merges, "      \
 "device_sectors, oldest_ns, inflight, errors, flags FROM sample WHERE run_id = " run

static void the_rows_are_those_of_the_plain_sink(void **state)
{
	(void)state;
	struct vs_store *store = open_store("same.db");

	for (int i = 0; i < 2; i++) {
		struct vs_sink sink = begin_run(store, i == 1);

		add_all(&sink, SECONDS);
		OK(vs_store_commit(store, &ok));
	}
	vs_store_free(store);
	assert_string_equal(ask("same.db", "SELECT count(*) FROM sample WHERE run_id = 2"), "200");
	assert_string_equal(ask("same.db", ROWS_OF("1") " EXCEPT " ROWS_OF("2")), "(none)");
}

static void a_rollback_forgets_what_waits(void **state)
{
	(void)state;
	struct vs_store *store = open_store("back.db");
	struct vs_sink sink = begin_run(store, true);
	struct vs_run head;

	add_all(&sink, 10);
	vs_store_rollback(store);
	make_head(&head, 1);
	(void)record(store, &head, 1);
	assert_string_equal(ask("back.db", "SELECT count(*) FROM sample"), "1");
	/* and a sample of a run that is not there is refused as before */
	sink = vs_store_sink(store, 99);
	assert_int_equal(sink.sample(sink.ctx, &(struct vs_sample){ .end_ns = 1 }, NULL), -1);
	vs_store_free(store);
	vs_run_release(&head);
}

static void a_second_row_of_one_time_is_refused_with_the_commit(void **state)
{
	(void)state;
	struct vs_store *store = open_store("twice.db");
	struct vs_error err = { 0 };
	struct vs_sample sample = imported(1);
	struct vs_sink sink = begin_run(store, true);

	OK(sink.sample(sink.ctx, &sample, &ok));
	OK(sink.sample(sink.ctx, &sample, &ok));
	assert_int_equal(vs_store_commit(store, &err), -1);
	assert_non_null(strstr(err.text, "cannot take a sample"));
	sample.ios = -1;
	OK(vs_store_begin(store, &ok));
	assert_int_equal(sink.sample(sink.ctx, &sample, NULL), -1);
	vs_store_free(store);
	assert_string_equal(ask("twice.db", "SELECT count(*) FROM run"), "0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rows_are_those_of_the_plain_sink),
		cmocka_unit_test(a_rollback_forgets_what_waits),
		cmocka_unit_test(a_second_row_of_one_time_is_refused_with_the_commit),
	};
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
