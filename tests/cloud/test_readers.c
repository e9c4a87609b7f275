/* The readers of answers, the judgement over them, limits, retries and prices: no server. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/sample.h"
#include "cloud/describe.h"
#include "cloud/federation.h"
#include "cloud/metric.h"
#include "cloud/price.h"
#include "cloud/region.h"
#include "cloud/retry.h"

static void check_number(double got, double want)
{
	if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-9 * fabs(want) + 1e-12))
		fail_msg("%.17g is not %.17g", got, want);
}

static void volumes_are_read_tolerantly(void **state)
{
	static const struct {
		const char *name, *text;
		double size, vpu, tuned, max; /* size NAN and max 0: see below */
		const char *policies;         /* NULL: an error */
		int hydrated;
	} cases[] = {
		{ "all there",
		  "{\"id\":\"v\",\"sizeInGBs\":1024,\"vpusPerGB\":10,\"autoTunedVpusPerGB\":30,"
		  "\"isHydrated\":false,\"autotunePolicies\":[{\"autotuneType\":"
		  "\"PERFORMANCE_BASED\",\"maxVpusPerGB\":120}]}",
		  1024, 10, 30, 120, "PERFORMANCE_BASED:120", 0 },
		{ "size in MB only", "{\"id\":\"v\",\"sizeInMBs\":51200,\"vpusPerGB\":0}", 50, 0,
		  (double)NAN, (double)NAN, "", -1 },
		{ "nulls and unknown fields",
		  "{\"id\":\"v\",\"sizeInGBs\":null,\"vpusPerGB\":null,\"autotunePolicies\":null,"
		  "\"isHydrated\":null,\"new\":{\"x\":[1]}}",
		  (double)NAN, (double)NAN, (double)NAN, (double)NAN, "", -1 },
		{ "unknown policy",
		  "{\"id\":\"v\",\"autotunePolicies\":[{\"autotuneType\":\"LUNAR\"},{},7,"
		  "{\"autotuneType\":\"DETACHED_VOLUME\"}]}",
		  (double)NAN, (double)NAN, (double)NAN, (double)NAN, "LUNAR ? ? DETACHED_VOLUME",
		  -1 },
		{ "wrong types", "{\"id\":\"v\",\"sizeInGBs\":\"big\",\"vpusPerGB\":[10]}",
		  (double)NAN, (double)NAN, (double)NAN, (double)NAN, "", -1 },
		{ "size of nothing", "{\"id\":\"v\",\"sizeInGBs\":0}", (double)NAN, (double)NAN,
		  (double)NAN, (double)NAN, "", -1 },
		{ "no id", "{\"sizeInGBs\":5}", 0, 0, 0, 0, NULL, 0 },
		{ "a list", "[]", 0, 0, 0, 0, NULL, 0 },
		{ "a number", "3", 0, 0, 0, 0, NULL, 0 },
		{ "nothing", "", 0, 0, 0, 0, NULL, 0 },
		{ "half", "{\"id\":\"v\",", 0, 0, 0, 0, NULL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_oci_volume v;
		struct vs_error err = { 0 };
		int rc = vs_oci_read_volume(cases[i].text, strlen(cases[i].text), &v, &err);

		print_message("%s: %s\n", cases[i].name, err.text);
		assert_int_equal(rc, cases[i].policies ? 0 : -1);
		assert_int_equal(err.code, cases[i].policies ? VS_OK : VS_EFORMAT);
		if (rc != 0)
			continue;
		check_number(v.size_gb, cases[i].size);
		check_number(v.vpus_per_gb, cases[i].vpu);
		check_number(v.auto_tuned_vpus_per_gb, cases[i].tuned);
		check_number(v.max_vpus_per_gb, cases[i].max);
		assert_string_equal(v.policies, cases[i].policies);
		assert_int_equal(v.is_hydrated, cases[i].hydrated);
	}
}

/* A name can neither move a terminal's cursor nor be cut inside a character. */
static void texts_are_tamed(void **state)
{
	struct vs_oci_volume v;
	struct vs_error err = { 0 };
	char text[700] = "{\"id\":\"v\",\"lifecycleState\":\"A\\u001b[2J\\n\",\"displayName\":\"x";

	(void)state;
	for (int i = 0; i < 200; i++)
		(void)strcat(text, "\xc3\xa9");
	(void)strcat(text, "\"}");
	assert_int_equal(vs_oci_read_volume(text, strlen(text), &v, &err), 0);
	assert_string_equal(v.lifecycle_state, "A?[2J?");
	assert_int_equal(strlen(v.display_name), 255); /* x and 127 whole characters */
	assert_string_equal(v.display_name + 253, "\xc3\xa9");
}

static void metric_streams_are_added_up(void **state)
{
	static const char text[] =
		"[{\"aggregatedDatapoints\":["
		"{\"timestamp\":\"2026-02-01T01:03:00Z\",\"value\":2.5},"
		"{\"timestamp\":\"2026-02-01T01:02:00.000Z\",\"value\":1},"
		"{\"timestamp\":\"yesterday\",\"value\":9},{\"value\":9},"
		"{\"timestamp\":\"2026-02-01T01:04:00Z\",\"value\":null}]},"
		"{\"aggregatedDatapoints\":[{\"timestamp\":\"2026-02-01T01:03:00+00:00\",\"value\":4}]},"
		"{\"aggregatedDatapoints\":null},7]";
	struct vs_oci_points *points = calloc(1, sizeof(*points));
	struct vs_error err = { 0 };

	(void)state;
	assert_non_null(points);
	assert_int_equal(vs_oci_read_metric(text, strlen(text), points, &err), 0);
	assert_int_equal(points->n, 2);
	assert_true(points->items[0].wall_ms == INT64_C(1769907720000));
	check_number(points->items[0].value, 1);
	check_number(points->items[1].value, 6.5);
	assert_int_equal(vs_oci_read_metric("[]", 2, points, &err), 0);
	assert_int_equal(points->n, 0);
	assert_int_equal(vs_oci_read_metric("{}", 2, points, &err), -1);
	free(points);
}

static void times_are_read(void **state)
{
	static const struct {
		const char *text;
		int64_t ms;
	} cases[] = {
		{ "1970-01-01T00:00:00Z", 0 },
		{ "2026-02-01T01:02:03.456Z", INT64_C(1769907723456) },
		{ "2026-02-01T01:02:03.456789Z", INT64_C(1769907723456) },
		{ "2026-02-01T01:02:03.5+00:00", INT64_C(1769907723500) },
		{ "2026-02-01T01:02:03+09:00", -1 },
		{ "2026-02-01 01:02:03Z", -1 },
		{ "2026-13-01T01:02:03Z", -1 },
		{ "2026-02-01T25:02:03Z", -1 },
		{ "2026-02-01T01:02:03", -1 },
		{ "", -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_message("'%s'\n", cases[i].text);
		assert_true(vs_oci_read_time(cases[i].text) == cases[i].ms);
	}
}

static void fill(struct vs_oci_description *d)
{
	memset(d, 0, sizeof(*d));
	d->volume.size_gb = 1024;
	d->volume.vpus_per_gb = 10;
	d->volume.max_vpus_per_gb = 120;
	d->volume.performance_based = true;
	d->volume.is_hydrated = 1;
	(void)strcpy(d->volume.id, "ocid1.volume.oc1.phx.x");
	(void)strcpy(d->volume.lifecycle_state, "AVAILABLE");
	d->attachments_known = true;
	d->attachments.n = 1;
	(void)strcpy(d->attachments.items[0].type, "iscsi");
	(void)strcpy(d->attachments.items[0].instance_id, "me");
	d->attachments.items[0].is_multipath = 1;
	(void)strcpy(d->instance.shape, "VM.Standard.E5.Flex");
	d->instance.ocpus = 24;
	d->instance.gbps = 24;
}

static void each_trap_has_its_warning(void **state)
{
	static const char *const cases[][2] = {
		{ "nothing wrong", NULL },
		{ "no policy", "no performance-based auto-tune policy" },
		{ "no multipath", "without multipath" },
		{ "multipath not told", "not known to have multipath" },
		{ "small instance", "at most 80,000 IOPS" },
		{ "few OCPUs", "has 12 OCPUs" },
		{ "not hydrated", "not hydrated" },
		{ "provisioning", "PROVISIONING, not AVAILABLE" },
		{ "detached", "attached to no instance" },
		{ "shared", "attached to 2 instances" },
		{ "elsewhere", "another instance" },
		{ "paravirtualized", "at most 150,000 IOPS" },
		{ "boot volume", "at most 50,000 IOPS" },
		{ "maximum below default", "nothing will move" },
	};
	struct vs_oci_description *d = calloc(1, sizeof(*d));

	(void)state;
	assert_non_null(d);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *name = cases[i][0];

		fill(d);
		if (strcmp(name, "no policy") == 0)
			d->volume.performance_based = false;
		else if (strcmp(name, "no multipath") == 0)
			d->attachments.items[0].is_multipath = 0;
		else if (strcmp(name, "multipath not told") == 0)
			d->attachments.items[0].is_multipath = -1;
		else if (strcmp(name, "small instance") == 0)
			d->instance.gbps = 4;
		else if (strcmp(name, "few OCPUs") == 0)
			d->instance.ocpus = 12;
		else if (strcmp(name, "not hydrated") == 0)
			d->volume.is_hydrated = 0;
		else if (strcmp(name, "provisioning") == 0)
			(void)strcpy(d->volume.lifecycle_state, "PROVISIONING");
		else if (strcmp(name, "detached") == 0)
			d->attachments.n = 0;
		else if (strcmp(name, "shared") == 0)
			d->attachments.n = 2;
		else if (strcmp(name, "elsewhere") == 0)
			d->on_instance = true, (void)strcpy(d->me.id, "you");
		else if (strcmp(name, "paravirtualized") == 0)
			(void)strcpy(d->attachments.items[0].type, name);
		else if (strcmp(name, "boot volume") == 0)
			(void)strcpy(d->volume.id, "ocid1.bootvolume.oc1.phx.x");
		else if (strcmp(name, "maximum below default") == 0)
			d->volume.max_vpus_per_gb = 10;
		vs_oci_judge(d);
		print_message("%s: %zu %s\n", name, d->n_warnings,
			      d->n_warnings ? d->warnings[0] : "");
		assert_int_equal(d->n_warnings, cases[i][1] ? 1 : 0);
		if (cases[i][1])
			assert_non_null(strstr(d->warnings[0], cases[i][1]));
	}
	free(d);
}

static void shapes_have_their_ceilings(void **state)
{
	static const struct {
		const char *shape;
		double ocpus, gbps, iops, mbps;
	} cases[] = {
		{ "VM.Standard.E5.Flex", 4, (double)NAN, 80000, 480 },
		{ "VM.Standard.E5.Flex", 4, 4, 80000, 480 },
		{ "VM.Standard.E5.Flex", 60, (double)NAN, 600000, 4800 },
		{ "VM.Optimized3.Flex", 3, (double)NAN, 240000, 1440 },
		{ "VM.Standard.E2.1.Micro", 1, 0.48, 6000, 60 },
		{ "VM.Standard2.4", 4, (double)NAN, 80000, 480 },
		{ "BM.Standard.E5.192", 192, 100, 1300000, 12000 },
		{ "BM.Future.1", 400, 400, (double)NAN, (double)NAN },
		{ "VM.Future.Flex", 8, 10, 200000, 1200 },
		{ "VM.Standard.E5.Flex", (double)NAN, (double)NAN, (double)NAN, (double)NAN },
		{ "", (double)NAN, (double)NAN, (double)NAN, (double)NAN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_oci_limits limits;

		print_message("%s, %.3g OCPUs, %.3g Gbps\n", cases[i].shape, cases[i].ocpus,
			      cases[i].gbps);
		vs_oci_shape_limits(cases[i].shape, cases[i].ocpus, cases[i].gbps, &limits);
		check_number(limits.iops, cases[i].iops);
		check_number(limits.mbps, cases[i].mbps);
	}
	check_number(vs_oci_volume_iops(1024, 50), 122880);
	check_number(vs_oci_volume_iops(1024, 10), 25000);
	check_number(vs_oci_volume_iops(50, 0), 100);
}

static void retries_back_off_and_end(void **state)
{
	struct vs_retry_policy policy = vs_retry_default;
	uint64_t seed = 1;
	int64_t least = VS_NS_PER_SEC;

	(void)state;
	for (int n = 1; n < policy.attempts; n++) {
		int64_t delay = vs_retry_delay_ns(&policy, n, 0, VS_UNKNOWN, &seed);

		print_message("attempt %d: %.3f s\n", n, (double)delay / 1e9);
		assert_true(delay >= least && delay <= policy.cap_ns);
		assert_true(delay < least + VS_NS_PER_SEC);
		least = least * 2 > policy.cap_ns ? policy.cap_ns : least * 2;
	}
	assert_true(vs_retry_delay_ns(&policy, policy.attempts, 0, VS_UNKNOWN, &seed) == -1);
	assert_true(vs_retry_delay_ns(&policy, 1, 0, 90 * VS_NS_PER_SEC, &seed) ==
		    90 * VS_NS_PER_SEC);
	assert_true(vs_retry_delay_ns(&policy, 1, 590 * VS_NS_PER_SEC, 20 * VS_NS_PER_SEC, &seed) ==
		    -1);
	static const struct {
		int status;
		const char *code;
		bool worth;
	} cases[] = {
		{ 0, "", true },
		{ 429, "TooManyRequests", true },
		{ 500, "", true },
		{ 503, "", true },
		{ 501, "", false },
		{ 400, "", false },
		{ 401, "", false },
		{ 404, "", false },
		{ 409, "IncorrectState", true },
		{ 409, "LockConflict", true },
		{ 409, "InvalidatedRetryToken", false },
		{ 302, "", false },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_message("%d %s\n", cases[i].status, cases[i].code);
		assert_int_equal(vs_retry_is_worth(cases[i].status, cases[i].code), cases[i].worth);
	}
}

#define ITEM(inner) "{\"lastUpdated\":\"2026-07-16T13:52:41Z\",\"items\":[" inner "]}"

static void prices_are_read_in_all_shapes(void **state)
{
	static const struct {
		const char *name, *text;
		double price;
	} cases[] = {
		{ "localized",
		  ITEM("{\"partNumber\":\"B91962\",\"currencyCodeLocalizations\":[{\"currencyCode\":"
		       "\"JPY\",\"prices\":[{\"model\":\"PAY_AS_YOU_GO\",\"value\":9}]},"
		       "{\"currencyCode\":\"USD\",\"prices\":[{\"model\":\"PAY_AS_YOU_GO\","
		       "\"value\":0.0017}]}]}"),
		  0.0017 },
		{ "plain, as a text",
		  ITEM("{\"partNumber\":\"B91962\",\"prices\":[{\"value\":\"0.0017\"}]}"), 0.0017 },
		{ "a free first tier",
		  ITEM("{\"partNumber\":\"B91962\",\"prices\":[{\"value\":0,\"rangeMax\":10},"
		       "{\"value\":0.5,\"rangeMin\":10}]}"),
		  0.5 },
		{ "another model is not ours",
		  ITEM("{\"partNumber\":\"B91962\",\"prices\":[{\"model\":\"MONTHLY\",\"value\":5}]}"),
		  (double)NAN },
		{ "another part", ITEM("{\"partNumber\":\"B1\",\"prices\":[{\"value\":5}]}"),
		  (double)NAN },
		{ "no items", ITEM(""), (double)NAN },
		{ "a price below nothing",
		  ITEM("{\"partNumber\":\"B91962\",\"prices\":[{\"value\":-1},{\"value\":\"x\"}]}"),
		  (double)NAN },
	};
	char date[16], next[512];
	struct vs_error err = { 0 };
	double price;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_message("%s\n", cases[i].name);
		assert_int_equal(vs_oci_price_read(cases[i].text, strlen(cases[i].text), "B91962",
						   "USD", &price, date, next, &err),
				 0);
		check_number(price, cases[i].price);
		assert_string_equal(date, "2026-07-16");
	}
	assert_int_equal(vs_oci_price_read("{}", 2, "B91962", "USD", &price, date, next, &err), -1);
}

static void tokens_tell_their_end(void **state)
{
	/* payloads {"exp":1769907723}, {"exp":1} padded by one and two, {"x":1}, no base64 */
	static const struct {
		const char *token;
		int64_t expires;
	} cases[] = {
		{ "a.eyJleHAiOjE3Njk5MDc3MjN9.c", 1769907723 },
		{ "a.eyJleHAiOjEwfQ.c", 10 },
		{ "a.eyJleHAiOjEwMH0.c", 100 },
		{ "a.eyJ4IjoxfQ.c", 0 },
		{ "a.!!!!.c", 0 },
		{ "opaque", 0 },
	};
	static const char *const bad[] = { "{}",
					   "[]",
					   "{\"token\":\"\"}",
					   "{\"token\":3}",
					   "{\"token\":\"a\\\"b\"}",
					   "{\"token\":\"a\\nb\"}",
					   "" };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[200], *token = NULL;
		int64_t expires = -1;
		struct vs_error err = { 0 };

		print_message("%s\n", cases[i].token);
		(void)snprintf(text, sizeof(text), "{\"token\":\"%s\"}", cases[i].token);
		assert_int_equal(
			vs_federation_read_token(text, strlen(text), &token, &expires, &err), 0);
		assert_string_equal(token, cases[i].token);
		assert_int_equal(expires, cases[i].expires);
		free(token);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char *token = NULL;
		int64_t expires;
		struct vs_error err = { 0 };

		print_message("%s\n", bad[i]);
		assert_int_equal(
			vs_federation_read_token(bad[i], strlen(bad[i]), &token, &expires, &err),
			-1);
	}
}

static void ocids_are_told_from_other_texts(void **state)
{
	static const struct {
		const char *text;
		int rc;
	} cases[] = {
		{ "ocid1.volume.oc1.phx.abc", 0 },
		{ "ocid1.tenancy.oc1..abc", 0 },
		{ "ocid1.volume.oc1", -1 },
		{ "ocid1.volume.oc1.phx.abc/../../x", -1 },
		{ "ocid1.volume.oc1.phx.a?b", -1 },
		{ "ocid1.volume.oc1.phx.a b", -1 },
		{ "/dev/sdb", -1 },
		{ "", -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_error err = { 0 };

		print_message("'%s'\n", cases[i].text);
		assert_int_equal(vs_oci_check_ocid(cases[i].text, "--volume", &err), cases[i].rc);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(volumes_are_read_tolerantly),
		cmocka_unit_test(texts_are_tamed),
		cmocka_unit_test(metric_streams_are_added_up),
		cmocka_unit_test(times_are_read),
		cmocka_unit_test(each_trap_has_its_warning),
		cmocka_unit_test(shapes_have_their_ceilings),
		cmocka_unit_test(retries_back_off_and_end),
		cmocka_unit_test(prices_are_read_in_all_shapes),
		cmocka_unit_test(tokens_tell_their_end),
		cmocka_unit_test(ocids_are_told_from_other_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
