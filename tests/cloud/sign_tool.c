/*
 * sign_tool KEY.pem KEY_ID METHOD TARGET HOST DATE [BODY_FILE]: signs one request as the product
 * does, and prints what it signed and what it would send as JSON. The SDK's judge compares it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cloud/config.h"
#include "cloud/sign.h"

static int fail(const struct vs_error *err)
{
	(void)fprintf(stderr, "sign_tool: %s\n", err->text);
	return 1;
}

static int print(const struct vs_buf *string, const struct vs_signed *s)
{
	json_t *headers = json_object();
	int rc;

	for (size_t i = 0; s->headers[i]; i++) {
		const char *value = strstr(s->headers[i], ": ");
		char name[64];

		(void)snprintf(name, sizeof(name), "%.*s", (int)(value - s->headers[i]),
			       s->headers[i]);
		(void)json_object_set_new(headers, name, json_string(value + 2));
	}
	headers = json_pack("{s:s, s:o}", "string", string->data, "headers", headers);
	rc = headers && json_dumpf(headers, stdout, JSON_COMPACT) == 0 ? 0 : 1;
	json_decref(headers);
	return rc;
}

int main(int argc, char **argv)
{
	struct vs_sign_request request = { 0 };
	struct vs_error err = { 0 };
	struct vs_signed result;
	struct vs_key *key = NULL;
	char *pem = NULL, *body = NULL, hash[VS_KEY_HASH_MAX];
	struct vs_buf string;
	bool hashed;
	size_t len;
	int rc;

	if (argc < 7)
		return 2;
	request.method = argv[3];
	request.target = argv[4];
	request.host = argv[5];
	request.date = argv[6];
	hashed = strcmp(request.method, "GET") != 0;
	if (vs_oci_read_file(argv[1], &pem, &len, &err) != 0 ||
	    vs_key_open(pem, len, NULL, argv[1], &key, &err) != 0 ||
	    (argc > 7 && vs_oci_read_file(argv[7], &body, &request.body_len, &err) != 0))
		return fail(&err);
	request.body = body;
	vs_buf_init(&string, (size_t)1 << 20);
	rc = hashed ? vs_key_hash(body ? body : "", request.body_len, hash, &err) : 0;
	if (rc == 0)
		vs_sign_string(&request, hashed ? hash : NULL, &string);
	if (rc == 0)
		rc = vs_sign(key, argv[2], &request, &result, &err);
	rc = rc == 0 ? print(&string, &result) : fail(&err);
	if (err.code == VS_OK)
		vs_signed_release(&result);
	vs_buf_release(&string);
	vs_key_free(key);
	free(pem);
	free(body);
	return rc;
}
