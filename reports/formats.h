/* The writers behind the table of formats. */
#ifndef VS_REPORTS_FORMATS_H
#define VS_REPORTS_FORMATS_H

#include "reports/report.h"

int vs_report_text(const struct vs_timeline *timeline, const struct vs_report_options *options,
		   FILE *out, struct vs_error *err);
int vs_report_csv(const struct vs_timeline *timeline, const struct vs_report_options *options,
		  FILE *out, struct vs_error *err);
int vs_report_json(const struct vs_timeline *timeline, const struct vs_report_options *options,
		   FILE *out, struct vs_error *err);
int vs_report_markdown(const struct vs_timeline *timeline, const struct vs_report_options *options,
		       FILE *out, struct vs_error *err);
int vs_report_html(const struct vs_timeline *timeline, const struct vs_report_options *options,
		   FILE *out, struct vs_error *err);

struct vs_json;
/* The design's timeline object; the lists of observations and events only when asked. */
void vs_report_json_timeline(const struct vs_timeline *timeline, struct vs_json *json,
			     const char *key, bool with_lists);

#endif
