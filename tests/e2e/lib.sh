# Sourced by the end-to-end tests: NAME.sh VOLSCALE [DIR]. Each works in a folder of its own below DIR (default:
# here), which it removes; exits 77 with "skipped: WHY" where the machine forbids it.
# shellcheck shell=sh disable=SC2034
set -eu
export LC_ALL=C TZ=UTC
unset VOLSCALE_DB
volscale=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
scripts=$(cd "$here/../../scripts" && pwd)
work=$(mktemp -d "${2:-$PWD}/e2e.XXXXXX")
trap 'at_exit; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"
passed=0
failed=0

# A test redefines it when it has more to clean up.
at_exit() {
	:
}

skip() {
	echo "skipped: $*"
	exit 77
}

# ok WHAT COMMAND...: counts whether the command succeeds
ok() {
	what=$1
	shift
	if "$@" >check.out 2>&1; then
		passed=$((passed + 1))
		echo "ok: $what"
	else
		failed=$((failed + 1))
		echo "FAILED: $what"
		sed 's/^/    /' check.out
	fi
}

# equal WHAT GOT WANTED
equal() {
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
		echo "ok: $1: $2"
	else
		failed=$((failed + 1))
		echo "FAILED: $1: '$2' instead of '$3'"
	fi
}

# within WHAT GOT LOW HIGH, whole numbers
within() {
	if [ -n "$2" ] && [ "$2" -ge "$3" ] && [ "$2" -le "$4" ]; then
		passed=$((passed + 1))
		echo "ok: $1: $2 is in $3..$4"
	else
		failed=$((failed + 1))
		echo "FAILED: $1: '$2' is not in $3..$4"
	fi
}

# run COMMAND...: its streams to out and err, its exit code to $rc
run() {
	rc=0
	"$@" >out 2>err </dev/null || rc=$?
}

# sql QUERY: from run.db
sql() {
	sqlite3 -readonly run.db "$1"
}

# wait_for_samples DB N: until the run that was just started has recorded so many, for at most 20 s
wait_for_samples() {
	tries=0
	until [ "$(sqlite3 -readonly "$1" 'SELECT count(*) FROM sample' 2>/dev/null || echo 0)" -ge "$2" ]; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || return 0
		sleep 0.1
	done
}

# A file that is really there (no holes), of MIB mebibytes. The file system must know O_DIRECT.
make_file() {
	dd if=/dev/urandom of="$1" bs=1M count="$2" status=none
	dd if="$1" of=/dev/null bs=4k count=1 iflag=direct status=none 2>/dev/null ||
		skip "the file system of $work does not know O_DIRECT"
}

finish() {
	echo "$passed passed, $failed failed"
	[ $failed = 0 ] && [ $passed -gt 0 ]
}
