#!/bin/bash
# cli.sh VOLSCALE STANDIN - cloud show, cloud check and price against the stand-in, as a user would run them.
set -u
export LC_ALL=C TZ=UTC
volscale=$(realpath "$1")
standin=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
pids=
trap 'kill $pids 2>/dev/null; wait; rm -rf "$work"' EXIT
cd "$work" || exit 1
unset VOLSCALE_DB "${!OCI_@}"
export HOME=$work
passed=0
failed=0

# A key as a C file holds it, as PEM.
pem() {
	sed -n "/static const char $1/,/;\$/p" "$here/key.inc" | sed -n 's/^\t"\(.*\)\\n";\{0,1\}$/\1/p'
}

# start [OPTIONS]: a stand-in; its URL is in $url
start() {
	rm -f url
	"$standin" key.pem url "$@" 2>>standin.log &
	pids="$pids $!"
	for _ in $(seq 200); do
		[ -s url ] && break
		sleep 0.05
	done
	url=$(cat url)
}

# expect WHAT RC PATTERN... -- COMMAND...: the exit code, and each pattern in what it printed
expect() {
	local what=$1 want=$2 rc patterns=() bad=
	shift 2
	while [ "$1" != -- ]; do
		patterns+=("$1")
		shift
	done
	shift
	"$@" >out 2>err </dev/null
	rc=$?
	cat out err >>all
	[ "$rc" = "$want" ] || bad="exit code $rc instead of $want"
	for pattern in "${patterns[@]}"; do
		cat out err | grep -qE -- "$pattern" || bad="$bad; no '$pattern'"
	done
	if [ -z "$bad" ]; then
		passed=$((passed + 1))
		echo "ok: $what"
	else
		failed=$((failed + 1))
		echo "FAILED: $what: $bad"
		sed 's/^/    /' out err
	fi
}

mkdir .oci
pem test_key >key.pem
pem encrypted_key >encrypted.pem
pem long_key >other.pem
printf 'eyJraWQiOiJzdGFuZGluIn0.c2VjcmV0LXRva2Vu.c2ln\n' >token
cat >.oci/config <<END
[DEFAULT]
tenancy=ocid1.tenancy.oc1..standin
user=ocid1.user.oc1..standin
fingerprint=73:61:a2:21:67:e0:df:be:7e:4b:93:1e:15:98:a5:b7
region=us-phoenix-1
key_file=~/key.pem
[ENCRYPTED]
key_file=~/encrypted.pem
pass_phrase=correct ; horse
[TOKEN]
security_token_file=~/token
[OTHER]
key_file=~/other.pem
END
volume=ocid1.volume.oc1.phx.standin

start
show=("$volscale" cloud show --volume "$volume" --oci-endpoint "$url")
check=("$volscale" cloud check --volume "$volume" --oci-endpoint "$url")
expect "show" 0 'size +1,024 GB' 'tuned VPU +10' 'PERFORMANCE_BASED:120 DETACHED_VOLUME' 'multipath +yes' \
	'shape +VM.Standard.E5.Flex' 'warning: the instance .* at most 80,000 IOPS' -- "${show[@]}"
expect "show, encrypted key" 0 'tuned VPU +10' -- "${show[@]}" --oci-profile ENCRYPTED
expect "show, session token" 0 'tuned VPU +10' -- "${show[@]}" --oci-auth token --oci-profile TOKEN
expect "show, as an instance" 0 'tuned VPU +10' -- \
	env OCI_METADATA_BASE_URL="$url/opc/v2" "${show[@]}" --oci-auth instance
expect "show, settings from the environment" 0 'tuned VPU +10' -- \
	env OCI_CLI_PROFILE=TOKEN OCI_CLI_AUTH=security_token OCI_CLI_ENDPOINT="$url" \
	"$volscale" cloud show --volume "$volume"
expect "show without a volume" 2 'give the volume' -- "$volscale" cloud show
expect "show of no OCID" 2 "'/dev/sdb' is not an OCID" -- "$volscale" cloud show --volume /dev/sdb
expect "neither show nor check" 2 'neither show nor check' -- "$volscale" cloud list
expect "no operand" 2 'no show\|check given' -- "$volscale" cloud
expect "plain http elsewhere" 2 'only for loopback' -- \
	"$volscale" cloud show --volume "$volume" --oci-endpoint http://example.com
expect "no such profile" 1 'no profile \[NONE\]' -- "${show[@]}" --oci-profile NONE
expect "no configuration" 1 '--oci-config' -- env HOME=/nonexistent "${show[@]}"
expect "another volume" 1 "policy lacks 'inspect volumes'" -- \
	"$volscale" cloud show --volume ocid1.volume.oc1.phx.other --oci-endpoint "$url"
expect "check" 0 'ok +configure' 'ok +sign' 'ok +reach' 'ok +volume +1024 GB' 'ok +attachments +1' \
	'ok +instance' 'ok +metrics' -- "${check[@]}"
expect "check without a volume" 0 'ok +reach' -- "$volscale" cloud check --oci-endpoint "$url"
expect "check with another key" 1 "FAILED sign .*fingerprint .* is not this key's" 'FAILED reach .*HTTP 401' -- \
	"${check[@]}" --oci-profile OTHER
expect "check without a configuration" 1 'FAILED configure' -- env HOME=/nonexistent "${check[@]}"
start --fault 404 --fault ok --fault 404 --fault 404 --fault 404
expect "check names the missing permissions" 1 'ok +reach' 'ok +volume' \
	"FAILED attachments .*'inspect volume-attachments'" "FAILED metrics .*'read metrics'" -- \
	"$volscale" cloud check --volume "$volume" --oci-endpoint "$url"
start --plain
expect "what is missing for a scaling run" 0 'no performance-based auto-tune policy' 'multipath +no' -- \
	"$volscale" cloud show --volume "$volume" --oci-endpoint "$url"
start --fault garbage
expect "an answer that is no JSON" 1 'not JSON' -- "$volscale" cloud show --volume "$volume" --oci-endpoint "$url"

expect "built-in prices" 0 'B91962 +VPU a GB a month +0.001700 USD +20..-..-..' -- "$volscale" price
expect "no prices in JPY yet" 1 'price --refresh --currency JPY' -- "$volscale" price --currency JPY
expect "fetched prices" 0 'B91961 .*3.060000 JPY +2026-07-16 http://127' 'B91962 .*0.204000' -- \
	"$volscale" price --refresh --currency JPY --oci-endpoint "$url"
expect "kept prices, for a size" 0 '^10 +255.00' -- "$volscale" price --currency JPY --size-gb 50
expect "as JSON" 0 '"price_month": 357' -- "$volscale" price --currency JPY --size-gb 50 --format json
expect "tiers use them" 0 'JPY/month' '255.00' 'kept by' -- "$volscale" tiers --size-gb 50 --currency JPY
printf 'time_s,iops\n' >a.csv
for i in $(seq 30); do echo "$i,3000"; done >>a.csv
expect "a run to compare" 0 -- "$volscale" import --size-gb 50 a.csv
expect "another one" 0 -- "$volscale" import --size-gb 50 a.csv
expect "compare uses them" 0 '357|255' 'JPY' -- "$volscale" compare --currency JPY 1 2
expect "report uses them" 0 '255.*JPY' -- "$volscale" report --currency JPY 1
expect "without a currency the built-in ones stand" 0 'USD' -- "$volscale" tiers --size-gb 50
expect "a currency that the list lacks" 1 'no B91961 in EUR' -- \
	"$volscale" price --refresh --currency EUR --price-url "$url/products/"
expect "no currency" 2 'JPYEN' -- "$volscale" price --currency JPYEN
expect "plain http elsewhere" 2 'only for loopback' -- "$volscale" price --refresh --price-url http://example.com/
expect "no price list there" 1 'price list: HTTP 401' -- "$volscale" price --refresh --price-url "$url/x/"

ok_secret() {
	! grep -aqE 'MIICXgIBAAKB|c2VjcmV0|correct ; horse|chap-secret|signature=|ST\$' "$@"
}
if ok_secret all volscale.db*; then
	passed=$((passed + 1))
	echo "ok: no key, pass phrase, token or CHAP secret in what was printed or kept"
else
	failed=$((failed + 1))
	echo "FAILED: a secret in what was printed or kept"
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
