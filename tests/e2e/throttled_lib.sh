# Sourced after lib.sh by the tests with a real ceiling: a block device in $device, and in hold() a run of observe
# that must read what the kernel was told. A test defines departures(), which says what is wrong with run.json.
# shellcheck shell=bash disable=SC2034,SC2154

at_exit() {
	"$scripts/throttled-volume.sh" down "$work/throttled"
}

run "$scripts/throttled-volume.sh" up throttled 1G
[ "$rc" != 77 ] || skip "$(sed 's/^skipped: //' out)"
device=$(cat out)
[ "$rc" = 0 ] || {
	cat out err
	exit 1
}

# The ladder of 1024 GB, for a load of 48 s.
cat >up <<'END'
8 25000
8 50000
8 75000
8 100000
8 122880
60 138240
END

# disk FIELD: of the kernel's counters for the device; 1 reads, 5 writes
disk() {
	awk -v f="$1" '{ print $f }' "/sys/class/block/${device##*/}/stat"
}

# observe SCHEDULE OPTIONS...: one run; leaves run.db, run.json, out, err, and the device's reads and writes
observe() {
	local schedule=$1
	shift
	rm -f run.db*
	reads=$(disk 1)
	writes=$(disk 5)
	run "$scripts/throttled-volume.sh" run throttled "$schedule" "$volscale" observe --db run.db \
		--progress never "$@" "$device"
	cat out err
	cat out err >>said
	reads=$(($(disk 1) - reads))
	writes=$(($(disk 5) - writes))
	"$volscale" report --db run.db --format json >run.json
}

# against_schedule PROBE_S: where run.json departs from what the kernel was told; the first six changes are the load's
against_schedule() {
	local changes
	changes=$(jq -Rnc '[inputs | split(" ") | map(tonumber)]' <throttled/changes)
	jq -r --argjson changes "$changes" --argjson up 6 --argjson probe_s "$1" -f "$here/throttled.jq" run.json
}

# hold NAME COMMAND...: runs the command, judges it by departures, and once more when it departs: the kernel's threads
# that let the reads through need a processor in time, and on a machine busy with other work they do not get it.
hold() {
	local name=$1 ios
	shift
	for _ in 1 2; do
		"$@"
		departures >differences
		[ -s differences ] || break
		echo "departs from the schedule, load average $(cut -d' ' -f1-3 /proc/loadavg):"
		cat differences
	done
	equal "$name: exit code" "$rc" 0
	equal "$name: departures from the schedule" "$(cat differences)" ""
	equal "$name: writes that the device saw" "$writes" 0
	ios=$(jq .totals.ios run.json)
	within "$name: the device's own count of reads" "$reads" $((ios * 99 / 100)) $((ios * 101 / 100))
	within "$name: the count of it in the samples" "$(sql 'SELECT sum(device_reads) FROM sample')" \
		$((ios * 99 / 100)) $((ios * 101 / 100))
}
