/* The signals that end a run: the first in good order, the second at once. */
#ifndef VS_CLI_STOP_H
#define VS_CLI_STOP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct vs_stop {
	int fd; /* a signalfd to poll; -1: there is none, nothing asks */
	bool asked;
	int64_t asked_ns; /* monotonic */
	sigset_t old_signals;
};

/* clang-format off */
#define VS_STOP_INIT { .fd = -1 }
/* clang-format on */

/* Before any thread starts, so that all inherit it: the signals are read from the fd only. */
int vs_stop_open(struct vs_stop *stop, struct vs_error *err) VS_MUST_CHECK;
/* True when the run is now asked to end; the second time the process ends here. Never waits. */
bool vs_stop_take(struct vs_stop *stop);
/* Once the run was asked to end: from here on a signal ends the process wherever it is. */
void vs_stop_let_go(struct vs_stop *stop);
void vs_stop_close(struct vs_stop *stop);

#endif
