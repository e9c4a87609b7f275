/*
 * Databases that somebody else wrote or a disk damaged: `runs` and `report` say what is wrong, or
 * show what there is, and neither crash nor hang. `test_hostile N` damages N copies at random
 * places (default 150; slow: 3000).
 */
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
#include <sqlite3.h>

#include "read_all.h"
#include "recording.h"

#define DB         "hostile.db"
#define LIMIT_S    20 /* a read that takes longer hangs: SIGALRM ends the test */
#define PAGE_BYTES 512

static int n_damaged = 150;

/* A small recording with small pages, so that a damaged byte is seldom one that nobody reads. */
static void make_good(void)
{
	struct vs_error err = { 0 };

	(void)unlink(DB);
	if (recording_make(DB, PAGE_BYTES, 60, &err) != 0)
		fail_msg("%s", err.text);
}

static void run_sql(const char *sql)
{
	char *why = NULL;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(DB, &db), SQLITE_OK);
	(void)sqlite3_exec(db, "PRAGMA foreign_keys = OFF", NULL, NULL, NULL);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* Reads all that a command would. 0, or -1 with an error that says something. */
static int read_it(const char *what)
{
	struct vs_error err = { 0 };
	int rc;

	(void)alarm(LIMIT_S);
	rc = read_all(DB, &err);
	(void)alarm(0);
	if (rc != 0 && (err.code == VS_OK || !err.text[0]))
		fail_msg("%s: an error without words", what);
	if (rc != 0)
		print_message("%s: %s\n", what, err.text);
	else
		print_message("%s: is read\n", what);
	return rc;
}

enum expect {
	READ,
	REFUSED,
	EITHER
};

struct change {
	enum expect expect;
	const char *sql;
};

static void assert_changes(const struct change *changes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int rc;

		make_good();
		run_sql(changes[i].sql);
		rc = read_it(changes[i].sql);
		if (changes[i].expect != EITHER && (rc == 0) != (changes[i].expect == READ))
			fail_msg("%s: %s", changes[i].sql, rc == 0 ? "was read" : "was refused");
	}
}

static void values_of_a_wrong_type_or_size(void **state)
{
	(void)state;
	static const struct change changes[] = {
		{ REFUSED, "UPDATE sample SET ios = 'many' WHERE end_ns > 5e9" },
		{ REFUSED, "UPDATE sample SET ios = x'00ff'" },
		{ REFUSED, "UPDATE sample SET ios = -1" },
		{ REFUSED, "UPDATE sample SET ios = 9e999" },
		{ REFUSED, "UPDATE sample SET ios = 1e300" },
		{ READ, "UPDATE sample SET ios = 1e15" },
		{ READ, "UPDATE sample SET ios = 1e15 WHERE target = 0 AND end_ns % 2" },
		{ REFUSED, "UPDATE sample SET length_ns = -1" },
		{ EITHER, "UPDATE sample SET length_ns = 0" },
		{ EITHER, "UPDATE sample SET length_ns = 1" },
		{ EITHER, "UPDATE sample SET length_ns = 3000000000000000000" },
		{ REFUSED, "UPDATE sample SET length_ns = 9223372036854775807" },
		{ REFUSED, "UPDATE sample SET length_ns = 'a while'" },
		{ REFUSED, "UPDATE sample SET end_ns = -end_ns" },
		{ EITHER, "UPDATE sample SET end_ns = end_ns + 3000000000000000000" },
		{ REFUSED, "UPDATE sample SET end_ns = 9223372036854775807 - end_ns" },
		{ REFUSED, "UPDATE sample SET phase = 'lunch'" },
		{ REFUSED, "UPDATE sample SET phase = 7" },
		{ EITHER, "UPDATE sample SET target = 65535 WHERE target = 1" },
		{ REFUSED, "UPDATE sample SET target = 65536 WHERE target = 1" },
		{ REFUSED, "UPDATE sample SET target = -1 WHERE target = 1" },
		{ EITHER, "UPDATE sample SET bytes = 3000000000000000000" },
		{ REFUSED, "UPDATE sample SET bytes = 'x'" },
		{ EITHER, "UPDATE sample SET lat_p50_ns = 3000000000000000000, lat_max_ns = 0" },
		{ EITHER, "UPDATE sample SET device_reads = 3000000000000000000" },
		{ EITHER, "UPDATE sample SET errors = 4294967295, inflight = 4294967295" },
		{ REFUSED, "UPDATE sample SET errors = 4294967296" },
		{ EITHER, "UPDATE sample SET flags = 4294967295" },
		{ EITHER, "UPDATE sample SET resolution_ios = 1e300" },
		{ EITHER, "UPDATE run SET interval_ns = 0" },
		{ EITHER, "UPDATE run SET interval_ns = 1" },
		{ EITHER, "UPDATE run SET interval_ns = 3000000000000000000" },
		{ REFUSED, "UPDATE run SET interval_ns = -1" },
		{ EITHER, "UPDATE run SET duration_ns = 0" },
		{ EITHER, "UPDATE run SET duration_ns = 3000000000000000000" },
		{ REFUSED, "UPDATE run SET duration_ns = -1" },
		{ EITHER, "UPDATE run SET started_at_ms = -62135596800001" },
		{ EITHER, "UPDATE run SET started_at_ms = 3155760000000" },
		{ REFUSED, "UPDATE run SET started_at_ms = 9223372036854775807" },
		{ REFUSED, "UPDATE run SET state = 'asleep'" },
		{ REFUSED, "UPDATE run SET source = x'00'" },
		{ REFUSED, "UPDATE run SET emulated = 2" },
		{ REFUSED, "UPDATE run SET uuid = hex(zeroblob(100))" },
		{ EITHER, "UPDATE run SET uuid = ''" },
		{ EITHER, "UPDATE run SET size_gb = 1e308" },
		{ EITHER, "UPDATE run SET size_gb = 1e-308" },
		{ REFUSED, "UPDATE run SET size_gb = -1" },
		{ REFUSED, "UPDATE run SET size_gb = 9e999" },
		{ EITHER, "UPDATE run SET volumes = 3000000000000000000" },
		{ EITHER, "UPDATE run SET volumes = 0" },
		{ EITHER, "UPDATE run SET instance_gbps = 1e308" },
		{ EITHER, "UPDATE run SET instance_gbps = 1e-308" },
		{ EITHER, "UPDATE run SET block_bytes = 0" },
		{ EITHER, "UPDATE run SET block_bytes = 3000000000000000000" },
		{ EITHER, "UPDATE run SET iodepth = 3000000000000000000, numjobs = iodepth" },
		{ EITHER, "UPDATE run SET rate_iops = 1e308" },
		{ EITHER, "UPDATE run SET provider = 'nobody'" },
		{ EITHER, "UPDATE run SET provider = '../../etc/passwd'" },
		{ READ,
		  "UPDATE run SET label = '<script>alert(1)</script>' || char(10, 27, 7, 9)" },
		{ READ, "UPDATE run SET label = CAST(x'fffec0af' AS TEXT)" },
		{ REFUSED, "UPDATE run SET label = 'a' || char(0) || 'b'" },
		{ READ, "UPDATE run SET label = '%s%n%n%n%1000000d'" },
		{ READ, "UPDATE run SET label = replace(hex(zeroblob(400000)), '00', '<')" },
		{ EITHER, "UPDATE run SET label = hex(zeroblob(600000))" },
		{ REFUSED, "UPDATE run SET id = -5" },
		{ EITHER, "UPDATE run SET id = 9223372036854775807" },
		{ READ, "UPDATE target SET name = name || char(10) || '| x |'" },
		{ REFUSED, "UPDATE target SET target = target + 5" },
		{ REFUSED, "UPDATE target SET size_gb = 'big'" },
		{ EITHER, "UPDATE target SET size_bytes = 3000000000000000000, size_gb = 1e300" },
		{ EITHER, "DELETE FROM target" },
		{ READ, "DELETE FROM sample" },
		{ READ, "DELETE FROM phase" },
		{ READ, "DELETE FROM run" },
		{ READ, "DELETE FROM observation" },
		{ REFUSED, "UPDATE phase SET phase = 'x'" },
		{ EITHER, "UPDATE phase SET start_ns = 3000000000000000000" },
		{ REFUSED, "UPDATE phase SET start_ns = -1" },
		{ READ, "UPDATE observation SET value = 1e308 WHERE value IS NOT NULL" },
		{ EITHER, "UPDATE observation SET value = 9e999" },
		{ EITHER, "UPDATE observation SET value = 'x', text = 'y'" },
		{ EITHER, "UPDATE observation SET value = NULL, text = NULL" },
		{ READ, "UPDATE event SET text = replace(hex(zeroblob(100000)), '0', 'a ')" },
		{ EITHER, "UPDATE event SET at_ns = -1" },
		{ EITHER, "UPDATE event SET at_ns = 3000000000000000000" },
		{ EITHER, "UPDATE run SET writer_pid = 3000000000000000000, state = 'running'" },
		{ EITHER, "UPDATE run SET writer_pid = 'me', state = 'running'" },
		{ EITHER, "UPDATE run SET writer_boot_id = replace(hex(zeroblob(1000)), '0', 'a'), "
			  "state = 'running'" },
	};

	assert_changes(changes, sizeof(changes) / sizeof(changes[0]));
}

#define NUMBERS(n) \
 "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < " #n ") "

static void a_great_many_of_everything(void **state)
{
	(void)state;
	static const struct change changes[] = {
		/* a phase a sample, there and back */
		{ READ,
		  NUMBERS(20000) "INSERT INTO phase (run_id, start_ns, phase) SELECT 1, "
				 "i * 1000000, CASE i % 3 WHEN 0 THEN 'load' WHEN 1 THEN 'idle' "
				 "ELSE 'probe' END FROM n" },
		{ READ, "UPDATE sample SET phase = CASE end_ns / 1000000000 % 3 WHEN 0 THEN 'load' "
			"WHEN 1 THEN 'idle' ELSE 'probe' END" },
		/* a level of its own for every sample */
		{ READ,
		  NUMBERS(20000) "INSERT INTO sample (run_id, end_ns, target, length_ns, phase, ios, "
				 "oldest_ns, inflight, errors, flags) SELECT 1, 100000000000 + i * "
				 "1000000000, 0, 1000000000, 'load', (i * 7919) % 1000003, 0, 0, 0, 0 "
				 "FROM n" },
		{ READ,
		  NUMBERS(20000) "INSERT INTO event (run_id, at_ns, kind, text) SELECT 1, i, 'late-sample', "
				 "'x' FROM n" },
		{ READ,
		  NUMBERS(20000) "INSERT INTO observation (run_id, at_ns, source, name, value) SELECT 1, "
				 "i, 'oci-volume', 'autoTunedVpusPerGB', i % 13 * 10 FROM n" },
		{ EITHER,
		  NUMBERS(3000) "INSERT OR IGNORE INTO target SELECT 1, i, 'disk' || i, 1, 1, 0, NULL FROM n" },
		{ READ,
		  NUMBERS(3000) "INSERT INTO run (uuid, source, state, emulated, started_at_ms, "
				"duration_ns, interval_ns) SELECT 'u' || i, 'observe', 'completed', 0, "
				"i, 0, 1000000000 FROM n" },
	};

	assert_changes(changes, sizeof(changes) / sizeof(changes[0]));
}

static void tables_that_are_none(void **state)
{
	(void)state;
	static const struct change changes[] = {
		{ REFUSED, "DROP TABLE sample; CREATE VIEW sample AS SELECT * FROM sample2; "
			   "CREATE VIEW sample2 AS SELECT * FROM sample" },
		{ REFUSED,
		  "DROP TABLE event; CREATE VIEW event AS WITH RECURSIVE n(i) AS (VALUES(1) "
		  "UNION ALL SELECT i + 1 FROM n) SELECT i AS id, 1 AS run_id, i AS at_ns, "
		  "'x' AS kind, 'x' AS text FROM n" },
		{ REFUSED, "DROP TABLE sample; CREATE TABLE sample (run_id, end_ns, target)" },
		{ REFUSED, "DROP TABLE run" },
		{ REFUSED, "ALTER TABLE sample ADD COLUMN more" },
		{ READ, "CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM sample; END" },
		{ READ, "CREATE VIEW mine AS SELECT * FROM mine" },
		{ READ, "CREATE INDEX more ON sample(ios, bytes)" },
		{ REFUSED, "PRAGMA user_version = 1000" },
		{ REFUSED, "PRAGMA user_version = -1" },
		{ REFUSED, "PRAGMA application_id = 1" },
		{ EITHER, "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 2" },
		{ EITHER,
		  "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 1 WHERE name = "
		  "'sample'" },
		{ EITHER,
		  "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 999999 WHERE "
		  "type = 'table'" },
		{ EITHER,
		  "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE x(' "
		  "WHERE name = 'event'" },
		{ EITHER, "PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = "
			  "'event_by_run'" },
	};

	assert_changes(changes, sizeof(changes) / sizeof(changes[0]));
}

/* NULL where the table says NOT NULL: the schema is bent for the moment of the change. */
static void nulls_where_none_can_be(void **state)
{
	(void)state;
	static const char *const columns[][2] = {
		{ "sample", "ios" },       { "sample", "length_ns" }, { "sample", "phase" },
		{ "sample", "errors" },    { "run", "uuid" },         { "run", "source" },
		{ "run", "interval_ns" },  { "run", "state" },        { "run", "started_at_ms" },
		{ "target", "name" },      { "event", "kind" },       { "event", "text" },
		{ "observation", "name" }, { "phase", "phase" },
	};

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		char sql[512];

		make_good();
		(void)snprintf(
			sql, sizeof(sql),
			"CREATE TABLE kept AS SELECT sql FROM sqlite_master WHERE name = '%s'; "
			"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, "
			"' NOT NULL', '') WHERE name = '%s'",
			columns[i][0], columns[i][0]);
		run_sql(sql);
		(void)snprintf(sql, sizeof(sql), "UPDATE %s SET %s = NULL", columns[i][0],
			       columns[i][1]);
		run_sql(sql);
		(void)snprintf(
			sql, sizeof(sql),
			"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = (SELECT sql "
			"FROM kept) WHERE name = '%s'",
			columns[i][0]);
		run_sql(sql);
		assert_int_equal(read_it(sql), -1);
	}
}

static unsigned char *read_file(long *size)
{
	FILE *in = fopen(DB, "rb");
	unsigned char *data;

	assert_non_null(in);
	assert_int_equal(fseek(in, 0, SEEK_END), 0);
	*size = ftell(in);
	rewind(in);
	data = malloc((size_t)*size);
	assert_non_null(data);
	assert_int_equal(fread(data, 1, (size_t)*size, in), *size);
	(void)fclose(in);
	return data;
}

static void write_file(const unsigned char *data, long size)
{
	FILE *out = fopen(DB, "wb");

	assert_non_null(out);
	assert_int_equal(fwrite(data, 1, (size_t)size, out), size);
	assert_int_equal(fclose(out), 0);
}

/* A generator of our own, so that a seed means the same everywhere. */
static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525U + 1013904223U;
	return *state >> 8;
}

static void a_disk_that_damages(void **state)
{
	(void)state;
	unsigned char *good, *bad;
	int refused = 0;
	long size;

	make_good();
	good = read_file(&size);
	bad = malloc((size_t)size);
	assert_non_null(bad);
	for (int n = 0; n < n_damaged; n++) {
		uint32_t seed = (uint32_t)n;
		long len = size, at;
		char what[48];

		memcpy(bad, good, (size_t)size);
		switch (n % 4) {
		case 0: /* some bytes */
			for (int k = 0; k < 1 + n % 8; k++)
				bad[next_random(&seed) % (uint32_t)size] =
					(unsigned char)next_random(&seed);
			break;
		case 1: /* a page where another belongs */
			at = (long)(next_random(&seed) % (uint32_t)(size / PAGE_BYTES));
			memcpy(bad + at * PAGE_BYTES,
			       good + next_random(&seed) % (uint32_t)(size / PAGE_BYTES) *
					       PAGE_BYTES,
			       PAGE_BYTES);
			break;
		case 2: /* the beginning of a page: its cells and its children */
			at = (long)(1 + next_random(&seed) % (uint32_t)(size / PAGE_BYTES - 1)) *
			     PAGE_BYTES;
			bad[at + (long)(next_random(&seed) % 24)] =
				(unsigned char)next_random(&seed);
			break;
		default: /* its end is lost */
			len = (long)(next_random(&seed) % (uint32_t)size);
			break;
		}
		write_file(bad, len);
		(void)snprintf(what, sizeof(what), "damage %d", n);
		refused += read_it(what) != 0;
	}
	free(bad);
	free(good);
	print_message("%d of %d were refused\n", refused, n_damaged);
	assert_true(refused > n_damaged / 4 && refused < n_damaged);
}

static int enter_folder(void **state)
{
	static char folder[64] = "/dev/shm/vs-hostile-XXXXXX";

	*state = folder;
	if (!mkdtemp(folder)) {
		(void)snprintf(folder, sizeof(folder), "/tmp/vs-hostile-XXXXXX");
		if (!mkdtemp(folder))
			return -1;
	}
	return chdir(folder);
}

static int leave_folder(void **state)
{
	(void)unlink(DB);
	(void)unlink(DB "-wal");
	(void)unlink(DB "-shm");
	return chdir("/") != 0 || rmdir(*state) != 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_a_wrong_type_or_size),
		cmocka_unit_test(nulls_where_none_can_be),
		cmocka_unit_test(tables_that_are_none),
		cmocka_unit_test(a_great_many_of_everything),
		cmocka_unit_test(a_disk_that_damages),
	};

	if (argc > 1)
		n_damaged = (int)strtol(argv[1], NULL, 10);
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
