// SPDX-License-Identifier: BSL-1.0
//
// The general registers of one instruction as the pass of reuse.hpp looks at them.
//
//   results(f)   f(first register, registers)
//   sources(f)   f(first register, registers, port, slot), the last source first; port 0 = no flag is for it
//   operand_registers  from the operands; access_registers  from what was decoded (decode.hpp), in fewer steps
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "reuse_memory.hpp"
#include "workspace.hpp"

namespace ww::scoreboard {

class operand_registers {
 public:
  constexpr operand_registers(const program& p, const instruction& i)
      : first_(p.operands.data() + i.first_operand), end_(first_ + i.operand_count) {}

  template <class F>
  [[gnu::always_inline]] constexpr void results(F&& f) const {
    for (const operand* o = first_; o != end_ && o->is_def(); ++o) {
      const std::uint32_t n = number_of(*o);
      if (n < reuse_memory::registers) f(n, o->width());
    }
  }
  template <class F>
  [[gnu::always_inline]] constexpr void sources(F&& f) const {
    for (const operand* o = end_; o != first_ && !o[-1].is_def(); --o) {
      const std::uint32_t n = number_of(o[-1]);
      if (n < reuse_memory::registers) f(n, o[-1].width(), o[-1].port() & 3u, o[-1].where());
    }
  }

 private:
  const operand* first_;
  const operand* end_;

  // Number of a general register, and more than any has for other operands.
  static constexpr std::uint32_t number_of(operand o) {
    constexpr std::uint32_t mask = 7u << 28 | 15u << reg::number_bits;
    constexpr std::uint32_t general = static_cast<std::uint32_t>(operand_type::physical) << 28 |
                                      static_cast<std::uint32_t>(reg_file::r) << reg::number_bits;
    return (o.low & (mask | reg::number_mask)) - general;
  }
};

class access_registers {
 public:
  constexpr access_registers(const workspace& ws, const site& s)
      : first_(detail::begin_of(ws, s)), sources_(first_ + s.results), end_(first_ + s.count), general_(ws.units.general) {}

  template <class F>
  [[gnu::always_inline]] constexpr void results(F&& f) const {
    for (const access* a = first_; a != sources_; ++a) {
      if (a->unit < general_) f(a->unit, 1u);
    }
  }
  template <class F>
  [[gnu::always_inline]] constexpr void sources(F&& f) const {
    for (const access* a = end_; a != sources_;) {
      --a;
      const unsigned last = a->part();
      a -= last;
      if (a->unit < general_) f(a->unit, last + 1, a->what >> access::port_at, a->where());
    }
  }

 private:
  const access* first_;
  const access* sources_;
  const access* end_;
  std::uint32_t general_;  // units below it are general registers, by their number
};

}  // namespace ww::scoreboard
