/* Words, numbers and times of day in other tools' text. */
#ifndef VS_PROBES_IMPORT_TEXT_H
#define VS_PROBES_IMPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An unsigned decimal number, '.' or (comma) ',' as its point; *text moves behind it. */
bool vs_text_number(const char **text, bool comma, double *out);
/* The whole of text is a number, a sign allowed. */
bool vs_text_is_number(const char *text, bool comma, double *out);
/* A whole number at *text that fits 62 bits; *text moves behind it. */
bool vs_text_u64(const char **text, uint64_t *out);
bool vs_text_starts(const char *text, const char *prefix);
const char *vs_text_after(const char *text, const char *word); /* behind word, or NULL */
/* Cuts line at runs of blanks; the count, at most max. Fields point into line. */
size_t vs_text_words(char *line, char **fields, size_t max);
/* Cuts line at each separator, takes quotes and outer blanks off. */
size_t vs_text_columns(char *line, char separator, char **fields, size_t max);
/* Which of the fields of a header it is, to the letter; -1 none. */
int vs_text_column_named(char *const *fields, size_t n, const char *name);
/* The field of a row; "" where the row has none, or at is -1. */
const char *vs_text_cell(char *const *fields, size_t n, int at);
/* "4096", "4K", "4.00KiB", "1024KB" (1024s) as bytes, less than 2^50: no block is larger. */
bool vs_text_size(const char **text, double *bytes_out);

/*
 * A date with time of day as ms since 1970: ISO 8601 (zone: Z, UTC, +hhmm; none: UTC and *zone_out
 * false), "MM/DD/YYYY hh:mm:ss AM", "DD.MM.YYYY hh:mm:ss", asctime's form, seconds or ms since
 * 1970.
 */
bool vs_text_wall(const char *text, int64_t *wall_ms_out, bool *zone_out);
/* "17:53:14", "05:53:14 PM", "05:53:14.250" as seconds of the day; *text moves behind it. */
bool vs_text_day_time(const char **text, double *seconds_out);
/* "12/18/2018", "2018-12-18", "18.12.2018", "18/12/2018" as ms since 1970 of its midnight. */
bool vs_text_date(const char *text, int64_t *wall_ms_out);

#endif
