# A console capture with an end, a disk picked from several, totals only, standard input.
export TZ=UTC
printf 'j: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=32\nfio-3.19\nStarting 4 processes\n' >run.txt
for i in 1 2 3 4 5 6 7 8 9; do
	printf 'Jobs: 4 (f=4): [r(4)][%s.0%%][r=97.7MiB/s][r=25.0k IOPS][eta 00m:%02ds]\r' $((i * 5)) $((20 - i)) >>run.txt
done
printf 'Jobs: 4 (f=4): [r(4)][100.0%%][r=50.0MiB/s][r=12.8k IOPS][eta 00m:00s]\n' >>run.txt
printf 'j: (groupid=0, jobs=4): err= 0: pid=4: Tue Aug 29 01:28:11 2023\n  read: IOPS=25.0k, BW=97.7MiB/s (102MB/s)(977MiB/10001msec)\n' >>run.txt
volscale import --size-gb 1024 run.txt
volscale report --format json | jq -c '{run: [.run.source, .run.started_at, .run.duration_s, .run.workload], plateaus: [.plateaus[] | [.start_s, .end_s, .iops, .tier]], events: [.events[] | .kind], sources: [.observations[] | select(.source == "import") | .name] | unique}'
volscale report --format json | jq -r '.observations[] | select(.name == "sha256") | .value' >said
sha256sum run.txt | cut -d' ' -f1 | cmp - said && echo 'the SHA-256 is the file'\''s'
volscale import - <run.txt
cat >disks.txt <<'END'
Linux 5.10.0 (host-1) 	08/29/2023 	_x86_64_	(4 CPU)

1693315670
Device             tps    kB/s    rqm/s   await  areq-sz  aqu-sz  %util
sda               1.00    4.00     0.00    0.10     4.00    0.00   0.01
sdb              12.00   48.00     0.00    0.10     4.00    0.00   0.01

1693315671
Device             tps    kB/s    rqm/s   await  areq-sz  aqu-sz  %util
sda               2.00    8.00     0.00    0.10     4.00    0.00   0.01
sdb           25000.00 100000.00   0.00    0.10     4.00    2.50 100.00
END
volscale import disks.txt
volscale import --device sda disks.txt
volscale import --device nvme9n1 disks.txt
echo "exit $?"
volscale runs --format csv | sed '1d; s/^[0-9]*,[^,]*,//' | cut -d, -f1,3-
