#include "probes/queue.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct vs_queue {
	pthread_mutex_t lock; /* held for a copy only, never over a system call that can wait */
	int fd;
	size_t capacity, head, n;
	uint64_t dropped;
	struct vs_item items[];
};

int vs_queue_open(size_t capacity, struct vs_queue **out, struct vs_error *err)
{
	struct vs_queue *queue = calloc(1, sizeof(*queue) + capacity * sizeof(queue->items[0]));

	if (!queue)
		return vs_error_nomem(err);
	queue->capacity = capacity;
	queue->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (queue->fd < 0) {
		free(queue);
		return vs_error_sys(err, errno, "cannot make an eventfd");
	}
	VS_ASSERT(pthread_mutex_init(&queue->lock, NULL) == 0);
	*out = queue;
	return 0;
}

void vs_queue_free(struct vs_queue *queue)
{
	if (!queue)
		return;
	(void)close(queue->fd);
	(void)pthread_mutex_destroy(&queue->lock);
	free(queue);
}

bool vs_queue_put(struct vs_queue *queue, const struct vs_item *item)
{
	const uint64_t one = 1;
	bool fits;

	VS_ASSERT(pthread_mutex_lock(&queue->lock) == 0);
	fits = queue->n < queue->capacity;
	if (fits) {
		queue->items[(queue->head + queue->n) % queue->capacity] = *item;
		queue->n++;
	} else {
		queue->dropped++;
	}
	VS_ASSERT(pthread_mutex_unlock(&queue->lock) == 0);
	/* it is nonblocking, and can only refuse when it is readable already */
	if (write(queue->fd, &one, sizeof(one)) < 0)
		VS_ASSERT(errno == EAGAIN);
	return fits;
}

size_t vs_queue_take(struct vs_queue *queue, struct vs_item *items, size_t max)
{
	uint64_t count;
	size_t n;

	/* reset first: what comes in after this makes the fd readable again */
	if (read(queue->fd, &count, sizeof(count)) < 0)
		VS_ASSERT(errno == EAGAIN);
	VS_ASSERT(pthread_mutex_lock(&queue->lock) == 0);
	n = queue->n < max ? queue->n : max;
	for (size_t i = 0; i < n; i++)
		items[i] = queue->items[(queue->head + i) % queue->capacity];
	queue->head = (queue->head + n) % queue->capacity;
	queue->n -= n;
	count = queue->n;
	VS_ASSERT(pthread_mutex_unlock(&queue->lock) == 0);
	if (count > 0 && write(queue->fd, &(const uint64_t){ 1 }, sizeof(uint64_t)) < 0)
		VS_ASSERT(errno == EAGAIN);
	return n;
}

int vs_queue_fd(const struct vs_queue *queue)
{
	return queue->fd;
}

uint64_t vs_queue_take_dropped(struct vs_queue *queue)
{
	uint64_t dropped;

	VS_ASSERT(pthread_mutex_lock(&queue->lock) == 0);
	dropped = queue->dropped;
	queue->dropped = 0;
	VS_ASSERT(pthread_mutex_unlock(&queue->lock) == 0);
	return dropped;
}

static int put_sample(void *ctx, const struct vs_sample *sample, struct vs_error *err)
{
	const struct vs_item item = { .kind = VS_ITEM_SAMPLE,
				      .at_ns = sample->end_ns,
				      .sample = *sample };

	(void)err;
	(void)vs_queue_put(ctx, &item);
	return 0;
}

static int put_observation(void *ctx, const struct vs_observation *obs, struct vs_error *err)
{
	struct vs_item item = { .kind = VS_ITEM_OBSERVATION, .at_ns = obs->at_ns };

	(void)err;
	(void)snprintf(item.observation.source, sizeof(item.observation.source), "%s", obs->source);
	(void)snprintf(item.observation.name, sizeof(item.observation.name), "%s", obs->name);
	(void)snprintf(item.observation.text, sizeof(item.observation.text), "%s",
		       obs->text ? obs->text : "");
	item.observation.value = obs->value;
	item.observation.is_text = obs->text != NULL;
	(void)vs_queue_put(ctx, &item);
	return 0;
}

static int put_event(void *ctx, const struct vs_event *event, struct vs_error *err)
{
	struct vs_item item = { .kind = VS_ITEM_EVENT, .at_ns = event->at_ns };

	(void)err;
	(void)snprintf(item.event.kind, sizeof(item.event.kind), "%s", event->kind);
	(void)snprintf(item.event.text, sizeof(item.event.text), "%s", event->text);
	(void)vs_queue_put(ctx, &item);
	return 0;
}

struct vs_sink vs_queue_sink(struct vs_queue *queue)
{
	return (struct vs_sink){ .ctx = queue,
				 .sample = put_sample,
				 .observation = put_observation,
				 .event = put_event };
}

int vs_item_emit(const struct vs_item *item, const struct vs_sink *sink, struct vs_error *err)
{
	switch (item->kind) {
	case VS_ITEM_SAMPLE:
		return sink->sample(sink->ctx, &item->sample, err);
	case VS_ITEM_OBSERVATION:
		if (item->observation.is_text)
			return vs_sink_text(sink, item->at_ns, item->observation.source,
					    item->observation.name, item->observation.text, err);
		return vs_sink_number(sink, item->at_ns, item->observation.source,
				      item->observation.name, item->observation.value, err);
	case VS_ITEM_EVENT:
		return vs_sink_event(sink, item->at_ns, item->event.kind, err, "%s",
				     item->event.text);
	case VS_ITEM_PHASE:
	case VS_ITEM_END:
		break;
	}
	return 0;
}
