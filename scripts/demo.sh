#!/bin/sh
# demo.sh [DIR] - installs what is needed, builds, and rehearses on an emulated 50 GB volume: 3,000 IOPS up to
# 11,250 and down again, twenty times faster than OCI does it. No cloud, no block device; root only where packages
# are missing. Leaves timeline.html, .csv and .json in DIR (default: demo/ of the checkout) and prints the timeline.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
dir=${1:-$root/demo}
build=$root/build/demo

"$root/scripts/install-deps.sh" build
echo "building in $build"
mkdir -p "$build" "$dir"
if ! (cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DVOLSCALE_TESTS=OFF &&
	cmake --build "$build" -j "$(nproc)") >"$build/demo.log" 2>&1; then
	tail -40 "$build/demo.log" >&2
	exit 1
fi

# Up: 11 rises, one after 25 s of demand. Down: the first after 10 idle minutes, the others a minute apart.
# All of it divided by the speed, so that a tier lasts 12 samples of 100 ms up, and 3 probes down.
rm -f "$dir"/demo.db "$dir"/demo.db-wal "$dir"/demo.db-shm
cd "$dir"
"$build/src/cli/volscale" rehearse --db demo.db --label "demo: 50 GB, 20 times faster" \
	--size-gb 50 --min-tier 10 --max-tier 120 --speed 20 --first-fall 10m \
	--interval 100ms --runtime 18s --decay 68s --probe-every 1s --probe-length 300ms \
	--report timeline.html --report timeline.csv --report timeline.json
echo
echo "written: $dir/timeline.html, timeline.csv, timeline.json (and demo.db, for 'volscale report')"
