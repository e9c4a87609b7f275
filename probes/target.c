#include "probes/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define HINT "name an existing block device or file"

static int refuse(const char *path, mode_t mode, struct vs_error *err)
{
	const char *kind = S_ISDIR(mode)    ? "a directory"
			   : S_ISCHR(mode)  ? "a character device"
			   : S_ISFIFO(mode) ? "a pipe"
			   : S_ISSOCK(mode) ? "a socket"
					    : "neither";

	return vs_error_set(err, VS_EUSAGE, 0, "'%s' is %s; " HINT, path, kind);
}

static int open_target(const char *path, struct stat *st, struct vs_error *err)
{
	int fd;

	/* looked at before it is opened: opening a pipe or a tape does something */
	if (stat(path, st) < 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			return vs_error_set(err, VS_EUSAGE, errno,
					    "cannot open '%s': no such device or file; " HINT,
					    path);
		return vs_error_sys(err, errno, "cannot look at '%s'", path);
	}
	if (!S_ISBLK(st->st_mode) && !S_ISREG(st->st_mode))
		return refuse(path, st->st_mode, err);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		if (errno == EACCES || errno == EPERM)
			return vs_error_set(err, VS_ESYS, errno,
					    "may not read '%s'; run as root or join its group "
					    "(often 'disk')",
					    path);
		if (errno == ENXIO || errno == ENODEV)
			return vs_error_set(err, VS_EUSAGE, errno,
					    "cannot open '%s': no device behind it; " HINT, path);
		return vs_error_sys(err, errno, "cannot open '%s'", path);
	}
	if (fstat(fd, st) < 0) {
		vs_error_sys(err, errno, "cannot look at '%s'", path);
		(void)close(fd);
		return -1;
	}
	return fd;
}

static void trim(char *text)
{
	size_t len = strlen(text);

	while (len > 0 && (text[len - 1] == '\n' || text[len - 1] == ' '))
		text[--len] = '\0';
}

/* The first line of a file under /sys/dev/block/M:m, trimmed; "" when it is not there. */
static void read_sysfs(const char *device, const char *name, char *text, size_t size)
{
	char path[PATH_MAX];
	FILE *file;

	text[0] = '\0';
	(void)snprintf(path, sizeof(path), "/sys/dev/block/%s/%s", device, name);
	file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(text, (int)size, file))
		text[0] = '\0';
	(void)fclose(file);
	trim(text);
}

/* A whole disk has queue/, a partition's stands in its parent. */
static uint32_t read_queue_limit(const char *device, const char *name)
{
	static const char *const where[] = { "queue", "../queue" };
	char text[32], file[64];
	unsigned int value;

	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		(void)snprintf(file, sizeof(file), "%s/%s", where[i], name);
		read_sysfs(device, file, text, sizeof(text));
		if (sscanf(text, "%u", &value) == 1) // NOLINT(cert-err34-c): the kernel wrote it
			return value;
	}
	return 0;
}

static void describe_device(struct vs_target_info *out, dev_t dev)
{
	char path[PATH_MAX], link[PATH_MAX];
	ssize_t len;

	/* major 0: a file system without a device of its own */
	if (major(dev) == 0)
		return;
	(void)snprintf(out->device, sizeof(out->device), "%u:%u", major(dev), minor(dev));
	(void)snprintf(path, sizeof(path), "/sys/dev/block/%s", out->device);
	len = readlink(path, link, sizeof(link) - 1);
	if (len < 0) {
		out->device[0] = '\0';
		return;
	}
	link[len] = '\0';
	(void)snprintf(out->kernel_name, sizeof(out->kernel_name), "%.63s",
		       strrchr(link, '/') ? strrchr(link, '/') + 1 : link);
	out->logical_bytes = read_queue_limit(out->device, "logical_block_size");
	out->physical_bytes = read_queue_limit(out->device, "physical_block_size");
	read_sysfs(out->device, "device/model", out->model, sizeof(out->model));
	if (out->model[0] == '\0')
		read_sysfs(out->device, "../device/model", out->model, sizeof(out->model));
}

static bool is_power_of_2(uint32_t value)
{
	return value != 0 && (value & (value - 1)) == 0;
}

static void find_alignment(int fd, struct vs_target_info *out)
{
	out->offset_align = is_power_of_2(out->logical_bytes) ? out->logical_bytes : 512;
	out->memory_align = out->offset_align;
#if defined(STATX_DIOALIGN)
	struct statx stx;

	memset(&stx, 0, sizeof(stx));
	if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &stx) == 0 &&
	    (stx.stx_mask & STATX_DIOALIGN) && is_power_of_2(stx.stx_dio_offset_align) &&
	    is_power_of_2(stx.stx_dio_mem_align)) {
		out->offset_align = stx.stx_dio_offset_align;
		out->memory_align = stx.stx_dio_mem_align;
	}
#else
	(void)fd;
#endif
}

static int find_size(int fd, const char *path, const struct stat *st, struct vs_target_info *out,
		     struct vs_error *err)
{
	out->size_bytes = (uint64_t)st->st_size;
	if (out->is_device && ioctl(fd, BLKGETSIZE64, &out->size_bytes) < 0)
		return vs_error_sys(err, errno, "cannot read the size of '%s'", path);
	if (out->size_bytes == 0)
		return vs_error_set(err, VS_EUSAGE, 0, "'%s' is empty; %s", path,
				    out->is_device ? "is the volume attached?"
						   : "name a file that holds data");
	return 0;
}

int vs_target_inspect(const char *path, struct vs_target_info *out, struct vs_error *err)
{
	struct stat st;
	int fd, rc;

	memset(out, 0, sizeof(*out));
	fd = open_target(path, &st, err);
	if (fd < 0)
		return -1;
	out->is_device = S_ISBLK(st.st_mode);
	describe_device(out, out->is_device ? st.st_rdev : st.st_dev);
	if (out->is_device) {
		int logical = 0;
		unsigned int physical = 0;

		if (ioctl(fd, BLKSSZGET, &logical) == 0 && logical > 0)
			out->logical_bytes = (uint32_t)logical;
		if (ioctl(fd, BLKPBSZGET, &physical) == 0)
			out->physical_bytes = physical;
	}
	find_alignment(fd, out);
	rc = find_size(fd, path, &st, out, err);
	(void)close(fd);
	return rc;
}

int vs_target_check_block(const char *path, const struct vs_target_info *info, uint64_t block_bytes,
			  struct vs_error *err)
{
	if (block_bytes == 0 || block_bytes % info->offset_align != 0)
		return vs_error_set(
			err, VS_EUSAGE, 0,
			"a block of %llu bytes is not a multiple of %u, which '%s' asks "
			"of direct reads; give --bs %u or a multiple",
			(unsigned long long)block_bytes, info->offset_align, path,
			info->offset_align > 4096 ? info->offset_align : 4096);
	if (block_bytes > info->size_bytes)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "a block of %llu bytes is more than '%s' holds (%llu bytes); "
				    "give a smaller --bs",
				    (unsigned long long)block_bytes, path,
				    (unsigned long long)info->size_bytes);
	return 0;
}
