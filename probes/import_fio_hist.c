/* fio's histogram logs: "time, direction, block size, count, count ..." a row a window. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probes/import_context.h"
#include "probes/import_fio_logs.h"

#define LOOK_ROWS 16

/* A table of fio's: how many values, and what one unit of them is in ns. */
static const struct table {
	size_t values;
	double unit_ns;
} tables[] = { { 1856, 1 }, { 1216, 1000 } };

struct hist {
	struct vs_import *im;
	enum vs_fio_log_role role;
	const struct table *table;
	unsigned int coarse; /* a column stands for 2^coarse values of the table */
	size_t columns;
	struct vs_fio_steps steps;
	bool has_steps;
	int64_t look[LOOK_ROWS]; /* times of the first direction's first rows */
	struct vs_fio_window side[3];
	size_t n_blocks;
};

/* The middle of a bucket, in the table's unit. */
static double value_of(double index)
{
	double e, base;

	if (index < 128)
		return index;
	e = floor(index / 64) - 1;
	base = ldexp(1, (int)e + 6);
	return base + (index - floor(index / 64) * 64 + 0.5) * ldexp(1, (int)e);
}

static uint64_t column_ns(const struct hist *h, size_t column)
{
	double middle = ((double)column + 0.5) * (double)(1U << h->coarse) - 0.5;

	return (uint64_t)llround(value_of(h->coarse ? middle : (double)column) * h->table->unit_ns);
}

static bool choose_table(struct hist *h, size_t columns)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (unsigned int coarse = 0; coarse <= 6; coarse++)
			if (columns == tables[i].values >> coarse) {
				h->table = &tables[i];
				h->coarse = coarse;
				h->columns = columns;
				return true;
			}
	return false;
}

static bool next_number(const char **text, uint64_t *out)
{
	char *end;

	*text += strspn(*text, " ,");
	if (**text < '0' || **text > '9')
		return false;
	*out = strtoull(*text, &end, 10);
	*text = end;
	return *out < UINT64_C(1) << 50;
}

/* The count of I/Os in a row's columns; negative when it is no row. */
static double sum_of(const char *counts, size_t *columns_out)
{
	uint64_t count;
	double sum = 0;

	for (*columns_out = 0; next_number(&counts, &count); ++*columns_out)
		sum += (double)count;
	return counts[strspn(counts, " ,\t")] == '\0' ? sum : -1;
}

static int add_counts(struct hist *h, const char *counts, size_t cell, struct vs_error *err)
{
	uint64_t count;

	for (size_t i = 0; next_number(&counts, &count); i++)
		if (count &&
		    vs_fio_logs_add_latency(h->im->logs, cell, column_ns(h, i), count, err) != 0)
			return -1;
	return 0;
}

static void end_block(struct hist *h)
{
	for (size_t d = 0; d < 3; d++)
		if (h->side[d].any && h->role == VS_FIO_ROLE_COUNT)
			vs_fio_logs_stream(h->im->logs, h->side[d].first_ns, h->side[d].last_ns);
	memset(h->side, 0, sizeof(h->side));
	h->n_blocks++;
	if (h->role == VS_FIO_ROLE_COUNT)
		h->im->logs->n_blocks++;
}

/* The cell that the middle of the window lies in, from the stream's last one on. */
static int find_cell(struct vs_grid *grid, size_t *at, int64_t time_ns, struct vs_error *err)
{
	struct vs_grid_cell *cell;

	if (vs_grid_cell(grid, *at, &cell, err) != 0)
		return -1;
	while (*at > 0 && cell->start_ns > time_ns)
		if (vs_grid_cell(grid, --*at, &cell, err) != 0)
			return -1;
	while (*at + 1 < grid->n && cell->end_ns <= time_ns)
		if (vs_grid_cell(grid, ++*at, &cell, err) != 0)
			return -1;
	return 0;
}

static int take_row(struct hist *h, const char *counts, uint64_t direction, int64_t time_ns,
		    double sum, struct vs_error *err)
{
	struct vs_fio_logs *logs = h->im->logs;
	struct vs_fio_window *side = &h->side[direction];
	struct vs_grid_amount amount = { .ios = sum, .fixed = sum };
	enum vs_fio_verdict verdict;
	struct vs_fio_span span;
	size_t cell;

	if (h->role != VS_FIO_ROLE_COUNT && time_ns > logs->grid.end_ns)
		return 0;
	if (vs_fio_window_next(h->im, side, time_ns, &h->steps, h->role == VS_FIO_ROLE_COUNT, &span,
			       &verdict, err) != 0)
		return -1;
	if (verdict == VS_FIO_ROW_BACK) {
		end_block(h);
		if (vs_fio_window_next(h->im, side, time_ns, &h->steps,
				       h->role == VS_FIO_ROLE_COUNT, &span, &verdict, err) != 0)
			return -1;
	}
	if (verdict != VS_FIO_ROW_OK)
		return 0;
	if (h->role == VS_FIO_ROLE_COUNT) {
		logs->sum_ios += sum;
		if (vs_fio_logs_put(h->im, &side->at, span.start_ns, span.end_ns, &amount, err) !=
		    0)
			return -1;
	}
	cell = side->at;
	if (find_cell(&logs->grid, &cell, span.start_ns + (span.end_ns - span.start_ns) / 2, err) !=
	    0)
		return -1;
	side->at = cell;
	return add_counts(h, counts, cell, err);
}

static int read_line(struct hist *h, const char *line, struct vs_error *err)
{
	uint64_t time_ms, direction, block;
	const char *p = line;
	int64_t time_ns;
	size_t columns;
	double sum;

	if (!next_number(&p, &time_ms) || !next_number(&p, &direction) || direction > 2 ||
	    !next_number(&p, &block) || (sum = sum_of(p, &columns)) < 0 ||
	    (h->table ? columns != h->columns : !choose_table(h, columns))) {
		vs_import_skip(h->im, "no row of a fio histogram log");
		return 0;
	}
	if (!vs_fio_logs_time(h->im->logs, time_ms, &time_ns)) {
		vs_import_skip(h->im, "a time that cannot be");
		return 0;
	}
	return take_row(h, p, direction, time_ns, sum, err);
}

/* How far rows stand apart, from those that the beginning of the file shows whole. */
static int look(struct hist *h, struct vs_error *err)
{
	uint64_t time_ms, direction, first = 3, base_ms = 0;
	const char *head, *p, *stop;
	size_t len, n = 0;

	if (vs_reader_peek(h->im->in, &head, &len, err) != 0)
		return -1;
	for (; n < LOOK_ROWS && (stop = strchr(head, '\n')) != NULL; head = stop + 1) {
		p = head;
		if (!next_number(&p, &time_ms) || !next_number(&p, &direction) || direction > 2)
			continue;
		if (first > 2)
			first = direction;
		if (direction == first)
			vs_fio_steps_add(h->look, &n, &base_ms, time_ms);
	}
	h->steps = vs_fio_steps_of(h->look, n, 0);
	if (h->role == VS_FIO_ROLE_COUNT && h->im->logs->grid.n == 0 &&
	    h->steps.step_ns > 750000000)
		h->im->logs->grid.target_ns = h->steps.nominal_ns;
	return 0;
}

int vs_fio_hist_read(struct vs_import *im, struct vs_error *err)
{
	struct hist *h = calloc(1, sizeof(*h));
	size_t len;
	char *line;
	int rc;

	if (!h)
		return vs_error_nomem(err);
	im->tool = "fio";
	h->im = im;
	h->role = vs_fio_logs_role(im->logs, VS_FIO_LOG_HIST);
	rc = look(h, err) == 0 ? 1 : -1;
	while (rc == 1 && (rc = vs_reader_line(im->in, &line, &len, NULL, err)) == 1)
		if (read_line(h, line, err) != 0)
			rc = -1;
	if (rc == 0)
		end_block(h);
	free(h);
	return rc;
}
