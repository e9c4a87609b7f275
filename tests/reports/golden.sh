#!/bin/sh
# golden.sh WRITE_FIXTURE GOLDEN_DIR - each report of the hand-built timelines, byte for byte.
# A golden file is KIND.FORMAT or KIND.series.csv. UPDATE=1 rewrites them: look at the diff.
set -u
export LC_ALL=C TZ=UTC
tmp=$(mktemp) || exit 1
trap 'rm -f "$tmp"' EXIT
failed=0
for kind in scale decay empty; do
	for format in text csv json markdown series.csv; do
		golden=$2/$kind.$format
		if [ "$format" = series.csv ]; then
			"$1" "$kind" csv series | sed -n '1,4p;$p' >"$tmp"
		else
			"$1" "$kind" "$format" >"$tmp" || failed=1
		fi
		if [ "${UPDATE:-0}" = 1 ]; then
			cp "$tmp" "$golden"
		elif ! diff -u "$golden" "$tmp"; then
			echo "FAILED: $kind $format"
			failed=1
		fi
	done
done
exit $failed
