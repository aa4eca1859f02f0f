// SPDX-License-Identifier: BSL-1.0
//
// Encoder of the reuse flags of one instruction (SB-4: ComputeReuseFlags), for chains that go from instruction to
// instruction.
//
//   bit i   the value of source port i + 1 (0 = a, 1 = b, 2 = c) stays in the operand cache for the next reader
// The conservative part of the rule of reuse.hpp, which makes the flags of a whole program in one pass: one operand cache
// for all pipes, sources of one register only, no wait of the flagged instruction's successors up to the reader. The text
// has six bits; hardware has four and these three are the ones that name sources.
#pragma once

#include <cstdint>

#include "../../ir/program.hpp"
#include "../reuse_class.hpp"

namespace ww::scoreboard {

namespace detail {

// The general register read through port `s` + 1, none if there is none.
constexpr operand reuse_source(const program& p, const instruction& i, unsigned s) {
  for (const operand o : p.operands_of(i)) {
    if (o.is_use() && o.port() == s + 1 && o.file() == reg_file::r && o.is_register()) return o;
  }
  return operand::use(reg{reg_file::none, 0}, slot::none);
}

constexpr bool writes_register(const program& p, const instruction& i, reg r) {
  for (const operand o : p.operands_of(i)) {
    if (!o.is_def() || !o.is_register() || o.file() != r.file()) continue;
    const unsigned n = o.width() == 0 ? 1u : o.width();
    if (r.number() - o.base().number() < n) return true;
  }
  return false;
}

}  // namespace detail

// Flags of the instruction at `pos` of block `b`, with the control words as they are now.
template <class Arch>
[[nodiscard]] constexpr std::uint8_t encode_reuse_flags(const program& p, const block& b, std::uint32_t pos) {
  constexpr unsigned banks = Arch::limits::register_banks == 0 ? 1u : Arch::limits::register_banks;
  constexpr unsigned reach = 6;  // instructions to look ahead
  const instruction& i = p[p.order[pos]];
  const unsigned code = i.ctl.issue_code();
  if (!i.has(iflag::reuse_legal) || code < 17u || code > 27u) return 0;
  const reuse_class mine = reuse_classes<Arch>[static_cast<unsigned>(i.iclass)];
  const std::uint32_t end = b.first + b.count;
  unsigned flags = 0;
  for (unsigned s = 0; s < 3; ++s) {
    const operand o = detail::reuse_source(p, i, s);
    const reg r = o.base();
    if (r.is_none() || o.width() > 1 || (mine.ports >> s & 1u) == 0 || detail::writes_register(p, i, r)) continue;
    for (std::uint32_t q = pos + 1; q < end && q <= pos + reach; ++q) {
      const instruction& n = p[p.order[q]];
      if (n.has(iflag::fence) || n.has(iflag::unknown) || n.ctl.wait_mask != 0) break;
      const operand m = detail::reuse_source(p, n, s);
      if (!m.base().is_none() && m.base().number() % banks == r.number() % banks) {
        const reuse_class next = reuse_classes<Arch>[static_cast<unsigned>(n.iclass)];
        const bool takes = n.has(iflag::reuse_legal) && next.cache == mine.cache && (next.ports >> s & 1u) != 0;
        if (takes && m.base() == r && m.width() <= 1) flags |= 1u << s;
        break;
      }
      if (detail::writes_register(p, n, r) || n.ctl.yield) break;
    }
  }
  return static_cast<std::uint8_t>(flags);
}

}  // namespace ww::scoreboard
