/* fio's JSON: every dialect as a small input with its right reading. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "import_set.h"

#define READ(ms, n)                                                             \
 "\"read\": {\"io_bytes\": 0, \"io_kbytes\": 0, \"iops\": 1, \"runtime\": " #ms \
 ", \"total_ios\": " #n "}"
#define WRITE(ms, n)                                                             \
 "\"write\": {\"io_bytes\": 0, \"io_kbytes\": 0, \"iops\": 1, \"runtime\": " #ms \
 ", \"total_ios\": " #n "}"
#define JOB(name, group, parts) \
 "{\"jobname\": \"" name "\", \"groupid\": " #group ", \"error\": 0,\n" parts "}"
#define DOC(wall_ms, jobs) \
 "{\n\"fio version\": \"fio-3.36\",\n\"timestamp_ms\": " #wall_ms ",\n\"jobs\": [\n" jobs "\n]\n}\n"
#define BINS(ms, n, bins)                                           \
 "\"read\": {\"iops\": 1, \"runtime\": " #ms ", \"total_ios\": " #n \
 ", \"clat_ns\": {\"bins\": {" bins "}}}"

static const struct import_set sets[] = {
	{ .name = "one document is a total and no series",
	  .files = { { "a.json", DOC(1700000060000, JOB("j", 0, READ(60000, 1500000))) } },
	  .samples = "60=25000/60r+0",
	  .events = "no-series: the input holds 1 result and no series",
	  .tool_iops = 25000 },
	{ .name = "2.14: io_bytes is KiB; options tell the workload; percentiles are us",
	  .files = { { "a.json",
		       "{ \"fio version\" : \"fio-2.14\", \"jobs\" : [ { \"jobname\" : \"w\", \"groupid\" : 0,\n"
		       "\"job options\" : { \"rw\" : \"randwrite\", \"bs\" : \"16k\", \"iodepth\" : \"16\", \"numjobs\" : \"4\" },\n"
		       "\"write\" : { \"io_bytes\" : 2664512, \"bw\" : 266451, \"iops\" : 16653.2, \"runtime\" : 10000,\n"
		       "\"total_ios\" : 166532, \"clat\" : { \"max\" : 9000, \"percentile\" : { \"50.000000\" : 3000,\n"
		       "\"99.000000\" : 7000, \"99.900000\" : 8000 } } } } ] }\n" } },
	  .samples = "10=16653/10r@3000,7000+2728460288",
	  .events = "no-series",
	  .load = "randwrite 16384 x16 x4" },
	{ .name = "2.1.4: no total_ios, whole IOPS; groups one after another",
	  .files = { { "a.json",
		       "{\"fio version\": \"fio-2.1.4\", \"jobs\": [\n"
		       "{\"jobname\": \"a\", \"groupid\": 0, \"read\": {\"iops\": 0, \"runtime\": 0},\n"
		       " \"write\": {\"iops\": 133, \"runtime\": 5000}},\n"
		       "{\"jobname\": \"b\", \"groupid\": 1, \"read\": {\"iops\": 253, \"runtime\": 2000},\n"
		       " \"write\": {\"iops\": 0, \"runtime\": 0}}]}\n" } },
	  .samples = "5=133/5r 7=253/2r",
	  .events = "no-series: the input holds 2 results" },
	{ .name = "text before, a stray '>', text behind",
	  .files = { { "a.json",
		       "note: both iodepth >= 1 and synchronous I/O engine are selected\n"
		       "j: (g=0): rw=randread, bs=(R) 4096B-4096B\nfio-3.36\n>" DOC(
			       1700000060000,
			       JOB("j", 0,
				   READ(10000, 5000))) "\nj: (groupid=0, jobs=1): err= 0:\n" } },
	  .samples = "10=500/10r+0",
	  .events = "no-series|a.json:1 to 13: 4 left out: text outside the JSON" },
	{ .name = "warnings and status lines inside the document",
	  .files = { { "a.json",
		       "{\n\"fio version\": \"fio-3.1\",\nfio: something was said here {\n"
		       "Jobs: 1 (f=1): [r(1)][50.0%][r=1MiB/s][r=250 IOPS][eta 00m:05s]\n"
		       "\"jobs\": [{\"jobname\": \"a}\", \"groupid\": 0, " READ(2000,
										500) "}]}\n" } },
	  .samples = "2=250/2r+0",
	  .events = "no-series|left out: text inside the JSON" },
	{ .name = "--status-interval: counts since the start, so differences are the series",
	  .files = { { "a.json", DOC(1700000001000, JOB("j", 0, READ(1000, 25000))) DOC(
					 1700000002000, JOB("j", 0, READ(2000, 50000)))
					 DOC(1700000003000, JOB("j", 0, READ(3000, 100000))) DOC(
						 1700000003000, JOB("j", 0, READ(3000, 100000)))
						 DOC(1700000004010, JOB("j", 0, READ(4000, 150000)))
							 DOC(1700000004020,
							     JOB("j", 0, READ(4010, 150500))) } },
	  .samples = "1=25000+0 2=25000+0 3=50000+0 4=50000+0",
	  .events = "",
	  .tool_iops = 37531 },
	{ .name = "percentiles of an interval are differences of bins",
	  .files = { { "a.json", DOC(1700000001000,
				     JOB("j", 0, BINS(1000, 100, "\"10000\": 99, \"90000\": 1")))
					 DOC(1700000002000,
					     JOB("j", 0,
						 BINS(2000, 200,
						      "\"10000\": 99, \"90000\": 1, \"500000\": 100"))) } },
	  .samples = "1=100@10,10 2=100@502,502",
	  .events = "" },
	{ .name = "bins by index (2.2.12 to 2.19), us",
	  .files = { { "a.json",
		       "{\"fio version\": \"fio-2.18\", \"jobs\": [{\"jobname\": \"j\", \"groupid\": 0, \"read\": {\"iops\": 10,\n"
		       "\"runtime\": 1000, \"total_ios\": 10, \"clat\": {\"bins\": {\"FIO_IO_U_PLAT_BITS\": 6, \"100\": 10}}}}]}\n"
		       "{\"fio version\": \"fio-2.18\", \"jobs\": [{\"jobname\": \"j\", \"groupid\": 0, \"read\": {\"iops\": 10,\n"
		       "\"runtime\": 2000, \"total_ios\": 20, \"clat\": {\"bins\": {\"FIO_IO_U_PLAT_BITS\": 6, \"100\": 10,\n"
		       "\"200\": 10}}}}]}\n" } },
	  .samples = "1=10@100,100 2=10@289,289",
	  .events = "" },
	{ .name = "jobs that run side by side, both directions",
	  .files = { { "a.json",
		       DOC(1700000001000, JOB("a", 0, READ(1000, 100) "," WRITE(1000, 50)) "," JOB(
						  "b", 0, READ(1000, 200)))
			       DOC(1700000002000,
				   JOB("a", 0, READ(2000, 200) "," WRITE(2000, 100)) "," JOB(
					   "b", 0, READ(2000, 400))) } },
	  .samples = "1=350+0 2=350+0",
	  .events = "",
	  .tool_iops = 350 },
	{ .name = "two runs of one job are no series",
	  .files = { { "a.json", DOC(1700000060000, JOB("j", 0, READ(60000, 1500000)))
					 DOC(1700000130000, JOB("j", 0, READ(60003, 1500100))) } },
	  .samples = "60=25000/60r+0 120.003=25000/60r+0",
	  .events = "no-series: the input holds 2 results" },
	{ .name = "documents in several files go on",
	  .files = { { "a.json", DOC(1700000001000, JOB("j", 0, READ(1000, 100))) },
		     { "b.json", DOC(1700000002000, JOB("j", 0, READ(2000, 300))) } },
	  .samples = "1=100+0 2=200+0",
	  .events = "" },
	{ .name = "client mode: hosts' names in front, the sum of all is not added again",
	  .files = { { "a.json",
		       "<h1> note: clock source is slow\n{\"fio version\": \"fio-3.36\", \"timestamp\": 1700000010, \"client_stats\": [\n" JOB(
			       "a",
			       0, READ(10000, 1000)) "," JOB("b",
							     0, READ(10000, 3000)) "," JOB("All clients",
											   0, READ(10000, 4000)) "]}\n" } },
	  .samples = "10=400/10r+0",
	  .events = "no-series|text outside the JSON" },
	{ .name = "the last document is cut off",
	  .files = { { "a.json",
		       DOC(1700000001000, JOB("j", 0, READ(1000, 100))) DOC(
			       1700000002000,
			       JOB("j", 0,
				   READ(2000,
					300))) "{\n\"fio version\": \"fio-3.36\",\n\"jobs\": [" } },
	  .samples = "1=100+0 2=200+0",
	  .events = "left out: a JSON document that is cut off" },
	{ .name = "only a beginning",
	  .files = { { "a.json",
		       "{\n\"fio version\": \"fio-3.36\",\n\"jobs\": [{\"jobname\": \"a\"," } },
	  .error = "cut off before its end" },
	{ .name = "no jobs",
	  .files = { { "a.json", "{\"fio version\": \"fio-3.36\", \"jobs\": []}\n" } },
	  .error = "no whole JSON document" },
	{ .name = "nan and a name that is no UTF-8",
	  .files = { { "a.json",
		       "{\"fio version\": \"fio-2.0.8\", \"jobs\": [{\"jobname\": \"\xe9t\xe9\", \"groupid\": 0, \"read\": {\"bw_mean\": nan,\n"
		       "\"bw_dev\": -nan, \"iops\": 40, \"runtime\": 1000}}]}\n" } },
	  .samples = "1=40r",
	  .events = "no-series" },
	{ .name = "a job that failed",
	  .files = { { "a.json",
		       "{\"fio version\": \"fio-3.36\", \"jobs\": [{\"jobname\": \"a\", \"groupid\": 0, \"error\": 5,\n" READ(
			       2000, 500) "}]}\n" } },
	  .samples = "2=250/2r+0",
	  .events = "no-series|error: fio says that job 'a' failed with error 5" },
	{ .name = "a console's status lines with the totals of JSON",
	  .files = { { "a.txt",
		       "j: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=1\n"
		       "fio-3.36\nStarting 1 process\n"
		       "Jobs: 1 (f=1): [r(1)][16.7%][r=400KiB/s][r=100 IOPS][eta 00m:05s]\n"
		       "Jobs: 1 (f=1): [r(1)][33.3%][r=400KiB/s][r=100 IOPS][eta 00m:04s]\n"
		       "Jobs: 1 (f=1): [r(1)][50.0%][r=400KiB/s][r=100 IOPS][eta 00m:03s]\n"
		       "Jobs: 1 (f=1): [r(1)][66.7%][r=400KiB/s][r=100 IOPS][eta 00m:02s]\n"
		       "Jobs: 1 (f=1): [r(1)][83.3%][r=400KiB/s][r=100 IOPS][eta 00m:01s]\n" },
		     { "a.json", DOC(1700000006000, JOB("j", 0, READ(9000, 900))) } },
	  .samples = "1=100+409600 2=100+409600 3=100+409600 4=100+409600 5=100+409600",
	  .events = "import-coverage",
	  .tool_iops = 100 },
	{ .name = "two CSVs are two runs",
	  .files = { { "a.csv", "time_s,iops\n1,10\n2,10\n" }, { "b.csv", "time_s,iops\n1,10\n" } },
	  .error = "cannot become one run" },
};

static void every_dialect_is_read_right(void **state)
{
	(void)state;
	import_sets_hold(sets, sizeof(sets) / sizeof(sets[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_dialect_is_read_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
