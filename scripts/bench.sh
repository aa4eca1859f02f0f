#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Build every benchmark in a build folder and run it over the bundled listings (graph and control words over a corpus folder of
# uncompressed ones with LISTINGS=DIR); with --check fail when a ratio of bench/README.md is exceeded.
#   scripts/bench.sh [build folder] [--check]      JOBS=N limits parallel compilation
set -uo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
shift || true
generator=()
command -v ninja >/dev/null && [ ! -f "$build/CMakeCache.txt" ] && generator=(-G Ninja)
cmake -S . -B "$build" ${generator[@]+"${generator[@]}"} -DWARPWRIGHT_BUILD_BENCH=ON >/dev/null &&
  cmake --build "$build" -j "${JOBS:-$(nproc)}" --target benches || exit 1
listings=()
[ -n "${LISTINGS:-}" ] && listings=("$LISTINGS"/*.sm80.sass)
status=0
ran=0
for program in "$build"/bench/bench_*; do
  [ -x "$program" ] && [ -f "$program" ] || continue
  ran=$((ran + 1))
  echo "== $(basename "$program")"
  case $program in
    *bench_graph | *bench_scoreboard) "$program" "$@" ${listings[@]+"${listings[@]}"} || status=1 ;;
    *) "$program" "$@" || status=1 ;;
  esac
done
echo "== bench_compile"
python3 bench/compile.py --runs "${COMPILE_RUNS:-5}" "$@" || status=1
[ "$ran" -gt 0 ] || { echo "no benchmark was built in $build"; exit 1; }
exit $status
