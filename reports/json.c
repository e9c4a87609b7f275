#include "reports/json.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

void vs_json_init(struct vs_json *json, FILE *out, int lines)
{
	*json = (struct vs_json){ .out = out, .lines = lines, .first = true };
}

int vs_json_utf8(const char *s)
{
	static const uint32_t lowest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s;
	uint32_t c;
	int len;

	if (p[0] < 0x80)
		return 1;
	len = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	c = p[0] & (0xffU >> (len + 1));
	for (int i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3fU);
	}
	return c < lowest[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : len;
}

static void put_string(FILE *out, const char *s)
{
	(void)fputc('"', out);
	while (*s) {
		int len = vs_json_utf8(s);
		unsigned char c = (unsigned char)*s;

		if (len == 0)
			(void)fputs("\xef\xbf\xbd", out);
		else if (c < 0x20 || c == 0x7f || c == '<')
			(void)fprintf(out, "\\u%04x", c);
		else if (c == '"' || c == '\\')
			(void)fprintf(out, "\\%c", c);
		else
			(void)fwrite(s, 1, (size_t)len, out);
		s += len ? len : 1;
	}
	(void)fputc('"', out);
}

static void new_line(struct vs_json *json)
{
	if (json->depth <= json->lines)
		(void)fprintf(json->out, "\n%*s", 2 * json->depth, "");
}

/* What stands before a value: comma, line, key. */
static void begin(struct vs_json *json, const char *key)
{
	if (json->depth > 0) {
		if (!json->first)
			(void)fputs(json->depth <= json->lines ? "," : ", ", json->out);
		new_line(json);
	}
	if (key) {
		put_string(json->out, key);
		(void)fputs(": ", json->out);
	}
	json->first = false;
}

void vs_json_open(struct vs_json *json, const char *key, char kind)
{
	begin(json, key);
	VS_ASSERT(json->depth < VS_JSON_DEPTH);
	(void)fputc(kind, json->out);
	json->kinds[json->depth++] = kind == '{' ? '}' : ']';
	json->first = true;
}

void vs_json_close(struct vs_json *json)
{
	VS_ASSERT(json->depth > 0);
	json->depth--;
	if (!json->first && json->depth < json->lines)
		(void)fprintf(json->out, "\n%*s", 2 * json->depth, "");
	(void)fputc(json->kinds[json->depth], json->out);
	json->first = false;
	if (json->depth == 0 && json->lines > 0)
		(void)fputc('\n', json->out);
}

void vs_json_text(struct vs_json *json, const char *key, const char *text)
{
	begin(json, key);
	if (text)
		put_string(json->out, text);
	else
		(void)fputs("null", json->out);
}

/* By hand, because printf's point is the locale's. */
char *vs_json_format(double value, int decimals, char *text)
{
	static const double scales[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
	double scaled;
	uint64_t n;
	char digits[32];
	size_t len, point;

	text[0] = '\0';
	if (!isfinite(value))
		return text;
	if (decimals > 9)
		decimals = 9;
	// cppcheck-suppress arrayIndexOutOfBoundsCond; 9 at most
	while (decimals > 0 && fabs(value) * scales[decimals] >= 1e17)
		decimals--;
	scaled = round(fabs(value) * scales[decimals]);
	if (scaled >= 1e18) {
		(void)snprintf(text, 48, "%.0e", value);
		return text;
	}
	n = (uint64_t)scaled;
	for (; decimals > 0 && n % 10 == 0; decimals--)
		n /= 10;
	(void)snprintf(digits, sizeof(digits), "%0*llu", decimals + 1, (unsigned long long)n);
	len = strlen(digits);
	point = len - (size_t)decimals;
	(void)snprintf(text, 48, "%s%.*s%s%s", value < 0 && n > 0 ? "-" : "", (int)point, digits,
		       decimals > 0 ? "." : "", digits + point);
	return text;
}

void vs_json_number(struct vs_json *json, const char *key, double value, int decimals)
{
	char text[48];

	begin(json, key);
	(void)fputs(isfinite(value) ? vs_json_format(value, decimals, text) : "null", json->out);
}

void vs_json_int(struct vs_json *json, const char *key, int64_t value)
{
	begin(json, key);
	(void)fprintf(json->out, "%lld", (long long)value);
}

void vs_json_bool(struct vs_json *json, const char *key, bool value)
{
	begin(json, key);
	(void)fputs(value ? "true" : "false", json->out);
}

void vs_json_null(struct vs_json *json, const char *key)
{
	begin(json, key);
	(void)fputs("null", json->out);
}

void vs_json_ladder(struct vs_json *json, const char *key, const struct vs_ladder *ladder)
{
	vs_json_open(json, key, '[');
	for (size_t i = 0; ladder && i < ladder->n_tiers; i++) {
		const struct vs_tier *tier = &ladder->tiers[i];

		vs_json_open(json, NULL, '{');
		vs_json_text(json, "tier", tier->name);
		vs_json_number(json, "iops", tier->iops, 2);
		vs_json_number(json, "mbps", tier->mbps, 3);
		vs_json_number(json, "price_month", tier->price_month, 4);
		vs_json_close(json);
	}
	vs_json_close(json);
}
