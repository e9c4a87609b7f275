#!/bin/bash
# observe --rw read on a real ceiling whose schedule the control plane follows 3 s ahead: the report says what the
# schedule was, each step is confirmed and has its lag. Then with the control plane gone half-way: the run goes on,
# the gap is an event.
. "$(dirname "$0")/lib.sh"
. "$here/throttled_lib.sh"
. "$here/cloud_lib.sh"

at_exit() {
	stop_all
	"$scripts/throttled-volume.sh" down "$work/throttled"
}

printf '0 10\n5 20\n13 30\n21 40\n29 50\n37 60\n' >script # the schedule, 3 s ahead

# with_cloud OPTIONS...: observe beside a stand-in that starts now, and is gone after $gone_after seconds if that is set
gone_after=
with_cloud() {
	start --script script
	if [ -n "$gone_after" ]; then
		(sleep "$gone_after" && stop_all) &
	fi
	observe up --rw read --oci-volume "$volume" --oci-endpoint "$url" --poll-every 500ms "$@"
	stop_all
	"$volscale" report --db run.db --format html --output run.html
}

# wrong STEPS TIERS: how the report departs from the script, of its first STEPS steps
wrong() {
	jq -r --argjson n "$1" --argjson tiers "$2" '
		(if (.plateaus | map(.tier)) == $tiers then empty else "tiers \(.plateaus | map(.tier))" end),
		(.plateaus[:$n + 1][] | if .confirmed then empty
		 else "plateau \(.index): confirmed is \(.confirmed), VPU \(.provider_vpu)" end),
		(.steps[:$n][] | if .lag_s != null and .lag_s >= 1.5 and .lag_s <= 4.5 then empty
		 else "step \(.index): at \(.at_s) s, lag \(.lag_s) s" end),
		(if .totals.missing == 0 then empty else "\(.totals.missing) samples are missing" end)' run.json
}

departures() {
	against_schedule 0
	wrong 5 '["10", "20", "30", "40", "50", "60"]'
}

hold read with_cloud --runtime 48s
equal "size, of a device of 1 GB: the API's" "$(jq .provider.size_gb run.json)" 1024
ok "a device of another size than the volume is warned of" \
	jq -e '.events | any(.kind == "cloud-warning" and (.text | test("it may be another volume")))' run.json
ok "the text report has the lag" grep -q 'lag s' said
ok "the changes are events" test "$(jq '[.events[] | select(.kind == "cloud-tuned")] | length' run.json)" = 5

departures() {
	wrong 1 '["10", "20", "30"]'
}

gone_after=12
hold "server gone" with_cloud --runtime 24s
equal "server gone: the last level is not confirmed, and not contradicted" "$(jq '.plateaus[2].confirmed' run.json)" null
equal "server gone: how often it is told" "$(jq '[.events[] | select(.kind == "cloud-error")] | length' run.json)" 1
ok "server gone: the gap is an event" jq -e \
	'.events | any(.kind == "cloud-error" and .at_s > 11 and .at_s < 20 and (.text | test("not known from here on")))' \
	run.json
equal "server gone: samples" "$(jq .totals.samples run.json)" 24
no_secrets said run.db* run.json run.html
finish
