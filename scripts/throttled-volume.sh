#!/bin/bash
# throttled-volume.sh - a block device whose read ceiling follows a schedule: the kernel does to it what a cloud
# does to a volume. Needs root and a blkio (v1) or io (v2) cgroup; says why and exits 77 where it cannot be had.
#
#   up DIR [SIZE]                makes the device (zram, else a loop device over a file) and the cgroup, keeps
#                                what it needs to know in DIR, prints the device. SIZE: default 1G
#   run DIR SCHEDULE COMMAND...  runs COMMAND in the cgroup while the limit follows SCHEDULE: lines of
#                                "SECONDS IOPS" (for so long so many reads a second; "max": no limit; the last
#                                one holds until the command ends). Every change goes to DIR/changes as
#                                "WALL_SECONDS IOPS". Exits as COMMAND does
#   set DIR IOPS                 changes the limit now
#   down DIR                     takes everything down again
#
# VOLSCALE_THROTTLED=zram|loop picks the device (default: zram where one is free).
set -eu
export LC_ALL=C

fail() {
	echo "throttled-volume.sh: $*" >&2
	exit 1
}

cannot() {
	echo "skipped: no throttled volume here: $*"
	exit 77
}

usage() {
	sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

now_us() {
	echo "${EPOCHREALTIME/./}"
}

# A zram device nobody uses, or a new one; nothing printed when there is none.
free_zram() {
	local sys id
	for sys in /sys/block/zram*; do
		[ -e "$sys/disksize" ] && [ "$(cat "$sys/disksize")" = 0 ] && [ -b "/dev/${sys##*/}" ] && {
			echo "${sys##*/}"
			return
		}
	done
	[ -r /sys/class/zram-control/hot_add ] || return 0
	id=$(cat /sys/class/zram-control/hot_add 2>/dev/null) || return 0
	[ -b "/dev/zram$id" ] && echo "zram$id"
}

up_device() {
	local name=
	[ "${VOLSCALE_THROTTLED:-zram}" = zram ] && name=$(free_zram)
	if [ -n "$name" ] && echo "$size" >"/sys/block/$name/disksize"; then
		echo zram >"$dir/kind"
		echo "/dev/$name" >"$dir/device"
		return
	fi
	command -v losetup >/dev/null || cannot "no zram and no losetup"
	truncate -s "$size" "$dir/volume"
	losetup --find --show --direct-io=on "$dir/volume" >"$dir/device" 2>"$dir/losetup.err" ||
		losetup --find --show "$dir/volume" >"$dir/device" 2>"$dir/losetup.err" ||
		cannot "neither zram nor a loop device ($(tail -1 "$dir/losetup.err"))"
	echo loop >"$dir/kind"
}

up_cgroup() {
	local root file
	root=$(awk '$3 == "cgroup" && $4 ~ /(^|,)blkio(,|$)/ { print $2; exit }' /proc/mounts)
	file=blkio.throttle.read_iops_device
	if [ -z "$root" ]; then
		root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
		file=io.max
		grep -qsw io "$root/cgroup.controllers" || cannot "no blkio or io cgroup is mounted"
		if ! grep -qw io "$root/cgroup.subtree_control"; then
			echo +io >"$root/cgroup.subtree_control" || cannot "the io controller cannot be switched on"
			echo "$root" >"$dir/io-was-off"
		fi
	fi
	mkdir "$root/volscale-$$" || cannot "no cgroup can be made in $root"
	echo "$root/volscale-$$" >"$dir/cgroup"
	echo "$file" >"$dir/file"
	[ -e "$root/volscale-$$/$file" ] || cannot "the kernel has no $file"
}

set_limit() {
	local numbers cgroup file
	read -r cgroup <"$dir/cgroup"
	read -r file <"$dir/file"
	read -r numbers <"/sys/class/block/$(basename "$(cat "$dir/device")")/dev"
	if [ "$file" = io.max ]; then
		echo "$numbers riops=$1" >"$cgroup/$file"
	else
		echo "$numbers ${1/max/0}" >"$cgroup/$file"
	fi
}

# Steps lie at absolute times, so that a late one does not move the next.
follow() {
	local due seconds iops wait
	due=$(now_us)
	while read -r seconds iops; do
		case $seconds in '' | \#*) continue ;; esac
		wait=$((due - $(now_us)))
		[ $wait -le 0 ] || sleep "$(printf '%d.%06d' $((wait / 1000000)) $((wait % 1000000)))"
		set_limit "$iops"
		echo "$EPOCHREALTIME $iops" >>"$dir/changes"
		due=$((due + $(awk -v s="$seconds" 'BEGIN { printf "%d", s * 1e6 }')))
	done <"$1"
}

down() {
	local device kind cgroup
	if [ -s "$dir/cgroup" ]; then
		read -r cgroup <"$dir/cgroup"
		[ ! -d "$cgroup" ] || rmdir "$cgroup"
	fi
	[ ! -s "$dir/io-was-off" ] || echo -io >"$(cat "$dir/io-was-off")/cgroup.subtree_control"
	if [ -s "$dir/device" ]; then
		read -r device <"$dir/device"
		read -r kind <"$dir/kind"
		if [ "$kind" = zram ]; then
			# The kernel refuses as long as a reader's last reference is on its way out.
			for _ in 1 2 3 4 5 6 7 8 9 10; do
				echo 1 2>/dev/null >"/sys/block/${device##*/}/reset" && break
				sleep 0.2
			done
			[ "$(cat "/sys/block/${device##*/}/disksize")" = 0 ] || fail "$device is still in use"
		else
			losetup --detach "$device"
		fi
	fi
	rm -f "$dir"/{kind,device,volume,losetup.err,cgroup,file,io-was-off,changes}
	rmdir "$dir" 2>/dev/null || true
}

[ $# -ge 2 ] || usage
verb=$1
dir=$2
shift 2
case $verb in
up)
	size=${1:-1G}
	[ "$(id -u)" = 0 ] || cannot "not root"
	mkdir -p "$dir"
	[ ! -e "$dir/device" ] || fail "$dir is in use; take it down first: $0 down $dir"
	trap 'down' EXIT
	up_cgroup
	up_device
	set_limit max
	trap - EXIT
	cat "$dir/device"
	;;
run)
	[ $# -ge 2 ] || usage
	[ -s "$dir/device" ] || fail "nothing is up in $dir"
	schedule=$1
	shift
	: >"$dir/changes"
	set -m # a process group of its own, so that its sleep ends with it
	follow "$schedule" &
	follower=$!
	set +m
	trap 'kill -- -$follower 2>/dev/null || true; wait $follower 2>/dev/null || true; set_limit max' EXIT
	rc=0
	(
		echo $BASHPID >"$(cat "$dir/cgroup")/cgroup.procs"
		exec "$@"
	) || rc=$?
	exit $rc
	;;
set)
	[ $# = 1 ] || usage
	set_limit "$1"
	;;
down) down ;;
*) usage ;;
esac
