/*
 * fio_log KIND BYTES: writes a log of that size to stdout, as fio would. "single": a row an I/O,
 * 25,000 a second; "windows": a row each 10 ms (log_avg_msec=10).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	uint64_t bytes = 0, limit = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
	int single = argc == 3 && strcmp(argv[1], "single") == 0;

	if (limit == 0 || (!single && strcmp(argv[1], "windows") != 0)) {
		(void)fprintf(stderr, "usage: fio_log single|windows BYTES\n");
		return 2;
	}
	for (uint64_t i = 0; bytes < limit; i++) {
		int n = single ? printf("%" PRIu64 ", 1, 0, 4096\n", i / 25)
			       : printf("%" PRIu64 ", %" PRIu64 ", 0, 0\n", (i + 1) * 10,
					25000 + i % 97);
		if (n < 0)
			return 1;
		bytes += (uint64_t)n;
	}
	return fflush(stdout) == 0 ? 0 : 1;
}
