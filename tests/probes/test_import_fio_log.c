/* fio's logs: every dialect as a small input with its right reading. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "import_set.h"

#define JSON(version, ms, ios)                                                            \
 "{\"fio version\": \"fio-" version                                                       \
 "\", \"timestamp_ms\": 1700000010000, \"jobs\": [{\"jobname\": \"j\", \"groupid\": 0,\n" \
 "\"job options\": {\"bs\": \"4k\"}, \"read\": {\"iops\": 1, \"runtime\": " #ms           \
 ", \"total_ios\": " #ios "}}]}\n"

/* Ten windows of 100 ms by a sampler that is 20 ms late each time: 25,000 a second all along. */
#define LATE_ROWS                                                                             \
 "120, 25000, 0, 0\n240, 21428, 0, 0\n360, 18750, 0, 0\n480, 16666, 0, 0\n600, 15000, 0, 0\n" \
 "720, 13636, 0, 0\n840, 12500, 0, 0\n960, 11538, 0, 0\n1080, 10714, 0, 0\n1200, 10000, 0, 0\n"

static const struct import_set layouts[] = {
	{ .name = "time, value, direction, block size",
	  .files = { { "j_iops.1.log",
		       "1000, 25000, 0, 0\n2000, 25010, 0, 0\n3000, 50000, 0, 0\n" } },
	  .samples = "1=25000 2=25010 3=50000",
	  .events = "" },
	{ .name = "three columns, no blanks, CRLF",
	  .files = { { "j_iops.1.log", "1000,25000,0\r\n2000,25010,0\r\n" } },
	  .samples = "1=25000 2=25010" },
	{ .name = "with an offset (2.1.11)",
	  .files = { { "j_iops.1.log", "1000, 300, 1, 4096, 81920\n2000, 310, 1, 4096, 4096\n" } },
	  .samples = "1=300 2=310" },
	{ .name = "with offset and priority (3.18), the latter in hex (3.28)",
	  .files = { { "j_iops.1.log",
		       "1000, 300, 0, 0, 0, 0x0004\n2000, 310, 0, 0, 0, 0x0004\n" } },
	  .samples = "1=300 2=310" },
	{ .name = "two values a row (3.37, log_window_value=both), time of issue (3.38)",
	  .files = { { "j_iops.1.log",
		       "1000, 300, 300, 1, 0, 0, 0x0000, 77\n2000, 310, 310, 1, 0, 0, 0x0000, 99\n" } },
	  .samples = "1=300 2=310" },
	{ .name = "a sampler that is 1 ms late each time (3.18 to 3.24)",
	  .files = { { "j_iops.1.log", "1001, 300, 0, 0\n2002, 310, 0, 0\n3003, 305, 0, 0\n" } },
	  .samples = "1.001=300/1.001 2.002=310/1.001 3.003=305/1.001" },
	{ .name = "windows of 500 ms make seconds",
	  .files = { { "j_iops.1.log",
		       "500, 100, 0, 0\n1000, 200, 0, 0\n1502, 300, 0, 0\n2004, 300, 0, 0\n2504, 100, 0, 0\n" } },
	  .samples = "1=150 2.004=300/1.004 2.504=100/0.5r" },
	{ .name = "windows of 700 ms stay (2.8: real rates beside the block size)",
	  .files = { { "j_iops.1.log",
		       "622, 1, 0, 1048576\n1374, 130, 0, 1048576\n2132, 149, 0, 1048576\n2800, 62, 0, 1048576\n" } },
	  .samples = "0.622=1/0.622 1.374=130/0.752 2.132=149/0.758 2.8=62/0.668" },
	{ .name = "windows of about 508 ms: two make a second, also where that is a little more",
	  .files = { { "j_iops.1.log",
		       "508, 1000, 1, 0\n1015, 400, 1, 0\n1517, 300, 1, 0\n2023, 300, 1, 0\n2539, 300, 1, 0\n3053, 300, 1, 0\n" } },
	  .samples = "1.015=700.3/1.015 2.023=300/1.008 3.053=300/1.03" },
	{ .name = "windows of 2 s",
	  .files = { { "j_iops.1.log", "2000, 100, 0, 0\n4000, 110, 0, 0\n6000, 120, 0, 0\n" } },
	  .samples = "2=100/2 4=110/2 6=120/2" },
	{ .name = "log_unix_epoch: ms since 1970",
	  .files = { { "j_iops.1.log",
		       "1700000001000, 100, 0, 0\n1700000002000, 110, 0, 0\n1700000003000, 90, 0, 0\n" } },
	  .samples = "1=100 2=110 3=90",
	  .events = "" },
	{ .name = "a log that begins in mid-run keeps its times",
	  .files = { { "j_iops.1.log", "30000, 100, 0, 0\n31000, 110, 0, 0\n32000, 90, 0, 0\n" } },
	  .samples = "30=100 31=110 32=90" },
};

static const struct import_set single_ios[] = {
	{ .name = "a row an I/O: rows are counted",
	  .files = { { "j_iops.1.log",
		       "1, 1, 0, 8192\n1, 1, 1, 8192\n400, 1, 0, 8192\n999, 1, 0, 8192\n1000, 1, 0, 8192\n1800, 1, 1, 8192\n" } },
	  .samples = "1=4+32768 1.8=2.5/0.8+16384",
	  .events = "" },
	{ .name = "a second without a row is a second without I/O",
	  .files = { { "j_iops.1.log",
		       "10, 1, 0, 4096\n990, 1, 0, 4096\n3500, 1, 0, 4096\n4000, 1, 0, 4096\n4999, 1, 0, 4096\n" } },
	  .samples = "1=2+8192 2=0+0 3=0+0 4=1+4096 4.999=2.002/0.999+8192" },
	{ .name = "a log of bandwidth, a row an I/O, counts as well",
	  .files = { { "j_bw.1.log",
		       "1, 10666, 1, 8192\n51, 162, 0, 8192\n250, 11505, 1, 8192\n" } },
	  .samples = "0.25=12/0.25+24576" },
	{ .name = "latencies of single I/Os are the seconds' quantiles, us before 2.99",
	  .files = { { "j_lat.1.log",
		       "100, 9, 0, 4096\n600, 8, 0, 4096\n1000, 90, 0, 4096\n1900, 90, 0, 4096\n" },
		     { "j.json", JSON("2.18", 2000, 4) } },
	  .samples = "1=2@8,9+8192 1.9=2.2222/0.9@90,90+8192" },
	{ .name = "a log of latencies, a row an I/O, counts and knows no quantiles without a version",
	  .files = { { "j_lat.1.log",
		       "100, 9000, 0, 4096\n600, 9000, 0, 4096\n1000, 9000, 0, 4096\n1900, 9000, 0, 4096\n" } },
	  .samples = "1=2+8192 1.9=2.2222/0.9+8192" },
	{ .name = "latencies beside the I/Os, in ns since 2.99",
	  .files = { { "j_iops.1.log", "1000, 2, 0, 0\n2000, 2, 0, 0\n" },
		     { "j_clat.1.log",
		       "100, 9000, 0, 4096\n600, 8000, 0, 4096\n1100, 90000, 0, 4096\n1900, 90000, 0, 4096\n" },
		     { "j.json", JSON("3.30", 2000, 4) } },
	  .samples = "1=2@8,9+8192 2=2@90,90+8192",
	  .events = "" },
	{ .name = "a ramp in windows, then a row an I/O from 0 on",
	  .files = { { "j_iops.1.log",
		       "1000, 500, 0, 0\n2000, 500, 0, 0\n10, 1, 0, 4096\n500, 1, 0, 4096\n900, 1, 0, 4096\n" } },
	  .samples = "0.9=3.3333/0.9+12288",
	  .events = "import-ramp: j_iops.1.log" },
};

static const struct import_set windows[] = {
	{ .name = "windows without a row are zero",
	  .files = { { "j_iops.1.log",
		       "1000, 100, 0, 0\n2000, 100, 0, 0\n5000, 100, 0, 0\n6000, 100, 0, 0\n7000, 100, 0, 0\n" } },
	  .samples = "1=100 2=100 3=0z 4=0z 5=100 6=100 7=100",
	  .events = "import-zero-fill: 2 windows (2.0 s)" },
	{ .name = "short windows without a row lower their second",
	  .files = { { "j_iops.1.log",
		       "250, 400, 0, 0\n500, 400, 0, 0\n1000, 400, 0, 0\n1250, 400, 0, 0\n1500, 400, 0, 0\n1750, 400, 0, 0\n2000, 400, 0, 0\n" } },
	  .samples = "1=300z 2=400",
	  .events = "import-zero-fill: 1 windows (0.2 s)" },
	{ .name = "jobs' logs are added up by overlap, not by row",
	  .files = { { "j_iops.1.log", "1000, 100, 0, 0\n2000, 100, 0, 0\n3000, 200, 0, 0\n" },
		     { "j_iops.2.log", "1000, 50, 0, 0\n2250, 50, 0, 0\n3000, 10, 0, 0\n" },
		     { "j_iops.3.log", "1000, 7, 0, 0\n3000, 7, 0, 0\n" } },
	  .samples = "1=157 2=150z 3=227" },
	{ .name = "a job that ends sooner makes no step down",
	  .files = { { "j_iops.1.log",
		       "1000, 100, 0, 0\n2000, 100, 0, 0\n3000, 100, 0, 0\n4000, 100, 0, 0\n" },
		     { "j_iops.2.log", "1000, 50, 0, 0\n2000, 50, 0, 0\n3000, 50, 0, 0\n" } },
	  .samples = "1=150 2=150 3=150 4=100r" },
	{ .name = "jobs one behind the other in one file (per_job_logs=0)",
	  .files = { { "j_iops.log",
		       "1000, 100, 0, 0\n2000, 100, 0, 0\n3000, 200, 0, 0\n1001, 10, 0, 0\n2000, 10, 0, 0\n3001, 20, 0, 0\n" } },
	  .samples = "1=110 2=110 3.001=219.8/1.001",
	  .events = "time goes back 1 times: the rows of 2 jobs" },
	{ .name = "both directions, writes a window late (2.x, 3.0): neither end is a step",
	  .files = { { "j_iops.1.log",
		       "1000, 50, 0, 0\n2000, 50, 0, 0\n2000, 30, 1, 0\n3000, 50, 0, 0\n3000, 30, 1, 0\n4000, 50, 0, 0\n4000, 30, 1, 0\n5028, 30, 1, 0\n" } },
	  .samples = "1=50r 2=80 3=80 4=80 5.028=30/1.028r" },
	{ .name = "rows of zeros, times twice, an absurd last value, another file's line",
	  .files = { { "j_iops.1.log",
		       "1000, 100, 0, 0\n2000, 100, 0, 0\n2000, 24008, 0, 0\nfio: an error\n3000, 100, 0, 0\n3001, 770000, 0, 0\n0, 0, 0, 0\n0, 0, 0, 0\n" } },
	  .samples = "1=100 2=100 3=100",
	  .events =
		  "j_iops.1.log:3: left out: a second row at the same time|j_iops.1.log:4: left out: no row|"
		  "j_iops.1.log:6: left out: a value|j_iops.1.log:7 to 8: 2 left out: a row of zeros" },
	{ .name = "a bw log beside gives the bytes, and does not lengthen the run",
	  .files = { { "j_iops.1.log", "1000, 100, 0, 0\n2000, 100, 0, 0\n" },
		     { "j_bw.1.log", "1000, 400, 0, 0\n2000, 404, 0, 0\n3000, 10, 0, 0\n" } },
	  .samples = "1=100+409600 2=100+413696" },
	{ .name = "a bw log with the block size of the job's JSON",
	  .files = { { "j_bw.1.log", "1000, 400, 0, 0\n2000, 404, 0, 0\n" },
		     { "j.json", JSON("3.30", 2000, 201) } },
	  .samples = "1=100+409600 2=101+413696",
	  .events = "",
	  .tool_iops = 100.5 },
	{ .name = "means of latency beside are not used",
	  .files = { { "j_iops.1.log", "1000, 100, 0, 0\n2000, 100, 0, 0\n" },
		     { "j_lat.1.log", "1000, 40000, 0, 0\n2000, 40000, 0, 0\n" } },
	  .samples = "1=100 2=100",
	  .events = "import-unused: 1 log of mean latencies (j_lat.1.log) was" },
	{ .name = "JSON gives totals and workload",
	  .files = { { "j.json", JSON("3.30", 2000, 210) },
		     { "j_iops.1.log", "1000, 100, 0, 0\n2000, 110, 0, 0\n" } },
	  .samples = "1=100+409600 2=110+450560",
	  .events = "",
	  .tool_iops = 105,
	  .load = "? 4096 x-1 x1" },
	{ .name = "rows that do not add up to the total show no level",
	  .files = { { "j.json", JSON("3.30", 2000, 420) },
		     { "j_iops.1.log", "1000, 100, 0, 0\n2000, 110, 0, 0\n" } },
	  .samples = "1=100b+409600 2=110b+450560",
	  .events =
		  "import-bias|import-mismatch: the samples average 105.0 IOPS, fio itself says 210.0" },
	{ .name = "the log covers part of the run",
	  .files = { { "j.json", JSON("3.30", 10000, 1050) },
		     { "j_iops.1.log", "1000, 100, 0, 0\n2000, 110, 0, 0\n" } },
	  .samples = "1=100+409600 2=110+450560",
	  .events = "import-coverage: the series covers 2.0 s of the run's 10.0 s" },
	{ .name = "a console's summary gives the total",
	  .files = { { "j.out",
		       "j: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=8\n"
		       "fio-3.30\nStarting 1 process\n\nj: (groupid=0, jobs=1): err= 0: pid=1: Tue Aug 29 01:27:51 2023\n"
		       "  read: IOPS=105, BW=420KiB/s (430kB/s)(840KiB/2000msec)\n"
		       "     issued rwts: total=210,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n" },
		     { "j_iops.1.log", "1000, 100, 0, 0\n2000, 110, 0, 0\n" } },
	  .samples = "1=100+409600 2=110+450560",
	  .tool_iops = 105,
	  .load = "randread 4096 x8 x1" },
};

static const struct import_set lateness[] = {
	{ .name = "fio to 3.17, sampler late, the total known: repaired",
	  .files = { { "j.json", JSON("3.16", 1200, 30000) }, { "j_iops.1.log", LATE_ROWS } },
	  .samples = "0.96=25000/0.96+98302362 1.2=25000/0.24r+24575672",
	  .events = "import-repaired" },
	{ .name = "fio to 3.17, sampler late, another total: biased",
	  .files = { { "j.json", JSON("3.16", 1200, 60000) }, { "j_iops.1.log", LATE_ROWS } },
	  .events = "import-bias|import-mismatch" },
	{ .name = "version not known, no total: what is smoother with the lateness taken out is biased",
	  .files = { { "j_iops.1.log", LATE_ROWS } },
	  .samples = "0.96=16815/0.96b 1.2=10357/0.24br",
	  .events = "import-bias" },
	{ .name = "fio 3.18 divides by the true window: a late sampler moves nothing",
	  .files = { { "j.json", JSON("3.20", 1200, 30000) },
		     { "j_iops.1.log",
		       "120, 25000, 0, 0\n240, 25000, 0, 0\n360, 25000, 0, 0\n480, 25000, 0, 0\n600, 25000, 0, 0\n"
		       "720, 25000, 0, 0\n840, 25000, 0, 0\n960, 25000, 0, 0\n1080, 25000, 0, 0\n1200, 25000, 0, 0\n" } },
	  .samples = "0.96=25000/0.96+98304000 1.2=25000/0.24r+24576000",
	  .events = "" },
	{ .name = "an excerpt of windows of 10 ms that sink: biased behind the cut too",
	  .files = { { "j_iops.log",
		       "141, 250000, 0, 0\n152, 19400, 0, 0\n163, 19200, 0, 0\n174, 19000, 0, 0\n185, 18800, 0, 0\n"
		       "10000, 2900, 0, 0\n10011, 2890, 0, 0\n10022, 2880, 0, 0\n" } },
	  .events = "import-zero-fill|import-bias" },
	{ .name = "one late window, then a short one",
	  .files = { { "j.json", JSON("3.1", 5000, 125000) },
		     { "j_iops.1.log",
		       "1000, 25000, 0, 0\n2400, 25000, 0, 0\n3000, 15000, 0, 0\n4000, 25000, 0, 0\n5000, 25000, 0, 0\n" } },
	  .samples =
		  "1=25000+102400000 2.4=25000/1.4+143360000 3=25000/0.6+61440000 4=25000+102400000 5=25000+102400000",
	  .events = "import-repaired" },
};

/* 29 columns: 1856 values in 64s; 19: 1216. Column 8 is 12,288. */
#define HIST29(time, n)                       \
 time ", 0, 4096, 0, 0, 0, 0, 0, 0, 0, 0, " n \
      ", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0\n"
#define HIST19(time, n) \
 time ", 0, 4096, 0, 0, 0, 0, 0, 0, 0, 0, " n ", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0\n"

static const struct import_set histograms[] = {
	{ .name = "a histogram log alone is no IOPS log",
	  .files = { { "j_clat_hist.1.log", HIST29("1000", "5") HIST29("2000", "7") } },
	  .error = "a fio histogram log" },
	{ .name = "asked for, its counts are the I/Os (1856 values, ns)",
	  .files = { { "j_clat_hist.1.log", HIST29("1000", "5") HIST29("2000", "7") } },
	  .format = "fio-hist",
	  .samples = "1=5@12,12 2=7@12,12" },
	{ .name = "1216 values, us",
	  .files = { { "h.log", HIST19("1000", "5") HIST19("2000", "7") } },
	  .format = "fio-hist",
	  .samples = "1=5@12255,12255 2=7@12255,12255" },
	{ .name = "two jobs' histograms beside their I/Os",
	  .files = { { "j_iops.1.log", "1000, 5, 0, 0\n2000, 5, 0, 0\n" },
		     { "j_iops.2.log", "1000, 7, 0, 0\n2000, 7, 0, 0\n" },
		     { "j_clat_hist.1.log",
		       HIST29("1000", "5") HIST29("2000", "5") HIST29("3000", "1") },
		     { "j_clat_hist.2.log", HIST29("1000", "7") } },
	  .samples = "1=12@12,12 2=12@12,12" },
};

static const struct import_set refusals[] = {
	{ .name = "only ones and no block size: log_compression",
	  .files = { { "j_iops.1.log",
		       "1000, 1, 0, 0\n2000, 1, 0, 0\n3000, 1, 0, 0\n4000, 1, 0, 0\n" } },
	  .error = "log_compression" },
	{ .name = "means of latency alone",
	  .files = { { "j_lat.1.log", "1000, 40000, 0, 0\n2000, 40000, 0, 0\n" } },
	  .error = "mean latencies" },
	{ .name = "bandwidth alone",
	  .files = { { "j_bw.1.log", "1000, 400, 0, 0\n2000, 400, 0, 0\n" } },
	  .error = "block size is not known" },
	{ .name = "no direction in any column",
	  .files = { { "j_iops.1.log", "1000, 400, 7, 9\n2000, 400, 9, 9\n" } },
	  .format = "fio-log",
	  .error = "a direction" },
	{ .name = "no row",
	  .files = { { "j_iops.1.log", "0, 0, 0, 0\n0, 0, 0, 0\n" } },
	  .error = "no row that can be read" },
	{ .name = "an empty log",
	  .files = { { "j_iops.1.log", "1000, 400, 0, 0\n" }, { "j_iops.2.log", "" } },
	  .error = "'j_iops.2.log': it is empty" },
	{ .name = "a log and a CSV",
	  .files = { { "j_iops.1.log", "1000, 400, 0, 0\n" }, { "a.csv", "time_s,iops\n1,10\n" } },
	  .error = "cannot become one run" },
};

#define TABLE(name) import_sets_hold(name, sizeof(name) / sizeof((name)[0]))

static void column_layouts(void **state)
{
	(void)state;
	TABLE(layouts);
}

static void rows_of_single_ios(void **state)
{
	(void)state;
	TABLE(single_ios);
}

static void rows_of_windows(void **state)
{
	(void)state;
	TABLE(windows);
}

static void a_late_sampler(void **state)
{
	(void)state;
	TABLE(lateness);
}

static void histogram_logs(void **state)
{
	(void)state;
	TABLE(histograms);
}

static void what_is_refused(void **state)
{
	(void)state;
	TABLE(refusals);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(column_layouts),  cmocka_unit_test(rows_of_single_ios),
		cmocka_unit_test(rows_of_windows), cmocka_unit_test(a_late_sampler),
		cmocka_unit_test(histogram_logs),  cmocka_unit_test(what_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
