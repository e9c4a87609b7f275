/* All runs of a comparison in one chart, over the time since each began. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "reports/compare_report.h"
#include "reports/curve.h"
#include "reports/facts.h"
#include "reports/svg_draw.h"

#define WIDTH   960.0
#define HEIGHT  380.0
#define LEFT    70.0
#define RIGHT   826.0
#define TOP     26.0
#define BOTTOM  340.0
#define PIXELS  756 /* columns of a curve */
#define COLOURS 6
#define APART   13.0 /* of two labels at the right */

struct chart {
	const struct vs_comparison *cmp;
	double end_s, iops_max;
	FILE *out;
};

static double x_of(const struct chart *c, int64_t ns)
{
	return LEFT + (RIGHT - LEFT) * fmin((double)ns / 1e9 / c->end_s, 1);
}

static double y_of(const struct chart *c, double iops)
{
	return BOTTOM - (BOTTOM - TOP) * fmin(iops / c->iops_max, 1);
}

static void find_ranges(struct chart *c)
{
	for (size_t i = 0; i < c->cmp->n_rows; i++) {
		const struct vs_comparison_row *row = &c->cmp->rows[i];
		const struct vs_run *run = row->timeline->run;

		c->end_s = fmax(c->end_s, (double)run->duration_ns / 1e9);
		/* an overshoot of a second may leave the chart, the levels and promises never */
		c->iops_max = fmax(c->iops_max, row->ceiling_iops * 1.25);
		if (row->promised_iops < 4 * row->ceiling_iops)
			c->iops_max = fmax(c->iops_max, row->promised_iops * 1.05);
	}
	if (!(c->iops_max > 0))
		c->iops_max = 1;
	if (!(c->end_s > 0))
		c->end_s = 1;
}

static void put_axes(const struct chart *c)
{
	double step = vs_svg_step(c->iops_max, 6);
	char text[VS_UNITS_TEXT_MAX];

	for (int i = 0; i * step <= c->iops_max; i++) {
		double v = i * step;

		vs_svg_line(c->out, "grid", LEFT, y_of(c, v), RIGHT, y_of(c, v));
		vs_svg_label(c->out, "axis end", LEFT - 8, y_of(c, v) + 4,
			     vs_units_format_count(v, text));
	}
	step = vs_svg_time_step(c->end_s);
	for (int i = 0; i * step <= c->end_s * 1.001; i++) {
		int64_t at_ns = (int64_t)(i * step * 1e9);

		vs_svg_label(c->out, "axis mid", x_of(c, at_ns), BOTTOM + 18,
			     vs_facts_clock(at_ns, text));
	}
}

/* Lowest and highest value of one pixel column, so that no outlier is lost. */
struct stroke {
	double x, lo, hi;
	bool drawing;
};

static void put_stroke(const struct chart *c, struct stroke *s)
{
	if (s->hi < s->lo)
		return;
	vs_svg_num(c->out, s->drawing ? "L" : "M", s->x, ",");
	vs_svg_num(c->out, "", y_of(c, s->lo), "");
	if (s->hi > s->lo)
		vs_svg_num(c->out, "V", y_of(c, s->hi), "");
	*s = (struct stroke){ .lo = (double)INFINITY, .hi = -(double)INFINITY, .drawing = true };
}

/* Idle seconds have no line; a probe is drawn as any load. */
static void put_curve(const struct chart *c, size_t i, const struct vs_curve *curve)
{
	struct stroke stroke = { .lo = (double)INFINITY, .hi = -(double)INFINITY };

	(void)fprintf(c->out, "<path class=\"curve run%zu\" d=\"", i % COLOURS);
	for (size_t k = 0; k < curve->n; k++) {
		const struct vs_point *p = &curve->points[k];
		double x = x_of(c, p->end_ns);

		if (curve->n <= PIXELS || floor(x) > floor(stroke.x))
			put_stroke(c, &stroke);
		if (p->phase == VS_PHASE_IDLE) {
			put_stroke(c, &stroke);
			stroke.drawing = false;
			continue;
		}
		stroke.x = x;
		stroke.lo = fmin(stroke.lo, p->iops);
		stroke.hi = fmax(stroke.hi, p->iops);
	}
	put_stroke(c, &stroke);
	(void)fputs("\"/>\n", c->out);
}

static void put_levels(const struct chart *c, size_t i)
{
	const struct vs_comparison_row *row = &c->cmp->rows[i];
	const struct vs_timeline *timeline = row->timeline;
	char class_name[32];

	(void)snprintf(class_name, sizeof(class_name), "plateau run%zu", i % COLOURS);
	for (size_t k = 0; k < timeline->n_plateaus; k++) {
		const struct vs_plateau *p = &timeline->plateaus[k];

		if (p->samples > 0)
			vs_svg_line(c->out, class_name, x_of(c, p->start_ns), y_of(c, p->iops),
				    x_of(c, p->end_ns), y_of(c, p->iops));
	}
	(void)snprintf(class_name, sizeof(class_name), "promise run%zu", i % COLOURS);
	if (row->promised_iops <= c->iops_max)
		vs_svg_line(c->out, class_name, LEFT, y_of(c, row->promised_iops), RIGHT,
			    y_of(c, row->promised_iops));
}

/* At the right end, by falling level, none over another. */
static void put_names(const struct chart *c)
{
	double last_y = -(double)INFINITY, last_iops = (double)INFINITY;
	size_t last = SIZE_MAX;

	for (size_t n = 0; n < c->cmp->n_rows; n++) {
		size_t best = SIZE_MAX;
		char class_name[32], level[VS_UNITS_TEXT_MAX];

		for (size_t i = 0; i < c->cmp->n_rows; i++) {
			double iops = c->cmp->rows[i].ceiling_iops;
			bool later = iops < last_iops || (iops <= last_iops && i > last);

			if (later && last != i &&
			    (best == SIZE_MAX || iops > c->cmp->rows[best].ceiling_iops))
				best = i;
		}
		if (best == SIZE_MAX) /* the rest have no level */
			return;
		last = best;
		last_iops = c->cmp->rows[best].ceiling_iops;
		last_y = fmax(y_of(c, last_iops) + 4, last_y + APART);
		if (last_y > BOTTOM + 30)
			return;
		(void)snprintf(class_name, sizeof(class_name), "name run%zu", best % COLOURS);
		vs_svg_label(c->out, class_name, RIGHT + 8, last_y,
			     vs_units_format_count(last_iops, level));
	}
}

int vs_compare_svg(const struct vs_comparison *cmp, FILE *out, struct vs_error *err)
{
	struct chart c = { .cmp = cmp, .out = out };

	find_ranges(&c);
	(void)fprintf(out,
		      "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" "
		      "aria-label=\"IOPS of each run over the time since it began\">\n",
		      (int)WIDTH, (int)HEIGHT);
	put_axes(&c);
	for (size_t i = 0; i < cmp->n_rows; i++) {
		struct vs_curve curve;

		if (vs_curve_make(cmp->rows[i].timeline->run, &curve, err) != 0)
			return -1;
		put_curve(&c, i, &curve);
		vs_curve_release(&curve);
	}
	for (size_t i = 0; i < cmp->n_rows; i++)
		put_levels(&c, i);
	put_names(&c);
	vs_svg_label(out, "axis", LEFT, TOP - 10, "IOPS");
	vs_svg_label(out, "axis mid", (LEFT + RIGHT) / 2, BOTTOM + 34, "time since the start");
	(void)fputs("</svg>\n", out);
	return 0;
}
