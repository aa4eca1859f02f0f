#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Build everything and pass the tests. Installs missing packages first.
#   scripts/test.sh [build folder]      JOBS=N limits parallel compilation
# Ends with one line: "N passed, N failed". With WARPWRIGHT_CORPUS=DIR the corpus tests run over that corpus.
set -uo pipefail
cd "$(dirname "$0")/.."
scripts/install_deps.sh || exit 1
build=${1:-build}
jobs=${JOBS:-$(nproc)}
generator=()
command -v ninja >/dev/null && generator=(-G Ninja)
cmake -S . -B "$build" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release ${CMAKE_ARGS:-} >"$build.configure.log" 2>&1 || {
  cat "$build.configure.log"
  exit 1
}
rm -f "$build.configure.log"
cmake --build "$build" -j "$jobs" || exit 1
report=$(mktemp)
ctest --test-dir "$build" --output-on-failure -j "$jobs" 2>&1 | tee "$report"
status=${PIPESTATUS[0]}
total=$(sed -n 's/.*tests failed out of \([0-9]*\).*/\1/p' "$report" | tail -n 1)
failed=$(sed -n 's/.*, \([0-9]*\) tests failed out of.*/\1/p' "$report" | tail -n 1)
rm -f "$report"
echo "$((${total:-0} - ${failed:-0})) passed, ${failed:-0} failed"
[ "${total:-0}" -gt 0 ] || exit 1
exit "$status"
