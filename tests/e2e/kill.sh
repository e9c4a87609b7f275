#!/bin/sh
# kill.sh VOLSCALE DIR KILLS: one run, killed with SIGKILL at random moments and resumed each time. Nothing but the
# interval under way is lost, the next command says what happened, and the gaps stay gaps.
. "$(dirname "$0")/lib.sh"
kills=${3:-10}
interval_ms=200

make_file volume 16
at_exit() {
	[ -z "${pid:-}" ] || kill -KILL "$pid" 2>/dev/null || :
}

now_ms() {
	echo $(($(date +%s%N) / 1000000))
}

# Dies after $1 ms of recording the run, which the rest of the words make or go on with.
record_and_kill() {
	delay=$1
	shift
	"$volscale" observe --db run.db --numjobs 1 --iodepth 16 --rate-iops 2000 --progress never "$@" >out 2>err &
	pid=$!
	sleep "$((delay / 1000)).$(printf %03d $((delay % 1000)))"
	killed_ms=$(now_ms)
	kill -KILL $pid
	wait $pid 2>/dev/null && rc=0 || rc=$?
	pid=
}

i=0
worst_ms=0
before_ms=0
bad=0
while [ $i -lt "$kills" ]; do
	random=$(od -An -N2 -tu2 /dev/urandom)
	if [ $i = 0 ]; then
		record_and_kill $((1000 + random % 1000)) --runtime 1h --interval ${interval_ms}ms volume
	else
		record_and_kill $((50 + random % 950)) --resume last
	fi
	# read before anything else has the database open
	"$volscale" runs --db run.db --format csv >runs.csv
	"$volscale" report --db run.db >report.txt
	"$volscale" report --db run.db --format json >report.json
	started_ms=$(sql 'SELECT started_at_ms FROM run')
	sampled_ms=$((started_ms + $(sql 'SELECT ifnull(max(end_ns), 0) / 1000000 FROM sample')))
	# unless it died before its first sample
	[ $sampled_ms = $before_ms ] || [ $((killed_ms - sampled_ms)) -le $worst_ms ] || worst_ms=$((killed_ms - sampled_ms))
	before_ms=$sampled_ms
	if [ "$rc" != 137 ] || [ "$(sql 'PRAGMA integrity_check')" != ok ] || ! grep -q crashed runs.csv ||
		! grep -q 'process died at 20.*Z' report.txt || [ "$(jq -r .run.end report.json)" != crashed ] ||
		[ "$(jq '.run.duration_s * 1000 | floor' report.json)" -gt $((killed_ms - started_ms + 100)) ]; then
		bad=$((bad + 1))
		echo "kill $i after $delay ms: exit code $rc"
		cat err runs.csv report.txt
	fi
	i=$((i + 1))
done

equal "kills after which something was wrong" $bad 0
# what was under way, and a commit on a busy machine
within "the last sample before a kill: ms old" $worst_ms 0 $((2 * interval_ms))
equal "one run" "$(sql 'SELECT count(*) FROM run')" 1
run "$volscale" observe --db run.db --resume last --runtime 3s --progress always
equal "the last resume ends as it should" "$rc" 0
ok "its report says so" grep -q completed out
ok "the time left is the resumed stretch's" grep -q 'left 00:0[12] ' err
resumed=$(sql "SELECT count(*) FROM event WHERE kind = 'resumed'")
within "resumed events" "$resumed" 2 "$kills"
# a sample begins where the one before it ended, or after a gap that an event tells
equal "gaps that no event tells" "$(sql "SELECT count(*) FROM (SELECT end_ns - length_ns AS start_ns,
	lag(end_ns) OVER (ORDER BY end_ns) AS before_ns FROM sample) WHERE start_ns > before_ns + 1000000 AND NOT EXISTS
	(SELECT 1 FROM event WHERE kind = 'resumed' AND at_ns BETWEEN before_ns - 1000000 AND start_ns + 1000000)")" 0
equal "samples that overlap" "$(sql "SELECT count(*) FROM (SELECT end_ns - length_ns AS start_ns,
	lag(end_ns) OVER (ORDER BY end_ns) AS before_ns FROM sample) WHERE start_ns < before_ns - 1000")" 0
"$volscale" report --db run.db --format json >report.json
# a busy machine may be too unsteady for the one level that there is
equal "no plateau or step comes from the gaps" \
	"$(jq -c '[(.plateaus | length) <= 1, (.steps | length)]' report.json)" "[true,0]"
ok "the gaps are counted as missing" jq -e '.totals.missing > 0' report.json
finish
