#!/bin/bash
# observe against a real ceiling: the kernel throttles a block device as a cloud would a volume of 1024 GB, up the
# ladder and down again, and the report must say what the schedule was.
. "$(dirname "$0")/lib.sh"

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

cat >up <<'END'
8 25000
8 50000
8 75000
8 100000
8 122880
60 138240
END
# The load ends at 48 s, probes of 2 s are at 52, 56, 60 ... 80 s, and the limit falls between them.
cat >up-and-down <<'END'
8 25000
8 50000
8 75000
8 100000
8 122880
18.5 138240
8 100000
8 50000
60 25000
END

# disk FIELD: of the kernel's counters for the device; 1 reads, 5 writes
disk() {
	awk -v f="$1" '{ print $f }' "/sys/class/block/${device##*/}/stat"
}

# observe RW SCHEDULE PROBE_S OPTIONS...: one run; leaves $rw.json, and in differences where it departs from the schedule
observe() {
	rw=$1
	schedule=$2
	probe_s=$3
	shift 3
	rm -f run.db*
	reads=$(disk 1)
	writes=$(disk 5)
	run "$scripts/throttled-volume.sh" run throttled "$schedule" "$volscale" observe --db run.db --rw "$rw" \
		--size-gb 1024 --runtime 48s --progress never "$@" "$device"
	cat out err
	reads=$(($(disk 1) - reads))
	writes=$(($(disk 5) - writes))
	"$volscale" report --db run.db --format json >"$rw.json"
	changes=$(jq -Rnc '[inputs | split(" ") | map(tonumber)]' <throttled/changes)
	jq -r --argjson changes "$changes" --argjson up 6 --argjson probe_s "$probe_s" -f "$here/throttled.jq" \
		"$rw.json" >differences
}

# hold RW ...: the same, and judges it. Once more when it departs: the kernel's threads that let the reads through need
# a processor in time, and on a machine busy with other work they do not get it.
hold() {
	observe "$@"
	if [ -s differences ]; then
		echo "departs from the schedule, load average $(cut -d' ' -f1-3 /proc/loadavg); once more:"
		cat differences
		observe "$@"
	fi
	equal "$rw: exit code" "$rc" 0
	ok "$rw: plateaus, tiers and steps are the schedule's" sh -c '! grep . differences'
	equal "$rw: writes that the device saw" $writes 0
	ios=$(jq .totals.ios "$rw.json")
	within "$rw: the device's own count of reads" $reads $((ios * 99 / 100)) $((ios * 101 / 100))
	within "$rw: the count of it in the samples" "$(sql 'SELECT sum(device_reads) FROM sample')" \
		$((ios * 99 / 100)) $((ios * 101 / 100))
}

hold randread up-and-down 4 --decay 34s --probe-every 4s --probe-length 2s
hold read up 0
finish
