/* A comparison as one self-contained page: decision, chart, tables, the data embedded. */
#include <string.h>

#include "base/units.h"
#include "reports/assets.h"
#include "reports/compare_report.h"
#include "reports/json.h"

#define COLOURS 6

/* Six hues that differ in lightness too, for either background; the rest is the report's style. */
static const char style[] =
	":root { --c0: #0b5cad; --c1: #c2410c; --c2: #146c2e; --c3: #7a3fb0; --c4: #8a6100; "
	"--c5: #b3124f; }\n"
	"@media (prefers-color-scheme: dark) { :root { --c0: #62a8f5; --c1: #ff9d5c; --c2: #6ddc8b; "
	"--c3: #c79bf2; --c4: #e8c34a; --c5: #ff8ab0; } }\n"
	"@media print { :root { --c0: #0b5cad; --c1: #c2410c; --c2: #146c2e; --c3: #7a3fb0; "
	"--c4: #8a6100; --c5: #b3124f; } }\n"
	"svg .curve { stroke-width: 1; opacity: .55; } svg .plateau { stroke-width: 3; }\n"
	"svg .promise { stroke-width: 1.5; stroke-dasharray: 7 5; } svg .name { font-weight: 650; }\n"
	"svg path.run0 { stroke: var(--c0); } svg path.run1 { stroke: var(--c1); }\n"
	"svg path.run2 { stroke: var(--c2); } svg path.run3 { stroke: var(--c3); }\n"
	"svg path.run4 { stroke: var(--c4); } svg path.run5 { stroke: var(--c5); }\n"
	"svg text.run0 { fill: var(--c0); } svg text.run1 { fill: var(--c1); }\n"
	"svg text.run2 { fill: var(--c2); } svg text.run3 { fill: var(--c3); }\n"
	"svg text.run4 { fill: var(--c4); } svg text.run5 { fill: var(--c5); }\n"
	".keys i.run0 { color: var(--c0); } .keys i.run1 { color: var(--c1); }\n"
	".keys i.run2 { color: var(--c2); } .keys i.run3 { color: var(--c3); }\n"
	".keys i.run4 { color: var(--c4); } .keys i.run5 { color: var(--c5); }\n"
	".keys i.dashed { border-top-style: dashed; } .keys i { border-top-width: 3px; }\n"
	"h1 + p { max-width: 78ch; margin: 0 0 16px; }\n";

/* The first sentence is the headline, what follows it the reason. */
static size_t first_sentence(const char *decision)
{
	const char *end = strstr(decision, ". ");

	return end ? (size_t)(end - decision) + 1 : strlen(decision);
}

static void put_headline(const struct vs_comparison *cmp, size_t len, FILE *out)
{
	char headline[sizeof(cmp->decision)];

	(void)snprintf(headline, sizeof(headline), "%.*s", (int)len, cmp->decision);
	vs_html_text(out, headline);
}

static void put_head(const struct vs_comparison *cmp, FILE *out)
{
	size_t headline = first_sentence(cmp->decision);
	const char *rest = cmp->decision + headline;

	(void)fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		    "style-src 'unsafe-inline'; img-src data:\">\n"
		    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		    "<meta name=\"color-scheme\" content=\"light dark\">\n"
		    "<meta name=\"generator\" content=\"volscale " VS_VERSION "\">\n"
		    "<link rel=\"icon\" href=\"data:,\">\n<title>volscale comparison: ",
		    out);
	put_headline(cmp, headline, out);
	(void)fputs("</title>\n<style>\n", out);
	(void)fwrite(vs_asset_style, 1, vs_asset_style_len, out);
	(void)fputs(style, out);
	(void)fprintf(out,
		      "</style>\n</head>\n<body>\n<header id=\"summary\">\n<p class=\"kind\">"
		      "volscale comparison of %zu runs</p>\n<h1>",
		      cmp->n_rows);
	put_headline(cmp, headline, out);
	(void)fputs("</h1>\n<p>", out);
	vs_html_text(out, *rest ? rest + 1 : "");
	(void)fputs(
		"</p>\n</header>\n<nav aria-label=\"Contents\"><ul>"
		"<li><a href=\"#timeline\">Chart</a></li><li><a href=\"#runs\">Ceilings</a></li>"
		"<li><a href=\"#cheaper\">A cheaper tier</a></li>"
		"<li><a href=\"#workload\">What was run</a></li>"
		"<li><a href=\"#method\">Method</a></li><li><a href=\"#raw\">Data</a></li>"
		"</ul></nav>\n<main>\n",
		out);
}

static void open_section(FILE *out, const char *id, const char *title)
{
	(void)fprintf(out,
		      "<section id=\"%s\" aria-labelledby=\"h-%s\">\n<h2 id=\"h-%s\">"
		      "<a href=\"#%s\">%s</a></h2>\n",
		      id, id, id, id, title);
}

static int put_chart(const struct vs_comparison *cmp, FILE *out, struct vs_error *err)
{
	open_section(out, "timeline", "IOPS over time");
	(void)fputs("<ul class=\"keys\">", out);
	for (size_t i = 0; i < cmp->n_rows; i++) {
		(void)fprintf(out, "<li><i class=\"run%zu\"></i>", i % COLOURS);
		vs_html_text(out, cmp->rows[i].name);
		(void)fputs("</li>", out);
	}
	(void)fputs("<li><i class=\"dashed key-muted\"></i>promised by the tier held</li></ul>\n",
		    out);
	if (vs_compare_svg(cmp, out, err) != 0)
		return -1;
	(void)fputs("</section>\n", out);
	return 0;
}

static void put_notes(const struct vs_comparison *cmp, FILE *out)
{
	struct vs_buf notes;

	vs_buf_init(&notes, 4096);
	vs_compare_notes(cmp, &notes);
	(void)fputs("<p class=\"hint\">", out);
	vs_html_text(out, notes.data ? notes.data : "");
	(void)fputs("</p>\n", out);
	vs_buf_release(&notes);
}

static int put_table(const struct vs_comparison *cmp, const char *id, const char *title,
		     void (*rows)(const struct vs_comparison *cmp, struct vs_table *table),
		     FILE *out, struct vs_error *err)
{
	struct vs_table table;
	int rc = 0;

	rows(cmp, &table);
	if (table.n_cells > 0 || table.failed) {
		open_section(out, id, title);
		(void)fprintf(out,
			      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
			      "aria-label=\"%s\">\n",
			      title);
		rc = vs_table_write(&table, VS_TABLE_HTML, out, err);
		(void)fputs("</div>\n", out);
		if (rows == vs_compare_rows)
			put_notes(cmp, out);
		(void)fputs("</section>\n", out);
	}
	vs_table_release(&table);
	return rc;
}

static void put_method(FILE *out)
{
	open_section(out, "method", "Method");
	(void)fputs(
		"<p>A run's ceiling is the highest level that it held under load. Its tier is the "
		"one that was told, by the user or by the provider, else the one whose promise the "
		"level meets. Sufficient is the cheapest tier that promises at least the level, "
		"within the provider's tolerance. What a cheaper tier would have given is the lower "
		"of its promise and the level reached.</p>\n"
		"<p>A ceiling is bound by the volume when it meets a tier's promise, by the "
		"instance when its bytes are at the instance's line rate, by the client when less "
		"was in flight than asked for or the load generator had no CPU left. Otherwise "
		"nothing is said. Prices are list prices; a price that is not known is unpriced "
		"and never 0.</p>\n</section>\n",
		out);
}

static void put_raw(const struct vs_comparison *cmp, FILE *out)
{
	struct vs_json json;

	open_section(out, "raw", "Data");
	(void)fputs("<p>The figures of this page are in it as JSON, in the script element with the "
		    "id <code>volscale-data</code>.</p>\n</section>\n"
		    "<script type=\"application/json\" id=\"volscale-data\">\n",
		    out);
	vs_json_init(&json, out, 2);
	vs_compare_json_object(cmp, &json, NULL);
	(void)fputs("</script>\n", out);
}

int vs_compare_html(const struct vs_comparison *cmp, int columns, FILE *out, struct vs_error *err)
{
	(void)columns;
	put_head(cmp, out);
	if (put_chart(cmp, out, err) != 0 ||
	    put_table(cmp, "runs", "Ceilings and prices", vs_compare_rows, out, err) != 0 ||
	    put_table(cmp, "cheaper", "What a cheaper tier would have given",
		      vs_compare_rows_cheaper, out, err) != 0 ||
	    put_table(cmp, "workload", "What was run", vs_compare_rows_runs, out, err) != 0)
		return -1;
	put_method(out);
	put_raw(cmp, out);
	(void)fputs("</main>\n</body>\n</html>\n", out);
	return 0;
}
