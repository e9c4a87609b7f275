/* `report --format json` field by field against the design: names, order, types, nulls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "reports/report.h"

/*
 * The design's section 5. s string, i integer, n number, b boolean, v string or number, * an
 * object of anything; a ? behind it: null too. Members stand in this order, and there are no
 * others.
 */
static const char contract[] =
	"{schema_version:i tool:{name:s version:s} "
	"run:{id:i uuid:s? source:s emulated:b label:s? started_at:s duration_s:n interval_s:n "
	"end:s host:* targets:[{name:s? size_bytes:i? size_gb:n?}] "
	"workload:{rw:s? block_bytes:i? iodepth:i? numjobs:i?}} "
	"provider:{id:s? size_gb:n?} "
	"totals:{samples:i missing:i ios:n bytes:n? errors:n} "
	"plateaus:[{index:i phase:s start_s:n end_s:n samples:i iops:n? iops_mean:n? iops_ci95:[n?] "
	"spread_pct:n? mbps:n? latency_us:{p50:n? p99:n? p999:n? max:n?} drifting:b "
	"vpu_estimate:n? tier:s? tiers:[s] error_pct:n? confirmed:b? bound_by:s}] "
	"steps:[{index:i direction:s at_s:n at_low_s:n at_high_s:n from_iops:n? to_iops:n? "
	"from_tier:s? to_tier:s? dwell_s:n overshoot_pct:n? provider_at_s:n? lag_s:n?}] "
	"dips:[{at_s:n duration_s:n iops_min:n?}] "
	"pending:{start_s:n iops:n?}? "
	"ladder:[{tier:s iops:n? mbps:n? price_month:n?}] "
	"cost:{currency:s? observed:n? month_at_top:n? month_at_bottom:n?} "
	"observations:[{at_s:n source:s name:s value:v?}] "
	"events:[{at_s:n kind:s text:s?}]}";

struct walk {
	const char *at; /* in the contract */
	char path[160];
};

static void wrong(const struct walk *w, const char *what)
{
	print_error("%s: %s; the contract goes on: %.40s\n", w->path, what, w->at);
	fail();
}

/* Behind the description that w stands at. */
static void pass_over(struct walk *w)
{
	int depth = 0;

	do {
		if (strchr("{[", *w->at))
			depth++;
		else if (strchr("}]", *w->at))
			depth--;
		w->at++;
	} while (depth > 0);
	if (*w->at == '?')
		w->at++;
}

static void check(struct walk *w, json_t *value);

static void check_object(struct walk *w, json_t *value)
{
	void *member = json_object_iter(value);
	size_t len = strlen(w->path);

	for (w->at++; *w->at != '}';) {
		size_t name = strcspn(w->at, ":");

		if (!member)
			wrong(w, "a member is missing");
		(void)snprintf(w->path + len, sizeof(w->path) - len, ".%s",
			       json_object_iter_key(member));
		if (strncmp(json_object_iter_key(member), w->at, name) != 0 ||
		    json_object_iter_key(member)[name] != '\0')
			wrong(w, "another member is due here");
		w->at += name + 1;
		check(w, json_object_iter_value(member));
		member = json_object_iter_next(value, member);
		w->at += *w->at == ' ';
		w->path[len] = '\0';
	}
	w->at++;
	if (member)
		wrong(w, json_object_iter_key(member));
}

static void check_array(struct walk *w, json_t *value)
{
	const char *item = w->at + 1;
	size_t len = strlen(w->path);

	for (size_t i = 0; i < json_array_size(value); i++) {
		(void)snprintf(w->path + len, sizeof(w->path) - len, "[%zu]", i);
		w->at = item;
		check(w, json_array_get(value, i));
	}
	w->path[len] = '\0';
	w->at = item;
	pass_over(w);
	w->at++;
}

static void check(struct walk *w, json_t *value)
{
	const char *start = w->at;
	struct walk behind = *w;
	bool ok;

	pass_over(&behind);
	if (json_is_null(value)) {
		if (behind.at[-1] != '?')
			wrong(w, "null");
		*w = behind;
		return;
	}
	ok = (*start == '{' && json_is_object(value)) || (*start == '[' && json_is_array(value)) ||
	     (*start == 's' && json_is_string(value)) ||
	     (*start == 'b' && json_is_boolean(value)) ||
	     (*start == 'i' && json_is_integer(value)) ||
	     (*start == 'n' && json_is_number(value)) ||
	     (*start == 'v' && (json_is_string(value) || json_is_number(value))) ||
	     (*start == '*' && json_is_object(value));
	if (!ok)
		wrong(w, "another type");
	if (*start == '{')
		check_object(w, value);
	else if (*start == '[')
		check_array(w, value);
	w->at = behind.at;
}

/* The fixture's report, read back; checked against the contract. */
static json_t *read_back(const struct fixture *f)
{
	struct vs_report_options options = { 0 };
	struct vs_error err = { 0 };
	struct walk w = { .at = contract, .path = "" };
	json_error_t why;
	char *got = NULL;
	size_t len;
	FILE *out = open_memstream(&got, &len);
	json_t *json;

	assert_non_null(out);
	assert_int_equal(vs_report_format_named("json")->write(&f->timeline, &options, out, &err),
			 0);
	(void)fclose(out);
	json = json_loads(got, JSON_REJECT_DUPLICATES, &why);
	if (!json)
		print_error("line %d: %s\n%s\n", why.line, why.text, got);
	assert_non_null(json);
	free(got);
	check(&w, json);
	assert_string_equal(w.at, "");
	return json;
}

static void every_fixture(void **state)
{
	(void)state;
	static const enum fixture_kind kinds[] = { FIXTURE_SCALE, FIXTURE_DECAY, FIXTURE_EMPTY };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct fixture f;

		fixture_init(&f, kinds[i]);
		json_decref(read_back(&f));
		fixture_release(&f);
	}
}

static void is_null(json_t *parent, const char *names)
{
	char list[256];

	(void)snprintf(list, sizeof(list), "%s", names);
	for (char *rest = list, *name; (name = strtok_r(rest, " ", &rest));) {
		print_message("%s\n", name);
		assert_true(json_is_null(json_object_get(parent, name)));
	}
}

/* What is not known is null and nothing else: no NaN, no infinity, no -1, no 0. */
static void unknowns(void **state)
{
	(void)state;
	struct fixture f;
	struct vs_plateau *p;
	json_t *json, *plateau, *step;

	fixture_init(&f, FIXTURE_SCALE);
	p = &f.timeline.plateaus[0];
	p->mbps = (double)NAN;
	p->vpu_estimate = (double)INFINITY;
	p->error_pct = (double)NAN;
	p->spread_pct = (double)NAN;
	p->iops_ci95[0] = (double)NAN;
	p->iops_ci95[1] = -(double)INFINITY;
	p->latency = (struct vs_latency){ VS_UNKNOWN, VS_UNKNOWN, VS_UNKNOWN, VS_UNKNOWN };
	p->tier = -1;
	p->tiers = 3;
	p->confirmed = VS_CONFIRMED_UNKNOWN;
	f.timeline.steps[0].provider_at_ns = VS_UNKNOWN;
	f.timeline.steps[0].overshoot_pct = (double)NAN;
	f.timeline.totals.bytes = (double)NAN;
	f.timeline.cost.observed = (double)NAN;
	f.timeline.cost.month_at_top = (double)NAN;
	f.timeline.cost.month_at_bottom = (double)NAN;
	f.timeline.pending.present = false;
	f.run.workload.iodepth = VS_UNKNOWN;
	f.run.targets[0].size_bytes = VS_UNKNOWN;
	f.run.targets[0].size_gb = (double)NAN;
	f.ladder.tiers[0].price_month = (double)NAN;
	json = read_back(&f);
	plateau = json_array_get(json_object_get(json, "plateaus"), 0);
	step = json_array_get(json_object_get(json, "steps"), 0);
	is_null(plateau, "mbps vpu_estimate error_pct spread_pct tier confirmed");
	is_null(json_object_get(plateau, "latency_us"), "p50 p99 p999 max");
	assert_true(json_is_null(json_array_get(json_object_get(plateau, "iops_ci95"), 1)));
	assert_int_equal(json_array_size(json_object_get(plateau, "tiers")), 2);
	is_null(step, "provider_at_s lag_s overshoot_pct from_tier");
	is_null(json_object_get(json, "totals"), "bytes");
	is_null(json_object_get(json, "cost"), "observed month_at_top month_at_bottom");
	is_null(json, "pending");
	is_null(json_array_get(json_object_get(json, "ladder"), 0), "price_month");
	json_decref(json);
	fixture_release(&f);
}

/* A week and more of nanoseconds, and a level above 2^53, keep their digits. */
static void large_numbers(void **state)
{
	(void)state;
	struct fixture f;
	json_t *json, *plateau;
	double bytes;

	fixture_init(&f, FIXTURE_SCALE);
	f.timeline.plateaus[4].end_ns = INT64_C(864000123456000);
	f.timeline.totals.ios = 9007199254740993e3;
	f.timeline.totals.bytes = 3e21;
	json = read_back(&f);
	plateau = json_array_get(json_object_get(json, "plateaus"), 4);
	assert_true(fabs(json_number_value(json_object_get(plateau, "end_s")) - 864000.123456) <
		    1e-7);
	bytes = json_number_value(json_object_get(json_object_get(json, "totals"), "bytes"));
	assert_true(bytes > 2.999e21 && bytes < 3.001e21);
	json_decref(json);
	fixture_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fixture),
		cmocka_unit_test(unknowns),
		cmocka_unit_test(large_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
