// SPDX-License-Identifier: BSL-1.0
//
// Register accesses of a program in a compact form, by position in program::order.
//
// The passes of this folder walk every instruction several times. So its operands are decoded once: an `access` is one
// register unit (units.hpp) that an operand names, a `site` is one position with its slice of accesses, results first, and
// the class facts that the passes ask for. Operands that carry no dependence are left out.
#pragma once

#include <cstdint>

#include "../arch/late_source.hpp"
#include "../graph/distance_memo.hpp"
#include "class_table.hpp"
#include "special.hpp"
#include "units.hpp"

namespace ww::scoreboard {

struct access {
  // Bits of `what` above the access code (class, slot, guard, part) and the register file.
  static constexpr unsigned file_at = ww::detail::access_code::bits;
  static constexpr unsigned def_at = 26;
  static constexpr std::uint32_t def = 1u << def_at;  // a result
  static constexpr std::uint32_t late = 1u << 27;     // a source that may be read long after issue
  static constexpr std::uint32_t kills = 1u << 28;    // a result that certainly replaces the old value
  static constexpr std::uint32_t slow = 1u << 29;     // a source whose overwriting takes three cycles or more

  static constexpr unsigned port_at = 30;  // port of a source that is a general register (ir/operand.hpp), 0 = none

  std::uint32_t unit = 0;
  std::uint32_t what = 0;

  [[nodiscard]] constexpr bool has(std::uint32_t b) const { return (what & b) != 0; }
  [[nodiscard]] constexpr std::uint32_t code() const { return what & ((1u << file_at) - 1); }
  // The same for the first unit of its operand.
  [[nodiscard]] constexpr std::uint32_t first_code() const { return what & (ww::detail::access_code::next_part - 1); }
  [[nodiscard]] constexpr slot where() const { return ww::detail::access_code::where(what); }
  // Which register of its operand.
  [[nodiscard]] constexpr unsigned part() const { return what / ww::detail::access_code::next_part & 0xffu; }
  [[nodiscard]] constexpr reg_file file() const { return static_cast<reg_file>(what >> file_at & 15u); }
};

struct site {
  static constexpr std::uint8_t guarded = 1;
  static constexpr std::uint8_t after_all = 2;  // everything has landed before it: an unknown opcode, a collective
  static constexpr std::uint8_t variable = 4;
  static constexpr std::uint8_t late = 8;         // some source is read late
  static constexpr std::uint8_t data_bound = 16;  // the stall behind it covers a result latency
  static constexpr std::uint8_t special = 32;     // may have a role
  static constexpr std::uint8_t early = 64;       // its results come with its reads: a counter for those is enough
  static constexpr std::uint8_t far = 128;        // its results may come from beyond the first-level cache

  static constexpr std::uint8_t drain_floor = 255;  // in `floor`: it drains

  std::uint32_t instruction = 0;
  control ctl;              // the word being made; written back at the end
  std::uint32_t first = 0;  // index into workspace::accesses
  std::uint16_t results = 0;
  std::uint16_t count = 0;  // results and sources
  special_role role;
  sched_class iclass{};
  std::uint8_t bits = 0;
  std::uint8_t floor = 1;           // least own stall found so far
  std::uint16_t result_cycles = 0;  // estimates (latency::result_estimate, read_estimate) of what may take a counter
  std::uint16_t read_cycles = 0;

  [[nodiscard]] constexpr bool has(std::uint8_t b) const { return (bits & b) != 0; }
  constexpr void add(std::uint8_t b) { bits = static_cast<std::uint8_t>(bits | b); }
  [[nodiscard]] constexpr bool drains() const { return floor == drain_floor; }
  [[nodiscard]] constexpr bool leave() const { return role.has(special_role::leave); }
};
static_assert(sizeof(site) == 32);  // found by a shift

}  // namespace ww::scoreboard
