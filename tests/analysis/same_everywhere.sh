#!/bin/sh
# same_everywhere.sh ROOT: gcc -O0, gcc -O2 and clang -O2 find the same plateaus at the same times. What the
# build makes of the sources beside the analysis (the catalogue as C) is not needed for it.
set -eu
root=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/volscale-same.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$root"

# the analysis of a run alone: what compares and verifies runs needs more
sources=$(find src/analysis -name '*.c' ! -name 'compare*' ! -name 'verif*' | sort)
sources="$sources src/model/ladder.c src/model/timeline.c src/base/buf.c src/base/error.c src/base/run.c
src/base/sink.c src/base/units.c tests/analysis/gen.c tests/analysis/scenario.c tests/analysis/digest.c"
ways=0
while read -r compiler flags; do
	command -v "$compiler" >/dev/null || continue
	# shellcheck disable=SC2086 # lists of words
	"$compiler" $flags -std=c11 -D_GNU_SOURCE -ffp-contract=off -Isrc -Itests/analysis -o "$work/digest" $sources -lm
	"$work/digest" >"$work/$ways"
	echo "$compiler $flags: $(wc -l <"$work/$ways") lines, $(cksum <"$work/$ways")"
	ways=$((ways + 1))
done <<WAYS
gcc -O0
gcc -O2
clang -O2
WAYS
if [ "$ways" -lt 2 ]; then
	echo "skipped: there is no second way to build"
	exit 77
fi
for way in "$work"/[0-9]; do
	cmp "$work/0" "$way"
done
