#!/bin/sh
# Imports that begin at the same moment make one database between them; one that fails does not take it away.
. "$(dirname "$0")/lib.sh"

printf 'time_s,iops\n1,25000\n2,25001\n3,25000\n' >series.csv
echo nonsense >nonsense
lost=
: >err
for round in $(seq 25); do
	for file in series.csv nonsense series.csv nonsense series.csv; do
		"$volscale" import --db run.db --size-gb 50 $file >out 2>>err &
	done
	wait
	[ "$(sqlite3 run.db 'SELECT count(*) FROM run' 2>&1)" = 3 ] || lost="$lost $round"
	rm -f run.db*
done
equal "rounds in which a run was lost" "$lost" ""
equal "other complaints than of the file that is none" "$(grep -v "no reader knows this form" err | sort -u)" ""
run "$volscale" import --db run.db nonsense
equal "one that fails alone leaves nothing behind" "$(find . -name 'run.db*')" ""
finish
