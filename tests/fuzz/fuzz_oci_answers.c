/*
 * The readers of everything that a provider answers. The first byte picks the reader, by the order
 * in the table, 'a' the first; behind it is the answer. VOLSCALE_FUZZ_READER=c in the environment
 * picks for all inputs. What is read must be text that ends, and numbers or NAN.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cloud/client.h"
#include "cloud/describe.h"
#include "cloud/federation.h"
#include "cloud/imds.h"
#include "cloud/metric.h"
#include "cloud/price.h"
#include "cloud/region.h"
#include "cloud/volume.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Readable to its end, and without control characters. */
static void check_text(const char *text, size_t size)
{
	size_t len = strnlen(text, size);

	VS_ASSERT(len < size);
	for (size_t i = 0; i < len; i++)
		VS_ASSERT((unsigned char)text[i] >= ' ' && text[i] != 0x7f);
}

static void check_number(double value)
{
	VS_ASSERT(isnan(value) || isfinite(value));
}

static void read_volume(const char *text, size_t len)
{
	struct vs_oci_description *d = calloc(1, sizeof(*d));
	struct vs_error err = { 0 };

	VS_ASSERT(d != NULL);
	d->instance = (struct vs_oci_instance){ .ocpus = (double)NAN, .gbps = (double)NAN };
	if (vs_oci_read_volume(text, len, &d->volume, &err) == 0) {
		check_text(d->volume.id, sizeof(d->volume.id));
		check_text(d->volume.policies, sizeof(d->volume.policies));
		check_text(d->volume.lifecycle_state, sizeof(d->volume.lifecycle_state));
		check_number(d->volume.size_gb);
		check_number(d->volume.auto_tuned_vpus_per_gb);
		vs_oci_judge(d);
		for (size_t i = 0; i < d->n_warnings; i++)
			check_text(d->warnings[i], sizeof(d->warnings[i]));
	}
	free(d);
}

static void read_attachments(const char *text, size_t len)
{
	struct vs_oci_attachments *a = calloc(1, sizeof(*a));
	struct vs_error err = { 0 };

	VS_ASSERT(a != NULL);
	for (int page = 0; page < 2; page++) /* pages add up */
		VS_ASSERT(vs_oci_read_attachments(text, len, a, &err) == 0 || err.code != VS_OK);
	VS_ASSERT(a->n <= VS_OCI_ATTACHMENTS_MAX);
	for (size_t i = 0; i < a->n; i++)
		check_text(a->items[i].type, sizeof(a->items[i].type));
	free(a);
}

static void read_instance(const char *text, size_t len)
{
	struct vs_oci_instance instance;
	struct vs_oci_limits limits;
	struct vs_error err = { 0 };

	if (vs_oci_read_instance(text, len, &instance, &err) != 0)
		return;
	check_text(instance.shape, sizeof(instance.shape));
	vs_oci_shape_limits(instance.shape, instance.ocpus, instance.gbps, &limits);
}

static void read_metric(const char *text, size_t len)
{
	struct vs_oci_points *points = calloc(1, sizeof(*points));
	struct vs_error err = { 0 };

	VS_ASSERT(points != NULL);
	if (vs_oci_read_metric(text, len, points, &err) == 0)
		for (size_t i = 0; i < points->n; i++) {
			VS_ASSERT(isfinite(points->items[i].value));
			VS_ASSERT(i == 0 ||
				  points->items[i].wall_ms > points->items[i - 1].wall_ms);
		}
	free(points);
}

static void read_failure(const char *text, size_t len)
{
	char code[64], message[256];

	vs_oci_read_failure(text, len, code, message);
	check_text(code, sizeof(code));
	check_text(message, sizeof(message));
}

static void read_price(const char *text, size_t len)
{
	char date[16], next[512];
	struct vs_error err = { 0 };
	double price;

	if (vs_oci_price_read(text, len, VS_OCI_PART_STORAGE, "USD", &price, date, next, &err) != 0)
		return;
	VS_ASSERT(isnan(price) || (isfinite(price) && price >= 0));
	check_text(date, sizeof(date));
	check_text(next, sizeof(next));
}

static void read_metadata(const char *text, size_t len)
{
	struct vs_imds_instance me;
	struct vs_error err = { 0 };

	if (vs_imds_read_instance(text, len, &me, &err) != 0)
		return;
	check_text(me.shape, sizeof(me.shape));
	check_text(me.region, sizeof(me.region));
	check_number(me.gbps);
}

static void read_token(const char *text, size_t len)
{
	struct vs_error err = { 0 };
	int64_t expires_s;
	char *token = NULL;

	if (vs_federation_read_token(text, len, &token, &expires_s, &err) == 0)
		VS_ASSERT(token && *token && expires_s >= 0);
	free(token);
}

static void read_regions(const char *text, size_t len)
{
	char domain[128];

	vs_region_read(text, len, "us-phoenix-1", domain, sizeof(domain));
	check_text(domain, sizeof(domain));
}

static void read_certificate(const char *text, size_t len)
{
	struct vs_certificate cert;
	struct vs_error err = { 0 };

	if (vs_certificate_read(text, len, &cert, &err) == 0)
		(void)strnlen(cert.tenancy, sizeof(cert.tenancy));
}

static void read_key(const char *text, size_t len)
{
	struct vs_error err = { 0 };
	struct vs_key *key = NULL;

	VS_ASSERT(vs_key_open(text, len, "x", "fuzz", &key, &err) == 0 || err.code != VS_OK);
	vs_key_free(key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const readers[])(const char *, size_t) = {
		read_volume,  read_attachments, read_instance, read_metric,
		read_failure, read_price,       read_metadata, read_token,
		read_regions, read_certificate, read_key,
	};
	const char *only = getenv("VOLSCALE_FUZZ_READER");
	size_t len;
	char *text, pick;

	if (size == 0)
		return 0;
	pick = only ? only[0] : (char)data[0];
	len = size - 1;
	text = malloc(len + 1); /* of its own, so that reading over its end is seen */
	VS_ASSERT(text != NULL);
	memcpy(text, data + 1, len);
	text[len] = '\0';
	readers[(uint8_t)(pick - 'a') % (sizeof(readers) / sizeof(readers[0]))](text, len);
	free(text);
	return 0;
}
