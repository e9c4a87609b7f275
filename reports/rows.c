#include "reports/rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/units.h"
#include "reports/facts.h"
#include "reports/lang.h"

static double ms_of(int64_t ns)
{
	return ns < 0 ? (double)NAN : (double)ns / 1e6;
}

/* Whether there is anything to put into the provider's column. */
static bool is_told(const struct vs_timeline *timeline)
{
	for (size_t i = 0; i < timeline->n_plateaus; i++)
		if (!isnan(timeline->plateaus[i].provider_vpu))
			return true;
	return false;
}

static bool has_lag(const struct vs_timeline *timeline)
{
	for (size_t i = 0; i < timeline->n_steps; i++)
		if (timeline->steps[i].provider_at_ns >= 0)
			return true;
	return false;
}

/* "20 agrees", "20 differs", "20": the VPU that the provider says. */
static const char *provider_word(const struct vs_plateau *p, char text[32])
{
	if (isnan(p->provider_vpu))
		return NULL;
	(void)snprintf(text, 32, "%g%s", p->provider_vpu,
		       p->confirmed == VS_CONFIRMED_YES  ? " agrees"
		       : p->confirmed == VS_CONFIRMED_NO ? " DIFFERS"
							 : "");
	return text;
}

void vs_rows_plateaus(const struct vs_timeline *timeline, struct vs_table *table)
{
	static const struct vs_column columns[] = {
		{ "index", "#", VS_COLUMN_NUMBER, 0 },
		{ "phase", "phase", VS_COLUMN_TEXT, 0 },
		{ "start", "start", VS_COLUMN_RIGHT, 0 },
		{ "end", "end", VS_COLUMN_RIGHT, 0 },
		{ "iops", "IOPS", VS_COLUMN_NUMBER, 0 },
		{ "spread_pct", "\xc2\xb1%", VS_COLUMN_NUMBER, 1 },
		{ "mbps", "MB/s", VS_COLUMN_NUMBER, 0 },
		{ "p99_ms", "p99 ms", VS_COLUMN_NUMBER, 2 },
		{ "vpu_estimate", "VPU", VS_COLUMN_NUMBER, 1 },
		{ "tier", "tier", VS_COLUMN_RIGHT, 0 },
		{ "bound_by", "bound by", VS_COLUMN_TEXT, 0 },
		{ "provider", "provider", VS_COLUMN_TEXT, 0 },
	};
	bool told = is_told(timeline);
	char text[96], word[32];

	vs_table_init(table, columns, sizeof(columns) / sizeof(columns[0]) - !told);
	for (size_t i = 0; i < timeline->n_plateaus; i++) {
		const struct vs_plateau *p = &timeline->plateaus[i];

		vs_table_number(table, (double)i);
		vs_table_text(table, vs_phase_name(p->phase));
		vs_table_text(table, vs_facts_clock(p->start_ns, text));
		vs_table_text(table, vs_facts_clock(p->end_ns, text));
		vs_table_number(table, p->iops);
		vs_table_number(table, p->spread_pct);
		vs_table_number(table, p->mbps);
		vs_table_number(table, ms_of(p->latency.p99_ns));
		vs_table_number(table, p->vpu_estimate);
		vs_table_text(table, vs_facts_tier_names(timeline, i, text));
		vs_table_text(table, vs_bound_name(p->bound_by));
		if (told)
			vs_table_text(table, provider_word(p, word));
	}
}

void vs_rows_steps(const struct vs_timeline *timeline, struct vs_table *table)
{
	static const struct vs_column columns[] = {
		{ "index", "#", VS_COLUMN_NUMBER, 0 },
		{ "direction", "step", VS_COLUMN_TEXT, 0 },
		{ "at", "at", VS_COLUMN_RIGHT, 0 },
		{ "window_s", "\xc2\xb1 s", VS_COLUMN_NUMBER, 1 },
		{ "from_iops", "from IOPS", VS_COLUMN_NUMBER, 0 },
		{ "to_iops", "to IOPS", VS_COLUMN_NUMBER, 0 },
		{ "change_pct", "%", VS_COLUMN_NUMBER, 1 },
		{ "from_tier", "from", VS_COLUMN_RIGHT, 0 },
		{ "to_tier", "to", VS_COLUMN_RIGHT, 0 },
		{ "dwell", "after", VS_COLUMN_RIGHT, 0 },
		{ "overshoot_pct", "over %", VS_COLUMN_NUMBER, 0 },
		{ "lag_s", "lag s", VS_COLUMN_NUMBER, 1 },
	};
	bool told = has_lag(timeline);
	char text[96];

	vs_table_init(table, columns, sizeof(columns) / sizeof(columns[0]) - !told);
	for (size_t i = 0; i < timeline->n_steps; i++) {
		const struct vs_step *s = &timeline->steps[i];
		double from = timeline->plateaus[s->from].iops, to = timeline->plateaus[s->to].iops;

		vs_table_number(table, (double)i);
		vs_table_text(table, vs_direction_name(s->direction));
		vs_table_text(table, vs_facts_clock(s->at_ns, text));
		vs_table_number(table, (double)(s->at_high_ns - s->at_low_ns) / 2e9);
		vs_table_number(table, from);
		vs_table_number(table, to);
		vs_table_number(table, from > 0 ? 100 * (to / from - 1) : (double)NAN);
		vs_table_text(table, vs_facts_tier_names(timeline, s->from, text));
		vs_table_text(table, vs_facts_tier_names(timeline, s->to, text));
		vs_table_text(table, vs_lang_duration(&vs_lang_en, s->dwell_ns, text));
		vs_table_number(table, s->overshoot_pct > 0 ? s->overshoot_pct : (double)NAN);
		if (told)
			vs_table_number(table,
					s->provider_at_ns < 0
						? (double)NAN
						: (double)(s->at_ns - s->provider_at_ns) / 1e9);
	}
}
