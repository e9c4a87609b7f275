/* iostat, sar, sadf, elbencho and vdbench: each layout, and what is wrong with a file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "import_case.h"

/* The since-boot report of a disk that did little, and the columns of four versions. */
#define X_1156 \
 "Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await r_await w_await  svctm  %util\n"
#define X_1157 \
 "Device            r/s     w/s     rkB/s     wkB/s   rrqm/s   wrqm/s  %rrqm  %wrqm r_await w_await aqu-sz rareq-sz wareq-sz  svctm  %util\n"
#define X_1212 \
 "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz  aqu-sz  %util\n"
#define X_1231 \
 "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util\n"
#define BANNER "Linux 5.10.0 (host-1) \t08/29/2023 \t_x86_64_\t(4 CPU)\n\n"
#define ROW_1231(dev, reads) \
 dev " " reads               \
     " 4.00 0.00 0.00 0.50 4.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 1.00 99.00\n"

static const struct import_case iostat_cases[] = {
	{ .name = "extended, up to 11.5.6",
	  .text = BANNER X_1156
	  "sdb 0.00 0.08 44.39 9.98 5507.39 1110.55 243.43 2.28 41.96 41.75 42.88 1.52 8.25\n\n" X_1156
	  "sdb 0.00 0.00 745.00 0.00 91656.00 0.00 246.06 25.32 33.84 33.84 0.00 1.35 100.40\n\n" X_1156
	  "sdb 0.00 0.00 739.00 0.00 92152.00 0.00 249.40 24.75 33.49 33.49 0.00 1.35 100.00\n",
	  .format = "iostat",
	  .samples = "1=745 2=739",
	  .notes = "import-interval import-skipped",
	  .target = "sdb" },
	{ .name = "extended, 11.5.7 to 12.1.1",
	  .text = BANNER X_1157
	  "sdb 1 2 3 4 0 0 0 0 0 0 0 4 4 0 1\n" X_1157
	  "sdb 25000.00 10.00 100000.00 40.00 0.00 0.00 0.00 0.00 0.10 0.10 2.50 4.00 4.00 0.04 100.00\n",
	  .format = "iostat",
	  .samples = "1=25010" },
	{ .name = "extended, 12.1.2 to 12.3.0",
	  .text = BANNER X_1212
	  "sdb 1 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n" X_1212
	  "sdb 25000.00 100000.00 0 0 0.10 4.00 0 0 0 0 0 0 0 0 0 0 0 0 2.50 100\n",
	  .format = "iostat",
	  .samples = "1=25000" },
	{ .name = "extended, 12.3.1 and later, with times",
	  .text = BANNER "08/29/2023 01:27:50 PM\n" X_1231 ROW_1231(
		  "sdb", "3.00") "\n08/29/2023 01:27:51 PM\n" X_1231
		  ROW_1231("sdb", "25000.00") "\n08/29/2023 01:27:53 PM\n" X_1231 ROW_1231(
			  "sdb",
			  "25001.00") "\n08/29/2023 01:27:53 PM\n" X_1231 ROW_1231("sdb",
										   "25002.00"),
	  .format = "iostat",
	  .samples = "1=25000 2=25001 3=25002",
	  .started = "2023-08-29T13:27:50.000Z" },
	{ .name = "iostat -y, told by the command",
	  .text = "# iostat -dxy 5\n" BANNER X_1231 ROW_1231("sdb", "24000.00")
		  X_1231 ROW_1231("sdb", "25000.00"),
	  .format = "iostat",
	  .samples = "5=24000 10=25000",
	  .notes = "" },
	{ .name = "iostat -y, told by --keep-first",
	  .text = BANNER X_1231 ROW_1231("sdb", "24000.00"),
	  .options = { .keep_first = true },
	  .format = "iostat",
	  .samples = "1=24000" },
	{ .name = "no times: --interval tells what a report covers",
	  .text = BANNER X_1231 ROW_1231("sdb", "1.00") X_1231 ROW_1231("sdb", "24000.00")
		  X_1231 ROW_1231("sdb", "25000.00"),
	  .options = { .interval_ns = 10000000000 },
	  .format = "iostat",
	  .samples = "10=24000 20=25000",
	  .notes = "import-skipped" },
	{ .name = "decimal commas and ISO times with a zone",
	  .text = BANNER
	  "2023-08-29T13:27:50+0200\n" X_1212
	  "sdb 1,0 2,0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n2023-08-29T13:27:51+0200\n" X_1212
	  "sdb 25000,25 100000,00 0,00 0,00 0,10 4,00 0 0 0 0 0 0 0 0 0 0 0 0 2,50 100,00\n",
	  .format = "iostat",
	  .samples = "1=25000.2",
	  .started = "2023-08-29T11:27:50.000Z" },
	{ .name = "epoch times",
	  .text = BANNER
	  "1693315670\n" X_1231 ROW_1231("sdb", "1.00") "1693315672\n" X_1231 ROW_1231(
		  "sdb", "25000.00") "1693315674\n" X_1231 ROW_1231("sdb", "25000.00"),
	  .format = "iostat",
	  .samples = "2=25000 4=25000",
	  .started = "2023-08-29T13:27:50.000Z" },
	{ .name = "a German date",
	  .text = BANNER "29.08.2023 13:27:50\n" X_1231 ROW_1231(
		  "sdb", "1,00") "29.08.2023 13:27:51\n" X_1231 ROW_1231("sdb", "25000,00"),
	  .format = "iostat",
	  .samples = "1=25000",
	  .started = "2023-08-29T13:27:50.000Z" },
	{ .name = "a gap in the times is no sample",
	  .text = BANNER "1693315670\n" X_1231 ROW_1231("sdb", "1.00") "1693315671\n" X_1231
		  ROW_1231("sdb", "25000.00") "1693315672\n" X_1231 ROW_1231(
			  "sdb", "25000.00") "1693315680\n" X_1231 ROW_1231("sdb", "25000.00"),
	  .format = "iostat",
	  .samples = "1=25000 2=25000 10=25000" },
	{ .name = "-z leaves out a disk without I/O",
	  .text = BANNER X_1231 ROW_1231("sda", "1.00") ROW_1231("sdb", "1.00")
		  X_1231 ROW_1231("sdb", "25000.00") X_1231 ROW_1231("sda", "3.00")
			  X_1231 ROW_1231("sdb", "25000.00"),
	  .format = "iostat",
	  .samples = "1=25000 2=0z 3=25000",
	  .notes = "import-device import-zero-fill import-interval import-skipped",
	  .target = "sdb" },
	{ .name = "a disk that vanishes is no zero",
	  .text = BANNER X_1212 "sda 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n" X_1212
				"sda 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
				"sdb 25000.00 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n" X_1212
				"sda 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
	  .format = "iostat",
	  .samples = "1=25000" },
	{ .name = "a disk and what lies on it are counted once; --device names the other",
	  .text = BANNER X_1231 ROW_1231("dm-0", "1.00") ROW_1231("sda", "1.00")
		  X_1231 ROW_1231("dm-0", "25000.00") ROW_1231("sda", "25010.00"),
	  .options = { .device = "/dev/sda" },
	  .format = "iostat",
	  .samples = "1=25010",
	  .target = "sda" },
	{ .name = "the first of equal disks",
	  .text = BANNER X_1231 ROW_1231("dm-0", "1.00") ROW_1231("sda", "1.00")
		  X_1231 ROW_1231("dm-0", "25000.00") ROW_1231("sda", "25010.00"),
	  .format = "iostat",
	  .samples = "1=25000",
	  .target = "dm-0" },
	{ .name = "a disk that is not in it",
	  .text = BANNER X_1231 ROW_1231("sda", "1.00") X_1231 ROW_1231("sda", "1.00"),
	  .options = { .device = "nvme1n1" },
	  .error = "no report of device 'nvme1n1' (it has: sda)" },
	{ .name = "only since boot",
	  .text = BANNER X_1231 ROW_1231("sda", "1.00"),
	  .error = "only the average since boot" },
	{ .name = "the short form",
	  .text = BANNER "Device             tps    kB/s    rqm/s   await  areq-sz  aqu-sz  %util\n"
			 "sdb 1 2 0 0 4 0 1\n\n"
			 "Device             tps    kB/s    rqm/s   await  areq-sz  aqu-sz  %util\n"
			 "sdb 25000.00 100000.00 0.00 0.10 4.00 2.50 100.00\n",
	  .format = "iostat",
	  .samples = "1=25000" },
	{ .name = "no -x: transfers a second",
	  .text = BANNER "Device:            tps   Blk_read/s   Blk_wrtn/s   Blk_read   Blk_wrtn\n"
			 "sdb 1 2 3 4 5\n"
			 "Device:            tps   Blk_read/s   Blk_wrtn/s   Blk_read   Blk_wrtn\n"
			 "sdb 742.50 183312.00 0.00 183312 0\n",
	  .format = "iostat",
	  .samples = "1=742.5" },
	{ .name = "--pretty spreads a disk over tables",
	  .text = BANNER
	  "     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device\n    1.00 4.00 0.00 0.0% 0.10 4.00 sdb\n"
	  "     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz Device\n    1.00 4.00 0.00 0.0% 0.10 4.00 sdb\n"
	  "  aqu-sz  %util Device\n    0.00 0.0% sdb\n\n"
	  "     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device\n 24000.00 97.7M 0.00 0.0% 0.10 4.0k sdb\n"
	  "     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz Device\n  1000.00 4.0M 0.00 0.0% 0.10 4.0k sdb\n"
	  "  aqu-sz  %util Device\n    2.50 100.0% sdb\n",
	  .format = "iostat",
	  .samples = "1=25000",
	  .notes = "import-interval import-mixed import-skipped" },
	{ .name = "a group's sum is no disk; a cut row, ^C and a second recording",
	  .text = BANNER X_1231 ROW_1231("sdb", "1.00")
		  X_1231 ROW_1231("sdb", "25000.00") " " ROW_1231("ALL", "25000.00") X_1231
	  "sdb 25000.00 4.00 0.0\n^C\n" BANNER X_1231 ROW_1231("sdb", "1.00")
		  X_1231 ROW_1231("sdb", "99.00"),
	  .format = "iostat",
	  .samples = "1=25000 2=0z",
	  .target = "sdb" },
};

#define JSON_HEAD \
 "{\"sysstat\": {\"hosts\": [{\"nodename\": \"h\", \"date\": \"2024-03-14\", \"statistics\": [\n"
#define JSON_DISK(dev, reads) \
 "{\"disk_device\": \"" dev "\", \"r/s\": " reads ", \"w/s\": 0.00, \"rkB/s\": 8.0, \"util\": 98.0}"
#define JSON_BOOT \
 "{\"timestamp\": \"2024-03-14T17:53:14-0700\", \"disk\": [" JSON_DISK("sda", "1.25") "]}"
#define JSON_ONE                                                                                         \
 "{\"timestamp\": \"2024-03-14T17:53:15-0700\", \"avg-cpu\": {\"user\": 4.01}, \"disk\": [\n" JSON_DISK( \
	 "sda", "3.0") ",\n" JSON_DISK("nvme\\u0031n1", "25000.00") "]}"

static const struct import_case json_cases[] = {
	{ .name = "iostat's JSON",
	  .text = JSON_HEAD JSON_BOOT
	  "," JSON_ONE ",{\"timestamp\": \"2024-03-14T17:53:16-0700\", "
	  "\"disk\": [" JSON_DISK("nvmeu0031n1", "25010.00") "]}]}]}}\n",
	  .format = "iostat",
	  .samples = "1=25000 2=25010",
	  .notes = "import-device import-skipped",
	  .started = "2024-03-15T00:53:14.000Z" },
	{ .name = "unterminated: up to the last complete report",
	  .text = JSON_HEAD JSON_BOOT
	  "," JSON_ONE ",{\"timestamp\": \"2024-03-14T17:53:16-0700\", "
	  "\"disk\": [" JSON_DISK("nvmeu0031n1", "25010.00") ", {\"disk_de",
	  .format = "iostat",
	  .samples = "1=25000",
	  .notes = "import-device import-skipped import-skipped" },
	{ .name = "a comma too many",
	  .text = JSON_HEAD "," JSON_ONE "]}]}}",
	  .options = { .keep_first = true },
	  .format = "iostat",
	  .samples = "1=25000" },
	{ .name = "no disk",
	  .text = JSON_HEAD "{\"avg-cpu\": {\"user\": 4.01}}]}]}}",
	  .options = { .format = "iostat" },
	  .error = "no line of a disk" },
	{ .name = "sadf -j",
	  .text = JSON_HEAD
	  "{\"timestamp\": {\"date\": \"2023-08-29\", \"time\": \"23:59:59\", \"utc\": 1, "
	  "\"interval\": 10}, \"disk\": [{\"disk-device\": \"nvme1n1\", \"tps\": 25000.50, "
	  "\"rkB\": 100002.0, \"wkB\": 0.0}]}]}]}}",
	  .format = "sar",
	  .samples = "10=25000.5",
	  .started = "2023-08-29T23:59:49.000Z" },
};

#define SAR_BANNER "Linux 5.4.0 (h) \t08/29/2023 \t_x86_64_\t(4 CPU)\n\n"

static const struct import_case sar_cases[] = {
	{ .name = "sar -d over midnight, with its own mean",
	  .text = SAR_BANNER
	  "11:59:58 PM       DEV       tps     rkB/s     wkB/s   areq-sz    aqu-sz     await     svctm     %util\n"
	  "11:59:59 PM    dev8-0     10.00      0.00     40.00      4.00      0.00      0.10      0.10      0.10\n"
	  "11:59:59 PM   nvme1n1  25000.00 100000.00      0.00      4.00      2.50      0.10      0.04    100.00\n\n"
	  "11:59:59 PM       DEV       tps     rkB/s     wkB/s   areq-sz    aqu-sz     await     svctm     %util\n"
	  "12:00:00 AM    dev8-0     10.00      0.00     40.00      4.00      0.00      0.10      0.10      0.10\n"
	  "12:00:00 AM   nvme1n1  25001.00 100000.00      0.00      4.00      2.50      0.10      0.04    100.00\n\n"
	  "Average:          DEV       tps     rkB/s     wkB/s   areq-sz    aqu-sz     await     svctm     %util\n"
	  "Average:       dev8-0     10.00      0.00     40.00      4.00      0.00      0.10      0.10      0.10\n"
	  "Average:      nvme1n1  25000.50 100000.00      0.00      4.00      2.50      0.10      0.04    100.00\n",
	  .format = "sar",
	  .samples = "1=25000 2=25001",
	  .notes = "import-device",
	  .started = "2023-08-29T23:59:58.000Z",
	  .tool_iops = 25000.5 },
	{ .name = "sar -A up to 11.5.5, 24 hours, sectors",
	  .text = SAR_BANNER
	  "13:00:01        CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
	  "13:00:11        all      1,00      0,00      1,00      0,00      0,00     98,00\n\n"
	  "13:00:01          DEV       tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz     await     svctm     %util\n"
	  "13:00:11      dev8-16    742,00 183312,00      0,00    247,05     25,32     33,84      1,35    100,00\n\n"
	  "13:00:01        IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s   rxcmp/s   txcmp/s  rxmcst/s   %ifutil\n"
	  "13:00:11         eth0    100,00      0,00      0,00      0,00      0,00      0,00      0,00      0,00\n\n"
	  "Average:          DEV       tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz     await     svctm     %util\n"
	  "Average:      dev8-16    742,00 183312,00      0,00    247,05     25,32     33,84      1,35    100,00\n\n"
	  "Average:        IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s   rxcmp/s   txcmp/s  rxmcst/s   %ifutil\n"
	  "Average:         eth0    100,00      0,00      0,00      0,00      0,00      0,00      0,00      0,00\n",
	  .format = "sar",
	  .samples = "10=742",
	  .notes = "",
	  .target = "dev8-16",
	  .tool_iops = 742 },
	{ .name = "a disk that is not in it, though an interface is",
	  .text = SAR_BANNER
	  "13:00:01          DEV       tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz     await     svctm     %util\n"
	  "13:00:11      dev8-16    742,00 183312,00      0,00    247,05     25,32     33,84      1,35    100,00\n"
	  "Average:        IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s   rxcmp/s   txcmp/s  rxmcst/s   %ifutil\n"
	  "Average:         eth0    100,00      0,00      0,00      0,00      0,00      0,00      0,00      0,00\n",
	  .options = { .device = "eth0" },
	  .error = "no report of device 'eth0' (it has: dev8-16)" },
	{ .name = "sadf -d with a restart between",
	  .text = "# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;areq-sz;aqu-sz;await;svctm;%util\n"
		  "h;10;2023-08-29 23:59:50 UTC;nvme1n1;25000,00;100000,00;0,00;4,00;2,50;0,10;0,04;100,00\n"
		  "h;-1;2023-08-29 23:59:55 UTC;LINUX-RESTART\t(4 CPU)\n"
		  "h;10;2023-08-30 00:00:00 UTC;nvme1n1;25010.00;100000.00;0.00;4.00;2.50;0.10;0.04;100.00\n"
		  "# hostname;interval;timestamp;CPU;%user\nh;10;2023-08-30 00:00:00 UTC;-1;3.0\n",
	  .format = "sar",
	  .samples = "10=25000 20=25010",
	  .notes = "",
	  .started = "2023-08-29T23:59:40.000Z" },
	{ .name = "sar -u",
	  .text = SAR_BANNER
	  "06:42:09 PM     CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
	  "06:42:39 PM     all     99.85      0.00      0.00      0.00      0.15      0.00\n",
	  .error = "a CPU report without a line of a disk; run 'sar -d'" },
};

#define LIVE \
 "ISO Date,Label,Phase,RuntimeMS,Rank,MixType,Done%,DoneBytes,MiB/s,IOPS,Entries,Entries/s,Lat Ent us,Lat IO us,Active,CPU,Service,\n"

static const struct import_case elbencho_cases[] = {
	{ .name = "the Total rows, of two phases and a mix",
	  .text = LIVE
	  "2026-02-09T11:18:30.170-0500,,READ,1000,Total,,0,123498496,117,30151,0,0,0,530,4,17,,\n"
	  "2026-02-09T11:18:30.170-0500,,READ,1000,0,,0,31059968,,,0,,,,,,,\n"
	  "2026-02-09T11:18:31.170-0500,,READ,2000,Total,,0,246996992,117,30251,0,0,0,530,4,17,,\n" LIVE
	  "2026-02-09T11:18:32.170-0500,,RWMIX,1000,Total,Write,0,1,40,10000,0,0,0,530,4,17,,\n"
	  "2026-02-09T11:18:32.170-0500,,RWMIX,1000,Total,Read,0,1,40,10100,0,0,0,530,4,17,,\n"
	  "2026-02-09T11:18:33.170-0500,,RWMIX,2000,Total,Read,0,1,40,,0,0,0,,4,17,,\n"
	  "2026-02-09T11:18:34.170-0500,,RWM",
	  .format = "elbencho",
	  .samples = "1=30151 2=30251 3=20100",
	  .notes = "import-skipped import-skipped",
	  .started = "2026-02-09T16:18:29.170Z" },
	{ .name = "no row at all", .text = LIVE, .error = "no sample" },
};

static const struct import_case vdbench_cases[] = {
	{ .name = "a flatfile, with a summary and the next run",
	  .text = "<title>flat</title><pre>\n* Flatfile for downloading\n"
		  "tod Run Interval reqrate rate MB/sec bytes/io read% resp threads\n"
		  "23:59:58.001 rd1 1 max 24000.0 93.7 4096 100 1.0 32\n"
		  "00:00:00.002 rd1 2 max 25000.0 97.6 4096 100 1.0 32\n"
		  "00:00:02.002 rd1 3 max 25010.0 97.6 4096 100 1.0 32\n"
		  "00:00:02.003 rd1 avg_2-3 max 25005.0 97.6 4096 100 1.0 32\n"
		  "00:00:04.000 rd2 1 max 99.0 97.6 4096 100 1.0 32\n00:00:06.000 rd2 2 m",
	  .format = "vdbench",
	  .samples = "2=24000 4=25000 6=25010",
	  .load = "read 4096 x32 x-1",
	  .tool_iops = 25005 },
	{ .name = "more bytes than there are, in a first interval of two hours",
	  .text = "* flat\ntod Run Interval rate MB/sec bytes/io\n"
		  "00:00:00.0 rd1 1 240.0 9e80 4096\n02:00:00.0 rd1 2 240.0 9e80 4096\n",
	  .format = "vdbench",
	  .samples = "7200=240~36 14400=240~36" },
};

#define N(a) (sizeof(a) / sizeof((a)[0]))

static void iostat_is_read(void **state)
{
	(void)state;
	import_cases_hold(iostat_cases, N(iostat_cases));
}

static void sysstat_json_is_read(void **state)
{
	(void)state;
	import_cases_hold(json_cases, N(json_cases));
}

static void sar_is_read(void **state)
{
	(void)state;
	import_cases_hold(sar_cases, N(sar_cases));
}

static void elbencho_is_read(void **state)
{
	(void)state;
	import_cases_hold(elbencho_cases, N(elbencho_cases));
}

static void vdbench_is_read(void **state)
{
	(void)state;
	import_cases_hold(vdbench_cases, N(vdbench_cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(iostat_is_read),  cmocka_unit_test(sysstat_json_is_read),
		cmocka_unit_test(sar_is_read),     cmocka_unit_test(elbencho_is_read),
		cmocka_unit_test(vdbench_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
