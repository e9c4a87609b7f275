#!/bin/sh
# check-names.sh [TREE] - what a reader should not meet: functions that cannot be used safely, libraries that
# print, files too long to read, loose ends, what the oldest CMake does not know.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
bad=0

# ban WHY REGEX FOLDER...: no line of code in the folders matches. Comments do not count, and one exception
# is made: the report of an internal fault, src/base/error.c, prints and aborts.
ban() {
	ban_everywhere "$@" '^[^:]*:[0-9]+:[[:space:]]*(/?\*|//)|^src/base/error\.c:'
}

# The same with the regular expression of what does not count as the last word.
ban_everywhere() {
	why=$1
	regex=$2
	shift 2
	folders=
	while [ $# -gt 1 ]; do
		folders="$folders $1"
		shift
	done
	# shellcheck disable=SC2086 # a list of folders
	found=$(find $folders -name node_modules -prune -o -name '*.[ch]' -print0 2>/dev/null |
		xargs -0r grep -nHE "$regex" | grep -vE "$1")
	[ -n "$found" ] && {
		echo "$found" | sed "s|\$|   ($why)|"
		bad=1
	}
	return 0
}

w='(^|[^A-Za-z0-9_>.])'
product='src probes store reports'
all="$product tests"
# shellcheck disable=SC2086 # lists of folders
{
	ban 'cannot be bounded' "$w(strcpy|strcat|stpcpy|sprintf|vsprintf|gets|alloca)[[:space:]]*\\(" $product
	ban 'tells no errors: use base/units.h' "$w(atoi|atol|atoll|atof)[[:space:]]*\\(" $all
	ban 'not safe with threads: use the _r form' \
		"$w(strtok|gmtime|localtime|ctime|asctime|strerror)[[:space:]]*\\(" $all
	ban_everywhere 'a loose end' '\b(TODO|FIXME|XXX|HACK)\b' $all '^$'
	ban 'libraries never print' "$w(printf|puts|putchar|perror|exit|_exit|abort)[[:space:]]*\\(|${w}std(out|err)\\b" \
		src/base src/model src/analysis src/cloud probes store reports
}

# shellcheck disable=SC2086 # a list of folders
too_new=$(find CMakeLists.txt scripts $all -name node_modules -prune -o -name '*.cmake' -print0 -o \
	-name CMakeLists.txt -print0 2>/dev/null | xargs -0r grep -nHE '\$<CONFIG:[^>]*,')
[ -n "$too_new" ] && {
	echo "$too_new" | sed 's|$|   (Debian 11 has CMake 3.18: one configuration an expression)|'
	bad=1
}

too_long=$(find src probes store reports tests -name node_modules -prune -o -name '*.[ch]' -print0 |
	xargs -0 wc -l | awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines; split it (600 at most)" }')
[ -n "$too_long" ] && {
	echo "$too_long"
	bad=1
}
exit $bad
