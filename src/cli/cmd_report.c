/* volscale report: the timeline of a run, in one format or in several at once. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "cli/cli.h"
#include "reports/lang.h"
#include "reports/report.h"

struct report_options {
	struct vs_volume_options volume;
	const char *format;
	const char *lang;
	struct vs_opt_list outputs;
	bool series;
	bool explain;
	bool no_ladder;
};

static const struct vs_opt own_options[] = {
	{ "format", 'f', VS_OPT_CHOICE, offsetof(struct report_options, format),
	  "text|csv|json|markdown|html", NULL,
	  "how it is written (default: by the file's ending, else text)" },
	{ "output", 'o', VS_OPT_LIST, offsetof(struct report_options, outputs), "FILE", NULL,
	  "write to FILE, in the format of its ending .html, .csv, .json, .md or .txt; may be "
	  "given several times; - is standard output" },
	{ "series", 0, VS_OPT_FLAG, offsetof(struct report_options, series), NULL, NULL,
	  "csv: a row a sample instead of a row a plateau; 'volscale import' reads it again" },
	{ "lang", 0, VS_OPT_CHOICE, offsetof(struct report_options, lang), "en|ja", "en",
	  "html: language" },
	{ "explain", 0, VS_OPT_FLAG, offsetof(struct report_options, explain), NULL, NULL,
	  "print on standard error how the analysis came to its plateaus" },
	{ "no-ladder", 0, VS_OPT_FLAG, offsetof(struct report_options, no_ladder), NULL, NULL,
	  "find the levels without knowing which ones the provider has" },
	{ .name = NULL },
};

static const struct vs_opt volume_options[] = {
	VS_OPT_DB(struct report_options, volume),
	VS_OPT_VOLUME(struct report_options, volume),
	VS_OPT_TIER(struct report_options, volume),
	VS_OPT_PRICE(struct report_options, volume),
	{ .name = NULL },
};

static const struct vs_opt_command report_command = {
	.name = "report",
	.operands = "[RUN]",
	.summary = "the timeline of a run: plateaus, steps, tiers, cost",
	.text = "RUN is an id, the beginning of a uuid, or 'last' (default).\n\n"
		"  volscale report\n"
		"  volscale report --format json 3\n"
		"  volscale report -o timeline.html -o timeline.csv -o timeline.json last",
	.tables = { own_options, volume_options },
	.max_operands = 1,
};

/* Every format is known before the first file is written. */
static int check_outputs(const struct report_options *options, struct vs_error *err)
{
	for (size_t i = 0; i < options->outputs.n && !options->format; i++) {
		const char *path = options->outputs.items[i];
		if (strcmp(path, "-") != 0 && !vs_report_format_for_file(path))
			return vs_error_set(err, VS_EUSAGE, 0,
					    "cannot tell the format of '%s'; end it in .html, "
					    ".csv, .json, .md or .txt, or give --format",
					    path);
	}
	return 0;
}

static int write_outputs(const struct report_options *options, const struct vs_timeline *timeline,
			 struct vs_error *err)
{
	if (options->outputs.n == 0)
		return vs_cli_write_report(timeline, options->format, NULL, options->series,
					   options->lang, err);
	for (size_t i = 0; i < options->outputs.n; i++)
		if (vs_cli_write_report(timeline, options->format, options->outputs.items[i],
					options->series, options->lang, err) != 0)
			return -1;
	return 0;
}

static int report(const struct report_options *options, const char *run, struct vs_error *err)
{
	struct vs_buf explain;
	struct vs_analysis_options analysis = { .no_ladder = options->no_ladder };
	struct vs_loaded loaded = { 0 };
	int rc;

	vs_buf_init(&explain, 64 << 20);
	if (options->explain)
		analysis.explain = &explain;
	rc = check_outputs(options, err);
	if (rc == 0)
		rc = vs_cli_load(&options->volume, run, &analysis, &loaded, err);
	if (rc == 0 && explain.failed)
		rc = vs_error_nomem(err);
	if (rc == 0 && explain.data)
		(void)fputs(explain.data, stderr);
	if (rc == 0)
		rc = write_outputs(options, &loaded.timeline, err);
	vs_loaded_release(&loaded);
	vs_buf_release(&explain);
	return rc;
}

static int report_main(int argc, char **argv, struct vs_error *err)
{
	struct report_options options = { .volume = VS_VOLUME_OPTIONS_INIT };
	char **operands;
	size_t n_operands;
	int rc = vs_opt_parse(&report_command, argc, argv, &options, &operands, &n_operands, err);

	if (rc == 0)
		rc = report(&options, n_operands ? operands[0] : NULL, err);
	else if (rc > 0)
		rc = VS_EXIT_DONE;
	vs_opt_release(&report_command, &options);
	return rc;
}

const struct vs_command vs_cmd_report = { &report_command, report_main };
