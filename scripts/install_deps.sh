#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Install what the build needs on Debian 12 or Ubuntu 22.04 and later. Does nothing where everything is present.
#   scripts/install_deps.sh [--ci]     --ci adds clang, its sanitizer runtime, clang-format, clang-tidy and an older g++
set -euo pipefail

packages=()
have() { command -v "$1" >/dev/null 2>&1; }
header() { [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ]; }

have g++ || packages+=(g++)
have cmake || packages+=(cmake)
have ninja || packages+=(ninja-build)
have python3 || packages+=(python3)
have xz || packages+=(xz-utils)
have objdump || packages+=(binutils)
header catch2/catch.hpp || header catch2/catch_test_macros.hpp || packages+=(catch2)
header range/v3/all.hpp || packages+=(librange-v3-dev)
header boost/hana/tuple.hpp || packages+=(libboost-dev)
if [ "${1:-}" = "--ci" ]; then
  have clang++ || packages+=(clang)
  have clang-format || packages+=(clang-format)
  have clang-tidy || packages+=(clang-tidy)
  if ! have g++-11 && [ -n "$(apt-cache search --names-only '^g\+\+-11$' 2>/dev/null)" ]; then
    packages+=(g++-11)  # the oldest that the README names
  fi
  if ! echo 'int main(){}' | clang++ -x c++ -fsanitize=fuzzer-no-link,address - -o /dev/null >/dev/null 2>&1; then
    version=$(clang++ --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p' | head -n 1)
    packages+=("libclang-rt-${version:-14}-dev")
  fi
fi
if [ ${#packages[@]} -gt 0 ]; then
  root=()
  [ "$(id -u)" = 0 ] || root=(sudo)
  echo "installing: ${packages[*]}"
  "${root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -y -qq "${packages[@]}" >/dev/null
fi
