/* Foreign text (labels, device names, events) made harmless for each format. */
#include <stdbool.h>
#include <string.h>

#include "reports/json.h"
#include "reports/table.h"

static const char replacement[] = "\xef\xbf\xbd";

static bool is_control(const char *p)
{
	unsigned char c = (unsigned char)*p;

	return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

void vs_csv_text(FILE *out, const char *text)
{
	bool quoted = strpbrk(text, ",\"\r\n\t;") != NULL || *text == ' ';

	if (quoted)
		(void)fputc('"', out);
	/* a spreadsheet would take it for a formula */
	if (*text && strchr("=+-@\t\r", *text) && text[1])
		(void)fputc('\'', out);
	for (const char *p = text; *p;) {
		int len = vs_json_utf8(p);

		if (len == 0 || is_control(p))
			(void)fputs(replacement, out);
		else if (*p == '"')
			(void)fputs("\"\"", out);
		else
			(void)fwrite(p, 1, (size_t)len, out);
		p += len ? len : 1;
	}
	if (quoted)
		(void)fputc('"', out);
}

void vs_html_text(FILE *out, const char *text)
{
	for (const char *p = text; *p;) {
		int len = vs_json_utf8(p);

		if (len == 0 || is_control(p))
			(void)fputs(replacement, out);
		else if (*p == '&')
			(void)fputs("&amp;", out);
		else if (*p == '<')
			(void)fputs("&lt;", out);
		else if (*p == '>')
			(void)fputs("&gt;", out);
		else if (*p == '"')
			(void)fputs("&quot;", out);
		else if (*p == '\'')
			(void)fputs("&#39;", out);
		else
			(void)fwrite(p, 1, (size_t)len, out);
		p += len ? len : 1;
	}
}

void vs_markdown_text(FILE *out, const char *text)
{
	for (const char *p = text; *p;) {
		int len = vs_json_utf8(p);

		if (len == 0 || is_control(p))
			(void)fputs(replacement, out);
		else if (*p == '\n')
			(void)fputc(' ', out);
		else if (*p == '<')
			(void)fputs("&lt;", out);
		else if (*p == '&')
			(void)fputs("&amp;", out);
		else if (strchr("\\`*_[]|#>~", *p))
			(void)fprintf(out, "\\%c", *p);
		else
			(void)fwrite(p, 1, (size_t)len, out);
		p += len ? len : 1;
	}
}
