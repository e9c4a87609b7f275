#!/bin/sh
# Where output goes: a full device is told with exit 1 whatever the command and the format, a reader that has seen
# enough is left without a word, and what steers a terminal does not reach it.
. "$(dirname "$0")/lib.sh"
export VOLSCALE_DB="$work/run.db"

awk 'BEGIN { print "time_s,iops"; for (i = 1; i <= 60; i++) print i "," (i > 30 ? 50000 : 25000) + i % 3 }' >series.csv
escape=$(printf '\033[31m')
for start in 1700000000 1700001000; do
	"$volscale" import --size-gb 1024 --start-time $start --label "a${escape}b" series.csv >out
done

# the commands that print, a line each
{
	printf '%s\n' --help help --version --dump-man --dump-words
	for command in observe watch rehearse import report compare verify tiers runs cloud price; do
		echo "$command --help"
	done
	for format in text csv json markdown html; do
		echo "report --format $format"
		echo "compare --format $format 1 2"
	done
	for format in text csv json markdown; do
		printf '%s --format %s\n' tiers $format runs $format 'runs show 1' $format price $format
	done
	for format in text json junit tap; do
		echo "verify --format $format"
	done
	printf '%s\n' 'report --format csv --series' 'tiers --list' 'import series.csv' 'runs merge 1 2' 'cloud check'
	rehearse='rehearse --interval 100ms --runtime 300ms --scratch-size 4m --iodepth 4 --numjobs 1 --progress never'
	printf '%s\n' "$rehearse" "$rehearse --events -"
} >commands

full=
closed=
while read -r words; do
	# shellcheck disable=SC2086 # words
	"$volscale" $words >/dev/full 2>err </dev/null && rc=0 || rc=$?
	[ "$rc" = 1 ] && grep -q '^volscale: cannot write to standard output: ' err ||
		full="${full}[$words: $rc, $(tail -n 1 err)]"
	mkfifo pipe
	: <pipe &
	# shellcheck disable=SC2086 # words
	(exec 3>pipe; wait; sleep 0.05; exec "$volscale" $words >&3 2>err </dev/null 3>&-) && rc=0 || rc=$?
	wait
	rm pipe
	# SIGPIPE, as with other commands
	[ "$rc" = 141 ] && ! grep -q '^volscale: cannot' err || closed="${closed}[$words: $rc, $(tail -n 1 err)]"
done <commands
equal "a full device: commands that do not say so" "$full" ""
equal "a closed pipe: commands that do not end as others do" "$closed" ""
equal "what was imported and rehearsed is there all the same" "$("$volscale" runs --format json | jq '.runs | length')" 10

# shellcheck disable=SC2086 # words
run "$volscale" $rehearse --events /dev/full
equal "events on a full device: exit code" "$rc" 1
ok "events on a full device are told" grep -q "^volscale: cannot write '/dev/full'" err

# On a terminal of 50 columns no line of progress is as wide, and each clears what was there.
if command -v script >/dev/null; then
	script -qec "stty cols 50; '$volscale' $rehearse --progress auto --runtime 2s" typed >out </dev/null || :
	tr '\r' '\n' <typed | grep -a ' left ' >lines || :
	within "progress on a terminal: lines" "$(wc -l <lines)" 3 20
	equal "progress on a terminal: lines that do not clear the rest" "$(grep -cv "$(printf '\033')\[K\$" lines)" 0
	within "progress on a terminal: the widest" "$(sed 's/.\[K$//' lines | awk '{ print length }' | sort -n | tail -n 1)" \
		40 49
fi

# steered WORDS...: what of the output or the messages would steer a terminal
steered() {
	"$volscale" "$@" >out 2>err </dev/null || :
	cat out err | LC_ALL=C tr -d '\n' | LC_ALL=C grep -c '[[:cntrl:]]' || :
}
cp series.csv "e${escape}vil.csv"
printf 'time_s,\033[31miops\n1,2\n' >column.csv
equal "import of an odd name" "$(steered import "e${escape}vil.csv")" 0
for words in "import column.csv" "report 1" "compare 1 2" "verify 1" "runs" "runs show 1" "report last" "runs show last" \
	"import ${escape}x" "${escape}x" "report --${escape}x" "report ${escape}x" "observe /dev/${escape}x" \
	"report --db ${escape}x" "tiers --provider ${escape}x"; do
	# shellcheck disable=SC2086 # words
	equal "steering in '$(echo "$words" | tr -d '\033')'" "$(steered $words)" 0
done
finish
