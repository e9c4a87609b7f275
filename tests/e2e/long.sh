#!/bin/sh
# long.sh VOLSCALE DIR RECORD_DAYS DAYS: so many days through the real recorder with a compressed clock; then every
# report still works, and tells in what time.
record_days=$(realpath "$3")
. "$(dirname "$0")/lib.sh"
days=$4
seconds=$((days * 86400))

run "$record_days" run.db "$days"
cat out
equal "$days days recorded: nothing lost, memory flat within 1 MB, 120 bytes a sample at most" "$rc" 0
equal "integrity" "$(sql 'PRAGMA integrity_check')" ok
for format in text csv json markdown html; do
	start=$(date +%s%N)
	run "$volscale" report --db run.db --format "$format"
	equal "report as $format: exit code" "$rc" 0
	echo "report as $format: $((($(date +%s%N) - start) / 1000000)) ms, $(wc -c <out) bytes"
	mv out "report.$format"
done
json() {
	jq -r "$1" report.json
}

equal "samples" "$(json .totals.samples)" "$seconds"
equal "missing" "$(json .totals.missing)" 0
equal "sums are whole" "$(json .totals.ios)" "$(sql 'SELECT sum(ios) FROM sample')"
# 12 steps up or down to 100,000 and to 25,000 in each day
equal "steps" "$(json '.steps | length')" $((days * 13))
equal "every plateau has its one tier" "$(json '[.plateaus[] | select(.tier == null)] | length')" 0
equal "end" "$(json .run.end)" completed
run "$volscale" report --db run.db --format csv --series
equal "the series as csv: a row a sample, and the header" "$(wc -l <out)" $((seconds + 1))
run "$volscale" runs --db run.db
ok "the list tells the days" grep -q "$days d" out
finish
