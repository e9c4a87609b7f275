/* JSON straight into a FILE: keys in the order given, sane numbers, C locale whatever the process.
 */
#ifndef VS_REPORTS_JSON_H
#define VS_REPORTS_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/catalogue.h"

#define VS_JSON_DEPTH 16

/*
 * Containers nested deeper than `lines` stand on one line; the others one member a line. '<' is
 * written as <, so the text can stand inside an HTML script element.
 */
struct vs_json {
	FILE *out;
	int lines;
	int depth;
	bool first; /* nothing written yet in the open container */
	char kinds[VS_JSON_DEPTH];
};

void vs_json_init(struct vs_json *json, FILE *out, int lines);
/* kind is '{' or '['. key is NULL inside an array and at the top. */
void vs_json_open(struct vs_json *json, const char *key, char kind);
void vs_json_close(struct vs_json *json);
/* NULL: null. Bytes that are not UTF-8 become U+FFFD. */
void vs_json_text(struct vs_json *json, const char *key, const char *text);
/* At most `decimals` digits behind the point (0 to 9), none that are 0; null unless finite. */
void vs_json_number(struct vs_json *json, const char *key, double value, int decimals);
void vs_json_int(struct vs_json *json, const char *key, int64_t value);
void vs_json_bool(struct vs_json *json, const char *key, bool value);
void vs_json_null(struct vs_json *json, const char *key);
/* The design's "ladder": an array of {"tier", "iops", "mbps", "price_month"}. NULL: empty. */
void vs_json_ladder(struct vs_json *json, const char *key, const struct vs_ladder *ladder);

/* The number as vs_json_number() writes it; "" unless finite. Fills text[48] and returns it. */
char *vs_json_format(double value, int decimals, char *text);
/*
 * Length of the UTF-8 character at s (1 to 4), 0 when the bytes there are none: overlong,
 * surrogate, cut off or out of range. s is NUL-terminated.
 */
int vs_json_utf8(const char *s);

#endif
