#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Prove that every wrong composition is one sentence of ours at the user's line, without CMake.
#   scripts/reject.sh [COMPILER [CASE...]]      default: c++, all cases in as many processes as there are processors (JOBS=N)
# For each case of tests/reject/rejection.cpp: compilation fails, exactly one error, the sentence of the case's fault (taken from
# meta/faults.hpp) is printed, and the line of the user's `using` is cited. A case `<fault>_by_<what>` is one more of that fault.
# The controls must behave the other way round. `CASE=FAULT` judges CASE as if it were one of FAULT: `control_valid=no_arch` must
# fail, which shows that this script can tell the difference.
set -uo pipefail
cd "$(dirname "$0")/.."
compiler=${1:-c++}
source=tests/reject/rejection.cpp
out=$(mktemp)
trap 'rm -f "$out"' EXIT
bad=0
count=0
cases() { sed -n 's/^#e\{0,1\}l\{0,1\}if defined WW_REJECT_\([a-z_]*\)$/\1/p' "$source"; }

compile() {
  "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fno-exceptions -fno-rtti \
    -Iinclude "-DWW_REJECT_$1" "$source" >"$out" 2>&1
}
fault() { echo "FAIL $1: $2"; sed 's/^/    /' "$out" | cut -c1-240 | head -20; bad=$((bad + 1)); }

judge() {  # CASE or CASE=FAULT
  local name=${1%%=*} ok=0 of sentence line
  cases | grep -qx "$name" || { fault "$name" "no such case"; return; }
  compile "$name" && ok=1
  case $1 in
  control_valid | control_pages | control_config | control_search)
    [ $ok = 1 ] || fault "$name" "valid code does not compile"
    grep -qE 'ww::(scheduler|order_search)<...>:' "$out" && fault "$name" "valid code provokes a sentence"
    return ;;
  control_other)
    [ $ok = 0 ] || fault "$name" "the control compiles"
    grep -qE 'ww::(scheduler|order_search)<...>:' "$out" && fault "$name" "an error that is not ours provokes a sentence"
    return ;;
  *=*) of=${1#*=} ;;
  *) of=${name%%_by_*} ;;
  esac
  # The sentence as it stands in the header.
  sentence=$(sed -n "/fault_is<fault::$of>/{n;s/^[^\"]*\"\(.*\)\");$/\1/p}" include/warpwright/meta/faults.hpp | sed 's/\\"/"/g')
  line=$(grep -n "WW_REJECT_$name\$" "$source" | cut -d: -f1)
  grep -qF "> $sentence" docs/errors.md || fault "$name" "docs/errors.md has another sentence"
  if [ -z "$sentence" ]; then fault "$name" "no sentence in meta/faults.hpp"
  elif [ $ok = 1 ]; then fault "$name" "it compiles"
  elif ! sed 's/\\"/"/g' "$out" | grep -qF "$sentence"; then fault "$name" "another message than: $sentence"
  elif [ "$(grep -c ' error: ' "$out")" != 1 ]; then fault "$name" "more than one error"
  elif ! grep -q "rejection.cpp:$((line + 1)):" "$out"; then fault "$name" "the user's line $((line + 1)) is not cited"
  fi
}

if [ $# -gt 1 ]; then
  shift
  for name in "$@"; do
    count=$((count + 1))
    judge "$name"
  done
else
  cases | xargs -P "${JOBS:-$(nproc)}" -n 8 "$0" "$compiler" || bad=1
  count=$(cases | wc -l)
  for name in $(sed -n 's/.*fault_is<fault::\([a-z_]*\)>.*/\1/p' include/warpwright/meta/faults.hpp); do
    cases | grep -qx "$name" || { echo "FAIL $name: no case provokes it"; bad=$((bad + 1)); }
    grep -qF "### \`$name\`" docs/errors.md || { echo "FAIL $name: not in docs/errors.md"; bad=$((bad + 1)); }
  done
  [ "$count" -gt 0 ] || bad=1
  echo "$compiler: $count cases, $bad bad"
fi
[ $bad = 0 ]
