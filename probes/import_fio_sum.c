/*
 * All logs of a run as one series.
 *
 * fio 2.10 to 3.17 divided what was done in a window by the time since the window should have
 * begun, not since it did: when its sampler wakes late, again and again, the rates sink although
 * the device does not. Each row is therefore kept as it is and with that lateness taken out, and
 * which of the two is right is decided here, by the run's own total.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probes/import_context.h"
#include "probes/import_fio_logs.h"

#define LATENCY_BYTES ((size_t)8 << 20)
#define CLOSE         0.03 /* as near as this the sum of the rows and the tool's total agree */

int vs_fio_logs_expect(struct vs_import *im, const char *path, bool hist, struct vs_error *err)
{
	struct vs_fio_logs *logs = im->logs;
	enum vs_fio_log_kind kind;
	bool named;

	if (!logs) {
		logs = calloc(1, sizeof(*logs));
		if (!logs)
			return vs_error_nomem(err);
		vs_grid_init(&logs->grid);
		vs_spool_init(&logs->latency, sizeof(uint32_t) * VS_HIST_BUCKETS, LATENCY_BYTES);
		im->logs = logs;
		vs_import_at_end(im, &(struct vs_import_later){ logs, vs_fio_logs_finish,
								vs_fio_logs_free });
	}
	kind = vs_fio_log_kind_of(path, &named);
	if (hist)
		kind = VS_FIO_LOG_HIST;
	else if (kind == VS_FIO_LOG_HIST)
		kind = VS_FIO_LOG_IOPS;
	logs->given[kind]++;
	return 0;
}

enum vs_fio_log_role vs_fio_logs_role(const struct vs_fio_logs *logs, enum vs_fio_log_kind kind)
{
	for (enum vs_fio_log_kind k = VS_FIO_LOG_IOPS; k < kind; k++) {
		if (!logs->given[k])
			continue;
		/* Another kind counts; of what tells latencies the best one does. */
		if (kind == VS_FIO_LOG_BW)
			return VS_FIO_ROLE_BYTES;
		if (kind == VS_FIO_LOG_HIST)
			return VS_FIO_ROLE_LATENCY;
		if (kind == VS_FIO_LOG_SLAT || logs->given[VS_FIO_LOG_HIST] ||
		    (kind == VS_FIO_LOG_CLAT && logs->given[VS_FIO_LOG_LAT]))
			return VS_FIO_ROLE_NONE;
		return VS_FIO_ROLE_LATENCY;
	}
	return VS_FIO_ROLE_COUNT;
}

void vs_fio_logs_stream(struct vs_fio_logs *logs, int64_t start_ns, int64_t end_ns)
{
	if (logs->n_streams == 0 || start_ns > logs->last_start_ns)
		logs->last_start_ns = start_ns;
	if (logs->n_streams == 0 || end_ns < logs->first_end_ns)
		logs->first_end_ns = end_ns;
	logs->n_streams++;
}

bool vs_fio_logs_time(struct vs_fio_logs *logs, uint64_t time_ms, int64_t *ns_out)
{
	bool epoch = time_ms > VS_FIO_EPOCH_MS;

	if (time_ms > UINT64_C(100000000000000))
		return false;
	if (!logs->epoch_known) {
		logs->epoch_known = true;
		logs->epoch = epoch;
		/* A little earlier than the first row, for other jobs may begin before this one. */
		logs->origin_ms = epoch ? (int64_t)time_ms - 3600000 : 0;
	}
	if (epoch != logs->epoch)
		return false;
	if ((int64_t)time_ms < logs->origin_ms ||
	    (int64_t)time_ms - logs->origin_ms > (int64_t)VS_FIO_EPOCH_MS)
		return false;
	*ns_out = ((int64_t)time_ms - logs->origin_ms) * 1000000;
	return true;
}

int vs_fio_logs_add_latency(struct vs_fio_logs *logs, size_t cell, uint64_t ns, uint64_t count,
			    struct vs_error *err)
{
	void *item;
	uint32_t *counts;
	size_t bucket = vs_hist_index(ns);

	if (vs_spool_at(&logs->latency, cell, &item, err) != 0)
		return -1;
	counts = item;
	counts[bucket] =
		count < UINT32_MAX - counts[bucket] ? counts[bucket] + (uint32_t)count : UINT32_MAX;
	logs->has_latency = true;
	return 0;
}

enum reading {
	AS_LOGGED,
	REPAIRED,
	BIASED
};

struct sums {
	double raw, fixed, seconds; /* of the grid */
	double tool_ios, tool_seconds;
	bool has_total;
};

static int sum_up(struct vs_import *im, struct sums *sums, struct vs_error *err)
{
	struct vs_grid *grid = &im->logs->grid;
	struct vs_grid_cell *cell;

	*sums = (struct sums){ .raw = 0 };
	sums->has_total =
		vs_import_total(im, &sums->tool_ios, &sums->tool_seconds) && sums->tool_ios > 0;
	for (size_t i = 0; i < grid->n; i++) {
		if (vs_grid_cell(grid, i, &cell, err) != 0)
			return -1;
		sums->raw += cell->amount.ios;
		sums->fixed += cell->amount.fixed;
	}
	sums->seconds = (double)(grid->end_ns - grid->start_ns) / 1e9;
	return 0;
}

static double off_by(const struct sums *sums, double ios)
{
	return fabs(ios / sums->seconds / (sums->tool_ios / sums->tool_seconds) - 1);
}

static double roughness(const struct vs_fio_roughness *rough)
{
	return rough->sum + (rough->product > 0 ? log(rough->product) : 0);
}

static enum reading choose_reading(const struct vs_import *im, const struct sums *sums)
{
	const struct vs_fio_logs *logs = im->logs;
	bool known = im->version_code > 0;
	bool may_be =
		logs->windowed && (!known || (im->version_code >= 2010 && im->version_code < 3018));
	double moved = logs->sum_ios > 0 ? logs->sum_late / logs->sum_ios : 0;
	bool smoother = roughness(&logs->rough_fixed) < roughness(&logs->rough_raw) * 0.7;

	if (sums->has_total && sums->tool_seconds > 0) {
		double raw = off_by(sums, sums->raw), fixed = off_by(sums, sums->fixed);

		if (may_be && moved > 0.005 && fixed <= CLOSE && fixed < raw &&
		    (known || smoother || raw > CLOSE))
			return REPAIRED;
		if (raw <= CLOSE)
			return AS_LOGGED;
		/* What covers the run and still does not add up to its total shows no level. */
		return sums->seconds > sums->tool_seconds * 0.97 || (may_be && moved > CLOSE)
			       ? BIASED
			       : AS_LOGGED;
	}
	if (!may_be)
		return AS_LOGGED;
	return known ? (moved > CLOSE ? BIASED : AS_LOGGED)
		     : (smoother && moved > 0.1 ? BIASED : AS_LOGGED);
}

static int note_reading(struct vs_import *im, enum reading reading, const struct sums *sums,
			struct vs_error *err)
{
	double late = im->logs->sum_ios > 0 ? 100 * im->logs->sum_late / im->logs->sum_ios : 0;

	if (reading == REPAIRED)
		return vs_import_note(
			im, "import-repaired", err,
			"fio's sampler woke late, and fio %s divides by the time since it should have woken: the rates were computed anew from the rows' times (as logged they add up to %.0f I/Os, now to %.0f; fio's total is %.0f)",
			im->version[0] ? im->version : "before 3.18", sums->raw, sums->fixed,
			sums->tool_ios);
	if (reading != BIASED)
		return 0;
	if (sums->has_total)
		return vs_import_note(
			im, "import-bias", err,
			"the log's rows do not add up to fio's own total, with or without its sampler's lateness taken out: no tier is told from them");
	return vs_import_note(
		im, "import-bias", err,
		"fio's sampler woke late and fio before 3.18 divides by the time since it should have woken, which moves the rates by %.0f %%; without the run's total (give its JSON) that cannot be repaired, and no tier is told",
		late);
}

static int note_logs(struct vs_import *im, struct vs_error *err)
{
	const struct vs_fio_logs *logs = im->logs;

	if (logs->n_unused &&
	    vs_import_note(im, "import-unused", err,
			   "%zu log%s of mean latencies (%s%s) %s not used: a mean is no quantile",
			   logs->n_unused, logs->n_unused == 1 ? "" : "s", logs->unused,
			   logs->n_unused == 1 ? "" : " ...",
			   logs->n_unused == 1 ? "was" : "were") != 0)
		return -1;
	if (logs->zero_rows == 0)
		return 0;
	return vs_import_note(
		im, "import-zero-fill", err,
		"%llu windows (%.1f s) have no row and count as zero: fio writes none for a window without I/O",
		(unsigned long long)logs->zero_rows, logs->zero_s);
}

static int set_latency(struct vs_fio_logs *logs, size_t i, struct vs_hist *hist,
		       struct vs_sample *sample, struct vs_error *err)
{
	const uint32_t *counts;
	void *item;

	if (vs_spool_at(&logs->latency, i, &item, err) != 0)
		return -1;
	counts = item;
	for (size_t k = 0; k < VS_HIST_BUCKETS; k++)
		hist->count[k] = counts[k];
	sample->lat_p50_ns = vs_hist_quantile_ns(hist, 0.5);
	sample->lat_p99_ns = vs_hist_quantile_ns(hist, 0.99);
	sample->lat_p999_ns = vs_hist_quantile_ns(hist, 0.999);
	sample->lat_max_ns = vs_hist_max_ns(hist);
	return 0;
}

/* Does the cell lie where all streams run? Jobs that begin later or end sooner make no step. */
static bool all_run(const struct vs_fio_logs *logs, const struct vs_grid_cell *cell, bool few)
{
	int64_t slack_ns = (cell->end_ns - cell->start_ns) / 2;

	if (few)
		return true;
	return cell->start_ns >= logs->last_start_ns - slack_ns &&
	       cell->end_ns <= logs->first_end_ns + slack_ns;
}

static int emit_cell(struct vs_import *im, size_t i, enum reading reading, bool few,
		     struct vs_hist *hist, struct vs_error *err)
{
	struct vs_fio_logs *logs = im->logs;
	int64_t shift_ns = logs->epoch ? logs->grid.start_ns : 0;
	double block = (double)im->head->workload.block_bytes;
	struct vs_grid_cell *cell;
	struct vs_sample sample;

	if (vs_grid_cell(&logs->grid, i, &cell, err) != 0)
		return -1;
	sample = vs_import_sample(0, 0, 0);
	sample.end_ns = cell->end_ns - shift_ns;
	sample.length_ns = cell->end_ns - cell->start_ns;
	sample.ios = reading == REPAIRED ? cell->amount.fixed : cell->amount.ios;
	sample.resolution_ios = cell->amount.unsure;
	if (cell->amount.zero_s > 0)
		sample.flags |= VS_SAMPLE_ZERO_FILL;
	if (reading == BIASED)
		sample.flags |= VS_SAMPLE_BIASED;
	if (logs->has_bytes)
		sample.bytes = vs_import_whole(cell->amount.bytes);
	else if (block > 0)
		sample.bytes = vs_import_whole(sample.ios * block);
	/* The last one may be the beginning of an interval only. */
	if (!all_run(logs, cell, few) || (logs->grid.n > 1 && i + 1 == logs->grid.n &&
					  sample.length_ns < logs->grid.target_ns / 4 * 3))
		sample.phase = VS_PHASE_RAMP;
	if (logs->has_latency && set_latency(logs, i, hist, &sample, err) != 0)
		return -1;
	return vs_import_emit(im, &sample, err);
}

static int emit_all(struct vs_import *im, enum reading reading, struct vs_error *err)
{
	struct vs_fio_logs *logs = im->logs;
	int64_t common_ns = logs->first_end_ns - logs->last_start_ns;
	bool few = common_ns < (logs->grid.end_ns - logs->grid.start_ns) / 2;
	struct vs_hist *hist = calloc(1, sizeof(*hist));
	int rc = hist ? 0 : vs_error_nomem(err);

	for (size_t i = 0; rc == 0 && i < logs->grid.n; i++)
		rc = emit_cell(im, i, reading, few, hist, err);
	free(hist);
	if (rc != 0 || !few || logs->n_streams < 2)
		return rc;
	return vs_import_note(
		im, "import-jobs", err,
		"the jobs ran side by side for less than half of the time: a change of level may be a job's begin or end");
}

int vs_fio_logs_finish(struct vs_import *im, void *state, struct vs_error *err)
{
	struct vs_fio_logs *logs = state;
	enum reading reading;
	struct sums sums;

	if (logs->grid.n == 0)
		return vs_error_set(err, VS_EFORMAT, 0,
				    "it holds no row that can be read; there is nothing to import");
	if (sum_up(im, &sums, err) != 0)
		return -1;
	im->head->interval_ns = logs->grid.target_ns;
	if (logs->epoch) {
		im->started_wall_ms = logs->origin_ms + logs->grid.start_ns / 1000000;
		im->started_wall_known = true;
	}
	reading = choose_reading(im, &sums);
	if (emit_all(im, reading, err) != 0 || note_logs(im, err) != 0 ||
	    note_reading(im, reading, &sums, err) != 0)
		return -1;
	/* Compared with the tool's total is all of the series, also where not all jobs ran. */
	im->load_ios = im->ios;
	im->load_seconds = im->seconds;
	return 0;
}

void vs_fio_logs_free(void *state)
{
	struct vs_fio_logs *logs = state;

	vs_grid_release(&logs->grid);
	vs_spool_release(&logs->latency);
	free(logs);
}
