/*
 * replay [-runs=N] [-seed=S] FILE...: runs a fuzz target over the files named, where there is no
 * libFuzzer: the corpus as a plain test. Then over N inputs made of them by chance, S saying which:
 * several times as many a second as libFuzzer's, because nothing watches what they reach. One that
 * aborts is left in the file "crash".
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHANGED_MAX 1024 /* bytes of a changed input */
#define PIECE_MAX   64   /* of what is put in, moved or taken out at once */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	uint8_t *data;
	size_t size;
};

static uint64_t state; /* SplitMix64 */
static struct input current;

static void keep_crash(int signal_number)
{
	int fd = open("crash", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	ssize_t written = fd >= 0 ? write(fd, current.data, current.size) : -1;

	(void)signal_number; /* its action is the default's again */
	if (written < 0)
		_exit(1);
}

static size_t below(size_t n)
{
	uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return n ? (size_t)((z ^ (z >> 31)) % n) : 0;
}

static int load(const char *path, struct input *out)
{
	FILE *in = fopen(path, "rb");
	long end;

	if (!in || fseek(in, 0, SEEK_END) != 0 || (end = ftell(in)) < 0) {
		perror(path);
		return -1;
	}
	rewind(in);
	out->data = malloc((size_t)end + 1); /* + 1: not NULL when empty */
	out->size = out->data ? fread(out->data, 1, (size_t)end, in) : 0;
	(void)fclose(in);
	return out->data ? 0 : -1;
}

/* One change of the size bytes at data, which has room for CHANGED_MAX; the new size. */
static size_t change(uint8_t *data, size_t size, const struct input *other)
{
	size_t at = below(size + 1), n = 1 + below(PIECE_MAX);
	size_t from = below(other->size + 1);

	switch (below(5)) {
	case 0: /* a byte */
		if (at < size)
			data[at] = (uint8_t)below(256);
		return size;
	case 1: /* a bit */
		if (at < size)
			data[at] ^= (uint8_t)(1U << below(8));
		return size;
	case 2: /* some bytes less */
		n = n < size - at ? n : size - at;
		memmove(data + at, data + at + n, size - at - n);
		return size - n;
	case 3: /* some bytes of another, in place of these */
		n = n < size - at ? n : size - at;
		n = n < other->size - from ? n : other->size - from;
		memcpy(data + at, other->data + from, n);
		return size;
	default: /* the same, before these */
		n = n < CHANGED_MAX - size ? n : CHANGED_MAX - size;
		n = n < other->size - from ? n : other->size - from;
		memmove(data + at + n, data + at, size - at);
		memcpy(data + at, other->data + from, n);
		return size + n;
	}
}

static void run_changed(const struct input *inputs, size_t n)
{
	const struct input *base = &inputs[below(n)];
	size_t size = base->size < CHANGED_MAX ? base->size : CHANGED_MAX;
	uint8_t room[CHANGED_MAX];
	uint8_t *exact;

	memcpy(room, base->data, size);
	for (size_t left = 1 + below(8); left > 0; left--)
		size = change(room, size, &inputs[below(n)]);
	exact = malloc(size + (size == 0)); /* of its own, so that reading over its end is seen */
	if (!exact)
		abort();
	memcpy(exact, room, size);
	current = (struct input){ exact, size };
	(void)LLVMFuzzerTestOneInput(exact, size);
	free(exact);
}

int main(int argc, char **argv)
{
	struct input *inputs = calloc((size_t)argc, sizeof(*inputs));
	uint64_t runs = 0;
	size_t n = 0;

	if (!inputs)
		return 1;
	for (int i = 1; i < argc; i++) {
		if (sscanf(argv[i], "-runs=%" SCNu64, &runs) == 1 ||
		    sscanf(argv[i], "-seed=%" SCNu64, &state) == 1)
			continue;
		if (load(argv[i], &inputs[n]) != 0)
			return 1;
		(void)LLVMFuzzerTestOneInput(inputs[n].data, inputs[n].size);
		n++;
	}
	(void)signal(SIGABRT, keep_crash);
	for (uint64_t i = 0; i < runs && n > 0; i++)
		run_changed(inputs, n);
	for (size_t i = 0; i < n; i++)
		free(inputs[i].data);
	free(inputs);
	printf("%zu files and %" PRIu64 " inputs by chance passed, 0 failed\n", n, runs);
	return 0;
}
