#!/bin/sh
# database_trouble.sh VOLSCALE DIR VOLSCALE_FAULTS SECONDS: the database's disk full, failing, slow, and the database
# locked, each for so many seconds of a run (4; slow: 60). Sampling goes on, the load is not disturbed, and every
# second is there in the end. The runs go on side by side.
faults=$(realpath "$3")
. "$(dirname "$0")/lib.sh"
trouble_s=$4
runtime_s=$((trouble_s + 6))
full=$PWD/full

make_file volume 16
at_exit() {
	for pid in $pids; do
		kill -KILL "$pid" 2>/dev/null || :
	done
	umount "$full" 2>/dev/null || :
}
pids=

# start NAME DB SECONDS [FAULTS]: a paced run in the background, so that the load has a figure to be held against
start() {
	VS_FAULTS=${4:-} "$faults" observe --db "$2" --runtime "$3s" --durability full --numjobs 1 --iodepth 16 --rate-iops 1000 \
		--progress never --force volume >"$1.out" 2>"$1.err" &
	pids="$pids $!"
	eval "pid_$1=$!"
}

if [ "$(id -u)" = 0 ] && truncate -s 8M image && mkfs.ext4 -q -O ^has_journal image && mkdir "$full" &&
	mount -o loop image "$full" 2>/dev/null; then
	with_full=yes
	start full "$full/run.db" $runtime_s
else
	with_full=
	echo "without a full file system: no root or no loop device"
fi
started=$(date +%s)
start noroom noroom.db $runtime_s "full@2000+${trouble_s}000"
start failing failing.db $runtime_s "ioerr@2000+${trouble_s}000"
start slow slow.db $runtime_s "slow@2000+$((trouble_s + 3))000"
start locked locked.db $runtime_s
start ending ending.db $((2 + trouble_s / 2))
[ -z "$with_full" ] || wait_for_samples "$full/run.db" 2
wait_for_samples locked.db 1
wait_for_samples ending.db 1
# several times: what was set aside for metadata comes free when the data is written
for round in 1 2 3; do
	[ -z "$with_full" ] || cat /dev/zero >"$full/other.$round" 2>/dev/null || :
	[ -z "$with_full" ] || sync -f "$full"
done
lockers=
for db in locked.db ending.db; do
	printf 'BEGIN IMMEDIATE;\n.shell sleep %d\nROLLBACK;\n' "$trouble_s" | sqlite3 -cmd '.timeout 5000' $db &
	lockers="$lockers $!"
done
sleep "$trouble_s"
# a commit is under way for 3 s at a time
within "slow: samples that can be seen meanwhile" "$(sqlite3 -readonly slow.db 'SELECT count(*) FROM sample')" 1 \
	$(($(date +%s) - started - 2))
# shellcheck disable=SC2154
ok "ending: the run waits for the database" kill -0 "$pid_ending"
[ -z "$with_full" ] || rm "$full"/other.*
for locker in $lockers; do
	wait "$locker" || :
done

# check NAME DB SECONDS TOLD: what is promised, for the run of that name
check() {
	seconds=$3
	eval "wait \$pid_$1" && rc=0 || rc=$?
	db=$2
	equal "$1: exit code" "$rc" 0
	[ "$rc" = 0 ] || cat "$1.err"
	ask() {
		sqlite3 -readonly "$db" "$1"
	}
	equal "$1: integrity" "$(ask 'PRAGMA integrity_check')" ok
	equal "$1: a sample a second" "$(ask 'SELECT count(*) FROM sample')" "$seconds"
	equal "$1: each begins where the last ended" "$(ask 'SELECT count(*) FROM (SELECT end_ns - length_ns AS s,
		lag(end_ns, 1, 0) OVER (ORDER BY end_ns) AS e FROM sample) WHERE abs(s - e) > 1000')" 0
	# the sampler's own account; the allowance is the machine's, not the database's
	within "$1: the latest wake-up, us" "$(ask "SELECT CAST(value AS INTEGER) FROM observation
		WHERE name = 'sampler_late_max_us'")" 0 200000
	within "$1: reads in all" "$(ask 'SELECT CAST(sum(ios) AS INTEGER) FROM sample')" \
		$((seconds * 1000 * 95 / 100)) $((seconds * 1000 * 102 / 100))
	within "$1: the least in a second" "$(ask 'SELECT CAST(min(ios * 1e9 / length_ns) AS INTEGER) FROM sample')" 500 1500
	equal "$1: trouble and its end told" "$(ask "SELECT group_concat(kind) FROM (SELECT kind FROM event
		WHERE kind IN ('database-trouble', 'database-recovered', 'samples-lost') ORDER BY at_ns, id)")" "$4"
}

both=database-trouble,database-recovered
[ -z "$with_full" ] || check full "$full/run.db" $runtime_s $both
check noroom noroom.db $runtime_s $both
check failing failing.db $runtime_s $both
check locked locked.db $runtime_s $both
# it ends while the database is locked, and waits
check ending ending.db $((2 + trouble_s / 2)) $both
# nothing fails there, it only takes its time
check slow slow.db $runtime_s ""
finish
