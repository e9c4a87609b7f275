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
# jansson's loops are told in short (in a file, because -D ends at a semicolon).
cat >"$build/cppcheck/jansson.h" <<'EOF'
#define json_object_foreach(object, key, value) for (; json_object_next(object, &key, &value);)
#define json_array_foreach(array, index, value) for (; json_array_next(array, &index, &value);)
EOF
# Off: missingIncludeSystem and the like (it is not given the system's headers).
cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -j2 --cppcheck-build-dir="$build/cppcheck" \
	--enable=warning,performance,portability --suppress=missingIncludeSystem \
	--include="$build/cppcheck/jansson.h" -D_GNU_SOURCE -D__linux__ -I. -Isrc -I"$build/src" \
	src probes store reports
