/* fio's logs of IOPS, bandwidth and latency: a row a window, or a row an I/O. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/import_context.h"
#include "probes/import_fio_logs.h"

#define SECOND_NS     ((int64_t)1000000000)
#define BACK_MS       200 /* rows of single I/Os may be out of order by this much */
#define LARGEST_VALUE 1e12

enum mode {
	MODE_LOOKING,
	MODE_WINDOWS,
	MODE_SINGLE, /* a row an I/O */
};

struct look {
	struct vs_fio_row row;
	uint64_t line_no;
};

/* A stretch of rows whose time goes on: one job's. */
struct log {
	struct vs_import *im;
	enum vs_fio_log_kind kind;
	enum vs_fio_log_role role;
	bool named;
	bool had_windows; /* in a stretch before this one */
	size_t n_blocks;

	enum mode mode;
	size_t direction; /* its column */
	struct look look[VS_FIO_LOOK_ROWS];
	size_t n_look;
	struct vs_fio_steps steps;
	struct vs_fio_window side[3];

	/* single I/Os: those of the second [second_ns, + 1 s) */
	bool any_single;
	int64_t first_ns, second_ns, last_ns;
	double ios, bytes;
	size_t at;
	bool has_latency;
	struct vs_hist latency; /* of that second */
};

static uint64_t block_size(const struct log *log, const struct vs_fio_row *row)
{
	return row->n > log->direction + 1 ? row->column[log->direction + 1] : 0;
}

static double latency_unit(const struct vs_import *im)
{
	return im->version_code >= 2099 ? 1 : 1000;
}

/* Closes the second under way at end_ns. */
static int flush_second(struct log *log, int64_t end_ns, struct vs_error *err)
{
	struct vs_grid_amount amount = { .ios = log->ios, .fixed = log->ios, .bytes = log->bytes };

	log->im->logs->sum_ios += log->ios;
	log->ios = log->bytes = 0;
	if (vs_fio_logs_put(log->im, &log->at, log->second_ns, end_ns, &amount, err) != 0)
		return -1;
	for (size_t i = 0; log->has_latency && i < VS_HIST_BUCKETS; i++)
		if (log->latency.count[i] &&
		    vs_fio_logs_add_latency(log->im->logs, log->at, vs_hist_value_ns(i),
					    log->latency.count[i], err) != 0)
			return -1;
	if (log->has_latency)
		memset(&log->latency, 0, sizeof(log->latency));
	log->has_latency = false;
	return 0;
}

static uint64_t latency_ns(const struct log *log, const struct vs_fio_row *row)
{
	return (uint64_t)fmin((double)row->column[1] * latency_unit(log->im), 9e17);
}

/* Beside another log's I/Os: the latency of one of them. */
static int add_latency(struct log *log, const struct vs_fio_row *row, int64_t time_ns,
		       struct vs_error *err)
{
	struct vs_grid *grid = &log->im->logs->grid;
	struct vs_grid_cell *cell;

	if (log->im->version_code == 0 || time_ns >= grid->end_ns)
		return 0;
	do {
		if (vs_grid_cell(grid, log->at, &cell, err) != 0)
			return -1;
	} while (cell->end_ns <= time_ns && ++log->at < grid->n);
	return vs_fio_logs_add_latency(log->im->logs, log->at, latency_ns(log, row), 1, err);
}

static int take_single(struct log *log, const struct vs_fio_row *row, int64_t time_ns,
		       struct vs_error *err)
{
	if (!log->any_single) {
		log->second_ns = time_ns / SECOND_NS * SECOND_NS;
		if (time_ns < SECOND_NS * 3 / 2)
			log->second_ns = 0;
		log->first_ns = log->second_ns;
		log->any_single = true;
	}
	if (log->role == VS_FIO_ROLE_LATENCY)
		return add_latency(log, row, time_ns, err);
	if (time_ns >= log->second_ns + SECOND_NS) {
		int64_t next_ns = time_ns / SECOND_NS * SECOND_NS;

		if (flush_second(log, log->second_ns + SECOND_NS, err) != 0)
			return -1;
		log->second_ns += SECOND_NS;
		/* Seconds without a row between: nothing was done in them. */
		if (next_ns > log->second_ns && flush_second(log, next_ns, err) != 0)
			return -1;
		log->second_ns = next_ns;
	}
	log->ios++;
	log->bytes += (double)block_size(log, row);
	if (log->kind >= VS_FIO_LOG_LAT && log->kind != VS_FIO_LOG_SLAT && log->im->version_code) {
		log->has_latency = true;
		log->latency.count[vs_hist_index(latency_ns(log, row))]++;
	}
	if (time_ns > log->last_ns)
		log->last_ns = time_ns;
	return 0;
}

/* A last window of a few ms with a value that no other comes near is an accident of fio's. */
static bool is_absurd(const struct vs_fio_window *side, double value,
		      const struct vs_fio_span *span, const struct vs_fio_steps *steps)
{
	return value > LARGEST_VALUE || (side->last_value > 0 && value > side->last_value * 10 &&
					 span->end_ns - span->start_ns < steps->nominal_ns / 10);
}

static void add_change(struct vs_fio_roughness *rough, double rate, double before)
{
	double high = rate > before ? rate : before, low = rate > before ? before : rate;
	double ratio = high / low;

	rough->product = rough->product > 0 ? rough->product * ratio : ratio;
	if (rough->product > 1e100) {
		rough->sum += log(rough->product);
		rough->product = 1;
	}
}

static void compare_rates(struct vs_fio_logs *logs, struct vs_fio_window *side, double raw,
			  double fixed)
{
	if (side->last_raw > 0 && raw > 0 && fixed > 0) {
		add_change(&logs->rough_raw, raw, side->last_raw);
		add_change(&logs->rough_fixed, fixed, side->last_fixed);
	}
	side->last_raw = raw;
	side->last_fixed = fixed;
}

static int put_window(struct log *log, struct vs_fio_window *side, const struct vs_fio_span *span,
		      double value, double block, struct vs_error *err)
{
	struct vs_fio_logs *logs = log->im->logs;
	double seconds = (double)(span->end_ns - span->start_ns) / 1e9, ios = value, step = 1;
	struct vs_grid_amount amount = { .ios = 0 };

	if (log->kind == VS_FIO_LOG_BW) {
		ios = block > 0 ? value * 1024 / block : 0;
		step = value > 0 ? ios / value : 1;
		amount.bytes = value * 1024 * seconds;
	}
	if (log->role == VS_FIO_ROLE_COUNT) {
		amount.ios = ios * seconds;
		amount.fixed = ios * span->fixed_s;
		amount.unsure = step * seconds / 2;
		logs->sum_ios += amount.ios;
		logs->sum_late += fabs(amount.fixed - amount.ios);
		compare_rates(logs, side, ios, amount.fixed / seconds);
	}
	side->last_value = value;
	return vs_fio_logs_put(log->im, &side->at, span->start_ns, span->end_ns, &amount, err);
}

static int take_window(struct log *log, const struct vs_fio_row *row, int64_t time_ns,
		       enum vs_fio_verdict *verdict, struct vs_error *err)
{
	struct vs_fio_window *side = &log->side[row->column[log->direction]];
	int64_t of_run = log->im->head->workload.block_bytes;
	double value = (double)row->column[1];
	struct vs_fio_window before = *side;
	struct vs_fio_span span;

	/* Beside another log's I/Os it must not lengthen the series. */
	if (log->role != VS_FIO_ROLE_COUNT && time_ns > log->im->logs->grid.end_ns) {
		*verdict = VS_FIO_ROW_OK;
		return 0;
	}
	if (vs_fio_window_next(log->im, side, time_ns, &log->steps, log->role == VS_FIO_ROLE_COUNT,
			       &span, verdict, err) != 0)
		return -1;
	if (*verdict != VS_FIO_ROW_OK)
		return 0;
	if (is_absurd(&before, value, &span, &log->steps)) {
		*side = before;
		vs_import_skip(log->im, "a value that cannot be");
		return 0;
	}
	return put_window(log, side, &span, value,
			  of_run > 0 ? (double)of_run : (double)block_size(log, row), err);
}

static int refuse_latency(const struct log *log, struct vs_error *err)
{
	(void)log;
	return vs_error_set(
		err, VS_EFORMAT, 0,
		"it is a log of mean latencies, which tell no I/Os; give the job's iops log, its bw log, or its JSON");
}

/* Every value 1: fio writes a row an I/O then, or has lost the values to the log's compression. */
static bool all_ones(const struct log *log)
{
	for (size_t i = 0; i < log->n_look; i++)
		if (log->look[i].row.column[1] != 1)
			return false;
	return true;
}

static bool all_sized(const struct log *log)
{
	for (size_t i = 0; i < log->n_look; i++)
		if (block_size(log, &log->look[i].row) == 0)
			return false;
	return log->n_look > 0;
}

/* Times of the direction that most rows have; their count. */
static size_t main_times(const struct log *log, int64_t times[VS_FIO_LOOK_ROWS])
{
	size_t counts[3] = { 0 }, most = 0, n = 0;
	uint64_t base_ms = 0;

	for (size_t i = 0; i < log->n_look; i++)
		counts[log->look[i].row.column[log->direction]]++;
	for (size_t d = 1; d < 3; d++)
		if (counts[d] > counts[most])
			most = d;
	for (size_t i = 0; i < log->n_look; i++) {
		const struct vs_fio_row *row = &log->look[i].row;

		if (row->column[log->direction] == most)
			vs_fio_steps_add(times, &n, &base_ms, row->column[0]);
	}
	return n;
}

static int choose_mode(struct log *log, struct vs_error *err)
{
	struct vs_import *im = log->im;
	struct vs_fio_logs *logs = im->logs;
	int64_t times[VS_FIO_LOOK_ROWS];
	size_t n = main_times(log, times);
	bool sized = all_sized(log), ones = all_ones(log);

	log->steps = vs_fio_steps_of(times, n, im->log_avg_ms);
	/* A job of few rows, or with long silences, has the steps of the one before. */
	if (logs->steps.step_ns && log->steps.step_ns > logs->steps.step_ns / 4 * 5)
		log->steps = logs->steps;
	log->mode = MODE_WINDOWS;
	if (sized && (ones || log->kind >= VS_FIO_LOG_LAT ||
		      ((log->kind == VS_FIO_LOG_BW || !log->named) && log->n_look > 1 &&
		       log->steps.step_ns < 400000000)))
		log->mode = MODE_SINGLE;
	logs->has_bytes = logs->has_bytes || log->kind == VS_FIO_LOG_BW ||
			  (log->mode == MODE_SINGLE && log->role == VS_FIO_ROLE_COUNT);
	if (log->mode == MODE_SINGLE)
		return 0;
	if (log->kind >= VS_FIO_LOG_LAT)
		return log->role == VS_FIO_ROLE_COUNT ? refuse_latency(log, err) : 0;
	if (log->kind == VS_FIO_LOG_IOPS && ones && log->n_look > 2)
		return vs_error_set(
			err, VS_EFORMAT, 0,
			"every value in it is 1 and there is no block size: fio's log_compression averaged single I/Os; log again without it");
	if (log->kind == VS_FIO_LOG_BW && log->role == VS_FIO_ROLE_COUNT && !sized &&
	    im->head->workload.block_bytes <= 0)
		return vs_error_set(
			err, VS_EFORMAT, 0,
			"it is a bandwidth log and the block size is not known; give the job's JSON or its iops log beside it");
	logs->windowed = true;
	if (log->role == VS_FIO_ROLE_COUNT && !logs->steps.step_ns && n > 2)
		logs->steps = log->steps;
	if (log->role == VS_FIO_ROLE_COUNT && logs->grid.n == 0 && log->steps.step_ns > 750000000)
		logs->grid.target_ns = log->steps.nominal_ns;
	return 0;
}

/* After a stretch of windows single I/Os from 0 on: the former was the ramp, which fio logs so. */
static int drop_ramp(struct log *log, struct vs_error *err)
{
	struct vs_fio_logs *logs = log->im->logs;

	if (!log->had_windows || log->mode != MODE_SINGLE || log->role != VS_FIO_ROLE_COUNT ||
	    logs->n_blocks != log->n_blocks)
		return 0;
	vs_grid_release(&logs->grid);
	vs_grid_init(&logs->grid);
	logs->n_streams = logs->n_blocks = log->n_blocks = 0;
	logs->sum_ios = logs->sum_late = logs->zero_s = 0;
	logs->rough_raw = logs->rough_fixed = (struct vs_fio_roughness){ 0, 0 };
	logs->zero_rows = 0;
	logs->windowed = log->had_windows = false;
	return vs_import_note(
		log->im, "import-ramp", err,
		"%s:%llu: time starts again, with a row an I/O: what stood before was the ramp and was left out",
		log->im->in->path, (unsigned long long)log->im->in->line_no);
}

static int feed(struct log *log, const struct vs_fio_row *row, struct vs_error *err);

/* Ends the job's stretch; the grid keeps it. */
static int end_block(struct log *log, struct vs_error *err)
{
	struct vs_fio_logs *logs = log->im->logs;

	if (log->any_single && log->role == VS_FIO_ROLE_COUNT) {
		int64_t end_ns =
			log->last_ns > log->second_ns ? log->last_ns : log->second_ns + 1000000;
		if (flush_second(log, end_ns, err) != 0)
			return -1;
		vs_fio_logs_stream(logs, log->first_ns, end_ns);
	}
	for (size_t d = 0; d < 3; d++)
		if (log->side[d].any && log->role == VS_FIO_ROLE_COUNT)
			vs_fio_logs_stream(logs, log->side[d].first_ns, log->side[d].last_ns);
	log->n_blocks++;
	if (log->role == VS_FIO_ROLE_COUNT)
		logs->n_blocks++;
	log->had_windows = log->had_windows || log->mode == MODE_WINDOWS;
	log->mode = MODE_LOOKING;
	log->n_look = 0;
	log->any_single = false;
	log->at = 0;
	log->last_ns = 0;
	memset(log->side, 0, sizeof(log->side));
	return 0;
}

/* Decides by the rows held, then takes them. */
static int decide(struct log *log, struct vs_error *err)
{
	struct look held[VS_FIO_LOOK_ROWS]; /* a job may end among them, and others be looked at */
	struct vs_fio_row rows[VS_FIO_LOOK_ROWS];
	uint64_t line_no = log->im->in->line_no;

	if (log->n_look == 0)
		return 0;
	memcpy(held, log->look, sizeof(held));
	for (size_t i = 0; i < log->n_look; i++)
		rows[i] = held[i].row;
	log->direction = vs_fio_row_direction(rows, log->n_look);
	if (log->direction == 0)
		return vs_error_set(
			err, VS_EFORMAT, 0,
			"lines %llu to %llu have neither in the third nor in the fourth column a direction (0, 1, 2) as fio's logs have",
			(unsigned long long)held[0].line_no, (unsigned long long)line_no);
	if (choose_mode(log, err) != 0 || drop_ramp(log, err) != 0)
		return -1;
	for (size_t i = 0, n = log->n_look; i < n; i++) {
		log->im->in->line_no = held[i].line_no;
		if (feed(log, &rows[i], err) != 0)
			return -1;
	}
	log->im->in->line_no = line_no;
	return 0;
}

static int look_at(struct log *log, const struct vs_fio_row *row, struct vs_error *err)
{
	const struct vs_fio_row *last = log->n_look ? &log->look[log->n_look - 1].row : NULL;

	/* A job of few rows ends before there were enough to look at. */
	if (last && row->column[0] + BACK_MS < last->column[0]) {
		if (decide(log, err) != 0 || end_block(log, err) != 0)
			return -1;
	}
	log->look[log->n_look++] = (struct look){ .row = *row, .line_no = log->im->in->line_no };
	return log->n_look == VS_FIO_LOOK_ROWS ? decide(log, err) : 0;
}

static int take_row(struct log *log, const struct vs_fio_row *row, struct vs_error *err)
{
	enum vs_fio_verdict verdict = VS_FIO_ROW_OK;
	int64_t time_ns;
	int rc;

	if (row->n <= log->direction || row->column[log->direction] > 2) {
		vs_import_skip(log->im, "its columns are not those of the rows above");
		return 0;
	}
	if (!vs_fio_logs_time(log->im->logs, row->column[0], &time_ns)) {
		vs_import_skip(log->im, "a time that cannot be");
		return 0;
	}
	if (log->mode == MODE_SINGLE) {
		if (log->any_single && time_ns < log->last_ns - (int64_t)BACK_MS * 1000000)
			verdict = VS_FIO_ROW_BACK;
		else if (log->kind == VS_FIO_LOG_IOPS && log->named && row->column[1] != 1)
			vs_import_skip(log->im, "a row that is no single I/O among those that are");
		else if (take_single(log, row, time_ns, err) != 0)
			return -1;
	} else if (log->kind < VS_FIO_LOG_LAT &&
		   take_window(log, row, time_ns, &verdict, err) != 0) {
		return -1;
	}
	if (verdict != VS_FIO_ROW_BACK)
		return 0;
	rc = end_block(log, err);
	return rc == 0 ? look_at(log, row, err) : -1;
}

static int feed(struct log *log, const struct vs_fio_row *row, struct vs_error *err)
{
	return log->mode == MODE_LOOKING ? look_at(log, row, err) : take_row(log, row, err);
}

static int read_rows(struct log *log, struct vs_error *err)
{
	struct vs_fio_row row;
	size_t len;
	char *line;
	int rc;

	while ((rc = vs_reader_line(log->im->in, &line, &len, NULL, err)) == 1) {
		if (!vs_fio_row_read(line, &row)) {
			vs_import_skip(log->im, "no row of a fio log");
			continue;
		}
		/* Blocks of zeros that some versions append. */
		if (row.column[0] == 0 && row.column[1] == 0) {
			vs_import_skip(log->im, "a row of zeros");
			continue;
		}
		if (feed(log, &row, err) != 0)
			return -1;
	}
	if (rc != 0 || (log->mode == MODE_LOOKING && decide(log, err) != 0))
		return -1;
	return end_block(log, err);
}

static int note_file(const struct log *log, struct vs_error *err)
{
	struct vs_import *im = log->im;

	if (log->role == VS_FIO_ROLE_NONE ||
	    (log->role == VS_FIO_ROLE_LATENCY && log->had_windows)) {
		if (im->logs->n_unused++ == 0)
			im->logs->unused = im->in->path;
		return 0;
	}
	if (log->n_blocks > 1)
		return vs_import_note(
			im, "import-blocks", err,
			"%s: time goes back %zu times: the rows of %zu jobs one behind the other, added up",
			im->in->path, log->n_blocks - 1, log->n_blocks);
	return 0;
}

int vs_fio_log_read(struct vs_import *im, struct vs_error *err)
{
	struct log *log = calloc(1, sizeof(*log));
	int rc = 0;

	if (!log)
		return vs_error_nomem(err);
	im->tool = "fio";
	log->im = im;
	log->kind = vs_fio_log_kind_of(im->in->path, &log->named);
	if (log->kind == VS_FIO_LOG_HIST)
		log->kind = VS_FIO_LOG_IOPS;
	log->role = vs_fio_logs_role(im->logs, log->kind);
	if (log->role != VS_FIO_ROLE_NONE)
		rc = read_rows(log, err);
	if (rc == 0)
		rc = note_file(log, err);
	free(log);
	return rc;
}
