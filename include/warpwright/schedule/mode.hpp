// SPDX-License-Identifier: BSL-1.0
//
// Modes of the unified engine (PLS-1): one core loop, and a compile-time policy with its weights, gates and knob defaults.
//
//   ilp         latency first: no register budget below the architecture's, critical path and stall-free bits decide. It has
//   no gate:
//               every block is scheduled
//   budget(n)   general registers that a block may have live when the program declares n registers (0 = unknown):
//               min(architecture's limit, 95 % of n), the text's ILP budget
//   queue_depth knob 770 (4), batch_limit knob 805 cut at 16, hot_budget: cold accesses per block before temperature stops
//   counting
#pragma once

#include <concepts>
#include <cstdint>

#include "../meta/role.hpp"

namespace ww {

template <class M>
concept mode_policy = requires {
  { M::name } -> std::convertible_to<const char*>;
  { M::reduces_registers } -> std::convertible_to<bool>;
  { M::gated } -> std::convertible_to<bool>;
  { M::budget(1u, 1u) } -> std::convertible_to<std::int32_t>;
  { M::queue_depth } -> std::convertible_to<unsigned>;
  { M::hot_budget } -> std::convertible_to<unsigned>;
  { M::critical_slack } -> std::convertible_to<unsigned>;
};

namespace mode {

struct ilp {
  using role = ww::role::mode;
  static constexpr const char* name = "ilp";
  static constexpr bool reduces_registers = false;
  static constexpr bool gated = false;
  static constexpr unsigned queue_depth = 4;
  static constexpr unsigned batch_limit = 16;
  static constexpr unsigned hot_budget = 16;
  static constexpr unsigned critical_slack = 0;  // cycles

  [[nodiscard]] static constexpr std::int32_t budget(unsigned architecture_limit, unsigned declared) {
    const unsigned scaled = declared == 0 ? architecture_limit : declared * 95u / 100u;
    return static_cast<std::int32_t>(scaled < architecture_limit ? scaled : architecture_limit);
  }
};

}  // namespace mode
}  // namespace ww
