/* clang-format off */
/*
 * Linked into a volscale of its own (volscale-faults): the faults that a machine cannot be asked
 * for, at a time counted from the process's start, as VS_FAULTS says:
 *
 *   full@3000+4000      each write and sync of the database fails with "disk full" from 3 s on, for 4 s
 *   ioerr@3000+4000     the same with an I/O error
 *   slow@3000+4000      each sync takes 3 s
 *   wall@3000+3600000   at 3 s the wall clock is set an hour forward (a negative number: back)
 *   suspend@3000+90000  at 3 s the machine has slept for 90 s, which the monotonic clock does not know
 *   late@3000+700       the first wake-up of the sampler after 3 s comes 700 ms late
 *   nfs@0+0             every file system says that it is NFS
 */
/* clang-format on */
#include <errno.h>
#include <poll.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <time.h>

#include "shim.h"

#define MS           INT64_C(1000000)
#define SEC          INT64_C(1000000000)
#define FAULTS_MAX   8
#define SLOW_SYNC_NS (3 * SEC)

int __real_clock_gettime(clockid_t clock, struct timespec *out);
int __wrap_clock_gettime(clockid_t clock, struct timespec *out);
int __real_poll(struct pollfd *fds, nfds_t n, int timeout_ms);
int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout_ms);
int __real_timerfd_settime(int fd, int flags, const struct itimerspec *when,
			   struct itimerspec *old);
int __wrap_timerfd_settime(int fd, int flags, const struct itimerspec *when,
			   struct itimerspec *old);

int __real_statfs64(const char *path, struct statfs64 *out);
int __wrap_statfs64(const char *path, struct statfs64 *out);

enum kind {
	FULL,
	IOERR,
	SLOW,
	WALL,
	SUSPEND,
	LATE,
	NFS
};

static struct fault {
	enum kind kind;
	int64_t at_ns, amount_ns;
	bool done;
} faults[FAULTS_MAX];
static size_t n_faults;
static int64_t started_ns;
static __thread bool is_sampler;

static int64_t since_start(void)
{
	struct timespec ts;

	(void)__real_clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * SEC + ts.tv_nsec - started_ns;
}

static struct fault *active(enum kind kind, bool lasting)
{
	int64_t now_ns = since_start();

	for (size_t i = 0; i < n_faults; i++)
		if (faults[i].kind == kind && now_ns >= faults[i].at_ns &&
		    (!lasting || now_ns < faults[i].at_ns + faults[i].amount_ns))
			return &faults[i];
	return NULL;
}

/* Asked by the shim before each write, truncation and sync of the database. */
static int disk(void)
{
	shim.sync_ns = active(SLOW, true) ? SLOW_SYNC_NS : 0;
	if (active(FULL, true))
		return SQLITE_FULL;
	return active(IOERR, true) ? SQLITE_IOERR_WRITE : SQLITE_OK;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *out)
{
	int rc = __real_clock_gettime(clock, out);
	int64_t shift_ns = 0, ns;

	if (rc != 0 || n_faults == 0)
		return rc;
	for (size_t i = 0; i < n_faults; i++) {
		bool moves = (faults[i].kind == WALL && clock == CLOCK_REALTIME) ||
			     (faults[i].kind == SUSPEND &&
			      (clock == CLOCK_REALTIME || clock == CLOCK_BOOTTIME));
		if (moves && since_start() >= faults[i].at_ns)
			shift_ns += faults[i].amount_ns;
	}
	ns = out->tv_sec * SEC + out->tv_nsec + shift_ns;
	out->tv_sec = ns / SEC;
	out->tv_nsec = ns % SEC;
	return 0;
}

/* Only the sampler has a timer. */
int __wrap_timerfd_settime(int fd, int flags, const struct itimerspec *when, struct itimerspec *old)
{
	is_sampler = true;
	return __real_timerfd_settime(fd, flags, when, old);
}

int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
	int rc = __real_poll(fds, n, timeout_ms);
	struct fault *late = is_sampler ? active(LATE, false) : NULL;

	if (late && !late->done) {
		struct timespec ts = { .tv_sec = late->amount_ns / SEC,
				       .tv_nsec = late->amount_ns % SEC };

		late->done = true;
		(void)nanosleep(&ts, NULL);
	}
	return rc;
}

int __wrap_statfs64(const char *path, struct statfs64 *out)
{
	int rc = __real_statfs64(path, out);

	if (rc == 0 && active(NFS, false))
		out->f_type = 0x6969;
	return rc;
}

static void read_fault(const char *text)
{
	static const char *const names[] = { "full",    "ioerr", "slow", "wall",
					     "suspend", "late",  "nfs" };
	struct fault *fault = &faults[n_faults];
	long long at_ms, amount_ms;
	char name[16];

	if (n_faults == FAULTS_MAX ||
	    sscanf(text, "%15[a-z]@%lld+%lld", name, &at_ms, &amount_ms) != 3)
		abort();
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0) {
			*fault = (struct fault){ .kind = (enum kind)i,
						 .at_ns = at_ms * MS,
						 .amount_ns = amount_ms * MS };
			n_faults++;
			return;
		}
	abort();
}

__attribute__((constructor)) static void read_faults(void)
{
	const char *spec = getenv("VS_FAULTS");
	char *text, *rest, *word;

	started_ns = 0;
	started_ns = since_start();
	if (!spec)
		return;
	text = strdup(spec);
	if (!text)
		abort();
	for (word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		read_fault(word);
	free(text);
	for (size_t i = 0; i < n_faults; i++)
		if (faults[i].kind <= SLOW) {
			shim_install();
			shim.ask = disk;
			return;
		}
}
