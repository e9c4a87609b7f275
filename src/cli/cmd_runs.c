/* volscale runs: list, show, delete, merge. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "cli/cli.h"
#include "reports/json.h"
#include "reports/table.h"
#include "store/store.h"

#define UUID_SHORT 8

struct runs_options {
	struct vs_volume_options volume; /* only its db */
	const char *format;
	const char *label;
	bool yes;
};

static const struct vs_opt own_options[] = {
	{ "format", 'f', VS_OPT_CHOICE, offsetof(struct runs_options, format),
	  "text|csv|json|markdown", "text", "how list and show print" },
	{ "label", 0, VS_OPT_TEXT, offsetof(struct runs_options, label), "TEXT", NULL,
	  "label of the merged run (default: the first one's)" },
	{ "yes", 'y', VS_OPT_FLAG, offsetof(struct runs_options, yes), NULL, NULL,
	  "delete without asking" },
	VS_OPT_DB(struct runs_options, volume),
	{ .name = NULL },
};

static const struct vs_opt_command runs_command = {
	.name = "runs",
	.operands = "[list | show RUN | delete RUN... | merge RUN...]",
	.summary = "list, show, delete, merge",
	.text = "list    every run of the database, oldest first (also without a word)\n"
		"show    what one run is and how much was recorded\n"
		"delete  runs for good; on a terminal it asks first, elsewhere it takes --yes\n"
		"merge   runs that were recorded one after the other the same way, for example\n"
		"        around a crash, into a new one; the gaps between them stay gaps\n\n"
		"RUN is an id, the first letters of a uuid, or 'last'.\n\n"
		"  volscale runs --format csv\n"
		"  volscale runs merge 3 4 --label 'night of the 3rd'\n"
		"  volscale runs delete 3 4 --yes",
	.tables = { own_options },
	.max_operands = SIZE_MAX,
};

static double seconds(int64_t ns)
{
	return (double)ns / (double)VS_NS_PER_SEC;
}

static double known(int64_t value)
{
	return value < 0 ? (double)NAN : (double)value;
}

#define NAME_SHOWN 28 /* of a target's name in a list; its end tells it from others */

static const char *name_end(const char *name)
{
	size_t len = strlen(name);

	if (len <= NAME_SHOWN)
		return name;
	name += len - NAME_SHOWN;
	while (((unsigned char)*name & 0xc0) == 0x80)
		name++;
	return name;
}

/* "sdb, sdc and 3 more": of the targets' names; the ends of long ones unless all is asked. */
static void join_targets(const struct vs_run *run, bool all, char *text, size_t size)
{
	const char *name;
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < run->n_targets && len < size; i++) {
		if (!all && i == 2 && run->n_targets > 3) {
			(void)snprintf(text + len, size - len, " and %zu more", run->n_targets - i);
			return;
		}
		name = all ? run->targets[i].name : name_end(run->targets[i].name);
		len += (size_t)snprintf(text + len, size - len, "%s%s%s",
					i ? (all ? " " : ", ") : "",
					name == run->targets[i].name ? "" : "\xe2\x80\xa6", name);
	}
}

/* csv has plain seconds and all of the uuid, the eye its first letters and words. */
static void add_row(struct vs_table *table, const struct vs_run *run, bool for_eyes)
{
	char uuid_short[UUID_SHORT + 1], utc[VS_UNITS_TEXT_MAX], length[VS_UNITS_TEXT_MAX];
	char targets[1024];

	(void)snprintf(uuid_short, sizeof(uuid_short), "%.*s", UUID_SHORT, run->uuid);
	(void)vs_units_format_utc(run->started_wall_ms, utc);
	join_targets(run, !for_eyes, targets, sizeof(targets));
	vs_table_number(table, (double)run->id);
	if (for_eyes) {
		utc[16] = '\0'; /* to the minute */
		utc[10] = ' ';
		vs_table_text(table, uuid_short);
		vs_table_text(table, utc);
		vs_table_text(table, run->emulated ? "emulated" : vs_source_name(run->source));
		vs_table_text(table, vs_end_name(run->end));
		vs_table_text(table, vs_units_format_duration(run->duration_ns, length));
		vs_table_text(table, run->label);
		vs_table_text(table, targets);
		return;
	}
	vs_table_text(table, run->uuid);
	vs_table_text(table, vs_source_name(run->source));
	vs_table_bool(table, run->emulated);
	vs_table_text(table, utc);
	vs_table_number(table, seconds(run->duration_ns));
	vs_table_number(table, seconds(run->interval_ns));
	vs_table_text(table, vs_end_name(run->end));
	vs_table_text(table, run->label);
	vs_table_text(table, targets);
}

static int write_table(const struct vs_run *runs, size_t n, enum vs_table_format format,
		       struct vs_error *err)
{
	static const struct vs_column for_eyes[] = {
		{ "id", "id", VS_COLUMN_NUMBER, 0 },
		{ "uuid", "uuid", VS_COLUMN_TEXT, 0 },
		{ "started_at", "started (UTC)", VS_COLUMN_TEXT, 0 },
		{ "source", "source", VS_COLUMN_TEXT, 0 },
		{ "end", "end", VS_COLUMN_TEXT, 0 },
		{ "duration", "duration", VS_COLUMN_TEXT, 0 },
		{ "label", "label", VS_COLUMN_TEXT, 0 },
		{ "targets", "targets", VS_COLUMN_TEXT, 0 },
	};
	static const struct vs_column for_machines[] = {
		{ "id", "id", VS_COLUMN_NUMBER, 0 },
		{ "uuid", "uuid", VS_COLUMN_TEXT, 0 },
		{ "source", "source", VS_COLUMN_TEXT, 0 },
		{ "emulated", "emulated", VS_COLUMN_BOOL, 0 },
		{ "started_at", "started_at", VS_COLUMN_TEXT, 0 },
		{ "duration_s", "duration_s", VS_COLUMN_NUMBER, 0 },
		{ "interval_s", "interval_s", VS_COLUMN_NUMBER, 0 },
		{ "end", "end", VS_COLUMN_TEXT, 0 },
		{ "label", "label", VS_COLUMN_TEXT, 0 },
		{ "targets", "targets", VS_COLUMN_TEXT, 0 },
	};
	bool eyes = format != VS_TABLE_CSV;
	struct vs_table table;
	int rc;

	if (eyes)
		vs_table_init(&table, for_eyes, sizeof(for_eyes) / sizeof(for_eyes[0]));
	else
		vs_table_init(&table, for_machines, sizeof(for_machines) / sizeof(for_machines[0]));
	for (size_t i = 0; i < n; i++)
		add_row(&table, &runs[i], eyes);
	rc = vs_table_write(&table, format, stdout, err);
	vs_table_release(&table);
	return rc;
}

/* The members of the design's "run", without the host, which is an observation. */
static void json_head(struct vs_json *json, const struct vs_run *run)
{
	char utc[VS_UNITS_TEXT_MAX];
	const struct vs_workload *work = &run->workload;

	vs_json_int(json, "id", run->id);
	vs_json_text(json, "uuid", run->uuid);
	vs_json_text(json, "source", vs_source_name(run->source));
	vs_json_bool(json, "emulated", run->emulated);
	vs_json_text(json, "label", run->label);
	vs_json_text(json, "started_at", vs_units_format_utc(run->started_wall_ms, utc));
	vs_json_number(json, "duration_s", seconds(run->duration_ns), 9);
	vs_json_number(json, "interval_s", seconds(run->interval_ns), 9);
	vs_json_text(json, "end", vs_end_name(run->end));
	vs_json_open(json, "targets", '[');
	for (size_t i = 0; i < run->n_targets; i++) {
		vs_json_open(json, NULL, '{');
		vs_json_text(json, "name", run->targets[i].name);
		vs_json_number(json, "size_bytes", known(run->targets[i].size_bytes), 0);
		vs_json_number(json, "size_gb", run->targets[i].size_gb, 6);
		vs_json_close(json);
	}
	vs_json_close(json);
	vs_json_open(json, "workload", '{');
	vs_json_text(json, "rw", work->rw);
	vs_json_number(json, "block_bytes", known(work->block_bytes), 0);
	vs_json_number(json, "iodepth", known(work->iodepth), 0);
	vs_json_number(json, "numjobs", known(work->numjobs), 0);
	vs_json_close(json);
}

static void json_list(const struct vs_run *runs, size_t n)
{
	struct vs_json json;

	vs_json_init(&json, stdout, 2);
	vs_json_open(&json, NULL, '{');
	vs_json_open(&json, "runs", '[');
	for (size_t i = 0; i < n; i++) {
		vs_json_open(&json, NULL, '{');
		json_head(&json, &runs[i]);
		vs_json_close(&json);
	}
	vs_json_close(&json);
	vs_json_close(&json);
}

static int list_runs(const struct runs_options *options, struct vs_store *store,
		     struct vs_error *err)
{
	int format = vs_table_format_named(options->format);
	struct vs_run *runs = NULL;
	size_t n = 0;
	int rc = 0;

	if (vs_store_run_list(store, &runs, &n, err) != 0)
		return -1;
	if (format == VS_TABLE_JSON)
		json_list(runs, n);
	else if (n == 0 && format == VS_TABLE_TEXT)
		(void)printf("no runs yet; make one with 'volscale observe', 'rehearse' or "
			     "'import'\n");
	else
		rc = write_table(runs, n, (enum vs_table_format)format, err);
	for (size_t i = 0; i < n; i++)
		vs_run_release(&runs[i]);
	free(runs);
	return rc;
}

static void json_run(const struct vs_run *run, double ios, uint64_t errors)
{
	struct vs_json json;

	vs_json_init(&json, stdout, 1);
	vs_json_open(&json, NULL, '{');
	json_head(&json, run);
	vs_json_text(&json, "provider", run->provider);
	vs_json_number(&json, "size_gb", run->size_gb, 6);
	vs_json_number(&json, "volumes", run->volumes ? (double)run->volumes : (double)NAN, 0);
	vs_json_number(&json, "instance_gbps", run->instance_gbps, 6);
	vs_json_int(&json, "samples", (int64_t)run->n_samples);
	vs_json_number(&json, "ios", ios, 3);
	vs_json_int(&json, "errors", (int64_t)errors);
	vs_json_int(&json, "observations", (int64_t)run->n_observations);
	vs_json_int(&json, "events", (int64_t)run->n_events);
	vs_json_close(&json);
}

static void row(struct vs_table *table, const char *name, const char *fmt, ...) VS_PRINTF(3, 4);

static void row(struct vs_table *table, const char *name, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	vs_table_text(table, name);
	vs_table_text(table, text);
}

static int show_table(const struct vs_run *run, double ios, uint64_t errors,
		      enum vs_table_format format, struct vs_error *err)
{
	char id[24];
	const struct vs_column columns[] = { { "run", "run", VS_COLUMN_TEXT, 0 },
					     { id, id, VS_COLUMN_TEXT, 0 } };
	struct vs_table table;
	char a[VS_UNITS_TEXT_MAX], b[VS_UNITS_TEXT_MAX], volumes[32];
	const struct vs_workload *work = &run->workload;
	int rc;

	(void)snprintf(id, sizeof(id), "%" PRId64, run->id);
	(void)snprintf(volumes, sizeof(volumes), "%" PRId64 " x ", run->volumes);
	vs_table_init(&table, columns, 2);
	row(&table, "uuid", "%s", run->uuid);
	row(&table, "label", "%s", run->label ? run->label : "-");
	row(&table, "source", "%s%s", vs_source_name(run->source),
	    run->emulated ? ", emulated" : "");
	row(&table, "started", "%s", vs_units_format_utc(run->started_wall_ms, a));
	(void)vs_units_format_utc(run->started_wall_ms + run->duration_ns / VS_NS_PER_MS, a);
	row(&table, "end", "%s%s%s", vs_end_name(run->end), run->end == VS_END_RUNNING ? "" : ", ",
	    run->end == VS_END_RUNNING ? "" : a);
	row(&table, "duration", "%s", vs_units_format_duration(run->duration_ns, a));
	row(&table, "interval", "%s", vs_units_format_duration(run->interval_ns, a));
	for (size_t i = 0; i < run->n_targets; i++) {
		if (isnan(run->targets[i].size_gb))
			row(&table, "target", "%s", run->targets[i].name);
		else
			row(&table, "target", "%s, %s GB", run->targets[i].name,
			    vs_units_format_count(run->targets[i].size_gb, a));
	}
	if (work->rw && work->block_bytes > 0 && work->iodepth > 0)
		row(&table, "workload", "%s, %s blocks, depth %" PRId64 " x %" PRId64 " jobs",
		    work->rw, vs_units_format_size((uint64_t)work->block_bytes, a), work->iodepth,
		    work->numjobs > 0 ? work->numjobs : 1);
	else
		row(&table, "workload", "%s", work->rw ? work->rw : "-");
	row(&table, "provider", "%s", run->provider ? run->provider : "-");
	if (!isnan(run->size_gb))
		row(&table, "volume", "%s%s GB", run->volumes > 1 ? volumes : "",
		    vs_units_format_count(run->size_gb, a));
	if (!isnan(run->instance_gbps))
		row(&table, "instance", "%g Gbit/s", run->instance_gbps);
	row(&table, "samples", "%s", vs_units_format_count((double)run->n_samples, a));
	row(&table, "I/Os", "%s, %s failed", vs_units_format_count(ios, a),
	    vs_units_format_count((double)errors, b));
	row(&table, "observations", "%s", vs_units_format_count((double)run->n_observations, a));
	row(&table, "events", "%s", vs_units_format_count((double)run->n_events, a));
	rc = vs_table_write(&table, format, stdout, err);
	vs_table_release(&table);
	return rc;
}

static int show_run(const struct runs_options *options, struct vs_store *store, const char *ref,
		    struct vs_error *err)
{
	int format = vs_table_format_named(options->format);
	struct vs_run run;
	uint64_t errors = 0;
	double ios = 0;
	int64_t id;
	int rc = -1;

	vs_run_init(&run);
	if (vs_store_run_find(store, ref, &id, err) == 0 &&
	    vs_store_run_load(store, id, &run, err) == 0) {
		for (size_t i = 0; i < run.n_samples; i++) {
			ios += run.samples[i].ios;
			errors += run.samples[i].errors;
		}
		rc = 0;
		if (format == VS_TABLE_JSON)
			json_run(&run, ios, errors);
		else if (format == VS_TABLE_CSV)
			rc = write_table(&run, 1, VS_TABLE_CSV, err);
		else
			rc = show_table(&run, ios, errors, (enum vs_table_format)format, err);
	}
	vs_run_release(&run);
	return rc;
}

/* 1 yes, 0 no; -1 there is nobody to ask. */
static int ask_delete(size_t n, const char *db, struct vs_error *err)
{
	char answer[16] = "";

	if (!isatty(STDIN_FILENO))
		return vs_error_set(err, VS_EUSAGE, 0,
				    "deleting is for good and there is no terminal to ask on; give "
				    "--yes");
	(void)fprintf(stderr, "delete %zu %s from '%s' for good? [y/N] ", n,
		      n == 1 ? "run" : "runs", db);
	if (!fgets(answer, sizeof(answer), stdin))
		return 0;
	return answer[0] == 'y' || answer[0] == 'Y';
}

static int delete_found(const struct runs_options *options, struct vs_store *store,
			const int64_t *ids, size_t n, struct vs_error *err)
{
	int yes = options->yes ? 1 : ask_delete(n, vs_cli_db(&options->volume), err);

	if (yes < 0)
		return -1;
	if (yes == 0)
		return vs_error_set(err, VS_ECANCELED, 0, "nothing was deleted");
	if (vs_store_begin(store, err) != 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (vs_store_run_delete(store, ids[i], err) != 0) {
			vs_store_rollback(store);
			return vs_error_prefix(err, "nothing was deleted: ");
		}
	}
	if (vs_store_commit(store, err) != 0)
		return -1;
	(void)printf("deleted %zu %s\n", n, n == 1 ? "run" : "runs");
	return 0;
}

static int merge_found(const struct runs_options *options, struct vs_store *store,
		       const int64_t *ids, size_t n, struct vs_error *err)
{
	int64_t id;

	if (vs_store_run_merge(store, ids, n, options->label, &id, err) != 0)
		return -1;
	(void)printf("run %" PRId64 " holds the %zu runs; the old ones are still there\n", id, n);
	return 0;
}

/* Every RUN is found before the first is touched. */
static int change_runs(const struct runs_options *options, struct vs_store *store, bool merge,
		       char **refs, size_t n, struct vs_error *err)
{
	int64_t *ids = calloc(n, sizeof(*ids));
	int rc = 0;

	if (!ids)
		return vs_error_nomem(err);
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = vs_store_run_find(store, refs[i], &ids[i], err);
	if (rc == 0)
		rc = merge ? merge_found(options, store, ids, n, err)
			   : delete_found(options, store, ids, n, err);
	free(ids);
	return rc;
}

/* To list, an older file is brought up to date, as its message promises. */
static int open_db(const char *path, bool change, struct vs_store **out, struct vs_error *err)
{
	struct vs_store_options options = { .read_only = !change, .existing = true };
	struct vs_error why = { 0 };

	if (vs_store_open(path, &options, out, &why) == 0)
		return 0;
	if (!change && why.code == VS_EFORMAT) {
		options.read_only = false;
		return vs_store_open(path, &options, out, err);
	}
	*err = why;
	return -1;
}

static int run(const struct runs_options *options, char **operands, size_t n, struct vs_error *err)
{
	static const struct {
		const char *name;
		size_t min_runs, max_runs;
	} verbs[] = { { "list", 0, 0 },
		      { "show", 1, 1 },
		      { "delete", 1, SIZE_MAX },
		      { "merge", 2, SIZE_MAX } };
	enum {
		LIST,
		SHOW,
		DELETE,
		MERGE,
		N_VERBS
	} verb = LIST;
	struct vs_store *store;
	size_t n_runs = n ? n - 1 : 0;
	int rc;

	while (n && verb < N_VERBS && strcmp(operands[0], verbs[verb].name) != 0)
		verb++;
	if (verb == N_VERBS)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "runs: '%s' is not one of list, show, delete, merge",
				    operands[0]);
	if (n_runs < verbs[verb].min_runs || n_runs > verbs[verb].max_runs)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "runs %s takes %s; 'volscale runs' lists them",
				    verbs[verb].name,
				    verb == LIST     ? "no RUN"
				    : verb == SHOW   ? "one RUN"
				    : verb == DELETE ? "one RUN or more"
						     : "two RUNs or more");
	if (open_db(vs_cli_db(&options->volume), verb >= DELETE, &store, err) != 0)
		return -1;
	if (verb == LIST)
		rc = list_runs(options, store, err);
	else if (verb == SHOW)
		rc = show_run(options, store, operands[1], err);
	else
		rc = change_runs(options, store, verb == MERGE, operands + 1, n_runs, err);
	vs_store_free(store);
	return rc == 0 ? vs_cli_flush(err) : rc;
}

static int runs_main(int argc, char **argv, struct vs_error *err)
{
	struct runs_options options = { .volume = VS_VOLUME_OPTIONS_INIT };
	char **operands;
	size_t n_operands;
	int rc = vs_opt_parse(&runs_command, argc, argv, &options, &operands, &n_operands, err);

	if (rc == 0)
		rc = run(&options, operands, n_operands, err);
	vs_opt_release(&runs_command, &options);
	return rc > 0 ? VS_EXIT_DONE : rc;
}

const struct vs_command vs_cmd_runs = { &runs_command, runs_main };
