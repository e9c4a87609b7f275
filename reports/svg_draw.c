#include "reports/svg_draw.h"

#include <math.h>
#include <stddef.h>

#include "reports/json.h"
#include "reports/table.h"

void vs_svg_num(FILE *out, const char *before, double value, const char *after)
{
	char text[48];

	(void)fprintf(out, "%s%s%s", before, vs_json_format(value, 1, text), after);
}

void vs_svg_line(FILE *out, const char *class_name, double x1, double y1, double x2, double y2)
{
	(void)fprintf(out, "<path class=\"%s\" d=\"", class_name);
	vs_svg_num(out, "M", x1, ",");
	vs_svg_num(out, "", y1, "L");
	vs_svg_num(out, "", x2, ",");
	vs_svg_num(out, "", y2, "\"/>\n");
}

void vs_svg_label(FILE *out, const char *class_name, double x, double y, const char *text)
{
	(void)fprintf(out, "<text class=\"%s\" ", class_name);
	vs_svg_num(out, "x=\"", x, "\" ");
	vs_svg_num(out, "y=\"", y, "\">");
	vs_html_text(out, text);
	(void)fputs("</text>\n", out);
}

double vs_svg_step(double range, int n)
{
	double step = pow(10, floor(log10(range / n)));

	while (range / step > n) {
		if (range / (2 * step) <= n)
			return 2 * step;
		if (range / (5 * step) <= n)
			return 5 * step;
		step *= 10;
	}
	return step;
}

double vs_svg_time_step(double range_s)
{
	static const double steps[] = { 1,   2,   5,    10,   15,   30,    60,    120,  300,
					600, 900, 1800, 3600, 7200, 10800, 21600, 43200 };

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (range_s / steps[i] <= 9)
			return steps[i];
	return 86400 * ceil(range_s / 86400 / 9);
}
