// SPDX-License-Identifier: BSL-1.0
//
// The opcode table: one row per opcode, in the order of the enumeration.
//
// The four row headers are joined here at compile time. Row i describes enumerator i, no mnemonic occurs
// twice, none is longer than the lookup key: tests/isa/opcode_table.cpp asserts it.
#pragma once

#include <cstddef>

#include "../meta/array.hpp"
#include "opcode_row.hpp"
#include "opcode_rows_arith.hpp"
#include "opcode_rows_control.hpp"
#include "opcode_rows_memory.hpp"
#include "opcode_rows_uniform.hpp"

namespace ww::isa {
namespace detail {

consteval array<opcode_row, opcode_count> join_rows() {
  array<opcode_row, opcode_count> all{};
  all[0] = {"", opcode::unknown, sched_class::unknown, form::ctl, trait::fence | trait::effect};
  std::size_t n = 1;
  for (const opcode_row& r : arith_rows) all[n++] = r;
  for (const opcode_row& r : uniform_rows) all[n++] = r;
  for (const opcode_row& r : memory_rows) all[n++] = r;
  for (const opcode_row& r : control_rows) all[n++] = r;
  return all;
}

}  // namespace detail

inline constexpr array<detail::opcode_row, opcode_count> opcode_table = detail::join_rows();

}  // namespace ww::isa
