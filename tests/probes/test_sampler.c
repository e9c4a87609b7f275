/* The sampler on real files: one sample an interval and target, also when nothing was read, and
 * all of them together are what the driver did. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "probes/sampler.h"
#include "probes/scratch.h"

#define MIB         (1024ULL * 1024)
#define MAX_TARGETS 5
#define MAX_ITEMS   4096
#define INTERVAL_NS (100 * VS_NS_PER_MS)

static struct vs_scratch scratch[MAX_TARGETS];
static struct vs_item items[MAX_ITEMS];
static size_t n_items;
static struct vs_load_counters counters;

static int make_scratch(void **state)
{
	struct vs_error err = { 0 };

	(void)state;
	for (size_t i = 0; i < MAX_TARGETS; i++)
		if (vs_scratch_open(".", MIB, &scratch[i], &err) < 0) {
			print_message("%s\n", err.text);
			return -1;
		}
	return 0;
}

static int drop_scratch(void **state)
{
	(void)state;
	for (size_t i = 0; i < MAX_TARGETS; i++)
		vs_scratch_release(&scratch[i]);
	return 0;
}

struct setup {
	size_t n_targets;
	struct vs_schedule schedule;
	double rate_iops; /* 0: as fast as it goes */
	int64_t stop_after_ns;
};

/* A whole run; what it put is in items[]. Returns the reads of the driver, of each target. */
static void record(const struct setup *setup, uint64_t *reads_out)
{
	struct vs_load_options load_options = { true, 4096, 8, 1, 1, NULL };
	struct vs_load_target load_targets[MAX_TARGETS];
	struct vs_target targets[MAX_TARGETS] = { { 0 } };
	struct vs_sampler_options options = { .interval_ns = INTERVAL_NS,
					      .schedule = setup->schedule,
					      .targets = targets,
					      .n_targets = setup->n_targets,
					      .n_workers = (uint32_t)setup->n_targets };
	struct vs_sampler_totals totals;
	struct vs_sampler *sampler;
	struct vs_load *load;
	struct vs_queue *queue;
	struct vs_error err = { 0 };

	for (size_t i = 0; i < setup->n_targets; i++) {
		load_targets[i] = (struct vs_load_target){ scratch[i].path, MIB };
		targets[i].name = scratch[i].path;
	}
	if (setup->rate_iops > 0)
		assert_int_equal(
			vs_pace_open(setup->rate_iops, VS_NS_PER_SEC, &load_options.pace, &err), 0);
	assert_int_equal(vs_load_open(&load_options, load_targets, setup->n_targets, &load, &err),
			 0);
	assert_int_equal(vs_queue_open(MAX_ITEMS, &queue, &err), 0);
	options.load = load;
	options.queue = queue;
	assert_int_equal(vs_sampler_open(&options, &sampler, &err), 0);
	if (setup->stop_after_ns > 0) {
		(void)usleep((useconds_t)(setup->stop_after_ns / 1000));
		vs_sampler_stop(sampler);
	}
	vs_sampler_free(sampler, &totals);
	assert_int_equal(vs_load_stop(load, 10 * VS_NS_PER_SEC, &err), 0);
	for (size_t i = 0; i < setup->n_targets; i++) {
		vs_load_read(load, i, &counters);
		reads_out[i] = vs_hist_total(&counters.latency);
		assert_int_equal(counters.errors, 0);
	}
	n_items = vs_queue_take(queue, items, MAX_ITEMS);
	assert_int_equal(vs_queue_take_dropped(queue), 0);
	vs_load_free(load);
	vs_queue_free(queue);
	vs_pace_free(load_options.pace);
	print_message("%zu items, wake-ups up to %.3f ms late\n", n_items,
		      (double)totals.lateness_max_ns / 1e6);
}

/* The samples of a target follow each other without a gap and add up to `reads`. */
static size_t check_target(size_t target, uint64_t reads, int64_t *end_ns_out)
{
	int64_t end_ns = 0;
	double ios = 0;
	size_t n = 0;

	for (size_t i = 0; i < n_items; i++) {
		const struct vs_sample *s = &items[i].sample;

		if (items[i].kind != VS_ITEM_SAMPLE || s->target != target)
			continue;
		assert_true(s->length_ns > 0);
		assert_true(s->end_ns - s->length_ns == end_ns);
		assert_true(s->bytes == (int64_t)s->ios * 4096);
		assert_true((s->lat_max_ns >= 0) == (s->ios > 0));
		end_ns = s->end_ns;
		ios += s->ios;
		n++;
	}
	assert_true((uint64_t)ios == reads);
	*end_ns_out = end_ns;
	return n;
}

static size_t count_kind(enum vs_item_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < n_items; i++)
		n += items[i].kind == kind;
	return n;
}

static void every_target_has_every_interval(void **state)
{
	(void)state;
	const struct setup setup = { .n_targets = MAX_TARGETS,
				     .schedule = { .load_ns = VS_NS_PER_SEC } };
	uint64_t reads[MAX_TARGETS];
	int64_t end_ns, first_end_ns = 0;

	record(&setup, reads);
	for (size_t i = 0; i < MAX_TARGETS; i++) {
		/* a starved machine makes fewer and longer ones, never more */
		assert_in_range(check_target(i, reads[i], &end_ns), 2, 10);
		assert_true(reads[i] > 0);
		if (i == 0)
			first_end_ns = end_ns;
		assert_true(end_ns == first_end_ns);
		assert_true(end_ns >= VS_NS_PER_SEC);
	}
	assert_int_equal(items[0].kind, VS_ITEM_PHASE);
	assert_int_equal(count_kind(VS_ITEM_PHASE), 1);
	assert_int_equal(items[n_items - 1].kind, VS_ITEM_END);
	assert_true(items[n_items - 1].at_ns == first_end_ns);
}

static void intervals_without_a_read_are_samples_of_zero(void **state)
{
	(void)state;
	const struct setup setup = { .n_targets = 1,
				     .rate_iops = 4, /* of ten intervals a second */
				     .schedule = { .load_ns = 2 * VS_NS_PER_SEC } };
	uint64_t reads;
	size_t zeros = 0;
	int64_t end_ns;

	record(&setup, &reads);
	(void)check_target(0, reads, &end_ns);
	for (size_t i = 0; i < n_items; i++)
		zeros += items[i].kind == VS_ITEM_SAMPLE && !(items[i].sample.ios > 0);
	print_message("%llu reads, %zu samples of none\n", (unsigned long long)reads, zeros);
	assert_in_range(reads, 5, 9);
	assert_true(zeros > 0);
	/* waiting for the pace is no stall */
	for (size_t i = 0; i < n_items; i++)
		if (items[i].kind == VS_ITEM_EVENT)
			assert_string_not_equal(items[i].event.kind, "stall");
}

static void phases_follow_the_schedule(void **state)
{
	(void)state;
	const struct setup setup = { .n_targets = 1,
				     .schedule = { .load_ns = 500 * VS_NS_PER_MS,
						   .decay_ns = 1500 * VS_NS_PER_MS,
						   .probe_every_ns = 500 * VS_NS_PER_MS,
						   .probe_length_ns = 200 * VS_NS_PER_MS } };
	double active_ios = 0;
	uint64_t reads;
	int64_t end_ns;

	record(&setup, &reads);
	(void)check_target(0, reads, &end_ns);
	assert_true(end_ns >= 2 * VS_NS_PER_SEC);
	for (size_t i = 0; i < n_items; i++) {
		const struct vs_sample *s = &items[i].sample;

		if (items[i].kind != VS_ITEM_SAMPLE)
			continue;
		/* what was in flight when the load ended, and came while the workers were told,
		 * falls into the first idle interval */
		if (s->phase == VS_PHASE_IDLE && active_ios > 0)
			assert_true(s->ios <= 8 + active_ios / 4);
		else if (s->phase == VS_PHASE_IDLE)
			assert_true(s->ios <= 0);
		active_ios = s->phase == VS_PHASE_IDLE ? 0 : s->ios;
	}
	assert_in_range(count_kind(VS_ITEM_PHASE), 4, 6);
}

static void a_stop_cuts_the_last_interval(void **state)
{
	(void)state;
	const struct setup setup = { .n_targets = 1,
				     .schedule = { .load_ns = 60 * VS_NS_PER_SEC },
				     .stop_after_ns = 250 * VS_NS_PER_MS };
	uint64_t reads;
	int64_t end_ns;

	record(&setup, &reads);
	(void)check_target(0, reads, &end_ns);
	assert_in_range(end_ns, 250 * VS_NS_PER_MS, 10 * VS_NS_PER_SEC);
	assert_int_equal(items[n_items - 1].kind, VS_ITEM_END);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_target_has_every_interval),
		cmocka_unit_test(intervals_without_a_read_are_samples_of_zero),
		cmocka_unit_test(phases_follow_the_schedule),
		cmocka_unit_test(a_stop_cuts_the_last_interval),
	};

	return cmocka_run_group_tests(tests, make_scratch, drop_scratch);
}
