#!/bin/sh
# What the kernel is asked for, by strace: the target is opened read-only, and nothing is ever written to it.
. "$(dirname "$0")/lib.sh"

command -v strace >/dev/null || skip "no strace here"
strace -o /dev/null true 2>/dev/null || skip "strace may not trace here"
make_file volume 16

for rw in read randread; do
	rm -f run.db*
	run strace -f -y -o trace "$volscale" observe --db run.db --rw $rw --bs 4k --iodepth 4 --numjobs 2 \
		--rate-iops 500 --runtime 3s --decay 3s --probe-every 2s --probe-length 1s --progress never volume
	equal "$rw: exit code" "$rc" 0
	grep -E 'open(at)?2?\(.*volume"' trace >opens || true
	within "$rw: opens of the target" "$(wc -l <opens)" 2 20
	equal "$rw: opens that are not read-only" "$(grep -cv O_RDONLY opens)" 0
	within "$rw: reads submitted" "$(grep -o 'aio_lio_opcode=IOCB_CMD_PREAD' trace | wc -l)" 500 10000
	equal "$rw: writes submitted" "$(grep -cE 'aio_lio_opcode=IOCB_CMD_(P|FD)[^R]*(WRITE|SYNC)' trace)" 0
	equal "$rw: system calls that write to the target" \
		"$(grep -cE '(write|writev|pwrite64|pwritev2?|ftruncate|fallocate|sendfile|copy_file_range|splice)\([0-9]+<[^>]*/volume>' trace)" 0
	equal "$rw: its name in calls that change a file" \
		"$(grep -cE '(unlink|rename|truncate|chmod|chown|link|utimensat)(at2?)?\(.*/?volume"' trace)" 0
done
finish
