#include "probes/sampler.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hist.h"
#include "base/units.h"
#include "probes/trouble.h"
#include "probes/witness.h"

#define CLOCK_STEP_NS (500 * VS_NS_PER_MS) /* a wall clock that moved by more is told */
#define SAMPLER_NICE  (-10)
#define SUSPEND_NS    (100 * VS_NS_PER_MS)

struct target_state {
	struct vs_witness witness;
	struct vs_witness_counts device; /* at the last tick */
	bool device_known;
	struct vs_load_counters load; /* at the last tick */
	struct vs_trouble trouble;
};

struct vs_sampler {
	struct vs_sampler_options opt;
	pthread_t thread;
	int stop_fd, timer_fd;
	int64_t start_ns;       /* monotonic, of the run's time 0 */
	int64_t tick_ns;        /* monotonic, of the last sample */
	int64_t boot_offset_ns; /* boottime - monotonic at the last tick: grows in a suspend */
	int64_t wall_offset_ns; /* realtime - boottime: moves when the wall clock is set */
	int64_t cpu_ns;         /* of the process at the last tick */
	enum vs_phase phase;    /* of the interval under way */
	bool finishing;         /* it is the last */
	uint64_t load_ticks, saturated_ticks;
	struct vs_hist lateness;
	struct vs_trouble_times late_told;
	struct vs_load_counters scratch; /* the snapshot being taken: too large for the stack */
	struct target_state targets[];
};

static int64_t run_time(const struct vs_sampler *s, int64_t mono_ns)
{
	return mono_ns - s->start_ns;
}

static void put_event(struct vs_sampler *s, const char *kind, const char *text)
{
	const struct vs_sink sink = vs_queue_sink(s->opt.queue);

	(void)vs_sink_event(&sink, run_time(s, s->tick_ns), kind, NULL, "%s", text);
}

/* Suspends and a wall clock that was set: rates do not move, but a reader should know. */
static void watch_clocks(struct vs_sampler *s, int64_t now_ns)
{
	int64_t boot_ns = vs_clock_boot_ns();
	int64_t boot_offset_ns = boot_ns - now_ns;
	int64_t wall_offset_ns = vs_clock_wall_ns() - boot_ns;
	int64_t slept_ns = boot_offset_ns - s->boot_offset_ns;
	int64_t moved_ns = wall_offset_ns - s->wall_offset_ns;
	char text[160], span[VS_UNITS_TEXT_MAX];

	if (slept_ns > SUSPEND_NS) {
		(void)snprintf(text, sizeof(text),
			       "the machine was suspended for %s; that time is in no sample",
			       vs_units_format_duration(slept_ns, span));
		put_event(s, "suspend", text);
	}
	if (moved_ns > CLOCK_STEP_NS || moved_ns < -CLOCK_STEP_NS) {
		(void)snprintf(
			text, sizeof(text),
			"the wall clock was set %s by %s; times of day before and after do not match",
			moved_ns > 0 ? "forward" : "back",
			vs_units_format_duration(llabs(moved_ns), span));
		put_event(s, "clock-step", text);
	}
	s->boot_offset_ns = boot_offset_ns;
	s->wall_offset_ns = wall_offset_ns;
}

static int64_t process_cpu_ns(void)
{
	struct timespec ts;

	VS_ASSERT(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts) == 0);
	return (int64_t)ts.tv_sec * VS_NS_PER_SEC + ts.tv_nsec;
}

static void watch_cpu(struct vs_sampler *s, int64_t length_ns)
{
	int64_t cpu_ns = process_cpu_ns();
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	double busy = (double)s->opt.n_workers < (double)cores ? s->opt.n_workers : (double)cores;

	if (s->phase == VS_PHASE_LOAD && s->opt.load) {
		s->load_ticks++;
		/* every worker busy, or every core: a client that cannot go faster */
		if ((double)(cpu_ns - s->cpu_ns) >= 0.95 * (double)length_ns * busy)
			s->saturated_ticks++;
	}
	s->cpu_ns = cpu_ns;
}

static void sample_device(struct target_state *t, struct vs_sample *sample)
{
	struct vs_witness_counts now;
	bool known = vs_witness_read(&t->witness, &now);

	sample->device_reads = sample->device_merges = sample->device_sectors = VS_UNKNOWN;
	/* a counter that went back is another device under the same number */
	if (known && t->device_known && now.reads >= t->device.reads &&
	    now.merges >= t->device.merges && now.sectors >= t->device.sectors) {
		sample->device_reads = (int64_t)(now.reads - t->device.reads);
		sample->device_merges = (int64_t)(now.merges - t->device.merges);
		sample->device_sectors = (int64_t)(now.sectors - t->device.sectors);
	}
	t->device = now;
	t->device_known = known;
}

static void sample_load(struct vs_sampler *s, size_t index, int64_t now_ns,
			struct vs_sample *sample)
{
	struct target_state *t = &s->targets[index];
	struct vs_hist *hist = &s->scratch.latency;
	uint64_t ios = 0;

	vs_load_read(s->opt.load, index, &s->scratch);
	for (size_t i = 0; i < VS_HIST_BUCKETS; i++) {
		uint64_t total = hist->count[i];
		hist->count[i] -= t->load.latency.count[i];
		t->load.latency.count[i] = total;
		ios += hist->count[i];
	}
	sample->ios = (double)ios;
	sample->bytes = (int64_t)(s->scratch.bytes - t->load.bytes);
	sample->errors = (uint32_t)(s->scratch.errors - t->load.errors);
	sample->inflight = s->scratch.inflight;
	if (s->scratch.oldest_submit_ns > 0 && s->scratch.oldest_submit_ns < now_ns)
		sample->oldest_ns = now_ns - s->scratch.oldest_submit_ns;
	sample->lat_p50_ns = vs_hist_quantile_ns(hist, 0.5);
	sample->lat_p99_ns = vs_hist_quantile_ns(hist, 0.99);
	sample->lat_p999_ns = vs_hist_quantile_ns(hist, 0.999);
	sample->lat_max_ns = vs_hist_max_ns(hist);
	t->load.bytes = s->scratch.bytes;
	t->load.errors = s->scratch.errors;
}

/* After sample_load(): the counters it took are still there. */
static void watch_trouble(struct vs_sampler *s, size_t index, const struct vs_sample *sample)
{
	const struct vs_sink sink = vs_queue_sink(s->opt.queue);
	int64_t failing_ns = s->scratch.failing_since_ns;
	const struct vs_trouble_reading reading = {
		.sample = sample,
		.load = &s->scratch,
		.failing_since_ns = failing_ns > 0 ? run_time(s, failing_ns) : VS_UNKNOWN,
	};

	vs_trouble_watch(&s->targets[index].trouble, &reading, &sink);
	if (s->finishing)
		vs_trouble_finish(&s->targets[index].trouble, &reading, &sink);
}

static void sample_target(struct vs_sampler *s, size_t index, const struct vs_sample *common)
{
	struct vs_item item = { .kind = VS_ITEM_SAMPLE, .sample = *common };
	struct vs_sample *sample = &item.sample;

	sample->target = (uint16_t)index;
	sample_device(&s->targets[index], sample);
	if (s->opt.load) {
		sample_load(s, index, s->tick_ns, sample);
	} else {
		bool known = sample->device_reads >= 0;
		sample->ios = known ? (double)sample->device_reads : 0;
		sample->bytes = known ? sample->device_sectors * 512 : VS_UNKNOWN;
		sample->lat_p50_ns = sample->lat_p99_ns = VS_UNKNOWN;
		sample->lat_p999_ns = sample->lat_max_ns = VS_UNKNOWN;
		if (!known)
			return; /* a gap, and not a zero that nobody counted */
	}
	item.at_ns = sample->end_ns;
	(void)vs_queue_put(s->opt.queue, &item);
	if (s->opt.load)
		watch_trouble(s, index, sample);
}

/* Closes the interval under way at this moment. */
static void tick(struct vs_sampler *s, int64_t deadline_ns)
{
	int64_t now_ns = vs_clock_mono_ns();
	int64_t late_ns = now_ns - deadline_ns;
	struct vs_sample common = { .end_ns = run_time(s, now_ns),
				    .length_ns = now_ns - s->tick_ns,
				    .phase = (uint16_t)s->phase };
	char text[160], span[VS_UNITS_TEXT_MAX];

	if (common.length_ns <= 0)
		return;
	s->tick_ns = now_ns;
	watch_clocks(s, now_ns);
	watch_cpu(s, common.length_ns);
	s->lateness.count[vs_hist_index((uint64_t)(late_ns > 0 ? late_ns : 0))]++;
	if (late_ns > s->opt.interval_ns / 10)
		common.flags |= VS_SAMPLE_LATE;
	for (size_t i = 0; i < s->opt.n_targets; i++)
		sample_target(s, i, &common);
	if (late_ns > s->opt.interval_ns / 2 && vs_trouble_is_told(&s->late_told)) {
		(void)snprintf(
			text, sizeof(text),
			"a sample came %s late: this machine was stopped or starved; the sample has "
			"its true length",
			vs_units_format_duration(late_ns, span));
		put_event(s, "late-sample", text);
	}
}

static void enter_phase(struct vs_sampler *s, enum vs_phase phase)
{
	struct vs_item item = { .kind = VS_ITEM_PHASE,
				.at_ns = run_time(s, s->tick_ns),
				.phase = phase };

	if (s->opt.load)
		vs_load_set_active(s->opt.load, vs_schedule_is_active(phase));
	s->phase = phase;
	(void)vs_queue_put(s->opt.queue, &item);
}

/* true: time to stop */
static bool wait_until(struct vs_sampler *s, int64_t deadline_ns)
{
	struct itimerspec when = { .it_value = { .tv_sec = deadline_ns / VS_NS_PER_SEC,
						 .tv_nsec = deadline_ns % VS_NS_PER_SEC } };
	struct pollfd fds[] = { { .fd = s->stop_fd, .events = POLLIN },
				{ .fd = s->timer_fd, .events = POLLIN } };

	VS_ASSERT(timerfd_settime(s->timer_fd, TFD_TIMER_ABSTIME, &when, NULL) == 0);
	while (poll(fds, 2, -1) < 0)
		VS_ASSERT(errno == EINTR);
	return fds[0].revents != 0;
}

static bool is_drained(struct vs_sampler *s)
{
	for (size_t i = 0; i < s->opt.n_targets; i++) {
		vs_load_read(s->opt.load, i, &s->scratch);
		if (s->scratch.inflight > 0)
			return false;
	}
	return true;
}

/* The last sample takes in what is still in flight, for at most an interval. */
static void finish(struct vs_sampler *s, int64_t deadline_ns)
{
	struct vs_item end = { .kind = VS_ITEM_END };
	int64_t limit_ns = vs_clock_mono_ns() + s->opt.interval_ns;

	if (s->opt.load) {
		vs_load_set_active(s->opt.load, false);
		while (!is_drained(s) && vs_clock_mono_ns() < limit_ns)
			(void)usleep(500);
	}
	s->finishing = true;
	tick(s, deadline_ns);
	end.at_ns = run_time(s, s->tick_ns);
	/* the queue may be full of what a slow database left behind: the end must get through */
	while (!vs_queue_put(s->opt.queue, &end))
		(void)usleep(10000);
}

/*
 * The workers may fill every processor; the sampler needs a moment of one, and in time. It gets it
 * where we may ask for it (root, mostly); elsewhere samples may be late, with their true length.
 */
static void raise_priority(void)
{
	const struct sched_param param = { .sched_priority = sched_get_priority_min(SCHED_RR) };

	(void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
	if (pthread_setschedparam(pthread_self(), SCHED_RR, &param) != 0)
		(void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), SAMPLER_NICE);
}

static void *sampler_main(void *arg)
{
	struct vs_sampler *s = arg;
	int64_t interval_ns = s->opt.interval_ns;
	int64_t first_ns = s->start_ns + s->opt.origin_ns;
	int64_t total_ns = vs_schedule_total_ns(&s->opt.schedule);
	int64_t deadline_ns = first_ns;

	raise_priority();
	enter_phase(s, vs_schedule_phase(&s->opt.schedule, interval_ns / 2));
	for (;;) {
		int64_t passed_ns;
		enum vs_phase next;

		/* an interval of less than half would be noise: it goes into its neighbour */
		do
			deadline_ns += interval_ns;
		while (deadline_ns < s->tick_ns + interval_ns / 2);
		if (deadline_ns > first_ns + total_ns)
			deadline_ns = first_ns + total_ns;
		if (wait_until(s, deadline_ns)) {
			finish(s, vs_clock_mono_ns());
			return NULL;
		}
		if (vs_clock_mono_ns() >= first_ns + total_ns) {
			finish(s, deadline_ns);
			return NULL;
		}
		tick(s, deadline_ns);
		passed_ns = s->tick_ns - first_ns;
		next = vs_schedule_phase(&s->opt.schedule, passed_ns + interval_ns / 2);
		if (next != s->phase)
			enter_phase(s, next);
	}
}

int vs_sampler_open(const struct vs_sampler_options *options, struct vs_sampler **out,
		    struct vs_error *err)
{
	struct vs_sampler *s = calloc(1, sizeof(*s) + options->n_targets * sizeof(s->targets[0]));
	int rc;

	if (!s)
		return vs_error_nomem(err);
	s->opt = *options;
	s->stop_fd = eventfd(0, EFD_CLOEXEC);
	s->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (s->stop_fd < 0 || s->timer_fd < 0) {
		(void)vs_error_sys(err, errno, "cannot make a timer");
		goto fail;
	}
	for (size_t i = 0; i < options->n_targets; i++) {
		struct target_state *t = &s->targets[i];
		vs_witness_open(&t->witness, options->targets[i].device);
		t->device_known = vs_witness_read(&t->witness, &t->device);
		if (options->load) {
			vs_load_read(options->load, i, &t->load);
			vs_trouble_init(&t->trouble, options->targets[i].name,
					vs_load_block_bytes(options->load),
					options->targets[i].is_device,
					vs_witness_split_bytes(options->targets[i].device),
					t->load.size_bytes);
		}
	}
	s->tick_ns = vs_clock_mono_ns();
	s->start_ns = s->tick_ns - options->origin_ns;
	s->boot_offset_ns = vs_clock_boot_ns() - s->tick_ns;
	s->wall_offset_ns = vs_clock_wall_ns() - vs_clock_boot_ns();
	s->cpu_ns = process_cpu_ns();
	rc = pthread_create(&s->thread, NULL, sampler_main, s);
	if (rc != 0) {
		for (size_t i = 0; i < options->n_targets; i++)
			vs_witness_release(&s->targets[i].witness);
		(void)vs_error_sys(err, rc, "cannot start the sampler");
		goto fail;
	}
	*out = s;
	return 0;
fail:
	if (s->stop_fd >= 0)
		(void)close(s->stop_fd);
	if (s->timer_fd >= 0)
		(void)close(s->timer_fd);
	free(s);
	return -1;
}

void vs_sampler_stop(struct vs_sampler *sampler)
{
	const uint64_t one = 1;

	VS_ASSERT(write(sampler->stop_fd, &one, sizeof(one)) == (ssize_t)sizeof(one));
}

int64_t vs_sampler_start_ns(const struct vs_sampler *sampler)
{
	return sampler->start_ns;
}

void vs_sampler_free(struct vs_sampler *sampler, struct vs_sampler_totals *totals_out)
{
	if (!sampler)
		return;
	VS_ASSERT(pthread_join(sampler->thread, NULL) == 0);
	if (totals_out)
		*totals_out = (struct vs_sampler_totals){
			.lateness_p99_ns = vs_hist_quantile_ns(&sampler->lateness, 0.99),
			.lateness_max_ns = vs_hist_max_ns(&sampler->lateness),
			.cpu_saturated_pct = sampler->load_ticks
						     ? 100.0 * (double)sampler->saturated_ticks /
							       (double)sampler->load_ticks
						     : 0,
		};
	for (size_t i = 0; i < sampler->opt.n_targets; i++)
		vs_witness_release(&sampler->targets[i].witness);
	(void)close(sampler->stop_fd);
	(void)close(sampler->timer_fd);
	free(sampler);
}
