/* The poller against the stand-in: what it sees, and that no failure ends it. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper.h"
#include "probes/oci_poller.h"

static struct home home;

/* What came, kept as lines. */
struct record {
	pthread_mutex_t lock;
	struct vs_buf text;
	unsigned tuned, errors, backs, metrics;
	double last_vpu;
	int64_t last_ns;
	bool backwards; /* a poll's time went back */
};

static int on_sample(void *ctx, const struct vs_sample *sample, struct vs_error *err)
{
	(void)ctx, (void)sample;
	return vs_error_set(err, VS_EINVAL, 0, "the poller takes no samples");
}

static int on_observation(void *ctx, const struct vs_observation *obs, struct vs_error *err)
{
	struct record *r = ctx;

	(void)err;
	(void)pthread_mutex_lock(&r->lock);
	vs_buf_addf(&r->text, "%s %s %.6g %s\n", obs->source, obs->name, obs->value,
		    obs->text ? obs->text : "");
	if (strcmp(obs->source, "oci-monitoring") == 0)
		r->metrics++;
	else
		r->backwards |= obs->at_ns < r->last_ns, r->last_ns = obs->at_ns;
	if (strcmp(obs->name, "autoTunedVpusPerGB") == 0) {
		r->tuned++;
		r->last_vpu = obs->value;
	}
	(void)pthread_mutex_unlock(&r->lock);
	return 0;
}

static int on_event(void *ctx, const struct vs_event *event, struct vs_error *err)
{
	struct record *r = ctx;

	(void)err;
	(void)pthread_mutex_lock(&r->lock);
	vs_buf_addf(&r->text, "event %s %s\n", event->kind, event->text);
	r->errors += strcmp(event->kind, "cloud-error") == 0;
	r->backs += strcmp(event->kind, "cloud-back") == 0;
	(void)pthread_mutex_unlock(&r->lock);
	return 0;
}

static struct vs_sink make_sink(struct record *r)
{
	*r = (struct record){ 0 };
	(void)pthread_mutex_init(&r->lock, NULL);
	vs_buf_init(&r->text, (size_t)4 << 20);
	return (struct vs_sink){ r, on_sample, on_observation, on_event };
}

static void release(struct record *r)
{
	vs_buf_release(&r->text);
	(void)pthread_mutex_destroy(&r->lock);
}

static unsigned tuned(struct record *r)
{
	unsigned n;

	(void)pthread_mutex_lock(&r->lock);
	n = r->tuned;
	(void)pthread_mutex_unlock(&r->lock);
	return n;
}

/* Until the poller has seen n more polls; false after 10 s. */
static bool wait_for_polls(struct record *r, unsigned n)
{
	struct timespec pause = { .tv_nsec = 2 * VS_NS_PER_MS };
	unsigned want = tuned(r) + n;

	for (int i = 0; i < 5000; i++) {
		if (tuned(r) >= want)
			return true;
		(void)nanosleep(&pause, NULL);
	}
	return false;
}

#define LONG_NS (10 * VS_NS_PER_SEC) /* enough on a busy machine */

/* url is kept for the poller, which borrows it. */
static struct vs_oci_poller *start_poller(const struct standin *s, char url[64],
					  const struct vs_sink *sink, int64_t every_ns,
					  int64_t metrics_every_ns, int64_t timeout_ns)
{
	struct vs_oci_poller_options options = {
		.oci = { .config_file = home.config,
			 .retry = &quick_retry,
			 .timeout_ns = timeout_ns },
		.volume_id = STANDIN_VOLUME,
		.every_ns = every_ns,
		.metrics_every_ns = metrics_every_ns,
		/* a run that began five minutes ago has minutes to show */
		.start_mono_ns = vs_clock_mono_ns() - 300 * VS_NS_PER_SEC,
	};
	struct vs_oci_poller *poller = NULL;
	struct vs_error err = { 0 };

	(void)snprintf(url, 64, "%s", standin_url(s));
	options.oci.endpoint = url;
	if (vs_oci_poller_open(&options, sink, &poller, &err) != 0)
		fail_msg("%s", err.text);
	return poller;
}

static void the_tuned_vpu_follows_the_script(void **state)
{
	struct standin_options options = { .key = test_key,
					   .policies = true,
					   .script = "0 10\n0.5 20\n1 30\n" };
	struct standin *s = standin_start(&options);
	char url[64];
	struct record r;
	struct vs_sink sink = make_sink(&r);
	struct vs_oci_poller *poller =
		start_poller(s, url, &sink, 50 * VS_NS_PER_MS, 200 * VS_NS_PER_MS, LONG_NS);

	(void)state;
	assert_true(wait_for_polls(&r, 26));
	vs_oci_poller_free(poller);
	print_message("%s", r.text.data);
	assert_true(fabs(r.last_vpu - 30) < 0.5);
	assert_non_null(strstr(r.text.data, "oci-volume autoTunedVpusPerGB 20 \n"));
	assert_non_null(strstr(r.text.data, "event cloud-tuned the control plane tuned the volume "
					    "up: VPU 10 -> 20\n"));
	assert_non_null(strstr(r.text.data, "oci-volume vpusPerGB 10 \n"));
	assert_non_null(strstr(r.text.data, "oci-volume sizeInGBs 1024 \n"));
	assert_non_null(strstr(r.text.data, "oci-volume lifecycleState nan AVAILABLE\n"));
	assert_non_null(strstr(r.text.data, "PERFORMANCE_BASED:120 DETACHED_VOLUME\n"));
	assert_non_null(strstr(r.text.data, "oci-monitoring VolumeGuaranteedVPUsPerGB 10 \n"));
	assert_non_null(strstr(r.text.data, "oci-monitoring VolumeGuaranteedIOPS 25000 \n"));
	assert_true(r.metrics >= 16 && r.metrics <= 24); /* 4 metrics of the minutes, once each */
	assert_false(r.backwards);
	assert_int_equal(r.errors, 0);
	assert_int_equal(standin_refused(s), 0);
	release(&r);
	standin_stop(s);
}

static void a_dead_server_is_a_gap_between_two_events(void **state)
{
	struct standin_options options = { .key = test_key, .policies = true };
	struct standin *s = standin_start(&options);
	struct timespec pause = { .tv_nsec = 400 * VS_NS_PER_MS };
	char url[64];
	struct record r;
	struct vs_sink sink = make_sink(&r);
	struct vs_oci_poller *poller = start_poller(s, url, &sink, 20 * VS_NS_PER_MS, 0, LONG_NS);
	unsigned seen;

	(void)state;
	assert_true(wait_for_polls(&r, 3));
	options.port = standin_port(s);
	standin_stop(s);
	seen = tuned(&r);
	(void)nanosleep(&pause, NULL);
	assert_int_equal(tuned(&r), seen);
	s = standin_start(&options);
	assert_true(wait_for_polls(&r, 3));
	vs_oci_poller_free(poller);
	print_message("%s", r.text.data);
	assert_int_equal(r.errors, 1);
	assert_int_equal(r.backs, 1);
	release(&r);
	standin_stop(s);
}

static void free_does_not_wait_for_a_hanging_server(void **state)
{
	struct standin_options options = { .key = test_key };
	struct standin *s = standin_start(&options);
	struct record r;
	struct vs_sink sink = make_sink(&r);
	struct vs_oci_poller_options how = { .oci = { .config_file = home.config,
						      .endpoint = standin_url(s) },
					     .volume_id = STANDIN_VOLUME };
	struct timespec pause = { .tv_nsec = 100 * VS_NS_PER_MS };
	struct vs_oci_poller *poller;
	struct vs_error err = { 0 };
	int64_t start_ns;

	(void)state;
	standin_push(s, STANDIN_HANG);
	assert_int_equal(vs_oci_poller_open(&how, &sink, &poller, &err), 0);
	(void)nanosleep(&pause, NULL);
	start_ns = vs_clock_mono_ns();
	vs_oci_poller_free(poller);
	assert_true(vs_clock_mono_ns() - start_ns < 2500 * VS_NS_PER_MS);
	assert_int_equal(r.errors, 0); /* being told to stop is no failure */
	release(&r);
	standin_stop(s);
}

static void bad_options_are_told_at_once(void **state)
{
	static const struct {
		const char *name, *volume, *config, *profile, *endpoint, *text;
	} cases[] = {
		{ "no OCID", "/dev/sdb", NULL, NULL, NULL, "is not an OCID" },
		{ "no config", STANDIN_VOLUME, "/nonexistent", NULL, NULL, "--oci-config" },
		{ "no profile", STANDIN_VOLUME, NULL, "NONE", NULL, "no profile [NONE]" },
		{ "plain http", STANDIN_VOLUME, NULL, NULL, "http://example.com", "loopback" },
	};
	struct record r;
	struct vs_sink sink = make_sink(&r);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_oci_poller_options options = {
			.oci = { .config_file = cases[i].config ? cases[i].config : home.config,
				 .profile = cases[i].profile,
				 .endpoint = cases[i].endpoint },
			.volume_id = cases[i].volume
		};
		struct vs_oci_poller *poller;
		struct vs_error err = { 0 };

		assert_int_equal(vs_oci_poller_open(&options, &sink, &poller, &err), -1);
		print_message("%s: %s\n", cases[i].name, err.text);
		assert_non_null(strstr(err.text, cases[i].text));
	}
	release(&r);
}

struct sequence {
	uint64_t seed;
	struct standin *server;
	struct record record;
	struct vs_sink sink;
	struct vs_oci_poller *poller;
	char url[64];
};

static void begin_sequence(struct sequence *q, uint64_t seed)
{
	struct standin_options options = {
		.key = test_key, .policies = true, .seed = seed, .percent = 60
	};

	q->seed = seed;
	q->server = standin_start(&options);
	q->sink = make_sink(&q->record);
	q->poller = start_poller(q->server, q->url, &q->sink, 3 * VS_NS_PER_MS, 20 * VS_NS_PER_MS,
				 100 * VS_NS_PER_MS);
}

static void end_sequence(struct sequence *q)
{
	struct record *r = &q->record;

	if (!wait_for_polls(r, 2))
		fail_msg("seed %llu: no poll after the failures\n%s", (unsigned long long)q->seed,
			 r->text.data ? r->text.data : "");
	vs_oci_poller_free(q->poller);
	assert_true(r->errors >= r->backs && r->errors - r->backs <= 1);
	assert_false(r->backwards);
	assert_int_equal(standin_refused(q->server), 0);
	if (r->text.data)
		assert_no_secret(r->text.data);
	release(r);
	standin_stop(q->server);
}

/* Six in ten requests fail, each sequence in its own way; the poller outlives all of them. The
 * first ones; VOLSCALE_SEQUENCES says how many. */
static void no_sequence_of_failures_ends_it(void **state)
{
	enum {
		AT_ONCE = 25
	};
	const char *env = getenv("VOLSCALE_SEQUENCES");
	uint64_t n = env ? strtoull(env, NULL, 10) : AT_ONCE;
	struct sequence *all = calloc(AT_ONCE, sizeof(*all));
	struct timespec pause = { .tv_nsec = 300 * VS_NS_PER_MS };

	(void)state;
	assert_non_null(all);
	for (uint64_t seed = 1; seed <= n; seed += AT_ONCE) {
		for (size_t i = 0; i < AT_ONCE; i++)
			begin_sequence(&all[i], seed + i);
		(void)nanosleep(&pause, NULL);
		for (size_t i = 0; i < AT_ONCE; i++)
			standin_calm(all[i].server);
		for (size_t i = 0; i < AT_ONCE; i++)
			end_sequence(&all[i]);
	}
	free(all);
}

static int setup(void **state)
{
	(void)state;
	make_home(&home);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	remove_home(&home);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tuned_vpu_follows_the_script),
		cmocka_unit_test(a_dead_server_is_a_gap_between_two_events),
		cmocka_unit_test(free_does_not_wait_for_a_hanging_server),
		cmocka_unit_test(bad_options_are_told_at_once),
		cmocka_unit_test(no_sequence_of_failures_ends_it),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
