#!/bin/bash
# cloud_faults.sh VOLSCALE DIR STANDIN [SEQUENCES [AT_ONCE]] - observe beside a control plane half of whose answers
# fail, each sequence in its own way (401, 404, 409, 429, 500, 503, garbage, half a body, a slow one, none, a redirect,
# an expired certificate ...): every run goes to its end, and no second of it is lost.
. "$(dirname "$0")/lib.sh"
. "$here/cloud_lib.sh"
sequences=${4:-4}
at_once=${5:-4}

make_file target 16

# sequence SEED: one run in a folder of its own; what is wrong with it goes to stdout
sequence() {
	local seed=$1 tls='' rc=0 server url
	mkdir "s$seed"
	cd "s$seed" || return
	[ $((seed % 2)) = 0 ] || tls="--tls ca.pem"
	# shellcheck disable=SC2086
	"$standin" ../key.pem url --seed "$seed" --percent 50 $tls 2>standin.log &
	server=$!
	until [ -s url ]; do sleep 0.05; done
	url=$(cat url)
	[ -z "$tls" ] || export OCI_CLI_CERT_BUNDLE=$PWD/ca.pem
	timeout 60 "$volscale" observe --db run.db --runtime 2s --decay 1s --probe-every 0 --interval 250ms \
		--progress never --iodepth 1 --numjobs 1 --rate-iops 200 --oci-volume "$volume" --oci-endpoint "$url" \
		--poll-every 100ms --events events --report run.html ../target >out 2>err </dev/null || rc=$?
	kill $server
	wait $server || true
	[ $rc = 0 ] || echo "seed $seed: exit code $rc: $(tail -1 err)"
	sqlite3 -readonly run.db "SELECT 'seed $seed: end ' || state FROM run WHERE state <> 'completed';
		SELECT 'seed $seed: samples of ' || sum(length_ns) || ' ns in a run of ' || (SELECT duration_ns FROM run)
		FROM sample HAVING sum(length_ns) <> (SELECT duration_ns FROM run);
		SELECT 'seed $seed: ' || sum(ios) || ' reads in the samples instead of ' || value FROM sample,
		(SELECT value FROM observation WHERE source = 'generator' AND name = 'reads') HAVING sum(ios) <> value;
		SELECT 'seed $seed: lost: ' || text FROM event WHERE kind = 'samples-lost'"
	grep -qs 'refused 0' standin.log || echo "seed $seed: a signature was refused: $(cat standin.log)"
	sqlite3 -readonly run.db "SELECT count(*) FROM event WHERE kind = 'cloud-error'" >>../errors
	cat out err events run.html run.db* >>../kept
	cd ..
	rm -rf "s$seed"
}

running=0
for seed in $(seq "$sequences"); do
	sequence "$seed" >"wrong$seed" 2>&1 &
	running=$((running + 1))
	if [ $running -ge "$at_once" ]; then
		wait -n || true
		running=$((running - 1))
	fi
done
wait
cat wrong*
equal "sequences with a fault of ours" "$(cat wrong* | wc -l)" 0
equal "sequences that were run" "$(wc -l <errors)" "$sequences"
within "failures that became events" "$(awk '{ n += $1 } END { print n }' errors)" "$((sequences / 2))" 100000
no_secrets kept
finish
