/*
 * fio_log STEP_MS BYTES [JOB]: writes a log of that size to stdout, as fio would for that job: a
 * row each STEP_MS (log_avg_msec); 0: a row an I/O, 25,000 a second. Jobs' windows share no
 * borders.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	uint64_t step_ms = argc > 2 ? strtoull(argv[1], NULL, 10) : 0;
	uint64_t limit = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	uint64_t job = argc > 3 ? strtoull(argv[3], NULL, 10) : 0, bytes = 0;

	if (limit == 0) {
		(void)fprintf(stderr, "usage: fio_log STEP_MS BYTES [JOB]\n");
		return 2;
	}
	for (uint64_t i = 0; bytes < limit; i++) {
		int n = step_ms ? printf("%" PRIu64 ", %" PRIu64 ", 0, 0\n",
					 (i + 1) * step_ms + job * 7 % step_ms,
					 25000 + (i + job) % 97)
				: printf("%" PRIu64 ", 1, 0, 4096\n", i / 25);
		if (n < 0)
			return 1;
		bytes += (uint64_t)n;
	}
	return fflush(stdout) == 0 ? 0 : 1;
}
