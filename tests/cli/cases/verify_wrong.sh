# expectations that cannot be meant: told before anything is judged
printf 'time_s,iops\n' >series.csv
i=0; while [ $i -lt 30 ]; do echo "$i,25000" >>series.csv; i=$((i + 1)); done
volscale import --size-gb 1024 series.csv
try() { volscale verify "$@"; echo "exit $?"; }
try --top-tier 115
try --min-share 120
try --max-rise soon
try --output verdict.html
try --expect none.json
echo '{"top": 120}' >expect.json
try --expect expect.json
echo '{"max_rise": "soon"}' >expect.json
try --expect expect.json
try 7
