# a list, one run, a merge and a deletion; uuids are random
mask() { sed -E 's/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/UUID/g; s/\b[0-9a-f]{8}\b/UUID..../'; }
series() { echo time_s,iops; i=0; while [ $i -lt "$1" ]; do echo "$i,25000"; i=$((i + 1)); done; }
series 30 >sdb
volscale import sdb --label 'first, "night"' --start-time 2026-01-31T12:00:00Z --size-gb 1024 >/dev/null
series 20 >sdb
volscale import sdb --start-time 2026-01-31T12:01:00Z --size-gb 1024 >/dev/null
for format in text csv json markdown; do
	echo "# list $format"
	volscale runs --format $format | mask
done
echo "# merge"
volscale runs merge 1 2 --label both
for format in text csv json; do
	echo "# show $format"
	volscale runs show last --format $format | mask
done
echo "# delete"
volscale runs delete 1 2 --yes
volscale runs list | mask
volscale runs delete last --yes
volscale runs
volscale runs --format csv
volscale runs --format json
