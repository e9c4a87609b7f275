/* Does the process that was recording a run still live? A pid alone can be somebody else's. */
#include "store/db.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	(void)close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	return true;
}

/* Field 22 of /proc/PID/stat, in ticks since boot; the name before it may hold anything but the
 * last ')'. A zombie has ended. -1: no such process. */
static int64_t start_ticks(int64_t pid)
{
	char path[48], text[1024];
	char *at;

	(void)snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)pid);
	if (!read_file(path, text, sizeof(text)) || !(at = strrchr(text, ')')))
		return -1;
	at += 2; /* field 3, the state */
	if (*at == 'Z' || *at == 'X')
		return -1;
	for (int field = 3; field < 22 && at; field++)
		if ((at = strchr(at, ' ')))
			at++;
	return at ? strtoll(at, NULL, 10) : -1;
}

static int64_t pid_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 ? (int64_t)st.st_ino : 0;
}

void vs_writer_self(struct vs_writer *out)
{
	*out = (struct vs_writer){ .pid = getpid(), .pid_namespace = pid_namespace() };
	out->start_ticks = start_ticks(out->pid);
	if (!read_file("/proc/sys/kernel/random/boot_id", out->boot_id, sizeof(out->boot_id)))
		out->boot_id[0] = '\0';
	out->boot_id[strcspn(out->boot_id, "\n")] = '\0';
}

int vs_writer_lives(const struct vs_writer *writer)
{
	struct vs_writer self;

	vs_writer_self(&self);
	if (writer->pid <= 0 || strcmp(writer->boot_id, self.boot_id) != 0)
		return 0;
	if (writer->pid_namespace != self.pid_namespace)
		return -1;
	return start_ticks(writer->pid) == writer->start_ticks;
}
