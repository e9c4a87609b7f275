# ten striped volumes at VPU 30 and at VPU 20 behind 12 Gbit/s reach the same
# shellcheck disable=SC2086 # lists of words
series() {
	echo 'job: (g=0): rw=read, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=256'
	echo '...'
	echo 'fio-3.19'
	echo 'Starting 4 processes'
	awk -v k="$1" 'BEGIN {
		for (i = 3; i < 60; i++) {
			x = k * (1 + (i * 37 % 11 - 5) * 0.015)
			printf "Jobs: 4 (f=4): [R(4)][%.1f%%][r=%.0fMiB/s][r=%.0fk IOPS][eta 00m:%02ds]\n",
				i / 0.6, x * 4.096 / 1.048576, x, 60 - i
		}
	}'
}
import() { volscale import --size-gb 3072 --volumes 10 --instance-gbps 12 "$@"; }
series 361 >vpu30.txt
series 358 >vpu20.txt
import --label "VPU 30" --tier 30 vpu30.txt
import --label "VPU 20" vpu20.txt
echo "# told at import, told here"
volscale compare 1 2@20
echo "# nobody says"
series 360 >again.txt
import --label again again.txt
volscale compare 2 3
echo "# wrong"
import --tier 35 vpu20.txt
echo "exit $?"
volscale compare 1
echo "exit $?"
volscale compare 1 9
echo "exit $?"
volscale compare 1@35 2
echo "exit $?"
volscale compare 1@ 2
echo "exit $?"
volscale compare 1 2 -o picture.png
echo "exit $?"
volscale runs --format csv | wc -l
