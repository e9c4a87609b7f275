#!/bin/sh
# observe on a file: ten seconds are ten samples, whose reads add up to what the driver counted; the file stays as
# it was; a second process reads along.
. "$(dirname "$0")/lib.sh"

make_file volume 64
before=$(sha256sum volume)
"$volscale" observe --db run.db --runtime 10s --progress never volume >out 2>err &
pid=$!
sleep 5
during=$("$volscale" report --db run.db --format json | jq -r '[.run.end, .totals.samples >= 3] | join(" ")')
wait $pid && rc=0 || rc=$?
cat out err

equal "exit code" "$rc" 0
equal "report during the run" "$during" "running true"
within "samples" "$(sql 'SELECT count(*) FROM sample')" 9 11
reads=$(sql "SELECT CAST(value AS INTEGER) FROM observation WHERE source = 'generator' AND name = 'reads'")
within "reads of the driver" "$reads" 1000 1000000000
equal "reads of the samples" "$(sql 'SELECT CAST(sum(ios) AS INTEGER) FROM sample')" "$reads"
equal "bytes of the samples" "$(sql 'SELECT sum(bytes) FROM sample')" $((reads * 4096))
"$volscale" report --db run.db --format json >run.json
equal "the report's total" "$(jq .totals.ios run.json)" "$reads"
equal "end" "$(jq -r .run.end run.json)" completed
equal "file" "$(sha256sum volume)" "$before"
ok "integrity" test "$(sql 'PRAGMA integrity_check')" = ok

rm -f run.db*
run "$volscale" observe --db run.db --rate-iops 2000 --runtime 10s --progress never volume
equal "--rate-iops: exit code" "$rc" 0
within "--rate-iops 2000: reads in 10 s" "$(sql 'SELECT CAST(sum(ios) AS INTEGER) FROM sample')" 19800 20200
finish
