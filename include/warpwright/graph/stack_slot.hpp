// SPDX-License-Identifier: BSL-1.0
//
// Spill code as it stands in a program (PS-3): which instructions put a value aside, which take it back, and where it lay.
//
//   spill    a store to local memory (STL): register allocation puts a value into a slot of the stack
//   reload   a load from local memory (LDL) that takes a value back
//   slot     bytes of local memory, named by a base register and a constant offset ([R1+0x8]), or by an offset alone; two slots
//            meet when they name the same base and their bytes overlap. Whether the base still holds the same value is for the
//            caller to know
// An array in local memory looks the same and is treated the same. An address that is not known (a second base register, a
// uniform one, a symbol, no width) is no slot. Registers put aside in another file (MOV.SPILL, R2UR.FILL) are none either: what
// lies between the two is a distance of the latency table.
#pragma once

#include <cstdint>

#include "../ir/instruction.hpp"
#include "../ir/operand.hpp"
#include "../meta/span.hpp"

namespace ww {

[[nodiscard]] constexpr bool is_spill(const instruction& ins) {
  return ins.space == mem_space::local && ins.dir == mem_dir::store;
}
[[nodiscard]] constexpr bool is_reload(const instruction& ins) {
  return ins.space == mem_space::local && ins.dir == mem_dir::load;
}

struct stack_slot {
  reg base;  // none: the offset alone
  unsigned base_width = 0;
  std::int32_t offset = 0;
  std::uint8_t bytes = 0;  // 0: no slot

  [[nodiscard]] constexpr bool known() const { return bytes != 0; }
  [[nodiscard]] constexpr bool same_base(const stack_slot& o) const {
    return base_width == o.base_width && (base_width == 0 || base == o.base);
  }
  [[nodiscard]] constexpr bool meets(const stack_slot& o) const {
    const std::int64_t first = offset;
    const std::int64_t second = o.offset;
    return known() && o.known() && same_base(o) && first < second + o.bytes && second < first + bytes;
  }
  // Does it hold all bytes of the other one?
  [[nodiscard]] constexpr bool covers(const stack_slot& o) const {
    const std::int64_t first = offset;
    const std::int64_t second = o.offset;
    return known() && o.known() && same_base(o) && first <= second && second + o.bytes <= first + bytes;
  }
  // Is one of these registers its base?
  [[nodiscard]] constexpr bool stands_on(const operand& o) const {
    if (base_width == 0 || !o.is_register() || o.file() != base.file()) return false;
    const std::uint32_t written = o.base().number();
    return written < base.number() + base_width && base.number() < written + o.width();
  }
};

[[nodiscard]] constexpr stack_slot slot_of(const instruction& ins, span<const operand> operands) {
  stack_slot s;
  if (ins.space != mem_space::local || ins.has(iflag::symbolic_mem)) return s;
  s.offset = ins.mem_offset;
  s.bytes = ins.mem_bytes;
  for (const operand& o : operands) {
    if (!o.is_use() || !o.is_register()) continue;
    if (o.where() != slot::address && o.where() != slot::uaddress) continue;
    if (o.where() == slot::uaddress || s.base_width != 0) return {};
    s.base = o.base();
    s.base_width = o.width();
  }
  return s;
}

}  // namespace ww
