#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
#
# Lists corpus kernels for sm_100 to sm_120: NAME.smNNN.sass, the text of `nvdisasm -c -hex`.
#
#   NVDISASM=.../nvdisasm scripts/make_blackwell_listings.sh CORPUS [OUT]
#
# CORPUS   the corpus folder (cubin/ and src/ inside)
# OUT      folder to fill, default tests/data/listings_blackwell
# NVDISASM an nvdisasm of CUDA 12.8 or later, default the one on PATH. The checked-in files are by V13.1.80, the one
#          inside the Python package triton 3.9.0 (triton/backends/nvidia/bin/nvdisasm)
# NVCC     nvcc of CUDA 13 or later for sm_103 and sm_110, default the one on PATH; without one they are left out with a message
# NEWER    folder with nvcc, ptxas and nvdisasm of CUDA 13.5 or later for sm_107; without one it is left out with a message
# KERNELS  names to list, default the small set kept as test data; "all" = every kernel of the corpus
# sm_100 and sm_120 are listed from the corpus cubins; sm_103 and sm_110 are compiled from the sources with the corpus's options.
# sm_107 is compiled in the same way: the kernels of RUBIN.
# What sm_110 has of its own, timed integer matrix operations beside counted doubles, is in the kernels of MATRIX.
set -euo pipefail

corpus=${1:?usage: make_blackwell_listings.sh CORPUS [OUT]}
out=${2:-$(dirname "$0")/../tests/data/listings_blackwell}
nvdisasm=${NVDISASM:-nvdisasm}
nvcc=${NVCC:-nvcc}
matrix=${MATRIX:-igemm_mma}
rubin=${RUBIN:-saxpy scan reduce_shfl transpose sync_heavy cas_atomics constmem noinline_call dgemm igemm_mma tma_pipeline}
kernels=${KERNELS:-saxpy scan reduce_shfl transpose histogram stencil3d sync_heavy cas_atomics constmem mma_zoo printf_assert noinline_call sgemm_naive hgemm_wmma jumptable tma_pipeline}

command -v "$nvdisasm" >/dev/null || { echo "nvdisasm not found: set NVDISASM" >&2; exit 1; }
if [ "$kernels" = all ]; then
  kernels=$(cd "$corpus/cubin" && ls ./*.sm100.cubin | sed 's#^\./##; s#\.sm100\.cubin$##')
fi
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile=yes
command -v "$nvcc" >/dev/null || { compile=no; echo "nvcc not found: sm_103 and sm_110 are left out" >&2; }
count=0
[ -n "${NEWER:-}" ] || echo "NEWER is not set: sm_107 is left out" >&2
list() {
  local name=$1 sm=$2 cubin=$corpus/cubin/$1.sm$2.cubin
  if [ "$sm" = 103 ] || [ "$sm" = 107 ] || [ "$sm" = 110 ]; then
    [ "$compile" = yes ] || return 0
    # the last name of the path ends up in messages of assert(): compile from inside the source folder
    (cd "$corpus/src" && "$nvcc" -arch="sm_$sm" -O3 -std=c++17 -ptx -o "$work/$name.ptx" "$name.cu")
    cubin=$work/$name.sm$sm.cubin
    "$(dirname "$(command -v "$nvcc")")/ptxas" -O3 -arch="sm_$sm" -o "$cubin" "$work/$name.ptx"
  fi
  "$nvdisasm" -c -hex "$cubin" >"$out/$name.sm$sm.sass"
  count=$((count + 1))
}
for name in $kernels; do
  for sm in 100 103 120; do list "$name" "$sm"; done
done
for name in $matrix; do list "$name" 110; done
if [ -n "${NEWER:-}" ]; then
  compile=yes
  nvcc=$NEWER/nvcc
  nvdisasm=$NEWER/nvdisasm
  for name in $rubin; do list "$name" 107; done
fi
echo "$count listings in $out, $(du -sk "$out" | cut -f1) KiB"
