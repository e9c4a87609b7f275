#!/bin/sh
# run.sh BUILD_DIR SIGN_TOOL STANDIN - the provider's own SDK for Node as the judge: it signs what we sign, and reads
# what the stand-in answers. Fetches the SDK by npm into BUILD_DIR once; skips where that cannot be.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1 sign_tool=$2 standin=$3

skip() {
	echo "skipped: $1"
	exit 77
}

for tool in node npm; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done
mkdir -p "$build"
if ! cmp -s "$here/package-lock.json" "$build/package-lock.json" || [ ! -d "$build/node_modules/oci-monitoring" ]; then
	cp "$here/package.json" "$here/package-lock.json" "$build/"
	(cd "$build" && timeout 240 npm ci --ignore-scripts --no-audit --no-fund --prefer-offline \
		--fetch-retries=1 --fetch-timeout=20000 >npm.log 2>&1) || {
		rm -f "$build/package-lock.json"
		skip "npm could not fetch the SDK: $(tail -n 1 "$build/npm.log")"
	}
fi
unset OCI_METADATA_BASE_URL OCI_CLI_PROFILE OCI_CLI_AUTH || true
NODE_PATH=$build/node_modules NODE_NO_WARNINGS=1 exec timeout 120 node "$here/judge.js" "$sign_tool" "$standin" \
	"$here/../key.inc" "$build"
