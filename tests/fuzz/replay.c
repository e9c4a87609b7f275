/* Runs a fuzz target over the files named, where there is no libFuzzer: the corpus as a plain test.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *in = fopen(argv[i], "rb");
		uint8_t *data;
		size_t size;
		long end;

		if (!in || fseek(in, 0, SEEK_END) != 0 || (end = ftell(in)) < 0) {
			perror(argv[i]);
			return 1;
		}
		rewind(in);
		data = malloc((size_t)end + 1); /* + 1: not NULL when empty */
		if (!data)
			return 1;
		size = fread(data, 1, (size_t)end, in);
		(void)fclose(in);
		(void)LLVMFuzzerTestOneInput(data, size);
		free(data);
	}
	printf("%d passed, 0 failed\n", argc - 1);
	return 0;
}
