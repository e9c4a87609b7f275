# fio's logs and JSON on the command line: a file and a pipe read alike, files together are one run
rows() { # ROWS VALUE
	awk -v n="$1" -v v="$2" 'BEGIN { for (i = 1; i <= n; i++) printf "%d, %d, 0, 0\n", i * 1000, v + i % 3 }'
}
export VOLSCALE_DB=a.db
(
	rows 30 25000
	rows 60 50000 | tail -30
) >job_iops.1.log
volscale import --start-time 1700000000 job_iops.1.log
volscale import --start-time 1700000000 - <job_iops.1.log
# shellcheck disable=SC2002 # a pipe is what is tested
cat job_iops.1.log | volscale import --start-time 1700000000 -
for run in 1 2 3; do volscale report --format csv $run >$run.csv; done
cut -d, -f3,4,8,13 1.csv
cmp 1.csv 2.csv && cmp 2.csv 3.csv && echo alike

echo '== two jobs and their JSON'
rows 60 1000 >b_iops.1.log
rows 60 500 >b_iops.2.log
cat >b.json <<END
note: something
{
"fio version" : "fio-3.36", "timestamp_ms" : 1700000060000,
"jobs" : [
{"jobname":"b","groupid":0,"job options":{"bs":"4k"},"read":{"iops":1001,"runtime":60000,"total_ios":60060}},
{"jobname":"b","groupid":0,"job options":{"bs":"4k"},"read":{"iops":501,"runtime":60000,"total_ios":30060}}
]
}
END
volscale import b_iops.2.log b.json b_iops.1.log
volscale report --format csv | cut -d, -f3,4,8,10

echo '== one job is missing'
volscale import b.json b_iops.1.log
volscale report | grep -c 'The samples average'

echo '== a document alone'
volscale import b.json
volscale report | grep -c 'no series over time'
for format in text csv json markdown html; do
	volscale report --format $format >/dev/null 2>&1 || echo "$format: $?"
done

echo '== refused'
export VOLSCALE_DB=none.db
: >empty_iops.log
printf '1000, 40000, 0, 0\n2000, 40000, 0, 0\n' >j_lat.1.log
printf '{ "fio version" : "fio-3.36",\n' >cut.json
for file in empty_iops.log j_lat.1.log cut.json .; do
	volscale import $file
	echo $?
done 2>&1
ls none.db 2>/dev/null
