#!/bin/sh
# The detector's figures beside those that it is held to: simulated runs line by line, live, speed, and with
# --tcpd DIR the Turing Change Point Dataset. With --prototype DIR (its robcp.c, detect.c, robcp.h) the prototype
# reads the same series. Needs a build with the tests in it, best of preset release.
set -eu

usage() {
	echo "usage: scripts/bench-detector.sh [--build DIR] [--runs N] [--prototype DIR] [--tcpd DIR]" >&2
	exit 2
}

root=$(cd "$(dirname "$0")/.." && pwd)
build=
runs=400
tcpd=
prototype=
while [ $# -gt 0 ]; do
	[ $# -ge 2 ] || usage
	case $1 in
	--build) build=$2 ;;
	--runs) runs=$2 ;;
	--prototype) prototype=$2 ;;
	--tcpd) tcpd=$2 ;;
	*) usage ;;
	esac
	shift 2
done
if [ -z "$build" ]; then
	build=$root/build/release
	[ -d "$build" ] || build=$root/build/dev
fi
cmake --build "$build" --target bench_table bench_live bench_speed bench_tcpd >/dev/null
bin=$build/tests/analysis
loaded=
if [ -n "$prototype" ]; then
	loaded=$(cd "$bin" && pwd)/prototype.so
	"${CC:-cc}" -O2 -std=gnu11 -ffp-contract=off -shared -fPIC -I"$root/src" -I"$prototype" -o "$loaded" \
		"$root/tests/analysis/prototype.c" "$prototype/robcp.c" "$prototype/detect.c" -lm
fi

echo "== Simulated runs, $runs a line, beside the prototype of the method"
echo "   A step is hit within 5 or 12 s. Of the last lines with the ladder: with both levels known exactly, no"
echo "   reader places such a step within 5 s in more than 69 % of cases, or within 12 s in more than 90 %."
"$bin/bench_table" "$runs" "" ${loaded:+"$loaded"}
echo
echo "== Live"
"$bin/bench_live" 100 ${loaded:+"$loaded"}
echo
echo "== Speed"
"$bin/bench_speed"
if [ -n "$tcpd" ]; then
	echo
	echo "== Turing Change Point Dataset, the complete univariate series"
	"$bin/bench_tcpd" "$tcpd"
fi
