// SPDX-License-Identifier: BSL-1.0
//
// Encoder of the reuse flags (SB-4: ComputeReuseFlags): flags made from nothing, where reuse.hpp only keeps old ones.
//
//   bit i   the value of source slot i (0 = a, 1 = b, 2 = c) stays in the operand cache for the next reader
// A flag is set exactly where reuse.hpp would keep one: the opcode allows it, the issue code does not yield, and the next
// read through the slot and the bank is of the same register, unwritten, with no wait in between. The text has six bits;
// hardware has four and these three are the ones that name sources.
#pragma once

#include <cstdint>

#include "../reuse.hpp"

namespace ww::scoreboard {

// True if flag `s` of the instruction is that of the source which stands in slot `s`: not so for some (ir/operand.hpp).
[[nodiscard]] inline bool has_reuse_port(const program& p, const instruction& i, unsigned s) {
  constexpr slot slots[3] = {slot::a, slot::b, slot::c};
  for (const operand o : p.operands_of(i)) {
    if (o.is_use() && o.where() == slots[s] && o.port() == s + 1 && o.width() <= 1) return true;
  }
  return false;
}

// Flags of the instruction at `pos` of block `b`, with the control words as they are now.
[[nodiscard]] inline std::uint8_t encode_reuse_flags(const program& p, const block& b, std::uint32_t pos, unsigned banks) {
  std::uint8_t flags = 0;
  for (unsigned s = 0; s < 3; ++s) {
    if (!has_reuse_port(p, p[p.order[pos]], s) || !detail::reuse_still_good(p, b, pos, s, banks)) continue;
    bool waits = false;  // up to the reader: a warp that stops there may lose the cache
    const reg r = detail::reuse_source(p, p[p.order[pos]], s);
    for (std::uint32_t q = pos + 1; q < b.first + b.count; ++q) {
      const instruction& n = p[p.order[q]];
      waits = waits || n.ctl.wait_mask != 0;
      if (detail::reuse_source(p, n, s) == r) break;
    }
    if (!waits) flags = static_cast<std::uint8_t>(flags | 1u << s);
  }
  return flags;
}

}  // namespace ww::scoreboard
