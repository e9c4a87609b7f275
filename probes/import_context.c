#include "probes/import_context.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

void vs_import_at_end(struct vs_import *im, const struct vs_import_later *later)
{
	VS_ASSERT(im->n_later < sizeof(im->later) / sizeof(im->later[0]));
	im->later[im->n_later++] = *later;
}

int64_t vs_import_whole(double value)
{
	return value > 0 ? (int64_t)llround(fmin(value, 9e17)) : 0;
}

struct vs_sample vs_import_sample(double end_s, double length_s, double iops)
{
	return (struct vs_sample){
		.end_ns = (int64_t)llround(end_s * 1e9),
		.length_ns = (int64_t)llround(length_s * 1e9),
		.ios = iops * length_s,
		.bytes = VS_UNKNOWN,
		.lat_p50_ns = VS_UNKNOWN,
		.lat_p99_ns = VS_UNKNOWN,
		.lat_p999_ns = VS_UNKNOWN,
		.lat_max_ns = VS_UNKNOWN,
		.device_reads = VS_UNKNOWN,
		.device_merges = VS_UNKNOWN,
		.device_sectors = VS_UNKNOWN,
		.phase = VS_PHASE_LOAD,
	};
}

static int mark_phase(struct vs_import *im, const struct vs_sample *sample, struct vs_error *err)
{
	enum vs_phase phase = (enum vs_phase)sample->phase;

	if (phase == VS_PHASE_PROBE)
		phase = VS_PHASE_IDLE;
	if (im->head->n_phases && im->phase == phase)
		return 0;
	im->phase = phase;
	return vs_run_add_phase(im->head, sample->end_ns - sample->length_ns, phase, err);
}

int vs_import_emit(struct vs_import *im, const struct vs_sample *sample, struct vs_error *err)
{
	double seconds = (double)sample->length_ns / 1e9;

	if (sample->length_ns <= 0 || sample->end_ns < sample->length_ns ||
	    sample->end_ns > INT64_MAX / 4 || !isfinite(sample->ios) || sample->ios < 0 ||
	    sample->ios > 1e15) {
		vs_import_skip(im, "a time or a value that cannot be");
		return 0;
	}
	if (im->n_samples && sample->end_ns <= im->last_end_ns) {
		vs_import_skip(im, "its time lies before the row above");
		return 0;
	}
	if (im->options->stop && *im->options->stop)
		return vs_error_set(err, VS_ECANCELED, 0, "interrupted");
	if (mark_phase(im, sample, err) != 0)
		return -1;
	im->n_samples++;
	im->ios += sample->ios;
	im->seconds += seconds;
	if (sample->phase == VS_PHASE_LOAD) {
		im->load_ios += sample->ios;
		im->load_seconds += seconds;
	}
	im->any_io = im->any_io || sample->ios > 0;
	im->last_end_ns = sample->end_ns;
	return im->sink->sample(im->sink->ctx, sample, err);
}

void vs_import_skip(struct vs_import *im, const char *reason)
{
	const char *file = im->in ? im->in->path : NULL;
	uint64_t line = im->in ? im->in->line_no : 0;
	struct vs_import_skip *skip;

	for (size_t i = im->n_skips; i-- > 0;) {
		skip = &im->skips[i];
		if (skip->reason == reason && skip->file == file) {
			skip->count++;
			skip->last_line = line;
			return;
		}
	}
	if (im->n_skips == VS_IMPORT_SKIPS)
		return;
	im->skips[im->n_skips++] = (struct vs_import_skip){
		.reason = reason, .file = file, .count = 1, .first_line = line, .last_line = line
	};
}

const char vs_import_other_part[] = "it belongs to another recording in the same file (see --part)";

bool vs_import_part_wanted(const struct vs_import *im, uint64_t part)
{
	return part == (im->options->part ? im->options->part : 1);
}

static bool is_told(const char *kind)
{
	static const char *const kinds[] = { "import-parts",    "import-device",   "no-series",
					     "import-mismatch", "import-coverage", "import-bias",
					     "import-skipped" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kind, kinds[i]) == 0)
			return true;
	return false;
}

int vs_import_note(struct vs_import *im, const char *kind, struct vs_error *err, const char *fmt,
		   ...)
{
	struct vs_import_summary *summary = im->summary;
	char text[sizeof(summary->told[0])];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (is_told(kind) && summary->n_told++ < VS_IMPORT_TOLD)
		memcpy(summary->told[summary->n_told - 1], text, sizeof(text));
	return vs_sink_event(im->sink, im->last_end_ns, kind, err, "%s", text);
}

void vs_import_set_version(struct vs_import *im, const char *text)
{
	size_t len = 0;
	char *end;
	unsigned long major = strtoul(text, &end, 10), minor;

	if (end == text || *end != '.' || major > 99 || im->version[0])
		return;
	minor = strtoul(end + 1, NULL, 10);
	if (minor > 999)
		return;
	while (text[len] > ' ' && text[len] < 0x7f && !strchr("\",", text[len]) &&
	       len < sizeof(im->version) - 1)
		len++;
	memcpy(im->version, text, len);
	im->version[len] = '\0';
	im->version_code = (int)(major * 1000 + minor);
}

struct vs_import_result *vs_import_result(struct vs_import *im, const char *name, int64_t group)
{
	static struct vs_import_result overflow;
	struct vs_import_result *result = &overflow;

	if (im->n_results < VS_IMPORT_RESULTS)
		result = &im->results[im->n_results++];
	*result = (struct vs_import_result){ .group = group,
					     .bytes = (double)NAN,
					     .p50_ns = VS_UNKNOWN,
					     .p99_ns = VS_UNKNOWN,
					     .p999_ns = VS_UNKNOWN,
					     .max_ns = VS_UNKNOWN };
	(void)snprintf(result->name, sizeof(result->name), "%s", name);
	return result;
}

int vs_import_set_target(struct vs_import *im, const char *name, struct vs_error *err)
{
	struct vs_target target = { .size_bytes = VS_UNKNOWN, .size_gb = (double)NAN };

	if (im->head->n_targets)
		return vs_run_set_text(&im->head->targets[0].name, name, err);
	target.name = strdup(name);
	if (!target.name)
		return vs_error_nomem(err);
	if (vs_run_add_target(im->head, &target, err) != 0) {
		free(target.name);
		return -1;
	}
	free(target.name);
	return 0;
}

bool vs_import_total(const struct vs_import *im, double *ios_out, double *seconds_out)
{
	double group_seconds = 0;

	*ios_out = 0;
	*seconds_out = 0;
	for (size_t i = 0; i < im->n_results; i++) {
		if (i && im->results[i].group != im->results[i - 1].group) {
			*seconds_out += group_seconds;
			group_seconds = 0;
		}
		*ios_out += im->results[i].ios;
		group_seconds = fmax(group_seconds, im->results[i].seconds);
	}
	*seconds_out += group_seconds;
	return *seconds_out > 0;
}

int vs_import_emit_means(struct vs_import *im, struct vs_error *err)
{
	double end = 0;

	for (size_t i = 0, next; i < im->n_results; i = next) {
		struct vs_sample sample;
		double ios = 0, seconds = 0, bytes = 0;

		for (next = i;
		     next < im->n_results && im->results[next].group == im->results[i].group;
		     next++) {
			ios += im->results[next].ios;
			bytes += im->results[next].bytes;
			seconds = fmax(seconds, im->results[next].seconds);
		}
		if (!(seconds > 0))
			continue;
		end += seconds;
		sample = vs_import_sample(end, seconds, ios / seconds);
		sample.ios = ios;
		sample.phase = VS_PHASE_RAMP;
		if (bytes >= 0 && bytes < 9e17)
			sample.bytes = (int64_t)llround(bytes);
		if (next == i + 1) { /* quantiles do not add up */
			sample.lat_p50_ns = im->results[i].p50_ns;
			sample.lat_p99_ns = im->results[i].p99_ns;
			sample.lat_p999_ns = im->results[i].p999_ns;
			sample.lat_max_ns = im->results[i].max_ns;
		}
		if (vs_import_emit(im, &sample, err) != 0)
			return -1;
	}
	if (im->n_samples)
		im->head->interval_ns = (int64_t)llround(end / (double)im->n_samples * 1e9);
	return vs_import_note(im, "no-series", err,
			      "the input holds %zu result%s and no series over time: totals only, "
			      "no plateau can be read from a mean",
			      im->n_results, im->n_results == 1 ? "" : "s");
}
