#include "reports/report.h"

#include <string.h>

#include "reports/formats.h"

const struct vs_report_format vs_report_formats[] = {
	{ "text", ".txt", vs_report_text },  { "csv", ".csv", vs_report_csv },
	{ "json", ".json", vs_report_json }, { "markdown", ".md", vs_report_markdown },
	{ "html", ".html", vs_report_html }, { NULL, NULL, NULL },
};

const struct vs_report_format *vs_report_format_named(const char *name)
{
	for (const struct vs_report_format *f = vs_report_formats; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

const struct vs_report_format *vs_report_format_for_file(const char *path)
{
	size_t len = strlen(path);

	for (const struct vs_report_format *f = vs_report_formats; f->name; f++) {
		size_t n = strlen(f->suffix);
		if (len > n && strcasecmp(path + len - n, f->suffix) == 0)
			return f;
	}
	return NULL;
}
