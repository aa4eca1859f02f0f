// SPDX-License-Identifier: BSL-1.0
//
// The register budget prologue of the unified engine (PLS-4), computed once per block.
//
//   unit        what pressure is counted in: a register, or half a register where an SM counts components (two units a
//               register, sm_70 and later by the text)
//   committed   registers held back (412)         reduction   what ReduceReg takes off: target / 8 + 3, or a number (416)
//   budget      target - committed - reduction, in units: the limit of the pressure overflow
//   reduced     the same less a sixteenth, or less a number (knob 760): the limit of the contention score
#pragma once

#include <cstdint>

namespace ww::unified {

// Units per register: `Arch::limits::register_units`, 1 where an SM does not say.
template <class Arch>
[[nodiscard]] consteval std::int32_t units_per_register() {
  if constexpr (requires { Arch::limits::register_units; }) {
    return static_cast<std::int32_t>(Arch::limits::register_units);
  } else {
    return 1;
  }
}

template <class Arch>
[[nodiscard]] constexpr std::int32_t to_units(std::int32_t registers) {
  return registers * units_per_register<Arch>();
}

// The way back, rounded up.
template <class Arch>
[[nodiscard]] constexpr std::uint32_t to_registers(std::uint32_t units) {
  constexpr std::uint32_t per = units_per_register<Arch>();
  return (units + per - 1) / per;
}
// The same; what is negative stays in its direction.
template <class Arch>
[[nodiscard]] constexpr std::int32_t to_registers(std::int32_t units) {
  return units >= 0 ? static_cast<std::int32_t>(to_registers<Arch>(static_cast<std::uint32_t>(units)))
                    : -(-units / units_per_register<Arch>());
}

struct register_budget {
  std::int32_t budget = 0;     // units
  std::int32_t reduced = 0;    // units
  std::int32_t predicate = 7;  // live predicates above this overflow
  std::int32_t address = 7;    // live address registers above this overflow
  std::int32_t uniform = 0;    // live uniform registers at or above this overflow; 0 = the SM has none
};

// `target`: registers that the block may use (432).
template <class Arch, class Mode>
[[nodiscard]] constexpr register_budget make_budget(std::int32_t target) {
  register_budget b;
  std::int32_t base = target - Mode::committed;
  if (Mode::reduces_registers) {
    base -= Mode::explicit_reduction < 0 ? target / 8 + 3 : Mode::explicit_reduction;
  }
  if (base < 1) base = 1;
  b.budget = to_units<Arch>(base);
  b.reduced = to_units<Arch>(Mode::contention_margin >= 0 ? base - Mode::contention_margin : base - base / 16);
  b.uniform = static_cast<std::int32_t>(Arch::limits::uniform_registers);
  return b;
}

}  // namespace ww::unified
