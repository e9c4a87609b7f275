#!/bin/bash
# long.sh [--seconds N] [--jobs N] BUILD DIR TARGET...
# Fuzzes each target of a build of preset fuzz until it has had N seconds of processor time (600), with what it
# finds new kept in DIR/TARGET, and prints a line a target: runs, seconds, finding or none. oci_answers:c fuzzes the
# third of its readers alone. Runs at a low priority, to go on beside other work. Exit 1 with a finding.
set -u

usage() {
	echo "usage: tests/fuzz/long.sh [--seconds N] [--jobs N] BUILD DIR TARGET..." >&2
	exit 2
}

seconds=600
jobs=1
while [ $# -gt 1 ]; do
	case $1 in
	--seconds) seconds=$2 ;;
	--jobs) jobs=$2 ;;
	*) break ;;
	esac
	shift 2
done
[ $# -ge 3 ] || usage
build=$1
out=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
[ -x "$build/tests/fuzz/fuzz_units" ] || {
	echo "$build: no build of preset fuzz; cmake --preset fuzz && cmake --build build/fuzz" >&2
	exit 2
}

# cpu FILE: the seconds, rounded up, that bash's time has written last
cpu() {
	awk 'END { print int($1 + $2 + 1) }' "$1"
}

# fuzz TARGET: in pieces of a minute, because libFuzzer looks at the wall clock only
fuzz() {
	local target=${1%%:*} reader=${1#"${1%%:*}"} dir=$out/$1 used=0 runs=0 rc=0 piece
	reader=${reader#:}
	mkdir -p "$dir/new"
	if [ -n "$reader" ]; then
		export VOLSCALE_FUZZ_READER=$reader
	fi
	local seeds=$here/corpus/$target
	[ -d "$seeds" ] || seeds=$build/tests/fuzz/$target
	local options=(-timeout=120 -rss_limit_mb=2048 -max_len=16384 -print_final_stats=1
		-dict="$here/json.dict" -artifact_prefix="$dir/")
	local TIMEFORMAT='%U %S'
	while [ $used -lt "$seconds" ]; do
		piece=$((seconds - used < 60 ? seconds - used : 60))
		{ time nice -n 2 "$build/tests/fuzz/fuzz_$target" "${options[@]}" -max_total_time=$piece "$dir/new" \
			"$seeds" >"$dir/log" 2>&1; } 2>"$dir/time"
		rc=$?
		used=$((used + $(cpu "$dir/time")))
		runs=$((runs + $(awk '/^stat::number_of_executed_units:/ { n = $2 } END { print n + 0 }' "$dir/log")))
		[ $rc = 0 ] || break
	done
	echo "$1: $runs runs in $used s of processor time, $([ $rc = 0 ] && echo "no finding" || echo "FINDING: $dir")"
	return $rc
}
export -f fuzz cpu
export seconds build out here

mkdir -p "$out"
printf '%s\n' "$@" | xargs -P "$jobs" -I TARGET bash -c 'fuzz TARGET' || exit 1
