# A CSV has no place for warnings: they are told on standard error.
printf 'time_s,iops\n1,1000\n2,1000\n3,1000\n6,1000\n7,1000\n8,1000\n9,1000\n' >gap.csv
volscale import --size-gb 500 --start-time 2026-01-31T12:00:00Z gap.csv >/dev/null 2>&1
volscale report --format csv
volscale report -o out.csv -o out.json && head -n 1 out.csv && grep -o '"missing": 2' out.json
