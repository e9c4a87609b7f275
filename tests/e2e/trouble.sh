#!/bin/bash
# A target in trouble during a run, on a loop device: a lost one comes back, a bad range, a device that shrinks, one
# that hangs, one that stays away. What fails is counted, events are few, the run goes on, and no plateau or step is
# made of it. VOLSCALE_HANG_S: for how long it hangs (default 4; the slow test says 90).
. "$(dirname "$0")/lib.sh"

hang_s=${VOLSCALE_HANG_S:-4}
device=
group=

at_exit() {
	[ -z "$group" ] || rmdir "$group" 2>/dev/null || true
	[ -z "$device" ] || losetup --detach "$device" || true
}

[ "$(id -u)" = 0 ] || skip "no root"
head -c 64M /dev/urandom >image
device=$(losetup --find --show image 2>/dev/null) || {
	device=
	skip "no loop device"
}

# begin RATE RUNTIME OPTION...: observes in the background, and waits for the first sample
begin() {
	rate=$1
	runtime=$2
	shift 2
	rm -f run.db*
	"$volscale" observe --db run.db --numjobs 2 --iodepth 16 --rate-iops "$rate" --runtime "$runtime" \
		--progress never "$@" "$device" >out 2>err &
	pid=$!
	for _ in $(seq 100); do
		[ "$(sql 'SELECT count(*) FROM sample' 2>/dev/null || echo 0)" -gt 0 ] && break
		sleep 0.1
	done
}

# end WANTED: waits for the run; its exit code, its report to run.json
end() {
	wait $pid && rc=0 || rc=$?
	cat out err
	equal "exit code" "$rc" "$1"
	"$volscale" report --db run.db --format json >run.json
}

events() {
	jq "[.events[] | select(.kind == \"$1\")] | length" run.json
}

# one_level IOPS: all plateaus stand at it, and no step
one_level() {
	equal "plateaus at another level than $1" \
		"$(jq -c "[.plateaus[].iops | select(. < $1 * 0.98 or . > $1 * 1.02)]" run.json)" "[]"
	equal "steps" "$(jq -c '[.steps[] | [.at_s, .from_iops, .to_iops]]' run.json)" "[]"
	equal "missing" "$(jq .totals.missing run.json)" 0
}

echo "--- lost for 3 s"
begin 3000 11s
sleep 2
truncate -s 0 image
sleep 3.5
truncate -s 64M image
end 0
one_level 3000
equal "io-error" "$(events io-error)" 1
equal "target-lost" "$(events target-lost)" 1
equal "target-back" "$(events target-back)" 1
equal "io-error-total" "$(events io-error-total)" 1
within "errors" "$(jq .totals.errors run.json)" 32 4000
equal "errors of the samples" "$(sql 'SELECT sum(errors) FROM sample')" "$(jq .totals.errors run.json)"
ok "counted by errno" sh -c "jq -r '.events[].text' run.json | grep -q 'failed in all: .*Input/output error'"

echo "--- a bad range"
begin 3000 7s
sleep 2
truncate -s 63M image
sleep 2
truncate -s 64M image
end 0
one_level 3000
equal "io-error" "$(events io-error)" 1
equal "target-lost" "$(events target-lost)" 0
within "errors" "$(jq .totals.errors run.json)" 10 600

echo "--- a bad half"
begin 3000 8s
sleep 2.5
truncate -s 32M image
sleep 2
truncate -s 64M image
end 0
one_level 3000
within "errors" "$(jq .totals.errors run.json)" 1000 5000
equal "io-error" "$(events io-error)" 1

echo "--- shrinks"
begin 3000 7s
sleep 2
truncate -s 16M image
losetup --set-capacity "$device"
end 0
one_level 3000
equal "target-shrank" "$(events target-shrank)" 1
equal "seconds with errors after it" "$(sql 'SELECT count(*) FROM sample WHERE errors > 0 AND end_ns > 5e9')" 0
truncate -s 64M image
losetup --set-capacity "$device"

echo "--- stays away"
begin 3000 60s --give-up-after 3s
truncate -s 0 image
end 1
within "duration" "$(jq '.run.duration_s | floor' run.json)" 3 7
equal "end" "$(jq -r .run.end run.json)" failed
equal "gave-up" "$(events gave-up)" 1
equal "steps" "$(jq '.steps | length' run.json)" 0
truncate -s 64M image

# A limit of one byte a second lets nothing through.
throttle() {
	echo "$(cat "/sys/class/block/${device##*/}/dev") $1" >"$group/blkio.throttle.read_bps_device"
}

root=$(awk '$3 == "cgroup" && $4 ~ /(^|,)blkio(,|$)/ { print $2; exit }' /proc/mounts)
if [ -n "$root" ] && mkdir "$root/volscale-trouble-$$"; then
	group=$root/volscale-trouble-$$
	echo "--- hangs for $hang_s s"
	throttle 0
	(
		echo $BASHPID >"$group/cgroup.procs"
		exec "$volscale" observe --db hang.db --numjobs 2 --iodepth 16 --rate-iops 3000 \
			--runtime $((hang_s + 9))s --progress never "$device" >out 2>err
	) &
	pid=$!
	sleep 3
	throttle 1
	sleep "$hang_s"
	throttle 0
	rm -f run.db*
	wait $pid && rc=0 || rc=$?
	mv hang.db run.db
	cat out err
	equal "exit code" "$rc" 0
	"$volscale" report --db run.db --format json >run.json
	one_level 3000
	equal "stall" "$(events stall)" 1
	equal "hang" "$(events hang)" $((hang_s > 11))
	equal "errors" "$(jq .totals.errors run.json)" 0
	within "seconds in which all reads were in flight" \
		"$(sql 'SELECT count(*) FROM sample WHERE ios = 0 AND inflight = 32')" $((hang_s - 2)) $((hang_s + 1))
	within "age of the oldest read, ms" "$(sql 'SELECT max(oldest_ns) / 1000000 FROM sample')" \
		$((hang_s * 1000 - 1500)) $((hang_s * 1000 + 1000))
else
	echo "no hang here: no blkio cgroup"
fi
finish
