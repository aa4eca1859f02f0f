// SPDX-License-Identifier: BSL-1.0
//
// Modes of the unified engine (PLS-1): one core loop, and a compile-time policy with its weights, gates and knob defaults.
//
//   ilp         latency first: the budget is the architecture's or 95 % of the declared registers; no gate, every block
//   reduce_reg  fewest live registers: the budget is knob 776 (250) at most, and never more than the block's own peak, less
//               what is committed (knob 761: 3) and an eighth and three more (knob 762: automatic)
//   dyn_batch   the ILP budget, pressure tracked, and runs of tensor instructions kept together, up to 16 (knob 806)
//
// A user overrides a knob by deriving:
//   struct tight : ww::mode::reduce_reg { static constexpr const char* name = "tight"; static constexpr int committed = 12;
//   };
//
//   schedules(n)         the gate: is a block of n instructions ordered at all
//   target(limit, declared, peak)   registers that a block may use (432); `peak` is what its source order needs
//   tracks_pressure      resource vector and overflow count (176)       reduces_registers   ReduceReg's reduction (484)
//   committed 412, explicit_reduction 416 (< 0: automatic), contention_margin knob 760 (< 0: a sixteenth)
//   queue_depth knob 770, batch_limit knob 805 cut at 16, batch_cap knob 806, batch_gap knob 741
//   hot_budget           cold accesses per block before temperature stops counting
//   critical_by_height   the critical bit also marks instructions whose deadline is reached; false: the text's threshold
//   alone literal_overflow     bit 4 by the text's condition alone (schedule/unified/score.hpp)
#pragma once

#include <cstdint>

#include "../meta/role.hpp"
#include "../meta/traits.hpp"
#include "../meta/type_list.hpp"

namespace ww {

template <class M>
concept mode_policy = requires {
  { M::name } -> meta::convertible_to<const char*>;
  { M::schedules(std::uint32_t{1}) } -> meta::same_as<bool>;
  { M::budget(1u, 1u) } -> meta::convertible_to<std::int32_t>;
  { M::target(1u, 1u, 1u) } -> meta::convertible_to<std::int32_t>;
  typename meta::constant<bool{M::reduces_registers} + bool{M::tracks_pressure} + bool{M::critical_by_height} +
                          bool{M::literal_overflow}>;
  typename meta::constant<int{M::committed} + int{M::explicit_reduction} + int{M::contention_margin}>;
  typename meta::constant<unsigned{M::queue_depth} + unsigned{M::batch_limit} + unsigned{M::batch_cap} +
                          unsigned{M::batch_gap} + unsigned{M::hot_budget} + unsigned{M::critical_slack}>;
};

namespace mode {

struct ilp {
  using role = ww::role::mode;
  static constexpr const char* name = "ilp";
  static constexpr bool reduces_registers = false;
  static constexpr bool tracks_pressure = false;
  static constexpr bool critical_by_height = true;
  static constexpr bool literal_overflow = false;
  static constexpr int committed = 0;            // registers
  static constexpr int explicit_reduction = -1;  // registers
  static constexpr int contention_margin = -1;   // registers
  static constexpr unsigned queue_depth = 4;
  static constexpr unsigned batch_limit = 16;
  static constexpr unsigned batch_cap = 0;  // instructions
  static constexpr unsigned batch_gap = 3;  // picks
  static constexpr unsigned hot_budget = 16;
  static constexpr unsigned critical_slack = 0;  // cycles

  [[nodiscard]] static constexpr bool schedules(std::uint32_t) { return true; }
  [[nodiscard]] static constexpr std::int32_t budget(unsigned architecture_limit, unsigned declared) {
    const unsigned scaled = declared == 0 ? architecture_limit : declared * 95u / 100u;
    return static_cast<std::int32_t>(scaled < architecture_limit ? scaled : architecture_limit);
  }
  [[nodiscard]] static constexpr std::int32_t target(unsigned architecture_limit, unsigned declared, unsigned) {
    return budget(architecture_limit, declared);
  }
};

struct reduce_reg : ilp {
  static constexpr const char* name = "reduce_reg";
  static constexpr bool reduces_registers = true;
  static constexpr bool tracks_pressure = true;
  static constexpr int committed = 3;
  static constexpr unsigned register_target = 250;   // knob 776
  static constexpr unsigned register_ceiling = 300;  // knob 778

  [[nodiscard]] static constexpr bool schedules(std::uint32_t instructions) { return instructions > 2; }
  [[nodiscard]] static constexpr std::int32_t target(unsigned architecture_limit, unsigned, unsigned peak) {
    unsigned t = register_target < register_ceiling ? register_target : register_ceiling;
    t = t < architecture_limit ? t : architecture_limit;
    return static_cast<std::int32_t>(peak != 0 && peak < t ? peak : t);
  }
};

struct dyn_batch : ilp {
  static constexpr const char* name = "dyn_batch";
  static constexpr bool tracks_pressure = true;
  static constexpr unsigned batch_cap = 16;
};

using shipped = meta::type_list<ilp, reduce_reg, dyn_batch>;

}  // namespace mode
}  // namespace ww
