#!/bin/sh
# install-deps.sh [build|test] - installs what volscale needs to be built (default), or also to be tested.
# Debian 11 and 12 with apt-get, Oracle Linux 8 and its relatives with dnf. Does nothing when all is there.
set -eu
what=${1:-build}

case $what in
build | test) ;;
*)
	echo "install-deps.sh: '$what' is neither 'build' nor 'test'" >&2
	exit 2
	;;
esac

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null 2>&1; then
		sudo "$@"
	else
		echo "install-deps.sh: not root and no sudo; as root, run: $*" >&2
		exit 1
	fi
}

# COMMAND:PACKAGE is missing when there is no such command, PACKAGE when dpkg does not have it.
apt_build="gcc:gcc cc:libc6-dev make:make cmake:cmake ninja:ninja-build pkg-config:pkg-config libc6-dev
	libaio-dev libsqlite3-dev libjansson-dev libcurl4-openssl-dev libssl-dev
	libblkid-dev libmount-dev libinih-dev"
apt_test="clang-14:clang-14 clang:clang libclang-rt-14-dev clang-tidy-14:clang-tidy-14 clang-format-14:clang-format-14
	cppcheck:cppcheck shellcheck:shellcheck libcmocka-dev ca-certificates git:git python3:python3 sqlite3:sqlite3
	jq:jq fio:fio strace:strace openssl:openssl man:man-db node:nodejs npm:npm chromium:chromium"
dnf_build="gcc make cmake pkgconf-pkg-config libaio-devel sqlite-devel jansson-devel libcurl-devel openssl-devel
	libblkid-devel libmount-devel inih-devel"
dnf_test="libcmocka-devel clang clang-tools-extra git python3 sqlite jq fio strace openssl"

missing_debs() {
	for item in "$@"; do
		package=${item#*:}
		if [ "$item" != "$package" ]; then
			command -v "${item%%:*}" >/dev/null 2>&1 && continue
		elif dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$'; then
			continue
		fi
		echo "$package"
	done
}

apt_install() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

with_apt() {
	wanted=$apt_build
	[ "$what" = test ] && wanted="$wanted $apt_test"
	# shellcheck disable=SC2086 # a list of words
	missing=$(missing_debs $wanted)
	[ -n "$missing" ] || return 0
	echo "installing: $(echo "$missing" | tr '\n' ' ')"
	# The lists that are there may be old or none: only then is the network asked for new ones.
	# shellcheck disable=SC2086
	apt_install $missing >/dev/null 2>&1 && return 0
	as_root apt-get update -qq
	# shellcheck disable=SC2086
	apt_install $missing
}

with_dnf() {
	wanted=$dnf_build
	[ "$what" = test ] && wanted="$wanted $dnf_test"
	# inih-devel is in EPEL, and some other -devel packages of version 8 in a repository that is off by default.
	as_root dnf install -y -q oracle-epel-release-el8 2>/dev/null || as_root dnf install -y -q epel-release 2>/dev/null ||
		echo "install-deps.sh: no EPEL here; inih-devel must come from elsewhere" >&2
	extra=
	for repo in ol8_codeready_builder powertools crb; do
		dnf -q repolist --all 2>/dev/null | grep -q "^$repo " && extra="--enablerepo=$repo"
	done
	# shellcheck disable=SC2086
	as_root dnf install -y $extra $wanted
}

if command -v apt-get >/dev/null 2>&1; then
	with_apt
elif command -v dnf >/dev/null 2>&1; then
	with_dnf
else
	echo "install-deps.sh: neither apt-get nor dnf here; install by hand what dnf calls:" >&2
	echo "  $dnf_build" >&2
	[ "$what" = test ] && echo "  $dnf_test" >&2
	exit 1
fi
