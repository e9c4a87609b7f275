/* Which files are opened, which are brought up to date, and which are refused untouched. */
#include "helper.h"

static void run_sql(const char *path, const char *sql)
{
	sqlite3 *db;
	char *why = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void write_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0 && fclose(out) == 0);
}

/* A number that changes when any byte of the file does. */
static uint64_t sum_of(const char *path)
{
	uint64_t sum = 14695981039346656037U;
	FILE *in = fopen(path, "r");
	int c;

	assert_non_null(in);
	while ((c = fgetc(in)) != EOF)
		sum = (sum ^ (uint64_t)c) * 1099511628211U;
	(void)fclose(in);
	return sum;
}

/* A database of ours, closed: its WAL is gone. */
static void make_db(const char *path)
{
	struct vs_store *store = open_store(path);
	struct vs_run head;

	make_head(&head, 1);
	(void)record(store, &head, 10);
	vs_run_release(&head);
	vs_store_free(store);
}

static void a_file_that_is_not_ours_is_refused_untouched(void **state)
{
	(void)state;
	static const struct {
		const char *sql; /* NULL: a text file */
		const char *text;
	} cases[] = {
		{ NULL, "'x.db' is not a database; name another file with --db" },
		{ "CREATE TABLE run (id); INSERT INTO run VALUES (1)",
		  "'x.db' is a database of another program, not of volscale; name another file "
		  "with --db" },
		{ "PRAGMA user_version = 2",
		  "'x.db' is a database of another program, not of volscale; name another file "
		  "with --db" },
		{ "PRAGMA application_id = 1",
		  "'x.db' is a database of another program, not of volscale; name another file "
		  "with --db" },
		{ "PRAGMA application_id = 0x7673636c; PRAGMA user_version = 99",
		  "'x.db' was written by a newer volscale (its version 99, ours 2); use that one, "
		  "or name another file with --db" },
		{ "PRAGMA application_id = 0x7673636c; PRAGMA user_version = -1",
		  "'x.db' is damaged: its version is -1; name another file with --db" },
		{ "PRAGMA application_id = 0x7673636c; PRAGMA user_version = 2",
		  "'x.db' is not as volscale makes it: table 'run' was changed; name another file "
		  "with --db" },
		{ "PRAGMA journal_mode = WAL; CREATE TABLE t (a)",
		  "'x.db' is a database of another program, not of volscale; name another file "
		  "with --db" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int read_only = 0; read_only < 2; read_only++) {
			struct vs_store_options options = { .read_only = read_only };
			struct vs_store *store = NULL;
			struct vs_error err = { 0 };
			uint64_t before;

			print_message("%s, read-only %d\n", cases[i].sql ? cases[i].sql : "text",
				      read_only);
			(void)unlink("x.db");
			if (cases[i].sql)
				run_sql("x.db", cases[i].sql);
			else
				write_file("x.db", "just a text, and longer than a header of 100 "
						   "bytes, so that it is looked at as a database: "
						   "......................................\n");
			before = sum_of("x.db");
			assert_int_equal(vs_store_open("x.db", &options, &store, &err), -1);
			assert_string_equal(err.text, cases[i].text);
			assert_true(sum_of("x.db") == before);
		}
	}
}

/* The WAL of another program's crash is not ours to write into its database. */
static void also_the_wal_of_another_program_is_left_alone(void **state)
{
	(void)state;
	struct vs_store_options options = { 0 };
	struct vs_store *store = NULL;
	struct vs_error err = { 0 };
	uint64_t before, wal_before;

	run_sql("other.db", "PRAGMA journal_mode = WAL; CREATE TABLE t (a)");
	assert_int_equal(system("sqlite3 other.db '.dbconfig no_ckpt_on_close on' "
				"'INSERT INTO t VALUES (1)' >out"),
			 0);
	before = sum_of("other.db");
	wal_before = sum_of("other.db-wal");
	assert_int_equal(vs_store_open("other.db", &options, &store, &err), -1);
	assert_int_equal(err.code, VS_EFORMAT);
	assert_true(sum_of("other.db") == before);
	assert_true(sum_of("other.db-wal") == wal_before);
	assert_string_equal(ask("other.db", "SELECT count(*) FROM t"), "1");
}

static void a_path_that_cannot_be_a_database_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		bool existing;
		enum vs_code code;
		const char *text;
	} cases[] = {
		{ ".", false, VS_EUSAGE,
		  "'.' is a directory and cannot be the database; name a file with --db" },
		{ "/dev/null", false, VS_EUSAGE,
		  "'/dev/null' is a special file and cannot be the database; name a file with "
		  "--db" },
		{ "no/such/x.db", false, VS_ESYS,
		  "cannot open database 'no/such/x.db': No such file or directory" },
		{ "none.db", true, VS_ENOTFOUND,
		  "there is no database 'none.db'; 'volscale observe', 'rehearse' and 'import' "
		  "make one, --db names another" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_store_options options = { .existing = cases[i].existing };
		struct vs_store *store = NULL;
		struct vs_error err = { 0 };

		print_message("%s\n", cases[i].path);
		assert_int_equal(vs_store_open(cases[i].path, &options, &store, &err), -1);
		assert_string_equal(err.text, cases[i].text);
		assert_int_equal(err.code, cases[i].code);
	}
	assert_int_equal(access("none.db", F_OK), -1);
}

static void an_old_file_becomes_as_a_new_one(void **state)
{
	(void)state;
	static const char schema[] = "SELECT group_concat(sql, ';') FROM (SELECT sql FROM "
				     "sqlite_master WHERE sql IS NOT NULL ORDER BY name)";
	struct vs_store_options options = { .read_only = true };
	struct vs_store *store = NULL;
	struct vs_error err = { 0 };
	struct vs_run run;
	char want[4096];

	make_db("new.db");
	(void)snprintf(want, sizeof(want), "%s", ask("new.db", schema));
	make_db("old.db");
	run_sql("old.db", "DROP TABLE price; PRAGMA user_version = 1"); /* what version 1 was */
	assert_int_equal(vs_store_open("old.db", &options, &store, &err), -1);
	assert_string_equal(err.text, "'old.db' was written by an older volscale; 'volscale runs' "
				      "brings it up to date");
	store = open_store("old.db");
	vs_run_init(&run);
	OK(vs_store_run_load(store, 1, &run, &ok));
	assert_int_equal(run.n_samples, 10);
	vs_run_release(&run);
	vs_store_free(store);
	assert_string_equal(ask("old.db", schema), want);
	assert_string_equal(ask("old.db", "PRAGMA user_version"), "2");
	assert_string_equal(ask("new.db", "PRAGMA application_id"), "1987273580");
}

/* Indexes and views for somebody's own questions are no reason to refuse; triggers do not run. */
static void additions_of_the_user_do_no_harm(void **state)
{
	(void)state;
	struct vs_store *store;
	struct vs_run head;

	make_db("own.db");
	run_sql("own.db", "CREATE VIEW fast AS SELECT * FROM sample WHERE ios > 1000;"
			  "CREATE INDEX by_ios ON sample(ios);"
			  "CREATE TRIGGER t AFTER INSERT ON sample BEGIN DELETE FROM run; END;");
	store = open_store("own.db");
	make_head(&head, 1);
	(void)record(store, &head, 5);
	vs_run_release(&head);
	vs_store_free(store);
	assert_string_equal(ask("own.db", "SELECT count(*) FROM run"), "2");
}

static void a_file_on_a_read_only_medium_can_be_read(void **state)
{
	(void)state;
	struct vs_store *store;
	struct vs_run run;

	if (geteuid() != 0 || system("mkdir -p ro && mount -t tmpfs none ro 2>/dev/null") != 0) {
		print_message("skipped: cannot mount here\n");
		skip();
	}
	make_db("ro/x.db");
	assert_int_equal(system("mount -o remount,ro ro"), 0);
	store = open_to_read("ro/x.db");
	vs_run_init(&run);
	OK(vs_store_run_load(store, 1, &run, &ok));
	assert_int_equal(run.n_samples, 10);
	vs_run_release(&run);
	vs_store_free(store);
	assert_int_equal(system("umount ro"), 0);
}

/* The file was deleted and its WAL left: its rows must not come back in a new file. */
static void a_wal_without_its_file_is_not_replayed(void **state)
{
	(void)state;
	struct vs_store *store;

	make_db("gone.db");
	assert_int_equal(system("sqlite3 gone.db '.dbconfig no_ckpt_on_close on' "
				"'UPDATE run SET label = 1' >out"),
			 0);
	assert_int_equal(access("gone.db-wal", F_OK), 0);
	assert_int_equal(unlink("gone.db"), 0);
	store = open_store("gone.db");
	vs_store_free(store);
	assert_string_equal(ask("gone.db", "SELECT count(*) FROM run"), "0");
	assert_string_equal(ask("gone.db", "PRAGMA integrity_check"), "ok");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_is_not_ours_is_refused_untouched),
		cmocka_unit_test(also_the_wal_of_another_program_is_left_alone),
		cmocka_unit_test(a_path_that_cannot_be_a_database_is_refused),
		cmocka_unit_test(an_old_file_becomes_as_a_new_one),
		cmocka_unit_test(additions_of_the_user_do_no_harm),
		cmocka_unit_test(a_file_on_a_read_only_medium_can_be_read),
		cmocka_unit_test(a_wal_without_its_file_is_not_replayed),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
