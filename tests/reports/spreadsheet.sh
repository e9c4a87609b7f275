#!/bin/sh
# spreadsheet.sh WRITE_FIXTURE - LibreOffice opens the CSV reports: numbers are numbers, times are
# times, text is text.
set -u
fail=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
if ! command -v soffice >/dev/null; then
	echo "skipped: LibreOffice (soffice) is not installed"
	exit 77
fi

"$1" scale csv >"$tmp/plateaus.csv" && "$1" scale csv series >"$tmp/series.csv" || exit 1
if ! HOME=$tmp timeout 240 soffice "-env:UserInstallation=file://$tmp/profile" --headless --convert-to fods \
	--outdir "$tmp" "$tmp/plateaus.csv" "$tmp/series.csv" >"$tmp/log" 2>&1; then
	cat "$tmp/log"
	exit 1
fi

# types FILE LINE - the types of a row's cells, in order; an empty cell has none
types() {
	tr '\n' ' ' <"$tmp/$1.fods" | sed 's/.*<table:table //; s/<table:table-row/\n&/g' | sed 1d | sed -n "$2p" |
		grep -o 'office:value-type="[a-z]*"' | sed 's/.*="//; s/"//' | tr '\n' ' '
}

# expect FILE LINE TYPES
expect() {
	got=$(types "$1" "$2")
	[ "$got" = "$3 " ] && return
	echo "FAILED: $1, line $2: $got"
	fail=1
}

expect plateaus 2 'float string float float date date float float float float float float'
expect plateaus 3 'float string float float date date float float float float float float string'
expect series 2 'float date string float float float float float float float float float float float string'
[ $fail = 0 ] && echo "columns have their types"
exit $fail
