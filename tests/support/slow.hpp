// SPDX-License-Identifier: BSL-1.0
//
// How much of a long test is run: all of it, or under sanitizers, where every step takes ten times as long, a fixed part. Both
// builds run the same code, on fewer inputs; the lane without sanitizers has seen them all.
#pragma once

#include <cstddef>

namespace ww_test {

#if defined(WW_TEST_FEW_ARCHS)
inline constexpr bool slow = true;
#else
inline constexpr bool slow = false;
#endif

// Of inputs by number, every one, or every n-th in slow builds.
constexpr bool chosen(std::size_t number, std::size_t n) { return !slow || number % n == 0; }

}  // namespace ww_test
