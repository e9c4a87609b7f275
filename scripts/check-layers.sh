#!/bin/sh
# check-layers.sh [TREE] - fails when an include goes against the arrows between the folders:
# everything may use src/base and src/model, only probes and src/cli use src/cloud, and only src/cli
# wires parts together. A library is known to one folder, its owner.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
bad=0

# includes FOLDER: FILE:LINE:NAME of everything that the folder includes
includes() {
	grep -rnE --include='*.[ch]' --include='*.h.in' '^[[:space:]]*#[[:space:]]*include' "$1" |
		sed -E 's/^([^:]*:[0-9]+):[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]([^>"]*)[>"].*/\1:\2/'
}

# check FOLDER ALLOWED FORBIDDEN: both extended regular expressions on the included name. What has a folder
# in its name and is ours must be allowed, nothing may be forbidden.
ours='(base|model|analysis|cloud|cli|probes|store|reports|tests|src)/|.*[.][.]/'
check() {
	[ -d "$1" ] || return 0
	found=$(includes "$1" | awk -v folder="$1" -v ours="^($ours)" -v allowed="^($2)/" -v forbidden="^($3)" '{
		name = $0; sub(/^[^:]*:[0-9]+:/, "", name)
		where = substr($0, 1, length($0) - length(name) - 1)
		if (name ~ ours && name !~ allowed)
			print where ": " folder " must not include \"" name "\""
		if (name ~ forbidden)
			print where ": <" name "> is not for " folder
	}')
	[ -n "$found" ] && {
		echo "$found"
		bad=1
	}
	return 0
}

# Every include of ours names its folder, so that the rules above see it.
check_spelling() {
	found=$(grep -rnE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^/"]*"' \
		src probes store reports)
	[ -n "$found" ] && {
		echo "$found" | sed 's/$/   (name the folder)/'
		bad=1
	}
	return 0
}

sqlite='sqlite3[.]h'
net='curl/|openssl/'
aio='libaio[.]h|linux/aio_abi[.]h'
json='jansson[.]h'
world='pthread[.]h|stdatomic[.]h|time[.]h|unistd[.]h|fcntl[.]h|sys/|base/clock[.]h'

check src/base 'base' "$sqlite|$net|$aio|$json"
check src/model 'base|model' "$sqlite|$net|$aio|pthread[.]h"
check src/analysis 'base|model|analysis' "$sqlite|$net|$aio|$json|$world"
check src/cloud 'base|model|cloud' "$sqlite|$aio"
check probes 'base|model|cloud|probes' "$sqlite|$net"
check store 'base|model|store' "$net|$aio|$json"
check reports 'base|model|reports' "$sqlite|$net|$aio"
check src/cli '.*' "$sqlite|$net|$aio"
check_spelling
exit $bad
