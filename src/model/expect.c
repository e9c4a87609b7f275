#include "model/expect.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "model/json.h"

#define MAX_FILE_BYTES (1U << 20)

enum kind {
	TIER,
	TIME,
	PERCENT
};

static const struct {
	const char *name;
	enum kind kind;
	size_t offset;
} members[] = {
	{ "start_tier", TIER, offsetof(struct vs_expect, start_tier) },
	{ "top_tier", TIER, offsetof(struct vs_expect, top_tier) },
	{ "end_tier", TIER, offsetof(struct vs_expect, end_tier) },
	{ "max_rise", TIME, offsetof(struct vs_expect, max_rise_s) },
	{ "max_rise_total", TIME, offsetof(struct vs_expect, max_rise_total_s) },
	{ "max_first_fall", TIME, offsetof(struct vs_expect, max_first_fall_s) },
	{ "max_fall", TIME, offsetof(struct vs_expect, max_fall_s) },
	{ "max_dip", TIME, offsetof(struct vs_expect, max_dip_s) },
	{ "tolerance_pct", PERCENT, offsetof(struct vs_expect, tolerance_pct) },
	{ "min_share_pct", PERCENT, offsetof(struct vs_expect, min_share_pct) },
};

#define N_MEMBERS (sizeof(members) / sizeof(members[0]))

static double *number_of(struct vs_expect *expect, size_t m)
{
	return (double *)(void *)((char *)expect + members[m].offset);
}

static const char *tier_of(const struct vs_expect *expect, size_t m)
{
	return (const char *)expect + members[m].offset;
}

void vs_expect_init(struct vs_expect *expect)
{
	*expect = (struct vs_expect){ .start_tier = "" };
	for (size_t m = 0; m < N_MEMBERS; m++)
		if (members[m].kind != TIER)
			*number_of(expect, m) = (double)NAN;
}

bool vs_expect_empty(const struct vs_expect *expect)
{
	struct vs_expect copy = *expect;

	for (size_t m = 0; m < N_MEMBERS; m++)
		if (members[m].kind == TIER ? *tier_of(expect, m) != '\0'
					    : !isnan(*number_of(&copy, m)))
			return false;
	return true;
}

static int set_tier(const json_t *value, size_t m, struct vs_expect *out, struct vs_error *err)
{
	char *text = (char *)out + members[m].offset;
	const char *name = json_string_value(value);

	if (json_is_number(value))
		(void)snprintf(text, sizeof(out->start_tier), "%g", json_number_value(value));
	else if (name && *name && strlen(name) < sizeof(out->start_tier))
		(void)snprintf(text, sizeof(out->start_tier), "%s", name);
	else
		return vs_error_set(err, VS_EFORMAT, 0, "%s: give a tier's name, as 10 or \"P30\"",
				    members[m].name);
	return 0;
}

static int set_number(const json_t *value, size_t m, struct vs_expect *out, struct vs_error *err)
{
	double *number = number_of(out, m);
	struct vs_error wrong = { 0 };
	int64_t ns;

	if (json_is_number(value)) {
		*number = json_number_value(value);
		return 0;
	}
	if (members[m].kind == TIME && json_is_string(value)) {
		if (vs_units_parse_duration(json_string_value(value), &ns, &wrong) != 0)
			return vs_error_set(err, VS_EFORMAT, 0, "%s: %s", members[m].name,
					    wrong.text);
		*number = (double)ns / 1e9;
		return 0;
	}
	return vs_error_set(err, VS_EFORMAT, 0, "%s: give a number%s", members[m].name,
			    members[m].kind == TIME ? " of seconds, or a text as \"1m39s\"" : "");
}

static int set_member(const char *key, const json_t *value, struct vs_expect *out,
		      struct vs_error *err)
{
	char known[256] = "";
	size_t len = 0;

	for (size_t m = 0; m < N_MEMBERS; m++)
		if (strcmp(key, members[m].name) == 0)
			return members[m].kind == TIER ? set_tier(value, m, out, err)
						       : set_number(value, m, out, err);
	for (size_t m = 0; m < N_MEMBERS; m++)
		len += (size_t)snprintf(known + len, sizeof(known) - len, "%s%s", m ? ", " : "",
					members[m].name);
	return vs_error_set(err, VS_EFORMAT, 0, "there is no '%.40s'; known are %s", key, known);
}

static int check(const struct vs_expect *expect, struct vs_error *err)
{
	struct vs_expect copy = *expect;

	for (size_t m = 0; m < N_MEMBERS; m++) {
		double value = members[m].kind == TIER ? 0 : *number_of(&copy, m);

		if (value < 0 || isinf(value))
			return vs_error_set(err, VS_EFORMAT, 0, "%s: give 0 or more",
					    members[m].name);
		if (members[m].kind == PERCENT && value > 100)
			return vs_error_set(err, VS_EFORMAT, 0, "%s: give at most 100",
					    members[m].name);
	}
	return 0;
}

static int set_members(json_t *root, struct vs_expect *out, struct vs_error *err)
{
	struct vs_expect read = *out;
	const char *key;
	json_t *value;

	json_object_foreach(root, key, value)
	{
		if (set_member(key, value, &read, err) != 0)
			return -1;
	}
	if (check(&read, err) != 0)
		return -1;
	*out = read;
	return 0;
}

int vs_expect_parse(const char *text, size_t len, const char *name, struct vs_expect *out,
		    struct vs_error *err)
{
	json_error_t json_err;
	json_t *root = vs_json_load(text, len, JSON_REJECT_DUPLICATES, &json_err, err);
	int rc;

	if (!root)
		return vs_error_set(err, VS_EFORMAT, 0, "expectations %s: line %d: %s", name,
				    json_err.line, json_err.text);
	if (json_is_object(root))
		rc = set_members(root, out, err);
	else
		rc = vs_error_set(err, VS_EFORMAT, 0,
				  "give a JSON object, as {\"top_tier\": 120, \"max_dip\": 5}");
	json_decref(root);
	return rc == 0 ? 0 : vs_error_prefix(err, "expectations %s: ", name);
}

int vs_expect_read(const char *path, struct vs_expect *out, struct vs_error *err)
{
	FILE *in = fopen(path, "re");
	char *text;
	size_t len;
	int rc;

	if (!in)
		return vs_error_sys(err, errno, "cannot read '%s'", path);
	text = malloc(MAX_FILE_BYTES + 1);
	if (!text) {
		(void)fclose(in);
		return vs_error_nomem(err);
	}
	len = fread(text, 1, MAX_FILE_BYTES + 1, in);
	if (ferror(in))
		rc = vs_error_sys(err, errno, "cannot read '%s'", path);
	else if (len > MAX_FILE_BYTES)
		rc = vs_error_set(err, VS_EFORMAT, 0, "'%s' is no file of expectations: over 1 MiB",
				  path);
	else
		rc = vs_expect_parse(text, len, path, out, err);
	free(text);
	(void)fclose(in);
	return rc;
}
