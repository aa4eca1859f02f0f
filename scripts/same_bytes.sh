#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The command lines of two build folders (two compilers) must give the same bytes and figures for every bundled listing, scheduled and rebuilt.
#   scripts/same_bytes.sh BUILD_A BUILD_B
set -uo pipefail
cd "$(dirname "$0")/.."
export a=$1/examples/warpwright/warpwright b=$2/examples/warpwright/warpwright
work=$(mktemp -d)
export work
trap 'rm -rf "$work"' EXIT

# Says so where the two differ, or where one does not accept a listing.
compare() {
  local out
  out=$(mktemp -d "$work/XXXXXX")
  for command in schedule rebuild; do
    if ! "$a" "$command" "$1" -o "$out/a.sass" >"$out/a.txt" 2>&1 || ! "$b" "$command" "$1" -o "$out/b.sass" >"$out/b.txt" 2>&1; then
      echo "$1: $command refused"
    elif ! cmp -s "$out/a.sass" "$out/b.sass" || ! cmp -s "$out/a.txt" "$out/b.txt"; then
      echo "$1: $command differs between the two builds"
    fi
  done
}
export -f compare

find tests/data/demo tests/data/listings -name '*.sass' | sort >"$work/listings"
count=$(wc -l <"$work/listings")
xargs -P "$(nproc)" -I{} bash -c 'compare "$1"' - {} <"$work/listings" >"$work/faults" || exit 1
sort "$work/faults"
faults=$(wc -l <"$work/faults")
echo "$count listings, $faults faults"
[ "$count" -gt 0 ] && [ "$faults" -eq 0 ]
