// SPDX-License-Identifier: BSL-1.0
//
// What decoding must know about an SM beyond the text of the instruction.
//
//   hidden_descriptor  global and generic accesses written [R2.64] read a uniform descriptor pair that only the
//                      encoding names (facts: format.md 1.5; sm_80..sm_89); without it any pair is assumed
//   uniform_zero       encoded number of URZ (63, or 255 on SMs with 8-bit uniform fields)
//   word64             64-bit instructions with a carry flag and 64-bit control groups (sm_50..sm_62)
//   split_distance     branches hold the low eight bits of their distance apart from the others (sm_90 and later)
// The values for each SM are given by arch/dialect.hpp; the default suits listings that print everything.
#pragma once

namespace ww::isa {

struct dialect {
  bool hidden_descriptor = false;
  unsigned uniform_zero = 63;
  bool word64 = false;
  bool split_distance = false;

  friend constexpr bool operator==(const dialect&, const dialect&) = default;
};

}  // namespace ww::isa
