// SPDX-License-Identifier: BSL-1.0
//
// Is what a kernel reads from the constants of its branch tables used for branches alone? Then who moves the code may change all of it.
//
//   LDC R4, c[0x2][R10]          a reader, by the caller's word: each instruction that reads the bank
//   SHF.R.S32.HI R5, RZ, 0x1f, R4    the upper half of the address: 0 before and after
//   BRX R4 -0x160                goes to R4, counted from the beginning of the code
// Asked of webs (lift/web.hpp): what the readers load is in webs that nothing else writes, that BRX and that upper half alone read, and
// every BRX goes by such a web. A number in the bank that something else reads, or a table that is computed with, is refused.
// Linear.
#pragma once

#include <cstdint>

#include "../isa/opcode_id.hpp"
#include "../lift/lift.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"

namespace ww {

// `p` has blocks and words. `readers`: all instructions that read constant bank 2.
[[nodiscard]] inline bool has_tables_for_branches_only(const program& p, span<const instr_id> readers) {
  constexpr std::uint8_t is_reader = 1, is_table = 2;
  lift_workspace ws;
  lifted_program l;
  if (lift(p, l, ws) != lift_fault::none) return false;
  vec<std::uint8_t> flags(p.instructions.size());
  vec<std::uint8_t> table(l.webs.size());  // by web: what the readers load
  flags.assign(p.instructions.size(), 0);
  table.assign(l.webs.size(), 0);
  const auto web_of = [&](const instruction& i, std::uint32_t k) { return l.web_of_operand[i.first_operand + k]; };
  for (const instr_id id : readers) {
    if (id.index() >= flags.size() || p[id].op != opcode::ldc || p[id].mem_bytes != 4) return false;
    flags[id.index()] = is_reader;
    const span<const operand> ops = p.operands_of(id);
    for (std::uint32_t k = 0; k < ops.size(); ++k) {
      if (ops[k].is_def() && web_of(p[id], k) < table.size()) table[web_of(p[id], k)] = is_table;
    }
  }
  for (const instr_id id : p.order) {
    const instruction& i = p[id];
    const span<const operand> ops = p.operands_of(i);
    const bool branch = i.op == opcode::brx;
    // The upper half of a signed number of 32 bits, or 0.
    const bool upper = i.op == opcode::shf && i.has(iflag::reads_immediate) && i.word[0] >> 32 == 31;
    bool reads = false;
    std::uint32_t sources = 0;
    for (std::uint32_t k = 0; k < ops.size(); ++k) {
      const operand o = ops[k];
      const std::uint32_t w = web_of(i, k);
      if (o.is_use() && o.where() == slot::branch && branch && (w >= table.size() || table[w] == 0)) return false;
      if (w >= table.size()) continue;
      if (o.is_use() && o.where() != slot::guard) ++sources;
      if (table[w] == 0) continue;
      const std::uint32_t part = o.base().number() - l.webs[w].original;
      if (o.is_use()) {
        if (!(branch && o.where() == slot::branch && part == 0) && !(upper && part == 0 && o.width() == 1)) return false;
        reads = true;
      } else if (!(flags[id.index()] == is_reader && part == 0 && o.width() == 1) &&
                 !(upper && part == 1 && o.width() == 1)) {
        return false;
      }
    }
    if (upper && reads && sources != 1) return false;
    if (upper && reads) {  // and nothing else takes it
      for (std::uint32_t k = 0; k < ops.size(); ++k) {
        if (ops[k].is_def() && ops[k].is_register() && (web_of(i, k) >= table.size() || table[web_of(i, k)] == 0))
          return false;
      }
    }
  }
  return true;
}

}  // namespace ww
