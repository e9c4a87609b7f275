#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/clock.h"

#define MAX_DURATION_SEC (10.0 * 366 * 86400)

/* Digits and at most one point; no sign, hex, infinity or nan. The program never leaves the C
 * locale. */
static int scan_number(const char *text, const char **end_out, double *out)
{
	char digits[64];
	size_t len = strspn(text, "0123456789.");
	char *end;

	if (len == 0 || len >= sizeof(digits) || strspn(text, ".") == len)
		return -1;
	memcpy(digits, text, len);
	digits[len] = '\0';
	*out = strtod(digits, &end);
	if (*end != '\0')
		return -1;
	*end_out = text + len;
	return 0;
}

static int scan_unit(const char *text, const char **end_out, double *sec_out)
{
	static const struct {
		const char *name;
		double sec;
	} units[] = { { "ms", 1e-3 }, { "us", 1e-6 }, { "s", 1 },
		      { "m", 60 },    { "h", 3600 },  { "d", 86400 } };
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz");

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strlen(units[i].name) == len && strncmp(text, units[i].name, len) == 0) {
			*end_out = text + len;
			*sec_out = units[i].sec;
			return 0;
		}
	}
	return -1;
}

int vs_units_parse_duration(const char *text, int64_t *ns_out, struct vs_error *err)
{
	const char *p = text;
	double total = 0;
	double value, unit;

	do {
		if (scan_number(p, &p, &value) != 0)
			goto bad;
		if (*p == '\0' && total <= 0)
			unit = 1;
		else if (scan_unit(p, &p, &unit) != 0)
			goto bad;
		total += value * unit;
	} while (*p != '\0');
	if (!(total <= MAX_DURATION_SEC))
		return vs_error_set(err, VS_EUSAGE, 0, "'%s' is longer than 10 years", text);
	*ns_out = (int64_t)llround(total * 1e9);
	return 0;
bad:
	return vs_error_set(err, VS_EUSAGE, 0,
			    "'%s' is not a duration; write it as 90, 90s, 15m, 1h30m or 250ms",
			    text);
}

int vs_units_parse_size(const char *text, uint64_t *bytes_out, struct vs_error *err)
{
	static const char suffixes[] = "kmgtp";
	const char *p, *s;
	double value, scale = 1;

	if (scan_number(text, &p, &value) != 0)
		goto bad;
	if (*p != '\0' && (s = strchr(suffixes, *p | 0x20)) != NULL) {
		scale = ldexp(1, 10 * (int)(s - suffixes + 1));
		p++;
		if (*p == 'i' || *p == 'I')
			p++;
	}
	if (*p == 'b' || *p == 'B')
		p++;
	value *= scale;
	if (*p != '\0' || value >= 9e18 || floor(value) < value)
		goto bad;
	*bytes_out = (uint64_t)value;
	return 0;
bad:
	return vs_error_set(err, VS_EUSAGE, 0, "'%s' is not a size; write it as 4096, 4k, 1m or 1g",
			    text);
}

int vs_units_parse_u64(const char *text, uint64_t *out, struct vs_error *err)
{
	char *end;

	errno = 0;
	if (text[0] < '0' || text[0] > '9' ||
	    (*out = strtoull(text, &end, 10), errno != 0 || *end != '\0'))
		return vs_error_set(err, VS_EUSAGE, 0, "'%s' is not a whole number", text);
	return 0;
}

int vs_units_parse_number(const char *text, double *out, struct vs_error *err)
{
	const char *digits = text[0] == '-' ? text + 1 : text;
	const char *end;

	if (scan_number(digits, &end, out) != 0 || *end != '\0' || !isfinite(*out))
		return vs_error_set(err, VS_EUSAGE, 0, "'%s' is not a number", text);
	if (digits != text)
		*out = -*out;
	return 0;
}

/* "2 h 15 min", "2 h" */
static void two_units(char *text, int64_t value, int64_t base, const char *large, const char *small)
{
	int64_t rest = value % base;

	if (rest)
		(void)snprintf(text, VS_UNITS_TEXT_MAX, "%lld %s %lld %s",
			       (long long)(value / base), large, (long long)rest, small);
	else
		(void)snprintf(text, VS_UNITS_TEXT_MAX, "%lld %s", (long long)(value / base),
			       large);
}

char *vs_units_format_duration(int64_t ns, char *text)
{
	int64_t tenths = (ns + VS_NS_PER_SEC / 20) / (VS_NS_PER_SEC / 10);
	int64_t sec = (ns + VS_NS_PER_SEC / 2) / VS_NS_PER_SEC;
	int64_t min = (sec + 30) / 60, hours = (min + 30) / 60;

	if (ns < VS_NS_PER_SEC)
		(void)snprintf(text, VS_UNITS_TEXT_MAX, "%lld ms", (long long)(ns / VS_NS_PER_MS));
	else if (tenths < 100 && tenths % 10)
		(void)snprintf(text, VS_UNITS_TEXT_MAX, "%.1f s", (double)tenths / 10);
	else if (sec < 60)
		(void)snprintf(text, VS_UNITS_TEXT_MAX, "%lld s", (long long)sec);
	else if (sec < 3600)
		two_units(text, sec, 60, "min", "s");
	else if (min < 1440)
		two_units(text, min, 60, "h", "min");
	else
		two_units(text, hours, 24, "d", "h");
	return text;
}

char *vs_units_format_count(double value, char *text)
{
	char digits[VS_UNITS_TEXT_MAX];
	size_t len, out = 0;

	if (!(fabs(value) < 1e21)) {
		(void)snprintf(text, VS_UNITS_TEXT_MAX, "%g", value);
		return text;
	}
	(void)snprintf(digits, sizeof(digits), "%.0f", fabs(value));
	len = strlen(digits);
	if (value <= -0.5)
		text[out++] = '-';
	for (size_t i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			text[out++] = ',';
		text[out++] = digits[i];
	}
	text[out] = '\0';
	return text;
}

char *vs_units_format_utc(int64_t wall_ms, char *text)
{
	int64_t ms = wall_ms % 1000;
	time_t sec;
	struct tm tm;
	size_t len;

	if (ms < 0)
		ms += 1000;
	sec = (time_t)((wall_ms - ms) / 1000);
	len = gmtime_r(&sec, &tm) ? strftime(text, 24, "%Y-%m-%dT%H:%M:%S", &tm) : 0;
	if (len == 0)
		(void)snprintf(text, VS_UNITS_TEXT_MAX, "%lld ms", (long long)wall_ms);
	else
		(void)snprintf(text + len, VS_UNITS_TEXT_MAX - len, ".%03dZ", (int)ms);
	return text;
}

char *vs_units_format_size(uint64_t bytes, char *text)
{
	static const char *const suffixes[] = { "", "k", "m", "g", "t", "p" };
	size_t power = 0;

	while (power < 5 && bytes >= 1024 && bytes % 1024 == 0) {
		bytes /= 1024;
		power++;
	}
	(void)snprintf(text, VS_UNITS_TEXT_MAX, "%llu%s", (unsigned long long)bytes,
		       suffixes[power]);
	return text;
}
