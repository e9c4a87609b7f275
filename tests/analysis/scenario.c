#include "scenario.h"

#include <math.h>

static void stairs(const struct scenario *s, struct gen *gen, struct gen_series *out, double noise)
{
	struct vs_ladder ladder;
	double past = 0;
	size_t levels = 5 + gen_next(gen) % 3;
	size_t first;

	gen_ladder(s->size_gb, &ladder);
	if (s->whole)
		levels = ladder.n_tiers;
	first = gen_next(gen) % (ladder.n_tiers - levels + 1);
	for (size_t i = 0; i < levels; i++) {
		size_t tier = first + (s->down ? levels - 1 - i : i);
		double level = ladder.tiers[tier].iops;
		size_t at = out->n;

		gen_level(gen, out, level, (size_t)gen_uniform(gen, s->a, s->b + 1), noise, s->rho);
		if (past > 0 && level > past) {
			double factor = gen_uniform(gen, 1.1, 1.4);

			gen_overshoot(out, at, 1 + (gen_next(gen) & 1), factor);
		}
		past = level;
	}
}

static void random_levels(const struct scenario *s, struct gen *gen, struct gen_series *out)
{
	double level = gen_uniform(gen, 8, 12);

	for (int i = 0; i < 10; i++) {
		double step = gen_uniform(gen, 0.15, 1.2);

		gen_level(gen, out, exp(level), (size_t)gen_uniform(gen, s->a, s->b + 1), s->noise,
			  s->rho);
		level += (gen_next(gen) & 1) || level < 6 ? step : -step;
		if (level > 13)
			level -= 2 * step;
	}
}

static void drift(const struct scenario *s, struct gen *gen, struct gen_series *out)
{
	gen_level(gen, out, 100000, (size_t)s->a, s->noise, s->rho);
	for (size_t i = 0; i < out->n; i++)
		out->iops[i] *= exp(log1p(s->b / 100) * (double)i / (double)out->n);
}

void scenario_make(const struct scenario *s, struct gen *gen, struct gen_series *out)
{
	double level = gen_uniform(gen, 5000, 300000);

	*out = (struct gen_series){ .n = 0 };
	switch (s->shape) {
	case STAIRS:
		stairs(s, gen, out, s->noise);
		break;
	case ONE_STEP:
		gen_level(gen, out, 215040, (size_t)s->a, s->noise, s->rho);
		gen_level(gen, out, 230400, (size_t)s->a, s->noise, s->rho);
		break;
	case FLAT:
		gen_level(gen, out, level, (size_t)s->a, s->noise, s->rho);
		break;
	case CREDIT:
		gen_level(gen, out, 3000, (size_t)s->a, s->noise, s->rho);
		gen_level(gen, out, 100, (size_t)s->b, s->noise, s->rho);
		break;
	case QUIET_NOISY:
		stairs(s, gen, out, 0.001);
		gen_level(gen, out, 360000, 120, 0.08, 0);
		break;
	case NOISY_QUIET:
		gen_level(gen, out, 360000, 120, 0.08, 0);
		stairs(s, gen, out, 0.001);
		break;
	case RANDOM_LEVELS:
		random_levels(s, gen, out);
		break;
	case DRIFT:
		drift(s, gen, out);
		break;
	}
	gen_damage(gen, out, s->missing, s->zero, s->dips);
	if (s->rounded)
		gen_round(out);
}
