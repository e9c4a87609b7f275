#!/bin/bash
# import_log.sh VOLSCALE FIO_LOG [MEGABYTES]: how fast volscale import reads fio's logs, and in how much memory; a file
# and a pipe must give the same samples. Fails when they do not, or above 64 MB; the rate is printed, not judged.
set -eu
[ -x /usr/bin/time ] || {
	echo 'skipped: /usr/bin/time is not there to measure memory'
	exit 77
}
export LC_ALL=C
volscale=$1
fio_log=$2
bytes=$((${3:-1024} * 1024 * 1024))
work=$(mktemp -d "${TMPDIR:-/tmp}/volscale-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

# timed LABEL COMMAND...: rate and peak memory of the command
timed() {
	label=$1
	shift
	/usr/bin/time -f '%e %M' -o figures "$@" >/dev/null
	read -r seconds kb <figures
	awk -v l="$label" -v b="$bytes" -v s="$seconds" -v k="$kb" \
		'BEGIN { printf "%-34s %6.0f MB/s, %.0f MB of memory\n", l, b / 1e6 / s, k / 1024 }'
	if [ "$kb" -ge 65536 ]; then
		echo "$label: more than 64 MB"
		exit 1
	fi
}

for kind in single windows; do
	"$fio_log" $kind $bytes >job_iops.1.log
	timed "$kind, file" "$volscale" import --db file.db --start-time 1700000000 job_iops.1.log
	# shellcheck disable=SC2016 # the inner shell's
	timed "$kind, pipe" sh -c 'cat job_iops.1.log | "$1" import --db pipe.db --start-time 1700000000 -' sh "$volscale"
	for db in file pipe; do
		"$volscale" report --db $db.db --format csv >$db.csv
		rm -f $db.db*
	done
	cmp file.csv pipe.csv
done
