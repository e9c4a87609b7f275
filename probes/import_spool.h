/* An array that may be larger than the memory it is given: the rest lies in an unnamed file. */
#ifndef VS_PROBES_IMPORT_SPOOL_H
#define VS_PROBES_IMPORT_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct vs_spool_page {
	char *bytes; /* NULL: not in memory */
	uint64_t used;
	bool saved; /* the file holds it, perhaps an older state */
};

struct vs_spool {
	size_t item_bytes, page_bytes;
	unsigned int shift; /* a page holds 2^shift items */
	struct vs_spool_page *pages;
	size_t n_pages, room;
	size_t *resident; /* which pages are in memory: at most max_resident, at least 3 */
	size_t n_resident, max_resident;
	uint64_t clock;
	int fd; /* -1 until a page has to go */
};

/* Items of item_bytes, zero until written; about max_bytes of them stay in memory. */
void vs_spool_init(struct vs_spool *spool, size_t item_bytes, size_t max_bytes);
void vs_spool_release(struct vs_spool *spool);
/*
 * Item i, to be read and written, valid until the next call but one. The file stands in TMPDIR,
 * else in /tmp. Fails when that is full.
 */
int vs_spool_at(struct vs_spool *spool, size_t i, void **item_out,
		struct vs_error *err) VS_MUST_CHECK;

#endif
