#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The command lines of two build folders (two compilers) must give the same bytes for every bundled listing.
#   scripts/same_bytes.sh BUILD_A BUILD_B
set -uo pipefail
cd "$(dirname "$0")/.."
export a=$1/examples/warpwright/warpwright b=$2/examples/warpwright/warpwright
work=$(mktemp -d)
export work
trap 'rm -rf "$work"' EXIT

# Says so where the two differ; a program that neither accepts is no difference.
compare() {
  local out
  out=$(mktemp -d "$work/XXXXXX")
  "$a" schedule "$1" -o "$out/a.sass" >"$out/a.txt" 2>&1
  local first=$?
  "$b" schedule "$1" -o "$out/b.sass" >"$out/b.txt" 2>&1
  if [ $first -ne $? ] || { [ $first -eq 0 ] && ! cmp -s "$out/a.sass" "$out/b.sass"; }; then
    echo "$1: the two builds differ"
  fi
}
export -f compare

find tests/data/demo tests/data/listings -name '*.sass' | sort >"$work/listings"
count=$(wc -l <"$work/listings")
xargs -P "$(nproc)" -I{} bash -c 'compare "$1"' - {} <"$work/listings" >"$work/different" || exit 1
sort "$work/different"
different=$(wc -l <"$work/different")
echo "$count listings, $different differ"
[ "$count" -gt 0 ] && [ "$different" -eq 0 ]
