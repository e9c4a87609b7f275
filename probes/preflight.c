#include "probes/preflight.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "probes/target_use.h"

#define FILES_BESIDE 64 /* descriptors that the rest of the program may need */
#define IOPS_PER_CPU \
 300000.0                /* what a core of a cloud instance submits and reaps, kernel included */
#define JOBS_PER_CPU 8   /* beyond it the jobs only wait for each other */
#define SLOT_BYTES   256 /* of a read in flight beside its buffer, the kernel's part included */
#define MIB          (1ULL << 20)
#define AIO_MAX_AIM  1048576ULL
#define SPARSE_PCT   10 /* of a file's size that may lack on its disk */

void vs_findings_add(struct vs_findings *findings, bool refuse, const char *kind, const char *fmt,
		     ...)
{
	struct vs_finding *finding = &findings->items[findings->n];
	va_list ap;

	if (findings->n == VS_FINDINGS_MAX) {
		findings->lost++;
		return;
	}
	findings->n++;
	finding->refuse = refuse;
	(void)snprintf(finding->kind, sizeof(finding->kind), "%s", kind);
	va_start(ap, fmt);
	(void)vsnprintf(finding->text, sizeof(finding->text), fmt, ap);
	va_end(ap);
}

static const char *root_of(const struct vs_preflight *preflight)
{
	return preflight->root ? preflight->root : "";
}

static bool read_text(const struct vs_preflight *preflight, const char *name, char *text,
		      size_t size)
{
	char path[PATH_MAX];
	FILE *file;
	bool ok;

	(void)snprintf(path, sizeof(path), "%s%s", root_of(preflight), name);
	file = fopen(path, "re");
	if (!file)
		return false;
	ok = fgets(text, (int)size, file) != NULL;
	(void)fclose(file);
	if (ok)
		text[strcspn(text, "\n")] = '\0';
	return ok;
}

static bool read_number(const struct vs_preflight *preflight, const char *name,
			unsigned long long *out)
{
	char text[64];

	// NOLINTNEXTLINE(cert-err34-c): the kernel wrote it
	return read_text(preflight, name, text, sizeof(text)) && sscanf(text, "%llu", out) == 1;
}

static unsigned long long jobs_of(const struct vs_preflight *preflight)
{
	return (unsigned long long)preflight->load->numjobs * preflight->n_targets;
}

static unsigned long long reads_of(const struct vs_preflight *preflight)
{
	return jobs_of(preflight) * preflight->load->iodepth;
}

static void check_aio(const struct vs_preflight *preflight, struct vs_findings *out)
{
	unsigned long long max, used, need = reads_of(preflight), left, aim;

	if (!read_number(preflight, "/proc/sys/fs/aio-max-nr", &max) ||
	    !read_number(preflight, "/proc/sys/fs/aio-nr", &used))
		return;
	left = max > used ? max - used : 0;
	aim = used + need > AIO_MAX_AIM ? used + need : AIO_MAX_AIM;
	if (need > left)
		vs_findings_add(out, true, "aio-max-nr",
				"%llu reads in flight are asked for, and fs.aio-max-nr leaves room "
				"for %llu (%llu, %llu in use); 'sysctl -w fs.aio-max-nr=%llu', or "
				"lower --iodepth or --numjobs",
				need, left, max, used, aim);
}

static void check_files(const struct vs_preflight *preflight, struct vs_findings *out)
{
	unsigned long long need = jobs_of(preflight) + FILES_BESIDE;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	    need > limit.rlim_cur)
		vs_findings_add(out, true, "open-files",
				"%llu files are to be open and RLIMIT_NOFILE is %llu; 'ulimit -n "
				"%llu', or lower --numjobs",
				need, (unsigned long long)limit.rlim_cur, need);
}

static void check_locked(const struct vs_preflight *preflight, struct vs_findings *out)
{
	unsigned long long need = jobs_of(preflight) * vs_load_buffers_bytes(preflight->load);
	struct rlimit limit;

	/* root may lock what it likes */
	if (geteuid() != 0 && getrlimit(RLIMIT_MEMLOCK, &limit) == 0 &&
	    limit.rlim_cur != RLIM_INFINITY && need > limit.rlim_cur)
		vs_findings_add(out, false, "locked-memory",
				"buffers of %llu KiB cannot be locked in memory, RLIMIT_MEMLOCK is "
				"%llu KiB: under memory pressure latencies may be our own; "
				"'ulimit -l %llu'",
				need >> 10, (unsigned long long)limit.rlim_cur >> 10,
				(need + 1023) >> 10);
}

static void check_memory(const struct vs_preflight *preflight, struct vs_findings *out)
{
	unsigned long long need = jobs_of(preflight) * vs_load_buffers_bytes(preflight->load) +
				  reads_of(preflight) * SLOT_BYTES;
	unsigned long long available = 0;
	char path[PATH_MAX], line[128];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/proc/meminfo", root_of(preflight));
	file = fopen(path, "re");
	if (!file)
		return;
	while (available == 0 && fgets(line, sizeof(line), file))
		// NOLINTNEXTLINE(cert-err34-c): the kernel wrote it
		if (sscanf(line, "MemAvailable: %llu kB", &available) != 1)
			available = 0;
	(void)fclose(file);
	available <<= 10;
	if (available > 0 && need > available / 2)
		vs_findings_add(out, need > available, "memory",
				"the buffers need %llu MiB and %llu MiB are available; lower "
				"--iodepth, --numjobs or --bs",
				(need + MIB - 1) / MIB, available / MIB);
}

static void check_clock(const struct vs_preflight *preflight, struct vs_findings *out)
{
	/* those that are read without a system call */
	static const char *const fast[] = { "tsc",
					    "kvm-clock",
					    "hyperv_clocksource_tsc_page",
					    "arch_sys_counter",
					    "timebase",
					    "tod",
					    "riscv_clocksource" };
	char source[64];

	if (!read_text(preflight,
		       "/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
		       sizeof(source)))
		return;
	for (size_t i = 0; i < sizeof(fast) / sizeof(fast[0]); i++)
		if (strcmp(source, fast[i]) == 0)
			return;
	vs_findings_add(out, false, "clock-source",
			"the clock source is '%s', which is slow to read and costs IOPS; write a "
			"faster one of 'available_clocksource' (tsc, kvm-clock) to "
			"/sys/devices/system/clocksource/clocksource0/current_clocksource",
			source);
}

/* The processors that this process may run on. */
static int count_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		return CPU_COUNT(&set);
	return (int)sysconf(_SC_NPROCESSORS_ONLN); /* more of them than a cpu_set_t holds */
}

static void check_cpus(const struct vs_preflight *preflight, struct vs_findings *out)
{
	unsigned long long jobs = jobs_of(preflight);
	int cpus = count_cpus();

	if (preflight->expected_iops > cpus * IOPS_PER_CPU)
		vs_findings_add(out, false, "cpus",
				"%.0f IOPS may be reached and %d CPUs submit about %.0f: the "
				"client may be the ceiling; take an instance with more CPUs, or a "
				"larger --bs",
				preflight->expected_iops, cpus, cpus * IOPS_PER_CPU);
	if (jobs > (unsigned long long)cpus * JOBS_PER_CPU)
		vs_findings_add(out, false, "cpus",
				"%llu jobs share %d CPUs and will wait for each other; lower "
				"--numjobs and raise --iodepth",
				jobs, cpus);
}

static void check_direct(const char *path, struct vs_findings *out)
{
	int fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0)
		(void)close(fd);
	else if (errno == EINVAL)
		vs_findings_add(out, true, "direct-io",
				"the file system of '%s' refuses direct reads (O_DIRECT), and "
				"buffered ones would measure memory; name a block device or a file "
				"on ext4 or xfs",
				path);
}

/* Reads that no disk does: of a file in memory, and of a file's holes. */
static void check_file(const char *path, struct vs_findings *out)
{
	unsigned long long size, held;
	struct statfs fs;
	struct stat st;

	if (statfs(path, &fs) < 0 || stat(path, &st) < 0)
		return;
	if (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC) {
		vs_findings_add(out, false, "in-memory",
				"'%s' lies in memory (tmpfs), so no volume is measured; name a "
				"block device or a file on ext4 or xfs",
				path);
		return;
	}
	size = (unsigned long long)st.st_size;
	held = (unsigned long long)st.st_blocks * 512;
	/* 0: a file system that does not say, or all of it inside the inode */
	if (held > 0 && held < size / 100 * (100 - SPARSE_PCT))
		vs_findings_add(
			out, false, "sparse",
			"of '%s' only %llu of %llu MiB are on its disk and the rest is read "
			"without it; fill it first ('dd if=/dev/urandom of=... bs=1M')",
			path, held / MIB, size / MIB);
}

static void check_target(const struct vs_preflight *preflight, size_t index,
			 struct vs_findings *out)
{
	const struct vs_target_info *info = &preflight->infos[index];
	const char *path = preflight->paths[index];
	uint32_t block = preflight->load->block_bytes;
	struct vs_error err = { 0 };

	if (vs_target_check_block(path, info, block, &err) < 0)
		vs_findings_add(out, true, "alignment", "%s", err.text);
	else if (info->physical_bytes > 0 && block % info->physical_bytes != 0)
		vs_findings_add(out, false, "sectors",
				"a block of %u bytes is not a multiple of the %u-byte physical "
				"sectors of '%s', which then reads more than is asked; give --bs "
				"%u or a multiple",
				block, info->physical_bytes, path, info->physical_bytes);
	check_direct(path, out);
	if (!info->is_device && !preflight->own_files)
		check_file(path, out);
	/* two names of one device share its ceiling */
	for (size_t i = 0; i < index; i++)
		if (info->is_device && preflight->infos[i].is_device &&
		    strcmp(info->device, preflight->infos[i].device) == 0)
			vs_findings_add(out, false, "twice",
					"'%s' and '%s' are the same device and share its ceiling; "
					"name it once and raise --numjobs",
					preflight->paths[i], path);
	vs_target_use_find(root_of(preflight), path, info, out);
}

void vs_preflight_check(const struct vs_preflight *preflight, struct vs_findings *out)
{
	memset(out, 0, sizeof(*out));
	check_aio(preflight, out);
	check_files(preflight, out);
	check_locked(preflight, out);
	check_memory(preflight, out);
	check_clock(preflight, out);
	check_cpus(preflight, out);
	for (size_t i = 0; i < preflight->n_targets; i++)
		check_target(preflight, i, out);
}
