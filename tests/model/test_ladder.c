/* A ladder's arithmetic, on OCI's: the figures of the provider's tables, in and out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "model/catalogue.h"

static struct vs_catalogue *catalogue;

static struct vs_ladder oci(double size_gb, int64_t volumes)
{
	struct vs_ladder_query query = { .provider = "oci",
					 .size_gb = size_gb,
					 .volumes = volumes };
	struct vs_error err = { 0 };
	struct vs_ladder ladder;

	if (vs_catalogue_ladder(catalogue, &query, &ladder, &err) != 0)
		fail_msg("%s", err.text);
	return ladder;
}

static void near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-6 * fmax(1, fabs(want))))
		fail_msg("got %.10g, want %.10g", got, want);
}

static void the_ladder_of_a_size_is_the_providers_table(void **state)
{
	(void)state;
	static const struct {
		double size_gb;
		double iops[13]; /* VPU 0, 10, ... 120 */
	} cases[] = {
		{ 1024,
		  { 2048, 25000, 50000, 75000, 100000, 122880, 138240, 153600, 168960, 184320,
		    199680, 215040, 230400 } },
		{ 50,
		  { 100, 3000, 3750, 4500, 5250, 6000, 6750, 7500, 8250, 9000, 9750, 10500,
		    11250 } },
		{ 500,
		  { 1000, 25000, 37500, 45000, 52500, 60000, 67500, 75000, 82500, 90000, 97500,
		    105000, 112500 } },
		{ 2000,
		  { 3000, 25000, 50000, 75000, 100000, 125000, 150000, 175000, 200000, 225000,
		    250000, 275000, 300000 } },
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct vs_ladder ladder = oci(cases[c].size_gb, 1);

		print_message("%g GB\n", cases[c].size_gb);
		assert_int_equal(ladder.n_tiers, 13);
		for (size_t i = 0; i < 13; i++) {
			char name[8];
			(void)snprintf(name, sizeof(name), "%zu", 10 * i);
			assert_string_equal(ladder.tiers[i].name, name);
			near(ladder.tiers[i].vpu, 10.0 * (double)i);
			near(ladder.tiers[i].iops, cases[c].iops[i]);
		}
	}
}

static void throughput_and_price_follow_size_and_vpu(void **state)
{
	(void)state;
	static const struct {
		double size_gb;
		const char *tier;
		double mbps, price;
	} cases[] = {
		{ 1024, "0", 245.76, 26.112 },    { 1024, "10", 480, 43.52 },
		{ 1024, "120", 1843.2, 235.008 }, { 1000, "10", 480, 42.5 },
		{ 1000, "20", 600, 59.5 },        { 1000, "30", 720, 76.5 },
		{ 3072, "20", 680, 182.784 },     { 3072, "30", 880, 235.008 },
		{ 50, "0", 12, 1.275 },           { 2000, "0", 480, 51 },
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct vs_ladder ladder = oci(cases[c].size_gb, 0);
		int i = vs_ladder_find(&ladder, cases[c].tier);

		print_message("%g GB, VPU %s\n", cases[c].size_gb, cases[c].tier);
		assert_true(i >= 0);
		near(ladder.tiers[i].mbps, cases[c].mbps);
		near(ladder.tiers[i].price_month, cases[c].price);
		assert_string_equal(ladder.currency, "USD");
		assert_string_equal(ladder.priced_at, "2026-07-16");
	}
}

static void ten_volumes_promise_and_cost_ten_times_as_much(void **state)
{
	(void)state;
	struct vs_ladder ladder = oci(3072, 10);
	int vpu20 = vs_ladder_find(&ladder, "20"), vpu30 = vs_ladder_find(&ladder, "30");

	assert_int_equal(ladder.volumes, 10);
	near(ladder.tiers[vpu20].iops, 500000);
	near(ladder.tiers[vpu30].iops, 750000);
	near(ladder.tiers[vpu30].price_month - ladder.tiers[vpu20].price_month, 522.24);
	near(vs_ladder_vpu(&ladder, 750000, 4096), 30);
	assert_int_equal(vs_ladder_fit(&ladder, 360000, 4096), 0);
}

static void the_ceiling_at_a_block_size_is_the_lower_of_the_two_limits(void **state)
{
	(void)state;
	struct vs_ladder ladder = oci(1024, 1);
	const struct vs_tier *vpu10 = &ladder.tiers[1];
	struct vs_tier only_mbps = { .iops = (double)NAN, .mbps = 100 };
	struct vs_tier only_iops = { .iops = 500, .mbps = (double)NAN };

	near(vs_tier_ceiling_iops(vpu10, 0), 25000);
	near(vs_tier_ceiling_iops(vpu10, 4096), 25000);
	near(vs_tier_ceiling_iops(vpu10, 1 << 20), 480e6 / 1048576);
	near(vs_tier_ceiling_iops(&only_mbps, 10000), 10000);
	near(vs_tier_ceiling_iops(&only_iops, 1 << 20), 500);
}

static void a_level_fits_the_tier_within_three_percent_and_no_other(void **state)
{
	(void)state;
	static const struct {
		double size_gb, iops;
		int64_t block_bytes;
		uint64_t set;
	} cases[] = {
		{ 1024, 25000, 4096, 1U << 1 },
		{ 1024, 25750, 4096, 1U << 1 },
		{ 1024, 25760, 4096, 0 },
		{ 1024, 24250, 4096, 1U << 1 },
		{ 1024, 24240, 4096, 0 },
		{ 1024, 235320, 4096,
		  1U << 12 }, /* the vendor's own table, 2.1 % over its formula */
		{ 1024, 360000, 4096, 0 },
		{ 1024, 0, 4096, 0 },
		{ 1024, (double)NAN, 4096, 0 },
		{ 50, 3034, 4096, 1U << 1 }, /* published runs of 2019 */
		{ 50, 3798, 4096, 1U << 2 },
		{ 50, 101, 4096, 1U << 0 },
		{ 2000, 480e6 / 1048576, 1 << 20, 3U << 0 }, /* 480 MB/s is VPU 0's and VPU 10's */
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct vs_ladder ladder = oci(cases[c].size_gb, 1);

		print_message("%g GB, %g IOPS of %lld\n", cases[c].size_gb, cases[c].iops,
			      (long long)cases[c].block_bytes);
		assert_true(vs_ladder_fit(&ladder, cases[c].iops, cases[c].block_bytes) ==
			    cases[c].set);
	}
}

/* The formula is inverted on whichever branch binds: every tier of every size gives itself back. */
static void the_vpu_of_a_ceiling_is_its_own(void **state)
{
	(void)state;
	static const double sizes[] = {
		50, 417, 500, 667, 833, 952, 1024, 1042, 1333, 2000, 32768
	};
	static const int64_t blocks[] = { 0, 4096, 8192, 16384, 65536, 1048576 };

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		struct vs_ladder ladder = oci(sizes[s], 1);
		for (size_t b = 0; b < sizeof(blocks) / sizeof(blocks[0]); b++) {
			for (size_t i = 1; i < ladder.n_tiers; i++) {
				double iops = vs_tier_ceiling_iops(&ladder.tiers[i], blocks[b]);
				double vpu = vs_ladder_vpu(&ladder, iops, blocks[b]);
				if (!(fabs(vpu - ladder.tiers[i].vpu) < 1e-6))
					fail_msg("%g GB, block %lld, %g IOPS: VPU %g, not %g",
						 sizes[s], (long long)blocks[b], iops, vpu,
						 ladder.tiers[i].vpu);
			}
		}
	}
}

static void a_vpu_is_only_named_where_the_formula_holds(void **state)
{
	(void)state;
	struct vs_ladder ladder = oci(1024, 1);
	struct vs_ladder other = ladder;

	near(vs_ladder_vpu(&ladder, 2048, 4096), 0);
	near(vs_ladder_vpu(&ladder, 37500, 4096), 15);
	near(vs_ladder_vpu(&ladder, 24990, 4096), 9.996);
	assert_true(isnan(vs_ladder_vpu(&ladder, 10000, 4096)));
	assert_true(isnan(vs_ladder_vpu(&ladder, 0, 4096)));
	(void)snprintf(other.provider, sizeof(other.provider), "aws-gp3");
	assert_true(isnan(vs_ladder_vpu(&other, 25000, 4096)));
}

static int open_catalogue(void **state)
{
	(void)state;
	return vs_catalogue_open(NULL, &catalogue, NULL);
}

static int close_catalogue(void **state)
{
	(void)state;
	vs_catalogue_free(catalogue);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ladder_of_a_size_is_the_providers_table),
		cmocka_unit_test(throughput_and_price_follow_size_and_vpu),
		cmocka_unit_test(ten_volumes_promise_and_cost_ten_times_as_much),
		cmocka_unit_test(the_ceiling_at_a_block_size_is_the_lower_of_the_two_limits),
		cmocka_unit_test(a_level_fits_the_tier_within_three_percent_and_no_other),
		cmocka_unit_test(the_vpu_of_a_ceiling_is_its_own),
		cmocka_unit_test(a_vpu_is_only_named_where_the_formula_holds),
	};

	return cmocka_run_group_tests(tests, open_catalogue, close_catalogue);
}
