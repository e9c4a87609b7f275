/* What the stand-in answers: the answers' shapes are the provider's, the values are the script's.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>
#include <openssl/x509.h>

#include "base/clock.h"
#include "standin_internal.h"

double standin_vpu(const struct standin *s, double at_s)
{
	const char *p = s->options.script;
	double vpu = 10, from, value;
	int used;

	while (p && sscanf(p, " %lf %lf%n", &from, &value, &used) == 2) {
		if (from <= at_s)
			vpu = value;
		p += used;
	}
	return vpu;
}

void standin_add_token(struct standin *s, const char *text, EVP_PKEY *key)
{
	(void)pthread_mutex_lock(&s->lock);
	if (s->n_tokens == MAX_TOKENS) { /* the oldest has ended */
		free(s->tokens[0].text);
		EVP_PKEY_free(s->tokens[0].key);
		memmove(s->tokens, s->tokens + 1, --s->n_tokens * sizeof(s->tokens[0]));
	}
	s->tokens[s->n_tokens++] = (struct token){ strdup(text), key };
	(void)pthread_mutex_unlock(&s->lock);
}

static void give(struct answer *answer, json_t *root)
{
	char *text = json_dumps(root, JSON_INDENT(2));

	vs_buf_add(&answer->body, text, strlen(text));
	free(text);
	json_decref(root);
}

static void not_found(struct answer *answer)
{
	answer->status = 404;
	give(answer, json_pack("{s:s, s:s}", "code", "NotAuthorizedOrNotFound", "message",
			       "Authorization failed or requested resource not found."));
}

static double elapsed_s(const struct standin *s)
{
	return (double)(vs_clock_mono_ns() - s->start_ns) / 1e9;
}

static void volume(const struct standin *s, struct answer *answer)
{
	json_t *policies = s->options.policies ? json_pack("[{s:s, s:i}, {s:s}]", "autotuneType",
							   "PERFORMANCE_BASED", "maxVpusPerGB", 120,
							   "autotuneType", "DETACHED_VOLUME")
					       : json_array();

	vs_buf_addf(&answer->headers, "etag: 1\r\n");
	give(answer,
	     json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:s, s:i, s:I, s:b, s:b, s:o, s:n, "
		       "s:{}, s:{}}",
		       "id", STANDIN_VOLUME, "compartmentId", "ocid1.compartment.oc1..standin",
		       "displayName", "stand-in", "availabilityDomain", "Abcd:PHX-AD-1",
		       "lifecycleState", "AVAILABLE", "sizeInGBs", 1024, "sizeInMBs", 1048576,
		       "timeCreated", "2026-01-31T12:00:00.000Z", "vpusPerGB", 10,
		       "autoTunedVpusPerGB", (json_int_t)standin_vpu(s, elapsed_s(s)),
		       "isAutoTuneEnabled", 0, "isHydrated", 1, "autotunePolicies", policies,
		       "kmsKeyId", "definedTags", "freeformTags"));
}

/* The first page is empty and has a successor, as the provider's may be. */
static void attachments(const struct standin *s, const struct request *r, struct answer *answer)
{
	if (!strstr(r->target, "volumeId=" STANDIN_VOLUME)) {
		give(answer, json_array());
		return;
	}
	if (!strstr(r->target, "page=second%2Fpage") && !strstr(r->target, "page=second/page")) {
		vs_buf_addf(&answer->headers, "opc-next-page: second/page\r\n");
		give(answer, json_array());
		return;
	}
	give(answer,
	     json_pack("[{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:b, s:s, s:s, s:s, s:s, "
		       "s:i, s:b, s:s}]",
		       "attachmentType", "iscsi", "id", "ocid1.volumeattachment.oc1.phx.standin",
		       "instanceId", STANDIN_INSTANCE, "volumeId", STANDIN_VOLUME, "compartmentId",
		       "ocid1.compartment.oc1..standin", "availabilityDomain", "Abcd:PHX-AD-1",
		       "lifecycleState", "ATTACHED", "timeCreated", "2026-01-31T12:00:00.000Z",
		       "isMultipath", s->options.multipath, "isReadOnly", 0, "chapSecret",
		       STANDIN_CHAP, "chapUsername", "u", "ipv4", "169.254.2.2", "iqn",
		       "iqn.2015-12.com.oracleiaas:x", "port", 3260, "isShareable", 0, "device",
		       "/dev/oracleoci/oraclevdb"));
}

static void instance(struct answer *answer)
{
	give(answer, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:{s:f, s:f, s:f}}", "id",
			       STANDIN_INSTANCE, "compartmentId", "ocid1.compartment.oc1..standin",
			       "availabilityDomain", "Abcd:PHX-AD-1", "lifecycleState", "RUNNING",
			       "region", "phx", "timeCreated", "2026-01-31T12:00:00.000Z", "shape",
			       "VM.Standard.E5.Flex", "shapeConfig", "ocpus", 4.0, "memoryInGBs",
			       60.0, "networkingBandwidthInGbps", 4.0));
}

/* A minute of a mean holds what the script said over that minute. */
static double minute_mean(const struct standin *s, double from_s)
{
	double sum = 0;

	for (int i = 0; i < 60; i++)
		sum += standin_vpu(s, from_s + i);
	return sum / 60;
}

static void metric(const struct standin *s, const struct request *r, struct answer *answer)
{
	json_error_t error;
	json_t *query = json_loadb(r->body, r->body_len, 0, &error), *points = json_array();
	const char *text = json_string_value(json_object_get(query, "query"));
	const char *from = json_string_value(json_object_get(query, "startTime"));
	const char *to = json_string_value(json_object_get(query, "endTime"));
	struct tm a = { 0 }, b = { 0 };
	char name[64] = "";

	if (!text || !from || !to || sscanf(text, "%63[A-Za-z][1m]", name) != 1 ||
	    !strstr(text, "{resourceId = \"" STANDIN_VOLUME "\"}") ||
	    !strptime(from, "%Y-%m-%dT%H:%M:%S", &a) || !strptime(to, "%Y-%m-%dT%H:%M:%S", &b)) {
		answer->status = 400;
		give(answer, json_pack("{s:s, s:s}", "code", "InvalidParameter", "message",
				       "The query is not readable."));
	} else {
		double start = (double)time(NULL) - elapsed_s(s);
		for (time_t at = timegm(&a); at < timegm(&b); at += 60) {
			double vpu = minute_mean(s, (double)at - start), value = vpu;
			char stamp[32];
			struct tm tm;

			if (strcmp(name, "VolumeGuaranteedIOPS") == 0)
				value = fmin(1024 * (45 + 1.5 * vpu), 2500 * vpu);
			else if (strcmp(name, "VolumeGuaranteedVPUsPerGB") != 0)
				value = 0;
			(void)strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ",
				       gmtime_r(&at, &tm));
			(void)json_array_append_new(points, json_pack("{s:s, s:f}", "timestamp",
								      stamp, "value", value));
		}
		give(answer,
		     json_pack("[{s:s, s:n, s:s, s:s, s:{s:s}, s:{s:s}, s:s, s:O}]", "namespace",
			       "oci_blockstore", "resourceGroup", "compartmentId",
			       "ocid1.compartment.oc1..standin", "name", name, "dimensions",
			       "resourceId", STANDIN_VOLUME, "metadata", "unit", "x", "resolution",
			       "1m", "aggregatedDatapoints", points));
	}
	json_decref(points);
	json_decref(query);
}

/* {"publicKey": ...} against a token that is good for this key. */
static void federate(struct standin *s, const struct request *r, struct answer *answer)
{
	static atomic_uint serial;
	json_error_t error;
	json_t *body = json_loadb(r->body, r->body_len, 0, &error);
	const char *base64 = json_string_value(json_object_get(body, "publicKey"));
	const char *cert = json_string_value(json_object_get(body, "certificate"));
	unsigned char der[4096], coded[256];
	const unsigned char *p = der;
	char payload[128], token[512];
	EVP_PKEY *key = NULL;
	int n = 0;

	if (base64 && cert && strlen(base64) < sizeof(der) && !strpbrk(cert, "-\n"))
		n = EVP_DecodeBlock(der, (const unsigned char *)base64, (int)strlen(base64));
	if (n > 0)
		key = d2i_PUBKEY(NULL, &p, n);
	json_decref(body);
	if (!key) {
		not_found(answer);
		return;
	}
	(void)snprintf(payload, sizeof(payload), "{\"exp\":%lld,\"jti\":%u}",
		       (long long)time(NULL) + 1200, atomic_fetch_add(&serial, 1));
	(void)EVP_EncodeBlock(coded, (const unsigned char *)payload, (int)strlen(payload));
	coded[strcspn((const char *)coded, "=")] = '\0';
	(void)snprintf(token, sizeof(token), "eyJhbGciOiJSUzI1NiJ9.%s.c2VjcmV0", (char *)coded);
	standin_add_token(s, token, key);
	give(answer, json_pack("{s:s}", "token", token));
}

static void metadata(struct standin *s, const struct request *r, struct answer *answer)
{
	const char *path = r->target + strlen("/opc/v2"), *bearer, *pem;

	if (strncmp(path, "/identity/", 10) == 0)
		standin_make_identity(s);
	pem = strcmp(path, "/identity/key.pem") == 0 ? s->instance_pem
	      : strncmp(path, "/identity/", 10) == 0 ? s->instance_cert
						     : NULL;

	bearer = standin_header(r, "authorization");
	if (!bearer || strcmp(bearer, "Bearer Oracle") != 0)
		not_found(answer);
	else if (pem)
		vs_buf_add(&answer->body, pem, strlen(pem));
	else if (strcmp(path, "/instance/") == 0)
		give(answer,
		     json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:{s:s, s:s, s:s, s:s}, s:{s:s}, "
			       "s:{s:f, s:f, s:f}}",
			       "id", STANDIN_INSTANCE, "shape", "VM.Standard.E5.Flex", "region",
			       "phx", "canonicalRegionName", "us-phoenix-1", "availabilityDomain",
			       "Abcd:PHX-AD-1", "faultDomain", "FAULT-DOMAIN-1", "regionInfo",
			       "realmKey", "oc1", "realmDomainComponent", "oraclecloud.com",
			       "regionKey", "PHX", "regionIdentifier", "us-phoenix-1", "metadata",
			       "user_data", "c2VjcmV0LXVzZXItZGF0YQ==", "shapeConfig", "ocpus", 4.0,
			       "memoryInGBs", 60.0, "networkingBandwidthInGbps", 4.0));
	else
		not_found(answer);
}

/* Prices: one part in each of the two shapes that are seen in the field. */
static void prices(const struct request *r, struct answer *answer)
{
	char currency[4] = "";
	const char *p = strstr(r->target, "currencyCode=");
	double factor;

	if (p)
		(void)snprintf(currency, sizeof(currency), "%.3s", p + 13);
	factor = strcmp(currency, "JPY") == 0 ? 120 : 1;
	if (strcmp(currency, "USD") != 0 && strcmp(currency, "JPY") != 0)
		give(answer,
		     json_pack("{s:s, s:[]}", "lastUpdated", "2026-07-16T13:52:41.483Z", "items"));
	else if (strstr(r->target, "partNumber=B91961"))
		give(answer,
		     json_pack("{s:s, s:[{s:s, s:s, s:[{s:s, s:[{s:s, s:i, s:i, s:f}, {s:s, s:i, "
			       "s:f}]}]}]}",
			       "lastUpdated", "2026-07-16T13:52:41.483Z", "items", "partNumber",
			       "B91961", "displayName", "Storage", "currencyCodeLocalizations",
			       "currencyCode", currency, "prices", "model", "PAY_AS_YOU_GO",
			       "rangeMin", 0, "rangeMax", 200, "value", 0.0, "model",
			       "PAY_AS_YOU_GO", "rangeMin", 200, "value", 0.0255 * factor));
	else
		give(answer, json_pack("{s:s, s:[{s:s, s:[{s:s, s:s}]}], s:b}", "lastUpdated",
				       "2026-07-16T13:52:41.483Z", "items", "partNumber", "B91962",
				       "prices", "model", "PAY_AS_YOU_GO", "value",
				       factor > 1 ? "0.204" : "0.0017", "hasMore", 0));
}

void standin_route(struct standin *s, const struct request *r, struct answer *answer)
{
	const char *core = "/20160918/";
	const char *path = strncmp(r->target, core, 10) == 0 ? r->target + 10 : "";

	if (strncmp(r->target, "/opc/v2/", 8) == 0)
		metadata(s, r, answer);
	else if (strstr(r->target, "/products/?"))
		prices(r, answer);
	else if (strcmp(r->target, "/v1/x509") == 0)
		federate(s, r, answer);
	else if (strncmp(r->target, "/20180401/metrics/actions/summarizeMetricsData?", 47) == 0)
		metric(s, r, answer);
	else if (strcmp(path, "volumes/" STANDIN_VOLUME) == 0)
		volume(s, answer);
	else if (strncmp(path, "volumeAttachments?", 18) == 0)
		attachments(s, r, answer);
	else if (strcmp(path, "instances/" STANDIN_INSTANCE) == 0)
		instance(answer);
	else
		not_found(answer);
}
