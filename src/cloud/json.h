/* Reading answers: unknown fields are passed over, missing ones are unknown, nothing is trusted. */
#ifndef VS_CLOUD_JSON_H
#define VS_CLOUD_JSON_H

#include <stddef.h>

#include <jansson.h>

#include "base/error.h"

/* The parsed text (json_decref it), or NULL with VS_EFORMAT that quotes none of it, or VS_ENOMEM.
 */
json_t *vs_cloud_json_parse(const char *text, size_t len, struct vs_error *err) VS_MUST_CHECK;
/*
 * Copies the text under key: "" when it is missing, null or no text. Control characters become
 * '?', and what does not fit is cut at a character of UTF-8.
 */
void vs_cloud_json_text(const json_t *object, const char *key, char *out, size_t size);
/* The finite number under key; NAN when it is missing or none. */
double vs_cloud_json_number(const json_t *object, const char *key);
/* 1 true, 0 false, -1 missing or neither. */
int vs_cloud_json_flag(const json_t *object, const char *key);

#endif
