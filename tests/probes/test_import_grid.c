/* The time grid of several logs, and the array behind it that may outgrow its memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probes/import_grid.h"

#define MS ((int64_t)1000000)

static void a_spool_keeps_what_left_memory(void **state)
{
	(void)state;
	struct vs_error err = { .code = VS_OK };
	struct vs_spool spool;
	void *item;

	/* Three pages of 1000 items in memory, a hundred pages in all, in an order that jumps. */
	vs_spool_init(&spool, 64, 1);
	for (uint64_t i = 0; i < 100000; i++) {
		uint64_t at = i * 7919 % 100000;
		assert_int_equal(vs_spool_at(&spool, at, &item, &err), 0);
		assert_int_equal(*(uint64_t *)item, 0);
		*(uint64_t *)item = at + 1;
	}
	for (uint64_t i = 0; i < 100000; i++) {
		assert_int_equal(vs_spool_at(&spool, i, &item, &err), 0);
		assert_int_equal(*(uint64_t *)item, i + 1);
	}
	assert_int_equal(spool.n_resident, 3);
	assert_true(spool.n_pages > 90);
	vs_spool_release(&spool);
}

static void a_spool_gone_over_again_has_its_beginning_in_memory(void **state)
{
	(void)state;
	struct vs_error err = { .code = VS_OK };
	struct vs_spool spool;
	void *item;

	vs_spool_init(&spool, 64, 640 * 1024); /* ten pages */
	for (size_t i = 0; i < 100000; i++)
		assert_int_equal(vs_spool_at(&spool, i, &item, &err), 0);
	for (size_t page = 0; page < 8; page++)
		assert_non_null(spool.pages[page].bytes);
	vs_spool_release(&spool);
}

static void a_spool_without_room_says_where_it_looked(void **state)
{
	(void)state;
	struct vs_error err = { .code = VS_OK };
	struct vs_spool spool;
	void *item;
	int rc = 0;

	assert_int_equal(setenv("TMPDIR", "/no/such/folder", 1), 0);
	vs_spool_init(&spool, 64, 1);
	for (size_t i = 0; rc == 0 && i < 100000; i += 1000)
		rc = vs_spool_at(&spool, i, &item, &err);
	assert_int_equal(rc, -1);
	assert_non_null(strstr(err.text, "/no/such/folder"));
	vs_spool_release(&spool);
	assert_int_equal(unsetenv("TMPDIR"), 0);
}

/* Puts rows of 100 I/Os a second that end at each time; the first begins at start_ms. */
static void put_rows(struct vs_grid *grid, int64_t start_ms, const int64_t *ends_ms, size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		struct vs_error err = { .code = VS_OK };
		double seconds = (double)(ends_ms[i] - start_ms) / 1000;
		struct vs_grid_amount amount = { .ios = 100 * seconds, .fixed = 200 * seconds };
		bool kept;

		assert_int_equal(vs_grid_put(grid, &at, start_ms * MS, ends_ms[i] * MS, &amount,
					     &kept, &err),
				 0);
		assert_true(kept);
		start_ms = ends_ms[i];
	}
}

static void assert_cell(struct vs_grid *grid, size_t i, int64_t start_ms, int64_t end_ms,
			double ios)
{
	struct vs_error err = { .code = VS_OK };
	struct vs_grid_cell *cell;

	assert_true(i < grid->n);
	assert_int_equal(vs_grid_cell(grid, i, &cell, &err), 0);
	assert_int_equal(cell->start_ns, start_ms * MS);
	assert_int_equal(cell->end_ns, end_ms * MS);
	assert_true(fabs(cell->amount.ios - ios) < 1e-6);
	assert_true(fabs(cell->amount.fixed - 2 * ios) < 1e-6);
}

static void rows_of_a_second_are_the_cells(void **state)
{
	(void)state;
	struct vs_grid grid;

	vs_grid_init(&grid);
	put_rows(&grid, 0, (const int64_t[]){ 1001, 2003, 3003 }, 3);
	assert_int_equal(grid.n, 3);
	assert_cell(&grid, 0, 0, 1001, 100.1);
	assert_cell(&grid, 2, 2003, 3003, 100);
	vs_grid_release(&grid);
}

static void short_rows_share_a_cell(void **state)
{
	(void)state;
	struct vs_grid grid;

	vs_grid_init(&grid);
	put_rows(&grid, 0, (const int64_t[]){ 300, 600, 900, 1200, 1500, 1800, 2100 }, 7);
	assert_int_equal(grid.n, 3);
	assert_cell(&grid, 0, 0, 900, 90);
	assert_cell(&grid, 1, 900, 1800, 90);
	assert_cell(&grid, 2, 1800, 2100, 30);
	vs_grid_release(&grid);
}

static void a_second_log_is_spread_by_overlap(void **state)
{
	(void)state;
	struct vs_grid grid;

	vs_grid_init(&grid);
	put_rows(&grid, 0, (const int64_t[]){ 1000, 2000 }, 2);
	/* It begins before the first one, and goes on longer. */
	put_rows(&grid, -200, (const int64_t[]){ 500, 1500, 4000 }, 3);
	assert_int_equal(grid.n, 4);
	assert_cell(&grid, 0, -200, 1000, 100 + 120);
	assert_cell(&grid, 1, 1000, 2000, 100 + 100);
	assert_cell(&grid, 2, 2000, 3000, 100);
	assert_cell(&grid, 3, 3000, 4000, 100);
	vs_grid_release(&grid);
}

static void what_lies_far_before_the_start_is_kept_out(void **state)
{
	(void)state;
	struct vs_error err = { .code = VS_OK };
	struct vs_grid_amount amount = { .ios = 1 };
	struct vs_grid grid;
	size_t at = 0;
	bool kept;

	vs_grid_init(&grid);
	put_rows(&grid, 10000, (const int64_t[]){ 11000, 12000 }, 2);
	assert_int_equal(vs_grid_put(&grid, &at, 5000 * MS, 6000 * MS, &amount, &kept, &err), 0);
	assert_false(kept);
	assert_int_equal(grid.n, 2);
	assert_cell(&grid, 0, 10000, 11000, 100);
	vs_grid_release(&grid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_spool_keeps_what_left_memory),
		cmocka_unit_test(a_spool_gone_over_again_has_its_beginning_in_memory),
		cmocka_unit_test(a_spool_without_room_says_where_it_looked),
		cmocka_unit_test(rows_of_a_second_are_the_cells),
		cmocka_unit_test(short_rows_share_a_cell),
		cmocka_unit_test(a_second_log_is_spread_by_overlap),
		cmocka_unit_test(what_lies_far_before_the_start_is_kept_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
