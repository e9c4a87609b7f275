#!/bin/sh
# test.sh [--no-install] - installs what is needed, builds, and runs the whole test suite (Debian 12):
#   dev     gcc, -Werror: unit tests, golden tests, fuzz corpora, the tree's checks, end to end, browser
#   tidy    clang-tidy on every source
#   asan    unit and golden tests again under ASan, UBSan and LSan (clang, -Werror)
#   tsan    the tests of what has threads under TSan
# Tests with the labels slow and bench are left out; tests/README.md says how to run them.
# The last line is "N passed, N failed". VOLSCALE_TEST_JOBS sets the processes (default: the CPUs).
set -u
cd "$(dirname "$0")/.." || exit 1
jobs=${VOLSCALE_TEST_JOBS:-$(nproc)}
logs=build/logs
passed=0
failed=0
skipped=0

say() {
	printf '\n== %s (%s s)\n' "$1" $(($(date +%s) - started))
}

# A step that is not a ctest counts as one test.
count_step() {
	if [ "$2" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $1"
	fi
}

# count_ctest PRESET: adds up what ctest said, and shows what was skipped and why
count_ctest() {
	log=$logs/ctest-$1.log
	total=$(sed -n 's/.* tests failed out of \([0-9]*\)$/\1/p' "$log" | tail -1)
	bad=$(sed -n 's/.*, \([0-9]*\) tests failed out of [0-9]*$/\1/p' "$log" | tail -1)
	if [ -z "$total" ]; then
		count_step "ctest $1 ran no tests" 1
		return
	fi
	skips=$(grep -c '\*\*\*Skipped' "$log")
	failed=$((failed + bad))
	skipped=$((skipped + skips))
	passed=$((passed + total - bad - skips))
	[ "$skips" = 0 ] || awk '
		/^[0-9]+\/[0-9]+ Test: / { name = $3 }
		/^skipped: / { print "  " name ": " $0 }' "build/$1/Testing/Temporary/LastTest.log"
}

# run_ctest PRESET ARGS...
run_ctest() {
	preset=$1
	shift
	ctest --test-dir "build/$preset" --output-on-failure "$@" 2>&1 | tee "$logs/ctest-$preset.log" |
		grep --line-buffered -vE '^ +Start +[0-9]+: |^Internal ctest changing' | sed -u "s/^/$preset: /"
}

configure() {
	cmake --preset "$1" >"$logs/configure-$1.log" 2>&1 || {
		cat "$logs/configure-$1.log"
		return 1
	}
}

# build PRESET [PREFIX...]: quiet when it works
build() {
	preset=$1
	shift
	target=all
	[ "$preset" != tsan ] || target=threads_tests
	configure "$preset" && "$@" cmake --build "build/$preset" -j "$jobs" --target $target -- -k 0 \
		>"$logs/build-$preset.log" 2>&1
}

started=$(date +%s)
if [ "${1:-}" != --no-install ]; then
	say "what is needed"
	scripts/install-deps.sh test || exit 1
fi
mkdir -p "$logs"

say "building with gcc"
if ! build dev; then
	tail -40 "$logs/build-dev.log"
	echo "0 passed, 1 failed"
	exit 1
fi

# The other trees are built in what processor time the tests below leave: some of those measure.
(
	for preset in asan tsan tidy; do
		build $preset chrt --idle 0
		echo $? >"$logs/$preset.rc"
	done
) &
others=$!
trap 'kill $others 2>/dev/null; rm -f "$logs"/*.rc' EXIT
trap 'exit 130' INT TERM

say "tests, gcc"
# A second look for what measures, on a machine that others share; a fault fails twice.
# Most tests wait most of the time: twice as many at once as there are processors.
run_ctest dev -j $((2 * jobs)) -LE 'slow|bench' --repeat until-pass:2
count_ctest dev

say "waiting for the other builds"
wait $others
for preset in asan tsan tidy; do
	rc=$(cat "$logs/$preset.rc")
	[ "$rc" = 0 ] || grep -E 'error|warning|FAILED' -A4 "$logs/build-$preset.log" | head -80
	count_step "build $preset" "$rc"
done

# Side by side, because each ends with a long test that leaves processors idle.
say "tests, ASan and UBSan; TSan"
sanitized=$(for preset in asan tsan; do [ "$(cat "$logs/$preset.rc")" = 0 ] && echo $preset; done)
for preset in $sanitized; do
	labels=threads
	[ "$preset" = tsan ] || labels='unit|golden|fuzz'
	run_ctest "$preset" -j "$jobs" -L "$labels" -LE 'slow|bench' &
done
wait
for preset in $sanitized; do
	count_ctest "$preset"
done

say "done"
[ $skipped = 0 ] || echo "$skipped skipped, for the reasons above"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
