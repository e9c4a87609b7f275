#include "reports/wrap.h"

#include <stdbool.h>
#include <string.h>

#include "reports/json.h"

/* Columns that a character takes: CJK and emoji two. */
static int width_at(const char *s, int len)
{
	return len == 4 || (len == 3 && (unsigned char)*s >= 0xe3 && (unsigned char)*s <= 0xed) ? 2
												: 1;
}

int vs_wrap_width(const char *s, size_t len)
{
	int width = 0;

	for (size_t i = 0; i < len;) {
		int n = vs_json_utf8(s + i);
		width += n ? width_at(s + i, n) : 1;
		i += n ? (size_t)n : 1;
	}
	return width;
}

/* The control characters of ASCII, and those that UTF-8 has from U+0080 to U+009F. */
static bool steers(const char *s)
{
	unsigned char c = (unsigned char)*s;

	return c < 0x20 || c == 0x7f || (c == 0xc2 && (unsigned char)s[1] < 0xa0);
}

void vs_wrap_plain(FILE *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len;) {
		int n = vs_json_utf8(s + i);
		if (n == 0 || steers(s + i))
			(void)fputc('?', out);
		else
			(void)fwrite(s + i, 1, (size_t)n, out);
		i += n ? (size_t)n : 1;
	}
}

void vs_wrap_text(FILE *out, const char *head, const char *text, size_t len, int columns)
{
	int indent = vs_wrap_width(head, strlen(head)), at = indent;
	bool first = true;

	(void)fputs(head, out);
	for (size_t i = 0; i < len;) {
		size_t n = 0;
		int width;

		while (i + n < len && text[i + n] != ' ')
			n++;
		width = vs_wrap_width(text + i, n);
		if (!first && at + 1 + width > columns) {
			(void)fprintf(out, "\n%*s", indent, "");
			at = indent;
		} else if (!first) {
			(void)fputc(' ', out);
			at++;
		}
		vs_wrap_plain(out, text + i, n);
		at += width;
		first = false;
		i += n;
		while (i < len && text[i] == ' ')
			i++;
	}
	(void)fputc('\n', out);
}

void vs_wrap_lines(FILE *out, const char *head, const char *lines, int columns)
{
	const char *p = lines ? lines : "";

	while (*p) {
		size_t len = strcspn(p, "\n");
		vs_wrap_text(out, head, p, len, columns);
		p += p[len] ? len + 1 : len;
	}
}
