/* A disk in trouble under SQLite: a VFS over the real one that fails, is slow, or loses power. */
#ifndef TESTS_STORE_SHIM_H
#define TESTS_STORE_SHIM_H

#include <stdint.h>

/* Counted are writes, truncations and syncs. */
struct shim {
	int64_t ops;       /* so far */
	int64_t fail_from; /* the first that fails, from 1; 0 none */
	int64_t fail_ops;  /* how many fail from there on */
	int fail_code;     /* SQLITE_FULL, SQLITE_IOERR_WRITE, ... */
	int64_t sync_ns;   /* how long each sync takes */
	int64_t failed;    /* how many did fail */
	int (*ask)(void);  /* not NULL: before each operation, the code that it fails with */
};

extern struct shim shim;

/* Makes it the default VFS, with no fault set. Every file starts as unknown to it. */
void shim_install(void);
/* Forgets all counts, faults and files. */
void shim_reset(void);
/*
 * What a disk may hold when the power goes now: everything synced, and of what was written since
 * any part, in sectors of 512 bytes (keep_pct of them). Written beside as FROM's files with the
 * name TO. Deleting a file counts as synced at once.
 */
void shim_power_cut(const char *from, const char *to, int keep_pct, unsigned int *seed);

#endif
