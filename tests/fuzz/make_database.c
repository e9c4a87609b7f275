/* make_database FILE SECONDS: a small recording, as the seed of fuzz_database. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "recording.h"

int main(int argc, char **argv)
{
	struct vs_error err = { 0 };

	if (argc != 3)
		return 2;
	(void)unlink(argv[1]);
	if (recording_make(argv[1], 512, strtoll(argv[2], NULL, 10), &err) == 0)
		return 0;
	(void)fprintf(stderr, "make_database: %s\n", err.text);
	return 1;
}
