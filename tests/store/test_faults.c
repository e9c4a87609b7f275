/* The database's disk in trouble: full, failing, slow, and without power. */
#include "helper.h"

#include "shim.h"

#define BATCH_SAMPLES 8

static struct vs_store *try_open(const char *path, enum vs_durability durability,
				 struct vs_error *err)
{
	struct vs_store_options options = { .durability = durability,
					    .busy_timeout_ns = 50 * VS_NS_PER_MS };
	struct vs_store *store = NULL;

	return vs_store_open(path, &options, &store, err) == 0 ? store : NULL;
}

/* One transaction: the samples of one second of eight targets, and an event that tells it. */
static int add_batch(struct vs_store *store, int64_t second, struct vs_error *err)
{
	struct vs_sink sink = vs_store_sink(store, 1);

	if (vs_store_begin(store, err) != 0)
		return -1;
	for (int t = 0; t < BATCH_SAMPLES; t++) {
		struct vs_sample sample = make_sample(second, t);

		if (sink.sample(sink.ctx, &sample, err) != 0) {
			vs_store_rollback(store);
			return -1;
		}
	}
	if (vs_sink_event(&sink, second * VS_NS_PER_SEC, "batch", err, "%lld", (long long)second) !=
	    0) {
		vs_store_rollback(store);
		return -1;
	}
	return vs_store_commit(store, err);
}

static int create_run(struct vs_store *store, struct vs_error *err)
{
	struct vs_run head;
	int64_t id;
	int rc;

	make_head(&head, BATCH_SAMPLES);
	rc = vs_store_run_create(store, &head, &id, err);
	vs_run_release(&head);
	return rc;
}

/* Writes batches from..to, each tried again while the error may pass; how often that was. */
static int64_t add_stubbornly(struct vs_store *store, int64_t from, int64_t to)
{
	int64_t retries = 0;

	for (int64_t second = from; second <= to; second++) {
		for (int tries = 0;; tries++) {
			struct vs_error err = { 0 };

			if (add_batch(store, second, &err) == 0)
				break;
			if (!vs_store_error_is_retryable(&err) || tries == 50)
				fail_msg("batch %lld, op %lld: %s", (long long)second,
					 (long long)shim.ops, err.text);
			retries++;
		}
	}
	return retries;
}

/* All batches 1..n are there once and whole, and nothing else. */
static void assert_batches(const char *path, int64_t n)
{
	char want[64];

	assert_string_equal(ask(path, "PRAGMA integrity_check"), "ok");
	(void)snprintf(want, sizeof(want), "%lld %lld %lld", (long long)(n * BATCH_SAMPLES),
		       (long long)n, (long long)n);
	assert_string_equal(ask(path, "SELECT (SELECT count(*) FROM sample) || ' ' || "
				      "(SELECT count(*) FROM event) || ' ' || "
				      "(SELECT ifnull(max(text + 0), 0) FROM event)"),
			    want);
}

static void remove_db(const char *path)
{
	char name[64];

	for (int i = 0; i < 4; i++) {
		static const char *const endings[] = { "", "-wal", "-shm", "-journal" };

		(void)snprintf(name, sizeof(name), "%s%s", path, endings[i]);
		(void)unlink(name);
	}
}

/* A failure at any operation of the disk, once or for a while: the batch is kept by a retry, and
 * none is there twice. */
static void a_failed_batch_can_be_written_again(void **state)
{
	(void)state;
	static const int codes[] = { SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC };
	int64_t hit = 0;

	for (size_t c = 0; c < sizeof(codes) / sizeof(codes[0]); c++) {
		for (int64_t from = 1; from < 120; from += 1 + from / 40) {
			for (int64_t ops = 1; ops <= 16; ops *= 4) {
				struct vs_store *store;

				shim_reset();
				remove_db("f.db");
				store = try_open("f.db", VS_DURABILITY_FULL, &ok);
				assert_non_null(store);
				assert_int_equal(create_run(store, &ok), 0);
				shim.fail_from = shim.ops + from;
				shim.fail_ops = ops;
				shim.fail_code = codes[c];
				hit += add_stubbornly(store, 1, 12) > 0;
				shim.fail_from = 0;
				vs_store_free(store);
				assert_batches("f.db", 12);
			}
		}
	}
	print_message("%lld of the faults hit a batch\n", (long long)hit);
	assert_true(hit > 200);
}

static void a_failure_while_opening_is_told_and_passes(void **state)
{
	(void)state;
	int64_t told = 0;

	for (int64_t from = 1; from < 40; from++) {
		struct vs_error err = { 0 };
		struct vs_store *store;

		shim_reset();
		remove_db("o.db");
		shim.fail_from = from;
		shim.fail_ops = 1000;
		shim.fail_code = SQLITE_FULL;
		store = try_open("o.db", VS_DURABILITY_NORMAL, &err);
		if (!store) {
			told++;
			assert_true(vs_store_error_is_retryable(&err));
			assert_non_null(strstr(err.text, "o.db"));
		}
		vs_store_free(store);
		shim.fail_from = 0;
		store = try_open("o.db", VS_DURABILITY_NORMAL, &ok);
		assert_non_null(store);
		assert_int_equal(create_run(store, &ok), 0);
		(void)add_stubbornly(store, 1, 2);
		vs_store_free(store);
		assert_batches("o.db", 2);
	}
	assert_true(told > 5);
}

static void a_slow_disk_only_takes_time(void **state)
{
	(void)state;
	struct vs_store *store;
	int64_t start;

	shim_reset();
	store = try_open("slow.db", VS_DURABILITY_FULL, &ok);
	assert_non_null(store);
	assert_int_equal(create_run(store, &ok), 0);
	shim.sync_ns = 3 * VS_NS_PER_SEC;
	start = vs_clock_mono_ns();
	assert_int_equal(add_batch(store, 1, &ok), 0);
	assert_true(vs_clock_mono_ns() - start >= 3 * VS_NS_PER_SEC);
	shim.sync_ns = 0;
	vs_store_free(store);
	assert_batches("slow.db", 1);
}

static int64_t batches_in(const char *path)
{
	if (strcmp(ask(path, "SELECT count(*) FROM sqlite_master WHERE name = 'event'"), "1") != 0)
		return 0;
	return strtoll(ask(path, "SELECT count(*) FROM event"), NULL, 10);
}

/* The batches known to be committed when the power goes at operation `at`. */
static int64_t record_until(int64_t at, enum vs_durability durability)
{
	struct vs_error err = { 0 };
	struct vs_store *store;
	int64_t done = 0;

	shim_reset();
	remove_db("p.db");
	shim.fail_from = at;
	shim.fail_ops = INT64_MAX / 2;
	shim.fail_code = SQLITE_IOERR_WRITE;
	for (int open = 0; open < 2; open++) { /* closing writes the WAL back into the file */
		store = try_open("p.db", durability, &err);
		if (!store)
			break;
		if (open == 0 && create_run(store, &err) != 0)
			done = -1;
		for (int i = 0; done >= 0 && i < 6; i++) {
			if (add_batch(store, done + 1, &err) != 0)
				break;
			done++;
		}
		vs_store_free(store);
		if (done < 0 || err.code != VS_OK)
			break;
	}
	return done < 0 ? 0 : done;
}

static void cut_the_power_everywhere(enum vs_durability durability)
{
	static const int keeps_pct[] = { 0, 50, 90, 100 };
	unsigned int seed = 7;
	int64_t at, lost = 0;

	for (at = 1;; at++) {
		for (size_t k = 0; k < 4; k++) {
			int64_t done = record_until(at, durability), found;
			struct vs_store *store;

			if (!shim.failed) { /* the recording went through */
				print_message("%lld operations, %lld batches lost\n",
					      (long long)at - 1, (long long)lost);
				assert_int_equal(done, 12);
				assert_true(at > 40);
				assert_true(durability == VS_DURABILITY_FULL ? lost == 0
									     : lost > 0);
				return;
			}
			shim_power_cut("p.db", "cut.db", keeps_pct[k], &seed);
			found = batches_in("cut.db");
			if (found < done)
				lost += done - found;
			if (found > done + 1 || (durability == VS_DURABILITY_FULL && found < done))
				fail_msg("cut at %lld, %d %% kept: %lld of %lld batches",
					 (long long)at, keeps_pct[k], (long long)found,
					 (long long)done);
			shim.fail_from = 0;
			store = try_open("cut.db", durability, &ok); /* and it is a database */
			if (!store)
				fail_msg("cut at %lld, %d %% kept: %s", (long long)at, keeps_pct[k],
					 ok.text);
			vs_store_free(store);
			assert_batches("cut.db", found);
		}
	}
}

static void with_full_durability_a_power_cut_loses_nothing_committed(void **state)
{
	(void)state;
	cut_the_power_everywhere(VS_DURABILITY_FULL);
}

static void with_normal_durability_a_power_cut_leaves_whole_batches(void **state)
{
	(void)state;
	cut_the_power_everywhere(VS_DURABILITY_NORMAL);
}

/* A WAL that was copied in any state, as a backup of a running recording does. */
static void a_wal_cut_at_any_place_gives_whole_batches(void **state)
{
	(void)state;
	struct vs_store *store;
	int64_t last = 0, size, found;
	unsigned char *wal;
	FILE *file;

	shim_reset();
	store = try_open("w.db", VS_DURABILITY_NORMAL, &ok);
	assert_non_null(store);
	assert_int_equal(create_run(store, &ok), 0);
	(void)add_stubbornly(store, 1, 6);
	assert_int_equal(system("cp w.db base.db"), 0);
	file = fopen("w.db-wal", "r");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = ftell(file);
	rewind(file);
	wal = malloc((size_t)size);
	assert_non_null(wal);
	assert_int_equal(fread(wal, 1, (size_t)size, file), size);
	(void)fclose(file);
	vs_store_free(store);
	for (int64_t next = 0, len = 0; len < size; next += next % 4120 < 64 ? 13 : 1021) {
		len = next < size ? next : size;
		assert_int_equal(system("cp base.db c.db"), 0);
		(void)unlink("c.db-shm");
		file = fopen("c.db-wal", "w");
		assert_non_null(file);
		assert_int_equal(fwrite(wal, 1, (size_t)len, file), len);
		assert_int_equal(fclose(file), 0);
		found = batches_in("c.db");
		assert_in_range(found, last, 6);
		last = found;
		assert_batches("c.db", found);
	}
	free(wal);
	assert_int_equal(last, 6);
}

/* Another program writes, or reads a long time. */
static void a_locked_database_is_waited_for_and_told(void **state)
{
	(void)state;
	struct vs_error err = { 0 };
	struct vs_store *store;
	sqlite3 *other;
	int64_t start;

	shim_reset();
	store = try_open("l.db", VS_DURABILITY_NORMAL, &ok);
	assert_non_null(store);
	assert_int_equal(create_run(store, &ok), 0);
	assert_int_equal(sqlite3_open("l.db", &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other, "BEGIN; SELECT * FROM run", NULL, NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(add_batch(store, 1, &ok), 0); /* a reader stands in nobody's way */
	assert_int_equal(sqlite3_exec(other, "COMMIT; BEGIN IMMEDIATE", NULL, NULL, NULL),
			 SQLITE_OK);
	start = vs_clock_mono_ns();
	assert_int_equal(add_batch(store, 2, &err), -1);
	assert_true(vs_clock_mono_ns() - start >= 40 * VS_NS_PER_MS); /* as long as was asked */
	print_message("%s\n", err.text);
	assert_true(vs_store_error_is_retryable(&err));
	assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(add_batch(store, 2, &ok), 0);
	assert_int_equal(sqlite3_close(other), SQLITE_OK);
	vs_store_free(store);
	assert_batches("l.db", 2);
}

static void a_full_file_system_is_told_and_waited_out(void **state)
{
	(void)state;
	struct vs_error err = { 0 };
	struct vs_store *store;
	int64_t second = 1;

	if (geteuid() != 0 ||
	    system("truncate -s 8M img && mkfs.ext4 -q -O ^has_journal img && mkdir -p full && "
		   "mount -o loop img full 2>/dev/null") != 0) {
		print_message("skipped: no loop device here\n");
		skip();
	}
	shim_reset();
	store = try_open("full/x.db", VS_DURABILITY_NORMAL, &ok);
	assert_non_null(store);
	assert_int_equal(create_run(store, &ok), 0);
	assert_int_equal(system("cat /dev/zero >full/other 2>/dev/null; test -s full/other"), 0);
	while (second < 10000 && add_batch(store, second, &err) == 0)
		second++;
	print_message("full at batch %lld: %s\n", (long long)second, err.text);
	assert_int_equal(err.code, VS_EDB);
	assert_int_equal(err.detail & 0xff, SQLITE_FULL);
	assert_non_null(strstr(err.text, "make room"));
	assert_true(vs_store_error_is_retryable(&err));
	assert_int_equal(unlink("full/other"), 0);
	(void)add_stubbornly(store, second, second + 20);
	vs_store_free(store);
	assert_batches("full/x.db", second + 20);
	assert_int_equal(system("umount full"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failed_batch_can_be_written_again),
		cmocka_unit_test(a_failure_while_opening_is_told_and_passes),
		cmocka_unit_test(a_slow_disk_only_takes_time),
		cmocka_unit_test(with_full_durability_a_power_cut_loses_nothing_committed),
		cmocka_unit_test(with_normal_durability_a_power_cut_leaves_whole_batches),
		cmocka_unit_test(a_wal_cut_at_any_place_gives_whole_batches),
		cmocka_unit_test(a_locked_database_is_waited_for_and_told),
		cmocka_unit_test(a_full_file_system_is_told_and_waited_out),
	};

	shim_install();
	return cmocka_run_group_tests(tests, enter_memory_folder, leave_folder);
}
