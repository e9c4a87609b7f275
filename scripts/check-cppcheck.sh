#!/bin/sh
# check-cppcheck.sh BUILD_DIR - cppcheck over the product's sources; skipped (exit 77) where there is none.
set -u
cd "$(dirname "$0")/.." || exit 2
build=${1:-build/dev}
if ! command -v cppcheck >/dev/null 2>&1; then
	echo "skipped: no cppcheck here; on Debian: apt-get install cppcheck"
	exit 77
fi
mkdir -p "$build/cppcheck" || exit 2
# jansson's loops are told in short. Off: missingIncludeSystem and the like (it is not given the system's headers).
cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -j2 --cppcheck-build-dir="$build/cppcheck" \
	--enable=warning,performance,portability --suppress=missingIncludeSystem \
	'-Djson_object_foreach(o,k,v)=for (; json_object_next(o, &k, &v);)' \
	'-Djson_array_foreach(a,i,v)=for (; json_array_next(a, &i, &v);)' \
	-D_GNU_SOURCE -D__linux__ -I. -Isrc -I"$build/src" src probes store reports
