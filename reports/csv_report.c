/* CSV: a row a plateau, or with --series a row a sample, which `volscale import` reads again. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "reports/facts.h"
#include "reports/formats.h"
#include "reports/json.h"
#include "reports/table.h"

static double seconds(int64_t ns)
{
	return (double)ns / 1e9;
}

/* Without the Z: spreadsheets take it for text then. The column's name says UTC. */
static const char *utc_at(const struct vs_run *run, int64_t ns, char *text)
{
	(void)vs_units_format_utc(run->started_wall_ms + (ns + 500000) / 1000000, text);
	text[strcspn(text, "Z")] = '\0';
	return text;
}

static int write_plateaus(const struct vs_timeline *timeline, FILE *out, struct vs_error *err)
{
	static const struct vs_column columns[] = {
		{ "index", NULL, VS_COLUMN_NUMBER, 0 },
		{ "phase", NULL, VS_COLUMN_TEXT, 0 },
		{ "start_s", NULL, VS_COLUMN_NUMBER, 0 },
		{ "end_s", NULL, VS_COLUMN_NUMBER, 0 },
		{ "start_utc", NULL, VS_COLUMN_TEXT, 0 },
		{ "end_utc", NULL, VS_COLUMN_TEXT, 0 },
		{ "samples", NULL, VS_COLUMN_NUMBER, 0 },
		{ "iops", NULL, VS_COLUMN_NUMBER, 2 },
		{ "spread_pct", NULL, VS_COLUMN_NUMBER, 3 },
		{ "mbps", NULL, VS_COLUMN_NUMBER, 3 },
		{ "vpu_estimate", NULL, VS_COLUMN_NUMBER, 2 },
		{ "tier", NULL, VS_COLUMN_TEXT, 0 },
		{ "direction", NULL, VS_COLUMN_TEXT, 0 },
	};
	char text[VS_UNITS_TEXT_MAX];
	struct vs_table table;
	int rc;

	vs_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < timeline->n_plateaus; i++) {
		const struct vs_plateau *p = &timeline->plateaus[i];
		const struct vs_step *step = vs_facts_step_to(timeline, i);

		vs_table_number(&table, (double)i);
		vs_table_text(&table, vs_phase_name(p->phase));
		vs_table_number(&table, seconds(p->start_ns));
		vs_table_number(&table, seconds(p->end_ns));
		vs_table_text(&table, utc_at(timeline->run, p->start_ns, text));
		vs_table_text(&table, utc_at(timeline->run, p->end_ns, text));
		vs_table_number(&table, (double)p->samples);
		vs_table_number(&table, round(p->iops * 100) / 100);
		vs_table_number(&table, round(p->spread_pct * 1000) / 1000);
		vs_table_number(&table, round(p->mbps * 1000) / 1000);
		vs_table_number(&table, round(p->vpu_estimate * 100) / 100);
		vs_table_text(&table, vs_facts_tier(timeline, i));
		vs_table_text(&table, step ? vs_direction_name(step->direction) : NULL);
	}
	rc = vs_table_write(&table, VS_TABLE_CSV, out, err);
	vs_table_release(&table);
	return rc;
}

/* A number and the comma before it; nothing for an unknown. */
static void put(FILE *out, double value, int decimals)
{
	char text[48];

	(void)fputc(',', out);
	(void)fputs(vs_json_format(value, decimals, text), out);
}

static double us_of(int64_t ns)
{
	return ns < 0 ? (double)NAN : (double)ns / 1e3;
}

static double rate_of(int64_t count, double length_s)
{
	return count < 0 || !(length_s > 0) ? (double)NAN : (double)count / length_s;
}

static void write_sample(const struct vs_run *run, const struct vs_sample *s, FILE *out)
{
	char text[VS_UNITS_TEXT_MAX];
	double length_s = seconds(s->length_ns);

	(void)fputs(vs_json_format(seconds(s->end_ns), 6, text), out);
	(void)fprintf(out, ",%s,%s", utc_at(run, s->end_ns, text),
		      vs_phase_name((enum vs_phase)s->phase));
	put(out, length_s > 0 ? s->ios / length_s : (double)NAN, 3);
	put(out, rate_of(s->bytes, length_s) / 1e6, 6);
	put(out, us_of(s->lat_p50_ns), 3);
	put(out, us_of(s->lat_p99_ns), 3);
	put(out, us_of(s->lat_p999_ns), 3);
	put(out, us_of(s->lat_max_ns), 3);
	put(out, s->errors, 0);
	put(out, s->inflight, 0);
	put(out, rate_of(s->device_reads, length_s), 3);
	put(out, rate_of(s->device_merges, length_s), 3);
	put(out, length_s, 9);
	(void)fputc(',', out);
	if (s->target < run->n_targets && run->targets[s->target].name)
		vs_csv_text(out, run->targets[s->target].name);
	(void)fputc('\n', out);
}

int vs_report_csv(const struct vs_timeline *timeline, const struct vs_report_options *options,
		  FILE *out, struct vs_error *err)
{
	if (!options->series)
		return write_plateaus(timeline, out, err);
	(void)fputs(
		"time_s,utc,phase,iops,mbps,lat_p50_us,lat_p99_us,lat_p999_us,lat_max_us,errors,"
		"inflight,device_iops,device_merges_per_s,length_s,target\n",
		out);
	for (size_t i = 0; i < timeline->run->n_samples; i++)
		write_sample(timeline->run, &timeline->run->samples[i], out);
	return 0;
}
