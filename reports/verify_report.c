/* The verdicts of a run: text, JSON, JUnit's XML and TAP. */
#include "reports/verify_report.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/units.h"
#include "reports/json.h"
#include "reports/table.h"
#include "reports/wrap.h"

/* Failed when anything failed; of nothing but skips there is no verdict. */
static enum vs_verdict overall(const struct vs_verification *v)
{
	if (v->failed)
		return VS_VERDICT_FAIL;
	return v->passed ? VS_VERDICT_PASS : VS_VERDICT_SKIP;
}

/* "run 3 (label)" */
static void put_name(const struct vs_run *run, struct vs_buf *out)
{
	vs_buf_addf(out, "run %lld", (long long)run->id);
	if (run->label && *run->label)
		vs_buf_addf(out, " (%s)", run->label);
	if (run->emulated)
		vs_buf_addf(out, ", emulated");
}

static void put_summary(const struct vs_verification *v, int columns, FILE *out)
{
	static const char *const words[] = { "passed", "FAILED", "not judged" };
	struct vs_buf line;

	vs_buf_init(&line, 65536);
	put_name(v->timeline->run, &line);
	vs_buf_addf(&line, ": %s. %zu passed, %zu failed, %zu skipped", words[overall(v)],
		    v->passed, v->failed, v->skipped);
	if (v->documented)
		vs_buf_addf(&line, "; nothing was asked, so it is held against what the provider "
				   "documents");
	if (line.data)
		vs_wrap_text(out, "", line.data, line.len, columns);
	vs_buf_release(&line);
}

static void write_text(const struct vs_verification *v, int columns, FILE *out)
{
	static const char *const heads[] = { "pass  ", "FAIL  ", "skip  " };

	columns = columns >= 40 ? columns : 80;
	put_summary(v, columns, out);
	for (size_t i = 0; i < v->n; i++) {
		const struct vs_check *check = &v->checks[i];

		(void)fputc('\n', out);
		vs_wrap_text(out, heads[check->verdict], check->title, strlen(check->title),
			     columns);
		vs_wrap_text(out, "      ", check->evidence, strlen(check->evidence), columns);
	}
}

static void put_index(struct vs_json *json, const char *key, int index)
{
	if (index < 0)
		vs_json_null(json, key);
	else
		vs_json_int(json, key, index);
}

static void write_json(const struct vs_verification *v, int columns, FILE *out)
{
	const struct vs_run *run = v->timeline->run;
	struct vs_json json;

	(void)columns;
	vs_json_init(&json, out, 2);
	vs_json_open(&json, NULL, '{');
	vs_json_int(&json, "schema_version", 1);
	vs_json_open(&json, "tool", '{');
	vs_json_text(&json, "name", "volscale");
	vs_json_text(&json, "version", VS_VERSION);
	vs_json_close(&json);
	vs_json_open(&json, "run", '{');
	vs_json_int(&json, "id", run->id);
	vs_json_text(&json, "uuid", run->uuid[0] ? run->uuid : NULL);
	vs_json_text(&json, "label", run->label);
	vs_json_bool(&json, "emulated", run->emulated);
	vs_json_close(&json);
	vs_json_text(&json, "verdict", vs_verdict_name(overall(v)));
	vs_json_int(&json, "passed", (int64_t)v->passed);
	vs_json_int(&json, "failed", (int64_t)v->failed);
	vs_json_int(&json, "skipped", (int64_t)v->skipped);
	vs_json_bool(&json, "documented", v->documented);
	vs_json_open(&json, "checks", '[');
	for (size_t i = 0; i < v->n; i++) {
		const struct vs_check *check = &v->checks[i];

		vs_json_open(&json, NULL, '{');
		vs_json_text(&json, "id", check->id);
		vs_json_text(&json, "title", check->title);
		vs_json_text(&json, "verdict", vs_verdict_name(check->verdict));
		vs_json_text(&json, "unit", check->unit);
		vs_json_number(&json, "expected", check->expected, 3);
		vs_json_number(&json, "found", check->found, 3);
		vs_json_text(&json, "evidence", check->evidence);
		put_index(&json, "plateau", check->plateau);
		put_index(&json, "step", check->step);
		vs_json_number(&json, "at_s",
			       check->at_ns < 0 ? (double)NAN : (double)check->at_ns / 1e9, 6);
		vs_json_close(&json);
	}
	vs_json_close(&json);
	vs_json_close(&json);
}

/* The dialect that Jenkins, GitLab and GitHub's reporters read. */
static void write_junit(const struct vs_verification *v, int columns, FILE *out)
{
	static const char *const tags[] = { "system-out", "failure", "skipped" };
	const struct vs_run *run = v->timeline->run;
	char utc[VS_UNITS_TEXT_MAX], seconds[48];
	struct vs_buf name;

	(void)columns;
	vs_buf_init(&name, 65536);
	put_name(run, &name);
	(void)vs_units_format_utc(run->started_wall_ms, utc);
	(void)vs_json_format((double)run->duration_ns / 1e9, 3, seconds);
	(void)fprintf(out,
		      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		      "<testsuites name=\"volscale\" tests=\"%zu\" failures=\"%zu\" "
		      "skipped=\"%zu\">\n<testsuite name=\"",
		      v->n, v->failed, v->skipped);
	vs_html_text(out, name.data ? name.data : "run");
	(void)fprintf(out,
		      "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" "
		      "timestamp=\"%.19s\" time=\"%s\">\n",
		      v->n, v->failed, v->skipped, utc, seconds);
	vs_buf_release(&name);
	for (size_t i = 0; i < v->n; i++) {
		const struct vs_check *check = &v->checks[i];

		(void)fprintf(out, "<testcase classname=\"volscale.%s\" name=\"", check->id);
		vs_html_text(out, check->title);
		(void)fprintf(out, "\" time=\"0\"><%s", tags[check->verdict]);
		if (check->verdict != VS_VERDICT_PASS) {
			(void)fputs(" message=\"", out);
			vs_html_text(out, check->evidence);
			(void)fputs("\"/>", out);
		} else {
			(void)fputc('>', out);
			vs_html_text(out, check->evidence);
			(void)fprintf(out, "</%s>", tags[check->verdict]);
		}
		(void)fputs("</testcase>\n", out);
	}
	(void)fputs("</testsuite>\n</testsuites>\n", out);
}

/* TAP 13: the evidence as a diagnostic block, the reason of a skip behind its directive. */
static void write_tap(const struct vs_verification *v, int columns, FILE *out)
{
	(void)columns;
	(void)fprintf(out, "TAP version 13\n1..%zu\n", v->n);
	for (size_t i = 0; i < v->n; i++) {
		const struct vs_check *check = &v->checks[i];
		struct vs_json json;

		(void)fprintf(out, "%s %zu - %s: %s",
			      check->verdict == VS_VERDICT_FAIL ? "not ok" : "ok", i + 1, check->id,
			      check->title);
		if (check->verdict == VS_VERDICT_SKIP) {
			(void)fprintf(out, " # SKIP %s\n", check->evidence);
			continue;
		}
		/* a JSON string is a YAML string too */
		(void)fputs("\n  ---\n  evidence: ", out);
		vs_json_init(&json, out, 0);
		vs_json_text(&json, NULL, check->evidence);
		(void)fputs("\n  ...\n", out);
	}
}

const struct vs_verify_format vs_verify_formats[] = {
	{ "text", ".txt", write_text },
	{ "json", ".json", write_json },
	{ "junit", ".xml", write_junit },
	{ "tap", ".tap", write_tap },
	{ NULL, NULL, NULL },
};

const struct vs_verify_format *vs_verify_format_named(const char *name)
{
	for (const struct vs_verify_format *f = vs_verify_formats; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

const struct vs_verify_format *vs_verify_format_for_file(const char *path)
{
	size_t len = strlen(path);

	for (const struct vs_verify_format *f = vs_verify_formats; f->name; f++) {
		size_t n = strlen(f->suffix);
		if (len > n && strcasecmp(path + len - n, f->suffix) == 0)
			return f;
	}
	return NULL;
}
