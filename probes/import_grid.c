#include "probes/import_grid.h"

#include <stdlib.h>

#define MEMORY_BYTES ((size_t)32 << 20) /* six days of seconds: 64 logs go over it in turn */

void vs_grid_init(struct vs_grid *grid)
{
	*grid = (struct vs_grid){ .target_ns = 1000000000 };
	vs_spool_init(&grid->cells, sizeof(struct vs_grid_cell), MEMORY_BYTES);
}

void vs_grid_release(struct vs_grid *grid)
{
	vs_spool_release(&grid->cells);
	grid->n = 0;
}

int vs_grid_cell(struct vs_grid *grid, size_t i, struct vs_grid_cell **cell_out,
		 struct vs_error *err)
{
	void *item;

	if (vs_spool_at(&grid->cells, i, &item, err) != 0)
		return -1;
	*cell_out = item;
	return 0;
}

/* Rows shorter than a cell share one: as many as bring it nearest to its size. */
static bool may_stretch(const struct vs_grid *grid, int64_t more_ns)
{
	int64_t now_off = llabs(grid->last_len_ns - grid->target_ns);
	int64_t then_ns = grid->last_len_ns + more_ns;

	return then_ns <= grid->target_ns / 50 * 51 || llabs(then_ns - grid->target_ns) < now_off;
}

static int extend(struct vs_grid *grid, int64_t end_ns, struct vs_error *err)
{
	struct vs_grid_cell *cell;

	while (grid->end_ns < end_ns) {
		int64_t more = end_ns - grid->end_ns;

		if (grid->n && may_stretch(grid, more)) {
			if (vs_grid_cell(grid, grid->n - 1, &cell, err) != 0)
				return -1;
			grid->last_len_ns += more;
		} else {
			if (more > grid->target_ns / 2 * 3)
				more = grid->target_ns;
			if (vs_grid_cell(grid, grid->n, &cell, err) != 0)
				return -1;
			cell->start_ns = grid->end_ns;
			grid->n++;
			grid->last_len_ns = more;
		}
		grid->end_ns += more;
		cell->end_ns = grid->end_ns;
	}
	return 0;
}

static int widen_to_start(struct vs_grid *grid, int64_t start_ns, struct vs_error *err)
{
	struct vs_grid_cell *cell;

	if (vs_grid_cell(grid, 0, &cell, err) != 0)
		return -1;
	grid->start_ns = cell->start_ns = start_ns;
	if (grid->n == 1)
		grid->last_len_ns = grid->end_ns - start_ns;
	return 0;
}

static void add(struct vs_grid_amount *into, const struct vs_grid_amount *amount, double part)
{
	into->ios += amount->ios * part;
	into->fixed += amount->fixed * part;
	into->bytes += amount->bytes * part;
	into->unsure += amount->unsure * part;
	into->zero_s += amount->zero_s * part;
}

int vs_grid_put(struct vs_grid *grid, size_t *at, int64_t start_ns, int64_t end_ns,
		const struct vs_grid_amount *amount, bool *kept_out, struct vs_error *err)
{
	double length = (double)(end_ns - start_ns);
	struct vs_grid_cell *cell;

	*kept_out = true;
	if (grid->n == 0)
		grid->start_ns = grid->end_ns = start_ns;
	if (extend(grid, end_ns, err) != 0)
		return -1;
	if (start_ns < grid->start_ns) {
		*kept_out = grid->start_ns - start_ns <= grid->target_ns;
		if (!*kept_out && end_ns <= grid->start_ns)
			return 0;
		if (*kept_out && widen_to_start(grid, start_ns, err) != 0)
			return -1;
	}
	if (vs_grid_cell(grid, *at, &cell, err) != 0)
		return -1;
	while (*at > 0 && cell->start_ns > start_ns)
		if (vs_grid_cell(grid, --*at, &cell, err) != 0)
			return -1;
	while (cell->end_ns <= start_ns)
		if (vs_grid_cell(grid, ++*at, &cell, err) != 0)
			return -1;
	for (;;) {
		int64_t from = start_ns > cell->start_ns ? start_ns : cell->start_ns;
		int64_t to = end_ns < cell->end_ns ? end_ns : cell->end_ns;

		add(&cell->amount, amount, (double)(to - from) / length);
		if (cell->end_ns >= end_ns)
			return 0;
		if (vs_grid_cell(grid, ++*at, &cell, err) != 0)
			return -1;
	}
}
