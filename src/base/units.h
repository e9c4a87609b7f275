/* Units in and out: durations, sizes, numbers, times of day. The only place that parses them. */
#ifndef VS_BASE_UNITS_H
#define VS_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* OCI's GB of a volume. */
#define VS_GB_BYTES 1073741824.0

/* "90" (seconds), "90s", "15m", "2h", "1h30m", "250ms", "1d". Not negative, at most 10 years. */
int vs_units_parse_duration(const char *text, int64_t *ns_out, struct vs_error *err) VS_MUST_CHECK;
/* "4096", "4k", "1m", "1g", "1t": powers of 2, either case, an optional "iB" or "B" behind. */
int vs_units_parse_size(const char *text, uint64_t *bytes_out, struct vs_error *err) VS_MUST_CHECK;
/* A whole decimal number without a sign. */
int vs_units_parse_u64(const char *text, uint64_t *out, struct vs_error *err) VS_MUST_CHECK;
/* A finite decimal number with '.' as its point, whatever the locale. */
int vs_units_parse_number(const char *text, double *out, struct vs_error *err) VS_MUST_CHECK;

#define VS_UNITS_TEXT_MAX 40

/* Each fills text[VS_UNITS_TEXT_MAX] and returns it. */
char *vs_units_format_duration(int64_t ns,
			       char *text); /* "250 ms" "27 s" "4 min 46 s" "1 h 15 min" */
char *vs_units_format_count(double value, char *text);  /* "122,880": rounded, grouped */
char *vs_units_format_utc(int64_t wall_ms, char *text); /* "2026-01-31T12:00:00.000Z" */
char *vs_units_format_size(uint64_t bytes,
			   char *text); /* "4k" "1m" "4096": what parse_size reads */

#endif
