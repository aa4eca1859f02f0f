// SPDX-License-Identifier: BSL-1.0
//
// Register accesses of a program in a compact form, by position in program::order.
//
// The passes of this folder walk every instruction several times. So its operands are decoded once: an `access` is one
// register operand with its unit (units.hpp), a `site` is one position with its slice of accesses and the class facts that
// the passes ask for. Operands that carry no dependence are left out.
#pragma once

#include <cstdint>

#include "../arch/late_source.hpp"
#include "class_table.hpp"
#include "special.hpp"
#include "units.hpp"

namespace ww::scoreboard {

struct access {
  static constexpr std::uint8_t def = 1;
  static constexpr std::uint8_t late = 2;   // a source that may be read long after issue
  static constexpr std::uint8_t kills = 4;  // a result that certainly replaces the old value
  static constexpr std::uint8_t slow = 8;   // a source whose overwriting takes three cycles or more

  std::uint32_t unit = 0;
  std::uint8_t width = 1;
  slot where = slot::none;
  reg_file file = reg_file::r;
  std::uint8_t bits = 0;

  [[nodiscard]] bool is_def() const { return (bits & def) != 0; }
  [[nodiscard]] bool has(std::uint8_t b) const { return (bits & b) != 0; }
};

struct site {
  static constexpr std::uint8_t guarded = 1;
  static constexpr std::uint8_t unknown = 2;
  static constexpr std::uint8_t variable = 4;
  static constexpr std::uint8_t late = 8;     // some source is read late
  static constexpr std::uint8_t result = 16;  // some register is written

  std::uint32_t instruction = 0;
  std::uint32_t first = 0;  // index into workspace::accesses
  std::uint8_t count = 0;
  std::uint8_t bits = 0;
  sched_class iclass{};
  special_role role;
  std::uint8_t floor = 1;       // least own stall found so far
  std::uint8_t data_bound = 0;  // the stall behind it covers a result latency

  [[nodiscard]] bool has(std::uint8_t b) const { return (bits & b) != 0; }
  [[nodiscard]] bool leave() const { return role.has(special_role::leave); }
};

// The point of view of the latency rules.
inline access_point point_of(const site& s, const access& a, unsigned part) {
  return {s.iclass, a.where, a.file, static_cast<std::uint8_t>(part), s.has(site::guarded)};
}

}  // namespace ww::scoreboard
