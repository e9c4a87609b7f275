#include "probes/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define CHUNK_BYTES (1U << 20)

static int make_file(const char *dir, struct vs_error *err)
{
	char path[4096];
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	/* a file system without O_TMPFILE */
	(void)snprintf(path, sizeof(path), "%s/.volscale-scratch-XXXXXX", dir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return vs_error_sys(err, errno,
				    "cannot make a scratch file in '%s'; give --scratch DIR", dir);
	(void)unlink(path);
	return fd;
}

static int write_all(int fd, const unsigned char *data, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, data, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		size -= (size_t)n;
	}
	return 0;
}

static int fill(int fd, uint64_t size_bytes, struct vs_error *err)
{
	unsigned char *chunk = malloc(CHUNK_BYTES);
	uint32_t x = 1;
	int rc = 0;

	if (!chunk)
		return vs_error_nomem(err);
	for (size_t i = 0; i < CHUNK_BYTES; i++) {
		x = x * 1664525U +
		    1013904223U; /* not zeros: those some file systems do not store */
		chunk[i] = (unsigned char)(x >> 24);
	}
	for (uint64_t done = 0; rc == 0 && done < size_bytes; done += CHUNK_BYTES)
		rc = write_all(fd, chunk, CHUNK_BYTES);
	if (rc == 0)
		rc = fsync(fd);
	free(chunk);
	return rc == 0 ? 0 : vs_error_sys(err, errno, "cannot fill the scratch file");
}

int vs_scratch_open(const char *dir, uint64_t size_bytes, struct vs_scratch *out,
		    struct vs_error *err)
{
	struct statvfs fs;
	int direct;

	out->fd = make_file(dir, err);
	if (out->fd < 0)
		return -1;
	(void)snprintf(out->path, sizeof(out->path), "/proc/self/fd/%d", out->fd);
	if (fstatvfs(out->fd, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize < size_bytes) {
		(void)vs_error_set(
			err, VS_ESYS, ENOSPC,
			"'%s' has no room for a scratch file of %llu MiB; give --scratch DIR", dir,
			(unsigned long long)(size_bytes >> 20));
		goto fail;
	}
	if (fill(out->fd, size_bytes, err) != 0)
		goto fail;
	direct = open(out->path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (direct < 0) {
		(void)vs_error_sys(err, errno,
				   "the file system of '%s' takes no direct reads (tmpfs?); give "
				   "--scratch DIR on a disk",
				   dir);
		goto fail;
	}
	(void)close(direct);
	return 0;
fail:
	vs_scratch_release(out);
	return -1;
}

void vs_scratch_release(struct vs_scratch *scratch)
{
	if (scratch->fd >= 0)
		(void)close(scratch->fd);
	scratch->fd = -1;
}
