/* jansson's parser, for which a lack of memory is no fault of the text. */
#ifndef VS_MODEL_JSON_H
#define VS_MODEL_JSON_H

#include <stddef.h>

#include <jansson.h>

#include "base/error.h"

/*
 * json_loadb(): the root (json_decref it), or NULL. With VS_ENOMEM in err memory was short; jansson
 * itself would then call the text wrong, or have cut what it read. Without, where says what is
 * wrong.
 */
json_t *vs_json_load(const char *text, size_t len, size_t flags, json_error_t *where,
		     struct vs_error *err) VS_MUST_CHECK;
/* json_dumps(), to be freed; NULL without memory, where jansson itself may have left a part out. */
char *vs_json_dump(const json_t *root, size_t flags) VS_MUST_CHECK;

#endif
