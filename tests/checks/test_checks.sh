#!/bin/sh
# test_checks.sh - the checks themselves: a small tree with one fault each must be refused, without it taken.
set -u
scripts=$(cd "$(dirname "$0")/../../scripts" && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0

# refuses CHECK FILE LINE: a tree of one file with that one line
refuses() {
	tree=$tmp/tree
	rm -rf "$tree"
	mkdir -p "$tree/src/base" "$tree/src/analysis" "$tree/src/cloud" "$tree/src/model" "$tree/src/cli" \
		"$tree/probes" "$tree/store" "$tree/reports" "$tree/tests"
	echo '#include "base/error.h"' >"$tree/$2"
	if ! out=$("$scripts/check-$1.sh" "$tree" 2>&1); then
		echo "FAILED: check-$1 refuses a good tree: $out"
		failed=$((failed + 1))
		return
	fi
	echo "$3" >>"$tree/$2"
	if out=$("$scripts/check-$1.sh" "$tree" 2>&1); then
		echo "FAILED: check-$1 takes '$3' in $2"
		failed=$((failed + 1))
	elif ! echo "$out" | grep -q "^$2:2:"; then
		echo "FAILED: check-$1 does not name $2:2 but says: $out"
		failed=$((failed + 1))
	else
		passed=$((passed + 1))
	fi
}

refuses layers probes/a.c '#include "store/store.h"'
refuses layers probes/a.h '#include "analysis/analysis.h"'
refuses layers probes/a.c '#include <sqlite3.h>'
refuses layers store/a.c '# include "reports/report.h"'
refuses layers store/a.c '#include <jansson.h>'
refuses layers reports/a.c '#include "probes/load.h"'
refuses layers reports/a.c '#include "cloud/client.h"'
refuses layers src/analysis/a.c '#include "store/store.h"'
refuses layers src/analysis/a.c '#include <pthread.h>'
refuses layers src/analysis/a.c '#include "base/clock.h"'
refuses layers src/model/a.c '#include "analysis/analysis.h"'
refuses layers src/base/a.c '#include "model/timeline.h"'
refuses layers src/base/a.c '#include "../model/timeline.h"'
refuses layers src/cloud/a.c '#include "probes/load.h"'
refuses layers src/cli/a.c '#include <curl/curl.h>'
refuses layers probes/a.c '#include "pace.h"'
refuses names probes/a.c '	strcpy(a, b);'
refuses names src/cli/a.c '	n = atoi(text);'
refuses names store/a.c '	t = localtime(&now);'
refuses names probes/a.c '	(void)printf("x");'
refuses names src/base/a.c '	(void)fprintf(stderr, "x");'
refuses names tests/a.c '	/* x */ int a; // FIXME'
refuses names src/base/CMakeLists.txt '"$<$<CONFIG:Release,Debug>:-O3>"'

echo "$passed passed, $failed failed"
[ $failed = 0 ]
