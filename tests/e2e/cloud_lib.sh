# Sourced after lib.sh by the tests that need the provider's stand-in: NAME.sh VOLSCALE DIR STANDIN.
# shellcheck shell=bash disable=SC2034,SC2154
standin=$(realpath "$3")
keys=$here/../cloud/key.inc
volume=ocid1.volume.oc1.phx.standin
unset "${!OCI_@}"
HOME=$PWD
export HOME
pids=

# pem NAME: a key as a C file holds it, as PEM
pem() {
	sed -n "/static const char $1/,/;\$/p" "$keys" | sed -n 's/^\t"\(.*\)\\n";\{0,1\}$/\1/p'
}

stop_all() {
	local pid
	for pid in $pids; do
		kill "$pid" 2>/dev/null || true
	done
	wait
	pids=
}

at_exit() {
	stop_all
}

# start OPTIONS...: a stand-in; its URL is in $url
start() {
	rm -f url
	"$standin" key.pem url "$@" 2>>standin.log &
	pids="$pids $!"
	for _ in $(seq 200); do
		[ ! -s url ] || break
		sleep 0.05
	done
	url=$(cat url)
}

# no_secrets FILE...
no_secrets() {
	local rc=0
	grep -alE "$(sed -n 2p key.pem)|c2VjcmV0|correct ; horse|chap-secret|ignature=|ST\\$" "$@" >found || rc=$?
	equal "files with a key, pass phrase, token or CHAP secret (grep's exit code, names)" "$rc $(cat found)" "1 "
}

mkdir .oci
pem test_key >key.pem
pem encrypted_key >encrypted.pem
printf 'eyJraWQiOiJzdGFuZGluIn0.c2VjcmV0LXRva2Vu.c2ln\n' >token
cat >.oci/config <<'EOF'
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
EOF
