/*
 * The provider's side without memory, against the stand-in: reading the configuration and the keys,
 * signing, exchanges, answers. What is then said of the volume is the same, or the lack of memory
 * is said. `test_nomem_cloud N` tries each Nth allocation (default 23; slow: 1). curl
 * and OpenSSL do not tell a lack of memory from other failures, and are left alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cloud/config.h"
#include "cloud/describe.h"
#include "cloud/metric.h"
#include "cloud/price.h"
#include "helper.h"
#include "nomem.h"

static struct home home;
static struct standin *standin;

/* One way to sign, and what is then learned. */
struct asking {
	const char *profile, *auth;
	char answer[4096], wanted[4096];
};

static void describe(const struct vs_oci_description *d, const struct vs_oci_points *points,
		     char *out, size_t size)
{
	(void)snprintf(out, size,
		       "%s %s %s %s %s %g %g %g %d %g %s; %d %zu %s %s %d; %s %g %g; %s %g; %g %g; "
		       "%zu %s; %zu %g",
		       d->volume.id, d->volume.display_name, d->volume.compartment_id,
		       d->volume.availability_domain, d->volume.lifecycle_state, d->volume.size_gb,
		       d->volume.vpus_per_gb, d->volume.auto_tuned_vpus_per_gb,
		       d->volume.performance_based, d->volume.max_vpus_per_gb, d->volume.policies,
		       d->attachments_known, d->attachments.n, d->attachments.items[0].instance_id,
		       d->attachments.items[0].type, d->attachments.items[0].is_multipath,
		       d->instance.shape, d->instance.ocpus, d->instance.gbps, d->me.shape,
		       d->me.gbps, d->min_vpu, d->max_vpu, d->n_warnings, d->warnings[0], points->n,
		       points->n ? points->items[0].value : 0);
}

static int ask_all(struct vs_oci *oci, struct asking *asking, struct vs_error *err)
{
	static struct vs_oci_description d;
	static struct vs_oci_points points;
	const struct vs_oci_metric metric = { "VolumeGuaranteedVPUsPerGB", "mean" };

	memset(&d, 0, sizeof(d));
	memset(&points, 0, sizeof(points));
	if (vs_oci_describe(oci, STANDIN_VOLUME, &d, err) != 0 ||
	    vs_oci_get_metric(oci, d.volume.compartment_id, d.volume.id, &metric,
			      INT64_C(1769860800000), INT64_C(1769861100000), &points, err) != 0)
		return -1;
	describe(&d, &points, asking->answer, sizeof(asking->answer));
	return 0;
}

static int ask(void *ctx, struct vs_error *err)
{
	struct asking *asking = ctx;
	const struct vs_oci_options options = { .config_file = home.config,
						.profile = asking->profile,
						.auth = asking->auth,
						.endpoint = standin_url(standin),
						.retry = &quick_retry };
	struct vs_oci *oci = NULL;
	int rc = vs_oci_open(&options, &oci, err);

	if (rc == 0)
		rc = ask_all(oci, asking, err);
	vs_oci_free(oci);
	return rc;
}

static void check_answer(void *ctx, int rc)
{
	const struct asking *asking = ctx;

	if (rc == 0 && strcmp(asking->answer, asking->wanted) != 0)
		fail_msg("allocation %d of %d:\n%s\ninstead of\n%s", (int)nomem.fail_from,
			 (int)nomem.fail_calls, asking->answer, asking->wanted);
}

static void what_is_learned_is_right(void **state)
{
	static struct asking askings[] = { { "DEFAULT", NULL, "", "" },
					   { "TOKEN", "token", "", "" },
					   { "ENCRYPTED", NULL, "", "" },
					   { "DEFAULT", "instance", "", "" } };

	size_t n = nomem_stride > 1 ? 2 : 4; /* an instance makes an RSA key each time */

	(void)state;
	for (size_t i = 0; i < n; i++) {
		struct asking *asking = &askings[i];
		const struct nomem_action action = {
			.act = ask, .check = check_answer, .ctx = asking, .least = 10
		};
		struct vs_error err = { 0 };

		if (ask(asking, &err) != 0)
			fail_msg("%s", err.text);
		memcpy(asking->wanted, asking->answer, sizeof(asking->wanted));
		print_message("profile %s: %s\n", asking->profile, asking->wanted);
		nomem_try(&action, 8);
	}
	assert_int_equal(standin_refused(standin), 0);
}

static int read_profile(void *ctx, struct vs_error *err)
{
	struct vs_oci_profile profile;
	char *text = ctx;

	if (vs_oci_profile_load(home.config, "ENCRYPTED", &profile, err) != 0)
		return -1;
	(void)snprintf(text, 1024, "%s %s %s %s %s", profile.tenancy, profile.user,
		       profile.fingerprint, profile.key_file, profile.region);
	vs_oci_profile_release(&profile);
	return 0;
}

static char wanted_profile[1024];

static void check_profile(void *ctx, int rc)
{
	if (rc == 0)
		assert_string_equal(ctx, wanted_profile);
}

static void a_profile_is_read_rightly(void **state)
{
	char text[1024];
	const struct nomem_action action = {
		.act = read_profile, .check = check_profile, .ctx = text, .least = 5
	};
	struct vs_error err = { 0 };

	(void)state;
	assert_int_equal(read_profile(wanted_profile, &err), 0);
	nomem_try(&action, 1000);
}

static int setup(void **state)
{
	const struct standin_options options = { .key = test_key, .policies = true };
	char metadata[128];

	(void)state;
	make_home(&home);
	standin = standin_start(&options);
	if (!standin)
		return -1;
	(void)snprintf(metadata, sizeof(metadata), "%s/opc/v2", standin_url(standin));
	return setenv("OCI_METADATA_BASE_URL", metadata, 1);
}

static int teardown(void **state)
{
	(void)state;
	standin_stop(standin);
	remove_home(&home);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_profile_is_read_rightly),
		cmocka_unit_test(what_is_learned_is_right),
	};

	nomem_stride = 23;
	nomem_install(argc, argv);
	return cmocka_run_group_tests(tests, setup, teardown);
}
