/* The time grid on which rows of several logs are added up, each by its overlap with a cell. */
#ifndef VS_PROBES_IMPORT_GRID_H
#define VS_PROBES_IMPORT_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "probes/import_spool.h"

/* What was done in one interval. */
struct vs_grid_amount {
	double ios;   /* as the log says */
	double fixed; /* the same with the sampler's lateness taken out */
	double bytes;
	double unsure; /* I/Os by which ios may be off: the log's values are whole numbers */
	double zero_s; /* seconds without a row, summed over the logs */
};

struct vs_grid_cell {
	int64_t start_ns, end_ns;
	struct vs_grid_amount amount;
};

/*
 * Its borders are the ends of the first log's rows where those are about target_ns long, or as many
 * shorter rows as make target_ns; whatever goes on behind appends cells of target_ns.
 */
struct vs_grid {
	struct vs_spool cells;
	size_t n;
	int64_t target_ns;
	int64_t start_ns, end_ns; /* of all cells; valid when n > 0 */
	int64_t last_len_ns;      /* of the last cell */
};

void vs_grid_init(struct vs_grid *grid);
void vs_grid_release(struct vs_grid *grid);
/*
 * Spreads amount over [start_ns, end_ns), start_ns < end_ns. *at: where the same log's last row
 * ended, 0 at its beginning. What lies more than target_ns before the grid's start is lost: false
 * in *kept_out.
 */
int vs_grid_put(struct vs_grid *grid, size_t *at, int64_t start_ns, int64_t end_ns,
		const struct vs_grid_amount *amount, bool *kept_out,
		struct vs_error *err) VS_MUST_CHECK;
/* Cell i < grid->n; valid until the next call but one. */
int vs_grid_cell(struct vs_grid *grid, size_t i, struct vs_grid_cell **cell_out,
		 struct vs_error *err) VS_MUST_CHECK;

#endif
