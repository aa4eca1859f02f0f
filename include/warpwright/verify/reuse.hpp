// SPDX-License-Identifier: BSL-1.0
//
// Operand reuse flags: is a kept operand still the register's value when it is used?
//
// A flag on source slot a, b or c keeps the register just read, for that slot and register bank, until the next read
// of the bank through the slot. A reader that names the same register in the same slot takes the kept value,
// whatever was written to the register in between: hence no write may stand between flag and reader. Kept values are
// followed inside a block only; a jump, a barrier or a change of warp drops them. FADD, HADD2, DADD and DSETP are additions
// without a factor: their second source stands in the field of slot b and goes through slot c, so that its flag is the third
// (compiler output: 1,600 flags, none the other way). The flags are those of the control word; which of them reached the
// text is the reader's business.
#pragma once

#include <array>
#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/vec.hpp"
#include "encoding.hpp"
#include "finding.hpp"

namespace ww::verify {

namespace detail {

// The reuse slot of a source: 0 = a, 1 = b, 2 = c, 3 = none.
[[nodiscard]] constexpr unsigned reuse_slot(const instruction& i, slot s) {
  if (s != slot::a && s != slot::b && s != slot::c) return 3;
  const bool sum = i.op == opcode::fadd || i.op == opcode::hadd2 || i.op == opcode::dadd || i.op == opcode::dsetp;
  return s == slot::b && sum ? 2u : static_cast<unsigned>(s) - static_cast<unsigned>(slot::a);
}

}  // namespace detail

template <class Arch>
void check_reuse(const program& p, vec<finding>& out) {
  constexpr unsigned banks = Arch::limits::register_banks;
  struct kept {
    instr_id by;
    instr_id writer;  // first write since, if any
    reg r{reg_file::none, 0};
  };
  std::array<std::array<kept, banks>, 3> cache;
  for (const block& b : p.blocks) {
    cache = {};
    for (const instr_id id : p.order_of(b)) {
      const instruction& i = p[id];
      if (i.has(iflag::padding)) continue;
      const auto operands = p.operands_of(i);
      const bool legal = i.has(iflag::reuse_legal);
      unsigned real = 0;  // flags that stand on a register
      for (const operand& o : operands) {
        if (!o.is_use() || o.file() != reg_file::r || o.base().is_zero()) continue;
        const unsigned k = detail::reuse_slot(i, o.where());
        if (k > 2) continue;
        kept& e = cache[k][o.base().number() % banks];
        if (e.r == o.base() && e.writer.valid()) {
          finding f = detail::about(finding_kind::reuse_stale, severity::finding, id, provenance::documented);
          f.first = e.by;
          f.target = e.r;
          out.push_back(f);
        }
        e = {};
        if (legal && (i.ctl.reuse >> k & 1u) != 0) {
          e.by = id;
          e.r = o.base();
          real |= 1u << k;
        }
      }
      if (i.ctl.reuse != 0 && legal && !i.has(iflag::unknown)) {
        const unsigned code = i.ctl.issue_code();
        if (code < 17u || code > 27u) {
          const severity level = code >= 1u && code <= 3u ? severity::note : severity::finding;
          out.push_back(detail::about(finding_kind::reuse_code, level, id, provenance::observed));
        }
        if ((i.ctl.reuse & ~real) != 0) {
          out.push_back(detail::about(finding_kind::reuse_operand, severity::finding, id, provenance::observed));
        }
      }
      for (const operand& o : operands) {
        if (!o.is_def() || o.file() != reg_file::r || o.base().is_zero()) continue;
        for (auto& row : cache) {
          for (kept& e : row) {
            const std::uint32_t n = e.r.number();
            if (!e.r.is_none() && n >= o.base().number() && n < o.base().number() + o.width() && !e.writer.valid())
              e.writer = id;
          }
        }
      }
    }
  }
}

}  // namespace ww::verify
