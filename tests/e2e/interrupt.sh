#!/bin/sh
# Ctrl-C ends a run with everything saved, the summary and 130; kill -9 costs at most one interval.
. "$(dirname "$0")/lib.sh"

make_file volume 16

# start: a run in the background, for 4 seconds
start() {
	rm -f run.db* out err
	# The shell has background jobs ignore SIGINT; env -i would not undo that, a terminal would not do it.
	env --default-signal=INT "$volscale" observe --db run.db --runtime 60s --progress never volume >out 2>err &
	pid=$!
	sleep 4
}

stop() {
	kill "-$1" $pid
	wait $pid && rc=0 || rc=$?
}

for signal in INT TERM; do
	start
	stop $signal
	equal "$signal: exit code" "$rc" 130
	within "$signal: samples" "$(sql 'SELECT count(*) FROM sample')" 3 5
	equal "$signal: reads are all accounted for" "$(sql 'SELECT CAST(sum(ios) AS INTEGER) FROM sample')" \
		"$(sql "SELECT CAST(value AS INTEGER) FROM observation WHERE source = 'generator' AND name = 'reads'")"
	"$volscale" report --db run.db --format json >run.json
	equal "$signal: end" "$(jq -r .run.end run.json)" interrupted
	ok "$signal: the summary is printed" grep -q IOPS out
done

# timeout(1) signals its child and then the whole group: one Ctrl-C, seen twice.
rm -f run.db*
run timeout --preserve-status -s INT 3 "$volscale" observe --db run.db --runtime 60s --progress never volume
equal "signalled twice at once: exit code" "$rc" 130
"$volscale" report --db run.db --format json >run.json
equal "signalled twice at once: end" "$(jq -r .run.end run.json)" interrupted

# While the end of a run waits for a database that another holds, a second signal ends it at once.
start
(
	echo 'BEGIN IMMEDIATE;'
	sleep 20
) | sqlite3 run.db >locker.out 2>&1 &
locker=$!
sleep 1
kill -INT $pid
sleep 2
ok "INT: waits for the database" kill -0 $pid
before=$(date +%s%N)
kill -INT $pid
wait $pid && rc=0 || rc=$?
equal "INT twice: exit code" "$rc" 130
within "INT twice: ends within, ms" $((($(date +%s%N) - before) / 1000000)) 0 1000
kill $locker 2>/dev/null || true
wait $locker 2>/dev/null || true
equal "INT twice: integrity" "$(sql 'PRAGMA integrity_check')" ok
within "INT twice: samples from before the lock" "$(sql 'SELECT count(*) FROM sample')" 3 6

# An import that waits for its input: nothing of it stays, neither a database nor a run.
mkfifo rows
for db in new run; do
	runs=$([ $db = new ] || sql 'SELECT count(*) FROM run')
	(
		printf 'time_s,iops\n1,100\n2,100\n'
		sleep 1.5
	) >rows &
	writer=$!
	env --default-signal=INT "$volscale" import --db $db.db rows >out 2>err &
	pid=$!
	sleep 0.5
	kill -INT $pid
	wait $pid && rc=0 || rc=$?
	equal "import into $db.db: exit code" "$rc" 130
	ok "import into $db.db: says so" grep -q 'interrupted; nothing of it is kept' err
	[ $db = new ] || equal "import: runs as before" "$(sql 'SELECT count(*) FROM run')" "$runs"
	wait $writer || true
done
equal "import: no database is left" "$(ls new.db* 2>/dev/null)" ""

start
kill -KILL $pid
wait $pid && rc=0 || rc=$?
equal "KILL: exit code" "$rc" 137
equal "KILL: integrity" "$(sql 'PRAGMA integrity_check')" ok
within "KILL: samples" "$(sql 'SELECT count(*) FROM sample')" 3 4
"$volscale" report --db run.db --format json >run.json
equal "KILL: end" "$(jq -r .run.end run.json)" crashed
run "$volscale" observe --db run.db --runtime 1s --progress never volume
equal "KILL: the next run" "$rc" 0
finish
