/*
 * Whole commands without memory, from the words to what they print: it is the same as with memory,
 * or the lack of memory is said and the exit code is not 0. `test_nomem_commands N` tries each Nth
 * allocation (default 397; slow: 1), `test_nomem_commands N WORDS` only in lines that hold WORDS.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "cli/cli.h"
#include "nomem.h"
#include "recording.h"

#define WORDS_MAX 24
#define SECONDS   40

static const struct vs_command *const commands[] = {
	&vs_cmd_observe, &vs_cmd_watch,   &vs_cmd_rehearse, &vs_cmd_import,
	&vs_cmd_report,  &vs_cmd_compare, &vs_cmd_verify,   &vs_cmd_tiers,
	&vs_cmd_runs,    &vs_cmd_cloud,   &vs_cmd_price,
};

static const char *only;

/* A command line, what it prints with memory enough, and what it leaves in the database. */
struct line {
	const char *words;
	bool writes;          /* the database: each try gets a new copy */
	const char *question; /* to the database afterwards; NULL none */
	char *output;
	char answer[256];
	int rc;
};

static void copy_file(const char *from, const char *to)
{
	char command[128];

	(void)snprintf(command, sizeof(command), "rm -f %s-wal %s-shm; cp %s %s", to, to, from, to);
	assert_int_equal(system(command), 0);
}

static char *read_whole(const char *path)
{
	FILE *in = fopen(path, "re");
	struct stat st;
	char *text;

	assert_non_null(in);
	assert_int_equal(fstat(fileno(in), &st), 0);
	text = calloc(1, (size_t)st.st_size + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)st.st_size, in), st.st_size);
	assert_int_equal(fclose(in), 0);
	return text;
}

static int run_words(const char *words, struct vs_error *err)
{
	char text[512], *argv[WORDS_MAX + 1], *rest;
	int argc = 0;

	(void)snprintf(text, sizeof(text), "%s", words);
	for (char *word = strtok_r(text, " ", &rest); word && argc < WORDS_MAX;
	     word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	argv[argc] = NULL;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(argv[0], commands[i]->opt->name) == 0)
			return commands[i]->main(argc, argv, err);
	fail_msg("no such command: %s", argv[0]);
	return -1;
}

/* Both streams go to "printed", as the person would see them. */
static int run_line(void *ctx, struct vs_error *err)
{
	const struct line *line = ctx;
	int out, old_out = dup(STDOUT_FILENO), old_err = dup(STDERR_FILENO), rc;

	(void)fflush(stdout);
	out = open("printed", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
	(void)dup2(out, STDOUT_FILENO);
	(void)dup2(out, STDERR_FILENO);
	(void)close(out);
	rc = run_words(line->words, err);
	(void)fflush(stdout);
	(void)dup2(old_out, STDOUT_FILENO);
	(void)dup2(old_err, STDERR_FILENO);
	(void)close(old_out);
	(void)close(old_err);
	return rc;
}

static void new_db(void *ctx)
{
	const struct line *line = ctx;

	if (line->writes)
		copy_file("whole.db", "work.db");
}

static void ask(const char *sql, char answer[256])
{
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db = NULL;

	answer[0] = '\0';
	if (sqlite3_open("work.db", &db) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		(void)snprintf(answer, 256, "%s", (const char *)sqlite3_column_text(stmt, 0));
	(void)sqlite3_finalize(stmt);
	(void)sqlite3_close(db);
}

static void check_line(void *ctx, int rc)
{
	const struct line *line = ctx;
	char *printed = read_whole("printed"), answer[256] = "";

	if (line->question)
		ask(line->question, answer);
	if (nomem.failed > 0 && rc > 0 && rc != line->rc && !strstr(printed, "memory"))
		fail_msg("%s: allocation %" PRId64 " of %" PRId64 ": exit code %d\n%s", line->words,
			 nomem.fail_from, nomem.fail_calls, rc, printed);
	if (rc == line->rc && strcmp(printed, line->output) != 0)
		fail_msg("%s: allocation %" PRId64 " of %" PRId64 ": printed something else:\n%s",
			 line->words, nomem.fail_from, nomem.fail_calls, printed);
	if (rc == line->rc && strcmp(answer, line->answer) != 0)
		fail_msg("%s: allocation %" PRId64 " of %" PRId64 ": '%s' instead of '%s'",
			 line->words, nomem.fail_from, nomem.fail_calls, answer, line->answer);
	free(printed);
}

static void hold(struct line *line)
{
	const struct nomem_action action = {
		.act = run_line, .prepare = new_db, .check = check_line, .ctx = line
	};
	struct vs_error err = { 0 };

	if (only && !strstr(line->words, only))
		return;
	print_message("%s\n", line->words);
	new_db(line);
	line->rc = run_line(line, &err);
	if (line->rc < 0)
		fail_msg("%s", err.text);
	line->output = read_whole("printed");
	if (line->question)
		ask(line->question, line->answer);
	nomem_try(&action, 40);
	free(line->output);
}

static void words_and_help(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		char words[128];
		struct line line = { .words = words };

		(void)snprintf(words, sizeof(words), "%s --help", commands[i]->opt->name);
		hold(&line);
	}
}

static void what_reads(void **state)
{
	(void)state;
	static struct line lines[] = {
		{ .words = "report --db whole.db 1" },
		{ .words = "report --db whole.db -o a.html -o b.csv -o c.json -o d.md 1" },
		{ .words = "report --db whole.db --format html --lang ja 1" },
		{ .words = "report --db whole.db --format csv --series 1" },
		{ .words = "report --db whole.db --explain --no-ladder 1" },
		{ .words = "report --db whole.db --catalogue catalogue.json --tier 20 1" },
		{ .words = "compare --db whole.db 1 2" },
		{ .words = "compare --db whole.db --format html 1@20 2" },
		{ .words = "compare --db whole.db --format csv 1 2" },
		{ .words = "compare --db whole.db --format json 1 2" },
		{ .words = "compare --db whole.db --format markdown 1 2" },
		{ .words = "verify --db whole.db --expect expect.json 1" },
		{ .words = "verify --db whole.db --top-tier 120 -o a.xml -o b.json -o - 1" },
		{ .words = "tiers --size-gb 1024 --bs 64k" },
		{ .words = "tiers --provider aws-gp3 --size-gb 500 --format json" },
		{ .words = "tiers --list" },
		{ .words = "runs --db whole.db" },
		{ .words = "runs --db whole.db --format json show 1" },
		{ .words = "price --db whole.db --size-gb 100" },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		hold(&lines[i]);
}

#define COUNTS                                                                                   \
 "SELECT group_concat(n) FROM (SELECT count(*) AS n FROM run UNION ALL SELECT count(*) FROM "    \
 "sample UNION ALL SELECT count(*) FROM event UNION ALL SELECT count(*) FROM observation UNION " \
 "ALL SELECT integrity_check FROM pragma_integrity_check)"

static void what_writes(void **state)
{
	(void)state;
	static struct line lines[] = {
		{ .words = "import --db work.db --label words --report a.html series.csv" },
		{ .words = "runs --db work.db delete 1 --yes" },
		{ .words = "runs --db work.db merge 2 3 --label both" },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		lines[i].writes = true;
		lines[i].question = COUNTS;
		hold(&lines[i]);
	}
}

/* The main thread of a recording: from the words to the summary. Once each: memory that never comes
 * back would be waited for. */
static void what_measures(void **state)
{
	static const char words[] =
		"rehearse --db work.db --size-gb 50 --interval 100ms --runtime "
		"300ms --scratch /tmp --scratch-size 4m --iodepth 4 --numjobs 1 --progress never";
	struct line line = { .words = words };
	int64_t n = 1;

	(void)state;
	do {
		struct vs_error err = { 0 };
		char answer[256];
		int rc;

		copy_file("whole.db", "work.db");
		nomem_start(n, 1);
		rc = run_line(&line, &err);
		nomem_stop();
		nomem_assert_told(rc, &err);
		ask("SELECT max(state) || count(DISTINCT sample.end_ns) FROM run JOIN sample ON run_id = id "
		    "WHERE source = 'rehearse'",
		    answer);
		if (rc == 0)
			assert_string_equal(answer, "completed3");
		n += nomem_stride > 1 ? 997 : 101;
	} while (nomem.failed > 0);
	print_message("%" PRId64 " allocations\n", nomem.calls);
}

static void write_text(const char *path, const char *text)
{
	FILE *out = fopen(path, "we");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

/* Three runs: one with something in everything, and two that can be merged. */
static void make_runs(void)
{
	struct vs_error err = { 0 };

	if (recording_make("whole.db", 4096, SECONDS, &err) != 0)
		fail_msg("%s", err.text);
	write_text("series.csv", "time_s,iops\n1,25000\n2,25010\n3,24990\n4,25001\n5,50001\n");
	write_text("catalogue.json", "{\"schema\": \"volcat/1\", \"products\": {}}");
	write_text("expect.json", "{\"top_tier\": 120, \"max_dip\": 5, \"tolerance_pct\": 3}");
	for (int i = 0; i < 2; i++) {
		char words[128];
		struct line line = { .words = words };

		(void)snprintf(words, sizeof(words),
			       "import --db whole.db --start-time 170000%d000 series.csv", i);
		if (run_line(&line, &err) != 0)
			fail_msg("%s", err.text);
	}
}

static int enter_folder(void **state)
{
	static char folder[64] = "/dev/shm/vs-nomem-XXXXXX";

	*state = folder;
	if (!mkdtemp(folder) || chdir(folder) != 0)
		return -1;
	make_runs();
	return 0;
}

static int leave_folder(void **state)
{
	char command[96];

	(void)snprintf(command, sizeof(command), "rm -rf '%s'", (char *)*state);
	return chdir("/") != 0 || system(command) != 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_and_help),
		cmocka_unit_test(what_reads),
		cmocka_unit_test(what_writes),
		cmocka_unit_test(what_measures),
	};

	nomem_stride = 397;
	nomem_install(argc, argv);
	only = argc > 2 ? argv[2] : NULL;
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
