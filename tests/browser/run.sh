#!/bin/sh
# run.sh BUILD_DIR WRITE_FIXTURE WRITE_FIXTURE_PLAIN - the HTML reports in a real headless Chromium.
# Fetches playwright-core and axe-core by npm into BUILD_DIR once. Pictures are left in BUILD_DIR/shots.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1 fixture=$2 plain=$3

skip() {
	echo "skipped: $1"
	exit 77
}

for tool in node npm; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done
chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -n "$chromium" ] || skip "there is no chromium"

mkdir -p "$build"
if ! cmp -s "$here/package-lock.json" "$build/package-lock.json" || [ ! -d "$build/node_modules/axe-core" ]; then
	cp "$here/package.json" "$here/package-lock.json" "$build/"
	(cd "$build" && timeout 120 npm ci --ignore-scripts --no-audit --no-fund --prefer-offline \
		--fetch-retries=1 --fetch-timeout=20000 >npm.log 2>&1) || {
		rm -f "$build/package-lock.json"
		skip "npm could not fetch playwright-core and axe-core: $(tail -n 1 "$build/npm.log")"
	}
fi

rm -rf "$build/shots"
mkdir -p "$build/shots"
NODE_PATH=$build/node_modules CHROMIUM=$chromium exec node "$here/suite.js" "$fixture" "$plain" "$build/shots"
