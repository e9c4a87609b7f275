#include "reports/svg.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "reports/facts.h"
#include "reports/json.h"
#include "reports/svg_draw.h"
#include "reports/table.h"

#define WIDTH   960.0
#define LEFT    70.0
#define RIGHT   896.0 /* without an axis of the control plane */
#define RIGHT2  846.0 /* with one */
#define AXIS2   908.0
#define TOP     28.0
#define BOTTOM  300.0 /* of the IOPS panel */
#define TOP2    330.0
#define BOTTOM2 420.0 /* of the latency panel */
#define COLUMNS 826   /* one a pixel */

struct chart {
	const struct vs_timeline *timeline;
	const struct vs_curve *series;
	struct vs_control control;
	double end_s, iops_max, lat_max_ms;
	bool latency; /* there is a latency to draw */
	double foot;  /* lower edge of the lowest panel */
	double right; /* edge of the plots: the control plane's axis takes room */
	double vpu_max;
	FILE *out;
};

static double x_of(const struct chart *c, double s)
{
	return LEFT + (c->right - LEFT) * fmin(fmax(s / c->end_s, 0), 1);
}

static double y_of(const struct chart *c, double iops)
{
	return BOTTOM - (BOTTOM - TOP) * fmin(iops / c->iops_max, 1);
}

static double y2_of(const struct chart *c, double ms)
{
	return BOTTOM2 - (BOTTOM2 - TOP2) * fmin(ms / c->lat_max_ms, 1);
}

static void find_ranges(struct chart *c)
{
	const struct vs_curve *s = c->series;
	double top = 0;

	c->end_s = (double)c->timeline->run->duration_ns / 1e9;
	for (size_t i = 0; i < s->n; i++) {
		top = fmax(top, s->points[i].iops);
		c->lat_max_ms = fmax(c->lat_max_ms, (double)s->points[i].p99_ns / 1e6);
		c->latency = c->latency || s->points[i].p99_ns >= 0;
		c->end_s = fmax(c->end_s, (double)s->points[i].end_ns / 1e9);
	}
	c->iops_max = top > 0 ? top * 1.05 : 1;
	c->lat_max_ms = c->lat_max_ms > 0 ? c->lat_max_ms * 1.05 : 1;
	if (!(c->end_s > 0))
		c->end_s = 1;
	c->foot = c->latency ? BOTTOM2 : BOTTOM;
	c->right = c->control.name ? RIGHT2 : RIGHT;
	c->vpu_max = 120;
	for (size_t i = 0; i < c->timeline->run->n_observations; i++)
		if (vs_control_is(&c->control, &c->timeline->run->observations[i]))
			c->vpu_max = fmax(c->vpu_max, c->timeline->run->observations[i].value);
	c->vpu_max *= 1.05;
}

static void put_axes(const struct chart *c)
{
	double step = vs_svg_step(c->iops_max, 6);
	char text[VS_UNITS_TEXT_MAX];

	for (int i = 0; i * step <= c->iops_max; i++) {
		double v = i * step;

		vs_svg_line(c->out, "grid", LEFT, y_of(c, v), c->right, y_of(c, v));
		vs_svg_label(c->out, "axis end", LEFT - 8, y_of(c, v) + 4,
			     vs_units_format_count(v, text));
	}
	step = vs_svg_step(c->lat_max_ms, 3);
	for (int i = 0; c->latency && i * step <= c->lat_max_ms; i++) {
		double v = i * step;

		vs_svg_line(c->out, "grid", LEFT, y2_of(c, v), c->right, y2_of(c, v));
		vs_svg_label(c->out, "axis end", LEFT - 8, y2_of(c, v) + 4,
			     vs_json_format(v, 3, text));
	}
	step = vs_svg_time_step(c->end_s);
	for (int i = 0; i * step <= c->end_s * 1.001; i++) {
		double t = i * step;

		vs_svg_label(c->out, "axis mid", x_of(c, t), c->foot + 16,
			     vs_facts_clock((int64_t)(t * 1e9), text));
	}
}

static void put_phases(const struct chart *c)
{
	const struct vs_run *run = c->timeline->run;

	for (size_t i = 0; i < run->n_phases; i++) {
		double from = (double)run->phases[i].start_ns / 1e9;
		double to = i + 1 < run->n_phases ? (double)run->phases[i + 1].start_ns / 1e9
						  : c->end_s;
		if (run->phases[i].phase == VS_PHASE_LOAD)
			continue;
		vs_svg_num(c->out, "<rect class=\"idle\" x=\"", x_of(c, from), "\" ");
		vs_svg_num(c->out, "width=\"", x_of(c, to) - x_of(c, from), "\" ");
		vs_svg_num(c->out, "y=\"", TOP, "\" ");
		vs_svg_num(c->out, "height=\"", c->foot - TOP, "\"/>\n");
	}
}

static bool was_seen(const struct vs_timeline *timeline, size_t tier)
{
	for (size_t i = 0; i < timeline->n_plateaus; i++)
		if (timeline->plateaus[i].tiers >> tier & 1)
			return true;
	return false;
}

/* The promises of the tiers that were seen; named are the highest and those with room below it. */
static void put_tiers(const struct chart *c)
{
	const struct vs_timeline *timeline = c->timeline;
	int64_t block = timeline->run->workload.block_bytes;
	double last_y = (double)INFINITY, top_y;
	size_t top = 0;

	for (size_t t = 0; timeline->ladder && t < timeline->ladder->n_tiers; t++)
		if (was_seen(timeline, t))
			top = t;
	top_y = timeline->ladder && timeline->ladder->n_tiers > 0
			? y_of(c, vs_tier_ceiling_iops(&timeline->ladder->tiers[top], block))
			: 0;
	for (size_t t = 0; timeline->ladder && t < timeline->ladder->n_tiers; t++) {
		const struct vs_tier *tier = &timeline->ladder->tiers[t];
		double y = y_of(c, vs_tier_ceiling_iops(tier, block));

		if (!was_seen(timeline, t))
			continue;
		vs_svg_line(c->out, "tier", LEFT, y, c->right, y);
		if (last_y - y < 11 || (t != top && y - top_y < 11))
			continue;
		last_y = y;
		(void)fputs(isfinite(tier->vpu) ? "<g class=\"vpu\">" : "<g>", c->out);
		vs_svg_label(c->out, "tiername", c->right + 6, y + 4, tier->name);
		(void)fputs("</g>", c->out);
	}
}

/* A pixel column of a line under way: its lowest and highest value. */
struct stroke {
	double x, lo, hi;
	bool drawing; /* joined to the stroke before */
};

static void put_stroke(const struct chart *c, struct stroke *stroke, bool latency)
{
	if (stroke->hi < stroke->lo)
		return;
	vs_svg_num(c->out, stroke->drawing ? "L" : "M", stroke->x, ",");
	vs_svg_num(c->out, "", latency ? y2_of(c, stroke->lo) : y_of(c, stroke->lo), "");
	if (stroke->hi > stroke->lo)
		vs_svg_num(c->out, "V", latency ? y2_of(c, stroke->hi) : y_of(c, stroke->hi), "");
	*stroke =
		(struct stroke){ .lo = (double)INFINITY, .hi = -(double)INFINITY, .drawing = true };
}

/* Of more points than pixels, each pixel's lowest and highest: no outlier is lost. */
static void put_line(const struct chart *c, bool latency)
{
	struct stroke stroke = { .lo = (double)INFINITY, .hi = -(double)INFINITY };
	const struct vs_curve *s = c->series;

	(void)fprintf(c->out, "<path class=\"%s\" d=\"", latency ? "p99" : "iops");
	for (size_t i = 0; i < s->n; i++) {
		const struct vs_point *p = &s->points[i];
		double v = latency ? (double)p->p99_ns / 1e6 : p->iops;
		double x = x_of(c, (double)p->end_ns / 1e9);

		if (s->n <= COLUMNS || floor(x) > floor(stroke.x))
			put_stroke(c, &stroke, latency);
		if (p->phase == VS_PHASE_IDLE || p->phase == VS_PHASE_PROBE || v < 0) {
			put_stroke(c, &stroke, latency);
			stroke.drawing = false;
			continue;
		}
		if (vs_curve_gap(s, i, c->timeline->run->interval_ns)) {
			put_stroke(c, &stroke, latency);
			stroke.drawing = false;
		}
		stroke.x = x;
		stroke.lo = fmin(stroke.lo, v);
		stroke.hi = fmax(stroke.hi, v);
	}
	put_stroke(c, &stroke, latency);
	(void)fputs("\"/>\n", c->out);
}

static void put_probes(const struct chart *c)
{
	const struct vs_curve *s = c->series;
	size_t every = 1, n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->points[i].phase == VS_PHASE_PROBE;
	every = 1 + n / COLUMNS;
	n = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (s->points[i].phase != VS_PHASE_PROBE || n++ % every)
			continue;
		vs_svg_num(c->out, "<circle class=\"probe\" r=\"2\" cx=\"",
			   x_of(c, (double)s->points[i].end_ns / 1e9), "\" ");
		vs_svg_num(c->out, "cy=\"", y_of(c, s->points[i].iops), "\"/>\n");
		if (s->points[i].p99_ns < 0)
			continue;
		vs_svg_num(c->out, "<circle class=\"probelat\" r=\"1.5\" cx=\"",
			   x_of(c, (double)s->points[i].end_ns / 1e9), "\" ");
		vs_svg_num(c->out, "cy=\"", y2_of(c, (double)s->points[i].p99_ns / 1e6), "\"/>\n");
	}
}

static void put_plateaus(const struct chart *c)
{
	const struct vs_pending *pending = &c->timeline->pending;
	double last_x = -100;

	for (size_t i = 0; i < c->timeline->n_plateaus; i++) {
		const struct vs_plateau *p = &c->timeline->plateaus[i];
		double x1 = x_of(c, (double)p->start_ns / 1e9),
		       x2 = x_of(c, (double)p->end_ns / 1e9);
		char text[VS_UNITS_TEXT_MAX];

		vs_svg_line(c->out, "level", x1, y_of(c, p->iops), x2, y_of(c, p->iops));
		if ((x1 + x2) / 2 - last_x < 56)
			continue;
		last_x = (x1 + x2) / 2;
		vs_svg_label(c->out, "value mid", last_x, fmax(y_of(c, p->iops) - 7, TOP + 4),
			     vs_units_format_count(p->iops, text));
	}
	if (pending->present)
		vs_svg_line(c->out, "pending", x_of(c, (double)pending->start_ns / 1e9),
			    y_of(c, pending->iops), x_of(c, c->end_s), y_of(c, pending->iops));
}

static void put_dips(const struct chart *c)
{
	for (size_t i = 0; i < c->timeline->n_dips && i < COLUMNS; i++) {
		const struct vs_dip *dip = &c->timeline->dips[i];
		double from = x_of(c, (double)dip->at_ns / 1e9);
		double to = x_of(c, (double)(dip->at_ns + dip->duration_ns) / 1e9);

		vs_svg_num(c->out, "<rect class=\"dip\" x=\"", from, "\" ");
		vs_svg_num(c->out, "width=\"", fmax(to - from, 2), "\" ");
		vs_svg_num(c->out, "y=\"", TOP, "\" ");
		vs_svg_num(c->out, "height=\"", BOTTOM - TOP, "\"/>\n");
	}
}

static double vpu_y(const struct chart *c, double vpu)
{
	return BOTTOM - (BOTTOM - TOP) * fmin(fmax(vpu / c->vpu_max, 0), 1);
}

/* What the control plane said, held until it said something else, on an axis of its own. */
static void put_control(const struct chart *c, const struct vs_lang *lang)
{
	const struct vs_run *run = c->timeline->run;
	double step = vs_svg_step(c->vpu_max, 6);
	bool drawing = false;
	char text[48];

	if (!c->control.name)
		return;
	(void)fputs("<path class=\"control\" d=\"", c->out);
	for (size_t i = 0; i < run->n_observations; i++) {
		const struct vs_observation *obs = &run->observations[i];

		if (!vs_control_is(&c->control, obs))
			continue;
		vs_svg_num(c->out, drawing ? "H" : "M", x_of(c, (double)obs->at_ns / 1e9), "");
		vs_svg_num(c->out, drawing ? "V" : ",", vpu_y(c, obs->value), "");
		drawing = true;
	}
	vs_svg_num(c->out, "H", x_of(c, c->end_s), "\"/>\n");
	for (int i = 0; i * step <= c->vpu_max; i++) {
		double v = i * step;

		vs_svg_label(c->out, "controlname", AXIS2, vpu_y(c, v) + 4,
			     vs_json_format(v, 0, text));
	}
	vs_svg_label(c->out, "controlname end", WIDTH, TOP - 8, lang->text[VS_MSG_CHART_VPU]);
}

/* A number a step, that leads to its line of the table; left out where there is no room. */
static void put_steps(const struct chart *c)
{
	double last_x = -100;

	for (size_t i = 0; i < c->timeline->n_steps; i++) {
		const struct vs_step *step = &c->timeline->steps[i];
		double x = x_of(c, (double)step->at_ns / 1e9);
		char text[24];

		if (x - last_x < 20)
			continue;
		last_x = x;
		(void)snprintf(text, sizeof(text), "%zu", i);
		(void)fprintf(c->out, "<a href=\"#step-%zu\" class=\"%s\">", i,
			      vs_direction_name(step->direction));
		vs_svg_line(c->out, "stem", x, TOP + 8, x, TOP + 24);
		vs_svg_num(c->out, "<circle class=\"mark\" r=\"8\" cx=\"", x, "\" ");
		vs_svg_num(c->out, "cy=\"", TOP, "\"/>\n");
		vs_svg_label(c->out, "mid", x, TOP + 4, text);
		(void)fputs("</a>\n", c->out);
	}
}

void vs_svg_timeline(const struct vs_timeline *timeline, const struct vs_curve *series,
		     const struct vs_lang *lang, FILE *out)
{
	struct chart c = { .timeline = timeline, .series = series, .out = out };

	vs_control_find(timeline->run, &c.control);
	find_ranges(&c);
	(void)fprintf(out,
		      "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"group\" aria-label=\"",
		      (int)WIDTH, (int)c.foot + 34);
	vs_html_text(out, lang->text[VS_MSG_CHART_LABEL]);
	(void)fputs("\">\n", out);
	put_phases(&c);
	put_dips(&c);
	put_axes(&c);
	put_tiers(&c);
	put_line(&c, false);
	put_probes(&c);
	put_plateaus(&c);
	if (c.latency)
		put_line(&c, true);
	put_control(&c, lang);
	put_steps(&c);
	vs_svg_label(out, "axis", LEFT, TOP - 14, lang->text[VS_MSG_COL_IOPS]);
	if (c.latency)
		vs_svg_label(out, "axis", LEFT, TOP2 - 8, lang->text[VS_MSG_CHART_LATENCY]);
	vs_svg_label(out, "axis mid", (LEFT + c.right) / 2, c.foot + 30,
		     lang->text[VS_MSG_CHART_TIME]);
	if (timeline->ladder && timeline->n_plateaus > 0 && !c.control.name)
		vs_svg_label(out, "axis", c.right + 6, TOP - 8, lang->text[VS_MSG_COL_TIER]);
	(void)fputs("</svg>\n", out);
}
