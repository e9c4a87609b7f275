#!/bin/sh
# golden.sh WRITE_FIXTURE GOLDEN_DIR - each report of the hand-built timelines, byte for byte, also
# where the locale's decimal point is a comma. A golden file is KIND.FORMAT or KIND.series.csv.
# UPDATE=1 rewrites them: look at the diff.
set -u
export LC_ALL=C TZ=UTC
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

compare() {
	for kind in scale decay empty; do
		for format in text csv json markdown series.csv; do
			golden=$2/$kind.$format
			if [ "$format" = series.csv ]; then
				"$1" "$kind" csv series | sed -n '1,4p;$p' >"$tmp/out"
			else
				"$1" "$kind" "$format" >"$tmp/out" || failed=1
			fi
			if [ "${UPDATE:-0}" = 1 ]; then
				cp "$tmp/out" "$golden"
			elif ! diff -u "$golden" "$tmp/out"; then
				echo "FAILED: $kind $format, LC_ALL=$LC_ALL"
				failed=1
			fi
		done
	done
}

compare "$1" "$2"
for golden in "$2"/*.text; do
	if [ "$(LC_ALL=C.UTF-8 wc -L <"$golden")" -gt 80 ]; then
		echo "FAILED: $golden is wider than 80 columns"
		failed=1
	fi
done
if localedef -i de_DE -f UTF-8 "$tmp/de_DE.UTF-8" 2>"$tmp/err"; then
	export LOCPATH="$tmp" LC_ALL=de_DE.UTF-8
	"$1" scale html >"$tmp/de.html" || failed=1
	LC_ALL=C "$1" scale html | cmp "$tmp/de.html" - || failed=1
	compare "$1" "$2"
else
	echo "skipped in part: no German locale can be made: $(head -n 1 "$tmp/err")"
fi
exit $failed
