/* Facts about this machine for the run's host record. */
#ifndef VS_PROBES_HOST_H
#define VS_PROBES_HOST_H

#include "base/error.h"
#include "base/sink.h"

/*
 * Emits observations of source "host" at time 0: hostname, os, kernel, cpu, cpus, memory_mib,
 * clocksource. What cannot be read is left out. Fails only where the sink does.
 */
int vs_host_describe(const struct vs_sink *sink, struct vs_error *err) VS_MUST_CHECK;

#endif
