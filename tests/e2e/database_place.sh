#!/bin/sh
# database_place.sh VOLSCALE DIR VOLSCALE_FAULTS: a database on the target, or on a network file system, is refused
# before anything is read or made, with the reason; --force goes on.
faults=$(realpath "$3")
. "$(dirname "$0")/lib.sh"
[ "$(id -u)" = 0 ] || skip "needs root for a loop device"

mnt=$PWD/mnt
loop=
at_exit() {
	umount "$mnt" 2>/dev/null || :
	[ -z "$loop" ] || losetup -d "$loop" 2>/dev/null || :
}
truncate -s 32M image
mkfs.ext4 -q image
loop=$(losetup -f --show image 2>/dev/null) || skip "no loop device here"
mkdir mnt
mount "$loop" mnt || skip "cannot mount a loop device"

run "$volscale" observe --db mnt/run.db --runtime 1s --progress never "$loop"
equal "on the target: exit code" "$rc" 2
ok "on the target: the reason" grep -q "lies on the target" err
ok "on the target: the remedy" grep -q -- "--force" err
ok "on the target: nothing was made" test ! -e mnt/run.db
run "$volscale" observe --db mnt/run.db --force --runtime 1s --numjobs 1 --iodepth 4 --rate-iops 200 --progress never "$loop"
equal "on the target, forced: exit code" "$rc" 0
ok "on the target, forced: recorded" test -s mnt/run.db

dd if=/dev/urandom of=volume bs=1M count=4 status=none
run env VS_FAULTS=nfs@0+0 "$faults" observe --db run.db --runtime 1s --progress never volume
equal "on NFS: exit code" "$rc" 2
ok "on NFS: the reason" grep -q "network file system (NFS)" err
ok "on NFS: nothing was made" test ! -e run.db
run env VS_FAULTS=nfs@0+0 "$faults" observe --db run.db --force --runtime 1s --numjobs 1 --iodepth 4 --rate-iops 200 \
	--progress never volume
equal "on NFS, forced: exit code" "$rc" 0
equal "on NFS, forced: no WAL, which needs shared memory" "$(sql 'PRAGMA journal_mode')" delete
equal "on NFS, forced: integrity" "$(sql 'PRAGMA integrity_check')" ok

run "$volscale" observe --db volume --runtime 1s --progress never volume
equal "the target itself as the database: exit code" "$rc" 2
finish
