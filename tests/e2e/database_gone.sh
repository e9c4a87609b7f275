#!/bin/sh
# The database is removed, replaced or renamed while a run is recorded: it is told at once, nothing is lost, and what
# now has its name is left alone.
. "$(dirname "$0")/lib.sh"

make_file volume 16
awk 'BEGIN { print "time_s,iops"; for (i = 1; i <= 60; i++) print i "," 25000 + i % 3 }' >series.csv
# an older run is in it too
"$volscale" import --db run.db --size-gb 50 --label old series.csv >out

# begin NAME: a run of 4 s in the background, in a copy of that database
begin() {
	mkdir "$1"
	cp run.db "$1/run.db"
	"$volscale" observe --db "$1/run.db" --runtime 4s --numjobs 1 --iodepth 4 --label "$1" --progress never volume \
		>"$1.out" 2>"$1.err" &
	eval "pid_$1=$!"
}

for case in removed bare replaced renamed; do
	begin $case
done
for case in removed bare replaced renamed; do
	tries=0
	until [ "$(sqlite3 -readonly $case/run.db "SELECT count(*) FROM sample WHERE run_id = 2" 2>/dev/null)" -ge 1 ] ||
		[ $tries -ge 30 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
done
rm removed/run.db*
rm bare/run.db # and what belongs to it stays
rm replaced/run.db*
sqlite3 replaced/run.db 'PRAGMA journal_mode = WAL; CREATE TABLE theirs (x)' >out
(
	echo 'PRAGMA wal_autocheckpoint = 0; INSERT INTO theirs VALUES (42); SELECT * FROM theirs;'
	sleep 6 # its WAL has what the file has not
) | sqlite3 replaced/run.db >out 2>&1 &
other=$!
mv renamed/run.db renamed/other.db
for case in removed bare replaced renamed; do
	eval "wait \$pid_$case" && rc=0 || rc=$?
	equal "$case: exit code" "$rc" 0
	ok "$case: it is told while the run goes on" grep -q "^the database's file was removed or replaced" $case.err
	ok "$case: the summary is this run's" grep -q "observe, $case, completed" $case.out
	kept=$(find $case -name 'run.db.????????')
	equal "$case: integrity" "$(sqlite3 -readonly "$kept" 'PRAGMA integrity_check')" ok
	equal "$case: samples, the older run's too" "$(sqlite3 -readonly "$kept" 'SELECT count(*) FROM sample')" 64
	ok "$case: the new name is told" grep -q "is now in '$kept'" $case.err
	equal "$case: the event" "$("$volscale" report --db "$kept" --format json |
		jq '[.events[] | select(.kind == "database-moved")] | length')" 1
done
equal "replaced: the other database keeps what is its own" "$(sqlite3 replaced/run.db 'SELECT * FROM theirs')" 42
wait $other || :
equal "replaced: afterwards too" "$(sqlite3 replaced/run.db 'SELECT * FROM theirs')" 42
for case in removed bare; do
	run "$volscale" import --db $case/run.db --size-gb 50 series.csv
	equal "$case: a new database of the old name" "$rc" 0
	equal "$case: its samples" "$(sqlite3 -readonly $case/run.db 'SELECT count(*) FROM sample')" 60
done
finish
