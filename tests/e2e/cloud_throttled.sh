#!/bin/bash
# observe on a real ceiling whose schedule the control plane follows 3 s ahead: each step is confirmed and has its lag.
# Then the same with the control plane gone half-way: the run goes on, the gap is an event.
. "$(dirname "$0")/lib.sh"
. "$here/cloud_lib.sh"

at_exit() {
	stop_all
	"$scripts/throttled-volume.sh" down "$work/throttled"
}

run "$scripts/throttled-volume.sh" up throttled 1G
[ "$rc" != 77 ] || skip "$(sed 's/^skipped: //' out)"
device=$(cat out)
[ "$rc" = 0 ] || {
	cat out err
	exit 1
}

printf '8 25000\n8 50000\n60 75000\n' >schedule
printf '0 10\n5 20\n13 30\n' >script # the same, 3 s ahead

# observe: 24 s on the device beside a stand-in that starts now; leaves run.json
observe() {
	rm -f run.db*
	run "$scripts/throttled-volume.sh" run throttled schedule "$volscale" observe --db run.db --runtime 24s \
		--progress never --oci-volume "$volume" --oci-endpoint "$url" --poll-every 500ms "$device"
	cat out err
	cat out err >>said
	"$volscale" report --db run.db --format json >run.json
	"$volscale" report --db run.db --format html --output run.html
}

# wrong STEPS: how the report departs from the schedule in the first STEPS steps
wrong() {
	jq -r --argjson n "$1" '
		(if (.plateaus | map(.tier)) == ["10", "20", "30"] then empty
		 else "tiers \(.plateaus | map(.tier))" end),
		(.plateaus[:$n + 1][] | if .confirmed then empty
		 else "plateau \(.index): confirmed is \(.confirmed), VPU \(.provider_vpu)" end),
		(.steps[:$n][] | if .lag_s != null and .lag_s >= 1.5 and .lag_s <= 4.5 then empty
		 else "step \(.index): at \(.at_s) s, lag \(.lag_s) s" end),
		(if .totals.missing == 0 then empty else "\(.totals.missing) samples are missing" end)' run.json
}

# hold STEPS COMMAND...: runs the command and judges it; once more when a busy machine spoilt it
hold() {
	local steps=$1
	shift
	for _ in 1 2; do
		start --script script
		"$@"
		stop_all
		wrong "$steps" >differences
		[ -s differences ] || break
		echo "load average $(cut -d' ' -f1-3 /proc/loadavg):"
		cat differences
	done
}

hold 2 observe
equal "exit code" "$rc" 0
equal "departures from the schedule" "$(cat differences)" ""
equal "size, of a device of 1 GB: the API's" "$(jq .provider.size_gb run.json)" 1024
ok "a device of another size than the volume is warned of" \
	jq -e '.events | any(.kind == "cloud-warning" and (.text | test("it may be another volume")))' run.json
ok "the text report has the lag" grep -q 'lag s' said
ok "the changes are events" test "$(jq '[.events[] | select(.kind == "cloud-tuned")] | length' run.json)" = 2

leave_half_way() {
	(sleep 12 && stop_all) &
	observe
}
hold 1 leave_half_way
equal "server gone: exit code" "$rc" 0
equal "server gone: departures from the schedule" "$(cat differences)" ""
equal "server gone: the last level is not confirmed, and not contradicted" "$(jq '.plateaus[2].confirmed' run.json)" null
equal "server gone: how often it is told" "$(jq '[.events[] | select(.kind == "cloud-error")] | length' run.json)" 1
ok "server gone: the gap is an event" jq -e \
	'.events | any(.kind == "cloud-error" and .at_s > 11 and .at_s < 20 and (.text | test("not known from here on")))' \
	run.json
equal "server gone: samples" "$(jq .totals.samples run.json)" 24
no_secrets said run.db* run.json run.html
finish
