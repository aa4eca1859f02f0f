// SPDX-License-Identifier: BSL-1.0
//
// The problem of register allocation for one class of registers, as a plain value: registers, constraints, the file.
//
//   register      what wants a place: width in slots, alignment, pair mode, costs; `physical` is the answer, -1 = none. Slots at
//                 which it may start are `phase` modulo its step
//   constraint    of one register, about another or about a physical register: kind (0 to 15 and own ones), weight, soft or
//                 not; `low` and `high` say more where a kind wants it
//   file          the physical registers: how many there are, how many may be used, which are reserved
//   candidates    places that were chosen before, by register: taken when they are free
// Constraints are grouped by register: those of r are constraints[first_constraint[r]] and on (problem_builder.hpp makes the
// groups). What holds between two registers must stand with both, as each looks only at its own when it gets its place, and
// only at targets that have theirs. A constraint that is not soft is a promise: what it forbids does not happen, whatever the
// weights. Weights are not negative. Ids and kinds out of range, and
// links that go round in a circle, are passed over.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/fnv_table.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "geometry.hpp"

namespace ww::regalloc {

inline constexpr std::uint32_t no_register = 0xffffffffu;

enum class register_flag : std::uint32_t {
  pre_assigned = 1u << 0,    // `physical` is given and stays
  must_not_spill = 1u << 1,  // no place within the budget is a failure
  spilled = 1u << 2,         // is in memory already: over the budget it costs nothing more
  limit_override = 1u << 3,  // its ceiling is the limit of the class, where that is lower than the budget
  needs_spill = 1u << 4,     // result: no place within the budget
  high_half = 1u << 5,       // result: of a paired register, the odd half
  exact_width = 1u << 6,     // takes `width` slots, not rounded up to its alignment
};

struct allocatable {
  std::uint16_t width = 1;
  std::uint8_t alignment_log2 = 0;
  pair_mode pairing = pair_mode::single;
  std::uint8_t reg_class = 0;
  std::uint32_t flags = 0;
  std::uint32_t alias_parent = no_register;  // coalesced with it: both get one place
  float secondary_cost = 0;
  double spill_cost = 0;
  std::int32_t physical = -1;
  std::uint16_t phase = 0;

  [[nodiscard]] constexpr bool has(register_flag f) const { return (flags & static_cast<std::uint32_t>(f)) != 0; }
  constexpr void set(register_flag f, bool on = true) {
    flags = on ? flags | static_cast<std::uint32_t>(f) : flags & ~static_cast<std::uint32_t>(f);
  }
};

struct constraint {
  std::uint32_t target = 0;  // a register of this problem, or the number of a physical one
  std::int32_t weight = 1;
  std::uint8_t kind = 0;
  bool soft = false;      // a wish: may be relaxed
  bool physical = false;  // what `target` is
  std::int16_t low = 0;   // of part_point: first and last start that is spoilt, counted from the target's slot
  std::int16_t high = 0;
};

struct register_file {
  std::uint32_t hardware_limit = 255;
  std::uint32_t max_slot = 254;     // the highest register that may be used
  std::uint32_t class_limit = 254;  // likewise, for registers with limit_override
  std::uint32_t slot_count = 0;     // registers that a search looks at, within the budget; 0: the limit and the headroom
  std::uint32_t base = 0;           // number of the first physical register
  std::uint32_t start = 0;          // searches begin here
  std::uint32_t scan_alignment = 1;
  std::uint32_t pair_shift = 0;  // select_register steps by 2 << pair_shift through pairs
  std::uint8_t reg_class = 0;    // registers of other classes are not touched
  allocation_mode mode = allocation_mode::normal;
  bool quad_ceiling = false;
  vec<std::uint32_t> reserved;  // numbers of physical registers that nobody gets

  // Registers that a search looks at.
  [[nodiscard]] constexpr std::uint32_t searched() const {
    const std::uint32_t budget = budget_of(hardware_limit, mode);
    if (slot_count == 0) return budget_of(hardware_limit, allocation_mode::normal);
    return slot_count < budget ? slot_count : budget;
  }
  // The highest register that r may take.
  [[nodiscard]] constexpr std::uint32_t highest(const allocatable& r) const {
    const std::uint32_t most = max_slot < most_registers ? max_slot : most_registers - 1;
    return r.has(register_flag::limit_override) && class_limit < most ? class_limit : most;
  }
};

struct problem {
  register_file file;
  vec<allocatable> registers;
  vec<constraint> constraints;
  vec<std::uint32_t> first_constraint;  // one more than registers
  meta::fnv_table<std::uint32_t> candidates;

  [[nodiscard]] span<const constraint> constraints_of(std::uint32_t r) const {
    if (std::size_t{r} + 1 >= first_constraint.size()) return {};
    const std::size_t from = first_constraint[r];
    const std::size_t to = first_constraint[r + 1];
    return from < to && to <= constraints.size() ? span<const constraint>(constraints.data() + from, to - from)
                                                 : span<const constraint>();
  }
};

}  // namespace ww::regalloc
