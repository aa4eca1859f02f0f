#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Judge object code: check.sh clean | control | rounded | fused OBJECT
#   clean    no indirect call, no indirect jump (the object is built without jump tables), no vtable, no type information,
#            and at least ten probe functions, so that an empty object does not pass
#   control  every one of these is found: a pick loop behind a virtual function shows that the search works
#   rounded  no fused multiply-add, and at least seven probe functions
#   fused    some are found: a plain sum of products shows that the search works
set -uo pipefail
mode=$1
object=$2
code=$(objdump -d --no-show-raw-insn "$object") || exit 2
names=$(nm -C "$object") || exit 2
calls=$(grep -cE '\bcall[a-z]*[[:space:]]+\*' <<<"$code")
jumps=$(grep -cE '\bjmp[a-z]*[[:space:]]+\*' <<<"$code")
tables=$(grep -c 'vtable for' <<<"$names")
types=$(grep -c 'typeinfo for' <<<"$names")
probes=$(grep -cE ' T probe_' <<<"$names")
fused=$(grep -cE '\bvfn?m(add|sub)' <<<"$code")
echo "$(basename "$object"): indirect calls $calls, indirect jumps $jumps, vtables $tables, typeinfos $types, probes $probes," \
  "fused $fused"
case $mode in
clean)
  grep -E '\b(call|jmp)[a-z]*[[:space:]]+\*' <<<"$code" | head
  [ "$calls" = 0 ] && [ "$jumps" = 0 ] && [ "$tables" = 0 ] && [ "$types" = 0 ] && [ "$probes" -ge 10 ] ;;
rounded) [ "$fused" = 0 ] && [ "$probes" -ge 7 ] ;;
fused) [ "$fused" -ge 1 ] ;;
control) [ "$calls" -ge 1 ] && [ "$jumps" -ge 1 ] && [ "$tables" -ge 1 ] && [ "$types" -ge 1 ] ;;
*) echo "usage: check.sh clean|control|rounded|fused OBJECT"; exit 2 ;;
esac
