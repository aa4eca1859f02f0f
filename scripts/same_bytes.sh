#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The command lines of two build folders (two compilers) must give the same bytes for every bundled listing.
#   scripts/same_bytes.sh BUILD_A BUILD_B
set -uo pipefail
cd "$(dirname "$0")/.."
a=$1/examples/warpwright/warpwright
b=$2/examples/warpwright/warpwright
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
different=0
while IFS= read -r listing; do
  "$a" schedule "$listing" -o "$work/a.sass" >"$work/a.txt" 2>&1
  first=$?
  "$b" schedule "$listing" -o "$work/b.sass" >"$work/b.txt" 2>&1
  second=$?
  count=$((count + 1))
  if [ $first -ne $second ] || { [ $first -eq 0 ] && ! cmp -s "$work/a.sass" "$work/b.sass"; }; then
    echo "$listing: the two builds differ"
    different=$((different + 1))
  fi
done < <(find tests/data/demo tests/data/listings -name '*.sass' | sort)
echo "$count listings, $different differ"
[ "$count" -gt 0 ] && [ "$different" -eq 0 ]
