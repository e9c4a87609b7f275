#!/bin/sh
# check-shell.sh - shellcheck on every script of the tree; skipped (exit 77) where there is none.
set -u
cd "$(dirname "$0")/.." || exit 2
if ! command -v shellcheck >/dev/null 2>&1; then
	echo "skipped: no shellcheck here; on Debian: apt-get install shellcheck"
	exit 77
fi
find scripts tests .ci -name node_modules -prune -o -path '*/cli/cases/*' -prune \
	-o \( -name '*.sh' -o -path .ci/run \) -print0 | xargs -0 shellcheck -x -P SCRIPTDIR || exit 1
# Golden cases have no first line; tests/cli/run.sh runs them with sh.
find tests/cli -path '*/cases/*.sh' -print0 | xargs -0r shellcheck -s sh -e SC2164
