#include "probes/import_text.h"

#include <math.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool vs_text_u64(const char **text, uint64_t *out)
{
	const char *p = *text;
	uint64_t value = 0;

	if (!is_digit(*p))
		return false;
	for (; is_digit(*p); p++) {
		if (value > (UINT64_MAX >> 2) / 10 - 1)
			return false;
		value = value * 10 + (uint64_t)(*p - '0');
	}
	*out = value;
	*text = p;
	return true;
}

bool vs_text_number(const char **text, bool comma, double *out)
{
	const char *p = *text;
	double value = 0, scale = 1;

	if (!is_digit(*p))
		return false;
	for (; is_digit(*p); p++)
		value = value * 10 + (*p - '0');
	if ((*p == '.' || (comma && *p == ',')) && is_digit(p[1]))
		for (p++; is_digit(*p); p++) {
			scale /= 10;
			value += (*p - '0') * scale;
		}
	if (!(value < 1e300))
		return false;
	*out = value;
	*text = p;
	return true;
}

bool vs_text_is_number(const char *text, bool comma, double *out)
{
	bool negative = *text == '-';
	const char *p = text + (negative || *text == '+');
	double exponent = 0;

	if (!vs_text_number(&p, comma, out))
		return false;
	if (*p == 'e' || *p == 'E') {
		bool below = p[1] == '-';
		p += 1 + (p[1] == '-' || p[1] == '+');
		if (!vs_text_number(&p, false, &exponent) || exponent > 200)
			return false;
		*out *= pow(10, below ? -exponent : exponent);
	}
	if (negative)
		*out = -*out;
	return *p == '\0' && isfinite(*out);
}

bool vs_text_starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

const char *vs_text_after(const char *text, const char *word)
{
	const char *found = strstr(text, word);

	return found ? found + strlen(word) : NULL;
}

size_t vs_text_words(char *line, char **fields, size_t max)
{
	size_t n = 0;

	while (n < max) {
		line += strspn(line, " \t");
		if (!*line)
			break;
		fields[n++] = line;
		line += strcspn(line, " \t");
		if (*line)
			*line++ = '\0';
	}
	return n;
}

size_t vs_text_columns(char *line, char separator, char **fields, size_t max)
{
	size_t n = 0;
	char *end;

	while (n < max) {
		line += strspn(line, separator == '\t' ? " " : " \t");
		if (*line == '"' && (end = strchr(line + 1, '"')) != NULL) {
			fields[n++] = line + 1;
			*end++ = '\0';
			end = strchr(end, separator);
		} else {
			fields[n++] = line;
			end = strchr(line, separator);
		}
		if (end)
			*end = '\0';
		for (size_t len = strlen(fields[n - 1]);
		     len && strchr(" \t", fields[n - 1][len - 1]); len--)
			fields[n - 1][len - 1] = '\0';
		if (!end)
			break;
		line = end + 1;
	}
	return n;
}

int vs_text_column_named(char *const *fields, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(fields[i], name) == 0)
			return (int)i;
	return -1;
}

const char *vs_text_cell(char *const *fields, size_t n, int at)
{
	return at >= 0 && (size_t)at < n ? fields[at] : "";
}

bool vs_text_size(const char **text, double *bytes_out)
{
	static const char suffixes[] = "kmgtp";
	const char *s;

	if (!vs_text_number(text, false, bytes_out))
		return false;
	if (**text && (s = strchr(suffixes, **text | 0x20)) != NULL) {
		*bytes_out = ldexp(*bytes_out, 10 * (int)(s - suffixes + 1));
		++*text;
		*text += **text == 'i';
	}
	*text += **text == 'B' || **text == 'b';
	return *bytes_out < 0x1p50;
}

/* Days since 1970 of a date of the Gregorian calendar; false for what is none. */
static bool days_of(uint64_t year, uint64_t month, uint64_t day, int64_t *days_out)
{
	struct tm tm = { .tm_mday = (int)day };

	if (year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31)
		return false;
	tm.tm_year = (int)year - 1900;
	tm.tm_mon = (int)month - 1;
	*days_out = (int64_t)timegm(&tm) / 86400;
	return true;
}

static bool read_date(const char **text, int64_t *days_out)
{
	const char *p = *text;
	uint64_t a, b, c;
	char separator;

	if (!vs_text_u64(&p, &a) || !strchr("-/.", *p) || !*p)
		return false;
	separator = *p++;
	if (!vs_text_u64(&p, &b) || *p++ != separator || !vs_text_u64(&p, &c))
		return false;
	*text = p;
	if (a >= 1970)
		return days_of(a, b, c, days_out);
	if (c < 100)
		c += 2000;
	/* With slashes the month comes first, unless it cannot be a month. */
	if (separator == '/' && a <= 12)
		return days_of(c, a, b, days_out);
	return days_of(c, b, a, days_out);
}

bool vs_text_date(const char *text, int64_t *wall_ms_out)
{
	int64_t days;

	if (!read_date(&text, &days))
		return false;
	*wall_ms_out = days * 86400000;
	return true;
}

bool vs_text_day_time(const char **text, double *seconds_out)
{
	const char *p = *text;
	uint64_t hour, minute;
	double second;

	if (!vs_text_u64(&p, &hour) || *p++ != ':' || !vs_text_u64(&p, &minute) || *p++ != ':' ||
	    !vs_text_number(&p, false, &second) || hour > 24 || minute > 59 || second >= 61)
		return false;
	if (*p == ' ' && (strncasecmp(p + 1, "AM", 2) == 0 || strncasecmp(p + 1, "PM", 2) == 0)) {
		hour = hour % 12 + ((p[1] | 0x20) == 'p' ? 12 : 0);
		p += 3;
	}
	*seconds_out = (double)(hour * 3600 + minute * 60) + second;
	*text = p;
	return true;
}

/* Behind the time of day: the zone's offset in seconds. */
static bool read_zone(const char *text, double *offset_out)
{
	uint64_t digits, minutes = 0;
	const char *start;
	int sign;

	text += strspn(text, " ");
	*offset_out = 0;
	if (*text == 'Z' || vs_text_starts(text, "UTC") || vs_text_starts(text, "GMT"))
		return true;
	sign = *text == '-' ? -1 : 1;
	if (*text != '-' && *text != '+')
		return false;
	start = ++text;
	if (!vs_text_u64(&text, &digits))
		return false;
	if (text - start == 4) {
		minutes = digits % 100;
		digits /= 100;
	} else if (*text++ == ':' && !vs_text_u64(&text, &minutes)) {
		return false;
	}
	if (digits > 15 || minutes > 59)
		return false;
	*offset_out = sign * (double)(digits * 3600 + minutes * 60);
	return true;
}

/* "Tue Aug 29 01:27:51 2023" */
static bool read_asctime(const char *text, int64_t *days_out, double *seconds_out)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	uint64_t day, year;

	if (strlen(text) < 20)
		return false;
	for (size_t i = 0; i < 12; i++) {
		if (strncmp(text + 4, months + i * 3, 3) != 0)
			continue;
		text += 7 + strspn(text + 7, " ");
		if (!vs_text_u64(&text, &day) || *text++ != ' ' ||
		    !vs_text_day_time(&text, seconds_out) || *text++ != ' ' ||
		    !vs_text_u64(&text, &year))
			return false;
		return days_of(year, i + 1, day, days_out);
	}
	return false;
}

bool vs_text_wall(const char *text, int64_t *wall_ms_out, bool *zone_out)
{
	double seconds, offset = 0, number;
	int64_t days;

	text += strspn(text, " \t");
	*zone_out = true;
	if (vs_text_is_number(text, false, &number)) {
		if (number < 1e8 || number > 1e16)
			return false;
		*wall_ms_out = (int64_t)llround(number > 1e11 ? number : number * 1000);
		return true;
	}
	if (read_asctime(text, &days, &seconds)) {
		*zone_out = false;
	} else {
		if (!read_date(&text, &days) || (*text != 'T' && *text != ' '))
			return false;
		text++;
		if (!vs_text_day_time(&text, &seconds))
			return false;
		*zone_out = read_zone(text, &offset);
	}
	*wall_ms_out = days * 86400000 + (int64_t)llround((seconds - offset) * 1000);
	return true;
}
