/* The three clocks, each in ns. Spans are only ever taken from the monotonic one. */
#ifndef VS_BASE_CLOCK_H
#define VS_BASE_CLOCK_H

#include <stdint.h>

#define VS_NS_PER_US  INT64_C(1000)
#define VS_NS_PER_MS  INT64_C(1000000)
#define VS_NS_PER_SEC INT64_C(1000000000)

int64_t vs_clock_mono_ns(void); /* CLOCK_MONOTONIC: stands still in a suspend */
int64_t vs_clock_boot_ns(void); /* CLOCK_BOOTTIME: goes on in a suspend */
int64_t vs_clock_wall_ns(void); /* CLOCK_REALTIME: a label, may jump */

#endif
