/* drive PATH BLOCK_BYTES DEPTH JOBS SECONDS: the load driver alone, a snapshot a second.
 *
 * Between bare_aio and `volscale observe`: shows what of the distance is the driver's, and what the
 * sampler's and the recorder's. Prints "ios cpu_s wall_s".
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "probes/load.h"
#include "probes/target.h"

static int run(const struct vs_load_options *options, const char *path, double for_s,
	       struct vs_error *err)
{
	static struct vs_load_counters counters;
	struct vs_target_info info;
	struct vs_load_target target = { .path = path };
	struct vs_load *load;
	struct timespec cpu;
	int64_t start_ns, end_ns;

	if (vs_target_inspect(path, &info, err) < 0)
		return -1;
	target.size_bytes = info.size_bytes;
	start_ns = vs_clock_mono_ns();
	end_ns = start_ns + (int64_t)(for_s * 1e9);
	if (vs_load_open(options, &target, 1, &load, err) < 0)
		return -1;
	vs_load_set_active(load, true);
	while (vs_clock_mono_ns() < end_ns) {
		int64_t left_ns = end_ns - vs_clock_mono_ns();

		(void)usleep(
			(useconds_t)((left_ns < VS_NS_PER_SEC ? left_ns : VS_NS_PER_SEC) / 1000 +
				     1));
		vs_load_read(load, 0, &counters);
	}
	if (vs_load_stop(load, 10 * VS_NS_PER_SEC, err) < 0)
		return -1;
	vs_load_read(load, 0, &counters);
	vs_load_free(load);
	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu) < 0)
		return -1;
	(void)printf("%llu %.6f %.6f\n", (unsigned long long)vs_hist_total(&counters.latency),
		     (double)cpu.tv_sec + (double)cpu.tv_nsec / 1e9,
		     (double)(vs_clock_mono_ns() - start_ns) / 1e9);
	return 0;
}

int main(int argc, char **argv)
{
	struct vs_load_options options = { .random = true, .seed = 1 };
	struct vs_error err = { 0 };

	if (argc != 6) {
		(void)fprintf(stderr, "usage: drive PATH BLOCK_BYTES DEPTH JOBS SECONDS\n");
		return 2;
	}
	options.block_bytes = (uint32_t)strtoul(argv[2], NULL, 10);
	options.iodepth = (uint32_t)strtoul(argv[3], NULL, 10);
	options.numjobs = (uint32_t)strtoul(argv[4], NULL, 10);
	if (run(&options, argv[1], strtod(argv[5], NULL), &err) == 0)
		return 0;
	(void)fprintf(stderr, "drive: %s\n", err.text);
	return 1;
}
