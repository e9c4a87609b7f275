# What import says of what it read: short and long runs, small and large rates, and what changes the reading.
rows() { # ROWS STEP_MS VALUE
	awk -v n="$1" -v s="$2" -v v="$3" 'BEGIN { for (i = 1; i <= n; i++) printf "%d, %d, 0, 0\n", i * s, v }'
}
for run in '1 250 25000' '10 900 5' '90 1000 25000' '3601 1000 2' '86400 1000 120000' '1440 60000 25000' '1466 60000 7'; do
	# shellcheck disable=SC2086 # three words
	rows $run >j_iops.1.log
	volscale import j_iops.1.log
done
printf 'time_s,iops\n1,0\n2,0.7\n' | volscale import -
printf 'time_s,iops\n1,71.25\n2,71.25\n' | volscale import -
echo '== totals only'
cat >j.json <<'END'
{ "fio version" : "fio-3.36", "timestamp_ms" : 1700000060000,
"jobs" : [ {"jobname":"b","groupid":0,"job options":{"bs":"4k"},"read":{"iops":1001,"runtime":60000,"total_ios":60060}} ] }
END
volscale import j.json 2>&1
echo '== a log that does not add up, with lines that are none'
{
	echo lost
	rows 60 1000 900
	echo '61000, 900, 0, 0, 0, end'
	echo '60000, 900, 0, 0'
} >k_iops.1.log
volscale import k_iops.1.log j.json 2>&1
echo '== a capture that lost four updates of five: what is known of the run is the seconds that are there'
{
	printf 'j: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=32\nfio-3.36\nStarting 1 process\n'
	for s in 5 10 15 20 25 30; do
		echo "Jobs: 1 (f=1): [r(1)][$((s * 2)).0%][r=$((s * 4))KiB/s][r=$s IOPS][eta 00m:$((50 - s))s]"
	done
	printf 'j: (groupid=0, jobs=1): err= 0: pid=4: Mon Nov 30 22:29:34 2026\n  read: IOPS=25, BW=98KiB/s (102kB/s)(4MiB/50000msec)\n'
} >lost.txt
volscale import lost.txt 2>&1
