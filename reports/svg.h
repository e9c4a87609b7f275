/* The static chart: for a page without scripts, for print, for a build without uPlot. */
#ifndef VS_REPORTS_SVG_H
#define VS_REPORTS_SVG_H

#include <stdio.h>

#include "model/timeline.h"
#include "reports/curve.h"
#include "reports/lang.h"

/* An svg element whose colours are the page's classes; a few 10 KB whatever the series' length. */
void vs_svg_timeline(const struct vs_timeline *timeline, const struct vs_curve *series,
		     const struct vs_lang *lang, FILE *out);

#endif
