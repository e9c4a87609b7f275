/* The strokes that the static charts are made of. Class names are literals of ours. */
#ifndef VS_REPORTS_SVG_DRAW_H
#define VS_REPORTS_SVG_DRAW_H

#include <stdio.h>

/* A coordinate between two texts: one digit behind the point, whatever the locale. */
void vs_svg_num(FILE *out, const char *before, double value, const char *after);
void vs_svg_line(FILE *out, const char *class_name, double x1, double y1, double x2, double y2);
/* text is escaped. */
void vs_svg_label(FILE *out, const char *class_name, double x, double y, const char *text);
/* 1, 2 or 5 times a power of ten, so that at most n of them make the range. */
double vs_svg_step(double range, int n);
/* The same for seconds, in whole minutes and hours; at most 9. */
double vs_svg_time_step(double range_s);

#endif
