#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
#
# Generated kernels with their re-scheduled forms, for `ww_gpu --generated`.
#
#   tests/gpu/make_generated.sh OUT WARPWRIGHT SEED COUNT
#
# OUT/orig holds the compiled cubins for sm_90, and a folder for each way to schedule or rebuild the same names. Needs nvcc, and nvdisasm in PATH or
# named by NVDISASM. JOBS at once (1). Prints what did not compile, what the checker found in compiled code and in ours, and
# what was refused; exit code 1 if anything was found or refused.
set -euo pipefail

out=${1:?usage: make_generated.sh OUT WARPWRIGHT SEED COUNT}
warpwright=$(realpath "${2:?the warpwright program}")
seed=${3:?a seed}
count=${4:?how many}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out/src" "$out/orig" "$out/list"
out=$(realpath "$out")
python3 "$here/generate.py" "$seed" "$count" "$out/src"
export out warpwright NVDISASM=${NVDISASM:-nvdisasm}

one() {
  set -uo pipefail
  local k=$1 source=$out/src/$1.cu listing=$out/list/$1.sass
  # shellcheck disable=SC2046
  if ! nvcc -arch=sm_90 -cubin $(sed -n '1s|// nvcc:||p' "$source") -o "$out/orig/$k.sm90.cubin" "$source" 2>"$out/list/$k.nvcc"; then
    echo "$k: does not compile: $(grep -m1 error "$out/list/$k.nvcc")"
    return
  fi
  "$NVDISASM" -c -hex "$out/orig/$k.sm90.cubin" >"$listing"
  "$warpwright" check "$listing" >"$out/list/$k.check" 2>&1 || echo "$k: compiled code: $(head -3 "$out/list/$k.check")"
  way() {
    local folder=$out/$1 command=$2
    shift 2
    mkdir -p "$folder"
    if ! "$warpwright" "$command" "$listing" -o "$out/list/$k.new" --cubin "$out/orig/$k.sm90.cubin" --cubin-out "$folder/$k.sm90.cubin" "$@" >"$out/list/$k.log" 2>&1; then
      echo "$k: $(basename "$folder"): $(grep -v '^function' "$out/list/$k.log" | head -2)"
      return
    fi
    "$warpwright" check "$out/list/$k.new" >"$out/list/$k.check" 2>&1 || echo "$k: $(basename "$folder"): $(head -3 "$out/list/$k.check")"
  }
  way default schedule
  way w1 schedule --warps 1
  way keep schedule --keep-order
  way reduce_reg schedule --mode reduce_reg
  way permutation schedule --strategy permutation
  way motion schedule --strategy global_motion
  way rebuild rebuild
  way rebuild_w1 rebuild --warps 1
  way rebuild_o3 rebuild -O3
  rm -f "$out/list/$k.new" "$out/list/$k.log" "$out/list/$k.nvcc" "$out/list/$k.check"
}
export -f one
report=$(cd "$out/src" && ls ./*.cu | sed 's|^\./||; s|\.cu$||' | xargs -P "${JOBS:-1}" -I{} bash -c 'one {}')
printf '%s\n' "$report"
echo "$(ls "$out/orig" | wc -l) of $count kernels"
[ -z "$report" ]
