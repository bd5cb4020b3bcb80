#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# kernel_sources.sh VERSION - prints a directory with the files of Debian's
# package linux-source-VERSION (6.1, 6.12) that `zsmsim kernel build` reads.
# They are unpacked once, outside of the source tree:
#
#	${ZSMSIM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/zsmsim}/kernel-sources/PACKAGE-VERSION
#
# If the package is not installed it is, where apt-get can do so without
# asking. Exit status 77, "skipped" for the harness, with one line on standard
# error where the files cannot be had. ZSMSIM_KERNEL_TARBALLS may name another
# directory than /usr/src to look in; then nothing is installed.

set -u
LC_ALL=C
export LC_ALL

if [ $# -ne 1 ]; then
	echo "Usage: kernel_sources.sh VERSION" >&2
	exit 2
fi
package=linux-source-$1
tarball=${ZSMSIM_KERNEL_TARBALLS:-/usr/src}/$package.tar.xz
cache=${ZSMSIM_CACHE:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/zsmsim}/kernel-sources

skip() {
	echo "kernel_sources: $*" >&2
	exit 77
}

# Prints how to become root here; fails where that would ask or is not allowed.
as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		echo env
	elif sudo -n true 2>/dev/null; then
		echo 'sudo -n'
	else
		return 1
	fi
}

# A fresh machine has no lists of packages yet.
have_lists() {
	for list in /var/lib/apt/lists/*_Packages*; do
		[ -e "$list" ] && return 0
	done
	return 1
}

install_package() {
	[ -z "${ZSMSIM_KERNEL_TARBALLS:-}" ] || skip "$tarball is not there"
	command -v apt-get >/dev/null 2>&1 || skip "$tarball is not there, and neither is apt-get to install $package"
	root=$(as_root) || skip "$tarball is not there; install the package $package as root"
	have_lists || $root apt-get -q update >"$cache/install.log" 2>&1 ||
		skip "$package cannot be installed: apt-get update failed"
	$root DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends \
		-o DPkg::Lock::Timeout=300 "$package" >"$cache/install.log" 2>&1 </dev/null ||
		skip "$package cannot be installed: $(grep '^E:' "$cache/install.log" | tail -n 1)"
	[ -r "$tarball" ] || skip "$package is installed but has no $tarball"
}

# What the cache is keyed by: an upgraded package is unpacked anew.
package_version() {
	dpkg-query -W -f '${Version}\n' "$package" 2>/dev/null | grep . ||
		stat -c "$1-%s-%Y" "$tarball"
}

# is_whole DIRECTORY: is everything there that every version has?
is_whole() {
	for file in Makefile mm/zsmalloc.c include/linux/zsmalloc.h drivers/block/zram/zram_drv.c; do
		[ -s "$1/$file" ] || return 1
	done
}

# unpack DIRECTORY: whole or not at all. Not all versions have all members, so tar's status says little.
unpack() {
	temp=$(mktemp -d "$cache/unpack-XXXXXX") || skip "$cache cannot be written"
	trap 'rm -rf "$temp"' EXIT
	trap 'exit 1' HUP INT TERM
	tar -xf "$tarball" -C "$temp" --strip-components=1 --no-same-owner --wildcards --no-wildcards-match-slash \
		"$package/Makefile" "$package/mm/zsmalloc.c" "$package/mm/zpdesc.h" \
		"$package/include/linux/zsmalloc.h" "$package/drivers/block/zram/*.[ch]" 2>"$cache/tar.log"
	is_whole "$temp" || skip "$tarball lacks files of zsmalloc or zram, or is damaged: $(head -n 1 "$cache/tar.log")"
	chmod 755 "$temp"
	rm -rf "$1"
	mv -T "$temp" "$1"
}

mkdir -p "$cache" 2>/dev/null
[ -w "$cache/." ] || skip "$cache cannot be written; ZSMSIM_CACHE may name another place"
# Tests that run side by side wait for the one that unpacks.
exec 9>"$cache/lock" || skip "$cache/lock cannot be written"
flock 9 || skip "$cache cannot be locked"
[ -r "$tarball" ] || install_package
tree=$cache/$(package_version "$1")
is_whole "$tree" || unpack "$tree"
printf '%s\n' "$tree"
