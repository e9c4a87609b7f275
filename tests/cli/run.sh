#!/bin/sh
# run.sh VOLSCALE CASES_DIR - golden tests of the command line.
# A case is NAME.sh, run in an empty folder; NAME.out, NAME.err and NAME.rc hold what it must print and
# return (missing: nothing, nothing, 0). UPDATE=1 rewrites them: look at the diff before you commit.
set -u
bin=$(realpath "$1")
cases=$(realpath "$2")
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin" "$tmp/none"
ln -s "$bin" "$tmp/bin/volscale"
: >"$tmp/none/empty"
echo 0 >"$tmp/none/zero"
unset VOLSCALE_DB
export LC_ALL=C TZ=UTC COLUMNS=80 PATH="$tmp/bin:$PATH" CASES="$cases"
passed=0
failed=0

# expect KIND: compares what was printed with the golden file, or writes it
expect() {
	want=$base.$1
	none=$tmp/none/empty
	[ "$1" = rc ] && none=$tmp/none/zero
	if [ "${UPDATE:-0}" = 1 ]; then
		if cmp -s "$tmp/$1" "$none"; then rm -f "$want"; else cp "$tmp/$1" "$want"; fi
		return 0
	fi
	[ -e "$want" ] || want=$none
	diff -u "$want" "$tmp/$1"
}

for case in "$cases"/*.sh; do
	base=${case%.sh}
	name=$(basename "$base")
	mkdir "$tmp/$name"
	(cd "$tmp/$name" && sh "$case" >"$tmp/out" 2>"$tmp/err" </dev/null)
	echo $? >"$tmp/rc"
	ok=1
	for kind in out err rc; do expect "$kind" || ok=0; done
	if [ $ok = 1 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $name"
	fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
