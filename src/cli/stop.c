#include "cli/stop.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"

#define SAME_SIGNAL_NS (200 * VS_NS_PER_MS)

static sigset_t signals(void)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGHUP);
	return set;
}

int vs_stop_open(struct vs_stop *stop, struct vs_error *err)
{
	const sigset_t set = signals();

	VS_ASSERT(pthread_sigmask(SIG_BLOCK, &set, &stop->old_signals) == 0);
	stop->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (stop->fd >= 0)
		return 0;
	(void)vs_error_sys(err, errno, "cannot make a signalfd");
	(void)pthread_sigmask(SIG_SETMASK, &stop->old_signals, NULL);
	return -1;
}

/* What follows the first at its heels is the same one again: timeout(1) and sudo signal the process
 * and its group. */
static bool is_same(const struct vs_stop *stop)
{
	return stop->asked && vs_clock_mono_ns() - stop->asked_ns < SAME_SIGNAL_NS;
}

static void end_at_once(int number)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, number);
	(void)signal(number, SIG_DFL);
	(void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	(void)raise(number);
}

bool vs_stop_take(struct vs_stop *stop)
{
	struct signalfd_siginfo info;

	if (stop->fd < 0 || read(stop->fd, &info, sizeof(info)) != (ssize_t)sizeof(info) ||
	    is_same(stop))
		return false;
	if (stop->asked)
		end_at_once((int)info.ssi_signo);
	stop->asked = true;
	stop->asked_ns = vs_clock_mono_ns();
	return true;
}

void vs_stop_let_go(struct vs_stop *stop)
{
	const sigset_t set = signals();
	struct pollfd fd = { .fd = stop->fd, .events = POLLIN };

	if (stop->fd < 0 || !stop->asked)
		return;
	while (is_same(stop)) {
		int64_t rest_ns = stop->asked_ns + SAME_SIGNAL_NS - vs_clock_mono_ns();

		if (poll(&fd, 1, (int)(rest_ns / VS_NS_PER_MS) + 1) > 0)
			(void)vs_stop_take(stop);
	}
	(void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void vs_stop_close(struct vs_stop *stop)
{
	struct signalfd_siginfo info;

	if (stop->fd < 0)
		return;
	/* one that still waits asks for the end of what is over */
	while (read(stop->fd, &info, sizeof(info)) > 0)
		;
	(void)close(stop->fd);
	stop->fd = -1;
	(void)pthread_sigmask(SIG_SETMASK, &stop->old_signals, NULL);
}
