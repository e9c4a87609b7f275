/* Where a probe puts what it sees. The probe knows this, and not the store. */
#ifndef VS_BASE_SINK_H
#define VS_BASE_SINK_H

#include "base/error.h"
#include "base/sample.h"

/*
 * Each returns 0, or -1 with err filled; what is passed is borrowed for the call. Members are never
 * NULL. One thread calls at a time.
 */
struct vs_sink {
	void *ctx;
	int (*sample)(void *ctx, const struct vs_sample *sample, struct vs_error *err);
	int (*observation)(void *ctx, const struct vs_observation *obs, struct vs_error *err);
	int (*event)(void *ctx, const struct vs_event *event, struct vs_error *err);
};

/* Shorthands for probes; text is borrowed. */
int vs_sink_event(const struct vs_sink *sink, int64_t at_ns, const char *kind, struct vs_error *err,
		  const char *fmt, ...) VS_PRINTF(5, 6);
int vs_sink_number(const struct vs_sink *sink, int64_t at_ns, const char *source, const char *name,
		   double value, struct vs_error *err);
int vs_sink_text(const struct vs_sink *sink, int64_t at_ns, const char *source, const char *name,
		 const char *text, struct vs_error *err);

#endif
