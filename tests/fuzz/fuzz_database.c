/* A database file, whatever is in it: what `runs` and `report` read of it, and what a writer finds.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "read_all.h"
#include "store/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In memory where there is such a file system; its own for each process. */
static const char *database(void)
{
	static char path[64];

	if (!path[0])
		(void)snprintf(path, sizeof(path), "%s/vs-fuzz-%d.db",
			       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (int)getpid());
	return path;
}

static void remove_files(void)
{
	static const char *const endings[] = { "", "-wal", "-shm", "-journal" };
	char name[96];

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		(void)snprintf(name, sizeof(name), "%s%s", database(), endings[i]);
		(void)unlink(name);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct vs_store_options options = { .existing = true };
	struct vs_error err = { 0 };
	struct vs_store *store = NULL;
	int fd;

	remove_files();
	fd = open(database(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	VS_ASSERT(fd >= 0 && write(fd, data, size) == (ssize_t)size && close(fd) == 0);
	VS_ASSERT(read_all(database(), &err) == 0 || err.text[0]);
	vs_error_clear(&err);
	if (vs_store_open(database(), &options, &store, &err) == 0) {
		struct vs_run run;

		vs_run_init(&run);
		if (vs_store_run_reopen(store, 1, &run, &err) != 0)
			VS_ASSERT(err.text[0]);
		vs_run_release(&run);
		vs_error_clear(&err);
		if (vs_store_run_delete(store, 1, &err) != 0)
			VS_ASSERT(err.text[0]);
	} else {
		VS_ASSERT(err.text[0]);
	}
	vs_store_free(store);
	remove_files();
	return 0;
}
