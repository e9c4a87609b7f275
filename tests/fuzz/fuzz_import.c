#include "fuzz_import.h"

#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/run.h"

struct seen {
	int64_t last_end_ns;
	size_t samples;
};

static int take_sample(void *ctx, const struct vs_sample *sample, struct vs_error *err)
{
	struct seen *seen = ctx;

	(void)err;
	VS_ASSERT(sample->length_ns > 0 && sample->end_ns >= sample->length_ns);
	VS_ASSERT(sample->end_ns > seen->last_end_ns);
	VS_ASSERT(isfinite(sample->ios) && sample->ios >= 0);
	VS_ASSERT(sample->bytes >= VS_UNKNOWN && sample->lat_p50_ns >= VS_UNKNOWN);
	seen->last_end_ns = sample->end_ns;
	seen->samples++;
	return 0;
}

static int take_observation(void *ctx, const struct vs_observation *obs, struct vs_error *err)
{
	(void)ctx;
	(void)err;
	VS_ASSERT(obs->name && obs->source && obs->at_ns >= 0);
	return 0;
}

static int take_event(void *ctx, const struct vs_event *event, struct vs_error *err)
{
	(void)ctx;
	(void)err;
	VS_ASSERT(event->kind && event->text && event->at_ns >= 0);
	return 0;
}

void vs_fuzz_import(const char *format, const uint8_t *data, size_t size)
{
	vs_fuzz_import_with(&(struct vs_import_options){ .format = format }, data, size);
}

void vs_fuzz_import_with(const struct vs_import_options *options, const uint8_t *data, size_t size)
{
	struct vs_import_summary summary;
	struct seen seen = { .samples = 0 };
	struct vs_sink sink = { &seen, take_sample, take_observation, take_event };
	struct vs_error err = { .code = VS_OK };
	char path[64];
	const char *paths[] = { path };
	struct vs_run head;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	VS_ASSERT(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	vs_run_init(&head);
	if (vs_import(paths, 1, options, &head, &sink, &summary, &err) == 0)
		VS_ASSERT(seen.samples > 0 && summary.samples == seen.samples);
	else
		VS_ASSERT(err.code != VS_OK && err.text[0]);
	vs_run_release(&head);
	(void)close(fd);
}
