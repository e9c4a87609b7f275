/* Signed calls against the stand-in: every way to sign, every way to fail. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cloud/describe.h"
#include "cloud/metric.h"
#include "cloud/volume.h"
#include "helper.h"

static struct home home;

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

static struct standin *start(void)
{
	struct standin_options options = { .key = test_key, .policies = true };

	return standin_start(&options);
}

/* Long enough for a busy machine; where the wait itself is what is tested, it is short. */
#define LONG_NS  (10 * VS_NS_PER_SEC)
#define SHORT_NS (400 * VS_NS_PER_MS)

static struct vs_oci *open_patient(const struct standin *s, const char *profile, const char *auth,
				   int64_t timeout_ns)
{
	struct vs_oci_options options = { .config_file = home.config,
					  .profile = profile,
					  .auth = auth,
					  .endpoint = standin_url(s),
					  .retry = &quick_retry,
					  .timeout_ns = timeout_ns };
	struct vs_error err = { 0 };
	struct vs_oci *oci = NULL;

	if (vs_oci_open(&options, &oci, &err) != 0)
		fail_msg("%s", err.text);
	return oci;
}

static struct vs_oci *open_client(const struct standin *s, const char *profile, const char *auth)
{
	return open_patient(s, profile, auth, LONG_NS);
}

static void every_way_to_sign_is_accepted(void **state)
{
	static const struct {
		const char *profile, *auth, *name;
	} cases[] = {
		{ "DEFAULT", NULL, "config" },      { "DEFAULT", "config", "config" },
		{ "ENCRYPTED", NULL, "config" },    { "TOKEN", NULL, "token" },
		{ "TOKEN", "token", "token" },      { "DEFAULT", "instance", "instance" },
		{ "DEFAULT", "api_key", "config" }, { "TOKEN", "security_token", "token" },
	};
	struct standin *s = start();
	char metadata[128];

	(void)state;
	(void)snprintf(metadata, sizeof(metadata), "%s/opc/v2", standin_url(s));
	(void)setenv("OCI_METADATA_BASE_URL", metadata, 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_oci *oci = open_client(s, cases[i].profile, cases[i].auth);
		struct vs_oci_volume volume;
		struct vs_oci_points points;
		struct vs_oci_metric metric = { "VolumeGuaranteedVPUsPerGB", "mean" };
		struct vs_error err = { 0 };

		print_message("profile %s, --oci-auth %s\n", cases[i].profile,
			      cases[i].auth ? cases[i].auth : "(none)");
		if (vs_oci_get_volume(oci, STANDIN_VOLUME, &volume, &err) != 0 ||
		    vs_oci_get_metric(oci, volume.compartment_id, volume.id, &metric,
				      INT64_C(1769860800000), INT64_C(1769861100000), &points,
				      &err) != 0)
			fail_msg("%s (%s)", err.text, standin_reason(s));
		assert_int_equal(points.n, 5);
		assert_true(points.items[4].wall_ms == INT64_C(1769861040000));
		assert_string_equal(vs_oci_auth_name(vs_oci_get_auth(oci)), cases[i].name);
		vs_oci_free(oci);
	}
	assert_int_equal(standin_refused(s), 0);
	(void)unsetenv("OCI_METADATA_BASE_URL");
	standin_stop(s);
}

static void failures_end_as_documented(void **state)
{
	static const struct {
		enum standin_fault fault;
		unsigned requests; /* until the answer came or was given up */
		bool passes;       /* when the fault comes once */
		const char *text;  /* of the error when it comes always */
	} cases[] = {
		{ STANDIN_401, 1, false, "HTTP 401 NotAuthenticated" },
		{ STANDIN_404, 1, false, "policy lacks 'inspect volumes'" },
		{ STANDIN_409, 2, true, "HTTP 409 IncorrectState" },
		{ STANDIN_429, 2, true, "asked too often" },
		{ STANDIN_500, 2, true, "HTTP 500 InternalServerError" },
		{ STANDIN_503, 2, true, "HTTP 503" },
		{ STANDIN_GARBAGE, 1, false, "GetVolume: the answer is not JSON" },
		{ STANDIN_WRONG, 1, false, "not a volume" },
		{ STANDIN_EMPTY, 1, false, "the answer is empty" },
		{ STANDIN_HALF, 2, true, "GetVolume: no answer from 127.0.0.1" },
		{ STANDIN_SLOW, 2, true, "no answer from 127.0.0.1" },
		{ STANDIN_HANG, 2, true, "no answer from 127.0.0.1" },
		{ STANDIN_REDIRECT, 1, false, "redirects are not followed" },
		{ STANDIN_CLOSE, 2, true, "no answer from 127.0.0.1" },
		{ STANDIN_HUGE, 1, false, "longer than 8388608 bytes" },
		{ STANDIN_ECHO, 1, false, "HTTP 400 InvalidParameter" },
		{ STANDIN_EXPIRED, 2, true, "no answer from 127.0.0.1" }, /* here without TLS */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct standin *s = start();
		bool waits = cases[i].fault == STANDIN_SLOW || cases[i].fault == STANDIN_HANG;
		struct vs_oci *oci = open_patient(s, "DEFAULT", NULL, waits ? SHORT_NS : LONG_NS);
		struct vs_oci_volume volume;
		struct vs_error err = { 0 };
		int rc;

		standin_push(s, cases[i].fault);
		rc = vs_oci_get_volume(oci, STANDIN_VOLUME, &volume, &err);
		print_message("%s once: %s\n", standin_fault_name(cases[i].fault), err.text);
		assert_int_equal(rc, cases[i].passes ? 0 : -1);
		assert_true(standin_requests(s) >= cases[i].requests);
		if (!cases[i].passes)
			assert_int_equal(standin_requests(s), cases[i].requests);

		for (int k = 0; k < 12; k++)
			standin_push(s, cases[i].fault);
		vs_error_clear(&err);
		assert_int_equal(vs_oci_get_volume(oci, STANDIN_VOLUME, &volume, &err), -1);
		print_message("  always: %s\n", err.text);
		assert_non_null(strstr(err.text, cases[i].text));
		assert_no_secret(err.text);
		vs_oci_free(oci);
		standin_stop(s);
	}
}

static void retry_after_is_waited_for(void **state)
{
	struct standin *s = start();
	struct vs_oci *oci = open_client(s, "DEFAULT", NULL);
	struct vs_oci_volume volume;
	struct vs_error err = { 0 };
	int64_t start_ns = vs_clock_mono_ns();

	(void)state;
	standin_push(s, STANDIN_429S);
	assert_int_equal(vs_oci_get_volume(oci, STANDIN_VOLUME, &volume, &err), 0);
	assert_true(vs_clock_mono_ns() - start_ns >= VS_NS_PER_SEC);
	vs_oci_free(oci);
	standin_stop(s);
}

static void ended_tokens_are_renewed(void **state)
{
	struct standin *s = start();
	char metadata[128];
	struct vs_oci *oci;
	struct vs_oci_volume volume;
	struct vs_error err = { 0 };

	(void)state;
	(void)snprintf(metadata, sizeof(metadata), "%s/opc/v2", standin_url(s));
	(void)setenv("OCI_METADATA_BASE_URL", metadata, 1);
	oci = open_client(s, "DEFAULT", "instance");
	assert_int_equal(vs_oci_get_volume(oci, STANDIN_VOLUME, &volume, &err), 0);
	standin_end_tokens(s);
	if (vs_oci_get_volume(oci, STANDIN_VOLUME, &volume, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(standin_refused(s), 1);
	vs_oci_free(oci);

	print_message("a session token that nobody refreshes\n");
	oci = open_client(s, "TOKEN", "token");
	assert_int_equal(vs_oci_get_volume(oci, STANDIN_VOLUME, &volume, &err), -1);
	assert_non_null(strstr(err.text, "oci session authenticate"));
	assert_no_secret(err.text);
	vs_oci_free(oci);
	(void)unsetenv("OCI_METADATA_BASE_URL");
	standin_stop(s);
}

static void wrong_key_and_wrong_clock_are_told_apart(void **state)
{
	struct standin_options options = { .key = test_key, .clock_skew_s = 3600 };
	struct standin *s = start();
	struct vs_oci *oci = open_client(s, "WRONG", NULL);
	struct vs_oci_volume volume;
	struct vs_error err = { 0 };

	(void)state;
	assert_int_equal(vs_oci_get_volume(oci, STANDIN_VOLUME, &volume, &err), -1);
	assert_non_null(strstr(err.text, "belong together"));
	vs_oci_free(oci);
	standin_stop(s);

	vs_error_clear(&err);
	s = standin_start(&options);
	oci = open_client(s, "DEFAULT", NULL);
	assert_int_equal(vs_oci_get_volume(oci, STANDIN_VOLUME, &volume, &err), -1);
	print_message("%s\n", err.text);
	assert_non_null(strstr(err.text, "s behind the server's"));
	vs_oci_free(oci);
	standin_stop(s);
}

static void tls_is_verified(void **state)
{
	static const struct {
		const char *name;
		bool expired, trusted, passes;
	} cases[] = {
		{ "trusted certificate", false, true, true },
		{ "unknown authority", false, false, false },
		{ "expired certificate", true, true, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct standin_options options = { .key = test_key,
						   .tls = true,
						   .expired = cases[i].expired };
		struct standin *s = standin_start(&options);
		struct vs_oci_volume volume;
		struct vs_error err = { 0 };
		struct vs_oci *oci;
		int rc;

		write_file(home.ca, standin_certificate(s));
		if (cases[i].trusted)
			(void)setenv("OCI_CLI_CERT_BUNDLE", home.ca, 1);
		oci = open_client(s, "DEFAULT", NULL);
		rc = vs_oci_get_volume(oci, STANDIN_VOLUME, &volume, &err);
		print_message("%s: %s\n", cases[i].name, err.text);
		assert_int_equal(rc, cases[i].passes ? 0 : -1);
		if (!cases[i].passes)
			assert_non_null(strstr(err.text, "certificate"));
		assert_int_equal(standin_requests(s), cases[i].passes ? 1 : 0);
		vs_oci_free(oci);
		(void)unsetenv("OCI_CLI_CERT_BUNDLE");
		standin_stop(s);
	}
}

static void a_certificate_that_ends_is_an_error_until_it_is_renewed(void **state)
{
	struct standin_options options = { .key = test_key, .tls = true };
	struct standin *s = standin_start(&options);
	struct vs_retry_policy two = quick_retry;
	struct vs_oci_options how = { .config_file = home.config,
				      .endpoint = standin_url(s),
				      .retry = &two,
				      .timeout_ns = LONG_NS };
	struct vs_oci_volume volume;
	struct vs_error err = { 0 };
	struct vs_oci *oci;

	(void)state;
	write_file(home.ca, standin_certificate(s));
	(void)setenv("OCI_CLI_CERT_BUNDLE", home.ca, 1);
	two.attempts = 2; /* the one without an answer, and the one that meets the certificate */
	assert_int_equal(vs_oci_open(&how, &oci, &err), 0);
	standin_push(s, STANDIN_EXPIRED);
	assert_int_equal(vs_oci_get_volume(oci, STANDIN_VOLUME, &volume, &err), -1);
	print_message("%s\n", err.text);
	assert_non_null(strstr(err.text, "certificate has expired"));
	vs_error_clear(&err);
	assert_int_equal(vs_oci_get_volume(oci, STANDIN_VOLUME, &volume, &err), 0);
	vs_oci_free(oci);
	(void)unsetenv("OCI_CLI_CERT_BUNDLE");
	standin_stop(s);
}

static void plain_http_is_for_loopback_only(void **state)
{
	static const struct {
		const char *url;
		bool link_local;
		int rc;
	} cases[] = {
		{ "http://127.0.0.1:8080", false, 0 },
		{ "http://127.9.9.9", false, 0 },
		{ "http://[::1]:80/x", false, 0 },
		{ "http://localhost", false, 0 },
		{ "https://iaas.us-phoenix-1.oraclecloud.com", false, 0 },
		{ "http://169.254.169.254/opc/v2", true, 0 },
		{ "http://[fd00:c1::a9fe:a9fe]/opc/v2", true, 0 },
		{ "http://169.254.169.254/opc/v2", false, -1 },
		{ "http://10.0.0.1", true, -1 },
		{ "http://example.com", false, -1 },
		{ "http://127.0.0.1.example.com", false, -1 },
		{ "http://localhost.example.com", false, -1 },
		{ "http://127.0.0.1@example.com", false, -1 },
		{ "http://example.com\\@127.0.0.1", false, -1 },
		{ "http://0x7f000001", false, -1 },
		{ "https://u:p@example.com", false, -1 },
		{ "ftp://127.0.0.1", false, -1 },
		{ "file:///etc/passwd", false, -1 },
		{ "127.0.0.1", false, -1 },
		{ "https://", false, -1 },
		{ "http://[::1", false, -1 },
		{ "http://127.0.0.1/?x=", false, -1 },
		{ "", false, -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_error err = { 0 };

		print_message("'%s'\n", cases[i].url);
		assert_int_equal(vs_http_check_url(cases[i].url, cases[i].link_local, &err),
				 cases[i].rc);
		assert_int_equal(err.code, cases[i].rc ? VS_EUSAGE : VS_OK);
	}
}

static atomic_bool cancel;

static void *cancel_soon(void *ctx)
{
	struct timespec pause = { .tv_nsec = 200 * VS_NS_PER_MS };

	(void)ctx;
	(void)nanosleep(&pause, NULL);
	atomic_store(&cancel, true);
	return NULL;
}

static void cancel_ends_a_hanging_call(void **state)
{
	struct standin *s = start();
	struct vs_oci_options options = { .config_file = home.config,
					  .endpoint = standin_url(s),
					  .cancel = &cancel };
	struct vs_oci_volume volume;
	struct vs_error err = { 0 };
	int64_t start_ns;
	struct vs_oci *oci;
	pthread_t thread;

	(void)state;
	assert_int_equal(vs_oci_open(&options, &oci, &err), 0);
	standin_push(s, STANDIN_HANG);
	start_ns = vs_clock_mono_ns();
	assert_int_equal(pthread_create(&thread, NULL, cancel_soon, NULL), 0);
	assert_int_equal(vs_oci_get_volume(oci, STANDIN_VOLUME, &volume, &err), -1);
	assert_int_equal(err.code, VS_ECANCELED);
	assert_true(vs_clock_mono_ns() - start_ns < 3 * VS_NS_PER_SEC);
	assert_int_equal(pthread_join(thread, NULL), 0);
	vs_oci_free(oci);
	standin_stop(s);
}

static void describe_warns_before_hours_are_lost(void **state)
{
	struct standin_options options = { .key = test_key, .policies = true };
	struct standin *s = standin_start(&options);
	struct vs_oci *oci = open_client(s, "DEFAULT", NULL);
	struct vs_oci_description *d = calloc(1, sizeof(*d));
	struct vs_error err = { 0 };
	char all[4096] = "";

	(void)state;
	assert_non_null(d);
	if (vs_oci_describe(oci, STANDIN_VOLUME, d, &err) != 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < d->n_warnings; i++)
		(void)snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s\n",
			       d->warnings[i]);
	print_message("%s", all);
	assert_true(d->volume.size_gb > 1023 && d->volume.size_gb < 1025);
	assert_true(d->min_vpu < 11 && d->max_vpu > 119);
	assert_string_equal(d->instance.shape, "VM.Standard.E5.Flex");
	assert_string_equal(d->attachment->type, "iscsi"); /* which stands on the second page */
	assert_non_null(strstr(all, "without multipath"));
	assert_non_null(strstr(all, "at most 80,000 IOPS, below the 230,400 of VPU 120"));
	assert_non_null(strstr(all, "needs 16"));
	free(d);
	vs_oci_free(oci);
	standin_stop(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_way_to_sign_is_accepted),
		cmocka_unit_test(failures_end_as_documented),
		cmocka_unit_test(retry_after_is_waited_for),
		cmocka_unit_test(ended_tokens_are_renewed),
		cmocka_unit_test(wrong_key_and_wrong_clock_are_told_apart),
		cmocka_unit_test(tls_is_verified),
		cmocka_unit_test(a_certificate_that_ends_is_an_error_until_it_is_renewed),
		cmocka_unit_test(plain_http_is_for_loopback_only),
		cmocka_unit_test(cancel_ends_a_hanging_call),
		cmocka_unit_test(describe_warns_before_hours_are_lost),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
