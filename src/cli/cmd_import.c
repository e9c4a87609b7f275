/* volscale import: a run from what other tools recorded. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "cli/cli.h"
#include "probes/import.h"
#include "reports/report.h"
#include "store/store.h"

struct import_options {
	struct vs_volume_options volume;
	struct vs_import_options import;
	const char *label;
	const char *start_time;
	struct vs_opt_list reports;
};

static const struct vs_opt own_options[] = {
	{ "format", 'f', VS_OPT_CHOICE, offsetof(struct import_options, import.format),
	  VS_IMPORT_FORMATS, "auto", "what the files are (default: told from their content)" },
	{ "label", 0, VS_OPT_TEXT, offsetof(struct import_options, label), "TEXT", NULL,
	  "a name for the run" },
	{ "start-time", 0, VS_OPT_TEXT, offsetof(struct import_options, start_time), "TIME", NULL,
	  "when the run began: 2026-01-31T12:00:00Z, or seconds since 1970 (default: what the "
	  "files say, else a guess)" },
	{ "time-col", 0, VS_OPT_TEXT, offsetof(struct import_options, import.time_col), "NAME",
	  NULL, "csv: the column of the times (default time_s, or a name like it)" },
	{ "value-col", 0, VS_OPT_TEXT, offsetof(struct import_options, import.value_col), "NAME",
	  NULL, "csv: the column of the IOPS (default iops, or a name like it)" },
	{ "time-unit", 0, VS_OPT_CHOICE, offsetof(struct import_options, import.time_unit),
	  "s|ms|us|ns|epoch", NULL,
	  "csv: the unit of the times (default: s, or as in the column's name: time_ms)" },
	{ "device", 0, VS_OPT_TEXT, offsetof(struct import_options, import.device), "NAME", NULL,
	  "iostat, sar: which device (default: the only or the busiest one)" },
	{ "interval", 0, VS_OPT_DURATION, offsetof(struct import_options, import.interval_ns),
	  "TIME", NULL,
	  "iostat, vdbench, fio-console: what one report covers, where they do not tell (default 1s)" },
	{ "part", 0, VS_OPT_U64, offsetof(struct import_options, import.part), "N", NULL,
	  "which of several recordings in one file (default: the first)" },
	{ "keep-first", 'y', VS_OPT_FLAG, offsetof(struct import_options, import.keep_first), NULL,
	  NULL, "iostat: keep the first report too, as it was made with iostat -y" },
	{ "report", 0, VS_OPT_LIST, offsetof(struct import_options, reports), "FILE", NULL,
	  "write a report too, in the format of FILE's ending; may be given several times" },
	{ .name = NULL },
};

static const struct vs_opt volume_options[] = {
	VS_OPT_DB(struct import_options, volume),
	VS_OPT_VOLUME(struct import_options, volume),
	VS_OPT_TIER(struct import_options, volume),
	{ .name = NULL },
};

static const struct vs_opt_command import_command = {
	.name = "import",
	.operands = "FILE...",
	.summary = "make a run from fio, iostat, sar or CSV output",
	.text = "FILE - is standard input. Files given together become one run: a job's\n"
		"*_iops.1.log to *_iops.N.log are added up, its JSON or its console output gives\n"
		"the totals to check them against.\n\n"
		"  fio ... --eta=always --eta-newline=1 | tee run.txt; volscale import run.txt\n"
		"  volscale import --size-gb 1024 job_iops.*.log job.json\n"
		"  volscale import --size-gb 3072 --volumes 10 --instance-gbps 12 --tier 30 log\n"
		"  volscale import --time-col t --value-col read_iops --time-unit ms series.csv",
	.tables = { own_options, volume_options },
	.min_operands = 1,
	.max_operands = SIZE_MAX,
};

static int check_options(const struct import_options *options, int64_t *start_ms_out,
			 struct vs_error *err)
{
	for (size_t i = 0; i < options->reports.n; i++)
		if (!vs_report_format_for_file(options->reports.items[i]))
			return vs_error_set(err, VS_EUSAGE, 0,
					    "cannot tell the format of '%s'; end it in .html, "
					    ".csv, .json, .md or .txt",
					    options->reports.items[i]);
	*start_ms_out = VS_UNKNOWN;
	if (options->start_time && vs_import_parse_time(options->start_time, start_ms_out) != 0)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "--start-time: '%s' is no time; write it as "
				    "2026-01-31T12:00:00Z or as seconds since 1970",
				    options->start_time);
	return 0;
}

/* Everything between begin and commit: what fails here leaves nothing behind. */
static int fill(const struct import_options *options, const char *const *paths, size_t n_paths,
		int64_t start_ms, struct vs_store *store, struct vs_run *head,
		struct vs_import_summary *summary, struct vs_error *err)
{
	struct vs_sink sink;

	if (vs_store_run_create(store, head, &head->id, err) != 0)
		return -1;
	sink = vs_store_bulk_sink(store, head->id);
	if (vs_import(paths, n_paths, &options->import, head, &sink, summary, err) != 0 ||
	    vs_cli_apply_volume(&options->volume, head, err) != 0 ||
	    vs_cli_check_tier(&options->volume, head, err) != 0)
		return -1;
	if (options->volume.tier &&
	    vs_sink_text(&sink, head->duration_ns, "user", "tier", options->volume.tier, err) != 0)
		return -1;
	if (start_ms != VS_UNKNOWN)
		head->started_wall_ms = start_ms;
	for (size_t i = 0; i < head->n_phases; i++)
		if (vs_store_add_phase(store, head->id, &head->phases[i], err) != 0)
			return -1;
	return vs_store_run_update(store, head, err);
}

static int store_run(const struct import_options *options, const char *const *paths, size_t n_paths,
		     int64_t start_ms, struct vs_run *head, struct vs_import_summary *summary,
		     struct vs_error *err)
{
	const struct vs_store_options store_options = { .durability = VS_DURABILITY_NORMAL };
	const char *db = vs_cli_db(&options->volume);
	bool is_new = access(db, F_OK) != 0 && errno == ENOENT;
	struct vs_store *store = NULL;
	int rc;

	if (vs_store_open(db, &store_options, &store, err) != 0)
		return -1;
	rc = vs_store_begin(store, err);
	if (rc == 0) {
		rc = fill(options, paths, n_paths, start_ms, store, head, summary, err);
		if (rc == 0)
			rc = vs_store_commit(store, err);
		if (rc != 0)
			vs_store_rollback(store);
	}
	/* a database that this command made and could not fill is taken away again */
	if (rc != 0 && is_new)
		vs_store_remove_unused(store);
	vs_store_free(store);
	return rc;
}

static int report(const struct import_options *options, int64_t id, struct vs_error *err)
{
	struct vs_analysis_options analysis = { 0 };
	struct vs_loaded loaded = { 0 };
	char ref[24];
	int rc;

	if (options->reports.n == 0)
		return 0;
	(void)snprintf(ref, sizeof(ref), "%" PRId64, id);
	rc = vs_cli_load(&options->volume, ref, &analysis, &loaded, err);
	for (size_t i = 0; rc == 0 && i < options->reports.n; i++)
		rc = vs_cli_write_report(&loaded.timeline, NULL, options->reports.items[i], false,
					 NULL, err);
	vs_loaded_release(&loaded);
	return rc;
}

static void print_summary(const struct vs_run *head, const struct vs_import_summary *summary)
{
	char samples[VS_UNITS_TEXT_MAX], duration[VS_UNITS_TEXT_MAX], mean[VS_UNITS_TEXT_MAX];
	size_t n = summary->n_told < VS_IMPORT_TOLD ? summary->n_told : VS_IMPORT_TOLD;

	if (summary->mean_iops < 100)
		(void)snprintf(mean, sizeof(mean), "%.3g", summary->mean_iops);
	else
		(void)vs_units_format_count(summary->mean_iops, mean);
	(void)printf("run %" PRId64 ": %s sample%s over %s, mean %s IOPS, from %s", head->id,
		     vs_units_format_count((double)summary->samples, samples),
		     summary->samples == 1 ? "" : "s",
		     vs_units_format_duration(head->duration_ns, duration), mean, summary->tool);
	if (summary->version[0])
		(void)printf(" %s", summary->version);
	if (strcmp(summary->tool, summary->format) != 0)
		(void)printf(" (%s)", summary->format);
	(void)printf("\n");
	for (size_t i = 0; i < n; i++)
		vs_cli_note("%s", summary->told[i]);
	if (summary->n_told > n)
		vs_cli_note("and %zu notes more; 'volscale report --format json %" PRId64
			    "' shows them among the events",
			    summary->n_told - n, head->id);
}

static volatile sig_atomic_t asked_to_stop;

static void ask_to_stop(int number)
{
	(void)number;
	asked_to_stop = 1;
}

static const int stop_signals[] = { SIGINT, SIGTERM, SIGHUP };
#define N_STOP_SIGNALS (sizeof(stop_signals) / sizeof(stop_signals[0]))

/*
 * The signals that end a command end the import, and it takes away what it has begun; a second one
 * ends the process. What was told to be ignored, as nohup does, stays so.
 */
static void catch_signals(struct sigaction before[N_STOP_SIGNALS])
{
	const struct sigaction stop = { .sa_handler = ask_to_stop, .sa_flags = (int)SA_RESETHAND };

	for (size_t i = 0; i < N_STOP_SIGNALS; i++)
		if (sigaction(stop_signals[i], NULL, &before[i]) == 0 &&
		    before[i].sa_handler != SIG_IGN)
			(void)sigaction(stop_signals[i], &stop, NULL);
}

/* Once the run is saved, or taken away. */
static void let_signals_go(const struct sigaction before[N_STOP_SIGNALS])
{
	for (size_t i = 0; i < N_STOP_SIGNALS; i++)
		(void)sigaction(stop_signals[i], &before[i], NULL);
}

static int import(const struct import_options *options, const char *const *paths, size_t n_paths,
		  struct vs_error *err)
{
	struct sigaction signals[N_STOP_SIGNALS] = { { .sa_handler = SIG_DFL } };
	struct vs_import_summary summary;
	struct vs_run head;
	int64_t start_ms;
	int rc = -1;

	vs_run_init(&head);
	vs_run_make_uuid(head.uuid);
	head.source = VS_SOURCE_IMPORT;
	/* Never RUNNING: nobody would take this run for one in progress. */
	head.end = VS_END_COMPLETED;
	if (check_options(options, &start_ms, err) == 0 &&
	    vs_run_set_text(&head.label, options->label, err) == 0) {
		catch_signals(signals);
		rc = store_run(options, paths, n_paths, start_ms, &head, &summary, err);
		let_signals_go(signals);
	}
	if (rc == 0) {
		print_summary(&head, &summary);
		rc = report(options, head.id, err);
	}
	vs_run_release(&head);
	return rc;
}

static int import_main(int argc, char **argv, struct vs_error *err)
{
	struct import_options options = { .volume = VS_VOLUME_OPTIONS_INIT };
	char **operands;
	size_t n_operands;
	int rc = vs_opt_parse(&import_command, argc, argv, &options, &operands, &n_operands, err);

	options.import.stop = &asked_to_stop;
	if (rc == 0)
		rc = import(&options, (const char *const *)operands, n_operands, err);
	else if (rc > 0)
		rc = VS_EXIT_DONE;
	vs_opt_release(&import_command, &options);
	if (rc < 0 && err->code == VS_ECANCELED) {
		vs_cli_note("%s; nothing of it is kept", err->text);
		return VS_EXIT_INTERRUPTED;
	}
	return rc;
}

const struct vs_command vs_cmd_import = { &import_command, import_main };
