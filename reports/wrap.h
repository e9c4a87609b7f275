/* Text for a terminal, wrapped. What could steer the terminal is written as '?'. */
#ifndef VS_REPORTS_WRAP_H
#define VS_REPORTS_WRAP_H

#include <stddef.h>
#include <stdio.h>

/* Text as it is, not wrapped. */
void vs_wrap_plain(FILE *out, const char *s, size_t len);
/* Columns of a terminal that the text takes: CJK and emoji two each. */
int vs_wrap_width(const char *s, size_t len);
/* The words of text[len] behind a head, in lines of so many columns; those after the first are
 * indented by the head's width. */
void vs_wrap_text(FILE *out, const char *head, const char *text, size_t len, int columns);
/* The same for each line of lines (NULL: none). */
void vs_wrap_lines(FILE *out, const char *head, const char *lines, int columns);

#endif
