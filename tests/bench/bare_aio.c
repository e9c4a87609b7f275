/* bare_aio PATH BLOCK_BYTES DEPTH JOBS SECONDS: random direct reads and nothing else.
 *
 * What the kernel's libaio can do here at most: no clock, no histogram, no error handling beyond
 * giving up; buffers in huge pages and no access time kept, as the driver has it. Prints "ios cpu_s
 * wall_s". The measure that scripts/bench.sh holds the driver against.
 */
#include <fcntl.h>
#include <libaio.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <linux/fs.h>

#define MAX_JOBS   64
#define HUGE_BYTES (2UL << 20)

struct job {
	alignas(64) pthread_t thread;
	const char *path;
	unsigned long block_bytes, depth;
	uint64_t rng, ios;
};

static _Atomic int stop;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t size_of(int fd)
{
	struct stat st;
	uint64_t size = 0;

	if (fstat(fd, &st) < 0 || (S_ISBLK(st.st_mode) && ioctl(fd, BLKGETSIZE64, &size) < 0))
		die("size");
	return S_ISBLK(st.st_mode) ? size : (uint64_t)st.st_size;
}

static void place(struct job *job, struct iocb *iocb, uint64_t blocks)
{
	job->rng = job->rng * UINT64_C(6364136223846793005) + 1442695040888963407U;
	iocb->u.c.offset =
		(long long)((job->rng >> 32) * blocks >> 32) * (long long)job->block_bytes;
}

static char *make_buffers(unsigned long bytes)
{
	char *buffers;

	bytes = (bytes + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
	buffers = aligned_alloc(HUGE_BYTES, bytes);
	if (!buffers)
		die("buffers");
	(void)madvise(buffers, bytes, MADV_HUGEPAGE);
	return memset(buffers, 0, bytes);
}

static void *run(void *arg)
{
	struct job *job = arg;
	unsigned long n = job->depth;
	struct iocb *iocbs = calloc(n, sizeof(*iocbs)), **batch = calloc(n, sizeof(void *));
	struct io_event *events = calloc(n, sizeof(*events));
	char *buffers = make_buffers(n * job->block_bytes);
	int fd = open(job->path, O_RDONLY | O_DIRECT | O_NOATIME | O_CLOEXEC);
	io_context_t ctx = NULL;
	uint64_t blocks;
	long got;

	if (!iocbs || !batch || !events || fd < 0 || io_setup((int)n, &ctx) < 0)
		die("setup");
	blocks = size_of(fd) / job->block_bytes;
	for (unsigned long i = 0; i < n; i++) {
		io_prep_pread(&iocbs[i], fd, buffers + i * job->block_bytes, job->block_bytes, 0);
		place(job, &iocbs[i], blocks);
		batch[i] = &iocbs[i];
	}
	for (got = (long)n; !atomic_load_explicit(&stop, memory_order_relaxed);) {
		for (long done = 0; done < got;) {
			int rc = io_submit(ctx, got - done, batch + done);

			if (rc <= 0)
				die("io_submit");
			done += rc;
		}
		got = io_getevents(ctx, 1, (long)n, events, NULL);
		if (got < 0)
			die("io_getevents");
		for (long i = 0; i < got; i++) {
			batch[i] = events[i].obj;
			place(job, batch[i], blocks);
		}
		job->ios += (uint64_t)got;
	}
	(void)io_destroy(ctx);
	return NULL;
}

static double seconds(clockid_t id)
{
	struct timespec ts;

	if (clock_gettime(id, &ts) < 0)
		die("clock_gettime");
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	static struct job jobs[MAX_JOBS];
	unsigned long n_jobs;
	uint64_t ios = 0;
	double start;

	if (argc != 6) {
		(void)fprintf(stderr, "usage: bare_aio PATH BLOCK_BYTES DEPTH JOBS SECONDS\n");
		return 2;
	}
	n_jobs = strtoul(argv[4], NULL, 10);
	start = seconds(CLOCK_MONOTONIC);
	for (unsigned long i = 0; i < n_jobs && i < MAX_JOBS; i++) {
		jobs[i] = (struct job){ .path = argv[1],
					.block_bytes = strtoul(argv[2], NULL, 10),
					.depth = strtoul(argv[3], NULL, 10),
					.rng = i + 1 };
		if (pthread_create(&jobs[i].thread, NULL, run, &jobs[i]) != 0)
			die("pthread_create");
	}
	(void)usleep((useconds_t)(strtod(argv[5], NULL) * 1e6));
	atomic_store(&stop, 1);
	for (unsigned long i = 0; i < n_jobs && i < MAX_JOBS; i++) {
		(void)pthread_join(jobs[i].thread, NULL);
		ios += jobs[i].ios;
	}
	(void)printf("%llu %.6f %.6f\n", (unsigned long long)ios, seconds(CLOCK_PROCESS_CPUTIME_ID),
		     seconds(CLOCK_MONOTONIC) - start);
	return 0;
}
