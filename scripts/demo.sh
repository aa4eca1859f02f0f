#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The main job on a real kernel: read what ptxas made, check it, re-order it inside its blocks, give it new stalls,
# barriers and waits, prove the result, write listing and cubin, and show what it costs; then with new registers, too. Installs
# missing packages first.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install_deps.sh
build=${BUILD:-build}
generator=()
command -v ninja >/dev/null && generator=(-G Ninja)
cmake -S . -B "$build" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release >/dev/null
echo "building the command line ..."
cmake --build "$build" -j "${JOBS:-$(nproc)}" --target warpwright_cli >/dev/null
tool=$build/examples/warpwright/warpwright
data=tests/data/demo
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
run() {
  printf '\n$ warpwright %s\n' "$(printf '%s ' "$@" | sed "s#$out/##g; s#$data/##g")"
  "$tool" "$@"
}
run check "$data/sgemm_tiled.sm80.sass"
run schedule "$data/sgemm_tiled.sm80.sass" --warps 1 -o "$out/sgemm_tiled.new.sass" \
  --cubin "$data/sgemm_tiled.sm80.cubin" --cubin-out "$out/sgemm_tiled.new.cubin"
run check "$out/sgemm_tiled.new.sass" "$out/sgemm_tiled.new.cubin"
# The same program: every operand reads what it read, memory and barriers keep their order.
run check "$out/sgemm_tiled.new.sass" --original "$data/sgemm_tiled.sm80.sass"
run compare --warps 1 "$data"/*.sass
run compare --warps 8 "$data"/*.sass
# And the whole way of a back end: the registers made anew as well, every value proved to be where it is read.
run rebuild --warps 1 "$data"/*.sass
printf '\nThe first lines that changed (left as compiled, right rescheduled):\n'
diff --side-by-side --suppress-common-lines -W 170 \
  <(sed -n 's#^ *\(/\*[0-9a-f]*\*/ .*;\).*/\* 0x.*#\1#p' "$data/sgemm_tiled.sm80.sass") \
  <(sed -n 's#^ *\(/\*[0-9a-f]*\*/ .*;\).*/\* 0x.*#\1#p' "$out/sgemm_tiled.new.sass") | head -n 12 || true
