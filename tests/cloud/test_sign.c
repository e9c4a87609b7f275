/* The signer against the two published vectors, byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "cloud/sign.h"
#include "key.inc"

static const char key_id[] =
	"ocid1.tenancy.oc1..aaaaaaaaba3pv6wkcr4jqae5f15p2b2m2yt2j6rx32uzr4h25vqstifsfdsq/"
	"ocid1.user.oc1..aaaaaaaat5nvwcna5j6aqzjcaty5eqbb6qt2jvpkanghtgdaqedqw3rynjq/"
	"20:3b:97:13:55:1c:5b:0d:d3:37:d8:50:4e:c5:3a:34";

static const char get_target[] =
	"/20160918/instances?availabilityDomain=Pjwf%3A%20PHX-AD-1&compartmentId=ocid1.compartment."
	"oc1..aaaaaaaam3we6vgnherjq5q2idnccdflvjsnog7mlr6rtdb25gilchfeyjxa&displayName="
	"TeamXInstances&volumeId=ocid1.volume.oc1.phx."
	"abyhqljrgvttnlx73nmrwfaux7kcvzfs3s66izvxf2h4lgvyndsdsnoiwr5q";

static const char post_body[] = "{\n"
				"    \"compartmentId\": \"ocid1.compartment.oc1.."
				"aaaaaaaam3we6vgnherjq5q2idnccdflvjsnog7mlr6rtdb25gilchfeyjxa\",\n"
				"    \"instanceId\": \"ocid1.instance.oc1.phx."
				"abuw4ljrlsfiqw6vzzxb43vyypt4pkodawglp3wqxjqofakrwvou52gb6s5a\",\n"
				"    \"volumeId\": \"ocid1.volume.oc1.phx."
				"abyhqljrgvttnlx73nmrwfaux7kcvzfs3s66izvxf2h4lgvyndsdsnoiwr5q\"\n"
				"}";

static const struct vector {
	const char *name;
	struct vs_sign_request request;
	const char *string;  /* behind the target's line */
	const char *headers; /* of the authorization */
	const char *signature;
} vectors[] = {
	{ "GET instances",
	  { .method = "GET",
	    .target = get_target,
	    .host = "iaas.us-phoenix-1.oraclecloud.com",
	    .date = "Thu, 05 Jan 2014 21:31:40 GMT" },
	  "\nhost: iaas.us-phoenix-1.oraclecloud.com",
	  "date (request-target) host",
	  "GBas7grhyrhSKHP6AVIj/h5/Vp8bd/peM79H9Wv8kjoaCivujVXlpbKLjMPeDUhxkFIWtTtLBj3sUzaFj34XE6YZ"
	  "AHc9r2DmE4pMwOAy/kiITcZxa1oHPOeRheC0jP2dqbTll8fmTZVwKZOKHYPtrLJIJQHJjNvxFWeHQjMaR7M=" },
	{ "POST volumeAttachments",
	  { .method = "POST",
	    .target = "/20160918/volumeAttachments",
	    .host = "iaas.us-phoenix-1.oraclecloud.com",
	    .date = "Thu, 05 Jan 2014 21:31:40 GMT",
	    .body = post_body,
	    .body_len = sizeof(post_body) - 1 },
	  "\nhost: iaas.us-phoenix-1.oraclecloud.com\ncontent-length: 316\n"
	  "content-type: application/json\n"
	  "x-content-sha256: V9Z20UJTvkvpJ50flBzKE32+6m2zJjweHpDMX/U4Uy0=",
	  "date (request-target) host content-length content-type x-content-sha256",
	  "Mje8vIDPlwIHmD/cTDwRxE7HaAvBg16JnVcsuqaNRim23fFPgQfLoOOxae6WqKb1uPjYEl0qIdazWaBy/Ml8DRhq"
	  "locMwoSXv0fbukP8J5N80LCmzT/FFBvIvTB91XuXI3hYfP9Zt1l7S6ieVadHUfqBedWH0itrtPJBgKmrWso=" },
};

static const char *find_header(const struct vs_signed *s, const char *name)
{
	for (size_t i = 0; s->headers[i]; i++)
		if (strncmp(s->headers[i], name, strlen(name)) == 0)
			return s->headers[i] + strlen(name);
	return NULL;
}

static void published_vectors_match_byte_for_byte(void **state)
{
	struct vs_error err = { 0 };
	struct vs_key *key;

	(void)state;
	assert_int_equal(vs_key_open(test_key, strlen(test_key), NULL, "test key", &key, &err), 0);
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		const struct vector *v = &vectors[i];
		struct vs_buf string, want;
		struct vs_signed s;
		char hash[VS_KEY_HASH_MAX];

		print_message("%s\n", v->name);
		vs_buf_init(&string, 65536);
		vs_buf_init(&want, 65536);
		if (v->request.body)
			assert_int_equal(
				vs_key_hash(v->request.body, v->request.body_len, hash, &err), 0);
		vs_sign_string(&v->request, v->request.body ? hash : NULL, &string);
		vs_buf_addf(&want, "date: %s\n(request-target): %s %s%s", v->request.date,
			    v->request.body ? "post" : "get", v->request.target, v->string);
		assert_string_equal(string.data, want.data);

		vs_buf_clear(&want);
		vs_buf_addf(&want,
			    "Signature version=\"1\",headers=\"%s\",keyId=\"%s\","
			    "algorithm=\"rsa-sha256\",signature=\"%s\"",
			    v->headers, key_id, v->signature);
		assert_int_equal(vs_sign(key, key_id, &v->request, &s, &err), 0);
		assert_string_equal(find_header(&s, "authorization: "), want.data);
		assert_string_equal(find_header(&s, "date: "), v->request.date);
		vs_signed_release(&s);
		vs_buf_release(&string);
		vs_buf_release(&want);
	}
	vs_key_free(key);
}

static void fingerprint_is_md5_of_the_public_key(void **state)
{
	char text[VS_KEY_FINGERPRINT_MAX];
	struct vs_error err = { 0 };
	struct vs_key *key;

	(void)state;
	assert_int_equal(vs_key_open(test_key, strlen(test_key), NULL, "test key", &key, &err), 0);
	vs_key_fingerprint(key, text);
	assert_string_equal(text, "73:61:a2:21:67:e0:df:be:7e:4b:93:1e:15:98:a5:b7");
	vs_key_free(key);
}

static void empty_body_of_a_post_is_signed_too(void **state)
{
	struct vs_sign_request request = { .method = "POST",
					   .target = "/x",
					   .date = "Thu, 01 Jan 1970 00:00:00 GMT" };
	struct vs_error err = { 0 };
	struct vs_signed s;
	struct vs_key *key;

	(void)state;
	assert_int_equal(vs_key_make(&key, &err), 0);
	assert_int_equal(vs_sign(key, "k", &request, &s, &err), 0);
	assert_string_equal(find_header(&s, "x-content-sha256: "),
			    "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
	assert_null(find_header(&s, "host: ")); /* the federation signs none */
	assert_non_null(strstr(find_header(&s, "authorization: "),
			       "headers=\"date (request-target) content-length content-type "
			       "x-content-sha256\""));
	vs_signed_release(&s);
	vs_key_free(key);
}

static void dates_are_english_and_utc(void **state)
{
	static const struct {
		int64_t s;
		const char *text;
	} cases[] = {
		{ 0, "Thu, 01 Jan 1970 00:00:00 GMT" },
		{ 951782399, "Mon, 28 Feb 2000 23:59:59 GMT" },
		{ 951782400, "Tue, 29 Feb 2000 00:00:00 GMT" },
		{ 1388957500, "Sun, 05 Jan 2014 21:31:40 GMT" },
	};
	char text[VS_SIGN_DATE_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_message("%lld\n", (long long)cases[i].s);
		vs_sign_date(cases[i].s * VS_NS_PER_SEC, text);
		assert_string_equal(text, cases[i].text);
	}
}

static void encrypted_keys_open_with_their_pass_phrase_only(void **state)
{
	static const struct {
		const char *name, *pem, *pass, *error;
	} cases[] = {
		{ "right pass phrase", encrypted_key, "correct ; horse", NULL },
		{ "wrong one", encrypted_key, "staple", "does not open with the pass phrase" },
		{ "none", encrypted_key, NULL, "OCI_CLI_PASSPHRASE" },
		{ "stale one for a plain key", test_key, "stale", NULL },
		{ "no PEM", "hello", NULL, "not a private key" },
		{ "cut PEM", "-----BEGIN RSA PRIVATE KEY-----\nMIIC", NULL, "not a private key" },
		{ "no RSA key", elliptic_key, NULL, "not an RSA key" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_error err = { 0 };
		struct vs_key *key = NULL;
		int rc = vs_key_open(cases[i].pem, strlen(cases[i].pem), cases[i].pass, "K", &key,
				     &err);

		print_message("%s: %s\n", cases[i].name, err.text);
		assert_int_equal(rc, cases[i].error ? -1 : 0);
		if (cases[i].error) {
			assert_non_null(strstr(err.text, cases[i].error));
			assert_null(strstr(err.text, "staple"));
		}
		vs_key_free(key);
	}
}

/* The size of a signature is the key's, not a constant: 4096 bits give 684 characters. */
static void long_keys_sign_too(void **state)
{
	struct vs_error err = { 0 };
	struct vs_buf out;
	struct vs_key *key;

	(void)state;
	vs_buf_init(&out, 4096);
	assert_int_equal(vs_key_open(long_key, strlen(long_key), NULL, "K", &key, &err), 0);
	assert_int_equal(vs_key_sign(key, "x", 1, &out, &err), 0);
	assert_int_equal(out.len, 684);
	vs_buf_release(&out);
	vs_key_free(key);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_vectors_match_byte_for_byte),
		cmocka_unit_test(fingerprint_is_md5_of_the_public_key),
		cmocka_unit_test(empty_body_of_a_post_is_signed_too),
		cmocka_unit_test(dates_are_english_and_utc),
		cmocka_unit_test(encrypted_keys_open_with_their_pass_phrase_only),
		cmocka_unit_test(long_keys_sign_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
