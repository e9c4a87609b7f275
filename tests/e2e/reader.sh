#!/bin/sh
# Reports of a run that is still going on, one after the other: each works, none sees less than the one before, and
# the recording does not notice.
. "$(dirname "$0")/lib.sh"

make_file volume 16
at_exit() {
	kill -KILL "$pid" 2>/dev/null || :
}
"$volscale" observe --db run.db --runtime 6s --interval 100ms --numjobs 1 --iodepth 16 --rate-iops 2000 \
	--progress never volume >out 2>err &
pid=$!
wait_for_samples run.db 1
wrong=0
before=0
n=0
formats="json text csv markdown html"
end=$(($(date +%s) + 4))
while [ "$(date +%s)" -lt $end ]; do
	for format in $formats; do
		"$volscale" report --db run.db --format "$format" >"r.$format" 2>>r.err || wrong=$((wrong + 1))
		n=$((n + 1))
	done
	"$volscale" runs --db run.db >runs.txt
	grep -q running runs.txt || wrong=$((wrong + 1))
	[ "$(jq -r .run.end r.json)" = running ] || wrong=$((wrong + 1))
	now=$(jq .totals.samples r.json)
	[ "$now" -ge "$before" ] || wrong=$((wrong + 1))
	before=$now
done
echo "$n reports"
equal "reports that failed or saw less than the one before" $wrong 0
within "samples that the last one saw" "$before" 2 60
wait $pid && rc=0 || rc=$?
equal "the run: exit code" "$rc" 0
equal "the run: samples" "$(sql 'SELECT count(*) FROM sample')" 60
equal "the run: trouble with the database" "$(sql "SELECT count(*) FROM event WHERE kind = 'database-trouble'")" 0
equal "integrity" "$(sql 'PRAGMA integrity_check')" ok
finish
