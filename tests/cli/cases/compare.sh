# the published comparison of 50 GB volumes in yen, in each format; uuids are random
# shellcheck disable=SC2086 # lists of words
mask() { sed -E 's/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/UUID/g'; }
compare() { volscale compare --price-gb 3.06 --price-vpu 0.204 --currency JPY "$@"; }
for run in 0:101 10:3034 20:3798; do
	awk -v level="${run#*:}" 'BEGIN {
		print "time_s,iops"
		for (i = 0; i < 60; i++) print i "," level * (1 + (i * 7 % 5 - 2) * 0.001)
	}' >series.csv
	volscale import --label "VPU ${run%:*}" --size-gb 50 series.csv >/dev/null
done
for format in text markdown csv json; do
	echo "# $format"
	compare --format $format 1 2 3 | mask
done
echo "# html"
compare -o page.html 1 2 3
grep -c '<h1>VPU 20 reaches the most, 3,798 IOPS, bound by the volume.</h1>' page.html
grep -o '<svg class="chart"\|"price_month": 153,\|id="[a-z-]*"' page.html
echo "# requests: $(grep -cE 'https?://|src=|@import' page.html)"
echo "# files by their endings"
volscale compare -o c.csv -o c.json -o c.md -o c.txt 1 last
wc -l c.csv c.json c.md c.txt | sed 's/^ *//'
