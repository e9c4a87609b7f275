/* fio's console output: the six dialects of the status line, and what is done to a capture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "import_case.h"

#define JOB(v)                                                                                                           \
 "j: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=32\n...\nfio-" v \
 "\nStarting 4 processes\n"
/* A run of 20 s: percent and eta tell the second. */
#define NEW(state, pct, rates, eta) \
 "Jobs: 4 (f=4): [" state "(4)][" pct "%]" rates "[eta 00m:" eta "s]\r"
#define OLD(pct, rates, eta) "Jobs: 4 (f=4): [rrrr] [" pct "% done] " rates " [eta 00m:" eta "s]\r"
#define R25K                 "[r=97.7MiB/s][r=25.0k IOPS]"

static const struct import_case dialects[] = {
	{ .name = "1.44 to 2.0.9: a blank where no prefix stands",
	  .text = "fio 1.57\nStarting 4 processes\n" OLD("5.0", "[11640K/0K /s] [2910 /0  iops]",
							 "19")
		  OLD("10.0", "[11644K/0K /s] [2911 /0  iops]", "18"),
	  .format = "fio-console",
	  .samples = "1=2910 2=2911",
	  .load = "? -1 x-1 x4" },
	{ .name = "2.0.10 to 2.0.14: three numbers",
	  .text = "fio-2.0.14\nStarting 1 process\n" OLD(
		  "5.0", "[11640K/8K/0K /s] [2910 /2 /0  iops]", "19"),
	  .format = "fio-console",
	  .samples = "1=2912" },
	{ .name = "2.1 to 2.16: units, states of jobs counted",
	  .text = "j: (g=0): rw=randread, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=32\nfio-2.2.10\n"
		  "Jobs: 4 (f=4): [r(4)] [5.0% done] [11640KB/0KB/0KB /s] [2910/0/0 iops] [eta 00m:19s]\r"
		  "Jobs: 4 (f=4): [r(3),_(1)] [10.0% done] [11640KB/0KB/0KB /s] [2910/0/0 iops] [eta 00m:18s]\r",
	  .format = "fio-console",
	  .samples = "1=2910 2=2910r",
	  .load = "randread 4096 x32 x-1" },
	{ .name = "2.17 to 3.8: both directions, a limit in front",
	  .text = JOB(
		  "3.1") "Jobs: 4 (f=4), 0B/s-0B/s, 0-30000 IOPS: [m(4)][5.0%][r=4912KiB/s,w=7339KiB/s]"
			 "[r=1228,w=1834 IOPS][eta 00m:19s]\r" NEW(
				 "r", "10.0", "[r=8KiB/s,w=0KiB/s][r=2,w=0 IOPS]", "18"),
	  .format = "fio-console",
	  .samples = "1=3062 2=2",
	  .load = "randread 4096 x32 x4" },
	{ .name = "3.9 to 3.23: trims close the bracket too early; no I/O prints no rates",
	  .text = JOB("3.19") NEW("m", "5.0", "[r=4912KiB/s],t=400KiB/s][r=1228],t=100 IOPS]", "19")
		  NEW("r", "10.0", "", "18") NEW("r", "15.0", "[r=40KiB/s][r=10 IOPS]", "17"),
	  .format = "fio-console",
	  .samples = "1=1328 2=0 3=10" },
	{ .name = "a block that no disk has",
	  .text = "j: (g=0): rw=read, bs=41844674407370955161664, ioengine=libaio, iodepth=8\nfio-3.19\n" NEW(
		  "r", "5.0", "[r=40KiB/s][r=10 IOPS]", "19"),
	  .format = "fio-console",
	  .samples = "1=10",
	  .load = "read -1 x8 x-1" },
	{ .name = "3.24 and later",
	  .text = JOB("3.36") NEW("m", "5.0", "[r=4912KiB/s,t=400KiB/s][r=1228,t=100 IOPS]", "19")
		  NEW("w", "10.0", "[w=40KiB/s][w=10 IOPS]", "18"),
	  .format = "fio-console",
	  .samples = "1=1328 2=10" },
};

static const struct import_case numbers[] = {
	{ .name = "one decimal of k: half a digit unknown, narrowed by the bandwidth",
	  .text = JOB("3.36") NEW("r", "5.0", "[r=97.7MiB/s][r=25.0k IOPS]", "19")
		  NEW("r", "10.0", "[r=391MiB/s][r=100k IOPS]", "18"),
	  .format = "fio-console",
	  .samples = "1=25011.2~13 2=100096~128" },
	{ .name = "2.20 to 3.25 print 24,980 as 24.0k: the bandwidth tells",
	  .text = JOB("3.19") NEW("r", "5.0", "[r=97.6MiB/s][r=24.0k IOPS]", "19"),
	  .format = "fio-console",
	  .samples = "1=24985.6~13" },
	{ .name = "the same without a banner: the block size is what rate / IOPS allow",
	  .text = NEW("r", "5.0", R25K, "19") NEW("r", "10.0", "[r=97.3MiB/s][r=24.9k IOPS]", "18")
		  NEW("r", "15.0", "[r=97.6MiB/s][r=24.0k IOPS]", "17"),
	  .format = "fio-console",
	  .samples = "1=25000~1000 2=24900~50 3=24985.6~13" },
	{ .name = "the same at mixed block sizes: the level goes on, and the bar is wide",
	  .text = "j: (g=0): rw=randread, bs=(R) 4096B-64.0KiB, (W) 4096B-64.0KiB, ioengine=libaio, iodepth=32\nfio-3.19\n" NEW(
		  "r", "5.0", "[r=300MiB/s][r=24.9k IOPS]", "19")
		  NEW("r", "10.0", "[r=302MiB/s][r=24.0k IOPS]", "18")
			  NEW("r", "15.0", "[r=301MiB/s][r=24.9k IOPS]", "17"),
	  .format = "fio-console",
	  .samples = "1=24900~50 2=24900~950 3=24900~50" },
	{ .name = "from 3.26 on 24.0k is 24.0k",
	  .text = JOB("3.26") NEW("r", "5.0", "[r=93.8MiB/s][r=24.0k IOPS]", "19"),
	  .format = "fio-console",
	  .samples = "1=24012.8~13" },
	{ .name = "up to 2.19 the fraction's zero is lost: 25,005 is 25.5K",
	  .text = "j: (g=0): rw=randread, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=32\nfio-2.16\n" OLD(
		  "5.0", "[100020KB/0KB/0KB /s] [25.5K/0/0 iops]", "19"),
	  .format = "fio-console",
	  .samples = "1=25005" },
	{ .name = "millions",
	  .text = "j: (g=0): rw=write, bs=(R) 1000B-1000B, (W) 1000B-1000B, (T) 1000B-1000B, ioengine=io_uring, iodepth=1\nfio-3.30\n"
		  "Jobs: 4 (f=4): [W(4)][5.0%][w=1899MiB/s][w=1991k IOPS][eta 00m:19s]\r",
	  .format = "fio-console",
	  .samples = "1=1.99111e+06~389" },
	{ .name = "bits and powers of ten",
	  .text = JOB("3.36") NEW("r", "5.0", "[r=800Mbit/s][r=24.4k IOPS]", "19")
		  NEW("r", "10.0", "[r=100MB/s][r=24.4k IOPS]", "18"),
	  .format = "fio-console",
	  .samples = "1=24414.1~15 2=24400~50" },
};

#define FIVE                  \
 NEW("r", "5.0", R25K, "19")  \
 NEW("r", "10.0", R25K, "18") \
 NEW("r", "15.0", R25K, "17") NEW("r", "20.0", R25K, "16") NEW("r", "25.0", R25K, "15")
#define FIVE_READ "1=25011.2~13 2=25011.2~13 3=25011.2~13 4=25011.2~13 5=25011.2~13"

static const struct import_case captures[] = {
	{ .name = "ramp, wind-down and the closing line are no samples; time 0 is behind the ramp",
	  .text = JOB("3.19") NEW("/", "-.-", "[r=40KiB/s][r=10 IOPS]", "25") NEW("r", "20.0", R25K,
										  "20")
		  NEW("r", "24.0", R25K,
		      "19") "Jobs: 4 (f=4): [r(1),f(3)][96.0%][r=1MiB/s][r=256 IOPS][eta 00m:01s]\r"
			    "Jobs: 4 (f=4): [f(4)][100.0%][r=1MiB/s][r=256 IOPS][eta 00m:00s]\r",
	  .format = "fio-console",
	  .samples = "1=25011.2~13 2=25011.2~13 20=256r",
	  .notes = "import-skipped import-skipped" },
	{ .name = "the update over the ramp's end holds what was left when fio set its counts back",
	  .text = JOB("3.33") NEW("/", "-.-", "", "12")
		  NEW("r", "25.0", "[r=18KiB/s][r=4 IOPS]", "12") NEW("r", "33.3", R25K, "10")
			  NEW("r", "40.0", R25K, "09"),
	  .format = "fio-console",
	  .samples = "2=25011.2~13 3=25011.2~13",
	  .notes = "import-skipped import-skipped" },
	{ .name = "the closing line after the series",
	  .text = JOB("3.19") FIVE NEW("r", "100.0", "[r=60MiB/s][r=15.4k IOPS]", "00"),
	  .format = "fio-console",
	  .samples = FIVE_READ },
	{ .name = "the first three seconds and a skipped update",
	  .text = JOB("3.19") "Jobs: 4 (f=4)\rJobs: 4 (f=4)\r" NEW("r", "15.0", R25K, "17")
		  NEW("r", "20.0", R25K, "16") NEW("r", "30.0", R25K, "14"),
	  .format = "fio-console",
	  .samples = "3=25011.2~13 4=25011.2~13 6=25011.2~13" },
	{ .name = "updates glued together and cut at the terminal's edge",
	  .text = "# fio --name=j --runtime=300 --bs=4k --rw=randrw --iodepth=4 --numjobs=2 --filename=/dev/sdb\nfio-3.1\n"
		  "Jobs: 1 (f=1): [m(1)][1.0%][r=4912KiB/s,w=7339KiB/s][r=1228,w=1834 IOPS][eta 03m"
		  "Jobs: 1 (f=1): [m(1)][1.3%][r=4900KiB/s,w=7296KiB/s][r=1225,w=1824 IOPS][eta 04m"
		  "Jobs: 1 (f=1): [m(1)][1.7%][r=4848KiB/s,w=7267KiB/s][r=1212,w=1816 IOPS][eta ",
	  .format = "fio-console",
	  .samples = "3=3062 3.9=3049/0.9 5.1=3028",
	  .load = "randrw 4096 x4 x2",
	  .target = "/dev/sdb" },
	{ .name = "^C over the line, an error inside of it, and the false 100 %",
	  .text = JOB("3.27") FIVE
	  "^Cbs: 4 (f=4): [r(4)][30.0%]" R25K "[eta 00m:14s]]\n"
	  "fio: terminating on signal 2\nfio: io_u error on file /dev/sda: No such device[r(4)][35.0%]" R25K
	  "[eta 00m:13s]\nJobs: 4 (f=0): [f(4)][100.0%][r=24.5MiB/s][r=6263 IOPS][eta 00m:00s]\n",
	  .format = "fio-console",
	  .samples = FIVE_READ " 6=25011.2~13 7=25011.2~13",
	  .notes = "import-skipped" },
	{ .name = "a bracket that was overwritten",
	  .text = JOB("3.19") FIVE
	  "fio: pid=22018, got signal=91.9%][r=2554KiB/s,w=0KiB/s][r=638,w=0 IOPS][eta 21h:08m:32s]\n",
	  .format = "fio-console",
	  .samples = FIVE_READ,
	  .notes = "import-skipped" },
	{ .name = "only such lines",
	  .text = "fio: pid=22018, got signal=91.9%][r=2554KiB/s,w=0KiB/s][r=638,w=0 IOPS][eta 21h:08m:32s]\n",
	  .error = "ended by signal 9" },
	{ .name = "quoted in a mail, with the clock at 1970",
	  .text = "> j: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, ioengine=libaio, iodepth=32\n> fio-3.19\n> Starting 1 process\n"
		  "> > Jobs: 1 (f=1): [r(1)][5.0%][r=8KiB/s][r=2 IOPS][eta 00m:19s]\n"
		  "> Jobs: 1 (f=1): [r(1)][10.0%][r=8KiB/s][r=2 IOPS][eta 00m:18s]\n"
		  "> Jobs: 1 (f=1): [r(1)][15.0%][r=8KiB/s][r=2 IOPS][eta 00m:17s]\n"
		  "> Jobs: 1 (f=1): [r(1)][20.0%][r=8KiB/s][r=2 IOPS][eta 00m:16s]\n"
		  "> Jobs: 1 (f=1): [r(1)][25.0%][r=8KiB/s][r=2 IOPS][eta 00m:15s]\n"
		  "> j: (groupid=0, jobs=1): err= 0: pid=132: Thu Jan  1 00:03:44 1970\n"
		  ">   read: IOPS=2, BW=8KiB/s (8kB/s)(40KiB/5000msec)\n>      issued rwts: total=10,0,0,0 short=0,0,0,0\n",
	  .format = "fio-console",
	  .samples = "1=2 2=2 3=2 4=2 5=2",
	  .load = "randread 4096 x32 x1",
	  .tool_iops = 2 },
	{ .name = "times in front, of ts, a log daemon and a container",
	  .text = "2023-08-29T01:27:50.123Z stdout F fio-3.19\n"
		  "[2023-08-29 01:27:51] j: (g=0): rw=read, bs=(R) 4096B-4096B, (W) 4096B-4096B, ioengine=libaio, iodepth=8\n"
		  "01:27:51 Starting 4 processes\n"
		  "Aug 29 01:27:52 host-1 fio[123]: Jobs: 4 (f=4): [R(4)][5.0%][r=97.6MiB/s][r=24.0k IOPS][eta 00m:19s]\n"
		  "fio_1  | Jobs: 4 (f=4): [R(4)][10.0%][r=97.6MiB/s][r=24.0k IOPS][eta 00m:18s]\n"
		  "[   12.345678] Jobs: 4 (f=4): [R(4)][15.0%]" R25K "[eta 00m:17s]\n"
		  "<host-1> Jobs: 4 (f=4): [R(4)][20.0%]" R25K "[eta 00m:16s]\n"
		  "01:27:56 Jobs: 4 (f=4): [R(4)][25.0%]" R25K "[eta 00m:15s]\n"
		  "01:28:11 j: (groupid=0, jobs=4): err= 0: pid=4: Tue Aug 29 01:28:11 2023\n"
		  "01:28:11   read: IOPS=25.0k, BW=97.7MiB/s (102MB/s)(1954MiB/20001msec)\n"
		  "01:28:11      issued rwts: total=500012,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n",
	  .format = "fio-console",
	  .samples = "1=24985.6~13 2=24985.6~13 3=25011.2~13 4=25011.2~13 5=25011.2~13",
	  .load = "read 4096 x8 x4",
	  .tool_iops = 24999.35 },
	{ .name = "an eta of nonsense: one update a second",
	  .text = "fio-2.2.10\n"
		  "Jobs: 1 (f=1): [r(1)] [0.0% done] [8KB/0KB/0KB /s] [2/0/0 iops] [eta 1158047090d:11h:36m:31s]\r"
		  "Jobs: 1 (f=1): [r(1)] [0.0% done] [8KB/0KB/0KB /s] [3/0/0 iops] [eta 1158047090d:11h:36m:30s]\r"
		  "Jobs: 1 (f=1): [r(1)] [0.0% done] [8KB/0KB/0KB /s] [4/0/0 iops] [eta 49710d:06h:28m:15s]\r",
	  .format = "fio-console",
	  .samples = "1=2 2=3 3=4" },
	{ .name = "a run of nine hours: the eta is the clock, a percent is 32 s",
	  .text = JOB(
		  "3.36") "Jobs: 4 (f=4): [r(4)][50.0%][r=40KiB/s][r=10 IOPS][eta 04h:30m:00s]\r"
			  "Jobs: 4 (f=4): [r(4)][50.0%][r=40KiB/s][r=11 IOPS][eta 04h:29m:59s]\r"
			  "Jobs: 4 (f=4): [r(4)][50.0%][r=40KiB/s][r=12 IOPS][eta 04h:29m:58s]\r",
	  .format = "fio-console",
	  .samples = "16200=10 16201=11 16202=12" },
	{ .name = "a shorter --eta-interval, told by the command",
	  .text = "$ fio --eta=always --eta-interval=500ms --bs=4k j.fio\n" JOB("3.36")
		  NEW("r", "5.0", "[r=40KiB/s][r=10 IOPS]", "19")
			  NEW("r", "5.0", "[r=40KiB/s][r=11 IOPS]", "19")
				  NEW("r", "10.0", "[r=40KiB/s][r=12 IOPS]", "18"),
	  .format = "fio-console",
	  .samples = "1=10/0.5 1.5=11/0.5 2=12/0.5" },
	{ .name = "results without a series: means that show no level",
	  .text = "a: (g=0): rw=randrw, bs=4K-4K/4K-4K, ioengine=libaio, iodepth=1\nfio 1.57\nStarting 2 processes\n"
		  "a: (groupid=0, jobs=1): err= 0: pid=1\n  read : io=1MB, bw=1KB/s, iops=890 , runt= 10000msec\n"
		  "  write: io=1MB, bw=1KB/s, iops=893 , runt= 10000msec\n"
		  "b: (groupid=1, jobs=1): err= 0: pid=1\n  read : io=1MB, bw=1KB/s, iops=8417 , runt= 20000msec\n",
	  .format = "fio-console",
	  .samples = "10=1783r/10 30=8417r/20",
	  .notes = "no-series" },
	{ .name = "a cache: the disk did less than fio counts; of a stripe the whole counts",
	  .text = "j: (groupid=0, jobs=1): err= 0: pid=1\n  read : io=1MB, bw=1KB/s, iops=7480, runt= 180060msec\n"
		  "Run status group 0 (all jobs):\n   READ: io=21045MB\n\nDisk stats (read/write):\n"
		  "    md0: ios=553658/6, merge=0/0, aggrios=276829/3, aggrmerge=67/0\n"
		  "  xvdb: ios=276829/6, merge=134/0\n  xvdc: ios=276829/6, merge=134/0\n",
	  .format = "fio-console",
	  .samples = "180.06=7480r",
	  .notes = "device-mismatch no-series" },
	{ .name = "the disk did a little more, in the ramp",
	  .text = "j: (groupid=0, jobs=1): err= 0: pid=1\n  read : io=1MB, bw=1KB/s, iops=100, runt= 10000msec\n"
		  "Disk stats (read/write):\n  xvdb: ios=1100/6, merge=134/0, ticks=1/0\n",
	  .format = "fio-console",
	  .samples = "10=100r",
	  .notes = "no-series" },
	{ .name = "--status-interval prints the sum so far, and the series goes on",
	  .text = JOB("3.33") NEW("r", "5.0", R25K, "19") NEW(
		  "r", "10.0", R25K,
		  "18") "j: (groupid=0, jobs=4): err= 0: pid=4: Mon Nov 30 22:29:34 2026\n  read: IOPS=20.0k, BW=98MiB/s (102MB/s)(195MiB/2000msec)\n"
			"Run status group 0 (all jobs):\nDisk stats (read/write):\n  vda: ios=40000/35, merge=1/0\n" NEW(
				"r", "15.0", R25K, "17") NEW("r", "20.0", R25K, "16")
				NEW("r", "25.0", R25K,
				    "15") "j: (groupid=0, jobs=4): err= 0: pid=4: Mon Nov 30 22:29:37 2026\n  read: IOPS=25.0k, BW=98MiB/s (102MB/s)(488MiB/5000msec)\n",
	  .format = "fio-console",
	  .samples = FIVE_READ,
	  .notes = "",
	  .tool_iops = 25000 },
	{ .name = "--status-interval without status lines: the last sum holds",
	  .text = "fio-3.33\nStarting 1 process\nj: (groupid=0, jobs=1): err= 0: pid=4: Mon Nov 30 22:29:34 2026\n"
		  "  read: IOPS=100, BW=98MiB/s (102MB/s)(195MiB/2000msec)\nRun status group 0 (all jobs):\n"
		  "j: (groupid=0, jobs=1): err= 0: pid=4: Mon Nov 30 22:29:36 2026\n"
		  "  read: IOPS=110, BW=98MiB/s (102MB/s)(195MiB/4000msec)\nRun status group 0 (all jobs):\n",
	  .format = "fio-console",
	  .samples = "4=110r",
	  .notes = "no-series" },
	{ .name = "a series with JSON behind it",
	  .text = JOB("3.33") FIVE
	  "\n{\n  \"fio version\" : \"fio-3.33\",\n  \"jobs\" : [ ]\n}\n"
	  "j: (groupid=0, jobs=4): err= 0: pid=4: Mon Nov 30 22:29:34 2026\n  read: IOPS=25.0k, BW=98MiB/s (102MB/s)(195MiB/5000msec)\n",
	  .format = "fio-console",
	  .samples = FIVE_READ,
	  .notes = "",
	  .tool_iops = 25000 },
	{ .name = "two recordings in one file: the first",
	  .text = JOB("3.19") FIVE
	  "j: (groupid=0, jobs=4): err= 0: pid=4\n  read: IOPS=25.0k, BW=98MiB/s (102MB/s)(488MiB/5000msec)\n\n"
	  "$ fio --bs=4k again.fio\n" JOB("3.19") NEW(
		  "r", "5.0", "[r=40KiB/s][r=10 IOPS]",
		  "19") "j: (groupid=0, jobs=4): err= 0: pid=4\n  read: IOPS=10, BW=40KiB/s (102MB/s)(1MiB/20000msec)\n",
	  .format = "fio-console",
	  .samples = FIVE_READ,
	  .notes = "import-parts import-skipped",
	  .tool_iops = 25000 },
	{ .name = "two recordings in one file: the second, by --part",
	  .text = JOB("3.19") FIVE
	  "j: (groupid=0, jobs=4): err= 0: pid=4\n  read: IOPS=25.0k, BW=98MiB/s (102MB/s)(488MiB/5000msec)\n\n" NEW(
		  "r", "5.0", "[r=40KiB/s][r=10 IOPS]", "19")
		  NEW("r", "10.0", "[r=40KiB/s][r=11 IOPS]", "18"),
	  .options = { .part = 2 },
	  .format = "fio-console",
	  .samples = "1=10 2=11",
	  .notes = "import-skipped" },
	{ .name = "a --part that is not there",
	  .text = JOB("3.19") FIVE,
	  .options = { .part = 3 },
	  .error = "it has no recording 3; it holds 1" },
	{ .name = "samples that differ from fio's own total",
	  .text = JOB("3.19") FIVE
	  "j: (groupid=0, jobs=4): err= 0: pid=4\n  read: IOPS=20.0k, BW=78MiB/s (82MB/s)(390MiB/5000msec)\n",
	  .format = "fio-console",
	  .samples = FIVE_READ,
	  .notes = "import-mismatch",
	  .tool_iops = 20000 },
	{ .name = "a run that failed its verification",
	  .text = "\xef\xbb\xbfj: (g=0): rw=randrw, bs=(R) 64.0KiB-64.0KiB, (W) 64.0KiB-64.0KiB, ioengine=libaio, iodepth=16\nfio-3.26-19-ge7e53\n"
		  "Starting 32 threads\nverify: bad header numberio 3932, wanted 0 at file x offset 229900288, length 65536\n",
	  .error = "reported errors and no result" },
	{ .name = "killed before the first I/O",
	  .text = "# fio --name=x --rw=write\nKilled8 (f=0): [W(8)][5.5%][r=0KiB/s,w=0KiB/s][r=0,w=0 IOPS][eta 02m:00s]\n",
	  .error = "show no I/O" },
	{ .name = "a banner and nothing else", .text = JOB("3.19"), .error = "--eta=always" },
};

#define N(a) (sizeof(a) / sizeof((a)[0]))

static void each_dialect_is_read(void **state)
{
	(void)state;
	import_cases_hold(dialects, N(dialects));
}

static void numbers_have_their_error_bars(void **state)
{
	(void)state;
	import_cases_hold(numbers, N(numbers));
}

static void captures_are_read(void **state)
{
	(void)state;
	import_cases_hold(captures, N(captures));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_dialect_is_read),
		cmocka_unit_test(numbers_have_their_error_bars),
		cmocka_unit_test(captures_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
