#include "base/sink.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* vs_event and vs_observation hold char * because a run owns them; a sink only reads. */
static char *borrow(const char *text)
{
	union {
		const char *in;
		char *out;
	} u = { .in = text };

	return u.out;
}

int vs_sink_event(const struct vs_sink *sink, int64_t at_ns, const char *kind, struct vs_error *err,
		  const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	const struct vs_event event = { .at_ns = at_ns, .kind = borrow(kind), .text = text };
	return sink->event(sink->ctx, &event, err);
}

int vs_sink_number(const struct vs_sink *sink, int64_t at_ns, const char *source, const char *name,
		   double value, struct vs_error *err)
{
	const struct vs_observation obs = {
		.at_ns = at_ns, .source = borrow(source), .name = borrow(name), .value = value
	};

	return sink->observation(sink->ctx, &obs, err);
}

int vs_sink_text(const struct vs_sink *sink, int64_t at_ns, const char *source, const char *name,
		 const char *text, struct vs_error *err)
{
	const struct vs_observation obs = { .at_ns = at_ns,
					    .source = borrow(source),
					    .name = borrow(name),
					    .value = (double)NAN,
					    .text = borrow(text) };

	return sink->observation(sink->ctx, &obs, err);
}
