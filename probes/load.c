#include "probes/load.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "probes/load_worker.h"

#define HUGE_PAGE_BYTES ((size_t)2 << 20) /* of x86-64, and of arm64 with pages of 4 KiB */

struct vs_load {
	struct vs_load_control control;
	struct vs_load_worker *workers; /* a target's stand side by side */
	size_t n_workers;
	size_t n_started;
	size_t n_targets;
	uint32_t numjobs;
	uint32_t block_bytes;
	struct vs_pace *pace;
	bool abandoned; /* threads are left in the kernel: nothing may be freed */
};

static uint32_t round_up_pow2(uint32_t value)
{
	uint32_t power = 1;

	while (power < value)
		power <<= 1;
	return power;
}

static int open_direct(struct vs_load_worker *w, struct vs_error *err)
{
	w->fd = vs_load_worker_open(w->path, 0);
	if (w->fd < 0 && errno == EINVAL)
		return vs_error_set(
			err, VS_ESYS, EINVAL,
			"the file system of '%s' refuses direct reads (O_DIRECT); name a "
			"block device or a file on ext4 or xfs",
			w->path);
	if (w->fd < 0 && errno == EMFILE)
		return vs_error_set(err, VS_ESYS, EMFILE,
				    "too many open files for '%s'; raise 'ulimit -n' or lower "
				    "--numjobs",
				    w->path);
	if (w->fd < 0)
		return vs_error_sys(err, errno, "cannot open '%s'", w->path);
	if (fstat(w->fd, &w->identity) < 0)
		return vs_error_sys(err, errno, "cannot look at '%s'", w->path);
	return 0;
}

static int make_context(struct vs_load_worker *w, struct vs_error *err)
{
	int rc = io_setup((int)w->depth, &w->ctx);

	if (rc == -EAGAIN)
		return vs_error_set(err, VS_ESYS, EAGAIN,
				    "no room for %u more reads in flight; raise fs.aio-max-nr "
				    "('sysctl -w fs.aio-max-nr=1048576') or lower --iodepth or "
				    "--numjobs",
				    w->depth);
	if (rc < 0)
		return vs_error_sys(err, -rc, "cannot make an aio context of %u reads", w->depth);
	return 0;
}

static void *alloc_zeroed(size_t count, size_t size)
{
	size_t bytes = (count * size + 63) & ~(size_t)63;
	void *memory = aligned_alloc(64, bytes);

	if (memory)
		memset(memory, 0, bytes);
	return memory;
}

uint64_t vs_load_buffers_bytes(const struct vs_load_options *options)
{
	uint64_t bytes = (uint64_t)options->iodepth * options->block_bytes;
	uint64_t page =
		bytes < HUGE_PAGE_BYTES / 2 ? (uint64_t)sysconf(_SC_PAGESIZE) : HUGE_PAGE_BYTES;

	return (bytes + page - 1) & ~(page - 1);
}

/* Whole pages that start at a huge page's boundary. */
static void *map_aligned(size_t bytes)
{
	char *memory = mmap(NULL, bytes + HUGE_PAGE_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before;

	if (memory == MAP_FAILED)
		return MAP_FAILED;
	before = -(uintptr_t)memory & (HUGE_PAGE_BYTES - 1);
	if (before > 0)
		(void)munmap(memory, before);
	if (before < HUGE_PAGE_BYTES)
		(void)munmap(memory + before + bytes, HUGE_PAGE_BYTES - before);
	return memory + before;
}

/*
 * The kernel looks up and pins a buffer's page for each read, which is cheaper in a huge page. But
 * each read locks the page, and a huge page is one page: no two workers may share one, be it that
 * the kernel joins their neighbouring small buffers into one later.
 */
static int make_buffers(struct vs_load_worker *w, size_t bytes, struct vs_error *err)
{
	bool huge = bytes % HUGE_PAGE_BYTES == 0;
	void *memory = map_aligned(bytes);

	if (memory == MAP_FAILED)
		return vs_error_set(
			err, VS_ENOMEM, errno,
			"no memory for buffers of %zu bytes; lower --iodepth, --numjobs "
			"or --bs",
			bytes);
	w->buffers = memory;
	w->buffers_bytes = bytes;
	(void)madvise(memory, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	/*
	 * Every page is there before the first read, and stays. The lock may be refused by
	 * RLIMIT_MEMLOCK; the preflight says so, and the reads go on without.
	 */
	memset(memory, 0, bytes);
	(void)mlock(memory, bytes);
	return 0;
}

static int make_slots(struct vs_load_worker *w, struct vs_error *err)
{
	uint32_t ring = round_up_pow2(w->depth);

	w->slots = alloc_zeroed(w->depth, sizeof(*w->slots));
	w->submitted_ns = alloc_zeroed(w->depth, sizeof(*w->submitted_ns));
	w->events = alloc_zeroed(w->depth, sizeof(*w->events));
	w->ready = alloc_zeroed(ring, sizeof(*w->ready));
	w->resting = alloc_zeroed(w->depth, sizeof(*w->resting));
	if (!w->slots || !w->submitted_ns || !w->events || !w->ready || !w->resting)
		return vs_error_nomem(err);
	w->ready_mask = ring - 1;
	for (uint32_t i = 0; i < w->depth; i++) {
		struct vs_load_slot *slot = &w->slots[i];

		io_prep_pread(&slot->iocb, w->fd, (char *)w->buffers + (size_t)i * w->block_bytes,
			      w->block_bytes, 0);
		slot->iocb.data = slot;
		w->ready[w->tail++] = &slot->iocb;
	}
	return 0;
}

/* One read, so that a target that refuses is told of before the run and not in it. */
static int try_read(const struct vs_load_worker *w, struct vs_error *err)
{
	ssize_t got = pread(w->fd, w->buffers, w->block_bytes, 0);

	if (got < 0 && errno == EINVAL)
		return vs_error_set(err, VS_ESYS, EINVAL,
				    "'%s' refuses direct reads of %u bytes; give a --bs that is a "
				    "multiple of its sectors (4k fits nearly all)",
				    w->path, w->block_bytes);
	return 0; /* anything else is the run's to count */
}

static int init_worker(struct vs_load *load, const struct vs_load_options *options,
		       const struct vs_load_target *target, size_t index, struct vs_error *err)
{
	struct vs_load_worker *w = &load->workers[index];

	w->control = &load->control;
	w->path = strdup(target->path);
	if (!w->path)
		return vs_error_nomem(err);
	w->pace = options->pace;
	w->queueing = options->pace && vs_pace_queueing(options->pace);
	w->random = options->random;
	w->block_bytes = options->block_bytes;
	w->depth = options->iodepth;
	w->job = (uint32_t)(index % options->numjobs);
	w->numjobs = options->numjobs;
	w->asked_bytes = target->size_bytes;
	/* spread: SplitMix64 from neighbouring states is not what anyone would call independent */
	w->rng = (options->seed + index + 1) * UINT64_C(0xd1342543de82ef95);
	if (open_direct(w, err) < 0 || make_buffers(w, vs_load_buffers_bytes(options), err) < 0 ||
	    make_slots(w, err) < 0 || make_context(w, err) < 0)
		return -1;
	if (w->job == 0 && try_read(w, err) < 0)
		return -1;
	vs_load_worker_lay_out(w, target->size_bytes);
	return 0;
}

static void release_worker(struct vs_load_worker *w)
{
	if (w->ctx)
		(void)io_destroy(w->ctx);
	if (w->fd >= 0)
		(void)close(w->fd);
	if (w->buffers)
		(void)munmap(w->buffers, w->buffers_bytes);
	free(w->slots);
	free(w->submitted_ns);
	free(w->events);
	free(w->ready);
	free(w->resting);
	free(w->path);
}

static void init_control(struct vs_load_control *control)
{
	pthread_condattr_t attr;

	(void)pthread_mutex_init(&control->mutex, NULL);
	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&control->changed, &attr);
	(void)pthread_condattr_destroy(&attr);
}

static int start_workers(struct vs_load *load, struct vs_error *err)
{
	sigset_t all, before;
	int rc = 0;

	/* signals are the main thread's */
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	while (load->n_started < load->n_workers) {
		struct vs_load_worker *w = &load->workers[load->n_started];
		char name[16];

		(void)pthread_mutex_lock(&load->control.mutex);
		load->control.running++;
		(void)pthread_mutex_unlock(&load->control.mutex);
		rc = pthread_create(&w->thread, NULL, vs_load_worker_run, w);
		if (rc != 0)
			break;
		(void)snprintf(name, sizeof(name), "vs-load-%zu", load->n_started % 100000);
		(void)pthread_setname_np(w->thread, name);
		load->n_started++;
	}
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc == 0)
		return 0;
	(void)pthread_mutex_lock(&load->control.mutex);
	load->control.running--;
	(void)pthread_mutex_unlock(&load->control.mutex);
	return vs_error_sys(err, rc, "cannot start worker %zu of %zu; lower --numjobs",
			    load->n_started + 1, load->n_workers);
}

static int check_options(const struct vs_load_options *options,
			 const struct vs_load_target *targets, size_t n_targets,
			 struct vs_error *err)
{
	if (options->iodepth == 0 || options->iodepth > VS_LOAD_DEPTH_MAX)
		return vs_error_set(err, VS_EUSAGE, 0, "a depth of %u; give --iodepth 1 to %u",
				    options->iodepth, VS_LOAD_DEPTH_MAX);
	if (options->numjobs == 0 || options->numjobs > VS_LOAD_JOBS_MAX)
		return vs_error_set(err, VS_EUSAGE, 0, "%u jobs; give --numjobs 1 to %u",
				    options->numjobs, VS_LOAD_JOBS_MAX);
	if (n_targets == 0)
		return vs_error_set(err, VS_EUSAGE, 0, "nothing to read; name a target");
	for (size_t i = 0; i < n_targets; i++)
		if (options->block_bytes == 0 || targets[i].size_bytes < options->block_bytes)
			return vs_error_set(err, VS_EUSAGE, 0,
					    "a block of %u bytes does not fit into '%s' (%llu "
					    "bytes); give another --bs",
					    options->block_bytes, targets[i].path,
					    (unsigned long long)targets[i].size_bytes);
	return 0;
}

int vs_load_open(const struct vs_load_options *options, const struct vs_load_target *targets,
		 size_t n_targets, struct vs_load **out, struct vs_error *err)
{
	struct vs_load *load;

	if (check_options(options, targets, n_targets, err) < 0)
		return -1;
	load = calloc(1, sizeof(*load));
	if (!load)
		return vs_error_nomem(err);
	init_control(&load->control);
	load->numjobs = options->numjobs;
	load->block_bytes = options->block_bytes;
	load->n_targets = n_targets;
	load->pace = options->pace;
	load->workers = alloc_zeroed(n_targets * options->numjobs, sizeof(*load->workers));
	if (!load->workers) {
		vs_error_nomem(err);
		goto fail;
	}
	for (size_t i = 0; i < n_targets * options->numjobs; i++) {
		load->workers[i].fd = -1;
		load->n_workers++;
		if (init_worker(load, options, &targets[i / options->numjobs], i, err) < 0)
			goto fail;
	}
	if (start_workers(load, err) < 0)
		goto fail;
	*out = load;
	return 0;
fail:
	/* parked workers end at once; one that did not would keep the load from being freed */
	if (vs_load_stop(load, 10 * VS_NS_PER_SEC, err) == 0)
		vs_load_free(load);
	return -1;
}

static void set_flag(struct vs_load *load, _Atomic bool *flag, bool value)
{
	(void)pthread_mutex_lock(&load->control.mutex);
	atomic_store_explicit(flag, value, memory_order_relaxed);
	(void)pthread_cond_broadcast(&load->control.changed);
	(void)pthread_mutex_unlock(&load->control.mutex);
}

void vs_load_set_active(struct vs_load *load, bool active)
{
	if (active && load->pace && !vs_pace_queueing(load->pace))
		vs_pace_restart(load->pace, vs_clock_mono_ns());
	set_flag(load, &load->control.active, active);
}

static void add_failures(const struct vs_load_worker *w, struct vs_load_counters *out)
{
	for (size_t i = 0; i < VS_LOAD_ERRNOS; i++) {
		uint64_t count = atomic_load_explicit(&w->failures[i].count, memory_order_acquire);
		int errnum = atomic_load_explicit(&w->failures[i].errnum, memory_order_relaxed);
		struct vs_load_failures *entry = out->failures;

		if (count == 0)
			continue;
		/* the last entry takes the kinds that find no room, under errnum 0 */
		while (entry < &out->failures[VS_LOAD_ERRNOS - 1] && entry->count > 0 &&
		       entry->errnum != errnum)
			entry++;
		if (entry < &out->failures[VS_LOAD_ERRNOS - 1])
			entry->errnum = errnum;
		entry->count += count;
		out->errors += count;
	}
}

static void add_worker(const struct vs_load_worker *w, struct vs_load_counters *out)
{
	uint64_t size_bytes = atomic_load_explicit(&w->size_bytes, memory_order_relaxed);

	for (size_t i = 0; i < VS_HIST_BUCKETS; i++)
		out->latency.count[i] += __atomic_load_n(&w->latency.count[i], __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < w->depth; i++) {
		int64_t since = __atomic_load_n(&w->submitted_ns[i], __ATOMIC_RELAXED);

		if (since == 0)
			continue;
		out->inflight++;
		if (out->oldest_submit_ns == 0 || since < out->oldest_submit_ns)
			out->oldest_submit_ns = since;
	}
	add_failures(w, out);
	if (out->first_errno == 0)
		out->first_errno = atomic_load_explicit(&w->first_errno, memory_order_relaxed);
	out->reopened += atomic_load_explicit(&w->reopened, memory_order_relaxed);
	if (out->size_bytes == 0 || size_bytes < out->size_bytes)
		out->size_bytes = size_bytes;
}

void vs_load_read(const struct vs_load *load, size_t target, struct vs_load_counters *out)
{
	const struct vs_load_worker *first = &load->workers[target * load->numjobs];
	bool one_works = false;

	memset(out, 0, sizeof(*out));
	for (uint32_t job = 0; job < load->numjobs; job++) {
		int64_t since =
			atomic_load_explicit(&first[job].failing_since_ns, memory_order_relaxed);

		add_worker(&first[job], out);
		one_works = one_works || since == 0;
		if (since > out->failing_since_ns)
			out->failing_since_ns = since;
	}
	if (one_works)
		out->failing_since_ns = 0;
	out->bytes = vs_hist_total(&out->latency) * load->block_bytes;
}

uint32_t vs_load_block_bytes(const struct vs_load *load)
{
	return load->block_bytes;
}

/* Until no worker runs, at most timeout_ns. Returns how many still do. */
static uint32_t wait_for_workers(struct vs_load *load, int64_t timeout_ns)
{
	int64_t until = vs_clock_mono_ns() + timeout_ns;
	struct timespec at = { .tv_sec = until / VS_NS_PER_SEC, .tv_nsec = until % VS_NS_PER_SEC };
	uint32_t running;
	int rc = 0;

	(void)pthread_mutex_lock(&load->control.mutex);
	while (load->control.running > 0 && rc == 0)
		rc = pthread_cond_timedwait(&load->control.changed, &load->control.mutex, &at);
	running = load->control.running;
	(void)pthread_mutex_unlock(&load->control.mutex);
	return running;
}

int vs_load_stop(struct vs_load *load, int64_t timeout_ns, struct vs_error *err)
{
	uint32_t running;

	set_flag(load, &load->control.stop, true);
	running = wait_for_workers(load, timeout_ns);
	if (running > 0) {
		load->abandoned = true;
		return vs_error_set(err, VS_ESYS, ETIMEDOUT,
				    "reads of %u of %zu workers never came back; look for a hung "
				    "device or path ('dmesg')",
				    running, load->n_workers);
	}
	load->abandoned = false;
	for (; load->n_started > 0; load->n_started--)
		(void)pthread_join(load->workers[load->n_started - 1].thread, NULL);
	return 0;
}

void vs_load_free(struct vs_load *load)
{
	if (!load || load->abandoned)
		return;
	for (size_t i = 0; i < load->n_workers; i++)
		release_worker(&load->workers[i]);
	free(load->workers);
	(void)pthread_cond_destroy(&load->control.changed);
	(void)pthread_mutex_destroy(&load->control.mutex);
	free(load);
}
