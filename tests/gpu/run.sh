#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
#
# Re-schedules the sm_90 corpus kernels of the harness and runs both forms on the GPU of this machine.
#
#   [WAY="rebuild -O3"] tests/gpu/run.sh CORPUS WARPWRIGHT WW_GPU [harness options]
#
# CORPUS      the corpus folder (cubin/ and listings/ inside)
# WARPWRIGHT  the command-line program, WW_GPU the harness (both from the build folder)
# WAY         the command that makes the other form, with its options; schedule if it is not set
# The table goes to standard output: put it into docs/gpu.md with the date. Exit code: that of the harness.
set -euo pipefail

corpus=${1:?usage: run.sh CORPUS WARPWRIGHT WW_GPU [options]}
warpwright=${2:?the warpwright program}
harness=${3:?the ww_gpu program}
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

units="saxpy sgemm_tiled sgemm_naive reduce_shfl transpose stencil3d nbody chacha20 sha256 hashes histogram scan softmax
       layernorm conv2d dct8x8 mandelbrot philox_mc fft_r4"
for unit in $units; do
  listing=$corpus/listings/$unit.sm90.sass
  if [ ! -f "$listing" ]; then
    xz -dc "$listing.xz" >"$work/$unit.sass"
    listing=$work/$unit.sass
  fi
  # shellcheck disable=SC2086
  "$warpwright" ${WAY:-schedule} "$listing" -o "$work/$unit.out.sass" --cubin "$corpus/cubin/$unit.sm90.cubin" \
    --cubin-out "$work/$unit.sm90.cubin" >"$work/$unit.log" || { cat "$work/$unit.log" >&2; exit 1; }
done
"$harness" "$corpus/cubin" "$work" "$@"
