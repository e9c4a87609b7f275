#include "model/json.h"

#include <stdbool.h>
#include <stdlib.h>

static __thread bool parsing, short_of_memory;

/*
 * The parser goes on after a failure, and would copy a string whose end it could not keep over what
 * lies behind it: from the first failure on it gets nothing, so that it stops before that.
 */
static void *allocate(size_t size)
{
	void *p = parsing && short_of_memory ? NULL : malloc(size);

	if (!p && size > 0)
		short_of_memory = true;
	return p;
}

/* Before any thread can be in jansson. */
__attribute__((constructor)) static void watch_memory(void)
{
	json_set_alloc_funcs(allocate, free);
}

json_t *vs_json_load(const char *text, size_t len, size_t flags, json_error_t *where,
		     struct vs_error *err)
{
	json_t *root;

	short_of_memory = false;
	parsing = true;
	root = json_loadb(text, len, flags, where);
	parsing = false;
	if (!short_of_memory)
		return root;
	json_decref(root);
	(void)vs_error_nomem(err);
	return NULL;
}

char *vs_json_dump(const json_t *root, size_t flags)
{
	char *text;

	short_of_memory = false;
	text = json_dumps(root, flags);
	if (!short_of_memory)
		return text;
	free(text);
	return NULL;
}
