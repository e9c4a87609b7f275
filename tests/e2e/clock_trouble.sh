#!/bin/sh
# clock_trouble.sh VOLSCALE DIR VOLSCALE_FAULTS: the wall clock set by an hour either way, a suspend, a sampler woken
# late, the whole process stopped for 5 s. Rates stay right, samples keep their true length, an event names it, and
# the report has no step or dip of it. The machine's own clocks are left alone. The runs go on side by side.
faults=$(realpath "$3")
. "$(dirname "$0")/lib.sh"

make_file volume 16
pids=
at_exit() {
	for pid in $pids; do
		kill -KILL "$pid" 2>/dev/null || :
	done
}

# start NAME SECONDS [FAULTS]
start() {
	VS_FAULTS=${3:-} "$faults" observe --db "$1.db" --runtime "$2s" --numjobs 1 --iodepth 16 --rate-iops 1000 \
		--progress never volume >"$1.out" 2>"$1.err" &
	pids="$pids $!"
	eval "pid_$1=$!"
}

start forward 10 wall@4300+3600000
start back 10 wall@4300+-3600000
start suspend 10 suspend@4300+90000
start late 10 late@4300+700
start stopped 14
sleep 4.3
# shellcheck disable=SC2154
kill -STOP "$pid_stopped"
sleep 5
kill -CONT "$pid_stopped"

ask() {
	sqlite3 -readonly "$name.db" "$1"
}

# check NAME SECONDS KIND SAMPLES: what all have in common; KIND is the only event of trouble
check() {
	name=$1
	eval "wait \$pid_$1" && rc=0 || rc=$?
	equal "$1: exit code" "$rc" 0
	within "$1: samples" "$(ask 'SELECT count(*) FROM sample')" "$4" "${5:-$4}"
	equal "$1: each begins where the last ended" "$(ask 'SELECT count(*) FROM (SELECT end_ns - length_ns AS s,
		lag(end_ns, 1, 0) OVER (ORDER BY end_ns) AS e FROM sample) WHERE abs(s - e) > 1000')" 0
	within "$1: seconds in samples, ms" "$(ask 'SELECT sum(length_ns) / 1000000 FROM sample')" \
		$(($2 * 1000 - 10)) $(($2 * 1000 + 300))
	equal "$1: the event" "$(ask "SELECT group_concat(DISTINCT kind) FROM event WHERE kind IN
		('clock-step', 'suspend', 'late-sample')")" "$3"
	"$volscale" report --db "$1.db" --format json >"$1.json"
	equal "$1: one plateau, no step, no dip, nothing missing" \
		"$(jq -c '[(.plateaus | length), (.steps | length), (.dips | length), .totals.missing]' "$1.json")" "[1,0,0,0]"
	within "$1: its level" "$(jq '.plateaus[0].iops | floor' "$1.json")" 950 1050
	within "$1: the start is the one of the wall clock then" \
		$(($(date +%s) - $(ask 'SELECT started_at_ms / 1000 FROM run'))) 0 60
	[ "$failed" = 0 ] || sqlite3 "$1.db" 'SELECT end_ns / 1e9, length_ns / 1e9, ios, flags FROM sample; SELECT * FROM event'
}

check forward 10 clock-step 10
ok "forward: told by how much" grep -q "set forward by 1 h" forward.err
check back 10 clock-step 10
ok "back: told by how much" grep -q "set back by 1 h" back.err
check suspend 10 suspend 10
ok "suspend: told for how long" grep -q "suspended for 1 min 30 s" suspend.err
# what is left of the next interval is less than half of one, and goes into its neighbour
check late 10 late-sample 9
within "late: the longest sample, ms" "$(ask 'SELECT max(length_ns) / 1000000 FROM sample')" 1600 2000
within "late: the one after it, ms" \
	"$(ask 'SELECT length_ns / 1000000 FROM sample WHERE end_ns >
	(SELECT end_ns FROM sample ORDER BY length_ns DESC LIMIT 1) ORDER BY end_ns LIMIT 1')" 1100 1500
within "late: the rate in every sample" "$(ask 'SELECT CAST(max(abs(ios * 1e9 / length_ns - 1000)) AS INTEGER)
	FROM sample WHERE end_ns > 2e9')" 0 200
check stopped 14 late-sample 9 10
within "stopped: the longest sample, ms" "$(ask 'SELECT max(length_ns) / 1000000 FROM sample')" 4500 6500
finish
