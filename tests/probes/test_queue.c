/* The queue between the measuring threads and the recorder: order, bound, threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>

#include "probes/queue.h"

static void a_full_queue_refuses_and_counts(void **state)
{
	(void)state;
	struct vs_queue *queue;
	struct vs_item item = { .kind = VS_ITEM_SAMPLE }, out[8];

	assert_int_equal(vs_queue_open(4, &queue, NULL), 0);
	for (int i = 0; i < 6; i++) {
		item.at_ns = i;
		assert_true(vs_queue_put(queue, &item) == (i < 4));
	}
	assert_int_equal(vs_queue_take(queue, out, 8), 4);
	for (int i = 0; i < 4; i++)
		assert_int_equal(out[i].at_ns, i);
	assert_int_equal(vs_queue_take_dropped(queue), 2);
	assert_int_equal(vs_queue_take_dropped(queue), 0);
	vs_queue_free(queue);
}

static void readable_exactly_while_not_empty(void **state)
{
	(void)state;
	struct vs_queue *queue;
	struct vs_item item = { .kind = VS_ITEM_END }, out;
	struct pollfd fd = { .events = POLLIN };

	assert_int_equal(vs_queue_open(4, &queue, NULL), 0);
	fd.fd = vs_queue_fd(queue);
	assert_int_equal(poll(&fd, 1, 0), 0);
	assert_true(vs_queue_put(queue, &item) && vs_queue_put(queue, &item));
	assert_int_equal(poll(&fd, 1, 0), 1);
	assert_int_equal(vs_queue_take(queue, &out, 1), 1);
	assert_int_equal(poll(&fd, 1, 0), 1); /* one is left */
	assert_int_equal(vs_queue_take(queue, &out, 1), 1);
	assert_int_equal(poll(&fd, 1, 0), 0);
	vs_queue_free(queue);
}

#define PER_THREAD 20000

static void *producer(void *arg)
{
	struct vs_queue *queue = arg;
	struct vs_item item = { .kind = VS_ITEM_SAMPLE };

	for (int i = 0; i < PER_THREAD; i++) {
		item.at_ns = i;
		while (!vs_queue_put(queue, &item))
			(void)poll(NULL, 0, 1);
	}
	return NULL;
}

static void two_producers_lose_nothing(void **state)
{
	(void)state;
	struct vs_queue *queue;
	struct vs_item out[16];
	pthread_t threads[2];
	int64_t sum = 0;
	size_t n = 0;

	assert_int_equal(vs_queue_open(64, &queue, NULL), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, producer, queue), 0);
	while (n < 2 * PER_THREAD) {
		struct pollfd fd = { .fd = vs_queue_fd(queue), .events = POLLIN };
		assert_int_equal(poll(&fd, 1, 10000), 1);
		size_t got = vs_queue_take(queue, out, 16);
		for (size_t i = 0; i < got; i++)
			sum += out[i].at_ns;
		n += got;
	}
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	assert_int_equal(sum, (int64_t)PER_THREAD * (PER_THREAD - 1));
	vs_queue_free(queue);
}

static struct vs_observation seen;
static char seen_text[64];

static int see_observation(void *ctx, const struct vs_observation *obs, struct vs_error *err)
{
	(void)ctx;
	(void)err;
	seen = *obs;
	(void)strncpy(seen_text, obs->text ? obs->text : "", sizeof(seen_text) - 1);
	return 0;
}

static void observations_survive_the_passage(void **state)
{
	(void)state;
	struct vs_sink in, out = { .observation = see_observation };
	struct vs_queue *queue;
	struct vs_item item;

	assert_int_equal(vs_queue_open(4, &queue, NULL), 0);
	in = vs_queue_sink(queue);
	assert_int_equal(vs_sink_number(&in, 7, "oci-volume", "autoTunedVpusPerGB", 30, NULL), 0);
	assert_int_equal(vs_sink_text(&in, 8, "host", "os", "Debian", NULL), 0);
	assert_int_equal(vs_queue_take(queue, &item, 1), 1);
	assert_int_equal(vs_item_emit(&item, &out, NULL), 0);
	assert_true(seen.at_ns == 7 && seen.value > 29.9 && seen.value < 30.1 && !seen.text);
	assert_int_equal(vs_queue_take(queue, &item, 1), 1);
	assert_int_equal(vs_item_emit(&item, &out, NULL), 0);
	assert_true(isnan(seen.value));
	assert_string_equal(seen_text, "Debian");
	vs_queue_free(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_queue_refuses_and_counts),
		cmocka_unit_test(readable_exactly_while_not_empty),
		cmocka_unit_test(two_producers_lose_nothing),
		cmocka_unit_test(observations_survive_the_passage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
