/* volscale compare: runs side by side, and which tier is worth its money. */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare.h"
#include "cli/cli.h"
#include "reports/compare_report.h"

struct compare_options {
	struct vs_volume_options volume;
	const char *format;
	struct vs_opt_list outputs;
};

static const struct vs_opt own_options[] = {
	{ "format", 'f', VS_OPT_CHOICE, offsetof(struct compare_options, format),
	  "text|csv|json|markdown|html", NULL,
	  "how it is written (default: by the file's ending, else text)" },
	{ "output", 'o', VS_OPT_LIST, offsetof(struct compare_options, outputs), "FILE", NULL,
	  "write to FILE, in the format of its ending .html, .csv, .json, .md or .txt; may be "
	  "given several times; - is standard output" },
	{ .name = NULL },
};

static const struct vs_opt volume_options[] = {
	VS_OPT_DB(struct compare_options, volume),
	VS_OPT_VOLUME(struct compare_options, volume),
	VS_OPT_PRICE(struct compare_options, volume),
	{ .name = NULL },
};

static const struct vs_opt_command compare_command = {
	.name = "compare",
	.operands = "RUN RUN...",
	.summary = "runs side by side: ceiling, tier, price, price per 1000 IOPS",
	.text = "RUN is an id, the beginning of a uuid, or 'last'. RUN@TIER says which tier was\n"
		"in force, where the level alone does not show it: behind an instance's limit\n"
		"the level is no tier's. 'import --tier' says it once and for all. The other\n"
		"options hold for all runs; without them each has what was recorded with it.\n\n"
		"  volscale compare 1 2 3\n"
		"  volscale compare --price-gb 3.06 --price-vpu 0.204 --currency JPY 1 2 3\n"
		"  volscale compare -o comparison.html -o comparison.csv 1 2\n\n"
		"Ten striped volumes of 3072 GB at VPU 30 and at VPU 20, behind 12 Gbit/s:\n"
		"  volscale import --size-gb 3072 --volumes 10 --instance-gbps 12 vpu30.txt\n"
		"  volscale import --size-gb 3072 --volumes 10 --instance-gbps 12 vpu20.txt\n"
		"  volscale compare 1@30 2@20",
	.tables = { own_options, volume_options },
	.min_operands = 2,
	.max_operands = SIZE_MAX,
};

/* Every format is known before the first run is read. */
static int find_format(const struct compare_options *options, const char *path,
		       const struct vs_compare_format **out, struct vs_error *err)
{
	bool to_stdout = !path || strcmp(path, "-") == 0;

	*out = options->format || to_stdout
		       ? vs_compare_format_named(options->format ? options->format : "text")
		       : vs_compare_format_for_file(path);
	if (*out)
		return 0;
	return vs_error_set(err, VS_EUSAGE, 0,
			    "cannot tell the format of '%s'; end it in .html, .csv, .json, .md or "
			    ".txt, or give --format",
			    path);
}

static int check_outputs(const struct compare_options *options, struct vs_error *err)
{
	const struct vs_compare_format *format;

	for (size_t i = 0; i < options->outputs.n; i++)
		if (find_format(options, options->outputs.items[i], &format, err) != 0)
			return -1;
	return 0;
}

/* Loads RUN or RUN@TIER. */
static int load(const struct compare_options *options, const char *operand, struct vs_loaded *out,
		struct vs_error *err)
{
	struct vs_volume_options volume = options->volume;
	const char *at = strrchr(operand, '@');
	char *ref;
	int rc;

	if (at && (at == operand || !at[1]))
		return vs_error_set(err, VS_EUSAGE, 0,
				    "'%s': write a run and its tier as RUN@TIER, e.g. 1@30",
				    operand);
	ref = at ? strndup(operand, (size_t)(at - operand)) : strdup(operand);
	if (!ref)
		return vs_error_nomem(err);
	volume.tier = at ? at + 1 : NULL;
	rc = vs_cli_load(&volume, ref, NULL, out, err);
	free(ref);
	return rc == 0 ? 0 : vs_error_prefix(err, "'%s': ", operand);
}

static int write_one(const struct compare_options *options, const struct vs_comparison *cmp,
		     const char *path, struct vs_error *err)
{
	const struct vs_compare_format *format;
	FILE *out;
	int rc;

	if (find_format(options, path, &format, err) != 0 ||
	    vs_cli_open_output(path, &out, err) != 0)
		return -1;
	rc = format->write(cmp, vs_cli_columns(out), out, err);
	return vs_cli_close_output(path, out, err) != 0 ? -1 : rc;
}

static int write_all(const struct compare_options *options, const struct vs_comparison *cmp,
		     struct vs_error *err)
{
	if (options->outputs.n == 0)
		return write_one(options, cmp, NULL, err);
	for (size_t i = 0; i < options->outputs.n; i++)
		if (write_one(options, cmp, options->outputs.items[i], err) != 0)
			return -1;
	return 0;
}

static int compare(const struct compare_options *options, char **operands, size_t n,
		   struct vs_error *err)
{
	struct vs_loaded *loaded = calloc(n, sizeof(*loaded));
	const struct vs_timeline **timelines = calloc(n, sizeof(void *));
	struct vs_comparison cmp = { 0 };
	int rc = loaded && timelines ? 0 : vs_error_nomem(err);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = load(options, operands[i], &loaded[i], err);
		timelines[i] = &loaded[i].timeline;
	}
	if (rc == 0)
		rc = vs_compare(timelines, n, &cmp, err);
	if (rc == 0)
		rc = write_all(options, &cmp, err);
	vs_comparison_release(&cmp);
	for (size_t i = 0; loaded && i < n; i++)
		vs_loaded_release(&loaded[i]);
	free(loaded);
	free(timelines);
	return rc;
}

static int compare_main(int argc, char **argv, struct vs_error *err)
{
	struct compare_options options = { .volume = VS_VOLUME_OPTIONS_INIT };
	char **operands;
	size_t n;
	int rc = vs_opt_parse(&compare_command, argc, argv, &options, &operands, &n, err);

	if (rc == 0)
		rc = check_outputs(&options, err);
	if (rc == 0)
		rc = compare(&options, operands, n, err);
	vs_opt_release(&compare_command, &options);
	return rc > 0 ? VS_EXIT_DONE : rc;
}

const struct vs_command vs_cmd_compare = { &compare_command, compare_main };
