#!/bin/bash
# observe beside a control plane, on a file: what comes from the provider when it is not given, what is warned of, and
# that no failure of the provider costs a run anything.
. "$(dirname "$0")/lib.sh"
. "$here/cloud_lib.sh"

make_file target 16

# observe OPTIONS...: a short run against the stand-in at $url; leaves run.json
observe() {
	rm -f run.db*
	run "$volscale" observe --db run.db --progress never --iodepth 4 --numjobs 1 --rate-iops 500 \
		--oci-volume "$volume" --oci-endpoint "$url" --events events "$@" target
	cat out err >>said
	"$volscale" report --db run.db --format json >run.json
}

# value NAME: of the first observation of that name
value() {
	jq -r --arg name "$1" '[.observations[] | select(.name == $name)][0].value' run.json
}

printf '0 10\n2.5 20\n' >script
start --script script
OCI_METADATA_BASE_URL=$url/opc/v2 observe --runtime 3s --decay 3s --probe-every 0 --poll-every 500ms
equal "exit code" "$rc" 0
equal "size from the API" "$(jq .provider.size_gb run.json)" 1024
equal "shape into the host record" "$(jq -r .run.host.shape run.json)" VM.Standard.E5.Flex
equal "OCPUs" "$(jq .run.host.ocpus run.json)" 4
equal "network" "$(jq .run.host.networkingBandwidthInGbps run.json)" 4
equal "region" "$(jq -r .run.host.region run.json)" us-phoenix-1
equal "availability domain" "$(jq -r .run.host.availabilityDomain run.json)" Abcd:PHX-AD-1
equal "the instance's network of the run" "$(sql 'SELECT instance_gbps FROM run')" 4.0
equal "default VPU" "$(value vpusPerGB)" 10
equal "highest VPU" "$(value maxVpusPerGB)" 120
equal "policies" "$(value autotunePolicies)" 'PERFORMANCE_BASED:120 DETACHED_VOLUME'
equal "lifecycle state" "$(value lifecycleState)" AVAILABLE
equal "multipath" "$(value isMultipath)" 1
within "polls" "$(jq '[.observations[] | select(.name == "autoTunedVpusPerGB")] | length' run.json)" 9 13
ok "the instance's ceiling is warned of in the first second" jq -e \
	'.events | any(.at_s < 1 and .kind == "cloud-warning" and (.text | test("at most 80,000 IOPS")))' run.json
ok "... on stderr too" grep -q 'at most 80,000 IOPS' err
ok "... and in the live events" grep -q '"cloud-warning".*80,000' events
ok "the change is told" grep -q 'tuned the volume up: VPU 10 -> 20' events
equal "without a probe the idle stretch is the provider's word" \
	"$(jq -c '[.plateaus[] | select(.phase == "idle") | .tier]' run.json)" '["20"]'
rm -f run.db*
run timeout -s INT 3 "$volscale" observe --db run.db --progress never --iodepth 4 --numjobs 1 --rate-iops 500 \
	--oci-volume "$volume" --oci-endpoint "$url" --poll-every 250ms --runtime 1m target
count() {
	sql "SELECT count(*) FROM observation WHERE name = 'autoTunedVpusPerGB'"
}
before=$(count)
run "$volscale" observe --db run.db --progress never --resume last --runtime 2s
cat out err
equal "resumed: exit code" "$rc" 0
within "resumed: it goes on to ask, as often as before" $(($(count) - before)) 5 9
stop_all

start --plain
observe --runtime 1s --size-gb 50 --instance-gbps 8
equal "a size that is given stands" "$(jq .provider.size_gb run.json)" 50
equal "a network that is given stands" "$(sql 'SELECT instance_gbps FROM run')" 8.0
ok "no policy is warned of" grep -q 'no performance-based auto-tune policy' err
stop_all

# nobody at $url any more
before=$EPOCHSECONDS
observe --runtime 2s
equal "exit code without a server" "$rc" 0
equal "no sample is missing" "$(jq -c '[.totals.samples, .totals.missing]' run.json)" '[2,0]'
ok "the failure is an event" jq -e '.events | any(.kind == "cloud-error")' run.json
within "seconds that it took" $((EPOCHSECONDS - before)) 2 10

run "$volscale" observe --db run.db --runtime 1s --oci-volume /dev/sdb target
equal "no OCID: exit code" "$rc" 2
run "$volscale" observe --db run.db --runtime 1s --oci-volume "$volume" --oci-config /nonexistent target
equal "no configuration: exit code" "$rc" 1
run "$volscale" observe --db run.db --runtime 1s --oci-volume "$volume" --oci-endpoint http://example.com target
equal "plain http elsewhere: exit code" "$rc" 2
run "$volscale" observe --db run.db --runtime 1s --oci-volume "$volume" --provider aws-gp3 target
equal "another provider: exit code" "$rc" 2
run "$volscale" observe --db run.db --runtime 1s --oci-volume "$volume" --poll-every 0 target
equal "polls without a pause: exit code" "$rc" 2

before=${EPOCHREALTIME/./}
run "$volscale" observe --db run.db --runtime 1s --iodepth 1 --numjobs 1 --progress never target
within "milliseconds of a run of 1 s without a cloud" $(((${EPOCHREALTIME/./} - before) / 1000)) 1000 3000

# Every way to sign, and a server that repeats what was sent, each with all that a run can leave behind.
mkdir kept
for how in "config DEFAULT 1s" "config ENCRYPTED 1s" "token TOKEN 1s" "instance DEFAULT 5s"; do
	read -r auth profile runtime <<<"$how" # an instance makes a key first
	start --fault ok --fault echo --fault echo --fault echo --fault echo --fault echo --fault echo
	OCI_METADATA_BASE_URL=$url/opc/v2 observe --runtime "$runtime" --poll-every 100ms --oci-auth "$auth" \
		--oci-profile "$profile" --report run.html --report run.csv --report run.md --report run.txt
	equal "$how: exit code" "$rc" 0
	equal "$how: the last VPU is known" \
		"$(jq '[.observations[] | select(.name == "autoTunedVpusPerGB")] | last | .value' run.json)" 10
	ok "$how: what the server repeated is an event" jq -e '.events | any(.kind == "cloud-error")' run.json
	for file in out err events run.db* run.json run.html run.csv run.md run.txt; do
		cp "$file" "kept/$auth-$profile-$file"
	done
	stop_all
done
ok "the token was really sent" grep -q 'requests [1-9][0-9]* refused 0' standin.log
no_secrets said events kept/*

finish
