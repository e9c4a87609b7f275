#include "probes/import_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE_BYTES ((size_t)64 * 1024)

void vs_spool_init(struct vs_spool *spool, size_t item_bytes, size_t max_bytes)
{
	*spool = (struct vs_spool){ .item_bytes = item_bytes, .fd = -1 };
	while (item_bytes << (spool->shift + 1) <= PAGE_BYTES)
		spool->shift++;
	spool->page_bytes = item_bytes << spool->shift;
	spool->max_resident = max_bytes / spool->page_bytes;
	if (spool->max_resident < 3)
		spool->max_resident = 3;
}

void vs_spool_release(struct vs_spool *spool)
{
	for (size_t i = 0; i < spool->n_resident; i++)
		free(spool->pages[spool->resident[i]].bytes);
	free(spool->resident);
	free(spool->pages);
	if (spool->fd >= 0)
		(void)close(spool->fd);
	*spool = (struct vs_spool){ .fd = -1 };
}

static int open_file(struct vs_spool *spool, struct vs_error *err)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];

	if (!folder || !folder[0])
		folder = "/tmp";
	if (snprintf(path, sizeof(path), "%s/volscale-XXXXXX", folder) >= (int)sizeof(path))
		return vs_error_set(err, VS_EINVAL, 0, "TMPDIR is too long");
	spool->fd = mkostemp(path, O_CLOEXEC);
	if (spool->fd < 0)
		return vs_error_sys(err, errno, "cannot make a temporary file in '%s'", folder);
	(void)unlink(path);
	return 0;
}

static int transfer(struct vs_spool *spool, size_t page, bool save, struct vs_error *err)
{
	size_t len = spool->page_bytes, done = 0;
	char *bytes = spool->pages[page].bytes;

	while (done < len) {
		off_t at = (off_t)(page * len + done);
		ssize_t n = save ? pwrite(spool->fd, bytes + done, len - done, at)
				 : pread(spool->fd, bytes + done, len - done, at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return vs_error_sys(
				err, n < 0 ? errno : EIO,
				"cannot %s the temporary file; set TMPDIR to where there is room",
				save ? "write" : "read");
		done += (size_t)n;
	}
	return 0;
}

/*
 * Puts a page into the file; its memory and place go to `to`. Log after log goes over the pages
 * from the first to the last: the one left just before that of the last call is needed again last.
 */
static int evict(struct vs_spool *spool, size_t to, struct vs_error *err)
{
	struct vs_spool_page *pages = spool->pages, *old;
	uint64_t used = 0;
	size_t place = 0;

	for (size_t i = 0; i < spool->n_resident; i++) {
		uint64_t at = pages[spool->resident[i]].used;

		if (at > used && at < spool->clock) {
			used = at;
			place = i;
		}
	}
	if (spool->fd < 0 && open_file(spool, err) != 0)
		return -1;
	if (transfer(spool, spool->resident[place], true, err) != 0)
		return -1;
	old = &pages[spool->resident[place]];
	old->saved = true;
	pages[to].bytes = old->bytes;
	old->bytes = NULL;
	spool->resident[place] = to;
	return 0;
}

static int add_memory(struct vs_spool *spool, size_t to, struct vs_error *err)
{
	if (!spool->resident)
		spool->resident = calloc(spool->max_resident, sizeof(*spool->resident));
	if (spool->resident)
		spool->pages[to].bytes = malloc(spool->page_bytes);
	if (!spool->pages[to].bytes)
		return vs_error_nomem(err);
	spool->resident[spool->n_resident++] = to;
	return 0;
}

static int grow(struct vs_spool *spool, size_t n_pages, struct vs_error *err)
{
	if (n_pages > spool->room) {
		size_t room = spool->room ? spool->room * 2 : 64;
		struct vs_spool_page *pages;

		while (room < n_pages)
			room *= 2;
		pages = reallocarray(spool->pages, room, sizeof(*pages));
		if (!pages)
			return vs_error_nomem(err);
		spool->pages = pages;
		spool->room = room;
	}
	memset(spool->pages + spool->n_pages, 0,
	       (n_pages - spool->n_pages) * sizeof(*spool->pages));
	spool->n_pages = n_pages;
	return 0;
}

static int load(struct vs_spool *spool, size_t page, struct vs_error *err)
{
	if (page >= spool->n_pages && grow(spool, page + 1, err) != 0)
		return -1;
	if (spool->pages[page].bytes)
		return 0;
	if ((spool->n_resident == spool->max_resident ? evict : add_memory)(spool, page, err) != 0)
		return -1;
	if (spool->pages[page].saved)
		return transfer(spool, page, false, err);
	memset(spool->pages[page].bytes, 0, spool->page_bytes);
	return 0;
}

int vs_spool_at(struct vs_spool *spool, size_t i, void **item_out, struct vs_error *err)
{
	size_t page = i >> spool->shift, first = page << spool->shift;

	if (page >= spool->n_pages || !spool->pages[page].bytes)
		if (load(spool, page, err) != 0)
			return -1;
	spool->pages[page].used = ++spool->clock;
	*item_out = spool->pages[page].bytes + (i - first) * spool->item_bytes;
	return 0;
}
