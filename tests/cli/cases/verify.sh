# a rise from VPU 10 to 40 and its fall, held against expectations in each format; uuids are random
mask() { sed -E 's/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/UUID/g'; }
awk 'function row(phase, level) { printf "%d,%s,%.0f\n", t++, phase, level * (1 + (t * 7 % 5 - 2) * 0.001) }
	function load(seconds, level) { for (i = 0; i < seconds; i++) row("load", level) }
	function idle(minutes, level) {
		for (m = 0; m < minutes; m++)
			for (i = 0; i < 60; i++) row(i < 57 ? "idle" : "probe", i < 57 ? 0 : level)
	}
	BEGIN {
		print "time_s,phase,iops"
		load(28, 25000); load(23, 50000); load(24, 75000); load(20, 100000); load(8, 70000); load(20, 100000)
		idle(25, 100000); idle(1, 75000); idle(1, 50000); idle(10, 25000)
	}' >series.csv
volscale import --label 'night "1" <&>' --start-time 2026-01-31T12:00:00Z --size-gb 1024 series.csv
cat >expect.json <<'JSON'
{"start_tier": 10, "top_tier": 120, "max_rise": 99, "max_rise_total": "10m", "max_first_fall": "60m",
 "max_fall": "2m", "tolerance_pct": 3, "min_share_pct": 95, "max_dip": 5}
JSON
for format in text json junit tap; do
	echo "# $format"
	volscale verify --expect expect.json --format $format | mask
done
echo "# options go over the file"
volscale verify --expect expect.json --top-tier 40 --max-dip 10s --min-share 90 -o verdict.xml -o verdict.tap -o -
echo "exit $?"
head -c 38 verdict.xml; echo; head -1 verdict.tap
echo "# nothing asked"
volscale verify
echo "exit $?"
echo "# a run without a fall"
sed '/idle\|probe/d' series.csv >rise.csv
volscale import --size-gb 1024 rise.csv
volscale verify --max-first-fall 60m --max-fall 2m
echo "exit $?"
volscale verify --max-first-fall 60m --strict >/dev/null
echo "exit $?"
