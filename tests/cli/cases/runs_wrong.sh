# each a line on standard error, and nothing changed
volscale runs
echo $?
printf 'time_s,iops\n0,1\n1,1\n' >sdb
volscale import sdb --start-time 2026-01-31T12:00:00Z >/dev/null
for words in "frob" "show" "show 1 1" "show 9" "show abc" "show ffff" "delete" "delete 1" "delete 1 9 --yes" \
	"merge 1" "merge 1 1" "--format xml"; do
	# shellcheck disable=SC2086 # words are words
	volscale runs $words
	echo "$words: $?"
done
volscale runs --format csv | cut -d, -f1,3
