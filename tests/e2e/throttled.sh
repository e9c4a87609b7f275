#!/bin/bash
# observe against a real ceiling: the kernel throttles a block device as a cloud would a volume of 1024 GB, up the
# ladder and down again, and the report must say what the schedule was. cloud_throttled.sh reads the way up with
# --rw read.
. "$(dirname "$0")/lib.sh"
. "$here/throttled_lib.sh"

# The load ends at 48 s, probes of 2 s are at 52, 56, 60 ... 80 s, and the limit falls between them.
sed '$d' up >up-and-down
cat >>up-and-down <<'END'
18.5 138240
8 100000
8 50000
60 25000
END

departures() {
	against_schedule 4
}

hold randread observe up-and-down --rw randread --size-gb 1024 --runtime 48s \
	--decay 34s --probe-every 4s --probe-length 2s
finish
