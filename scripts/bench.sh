#!/bin/bash
# bench.sh [BUILD]: how fast volscale is, as ratios from one run on one machine. BUILD: a build folder (default:
# build/release, made when missing). Needs root for its device: zram where one is free, else a loop device over a file
# in /dev/shm. What is compared takes turns, so that what the machine does meanwhile hits all alike; a figure is the
# median of the rounds.
#
#   a  I/Os per CPU-second: observe (samples, histograms, database) against fio as it comes, fio tuned, a bare loop
#   b  user-space instructions per I/O (perf, else callgrind)
#   c  lateness of the sampler, cost of a sample
#   d  detection of 10^4 ... 10^6.5 samples, growth
#   e  import   f  reports of a day and of a week   g  peak memory
#
# BENCH_ONLY="a b": only these. BENCH_ROUNDS (default 5), BENCH_SECONDS (of each run, default 8).
set -eu
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/release}
case $build in /*) ;; *) build=$PWD/$build ;; esac
only=${BENCH_ONLY:-a b c d e f g}
rounds=${BENCH_ROUNDS:-5}
seconds=${BENCH_SECONDS:-8}
work=$(mktemp -d "${TMPDIR:-/tmp}/volscale-bench.XXXXXX")
device=
image=
zram=

clean_up() {
	[ -z "$zram" ] || echo 1 >"/sys/block/$zram/reset" || true
	[ -z "$image" ] || losetup --detach "$device" || true
	rm -rf "$work" ${image:+"$image"}
}
trap clean_up EXIT
trap 'exit 130' INT TERM

if [ ! -x "$build/src/cli/volscale" ] || [ ! -x "$build/tests/bench/detect" ]; then
	cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo >/dev/null
	cmake --build "$build" -j"$(nproc)" >/dev/null
fi
volscale=$build/src/cli/volscale
bench=$build/tests/bench
cd "$work"

wants() {
	case " $only " in *" $1 "*) return 0 ;; esac
	return 1
}

median() {
	sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# line TEXT VALUE UNIT [>=|<= TARGET]: one figure, and whether it reaches what is asked
line() {
	awk -v text="$1" -v value="$2" -v unit="$3" -v how="${4:-}" -v target="${5:-}" 'BEGIN {
		state = how == "" ? "" : (how == ">=" ? value >= target : value <= target) ? "reached" : "NOT REACHED"
		printf "  %-58s %12.4g %-10s %s\n", text, value, unit, how == "" ? "" : sprintf("%s (%s %s)", state, how, target)
	}'
}

make_device() {
	local sys
	[ "$(id -u)" = 0 ] || {
		echo "bench.sh: root is needed for the device" >&2
		exit 77
	}
	for sys in /sys/block/zram*; do
		[ "$(cat "$sys/disksize" 2>/dev/null)" = 0 ] && [ -b "/dev/${sys##*/}" ] && echo 1G >"$sys/disksize" && {
			zram=${sys##*/}
			device=/dev/$zram
			return
		}
	done
	image=/dev/shm/volscale-bench-$$
	truncate -s 256M $image
	device=$(losetup --find --show $image)
}

# timed COMMAND...: sets cpu_s to the CPU seconds of the command and its children
timed() {
	local user system
	TIMEFORMAT='%U %S'
	{ time "$@" >out 2>err; } 2>cpu || {
		cat out err >&2
		return 1
	}
	read -r user system <cpu
	cpu_s=$(awk -v u="$user" -v s="$system" 'BEGIN { print u + s }')
}

fio_run() {
	timed fio --name=bench --filename="$device" --readonly --direct=1 --ioengine=libaio --rw=randread --bs=4k \
		--iodepth=256 --numjobs="$1" --time_based --runtime="$seconds" --group_reporting --output-format=json "${@:2}"
	ios=$(jq '[.jobs[].read.total_ios] | add' out)
}

bare_run() {
	timed "$bench/bare_aio" "$device" 4096 256 "$1" "$seconds"
	ios=$(cut -d' ' -f1 out)
}

drive_run() {
	timed "$bench/drive" "$device" 4096 256 "$1" "$seconds"
	ios=$(cut -d' ' -f1 out)
}

observe_run() {
	rm -f run.db*
	timed "$volscale" observe --db run.db --iodepth 256 --numjobs "$1" --runtime "${seconds}s" --progress never \
		"${@:2}" "$device"
	ios=$(sqlite3 run.db 'SELECT CAST(sum(ios) AS INTEGER) FROM sample')
}

# ratio FILE FILE: median over the rounds of their quotients
ratio() {
	paste -d' ' "$1" "$2" | awk '{ print $1 / $2 }' | median
}

# What a run costs whatever it reads: start, samples of a second, end, summary. CPU seconds.
fixed_cost() {
	local i
	for i in 1 2 3; do
		rm -f run.db*
		timed "$volscale" observe --db run.db --iodepth 256 --numjobs "$1" --runtime 1s --rate-iops 1 \
			--progress never "$device"
		echo "$cpu_s"
	done | median
}

speed() {
	local jobs=$1 round tool order fixed
	rm -f -- *.rate *.iops
	fixed=$(fixed_cost "$jobs")
	for round in $(seq "$rounds"); do
		order="observe bare drive tuned fio"
		[ $((round % 2)) = 1 ] || order="fio tuned drive bare observe"
		for tool in $order; do
			case $tool in
			fio) fio_run "$jobs" ;;
			tuned) fio_run "$jobs" --iodepth_batch=32 --iodepth_batch_complete_max=256 --gtod_reduce=1 ;;
			*) "${tool}_run" "$jobs" ;;
			esac
			awk -v n="$ios" -v c="$cpu_s" 'BEGIN { print n / c }' >>"$tool.rate"
			awk -v n="$ios" -v s="$seconds" 'BEGIN { print n / s }' >>"$tool.iops"
			[ "$tool" != observe ] ||
				awk -v n="$ios" -v c="$cpu_s" -v f="$fixed" 'BEGIN { print n / (c - f) }' >>long.rate
		done
	done
	for tool in observe drive bare tuned fio; do
		line "$jobs job(s): $tool, I/Os per CPU-second" "$(median <$tool.rate)" 1/s
	done
	line "$jobs job(s): observe / fio, per CPU-second" "$(ratio observe.rate fio.rate)" x '>=' 1.9
	line "$jobs job(s): observe / tuned fio, per CPU-second" "$(ratio observe.rate tuned.rate)" x '>=' 1.2
	line "$jobs job(s): observe / bare loop, per CPU-second" "$(ratio observe.rate bare.rate)" x '>=' 0.95
	line "$jobs job(s): the same without what a run costs anyway ($fixed s)" "$(ratio long.rate bare.rate)" x '>=' 0.95
	line "$jobs job(s): bare loop / tuned fio, per CPU-second" "$(ratio bare.rate tuned.rate)" x
	line "$jobs job(s): observe / fio, IOPS" "$(ratio observe.iops fio.iops)" x
	line "$jobs job(s): observe / tuned fio, IOPS" "$(ratio observe.iops tuned.iops)" x
	line "$jobs job(s): observe / bare loop, IOPS" "$(ratio observe.iops bare.iops)" x
}

# The instructions in user space of a command: $instructions.
count_instructions() {
	if [ -n "$has_perf" ]; then
		perf stat -x, -e instructions:u -o perf.out "$@" >out 2>err
		instructions=$(awk -F, '/instructions/ { print $1 }' perf.out)
	else
		valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" >out 2>err
		instructions=$(awk '/Collected/ { print $NF }' err)
	fi
}

# per_io TOOL: a short run and a long one; the difference is without what starting and ending cost
per_io() {
	local tool=$1 i n=() ios=() more=()
	[ "$tool" != tuned ] || more=(--iodepth_batch=32 --iodepth_batch_complete_max=256 --gtod_reduce=1)
	for i in 3 9; do
		case $tool in
		observe)
			rm -f run.db*
			count_instructions "$volscale" observe --db run.db --iodepth 256 --numjobs 1 --runtime ${i}s \
				--progress never "$device"
			ios+=("$(sqlite3 run.db 'SELECT CAST(sum(ios) AS INTEGER) FROM sample')")
			;;
		bare)
			count_instructions "$bench/bare_aio" "$device" 4096 256 1 $i
			ios+=("$(cut -d' ' -f1 out)")
			;;
		*)
			count_instructions fio --name=bench --filename="$device" --readonly --direct=1 --ioengine=libaio \
				--rw=randread --bs=4k --iodepth=256 --thread --time_based --runtime=$i --output-format=json "${more[@]}"
			ios+=("$(sed -n '/^{/,$p' out | jq '.jobs[0].read.total_ios')")
			;;
		esac
		n+=("$instructions")
	done
	awk -v a="${n[0]}" -v b="${n[1]}" -v x="${ios[0]}" -v y="${ios[1]}" 'BEGIN { print (b - a) / (y - x) }'
}

instructions() {
	local mine bare tuned fio
	has_perf=
	perf stat -x, -e instructions:u true 2>&1 | grep -q '^[0-9]' && has_perf=yes
	if [ -z "$has_perf" ] && ! command -v valgrind >/dev/null; then
		echo "  neither perf counters nor valgrind here"
		return
	fi
	mine=$(per_io observe)
	bare=$(per_io bare)
	tuned=$(per_io tuned)
	fio=$(per_io fio)
	line "observe, instructions per I/O" "$mine" ""
	line "bare loop, instructions per I/O" "$bare" ""
	line "tuned fio, instructions per I/O" "$tuned" ""
	line "fio, instructions per I/O" "$fio" ""
	line "observe / fio, instructions per I/O" "$(awk -v a="$mine" -v b="$fio" 'BEGIN { print a / b }')" x '<=' 0.25
}

late() {
	sqlite3 run.db "SELECT value FROM observation WHERE source = 'generator' AND name = 'sampler_late_$1_us'"
}

sampler() {
	local base fine
	rm -f run.db*
	timed "$volscale" observe --db run.db --iodepth 1 --numjobs 1 --rate-iops 100 --runtime 20s --interval 100ms \
		--progress never "$device"
	fine=$cpu_s
	line "lateness p99 of 200 wake-ups, idle machine" "$(late p99)" us '<=' 1000
	line "lateness max of 200 wake-ups, idle machine" "$(late max)" us
	rm -f run.db*
	timed "$volscale" observe --db run.db --iodepth 1 --numjobs 1 --rate-iops 100 --runtime 20s --interval 1s \
		--progress never "$device"
	base=$cpu_s
	line "CPU of a sample (taken, stored, detected)" \
		"$(awk -v a="$fine" -v b="$base" 'BEGIN { print (a - b) / 180 * 1e6 }')" us
	rm -f run.db*
	timed "$volscale" observe --db run.db --numjobs "$(nproc)" --runtime 10s --interval 100ms --progress never "$device"
	line "lateness p99 of 100 wake-ups, every core at full load" "$(late p99)" us
}

detection() {
	local n took before=''
	for n in 10000 31623 100000 316228 604800 1000000 3162278; do
		took=$("$bench/detect" $n)
		case $n in
		604800) line "detection of $n samples (a week)" "$took" s '<=' 0.5 ;;
		*)
			line "detection of $n samples" "$took" s
			[ -z "$before" ] || line "  growth against linear" \
				"$(awk -v a="$before" -v b="$took" 'BEGIN { print b / a / sqrt(10) }')" x '<=' 1.15
			before=$took
			;;
		esac
	done
}

# A CSV of so many seconds on stdout: stairs up and down with 1 % of noise.
series() {
	awk -v n="$1" 'BEGIN {
		split("25000 50000 75000 100000 122880 100000 75000 50000", level, " ")
		print "time_s,iops,mbps,lat_p50_us,lat_p99_us"
		for (i = 1; i <= n; i++) {
			x = level[int(i / 1800) % 8 + 1] * (1 + 0.01 * (rand() + rand() - 1))
			printf "%d,%.0f,%.3f,%.1f,%.1f\n", i, x, x * 4096 / 1e6, 1024e6 / x, 1500e6 / x
		}
	}'
}

# CPU seconds of a command (what it takes on a machine that does nothing else): $cpu_s; its peak memory: $kib.
clocked() {
	if [ -x /usr/bin/time ]; then
		timed /usr/bin/time -f %M -o kib "$@"
		kib=$(cat kib)
	else
		timed "$@"
		kib=0
	fi
}

memory() {
	printf '%s\n' "$1 $kib" >>memory
}

imports_and_reports() {
	local bytes format
	: >memory
	series 86400 >day.csv
	series 604800 >week.csv
	for span in day week; do
		clocked "$volscale" import --db $span.db --size-gb 1024 $span.csv
		memory "import of a $span"
		bytes=$(stat -c %s $span.csv)
		wants e && line "import of a $span of CSV" \
			"$(awk -v b="$bytes" -v s="$cpu_s" 'BEGIN { print b / 1e6 / s }')" MB/s
		for format in text json html markdown csv; do
			clocked "$volscale" report --db $span.db --format $format
			memory "report of a $span, $format"
			wants f || continue
			if [ $span-$format = day-html ]; then
				line "report of a $span, $format" "$cpu_s" s '<=' 0.5
			else
				line "report of a $span, $format" "$cpu_s" s
			fi
		done
	done
}

peak_memory() {
	clocked "$volscale" observe --db mem.db --runtime 5s --progress never "$device"
	line "observe, 4 jobs x 256 x 4k" "$(awk -v k="$kib" 'BEGIN { print k / 1024 }')" MiB
	clocked fio --name=bench --filename="$device" --readonly --direct=1 --ioengine=libaio --rw=randread --bs=4k \
		--iodepth=256 --numjobs=4 --thread --time_based --runtime=5
	line "fio, the same, as threads" "$(awk -v k="$kib" 'BEGIN { print k / 1024 }')" MiB
	while read -r text; do
		line "${text% *}" "$(awk -v k="${text##* }" 'BEGIN { print k / 1024 }')" MiB
	done <memory
}

make_device
echo "$(nproc) CPUs, kernel $(uname -r), $device, $("$volscale" --version), $(fio --version);" \
	"load average $(cut -d' ' -f1-3 /proc/loadavg)"
if wants a; then
	echo "a  4 KiB random reads at depth 256, $rounds rounds of $seconds s each"
	speed 1
	speed 2
fi
if wants b; then
	echo "b  instructions in user space, one job at depth 256"
	instructions
fi
if wants c; then
	echo "c  the sampler"
	sampler
fi
if wants d; then
	echo "d  detection, CPU seconds"
	detection
fi
if wants e || wants f || wants g; then
	echo "e  import, f  reports: CPU seconds"
	imports_and_reports
fi
if wants g; then
	echo "g  peak memory"
	peak_memory
fi
