#include "probes/load_worker.h"

#include <errno.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/clock.h"

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define LOOK_NS      (100 * VS_NS_PER_MS) /* a waiting worker looks at the switches this often */
#define PACE_WAIT_NS (100 * VS_NS_PER_US) /* a paced one asks at most this often */
#define REST_MIN_NS  VS_NS_PER_MS
#define REST_MAX_NS  VS_NS_PER_SEC
#define REST_SHIFT   10 /* REST_MIN_NS << 10 is past REST_MAX_NS */

__extension__ typedef unsigned __int128 wide;

static bool is_set(const _Atomic bool *flag)
{
	return atomic_load_explicit(flag, memory_order_relaxed);
}

/* The worker is the only writer of what it counts, so a load and a store do: no locked add. */
static inline void add_one(uint64_t *count)
{
	__atomic_store_n(count, __atomic_load_n(count, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

static inline void mark(struct vs_load_worker *w, const struct vs_load_slot *slot, int64_t ns)
{
	__atomic_store_n(&w->submitted_ns[slot - w->slots], ns, __ATOMIC_RELAXED);
}

static inline struct vs_load_slot *slot_of(const struct iocb *iocb)
{
	return iocb->data;
}

/* SplitMix64: one word of state, period 2^64. */
static inline uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Sets the slot's next offset. */
static inline void advance(struct vs_load_worker *w, struct vs_load_slot *slot)
{
	uint64_t offset;

	if (w->random) {
		offset =
			(uint64_t)(((wide)next_random(&w->rng) * w->blocks) >> 64) * w->block_bytes;
	} else {
		offset = slot->next_bytes;
		slot->next_bytes += w->block_bytes;
		if (slot->next_bytes >= slot->end_bytes)
			slot->next_bytes = slot->first_bytes;
	}
	slot->iocb.u.c.offset = (long long)offset;
}

static inline void push_ready(struct vs_load_worker *w, struct vs_load_slot *slot)
{
	w->ready[w->tail++ & w->ready_mask] = &slot->iocb;
}

void vs_load_worker_lay_out(struct vs_load_worker *w, uint64_t size_bytes)
{
	uint64_t parts = (uint64_t)w->numjobs * w->depth;

	w->blocks = size_bytes / w->block_bytes;
	atomic_store_explicit(&w->size_bytes, size_bytes, memory_order_relaxed);
	for (uint32_t i = 0; i < w->depth; i++) {
		struct vs_load_slot *slot = &w->slots[i];
		uint64_t part = (uint64_t)w->job * w->depth + i;
		uint64_t first = (uint64_t)((wide)w->blocks * part / parts);
		uint64_t end = (uint64_t)((wide)w->blocks * (part + 1) / parts);

		slot->first_bytes = first * w->block_bytes;
		slot->end_bytes = (end > first ? end : first + 1) * w->block_bytes;
		slot->next_bytes = slot->first_bytes;
		advance(w, slot);
	}
}

/* What waits in ready[] begins to count as asked for, or ceases to. */
static void set_asking(struct vs_load_worker *w, bool asking, int64_t now)
{
	int64_t since = asking && (!w->pace || w->queueing) ? now : 0;

	w->asking = asking;
	for (uint32_t i = w->head; i != w->tail; i++)
		mark(w, slot_of(w->ready[i & w->ready_mask]), since);
}

/* The resting reads are tried again, elsewhere: the offset may have been what is wrong. */
static void end_rest(struct vs_load_worker *w, int64_t now)
{
	vs_load_worker_recover(w);
	for (uint32_t i = 0; i < w->n_resting; i++) {
		struct vs_load_slot *slot = slot_of(w->resting[i]);

		advance(w, slot);
		mark(w, slot, !w->pace || w->queueing ? now : 0);
		push_ready(w, slot);
	}
	w->n_resting = 0;
}

static void fail(struct vs_load_worker *w, struct vs_load_slot *slot, int errnum, int64_t now)
{
	vs_load_worker_count_failure(w, errnum);
	mark(w, slot, 0);
	if (w->n_resting == 0) {
		int64_t rest = w->rests < REST_SHIFT ? REST_MIN_NS << w->rests : REST_MAX_NS;

		w->rest_until_ns = now + rest;
		w->rests++;
	}
	w->resting[w->n_resting++] = &slot->iocb;
	if (!w->failing)
		atomic_store_explicit(&w->failing_since_ns, now, memory_order_relaxed);
	w->failing = true;
}

static void note_success(struct vs_load_worker *w)
{
	w->rests = 0;
	w->failing = false;
	atomic_store_explicit(&w->failing_since_ns, 0, memory_order_relaxed);
}

/* How many of the ready reads may start; may bring *wake_ns forward. */
static uint32_t ask_pace(struct vs_load_worker *w, int64_t now, int64_t *wake_ns)
{
	uint32_t ready = w->tail - w->head;
	int64_t next = now;

	if (w->credit < ready) {
		uint32_t wanted = ready - w->credit;
		uint32_t granted = vs_pace_take(w->pace, now, wanted, &next);

		if (!w->queueing)
			for (uint32_t i = 0; i < granted; i++)
				mark(w,
				     slot_of(w->ready[(w->head + w->credit + i) & w->ready_mask]),
				     now);
		w->credit += granted;
		if (granted < wanted) {
			if (next < now + PACE_WAIT_NS)
				next = now + PACE_WAIT_NS;
			if (next < *wake_ns)
				*wake_ns = next;
		}
	}
	return w->credit < ready ? w->credit : ready;
}

/* Submits what may start. Returns when to come back at the latest. */
static int64_t submit(struct vs_load_worker *w, int64_t now)
{
	int64_t wake_ns = now + LOOK_NS;
	uint32_t left;

	if (UNLIKELY(w->n_resting > 0)) {
		if (now >= w->rest_until_ns)
			end_rest(w, now);
		else if (w->rest_until_ns < wake_ns)
			wake_ns = w->rest_until_ns;
	}
	left = w->pace ? ask_pace(w, now, &wake_ns) : w->tail - w->head;
	while (left > 0) {
		uint32_t at = w->head & w->ready_mask;
		uint32_t n = w->ready_mask + 1 - at < left ? w->ready_mask + 1 - at : left;
		int rc = io_submit(w->ctx, (long)n, &w->ready[at]);
		uint32_t taken = 1;

		if (LIKELY(rc > 0)) {
			taken = (uint32_t)rc;
			w->inflight += taken;
		} else if (rc == -EINTR) {
			continue;
		} else if (rc == -EAGAIN || rc == 0) {
			/* no room in the kernel: completions make some, or time does */
			if (w->inflight == 0)
				wake_ns = now + REST_MIN_NS;
			break;
		} else {
			fail(w, slot_of(w->ready[at]), -rc, now);
		}
		w->head += taken;
		left -= taken;
		if (w->pace)
			w->credit -= taken;
	}
	if (w->head == w->tail)
		w->head = w->tail = 0; /* one unbroken batch next time */
	return wake_ns;
}

static uint32_t wait_events(struct vs_load_worker *w, int64_t now, int64_t wake_ns)
{
	struct timespec timeout = { .tv_nsec = wake_ns > now ? wake_ns - now : 0 };
	int n = io_getevents(w->ctx, 1, (long)w->depth, w->events, &timeout);

	VS_ASSERT(n >= 0 || n == -EINTR);
	return n > 0 ? (uint32_t)n : 0;
}

/* The hot path. */
static void reap(struct vs_load_worker *w, uint32_t n, int64_t now)
{
	int64_t asked_ns = w->asking && (!w->pace || w->queueing) ? now : 0;
	uint32_t failed = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct vs_load_slot *slot = w->events[i].data;
		long res = (long)w->events[i].res;
		int64_t *submitted = &w->submitted_ns[slot - w->slots];

		if (UNLIKELY(res != (long)w->block_bytes)) {
			fail(w, slot, res < 0 ? (int)-res : VS_LOAD_SHORT, now);
			failed++;
			continue;
		}
		add_one(&w->latency.count[vs_hist_index((uint64_t)(now - *submitted))]);
		__atomic_store_n(submitted, asked_ns, __ATOMIC_RELAXED);
		advance(w, slot);
		push_ready(w, slot);
	}
	w->inflight -= n;
	if (UNLIKELY(w->failing) && failed < n)
		note_success(w);
}

/* Waits until there is something to do; nothing is in flight. False: stop. */
static bool park(struct vs_load_worker *w)
{
	struct vs_load_control *control = w->control;

	(void)pthread_mutex_lock(&control->mutex);
	while (!is_set(&control->active) && !is_set(&control->stop))
		(void)pthread_cond_wait(&control->changed, &control->mutex);
	(void)pthread_mutex_unlock(&control->mutex);
	return !is_set(&control->stop);
}

void *vs_load_worker_run(void *arg)
{
	struct vs_load_worker *w = arg;
	struct vs_load_control *control = w->control;
	int64_t now = vs_clock_mono_ns();

	/* the default slack of 50 us would make a pace lumpy */
	(void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
	for (;;) {
		bool active = is_set(&control->active) && !is_set(&control->stop);
		int64_t wake_ns = now + LOOK_NS;
		uint32_t n;

		if (UNLIKELY(active != w->asking))
			set_asking(w, active, now);
		if (LIKELY(active)) {
			wake_ns = submit(w, now);
		} else if (w->inflight == 0) {
			if (!park(w))
				break;
			now = vs_clock_mono_ns();
			continue;
		}
		n = wait_events(w, now, wake_ns);
		now = vs_clock_mono_ns();
		reap(w, n, now);
	}
	(void)pthread_mutex_lock(&control->mutex);
	control->running--;
	(void)pthread_cond_broadcast(&control->changed);
	(void)pthread_mutex_unlock(&control->mutex);
	return NULL;
}
