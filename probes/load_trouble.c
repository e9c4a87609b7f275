/* What a worker does about a target that fails: counts, looks at its size, opens it again. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probes/load_worker.h"

#define REOPEN_RESTS 10 /* then the rests are a second long: the target is as good as lost */

int vs_load_worker_open(const char *path, int more_flags)
{
	int flags = O_RDONLY | O_DIRECT | O_CLOEXEC | more_flags;
	int fd = open(path, flags | O_NOATIME);

	/* only the owner and root may leave the access time as it is */
	return fd < 0 && errno == EPERM ? open(path, flags) : fd;
}

void vs_load_worker_count_failure(struct vs_load_worker *w, int errnum)
{
	struct vs_load_failure_count *entry = w->failures;
	uint64_t count;

	if (atomic_load_explicit(&w->first_errno, memory_order_relaxed) == 0)
		atomic_store_explicit(&w->first_errno, errnum, memory_order_relaxed);
	for (; entry < &w->failures[VS_LOAD_ERRNOS - 1]; entry++) {
		int known = atomic_load_explicit(&entry->errnum, memory_order_relaxed);

		if (known == errnum)
			break;
		if (known == 0) {
			atomic_store_explicit(&entry->errnum, errnum, memory_order_relaxed);
			break;
		}
	}
	/* release: who sees the count also sees what it counts */
	count = atomic_load_explicit(&entry->count, memory_order_relaxed);
	atomic_store_explicit(&entry->count, count + 1, memory_order_release);
}

static bool read_size(const struct vs_load_worker *w, uint64_t *size_bytes_out)
{
	struct stat st;

	if (S_ISBLK(w->identity.st_mode))
		return ioctl(w->fd, BLKGETSIZE64, size_bytes_out) == 0;
	if (fstat(w->fd, &st) < 0)
		return false;
	*size_bytes_out = (uint64_t)st.st_size;
	return true;
}

static bool is_same_target(const struct vs_load_worker *w, const struct stat *st)
{
	if ((st->st_mode & S_IFMT) != (w->identity.st_mode & S_IFMT))
		return false;
	if (S_ISBLK(st->st_mode))
		return st->st_rdev == w->identity.st_rdev;
	return st->st_dev == w->identity.st_dev && st->st_ino == w->identity.st_ino;
}

static void open_again(struct vs_load_worker *w)
{
	int fd = vs_load_worker_open(w->path, O_NONBLOCK); /* it may be anything by now */
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) < 0 || !is_same_target(w, &st)) {
		(void)close(fd);
		return;
	}
	(void)close(w->fd);
	w->fd = fd;
	for (uint32_t i = 0; i < w->depth; i++)
		w->slots[i].iocb.aio_fildes = fd;
	atomic_fetch_add_explicit(&w->reopened, 1, memory_order_relaxed);
}

void vs_load_worker_recover(struct vs_load_worker *w)
{
	uint64_t size_bytes, now_bytes = atomic_load_explicit(&w->size_bytes, memory_order_relaxed);

	if (w->rests > REOPEN_RESTS)
		open_again(w);
	/* a size of 0 is a device that is gone, and may come back as it was */
	if (!read_size(w, &size_bytes) || size_bytes < w->block_bytes)
		return;
	if (size_bytes > w->asked_bytes)
		size_bytes = w->asked_bytes;
	if (size_bytes != now_bytes)
		vs_load_worker_lay_out(w, size_bytes);
}
