/* A series out of any bytes: the timeline hangs together, live and offline, with a ladder and
 * without. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/live.h"
#include "gen.h"
#include "invariants.h"

#define READINGS_MAX 4096
#define S            INT64_C(1000000000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first bytes choose what is around the series. */
struct setting {
	bool ladder, no_ladder, probes, device, wild;
	int min_samples;
	unsigned int targets;
	double size_gb;
};

static struct setting read_setting(const uint8_t *data)
{
	return (struct setting){ .ladder = data[0] & 1,
				 .no_ladder = data[0] & 2,
				 .probes = data[0] & 4,
				 .device = data[0] & 8,
				 .wild = data[0] & 16,
				 .targets = 1 + (data[0] >> 5) % 3,
				 .min_samples = data[1] % 8,
				 .size_gb = 50.0 * (1 + data[1] / 8) };
}

/* A level and what becomes of it: two bytes a reading, or any double at all. */
static double next_value(const struct setting *s, const uint8_t *bytes, double level)
{
	double any;

	if (s->wild) {
		memcpy(&any, bytes, sizeof(any));
		return any;
	}
	return level * (1 + ((int)bytes[1] - 128) / 1000.0);
}

static void fill(const struct setting *s, const uint8_t *data, size_t size, struct vs_run *run)
{
	size_t each = s->wild ? 9 : 2;
	double level = 50000;
	int64_t now_ns = 0;

	run->samples = calloc(READINGS_MAX * s->targets + 1, sizeof(*run->samples));
	VS_ASSERT(run->samples);
	for (size_t i = 0; i < READINGS_MAX && (i + 1) * each <= size; i++) {
		const uint8_t *bytes = data + i * each;
		uint8_t what = bytes[0] >> 4;
		int64_t length_ns = what == 1 ? 17 * S / 10 : what == 2 ? 5 * S : S;
		double ios;

		if (what >= 12)
			level = 1000.0 * (1 + 16 * (what - 12) + (bytes[0] & 15));
		now_ns += what == 3 ? (bytes[0] & 15) * S + length_ns : length_ns;
		ios = next_value(s, bytes + (s->wild ? 1 : 0), what == 4 ? 0 : level);
		/* a probe says how far it has fallen: a tier is a fifteenth of the highest */
		if (s->probes && what == 10 && !s->wild)
			ios *= (15 - (bytes[0] & 15)) / 15.0;
		for (unsigned int t = 0; t < s->targets; t++)
			run->samples[run->n_samples++] = (struct vs_sample){
				.end_ns = now_ns + t,
				.length_ns = length_ns,
				.ios = ios,
				.resolution_ios = what == 5 ? 100 : 0,
				.bytes = what == 6 ? VS_UNKNOWN : 4096,
				.lat_p50_ns = what == 7 ? VS_UNKNOWN : bytes[1] * 1000,
				.lat_max_ns = 1000000,
				.device_reads = s->device ? (int64_t)(bytes[1] * 100) : VS_UNKNOWN,
				.device_sectors = s->device ? 800 : VS_UNKNOWN,
				.flags = what == 2 || what == 1 ? VS_SAMPLE_LATE
					 : what == 8            ? VS_SAMPLE_BIASED
								: 0,
				.target = (uint16_t)t,
				.phase = (uint16_t)(!s->probes   ? VS_PHASE_LOAD
						    : what == 9  ? VS_PHASE_IDLE
						    : what == 10 ? VS_PHASE_PROBE
						    : what == 11 ? VS_PHASE_RAMP
								 : VS_PHASE_LOAD),
			};
	}
	run->duration_ns = now_ns + s->targets;
}

static void follow_live(const struct vs_run *run, const struct vs_ladder *ladder)
{
	struct vs_live *live;
	struct vs_live_step step;
	struct vs_error err = { .code = VS_OK };

	VS_ASSERT(vs_live_open(ladder, 4096, &live, &err) == 0);
	for (size_t i = 0; i < run->n_samples; i++) {
		const struct vs_sample *s = &run->samples[i];

		VS_ASSERT(vs_live_put(live, s->end_ns - s->length_ns, s->end_ns,
				      s->ios * 1e9 / (double)s->length_ns, &step, &err) == 0);
		VS_ASSERT(step.news == VS_LIVE_NOTHING || step.at_ns < s->end_ns);
	}
	vs_live_free(live);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gen_series none = { .n = 0 };
	struct vs_target more = { .name = (char *)(uintptr_t) "more", .size_bytes = VS_UNKNOWN };
	struct vs_error err = { .code = VS_OK };
	struct vs_analysis_options options = { .explain = NULL };
	struct vs_timeline timeline;
	struct vs_ladder ladder;
	struct vs_run run;
	struct setting s;
	const char *broken;

	if (size < 4)
		return 0;
	s = read_setting(data);
	gen_run(&none, &run);
	free(run.samples);
	for (unsigned int t = 1; t < s.targets; t++)
		VS_ASSERT(vs_run_add_target(&run, &more, &err) == 0);
	run.targets[0].is_device = s.device;
	fill(&s, data + 2, size - 2, &run);
	gen_ladder(s.size_gb, &ladder);
	options.no_ladder = s.no_ladder;
	options.min_plateau_samples = s.min_samples;
	vs_timeline_init(&timeline);
	VS_ASSERT(vs_analyse(&run, s.ladder ? &ladder : NULL, &options, &timeline, &err) == 0);
	broken = invariants_broken(&timeline);
	if (broken)
		(void)fprintf(stderr, "broken: %s\n", broken);
	VS_ASSERT(!broken);
	follow_live(&run, s.ladder ? &ladder : NULL);
	vs_timeline_release(&timeline);
	vs_run_release(&run);
	return 0;
}
