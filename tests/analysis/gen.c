#include "gen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

uint64_t gen_next(struct gen *gen)
{
	uint64_t z = gen->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

double gen_uniform(struct gen *gen, double low, double high)
{
	return low + (high - low) * (double)(gen_next(gen) >> 11) * 0x1p-53;
}

double gen_normal(struct gen *gen)
{
	double u = gen_uniform(gen, 0x1p-53, 1);
	double v = gen_uniform(gen, 0, 2 * M_PI);

	return sqrt(-2 * log(u)) * cos(v);
}

void gen_release(struct gen_series *s)
{
	free(s->iops);
	free(s->changes);
	*s = (struct gen_series){ .n = 0 };
}

static void *grown(void *array, size_t n, size_t *room, size_t item)
{
	if (n < *room)
		return array;
	*room = *room ? *room * 2 : 1024;
	array = reallocarray(array, *room, item);
	VS_ASSERT(array);
	return array;
}

void gen_put(struct gen_series *s, double iops)
{
	s->iops = grown(s->iops, s->n, &s->room, sizeof(*s->iops));
	s->iops[s->n++] = iops;
}

void gen_level(struct gen *gen, struct gen_series *s, double level, size_t seconds, double noise,
	       double rho)
{
	double r = gen_normal(gen);

	if (s->n) {
		s->changes = grown(s->changes, s->n_changes, &s->room_changes, sizeof(double));
		s->changes[s->n_changes++] = (double)s->n;
	}
	for (size_t i = 0; i < seconds; i++) {
		gen_put(s, level * exp(noise * r));
		r = rho * r + sqrt(1 - rho * rho) * gen_normal(gen);
	}
}

void gen_overshoot(struct gen_series *s, size_t at, size_t seconds, double factor)
{
	for (size_t i = at; i < at + seconds && i < s->n; i++)
		s->iops[i] *= factor;
}

void gen_round(struct gen_series *s)
{
	for (size_t i = 0; i < s->n; i++) {
		double v = s->iops[i];
		double unit;

		if (!(v >= 1000))
			continue;
		unit = pow(10, floor(log10(v)) - 2);
		s->iops[i] = round(v / unit) * unit;
	}
}

void gen_damage(struct gen *gen, struct gen_series *s, double missing, double zero, double dips)
{
	for (size_t i = 1; i < s->n; i++) {
		double u = gen_uniform(gen, 0, 1);

		if (u < missing)
			s->iops[i] = (double)NAN;
		else if (u < missing + zero)
			s->iops[i] = 0;
		else if (u < missing + zero + dips)
			s->iops[i] *= gen_uniform(gen, 0.8, 0.97);
	}
}

void gen_ladder(double size_gb, struct vs_ladder *ladder)
{
	*ladder = (struct vs_ladder){ .provider = "oci",
				      .size_gb = size_gb,
				      .volumes = 1,
				      .tolerance_low_pct = 3,
				      .tolerance_high_pct = 3 };
	for (int vpu = 10; vpu <= 120; vpu += 10) {
		struct vs_tier *tier = &ladder->tiers[ladder->n_tiers++];

		(void)snprintf(tier->name, sizeof(tier->name), "%d", vpu);
		tier->vpu = vpu;
		tier->iops = fmin(size_gb * (45 + 1.5 * vpu), 2500.0 * vpu);
		tier->mbps = fmin(size_gb * (360 + 12 * vpu) / 1000, 280 + 20 * vpu);
		tier->price_month = (double)NAN;
	}
}

void gen_run(const struct gen_series *s, struct vs_run *run)
{
	struct vs_target target = { .name = (char *)(uintptr_t) "made", .size_bytes = VS_UNKNOWN };
	struct vs_error err = { .code = VS_OK };

	vs_run_init(run);
	run->interval_ns = 1000000000;
	run->workload.block_bytes = 4096;
	VS_ASSERT(vs_run_add_target(run, &target, &err) == 0);
	run->samples = calloc(s->n + 1, sizeof(*run->samples));
	VS_ASSERT(run->samples);
	for (size_t i = 0; i < s->n; i++) {
		if (isnan(s->iops[i]))
			continue;
		run->samples[run->n_samples++] = (struct vs_sample){
			.end_ns = (int64_t)(i + 1) * 1000000000,
			.length_ns = 1000000000,
			.ios = s->iops[i],
			.bytes = (int64_t)(fmin(s->iops[i], 1e12) * 4096),
			.lat_p50_ns = VS_UNKNOWN,
			.lat_p99_ns = VS_UNKNOWN,
			.lat_p999_ns = VS_UNKNOWN,
			.lat_max_ns = VS_UNKNOWN,
			.device_reads = VS_UNKNOWN,
			.device_merges = VS_UNKNOWN,
			.device_sectors = VS_UNKNOWN,
		};
	}
	run->duration_ns = (int64_t)s->n * 1000000000;
}
