// SPDX-License-Identifier: BSL-1.0
//
// Other registers for the operands of a program, drawn operand by operand.
//
//   draw_registers(p, seed)   gives them other numbers, and says how many changed; each keeps its place in aligned groups of 2, 4 or 8
// Kept are operands that the text does not name by number (masks of predicates, hidden descriptors). Numbers that one field holds
// stay together: BAR names one register twice, idesc[UR5] is the register behind that of the tmem[UR4] in front of it, and so is the
// second of UGETNEXTWORKID and of USYNCS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include <warpwright/arch/dialect.hpp>
#include <warpwright/ir/program.hpp>
#include <warpwright/isa/opcode_id.hpp>

namespace ww_test {

inline bool names_a_mask(ww::opcode op) {
  return op == ww::opcode::p2r || op == ww::opcode::r2p || op == ww::opcode::up2ur || op == ww::opcode::ur2up;
}

inline bool may_be_drawn(const ww::instruction& i, ww::operand o) {
  const ww::reg_file f = o.file();
  const bool predicate = f == ww::reg_file::p || f == ww::reg_file::up;
  if (!o.is_register() || o.type() != ww::operand_type::physical || o.is_hidden() || o.width() == 0) return false;
  if (o.where() == ww::slot::implicit || (!predicate && f != ww::reg_file::r && f != ww::reg_file::ur)) return false;
  return !predicate || (o.width() == 1 && (!names_a_mask(i.op) || o.where() == ww::slot::guard));
}

inline std::size_t draw_registers(ww::program& p, std::uint32_t seed) {
  std::mt19937 random(seed);
  const ww::isa::dialect d = ww::dialect_of(p.sm);
  std::size_t changed = 0;
  for (const ww::instruction& i : p.instructions) {
    if (i.has(ww::iflag::unknown)) continue;
    const std::uint32_t end = i.first_operand + i.operand_count;
    for (std::uint32_t k = i.first_operand; k < end; ++k) {
      ww::operand& o = p.operands[k];
      if (!may_be_drawn(i, o)) continue;
      const bool predicate = o.file() == ww::reg_file::p || o.file() == ww::reg_file::up;
      const std::uint32_t count = predicate ? 7u : o.file() == ww::reg_file::r ? 255u : d.uniform_zero;
      const std::uint32_t was = o.base().number();
      const std::uint32_t group = o.width() == 1 ? 1u : o.width() == 2 ? 2u : o.width() <= 4 ? 4u : 8u;
      const std::uint32_t first = was % group;
      if (first + o.width() > count) continue;
      std::uint32_t now = first + group * static_cast<std::uint32_t>(random() % ((count - o.width() - first) / group + 1));
      const auto before = [&](std::uint32_t back, ww::slot s) {
        return k >= i.first_operand + back && p.operands[k - back].where() == s;
      };
      const bool is_idesc = o.where() == ww::slot::desc && before(1, ww::slot::uaddress) && before(2, ww::slot::uaddress);
      const bool is_second = (i.op == ww::opcode::ugetnextworkid && before(1, ww::slot::uaddress)) ||
                             (i.op == ww::opcode::usyncs && o.where() == ww::slot::data1);
      if (is_idesc || is_second) {
        ww::operand& front = p.operands[k - 1];
        if (front.base().number() + 1 == count) front.low -= 1;
        now = front.base().number() + 1;
      }
      if (i.op == ww::opcode::bar && o.where() == ww::slot::b && before(1, ww::slot::a))
        now = p.operands[k - 1].base().number();
      changed += now != was ? 1u : 0u;
      o.low = (o.low & ~ww::reg::number_mask) | now;
    }
  }
  return changed;
}

}  // namespace ww_test
