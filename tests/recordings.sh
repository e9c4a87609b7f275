#!/bin/sh
# recordings.sh VOLSCALE CASES_DIR [CASE...] - imports the recordings that CASES_DIR/INDEX.tsv lists and prints, for
# each, whether what volscale reads agrees with the index, what it reads, and what the index says.
# The files are other people's and not part of this tree; the table below holds only what to expect of each.
# Exit: 0 all agree, 1 some do not, 2 no such folder.
set -u
[ $# -ge 2 ] || {
	echo "usage: recordings.sh VOLSCALE CASES_DIR [CASE...]" >&2
	exit 2
}
bin=$(realpath "$1")
dir=$(realpath "$2")
shift 2
only=" $* "
[ -r "$dir/INDEX.tsv" ] || {
	echo "recordings.sh: '$dir' holds no INDEX.tsv" >&2
	exit 2
}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
unset VOLSCALE_DB
export LC_ALL=C TZ=UTC
agree=0
differ=0

# One line of what a report holds, in words that the checks below read.
read_run() {
	"$bin" report --db "$tmp/db" --format json | jq -r '
		def num: if . == null then "?" else (. * 10 | round / 10 | tostring) end;
		def obs($n): ([.observations[] | select(.source == "import" and .name == $n) | .value] | last);
		"plateaus=" + ([.plateaus[] | select(.phase == "load") | (.iops | num)
			+ (if .drifting then "~" else "" end)] | join(","))
		+ " mean=" + (obs("iops-read") // obs("mean-iops") | num) + " tool=" + (obs("tool-iops") | num)
		+ " samples=" + (.totals.samples | tostring) + " end=" + .run.end
		+ " results=" + ([.observations[] | select(.name | startswith("result-iops")) | .value | num] | join(","))
		+ " events=" + ([.events[].kind] | unique | join(","))'
}

# near A B PERCENT
near() {
	awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN { exit !(a - b <= b * p / 100 && b - a <= b * p / 100) }'
}

field() {
	printf '%s\n' "$got" | tr ' ' '\n' | sed -n "s/^$1=//p"
}

# holds CHECK: one word of a row of the table
holds() {
	value=${1#*=}
	case $1 in
	refuse=*) [ $rc = 1 ] && printf '%s\n' "$got" | grep -qi "$(echo "$value" | tr _ ' ')" ;;
	levels=*)
		[ $rc = 0 ] || return 1
		have=$(field plateaus | tr -d '~')
		[ "$(echo "$have" | tr ',' '\n' | grep -c .)" = "$(echo "$value" | tr ',' '\n' | grep -c .)" ] || return 1
		for want in $(echo "$value" | tr ',' ' '); do
			near "${have%%,*}" "$want" 4 || return 1
			have=${have#*,}
		done
		;;
	first=*) [ $rc = 0 ] && near "$(field plateaus | tr -d '~' | cut -d, -f1)" "$value" 5 ;;
	none) [ $rc = 0 ] && [ -z "$(field plateaus)" ] ;;
	few=*) [ $rc = 0 ] && [ "$(field plateaus | tr ',' '\n' | grep -c .)" -le "$value" ] ;;
	mean=*) [ $rc = 0 ] && near "$(field mean)" "$value" 1 ;;
	tool=*) [ $rc = 0 ] && near "$(field tool)" "$value" 0.2 ;;
	results=*) [ $rc = 0 ] && [ "$(field results | tr ',' '\n' | grep -c .)" = "$value" ] ;;
	samples=*) [ $rc = 0 ] && [ "$(field samples)" = "$value" ] ;;
	end=*) [ $rc = 0 ] && [ "$(field end)" = "$value" ] ;;
	event=*) [ $rc = 0 ] && printf '%s\n' "$(field events)," | grep -q "$value," ;;
	*) return 1 ;;
	esac
}

# row CASE FILES CHECK...: FILES are patterns, blanks between
row() {
	id=$1
	files=$2
	shift 2
	[ "$only" = "  " ] || case $only in *" $id "*) ;; *) return ;; esac
	index=$(awk -F '\t' -v id="$id" 'index($1, id "-") == 1 { print $4; exit }' "$dir/INDEX.tsv")
	rm -f "$tmp"/db*
	# shellcheck disable=SC2046,SC2086 # patterns of names without blanks
	"$bin" import --db "$tmp/db" $(cd "$dir" && for f in $files; do printf '%s/%s ' "$dir" "$f"; done) \
		>"$tmp/out" 2>"$tmp/err"
	rc=$?
	if [ $rc = 0 ]; then
		got=$(read_run)
	else
		got="refused: $(sed "s|$dir/||g; s/^volscale: //" "$tmp/err" | head -n 1)"
	fi
	said=yes
	failed=
	for check in "$@"; do
		holds "$check" || {
			said=NO
			failed="$failed $check"
		}
	done
	if [ $said = yes ]; then agree=$((agree + 1)); else differ=$((differ + 1)); fi
	printf '%s  %s %s\n    read:  %s\n    index: %.200s\n' "$said" "$id" "$files" "$got" "$index"
	[ -z "$failed" ] || printf '    not so:%s\n' "$failed"
}

row 01 '01*_iops.log 01*.json' levels=4990 mean=5002.6 tool=5002.6
row 02 '02*_iops.log 02*.json' levels=1100,830 mean=859.0
row 04 '04*_iops.log 04*.json' levels=22800,18300 mean=18921.7
row 08 '08*_iops.log 08*.json' levels=500 mean=495.9
row 11 '11*_iops.log 11*.json' event=import-mismatch tool=2040.2
row 13 '13*_iops.log 13*.json' none mean=15182.2
row 14 '14*_iops.log 14*.out' levels=16100 mean=16116
row 16 '16*_iops.log' levels=19100
row 17 '17*_iops.log' levels=343
row 20 '20*_iops.log 20*.out' levels=1640 mean=1640.5
row 21 '21*/*_iops.*.log 21*/*.json' first=306000
row 23 '23*' levels=3061 mean=3069
row 25 '25*' none tool=130.4
row 26 '26*' levels=574 mean=573
row 27 '27*' none tool=33014
row 30 '30*' levels=261 mean=261
row 31 '31*' levels=19800 event=import-mismatch
row 32 '32*' levels=10400 event=import-mismatch
row 33 '33*' none tool=7480 event=device-mismatch
row 35 '35*' none tool=615
row 36 '36*' none results=2
row 37 '37*' none tool=16634.9
row 38 '38*4395.json' none tool=4394.6
row 38 '38*results.csv' refuse=no_column
row 39 '39*' none results=16
row 41 '41*' none results=16
row 43 '43*' none tool=462.85
row 44 '44*gp2*' refuse=ioping
row 44 '44*gp3*' refuse=ioping
row 46 '46*' none results=5
row 47 '47*' samples=1 event=import-skipped
row 48 '48*' refuse=CPU_report
row 49 '49*' refuse=histogram
row 51 '51*' refuse=rados
row 52 '52*' refuse=reported_errors
row 53 '53*' refuse=no_column
row 54 '54*' none results=2
row 57 '57*' levels=103 event=import-mismatch tool=92
row 58 '58*' levels=742 event=import-parts
row 60 '60*' levels=10400
row 62 '62*' event=import-bias
row 64 '64*_iops.log' samples=1 levels=84.3
row 65 '65*' event=import-skipped
row 66 '66*' none tool=6167 end=interrupted
row 67 '67*' refuse=signal_9
row 68 '68*' samples=1 levels=30151
row 69 '69*' none tool=19621.6
row 70 '70*' levels=90900 end=failed
row 72 '72*' levels=208 mean=208
row 75 '75*' refuse=nothing_to_import
row 76 '76*' none tool=3201.7
row 77 '77*' levels=23768
row 78 '78*avg100ms*' few=2
row 78 '78*avg1000ms*' few=1
row 81 '81*' none tool=6004
row 82 '82*' levels=1070000 tool=1091000
row 84 '84*' few=1
row 86 '86*' refuse=mean_latencies
row 87 '87*' refuse=no_column
row 88 '88*' refuse=no_reader
echo "$agree agree, $differ do not"
[ $differ = 0 ]
