#!/bin/bash
# import_log.sh VOLSCALE FIO_LOG BARE_INSERT [MEGABYTES]: how fast volscale import reads fio's logs, and in how much memory;
# a file and a pipe must give the same samples. Fails when they do not, or above 64 MB; rates are printed, not judged.
set -eu
[ -x /usr/bin/time ] || {
	echo 'skipped: /usr/bin/time is not there to measure memory'
	exit 77
}
export LC_ALL=C
volscale=$1
fio_log=$2
bare_insert=$3
bytes=$((${4:-1024} * 1024 * 1024))
work=$(mktemp -d "${TMPDIR:-/tmp}/volscale-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

# timed LABEL BYTES COMMAND...: rate and peak memory of the command
timed() {
	label=$1
	size=$2
	shift 2
	/usr/bin/time -f '%e %U %S %M' -o figures "$@" >/dev/null
	read -r seconds user system kb <figures
	awk -v l="$label" -v b="$size" -v s="$seconds" -v c="$user" -v y="$system" -v k="$kb" 'BEGIN {
		printf "%-38s %6.0f MB/s (%.0f a second of CPU), %.0f MB of memory\n", l, b / 1e6 / s, b / 1e6 / (c + y), k / 1024 }'
	if [ "$kb" -ge 65536 ]; then
		echo "$label: more than 64 MB"
		exit 1
	fi
}

# windows MS JOBS BYTES: logs of that size in all, a file a job, and their import
windows() {
	rm -f job_iops.*.log run.db*
	for job in $(seq "$2"); do
		"$fio_log" "$1" $(($3 / $2)) "$job" >"job_iops.$job.log"
	done
	timed "a row each $1 ms, $2 job(s)" "$3" "$volscale" import --db run.db --start-time 1700000000 job_iops.*.log
}

for step in 0 10; do
	[ $step = 0 ] && kind='a row an I/O' || kind="a row each $step ms"
	"$fio_log" $step $bytes >job_iops.1.log
	timed "$kind, file" $bytes "$volscale" import --db file.db --start-time 1700000000 job_iops.1.log
	# shellcheck disable=SC2016 # the inner shell's
	timed "$kind, pipe" $bytes sh -c 'cat job_iops.1.log | "$1" import --db pipe.db --start-time 1700000000 -' sh "$volscale"
	for db in file pipe; do
		"$volscale" report --db $db.db --format csv >$db.csv
		rm -f $db.db*
	done
	cmp file.csv pipe.csv
done
windows 1000 64 $bytes
windows 1000 32 $bytes
windows 50 1 $((bytes / 8))
windows 100 1 $((bytes / 8))
windows 1000 1 $((bytes / 8))
# here a row is a sample: what SQLite alone takes for as many
awk -v s="$user" -v y="$system" -v rows="$(wc -l <job_iops.1.log)" -v bare="$("$bare_insert" run.db 1000000)" 'BEGIN {
	printf "a row a sample: %.0f ns of CPU a row; a bare INSERT of the same row: %.0f ns\n", (s + y) * 1e9 / rows, bare }'
