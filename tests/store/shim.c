#include "shim.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECTOR    512
#define MAX_FILES 8

struct shim shim;

/* Written and not yet synced, in order. */
struct pending {
	struct pending *next;
	int64_t offset;
	int64_t len; /* -1: truncated to offset */
	unsigned char data[];
};

/* What is on the disk for certain. */
struct image {
	char name[512]; /* "" unused */
	unsigned char *data;
	int64_t len, cap;
	struct pending *first, *last;
};

struct shim_file {
	sqlite3_file base;
	struct image *image; /* NULL: a temporary file */
	sqlite3_file *real;
};

static struct image images[MAX_FILES];
static sqlite3_vfs *real_vfs;
static sqlite3_vfs shim_vfs;

static void check(bool ok)
{
	if (!ok) {
		(void)fputs("shim: out of memory or of files\n", stderr);
		abort();
	}
}

static void forget(struct image *image)
{
	for (struct pending *p = image->first; p;) {
		struct pending *next = p->next;
		free(p);
		p = next;
	}
	free(image->data);
	*image = (struct image){ 0 };
}

static struct image *image_of(const char *name, bool add)
{
	struct image *unused = NULL;

	for (size_t i = 0; i < MAX_FILES; i++) {
		if (strcmp(images[i].name, name) == 0)
			return &images[i];
		if (!images[i].name[0])
			unused = &images[i];
	}
	if (!add)
		return NULL;
	check(unused && strlen(name) < sizeof(unused->name));
	strcpy(unused->name, name);
	return unused;
}

static void put(struct image *image, int64_t offset, const unsigned char *data, int64_t len)
{
	if (offset + len > image->cap) {
		image->cap = 2 * (offset + len);
		image->data = realloc(image->data, (size_t)image->cap);
		check(image->data != NULL);
	}
	if (offset > image->len)
		memset(image->data + image->len, 0, (size_t)(offset - image->len));
	memcpy(image->data + offset, data, (size_t)len);
	if (offset + len > image->len)
		image->len = offset + len;
}

static void add_pending(struct image *image, const void *data, int64_t len, int64_t offset)
{
	struct pending *p = malloc(sizeof(*p) + (len > 0 ? (size_t)len : 0));

	check(p != NULL);
	*p = (struct pending){ .offset = offset, .len = len };
	if (len > 0)
		memcpy(p->data, data, (size_t)len);
	if (image->last)
		image->last->next = p;
	else
		image->first = p;
	image->last = p;
}

static void apply(struct image *image, const struct pending *p)
{
	if (p->len >= 0)
		put(image, p->offset, p->data, p->len);
	else if (p->offset < image->len)
		image->len = p->offset;
}

static int fault(void)
{
	shim.ops++;
	if (shim.ask)
		return shim.ask();
	if (!shim.fail_from || shim.ops < shim.fail_from ||
	    shim.ops - shim.fail_from >= shim.fail_ops)
		return SQLITE_OK;
	shim.failed++;
	return shim.fail_code;
}

static sqlite3_file *real_of(sqlite3_file *file)
{
	return ((struct shim_file *)(void *)file)->real;
}

static struct image *image_in(sqlite3_file *file)
{
	return ((struct shim_file *)(void *)file)->image;
}

static int shim_close(sqlite3_file *file)
{
	return real_of(file)->pMethods->xClose(real_of(file));
}

static int shim_read(sqlite3_file *file, void *data, int len, sqlite3_int64 offset)
{
	return real_of(file)->pMethods->xRead(real_of(file), data, len, offset);
}

static int shim_write(sqlite3_file *file, const void *data, int len, sqlite3_int64 offset)
{
	int rc = fault();

	if (rc != SQLITE_OK)
		return rc;
	if (image_in(file))
		add_pending(image_in(file), data, len, offset);
	return real_of(file)->pMethods->xWrite(real_of(file), data, len, offset);
}

static int shim_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	int rc = fault();

	if (rc != SQLITE_OK)
		return rc;
	if (image_in(file))
		add_pending(image_in(file), NULL, -1, size);
	return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int shim_sync(sqlite3_file *file, int flags)
{
	struct timespec slow = { .tv_sec = shim.sync_ns / 1000000000,
				 .tv_nsec = shim.sync_ns % 1000000000 };
	struct image *image = image_in(file);
	int rc = fault();

	(void)flags;
	if (shim.sync_ns)
		(void)nanosleep(&slow, NULL);
	if (rc != SQLITE_OK)
		return rc;
	while (image && image->first) {
		struct pending *p = image->first;

		apply(image, p);
		image->first = p->next;
		free(p);
	}
	if (image)
		image->last = NULL;
	return SQLITE_OK; /* the real disk's power stays on */
}

static int shim_size(sqlite3_file *file, sqlite3_int64 *out)
{
	return real_of(file)->pMethods->xFileSize(real_of(file), out);
}

static int shim_lock(sqlite3_file *file, int level)
{
	return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int shim_unlock(sqlite3_file *file, int level)
{
	return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int shim_reserved(sqlite3_file *file, int *out)
{
	return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}

static int shim_control(sqlite3_file *file, int op, void *arg)
{
	return real_of(file)->pMethods->xFileControl(real_of(file), op, arg);
}

static int shim_sector(sqlite3_file *file)
{
	(void)file;
	return SECTOR;
}

/* No promise: not even that bytes beside a write survive it. */
static int shim_characteristics(sqlite3_file *file)
{
	(void)file;
	return 0;
}

static int shim_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **out)
{
	return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, out);
}

static int shim_shm_lock(sqlite3_file *file, int offset, int n, int flags)
{
	return real_of(file)->pMethods->xShmLock(real_of(file), offset, n, flags);
}

static void shim_shm_barrier(sqlite3_file *file)
{
	real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int shim_shm_unmap(sqlite3_file *file, int del)
{
	return real_of(file)->pMethods->xShmUnmap(real_of(file), del);
}

static const sqlite3_io_methods methods = {
	.iVersion = 2, /* without memory mapping: every write passes here */
	.xClose = shim_close,
	.xRead = shim_read,
	.xWrite = shim_write,
	.xTruncate = shim_truncate,
	.xSync = shim_sync,
	.xFileSize = shim_size,
	.xLock = shim_lock,
	.xUnlock = shim_unlock,
	.xCheckReservedLock = shim_reserved,
	.xFileControl = shim_control,
	.xSectorSize = shim_sector,
	.xDeviceCharacteristics = shim_characteristics,
	.xShmMap = shim_shm_map,
	.xShmLock = shim_shm_lock,
	.xShmBarrier = shim_shm_barrier,
	.xShmUnmap = shim_shm_unmap,
};

static int shim_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
	struct shim_file *f = (struct shim_file *)(void *)file;
	int rc;

	(void)vfs;
	f->base.pMethods = NULL;
	f->real = (sqlite3_file *)(void *)(f + 1);
	f->image = name ? image_of(name, true) : NULL;
	rc = real_vfs->xOpen(real_vfs, name, f->real, flags, out);
	if (rc == SQLITE_OK)
		f->base.pMethods = &methods;
	return rc;
}

static int shim_delete(sqlite3_vfs *vfs, const char *name, int sync_folder)
{
	struct image *image = image_of(name, false);

	(void)vfs;
	if (image)
		forget(image);
	return real_vfs->xDelete(real_vfs, name, sync_folder);
}

void shim_reset(void)
{
	for (size_t i = 0; i < MAX_FILES; i++)
		forget(&images[i]);
	shim = (struct shim){ 0 };
}

void shim_install(void)
{
	if (!real_vfs) {
		real_vfs = sqlite3_vfs_find(NULL);
		shim_vfs = *real_vfs;
		shim_vfs.zName = "shim";
		shim_vfs.szOsFile = (int)sizeof(struct shim_file) + real_vfs->szOsFile;
		shim_vfs.xOpen = shim_open;
		shim_vfs.xDelete = shim_delete;
	}
	(void)sqlite3_vfs_register(&shim_vfs, 1);
	shim_reset();
}

/* Any sectors of what was not synced may have reached the disk, in any order. */
static void apply_some(struct image *image, int keep_pct, unsigned int *seed)
{
	for (const struct pending *p = image->first; p; p = p->next) {
		if (p->len < 0) {
			if (rand_r(seed) % 100 < keep_pct)
				apply(image, p);
			continue;
		}
		for (int64_t at = 0; at < p->len; at += SECTOR)
			if (rand_r(seed) % 100 < keep_pct)
				put(image, p->offset + at, p->data + at,
				    p->len - at < SECTOR ? p->len - at : SECTOR);
	}
}

void shim_power_cut(const char *from, const char *to, int keep_pct, unsigned int *seed)
{
	static const char *const endings[] = { "", "-wal", "-journal", "-shm" };
	char name[512];

	for (size_t i = 0; i < 4; i++) {
		struct image *image;
		const char *slash;
		FILE *out;

		(void)snprintf(name, sizeof(name), "%s%s", to, endings[i]);
		(void)unlink(name);
		for (image = images; image < images + MAX_FILES; image++) {
			slash = strrchr(image->name, '/');
			slash = slash ? slash + 1 : image->name;
			if (image->name[0] && strncmp(slash, from, strlen(from)) == 0 &&
			    strcmp(slash + strlen(from), endings[i]) == 0)
				break;
		}
		if (image == images + MAX_FILES)
			continue;
		apply_some(image, keep_pct, seed);
		out = fopen(name, "w");
		check(out && fwrite(image->data, 1, (size_t)image->len, out) == (size_t)image->len);
		check(fclose(out) == 0);
	}
}
