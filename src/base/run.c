#include "base/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *const source_names[] = { "observe", "watch", "rehearse", "import" };
static const char *const end_names[] = { "running", "completed", "interrupted", "failed",
					 "crashed" };
static const char *const phase_names[] = { "load", "idle", "probe", "ramp" };

static int value_of(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return (int)i;
	return -1;
}

const char *vs_source_name(enum vs_source source)
{
	return source_names[source];
}

const char *vs_end_name(enum vs_end end)
{
	return end_names[end];
}

const char *vs_phase_name(enum vs_phase phase)
{
	return phase_names[phase];
}

int vs_source_value(const char *name)
{
	return value_of(source_names, COUNT(source_names), name);
}

int vs_end_value(const char *name)
{
	return value_of(end_names, COUNT(end_names), name);
}

int vs_phase_value(const char *name)
{
	return value_of(phase_names, COUNT(phase_names), name);
}

void vs_run_init(struct vs_run *run)
{
	*run = (struct vs_run){
		.size_gb = (double)NAN,
		.instance_gbps = (double)NAN,
		.interval_ns = 1000000000,
		.workload = { .block_bytes = VS_UNKNOWN,
			      .iodepth = VS_UNKNOWN,
			      .numjobs = VS_UNKNOWN,
			      .rate_iops = VS_UNKNOWN },
	};
}

void vs_run_release(struct vs_run *run)
{
	for (size_t i = 0; i < run->n_targets; i++) {
		free(run->targets[i].name);
		free(run->targets[i].device);
	}
	for (size_t i = 0; i < run->n_observations; i++) {
		free(run->observations[i].source);
		free(run->observations[i].name);
		free(run->observations[i].text);
	}
	for (size_t i = 0; i < run->n_events; i++) {
		free(run->events[i].kind);
		free(run->events[i].text);
	}
	free(run->targets);
	free(run->phases);
	free(run->samples);
	free(run->observations);
	free(run->events);
	free(run->label);
	free(run->provider);
	free(run->workload.rw);
	vs_run_init(run);
}

/* Makes room for one more: capacities are the powers of two, so the count alone tells when. */
static int grow(void **array, size_t n, size_t item_bytes, struct vs_error *err)
{
	size_t cap = n ? n * 2 : 1;
	void *bigger;

	if (n & (n - 1))
		return 0;
	bigger = reallocarray(*array, cap, item_bytes);
	if (!bigger)
		return vs_error_nomem(err);
	*array = bigger;
	return 0;
}

int vs_run_set_text(char **field, const char *text, struct vs_error *err)
{
	char *copy = NULL;

	if (text && !(copy = strdup(text)))
		return vs_error_nomem(err);
	free(*field);
	*field = copy;
	return 0;
}

int vs_run_add_target(struct vs_run *run, const struct vs_target *target, struct vs_error *err)
{
	struct vs_target copy = *target;
	void *array = run->targets;

	copy.name = NULL;
	copy.device = NULL;
	if (grow(&array, run->n_targets, sizeof(copy), err) != 0)
		return -1;
	run->targets = array;
	if (vs_run_set_text(&copy.name, target->name, err) != 0)
		return -1;
	if (vs_run_set_text(&copy.device, target->device, err) != 0) {
		free(copy.name);
		return -1;
	}
	run->targets[run->n_targets++] = copy;
	return 0;
}

int vs_run_add_phase(struct vs_run *run, int64_t start_ns, enum vs_phase phase,
		     struct vs_error *err)
{
	void *array = run->phases;

	if (grow(&array, run->n_phases, sizeof(run->phases[0]), err) != 0)
		return -1;
	run->phases = array;
	run->phases[run->n_phases++] =
		(struct vs_phase_mark){ .start_ns = start_ns, .phase = phase };
	return 0;
}

int vs_run_add_sample(struct vs_run *run, const struct vs_sample *sample, struct vs_error *err)
{
	void *array = run->samples;

	if (grow(&array, run->n_samples, sizeof(*sample), err) != 0)
		return -1;
	run->samples = array;
	run->samples[run->n_samples++] = *sample;
	return 0;
}

int vs_run_add_observation(struct vs_run *run, const struct vs_observation *obs,
			   struct vs_error *err)
{
	struct vs_observation copy = { .at_ns = obs->at_ns, .value = obs->value };
	void *array = run->observations;

	if (grow(&array, run->n_observations, sizeof(copy), err) != 0)
		return -1;
	run->observations = array;
	if (vs_run_set_text(&copy.source, obs->source, err) != 0 ||
	    vs_run_set_text(&copy.name, obs->name, err) != 0 ||
	    vs_run_set_text(&copy.text, obs->text, err) != 0) {
		free(copy.source);
		free(copy.name);
		return -1;
	}
	run->observations[run->n_observations++] = copy;
	return 0;
}

int vs_run_add_event(struct vs_run *run, const struct vs_event *event, struct vs_error *err)
{
	struct vs_event copy = { .at_ns = event->at_ns };
	void *array = run->events;

	if (grow(&array, run->n_events, sizeof(copy), err) != 0)
		return -1;
	run->events = array;
	if (vs_run_set_text(&copy.kind, event->kind, err) != 0 ||
	    vs_run_set_text(&copy.text, event->text, err) != 0) {
		free(copy.kind);
		return -1;
	}
	run->events[run->n_events++] = copy;
	return 0;
}

const struct vs_observation *vs_run_find(const struct vs_run *run, const char *source,
					 const char *name)
{
	for (size_t i = run->n_observations; i-- > 0;) {
		const struct vs_observation *obs = &run->observations[i];
		if (strcmp(obs->source, source) == 0 && strcmp(obs->name, name) == 0)
			return obs;
	}
	return NULL;
}

void vs_run_make_uuid(char uuid[37])
{
	unsigned char b[16];

	VS_ASSERT(getrandom(b, sizeof(b), 0) == (ssize_t)sizeof(b));
	b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
	b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
	(void)snprintf(uuid, 37,
		       "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0],
		       b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12],
		       b[13], b[14], b[15]);
}
