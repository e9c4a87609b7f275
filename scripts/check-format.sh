#!/bin/sh
# check-format.sh [--fix] - holds every C file against .clang-format. Versions of the formatter disagree,
# so only version 14 counts: without it the check is skipped (exit 77).
set -u
cd "$(dirname "$0")/.." || exit 2
formatter=
for name in clang-format-14 clang-format; do
	if "$name" --version 2>/dev/null | grep -q 'version 14\.'; then
		formatter=$name
		break
	fi
done
if [ -z "$formatter" ]; then
	echo "skipped: no clang-format 14 here; on Debian 12: apt-get install clang-format-14"
	exit 77
fi
mode='--dry-run --Werror'
[ "${1:-}" = --fix ] && mode=-i
# shellcheck disable=SC2086 # two words
find src probes store reports tests -name node_modules -prune -o -name '*.[ch]' -print0 |
	xargs -0 "$formatter" $mode --style=file
