#include "base/clock.h"

#include <time.h>

#include "base/error.h"

static int64_t read_ns(clockid_t id)
{
	struct timespec ts;

	VS_ASSERT(clock_gettime(id, &ts) == 0);
	return (int64_t)ts.tv_sec * VS_NS_PER_SEC + ts.tv_nsec;
}

int64_t vs_clock_mono_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

int64_t vs_clock_boot_ns(void)
{
	return read_ns(CLOCK_BOOTTIME);
}

int64_t vs_clock_wall_ns(void)
{
	return read_ns(CLOCK_REALTIME);
}
