#include "probes/import.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "probes/import_context.h"
#include "probes/import_fio_logs.h"
#include "probes/import_text.h"

#define MAX_FILES    4096
#define MISMATCH_PCT 3.0

/* One file: opened late where that is possible, so that hundreds of logs need no open file each. */
struct input {
	const char *path;
	const char *shown; /* "standard input" for "-" */
	struct vs_reader reader;
	const struct vs_import_format *format;
	char sha256[VS_SHA256_TEXT_MAX];
};

static const char *shown(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

static const struct vs_import_format *format_named(const char *name)
{
	for (const struct vs_import_format *f = vs_import_formats; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

/* Behind a power cut a file ends in zeros that were never written: they are no text, nor against
 * it. */
static bool is_text(const char *head, size_t len)
{
	size_t odd = 0;
	size_t all = len;

	while (len > 0 && head[len - 1] == '\0')
		len--;
	if (len == 0)
		len = all;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)head[i];
		odd += c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != 3 && c != 27;
	}
	return odd * 100 <= len;
}

static const struct {
	const char *bytes;
	size_t len;
	const char *remedy;
} foreign[] = {
	{ "\x1f\x8b", 2, "gzip data; give 'gunzip -c FILE | volscale import -'" },
	{ "\x28\xb5\x2f\xfd", 4, "zstd data; give 'zstdcat FILE | volscale import -'" },
	{ "\xfd"
	  "7zXZ",
	  5, "xz data; give 'xzcat FILE | volscale import -'" },
	{ "BZh", 3, "bzip2 data; give 'bzcat FILE | volscale import -'" },
	{ "\xff\xfe", 2, "UTF-16 text; give 'iconv -f UTF-16 -t UTF-8 FILE | volscale import -'" },
	{ "\x78\x9c", 2, "zlib data; unpack a fio log with 'fio --inflate-log=FILE'" },
	{ "SQLite format 3", 15, "an SQLite database; 'volscale report --db FILE' reads ours" },
};

/* Known outputs that hold no IOPS over time, and why. */
static const struct {
	const char *mark;
	const char *reason;
} useless[] = {
	{ "%iowait", "a CPU report without a line of a disk; run 'sar -d' or 'iostat -x'" },
	{ "Cur ops   started  finished",
	  "rados bench output; make a CSV of time_s,iops from the differences of 'finished'" },
	{ "procs -----------memory",
	  "vmstat output, which counts blocks and no I/Os; run 'iostat -x 1' instead" },
	{ "3;fio-", "fio's terse output, totals without a series; run fio with "
		    "--write_iops_log or --output-format=json" },
	{ "avg lat(s)",
	  "rados bench output; make a CSV of time_s,iops from the differences of 'finished'" },
};

static int refuse(const char *head, size_t len, struct vs_error *err)
{
	double number;
	char line[512];
	char *words[16];
	size_t n;

	if (len == 0)
		return vs_error_set(err, VS_EFORMAT, 0, "it is empty; there is nothing to import");
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (len >= foreign[i].len && memcmp(head, foreign[i].bytes, foreign[i].len) == 0)
			return vs_error_set(err, VS_EFORMAT, 0, "it is %s", foreign[i].remedy);
	if (!is_text(head, len))
		return vs_error_set(
			err, VS_EFORMAT, 0,
			"it is no text; give the text output of fio, iostat, sar or a CSV");
	for (size_t i = 0; i < sizeof(useless) / sizeof(useless[0]); i++)
		if (strstr(head, useless[i].mark))
			return vs_error_set(err, VS_EFORMAT, 0, "it is %s", useless[i].reason);
	(void)snprintf(line, sizeof(line), "%.*s", (int)strcspn(head, "\r\n"), head);
	n = vs_text_words(line, words, 16);
	if (n == 10 && vs_text_is_number(words[0], false, &number) &&
	    vs_text_is_number(words[9], false, &number))
		return vs_error_set(
			err, VS_EFORMAT, 0,
			"it looks like raw ioping output: its rate is 1/latency of single requests, not what the volume can do");
	return vs_error_set(
		err, VS_EFORMAT, 0,
		"no reader knows this form; give fio, iostat or sar output, or a CSV with the columns time_s,iops, or name the form with --format");
}

static int recognise(struct input *input, const char *asked, struct vs_error *err)
{
	const char *head;
	size_t len;

	if (vs_reader_peek(&input->reader, &head, &len, err) != 0)
		return -1;
	if (asked && strcmp(asked, "auto") != 0) {
		input->format = format_named(asked);
		if (!input->format)
			return vs_error_set(err, VS_EUSAGE, 0, "'%s' is no format", asked);
		if (len == 0 || !is_text(head, len))
			return refuse(head, len, err);
		return 0;
	}
	if (len && is_text(head, len))
		for (const struct vs_import_format *f = vs_import_formats; f->name; f++)
			if (f->detect(head, len)) {
				input->format = f;
				return 0;
			}
	return refuse(head, len, err);
}

static int open_input(const struct vs_import *im, struct input *input, struct vs_error *err)
{
	if (input->reader.buf)
		return 0;
	return vs_reader_open(&input->reader, input->path, im->options->stop, err);
}

/* Opens, recognises, and closes again what can be opened a second time. */
static int probe_input(const struct vs_import *im, struct input *input, struct vs_error *err)
{
	if (open_input(im, input, err) != 0)
		return -1;
	if (recognise(input, im->options->format, err) != 0)
		return vs_error_prefix(err, "cannot import '%s': ", input->shown);
	/* Standard input is one stream, also where it is a file. */
	if (input->reader.close_fd && input->reader.mtime_ms != VS_UNKNOWN)
		vs_reader_release(&input->reader);
	return 0;
}

static int read_input(struct vs_import *im, struct input *input, struct vs_error *err)
{
	if (open_input(im, input, err) != 0)
		return -1;
	im->in = &input->reader;
	if (input->format->read(im, err) != 0 ||
	    vs_reader_finish(&input->reader, input->sha256, err) != 0)
		return vs_error_prefix(err, "cannot import '%s': ", input->shown);
	if (!im->ended_wall_known && input->reader.mtime_ms != VS_UNKNOWN && !im->file_ms)
		im->file_ms = input->reader.mtime_ms;
	im->in = NULL;
	vs_reader_release(&input->reader);
	return 0;
}

static int note_skips(struct vs_import *im, struct vs_error *err)
{
	for (size_t i = 0; i < im->n_skips; i++) {
		const struct vs_import_skip *skip = &im->skips[i];
		const char *file = skip->file ? shown(skip->file) : "";
		int rc;

		if (skip->count == 1)
			rc = vs_import_note(im, "import-skipped", err, "%s:%llu: left out: %s",
					    file, (unsigned long long)skip->first_line,
					    skip->reason);
		else
			rc = vs_import_note(im, "import-skipped", err,
					    "%s:%llu to %llu: %llu left out: %s", file,
					    (unsigned long long)skip->first_line,
					    (unsigned long long)skip->last_line,
					    (unsigned long long)skip->count, skip->reason);
		if (rc != 0)
			return -1;
	}
	return 0;
}

static int number(struct vs_import *im, const char *name, double value, struct vs_error *err)
{
	return vs_sink_number(im->sink, im->last_end_ns, "import", name, value, err);
}

static int text(struct vs_import *im, const char *name, const char *value, struct vs_error *err)
{
	return vs_sink_text(im->sink, im->last_end_ns, "import", name, value, err);
}

static int note_results(struct vs_import *im, struct vs_error *err)
{
	double ios, seconds, ours, theirs, differ;
	char name[80];

	for (size_t i = 0; im->n_results > 1 && i < im->n_results && i < 64; i++) {
		const struct vs_import_result *r = &im->results[i];
		(void)snprintf(name, sizeof(name), "result-iops: %s", r->name);
		if (r->seconds > 0 && number(im, name, r->ios / r->seconds, err) != 0)
			return -1;
	}
	if (!vs_import_total(im, &ios, &seconds))
		return 0;
	theirs = ios / seconds;
	if (number(im, "tool-ios", ios, err) != 0 ||
	    number(im, "tool-seconds", seconds, err) != 0 ||
	    number(im, "tool-iops", theirs, err) != 0)
		return -1;
	if (!(im->load_seconds > 0))
		return 0;
	ours = im->load_ios / im->load_seconds;
	differ = (ours / theirs - 1) * 100;
	if (!(theirs > 0))
		return 0;
	if (number(im, "iops-read", ours, err) != 0 ||
	    number(im, "difference-pct", differ, err) != 0)
		return -1;
	if (fabs(differ) > MISMATCH_PCT &&
	    vs_import_note(im, "import-mismatch", err,
			   "the samples average %.1f IOPS, %s itself says %.1f (%+.1f %%)", ours,
			   im->tool, theirs, differ) != 0)
		return -1;
	/* Lost updates leave gaps between samples, and a log may stop early. */
	if (seconds - im->seconds > fmax(0.03 * seconds, 1.5) &&
	    vs_import_note(im, "import-coverage", err,
			   "the series covers %.1f s of the run's %.1f s", im->seconds,
			   seconds) != 0)
		return -1;
	return 0;
}

static int note_source(struct vs_import *im, const struct input *inputs, size_t n,
		       struct vs_error *err)
{
	if (text(im, "tool", im->tool, err) != 0 ||
	    (im->version[0] && text(im, "version", im->version, err) != 0))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (text(im, "format", inputs[i].format->name, err) != 0 ||
		    text(im, "file", inputs[i].shown, err) != 0 ||
		    text(im, "sha256", inputs[i].sha256, err) != 0)
			return -1;
	return 0;
}

/* When the run began: what the tool said, else the file's own time, else now. */
static int set_start(struct vs_import *im, struct vs_error *err)
{
	struct vs_run *head = im->head;

	head->duration_ns = im->last_end_ns;
	if (im->started_wall_known) {
		head->started_wall_ms = im->started_wall_ms;
	} else if (im->ended_wall_known) {
		head->started_wall_ms = im->ended_wall_ms - im->last_end_ns / 1000000;
	} else {
		int64_t end_ms = im->file_ms ? im->file_ms : vs_clock_wall_ns() / 1000000;
		head->started_wall_ms = end_ms - im->last_end_ns / 1000000;
		return vs_import_note(
			im, "import-clock", err,
			"the start is a guess from %s%s; give --start-time",
			im->file_ms ? "the file's time of last change" : "the time of the import",
			im->clock_unset ? ", because the tool's clock was not set" : "");
	}
	if (im->zone_assumed)
		return vs_import_note(im, "import-clock", err,
				      "the tool's time of day has no zone: taken as UTC");
	return 0;
}

static int conclude(struct vs_import *im, const struct input *inputs, size_t n,
		    struct vs_error *err)
{
	if (im->n_samples == 0 && im->options->part > 1)
		return vs_error_set(err, VS_EFORMAT, 0,
				    "cannot import '%s': it has no recording %llu; it holds %llu",
				    inputs[0].shown, (unsigned long long)im->options->part,
				    (unsigned long long)(im->n_parts ? im->n_parts : 1));
	if (im->n_parts > 1 && im->options->part == 0 && im->n_samples &&
	    vs_import_note(im, "import-parts", err,
			   "the file holds %llu recordings; --part picks another one",
			   (unsigned long long)im->n_parts) != 0)
		return -1;
	if (im->n_samples == 0)
		return vs_error_set(
			err, VS_EFORMAT, 0,
			"cannot import '%s': it holds no sample; there is nothing to import",
			inputs[0].shown);
	if (im->head->n_targets == 0 && vs_import_set_target(im, inputs[0].shown, err) != 0)
		return -1;
	if (im->head->end == VS_END_RUNNING)
		im->head->end = VS_END_COMPLETED;
	if (note_source(im, inputs, n, err) != 0 || note_results(im, err) != 0 ||
	    note_skips(im, err) != 0)
		return -1;
	return set_start(im, err);
}

/*
 * Which inputs give the series, and which only totals: logs get theirs from JSON or a console's
 * summary, a console's status lines from JSON. Files that neither add up nor join are refused.
 */
static int choose_series(const struct input *inputs, size_t n, unsigned int *series_out,
			 struct vs_error *err)
{
	const struct input *alone = NULL;
	bool logs = false;

	for (size_t i = 0; i < n; i++)
		logs = logs || (inputs[i].format->beside & VS_IMPORT_LOG);
	*series_out = logs ? VS_IMPORT_LOG : VS_IMPORT_TOTALS;
	for (size_t i = 0; n > 1 && i < n; i++) {
		unsigned int beside = inputs[i].format->beside;

		if (beside & (logs ? VS_IMPORT_LOG | VS_IMPORT_TOTALS : VS_IMPORT_JOINS))
			continue;
		if (alone || !(beside & VS_IMPORT_TOTALS)) {
			const struct input *other = alone ? alone : &inputs[i == 0];
			return vs_error_set(
				err, VS_EFORMAT, 0,
				"'%s' (%s) and '%s' (%s) cannot become one run; import them one by one",
				other->path, other->format->what, inputs[i].path,
				inputs[i].format->what);
		}
		alone = &inputs[i];
	}
	return 0;
}

/*
 * Totals are read before the logs that need them, JSON's, which are exact, replace a console's; the
 * logs that count I/Os come before those that tell something of them.
 */
static int rank(const struct vs_import *im, const struct input *input)
{
	unsigned int beside = input->format->beside;
	bool named;

	if (!(beside & VS_IMPORT_LOG))
		return beside & VS_IMPORT_JOINS ? 1 : 0;
	if (beside & VS_IMPORT_HIST)
		return 2 + (vs_fio_logs_role(im->logs, VS_FIO_LOG_HIST) != VS_FIO_ROLE_COUNT);
	return 2 + (vs_fio_logs_role(im->logs, vs_fio_log_kind_of(input->path, &named)) !=
		    VS_FIO_ROLE_COUNT);
}

/* What logs are there; a histogram log alone is read only when it is asked for. */
static int expect_logs(struct vs_import *im, const struct input *inputs, size_t n,
		       struct vs_error *err)
{
	bool asked = im->options->format && strcmp(im->options->format, "auto") != 0;

	for (size_t i = 0; i < n; i++) {
		unsigned int beside = inputs[i].format->beside;

		if (!(beside & VS_IMPORT_LOG))
			continue;
		if (vs_fio_logs_expect(im, inputs[i].path, beside & VS_IMPORT_HIST, err) != 0)
			return -1;
		if (n == 1 && (beside & VS_IMPORT_HIST) && !asked)
			return vs_error_set(
				err, VS_EFORMAT, 0,
				"cannot import '%s': it is a fio histogram log, counts of I/Os by latency and no IOPS log; give the iops log with it, or --format fio-hist to add its counts up",
				inputs[i].path);
	}
	return 0;
}

static int read_all(struct vs_import *im, struct input *inputs, size_t n, struct vs_error *err)
{
	unsigned int series;
	size_t n_first = 0;

	if (choose_series(inputs, n, &series, err) != 0 || expect_logs(im, inputs, n, err) != 0)
		return -1;
	for (int turn = 0; turn <= 3; turn++) {
		size_t n_turn = 0;

		for (size_t i = 0; i < n; i++) {
			if (rank(im, &inputs[i]) != turn)
				continue;
			if (turn == 1 && n_turn++ == 0)
				im->n_results = 0;
			im->totals_only = !(inputs[i].format->beside & series) ||
					  (turn == 1 && n_first && series == VS_IMPORT_TOTALS);
			if (n == 1)
				im->totals_only = false;
			n_first += turn == 0;
			if (read_input(im, &inputs[i], err) != 0)
				return -1;
		}
	}
	return 0;
}

static int import_all(struct vs_import *im, struct input *inputs, size_t n, struct vs_error *err)
{
	for (size_t i = 0; i < n; i++)
		if (probe_input(im, &inputs[i], err) != 0)
			return -1;
	if (read_all(im, inputs, n, err) != 0)
		return -1;
	for (size_t i = 0; i < im->n_later; i++)
		if (im->later[i].finish(im, im->later[i].state, err) != 0)
			return vs_error_prefix(err, "cannot import '%s': ", inputs[0].shown);
	return conclude(im, inputs, n, err);
}

static void summarise(const struct vs_import *im, const struct input *inputs)
{
	struct vs_import_summary *summary = im->summary;

	summary->samples = im->n_samples;
	summary->mean_iops = im->ios / im->seconds;
	summary->tool = im->tool;
	summary->format = inputs[0].format->name;
	(void)snprintf(summary->version, sizeof(summary->version), "%s", im->version);
}

int vs_import_parse_time(const char *text, int64_t *wall_ms_out)
{
	bool zone;

	return vs_text_wall(text, wall_ms_out, &zone) ? 0 : -1;
}

int vs_import(const char *const *paths, size_t n_paths, const struct vs_import_options *options,
	      struct vs_run *head, const struct vs_sink *sink, struct vs_import_summary *summary,
	      struct vs_error *err)
{
	struct vs_import *im = calloc(1, sizeof(*im));
	struct input *inputs = calloc(n_paths ? n_paths : 1, sizeof(*inputs));
	int rc;

	if (!im || !inputs) {
		free(im);
		free(inputs);
		return vs_error_nomem(err);
	}
	im->options = options;
	im->head = head;
	im->sink = sink;
	im->summary = summary;
	summary->n_told = 0;
	head->source = VS_SOURCE_IMPORT;
	for (size_t i = 0; i < n_paths; i++) {
		inputs[i].path = paths[i];
		inputs[i].shown = shown(paths[i]);
	}
	if (n_paths == 0 || n_paths > MAX_FILES)
		rc = vs_error_set(err, VS_EUSAGE, 0, "give 1 to %d files", MAX_FILES);
	else
		rc = import_all(im, inputs, n_paths, err);
	if (rc == 0)
		summarise(im, inputs);
	for (size_t i = 0; i < im->n_later; i++)
		im->later[i].release(im->later[i].state);
	for (size_t i = 0; i < n_paths; i++)
		vs_reader_release(&inputs[i].reader);
	free(inputs);
	free(im);
	return rc;
}
