// SPDX-License-Identifier: BSL-1.0
//
// What lift() gives: the program on virtual registers, its webs, and the way back. A value in flat arrays.
//
//   code             the program; operands of webs that are not fixed carry numbers from reg::first_virtual on
//   webs             in the order in which the program, read in layout order, first names them
//   web_of_operand   parallel to code.operands; no_web where the operand is in no web (zero registers, other files, no
//                    register)
//   physical         physical registers that exist, by class: what `at_least` of liveness and register_layout wants, so that
//                    live counts at open exits stay those of the program before the lift
// The encoding words stay in code.instructions, since address scales are read from them, but their register fields speak of
// the program before the lift: code.has_encoding is false, and `has_encoding` here remembers what it was.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/array.hpp"
#include "../meta/vec.hpp"
#include "../pressure/register_layout.hpp"
#include "web.hpp"

namespace ww {

enum class lift_fault : std::uint8_t {
  none,
  no_blocks,          // instructions but no control-flow graph: call build_cfg() first
  virtual_registers,  // an operand is lifted already; `operand` says which
  too_many,           // more webs than register numbers (a million per file)
};

constexpr const char* name_of(lift_fault f) {
  switch (f) {
    case lift_fault::none:
      return "none";
    case lift_fault::no_blocks:
      return "the program has no blocks; call build_cfg() first";
    case lift_fault::virtual_registers:
      return "the program is lifted already: it names registers beyond the physical ones";
    case lift_fault::too_many:
      return "more webs than register numbers";
  }
  return "?";
}

struct lifted_program {
  static constexpr std::uint32_t no_web = 0xffffffffu;

  program code;
  vec<web> webs;
  vec<std::uint32_t> web_of_operand;
  array<std::uint32_t, pressure_class_count> physical{};      // registers
  array<std::uint32_t, pressure_class_count> next_virtual{};  // first number of the class that is not used
  array<std::uint32_t, fixed_reason_count> fixed{};           // webs by `reason`; [0] = not fixed
  bool has_encoding = false;
  lift_fault fault = lift_fault::none;
  std::uint32_t operand = 0;  // index of the operand at fault

  [[nodiscard]] bool ok() const { return fault == lift_fault::none; }
  [[nodiscard]] std::uint32_t virtual_webs() const { return fixed[0]; }
};

}  // namespace ww
