/* Seeded series that carry a trait, with the truth beside them. For tests and measurements. */
#ifndef TESTS_ANALYSIS_GEN_H
#define TESTS_ANALYSIS_GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/run.h"
#include "model/catalogue.h"

struct gen {
	uint64_t state;
};

/* A series being made: one reading a second, NAN where one is missing, and its true changes. */
struct gen_series {
	double *iops;
	size_t n, room;
	double *changes; /* seconds, of each true change */
	size_t n_changes, room_changes;
};

uint64_t gen_next(struct gen *gen);
double gen_uniform(struct gen *gen, double low, double high);
double gen_normal(struct gen *gen);

void gen_release(struct gen_series *series);
void gen_put(struct gen_series *series, double iops);
/* seconds readings at level x exp(noise x AR(1) normal); a change is noted unless at the start. */
void gen_level(struct gen *gen, struct gen_series *series, double level, size_t seconds,
	       double noise, double rho);
/* The last `seconds` readings were an overshoot: they become level x factor. */
void gen_overshoot(struct gen_series *series, size_t at, size_t seconds, double factor);
/* Rounds to 3 significant digits above 1000, as fio prints. */
void gen_round(struct gen_series *series);
/* Shares of the readings that become missing, zero, or a dip of 3-20 %. */
void gen_damage(struct gen *gen, struct gen_series *series, double missing, double zero,
		double dips);
/* OCI's ladder of a size as the catalogue's formula gives it, VPU 10 to 120. */
void gen_ladder(double size_gb, struct vs_ladder *ladder);
/* A run of one target and one second a reading; aborts for want of memory. */
void gen_run(const struct gen_series *series, struct vs_run *run);

#endif
