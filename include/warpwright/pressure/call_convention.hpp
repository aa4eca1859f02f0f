// SPDX-License-Identifier: BSL-1.0
//
// What a call keeps and what it destroys, where the callee is not followed.
//
//   preserved   R1 (stack pointer), R2, R16..R31, and from R32 on the upper four of every eight; UR0..UR3 and UR36 on
//   clobbered   everything else; all predicates
//   read        by a call: R0 and R1 beside its own operands; by a return: every preserved general register
//   always      R1 is needed wherever code ends
//
// Source: NVIDIA's live-range tables of the corpus (sm_80 and sm_90), which give every CALL, RET and EXIT the same summary,
// whatever the callee does.
#pragma once

#include <cstdint>

#include "register_layout.hpp"

namespace ww::call_convention {

constexpr bool preserved(pressure_class c, std::uint32_t number) {
  switch (c) {
    case pressure_class::r:
      if (number >= reg::first_virtual) return true;
      return number == 1 || number == 2 || (number >= 16 && (number < 32 || number % 8 >= 4));
    case pressure_class::ur:
      return number < 4 || number >= 36;
    case pressure_class::p:
    case pressure_class::up:
    case pressure_class::count:
      break;
  }
  return false;
}
constexpr bool read_by_call(pressure_class c, std::uint32_t number) { return c == pressure_class::r && number <= 1; }
constexpr bool read_by_return(pressure_class c, std::uint32_t number) {
  return c == pressure_class::r && preserved(c, number);
}
constexpr bool always_live(pressure_class c, std::uint32_t number) { return c == pressure_class::r && number == 1; }

// Sets the bits of all registers of the layout for which `rule(class, number)` holds.
template <class Rule>
void mark(const register_layout& layout, std::uint64_t* bits, Rule rule) {
  for (unsigned c = 0; c < pressure_class_count; ++c) {
    for (std::uint32_t n = 0; n < layout.physical[c]; ++n) {
      if (rule(static_cast<pressure_class>(c), n)) bits[layout.first_word[c] + (n >> 6)] |= 1ull << (n & 63u);
    }
  }
}

}  // namespace ww::call_convention
