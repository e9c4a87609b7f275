/* Runs made of stretches at a level, for the tests of what is said about a timeline. */
#ifndef VS_TESTS_VERDICT_RUN_H
#define VS_TESTS_VERDICT_RUN_H

#include "base/run.h"
#include "model/catalogue.h"

/* An OCI run of 4 KiB reads, 4 jobs x 256, one target, one second a sample; volumes 0 is 1. */
void verdict_run_init(struct vs_run *run, double size_gb, int64_t volumes);
/*
 * seconds at a level under load, or (idle) a probe of 2 s every 60 s. The noise is even and small,
 * and always the same.
 */
void verdict_run_add(struct vs_run *run, enum vs_phase phase, int seconds, double iops);
void verdict_run_observe(struct vs_run *run, const char *source, const char *name, double value,
			 const char *text);
/* The built-in ladder of the run's provider, size and volumes. */
void verdict_ladder(const struct vs_run *run, const struct vs_prices *prices,
		    struct vs_ladder *out);

#endif
