/* The providers: figures of their pages, overriding them, prices, and what a wrong file is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/catalogue.h"

#define NOT_PRICED ((double)NAN)
#define MIB        1.048576

static struct vs_catalogue *open_text(const char *text)
{
	struct vs_catalogue *catalogue = NULL;
	struct vs_error err = { 0 };

	if (vs_catalogue_parse(text, text ? strlen(text) : 0, "test", &catalogue, &err) != 0)
		fail_msg("%s", err.text);
	return catalogue;
}

static void near(double got, double want)
{
	if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-4 * fmax(1, fabs(want))))
		fail_msg("got %.10g, want %.10g", got, want);
}

static struct vs_ladder ladder_of(const struct vs_catalogue *catalogue,
				  const struct vs_ladder_query *query)
{
	struct vs_error err = { 0 };
	struct vs_ladder ladder;

	if (vs_catalogue_ladder(catalogue, query, &ladder, &err) != 0)
		fail_msg("%s", err.text);
	return ladder;
}

/* A "set" goes in as a rung of that name through an override, as a customer would do it. */
static void every_provider_gives_its_published_figures(void **state)
{
	(void)state;
	static const struct {
		const char *provider;
		double size_gb;
		int64_t volumes;
		const char *tier, *set; /* NULL: a tier of the built-in ladder */
		double iops, mbps, price;
	} cases[] = {
		{ "oci", 1000, 1, "10", NULL, 25000, 480, 42.5 },
		{ "oci", 1000, 1, "20", NULL, 50000, 600, 59.5 },
		{ "oci", 3072, 1, "30", NULL, 75000, 880, 235.008 },
		{ "aws-gp2", 100, 1, "baseline", NULL, 300, 128 * MIB, 10 },
		{ "aws-gp2", 100, 1, "burst", NULL, 3000, 128 * MIB, 10 },
		{ "aws-gp2", 8, 1, "baseline", NULL, 100, 128 * MIB, 0.8 },
		{ "aws-gp2", 750, 1, "baseline", NULL, 2250, 250 * MIB, 75 },
		{ "aws-gp2", 5334, 1, "baseline", NULL, 16000, 250 * MIB, 533.4 },
		{ "aws-gp3", 200, 1, "included", NULL, 3000, 125 * MIB, 16 },
		{ "aws-gp3", 200, 1, "mine", "{\"iops\": 12000, \"mibps\": 400}", 12000, 400 * MIB,
		  72 },
		{ "aws-gp3", 40, 1, "mine", "{\"iops\": 4000, \"mibps\": 130}", 4000, 130 * MIB,
		  8.4 },
		{ "aws-gp3", 160, 1, "maximum", NULL, 80000, 2000 * MIB, 472.8 },
		{ "aws-io2", 256, 1, "mine", "{\"iops\": 70000}", 70000, 4000 * MIB, 3759.1 },
		{ "azure-premium-ssd", 200, 1, "P15", NULL, 1100, 125, 38.01 },
		{ "azure-premium-ssd", 200, 1, "burst", NULL, 3500, 170, 38.01 },
		{ "azure-premium-ssd", 128, 1, "P30", NULL, 5000, 200, 135.17 },
		{ "azure-premium-ssd", 512, 1, "P20", NULL, 2300, 150, NOT_PRICED },
		{ "azure-premium-ssd-v2", 512, 1, "mine", "{\"iops\": 40000, \"mbps\": 200}", 40000,
		  200, 204.1518 },
		{ "azure-ultra", 2048, 1, "mine", "{\"iops\": 4000, \"mbps\": 20}", 4000, 20,
		  450.7386 },
		{ "gcp-pd-ssd", 2048, 1, "baseline", NULL, 67440, 1200 * MIB, 348.16 },
		{ "gcp-pd-ssd", 256, 8, "baseline", NULL, 67440, 1200 * MIB,
		  348.16 }, /* one pool */
		{ "gcp-pd-ssd", 256, 1, "baseline", NULL, 13680, 362.88 * MIB, 43.52 },
		{ "gcp-pd-balanced", 1200, 1, "baseline", NULL, 10200, 476 * MIB, 120 },
		{ "gcp-hyperdisk-balanced", 1000, 1, "included", NULL, 3000, 140 * MIB, 80 },
		{ "gcp-hyperdisk-extreme", 128, 1, "mine", "{\"iops\": 20000}", 20000, 5000 * MIB,
		  656 },
		{ "alibaba-essd", 500, 1, "PL1", NULL, 26800, 350, NOT_PRICED },
		{ "alibaba-essd-autopl", 1000, 1, "mine", "{\"provisioned\": 20000}", 70000, 662.5,
		  NOT_PRICED },
		{ "alibaba-essd-autopl", 100, 1, "baseline", NULL, 6800, 170, NOT_PRICED },
		{ "alibaba-essd-autopl", 100, 1, "burst", NULL, 100000, (double)NAN, NOT_PRICED },
		{ "tencent-essd", 460, 1, "baseline", NULL, 24800, 350, NOT_PRICED },
		{ "tencent-essd", 964, 1, "baseline", NULL, 50000, 350, NOT_PRICED },
		{ "huawei-evs", 100, 1, "ultra-high", NULL, 6800, 170 * MIB, NOT_PRICED },
		{ "ibm-vpc", 5000, 1, "3iops", NULL, 15000, 240, NOT_PRICED },
		{ "sakura-ssd-ishikari", 1024, 1, "read", NULL, 10000, 200, NOT_PRICED },
		{ "digitalocean-volume", 100, 1, "standard", NULL, 5000, 200, NOT_PRICED },
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct vs_ladder_query query = { .provider = cases[c].provider,
						 .size_gb = cases[c].size_gb,
						 .volumes = cases[c].volumes };
		char text[256];
		struct vs_catalogue *catalogue;
		struct vs_ladder ladder;
		int i;

		print_message("%s, %g GB, %s\n", cases[c].provider, cases[c].size_gb,
			      cases[c].tier);
		(void)snprintf(text, sizeof(text),
			       "{\"schema\": \"volcat/1\", \"products\": {\"%s\": {\"rungs\": "
			       "[{\"name\": \"%s\", \"set\": %s}]}}}",
			       cases[c].provider, cases[c].tier,
			       cases[c].set ? cases[c].set : "{}");
		catalogue = open_text(cases[c].set ? text : NULL);
		ladder = ladder_of(catalogue, &query);
		i = vs_ladder_find(&ladder, cases[c].tier);
		assert_true(i >= 0);
		near(ladder.tiers[i].iops, cases[c].iops);
		near(ladder.tiers[i].mbps, cases[c].mbps);
		near(ladder.tiers[i].price_month, cases[c].price);
		vs_catalogue_free(catalogue);
	}
}

static void a_ladder_is_sorted_and_holds_what_the_size_can_have(void **state)
{
	(void)state;
	static const struct {
		const char *provider;
		double size_gb;
		const char *names;
	} cases[] = {
		{ "azure-premium-ssd", 200, "P15 P20 burst P30 P40 P50" },
		{ "azure-premium-ssd", 1000, "P30 P40 P50 burst-on-demand" },
		{ "azure-premium-ssd", 8000, "P60 P70 P80 burst-on-demand" },
		{ "alibaba-essd", 500, "PL0 PL1 PL2" },
		{ "aws-gp2", 1000, "baseline" },
	};
	struct vs_catalogue *catalogue = open_text(NULL);

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct vs_ladder_query query = { .provider = cases[c].provider,
						 .size_gb = cases[c].size_gb };
		struct vs_ladder ladder = ladder_of(catalogue, &query);
		char names[256] = "";
		size_t len = 0;

		print_message("%s, %g GB\n", cases[c].provider, cases[c].size_gb);
		for (size_t i = 0; i < ladder.n_tiers; i++)
			len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s",
						i ? " " : "", ladder.tiers[i].name);
		assert_string_equal(names, cases[c].names);
	}
	vs_catalogue_free(catalogue);
}

static void tiers_that_promise_the_same_are_a_set(void **state)
{
	(void)state;
	struct vs_catalogue *catalogue = open_text(NULL);
	struct vs_ladder_query query = { .provider = "azure-premium-ssd", .size_gb = 4 };
	struct vs_ladder ladder = ladder_of(catalogue, &query);

	assert_true(vs_ladder_fit(&ladder, 120, 4096) == 0xf); /* P1 to P4 */
	assert_true(vs_ladder_fit(&ladder, 126, 4096) == 0xf); /* and 6 % above them, seen there */
	assert_true(vs_ladder_fit(&ladder, 115, 4096) == 0);
	vs_catalogue_free(catalogue);
}

static void prices_given_replace_the_list_and_a_missing_one_is_never_zero(void **state)
{
	(void)state;
	static const struct {
		const char *provider, *currency;
		double gb, vpu;
		const char *tier;
		double want;
		const char *want_currency;
	} cases[] = {
		/* the published comparison of 50 GB */
		{ "oci", "JPY", 3.06, 0.204, "0", 153, "JPY" },
		{ "oci", "JPY", 3.06, 0.204, "10", 255, "JPY" },
		{ "oci", "JPY", 3.06, 0.204, "20", 357, "JPY" },
		{ "oci", "", 0.03, (double)NAN, "10", 50 * 0.03 + 0.85, "USD" },
		{ "oci", "", (double)NAN, 0, "120", 1.275, "USD" },
		/* in another currency the list's own prices mean nothing */
		{ "oci", "JPY", 3.06, (double)NAN, "0", 153, "JPY" },
		{ "oci", "JPY", 3.06, (double)NAN, "10", NOT_PRICED, "JPY" },
		{ "oci", "JPY", (double)NAN, 0.204, "10", NOT_PRICED, "" },
		{ "oci", "JPY", (double)NAN, (double)NAN, "10", NOT_PRICED, "" },
		{ "tencent-essd", "", (double)NAN, (double)NAN, "baseline", NOT_PRICED, "" },
		{ "tencent-essd", "CNY", 1.2, (double)NAN, "baseline", 60, "CNY" },
	};
	struct vs_catalogue *catalogue = open_text(NULL);

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct vs_prices prices = { .per_gb_month = cases[c].gb,
					    .per_vpu_gb_month = cases[c].vpu };
		struct vs_ladder_query query = { .provider = cases[c].provider,
						 .size_gb = 50,
						 .prices = &prices };
		struct vs_ladder ladder;
		int i;

		print_message("%s %s gb %g vpu %g, tier %s\n", cases[c].provider, cases[c].currency,
			      cases[c].gb, cases[c].vpu, cases[c].tier);
		(void)snprintf(prices.currency, sizeof(prices.currency), "%s", cases[c].currency);
		ladder = ladder_of(catalogue, &query);
		i = vs_ladder_find(&ladder, cases[c].tier);
		assert_true(i >= 0);
		near(ladder.tiers[i].price_month, cases[c].want);
		assert_string_equal(ladder.currency, cases[c].want_currency);
	}
	vs_catalogue_free(catalogue);
}

static void a_file_adds_products_and_replaces_members_of_known_ones(void **state)
{
	(void)state;
	struct vs_catalogue *catalogue = open_text(
		"{\"schema\": \"volcat/1\", \"products\": {"
		"\"oci\": {\"price\": {\"currency\": \"EUR\", \"asof\": \"2027-01-01\", \"meters\": "
		"[{\"kind\": \"capacity\", \"qty\": {\"p\": \"size\"}, \"rate\": 0.02}]}},"
		"\"cellar\": {\"size\": {\"min\": 1, \"max\": 10}, \"limits\": {\"iops\": 700}, "
		"\"rungs\": [{\"name\": \"only\"}], \"tolerance_pct\": {\"low\": 10, \"high\": 1}}}}");
	struct vs_ladder_query query = { .provider = "oci", .size_gb = 100 };
	struct vs_ladder ladder = ladder_of(catalogue, &query);

	near(ladder.tiers[1].iops, 6000);
	near(ladder.tiers[1].price_month, 2);
	assert_string_equal(ladder.currency, "EUR");
	assert_string_equal(ladder.priced_at, "2027-01-01");
	query = (struct vs_ladder_query){ .provider = "cellar", .size_gb = 10, .volumes = 3 };
	ladder = ladder_of(catalogue, &query);
	assert_int_equal(ladder.n_tiers, 1);
	near(ladder.tiers[0].iops, 2100);
	near(ladder.tiers[0].mbps, (double)NAN);
	near(ladder.tiers[0].price_month, NOT_PRICED);
	near(ladder.tolerance_low_pct, 10);
	vs_catalogue_free(catalogue);
}

#define PRODUCT(members)                                        \
 "{\"schema\": \"volcat/1\", \"products\": {\"x\": {\"size\": " \
 "{\"min\": 1, \"max\": 10}, " members "}}}"
#define IOPS(expr) PRODUCT("\"rungs\": [{\"name\": \"a\"}], \"limits\": {\"iops\": " expr "}")

static void a_wrong_file_is_refused_with_the_place(void **state)
{
	(void)state;
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "", "catalogue test: line" },
		{ "[]", "not a catalogue" },
		{ "{\"schema\": \"volcat/2\", \"products\": {}}", "volcat/1" },
		{ "{\"schema\": \"volcat/1\"}", "\"products\"" },
		{ "{\"schema\": \"volcat/1\", \"products\": {\"x\": 1}}",
		  "product 'x' is no object" },
		{ "{\"schema\": \"volcat/1\", \"products\": {\"x\": {}}}", "product 'x': size" },
		{ PRODUCT("\"limits\": {\"iops\": 1}"), "no tier" },
		{ PRODUCT("\"rungs\": [{}]"), "needs a name" },
		{ PRODUCT("\"rungs\": [{\"name\": \"a\"}, {\"name\": \"a\"}]"), "name of its own" },
		{ PRODUCT("\"tier\": {\"param\": \"v\", \"values\": [\"a\"]}"),
		  "values are numbers" },
		{ IOPS("{\"p\": \"nothing\"}"), "limits: iops: there is no parameter 'nothing'" },
		{ IOPS("{\"root\": [1]}"), "there is no operator 'root'" },
		{ IOPS("{\"sub\": [1]}"), "two operands" },
		{ IOPS("{\"min\": []}"), "without operands" },
		{ IOPS("\"1000\""), "an expression is" },
		{ IOPS("-5"), "not a limit" },
		{ IOPS("{\"if\": [{\"eq\": [\"size\", \"a\"]}, 1, 2]}"), "compares" },
		{ IOPS("{\"table\": {\"by\": \"size\", \"rows\": [[1]]}}"), "row" },
		{ IOPS("{\"mul\": [{\"p\": \"tier\"}]}"), "not a number" },
		{ PRODUCT("\"rungs\": [{\"name\": \"a\", \"use\": \"max\"}], "
			  "\"params\": {\"iops\": {\"default\": 1}}"),
		  "iops has no \"max\"" },
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct vs_catalogue *catalogue = NULL;
		struct vs_error err = { 0 };

		print_message("%s\n", cases[c].text);
		assert_int_equal(vs_catalogue_parse(cases[c].text, strlen(cases[c].text), "test",
						    &catalogue, &err),
				 -1);
		print_message("  %s\n", err.text);
		assert_int_equal(err.code, VS_EFORMAT);
		assert_non_null(strstr(err.text, cases[c].says));
		assert_null(catalogue);
	}
}

static void nesting_without_end_is_refused(void **state)
{
	(void)state;
	struct vs_catalogue *catalogue = NULL;
	struct vs_error err = { 0 };
	char text[2048] =
		"{\"schema\": \"volcat/1\", \"products\": {\"x\": {\"size\": {\"min\": 1, "
		"\"max\": 2}, \"rungs\": [{\"name\": \"a\"}], \"limits\": {\"iops\": ";

	for (int i = 0; i < 50; i++)
		strcat(text, "{\"max\": [");
	strcat(text, "1");
	for (int i = 0; i < 50; i++)
		strcat(text, "]}");
	strcat(text, "}}}}");
	assert_int_equal(vs_catalogue_parse(text, strlen(text), "test", &catalogue, &err), -1);
	assert_non_null(strstr(err.text, "nested too deeply"));
}

static void an_unknown_provider_or_size_is_told_with_what_there_is(void **state)
{
	(void)state;
	static const struct {
		const char *provider;
		double size_gb;
		const char *says;
	} cases[] = {
		{ "ocl", 100, "unknown provider 'ocl'; known are oci, aws-gp2, aws-gp3" },
		{ "oci", 49, "oci has no volume of 49 GB; give a size from 50 to 32768" },
		{ "oci", 40000, "from 50 to 32768" },
		{ "oci", (double)NAN, "from 50 to 32768" },
	};
	struct vs_catalogue *catalogue = open_text(NULL);

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct vs_ladder_query query = { .provider = cases[c].provider,
						 .size_gb = cases[c].size_gb };
		struct vs_error err = { 0 };
		struct vs_ladder ladder;

		print_message("%s, %g GB\n", cases[c].provider, cases[c].size_gb);
		assert_int_equal(vs_catalogue_ladder(catalogue, &query, &ladder, &err), -1);
		print_message("  %s\n", err.text);
		assert_int_equal(err.code, VS_EUSAGE);
		assert_non_null(strstr(err.text, cases[c].says));
	}
	vs_catalogue_free(catalogue);
}

static void unit_prices_come_with_date_and_source(void **state)
{
	(void)state;
	struct vs_catalogue *catalogue = open_text(NULL);
	struct vs_error err = { 0 };
	struct vs_prices prices;

	assert_int_equal(vs_catalogue_prices(catalogue, "oci", &prices, &err), 0);
	near(prices.per_gb_month, 0.0255);
	near(prices.per_vpu_gb_month, 0.0017);
	assert_string_equal(prices.currency, "USD");
	assert_string_equal(prices.date, "2026-07-16");
	assert_non_null(strstr(prices.source, "oracle.com"));
	assert_int_equal(vs_catalogue_prices(catalogue, "tencent-essd", &prices, &err), 0);
	near(prices.per_gb_month, NOT_PRICED);
	vs_catalogue_free(catalogue);
}

/* Counts the numbers under node that no "src" on the way to them explains. */
static size_t unsourced(json_t *node, json_t *sources, int sourced)
{
	const char *src = json_string_value(json_object_get(node, "src"));
	size_t count = 0, i;
	const char *key;
	json_t *child;

	if (src) {
		const json_t *source = json_object_get(sources, src);
		if (strlen(json_string_value(json_object_get(source, "date"))) != 10 ||
		    !*json_string_value(json_object_get(source, "grade")))
			return 1;
		sourced = 1;
	}
	if (json_is_number(node))
		return sourced ? 0 : 1;
	json_object_foreach(node, key, child) count += unsourced(child, sources, sourced);
	json_array_foreach(node, i, child) count += unsourced(child, sources, sourced);
	return count;
}

static void every_number_has_a_source_with_date_and_grade(void **state)
{
	(void)state;
	json_error_t json_err;
	json_t *root = json_load_file(VS_CATALOGUE_FILE, 0, &json_err);
	json_t *sources = json_object_get(root, "sources"), *product;
	const char *id;

	assert_non_null(root);
	json_object_foreach(json_object_get(root, "products"), id, product)
	{
		const char *parts[] = { "size",          "tier", "params", "limits",
					"tolerance_pct", "fall", "price" };
		json_t *limits = json_object_get(product, "limits");
		json_t *price = json_object_get(product, "price"), *rung;
		size_t i;

		print_message("%s\n", id);
		for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++)
			assert_int_equal(unsourced(json_object_get(product, parts[p]), sources, 0),
					 0);
		/* a rung's own limits and sizes have the source of the product's, its price the
		 * price's */
		json_array_foreach(json_object_get(product, "rungs"), i, rung)
		{
			assert_int_equal(
				unsourced(rung, sources, json_object_get(limits, "src") != NULL),
				0);
			if (json_is_number(json_object_get(rung, "price_month")))
				assert_non_null(json_object_get(price, "src"));
		}
		assert_non_null(json_string_value(json_object_get(product, "name")));
	}
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_provider_gives_its_published_figures),
		cmocka_unit_test(a_ladder_is_sorted_and_holds_what_the_size_can_have),
		cmocka_unit_test(tiers_that_promise_the_same_are_a_set),
		cmocka_unit_test(prices_given_replace_the_list_and_a_missing_one_is_never_zero),
		cmocka_unit_test(a_file_adds_products_and_replaces_members_of_known_ones),
		cmocka_unit_test(a_wrong_file_is_refused_with_the_place),
		cmocka_unit_test(nesting_without_end_is_refused),
		cmocka_unit_test(an_unknown_provider_or_size_is_told_with_what_there_is),
		cmocka_unit_test(unit_prices_come_with_date_and_source),
		cmocka_unit_test(every_number_has_a_source_with_date_and_grade),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
