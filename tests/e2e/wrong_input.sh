#!/bin/sh
# Wrong input: one line on stderr that names the thing and the remedy, nothing on stdout, exit 1 or 2, and nothing
# changed in the folder.
. "$(dirname "$0")/lib.sh"

make_file volume 4
mkdir folder
: >empty
head -c 65536 /dev/urandom >noise
printf 'time_s,iops\n0,25000\n1,25' >truncated.csv
printf 'Starting 4 threads\nj: (groupid=0, jobs=4): err= 0: pid=1: Tue Jan  1 00:00:00 2025\n  read: IO' >truncated.fio.txt
cp noise noise.db
: >ladder

# Of the folder, but for what a run of the test itself writes.
state() {
	find . -type f ! -name out ! -name err ! -name check.out -exec sha256sum {} + | sort -k2
	find . ! -name out ! -name err ! -name check.out | sort
}

# wrong RC NAMED COMMAND...: refused with that exit code; the line contains NAMED
wrong() {
	want=$1
	named=$2
	shift 2
	before=$(state)
	run "$volscale" "$@"
	# shellcheck disable=SC2016 # the inner shell expands
	ok "$*" sh -c '
		[ "$1" = "$2" ] || { echo "exit code $1 instead of $2"; cat out err; exit 1; }
		[ "$(wc -l <err)" = 1 ] || { echo "not one line:"; cat err; exit 1; }
		[ -s out ] && { echo "stdout:"; cat out; exit 1; }
		grep -qF -- "$3" err || { echo "does not name $3:"; cat err; exit 1; }
		[ "$4" = "$5" ] || { echo "changed: $5"; exit 1; }
	' - "$rc" "$want" "$named" "$before" "$(state)"
	sed 's/^/    /' err
}

wrong 2 /dev/nothing observe --db run.db --runtime 1s /dev/nothing
wrong 2 missing observe --db run.db --runtime 1s missing
wrong 2 folder observe --db run.db --runtime 1s folder
wrong 2 empty observe --db run.db --runtime 1s empty
wrong 2 /dev/null observe --db run.db --runtime 1s /dev/null
wrong 2 bs observe --db run.db --bs 3k --runtime 1s volume
wrong 2 bs observe --db run.db --bs 0 --runtime 1s volume
wrong 2 iodepth observe --db run.db --iodepth 0 --runtime 1s volume
wrong 2 runtime observe --db run.db --runtime 10x volume
wrong 2 rw observe --db run.db --rw write --runtime 1s volume
wrong 2 rw observe --db run.db --rw randwrite --runtime 1s volume
wrong 2 target observe --db run.db
wrong 2 runtme observe --db run.db --runtme 1s volume
wrong 1 noise.db observe --db noise.db --runtime 1s volume
wrong 2 folder observe --db folder --runtime 1s volume
wrong 1 nowhere/run.db observe --db nowhere/run.db --runtime 1s volume
wrong 1 noise.db report --db noise.db
wrong 1 missing.db report --db missing.db
wrong 1 missing.db runs --db missing.db
wrong 1 empty import --db run.db empty
wrong 1 noise import --db run.db noise
wrong 1 truncated.fio.txt import --db run.db truncated.fio.txt
wrong 1 missing.log import --db run.db missing.log
wrong 1 folder import --db run.db folder
wrong 2 oracle tiers --provider oracle --size-gb 1024
wrong 2 size-gb tiers --size-gb -5
wrong 2 size-gb tiers --size-gb nan
wrong 2 tier rehearse --db run.db --size-gb 50 --min-tier 17 --runtime 1s
wrong 2 observ observ volume
wrong 2 pdf report --format pdf

if [ "$(id -u)" != 0 ]; then
	cp volume locked
	chmod 0 locked
	wrong 1 locked observe --db run.db --runtime 1s locked
fi
finish
