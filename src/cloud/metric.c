#include "cloud/metric.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "cloud/json.h"
#include "model/json.h"

enum {
	MAX_STREAMS = 64
};

int64_t vs_oci_read_time(const char *text)
{
	struct tm tm = { 0 };
	int y, mo, d, h, mi, s, used = 0;
	int64_t ms = 0, scale = 100;
	time_t at;

	/* NOLINTNEXTLINE(cert-err34-c): every field's range is checked below */
	if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &y, &mo, &d, &h, &mi, &s, &used) != 6 ||
	    y < 1970 || mo < 1 || mo > 12 || d < 1 || d > 31 || h < 0 || h > 23 || mi < 0 ||
	    mi > 59 || s < 0 || s > 60)
		return -1;
	text += used;
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9'; text++, scale /= 10)
			ms += (*text - '0') * scale;
	if (strcmp(text, "Z") != 0 && strcmp(text, "+00:00") != 0)
		return -1;
	tm.tm_year = y - 1900;
	tm.tm_mon = mo - 1;
	tm.tm_mday = d;
	tm.tm_hour = h;
	tm.tm_min = mi;
	tm.tm_sec = s;
	at = timegm(&tm);
	return at < 0 ? -1 : (int64_t)at * 1000 + ms;
}

static int compare_points(const void *a, const void *b)
{
	const struct vs_oci_point *x = a, *y = b;

	return (x->wall_ms > y->wall_ms) - (x->wall_ms < y->wall_ms);
}

/* Adds what a stream says of a minute to what another already said. */
static void add_point(struct vs_oci_points *out, int64_t wall_ms, double value)
{
	for (size_t i = out->n; i-- > 0;)
		if (out->items[i].wall_ms == wall_ms) {
			out->items[i].value += value;
			return;
		}
	if (out->n < VS_OCI_POINTS_MAX)
		out->items[out->n++] = (struct vs_oci_point){ wall_ms, value };
}

int vs_oci_read_metric(const char *text, size_t len, struct vs_oci_points *out,
		       struct vs_error *err)
{
	json_t *root = vs_cloud_json_parse(text, len, err);

	out->n = 0;
	if (!root)
		return -1;
	if (!json_is_array(root)) {
		json_decref(root);
		return vs_error_set(err, VS_EFORMAT, 0, "the answer is not a list of metrics");
	}
	for (size_t i = 0; i < json_array_size(root) && i < MAX_STREAMS; i++) {
		const json_t *points =
			json_object_get(json_array_get(root, i), "aggregatedDatapoints");
		for (size_t k = 0; k < json_array_size(points) && k < VS_OCI_POINTS_MAX; k++) {
			const json_t *point = json_array_get(points, k);
			double value = vs_cloud_json_number(point, "value");
			char stamp[40];
			int64_t wall_ms;

			vs_cloud_json_text(point, "timestamp", stamp, sizeof(stamp));
			wall_ms = vs_oci_read_time(stamp);
			if (wall_ms >= 0 && !isnan(value))
				add_point(out, wall_ms, value);
		}
	}
	json_decref(root);
	qsort(out->items, out->n, sizeof(out->items[0]), compare_points);
	return 0;
}

/* The request's JSON; NULL without memory. */
static char *make_body(const char *volume_id, const struct vs_oci_metric *metric,
		       int64_t from_wall_ms, int64_t to_wall_ms)
{
	char query[512], from[VS_UNITS_TEXT_MAX], to[VS_UNITS_TEXT_MAX], *text;
	json_t *root;

	(void)snprintf(query, sizeof(query), "%s[1m]{resourceId = \"%s\"}.%s()", metric->name,
		       volume_id, metric->statistic);
	root = json_pack("{s:s, s:s, s:s, s:s, s:s}", "namespace", "oci_blockstore", "query", query,
			 "startTime", vs_units_format_utc(from_wall_ms, from), "endTime",
			 vs_units_format_utc(to_wall_ms, to), "resolution", "1m");
	text = root ? vs_json_dump(root, JSON_COMPACT) : NULL;
	json_decref(root);
	return text;
}

int vs_oci_get_metric(struct vs_oci *oci, const char *compartment_id, const char *volume_id,
		      const struct vs_oci_metric *metric, int64_t from_wall_ms, int64_t to_wall_ms,
		      struct vs_oci_points *out, struct vs_error *err)
{
	struct vs_oci_call call = { .name = "SummarizeMetricsData",
				    .service = VS_OCI_MONITORING,
				    .method = "POST",
				    .permission = "read metrics" };
	char *body = make_body(volume_id, metric, from_wall_ms, to_wall_ms);
	struct vs_http_response response;
	struct vs_buf target;
	int rc;

	vs_buf_init(&target, 2048);
	vs_buf_addf(&target, "/20180401/metrics/actions/summarizeMetricsData?compartmentId=");
	vs_oci_add_encoded(&target, compartment_id);
	vs_http_response_init(&response);
	call.body = body;
	call.target = target.data;
	rc = body && !target.failed ? vs_oci_call(oci, &call, &response, err) : vs_error_nomem(err);
	if (rc == 0 && vs_oci_read_metric(response.body.data, response.body.len, out, err) != 0)
		rc = vs_error_prefix(err, "%s: ", call.name);
	vs_http_response_release(&response);
	vs_buf_release(&target);
	free(body);
	return rc;
}
