/* What the measuring threads hand to the recorder: a bounded queue that never makes them wait. */
#ifndef VS_PROBES_QUEUE_H
#define VS_PROBES_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/sample.h"
#include "base/sink.h"

enum vs_item_kind {
	VS_ITEM_SAMPLE,
	VS_ITEM_PHASE,
	VS_ITEM_OBSERVATION,
	VS_ITEM_EVENT,
	VS_ITEM_END
};

/* Fixed size, so that nothing is allocated while measuring; longer texts are cut. */
struct vs_item {
	enum vs_item_kind kind;
	int64_t at_ns;
	union {
		struct vs_sample sample;
		enum vs_phase phase; /* the one that begins at at_ns */
		struct {
			char source[24], name[48], text[320];
			double value;
			bool is_text;
		} observation;
		struct {
			char kind[32], text[360];
		} event;
	};
};

struct vs_queue;

int vs_queue_open(size_t capacity, struct vs_queue **out, struct vs_error *err) VS_MUST_CHECK;
void vs_queue_free(struct vs_queue *queue);
/* Copies the item in; false, and counted, when the queue is full. Any thread. */
bool vs_queue_put(struct vs_queue *queue, const struct vs_item *item);
/* Up to max items out, oldest first; never waits. One thread. */
size_t vs_queue_take(struct vs_queue *queue, struct vs_item *items, size_t max);
/* Readable (poll) while there is something to take. Borrowed. */
int vs_queue_fd(const struct vs_queue *queue);
/* Items refused since the last call. */
uint64_t vs_queue_take_dropped(struct vs_queue *queue);

/* A sink that puts into the queue; a full queue is no error of the probe's. */
struct vs_sink vs_queue_sink(struct vs_queue *queue);
/* Hands an item on to a sink. PHASE and END have no sink function and are left to the caller. */
int vs_item_emit(const struct vs_item *item, const struct vs_sink *sink, struct vs_error *err);

#endif
