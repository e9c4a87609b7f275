#include "cli/session_end.h"

#include <poll.h>

#include "base/clock.h"
#include "base/hist.h"
#include "cli/recorder.h"

static uint64_t count_reads(const struct vs_session_end *end)
{
	static struct vs_load_counters counters;
	uint64_t reads = 0;

	for (size_t i = 0; i < end->run->n_targets; i++) {
		vs_load_read(end->load, i, &counters);
		reads += vs_hist_total(&counters.latency);
	}
	return reads;
}

/* Beside the samples: they must agree. */
static int record_account(const struct vs_session_end *end, struct vs_error *err)
{
	const struct vs_sink sink = vs_store_sink(end->store, end->run->id);
	const struct {
		const char *name;
		double value;
	} figures[] = {
		{ "reads", end->load ? (double)count_reads(end) : 0 },
		{ "cpu_saturated_pct", end->totals->cpu_saturated_pct },
		{ "sampler_late_p99_us", (double)end->totals->lateness_p99_ns / 1e3 },
		{ "sampler_late_max_us", (double)end->totals->lateness_max_ns / 1e3 },
	};

	for (size_t i = end->load ? 0 : 1; i < sizeof(figures) / sizeof(figures[0]); i++)
		if (vs_sink_number(&sink, end->run->duration_ns, "generator", figures[i].name,
				   figures[i].value, err) != 0)
			return -1;
	return 0;
}

static int write_end(const struct vs_session_end *end, struct vs_error *err)
{
	if (vs_store_begin(end->store, err) != 0)
		return -1;
	if (record_account(end, err) != 0 || vs_store_run_update(end->store, end->run, err) != 0) {
		vs_store_rollback(end->store);
		return -1;
	}
	return vs_store_commit(end->store, err);
}

static void wait_a_little(const struct vs_session_end *end)
{
	struct pollfd fd = { .fd = end->stop->fd, .events = POLLIN };

	if (poll(&fd, 1, (int)(VS_RECORDER_RETRY_NS / VS_NS_PER_MS)) > 0 && vs_stop_take(end->stop))
		vs_progress_say(end->progress, "the run is not saved yet; interrupt again to end "
					       "at once and have it read as crashed");
}

int vs_session_end(const struct vs_session_end *end, int64_t patience_ns, struct vs_error *err)
{
	int64_t limit_ns = vs_clock_mono_ns() + patience_ns;
	struct vs_error why = { 0 };
	bool told = false;
	int rc;

	vs_store_set_busy_timeout(end->store, VS_RECORDER_BUSY_NS);
	while ((rc = write_end(end, &why)) != 0 && vs_store_error_is_retryable(&why) &&
	       vs_clock_mono_ns() < limit_ns) {
		if (!told)
			vs_progress_say(end->progress,
					"waiting for the database (%s) to record the run's end",
					why.text);
		told = true;
		vs_error_clear(&why);
		wait_a_little(end);
	}
	vs_store_set_busy_timeout(end->store, 0);
	if (rc == 0 && told)
		vs_progress_say(end->progress, "the run's end is recorded");
	return rc == 0 ? 0
		       : vs_error_set(err, why.code, why.detail,
				      "the run's end is not recorded: %s", why.text);
}
