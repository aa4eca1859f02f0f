// SPDX-License-Identifier: BSL-1.0
//
// Reuse flags after a change of order or of stalls (SB-4): kept where they still mean what they meant, else cleared.
//
// A flag on a source slot keeps the value for the next read through the same slot and register bank. It stays only if
//   - the opcode allows reuse, and the issue code is one of 17..27 (facts: public notes 2.1),
//   - the next instruction of the block that reads a register of the same bank through that slot reads the same register,
//   - nothing up to there, the instruction itself included, writes the register or waits for a counter.
// A stale flag would give an old value; a lost one costs a bank read.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"

namespace ww::scoreboard {

namespace detail {

// Register read through reuse slot `s` (0..2), none if there is none.
inline reg reuse_source(const program& p, const instruction& i, unsigned s) {
  constexpr slot slots[3] = {slot::a, slot::b, slot::c};
  for (const operand o : p.operands_of(i)) {
    if (o.is_use() && o.where() == slots[s] && o.file() == reg_file::r && o.is_register()) return o.base();
  }
  return reg{reg_file::none, 0};
}

inline bool writes_register(const program& p, const instruction& i, reg r) {
  for (const operand o : p.operands_of(i)) {
    if (!o.is_def() || !o.is_register() || o.file() != r.file()) continue;
    const unsigned n = o.width() == 0 ? 1u : o.width();
    if (r.number() - o.base().number() < n) return true;
  }
  return false;
}

inline bool reuse_still_good(const program& p, const block& b, std::uint32_t pos, unsigned s, unsigned banks) {
  constexpr unsigned reach = 6;  // instructions to look ahead
  const instruction& i = p[p.order[pos]];
  if (!i.has(iflag::reuse_legal) || i.ctl.yield || i.ctl.stall == 0) return false;
  const reg r = reuse_source(p, i, s);
  if (r.is_none() || writes_register(p, i, r)) return false;
  const std::uint32_t end = b.first + b.count;
  for (std::uint32_t q = pos + 1; q < end && q <= pos + reach; ++q) {
    const instruction& n = p[p.order[q]];
    if (n.has(iflag::fence) || n.has(iflag::unknown)) return false;
    const reg m = reuse_source(p, n, s);
    if (!m.is_none() && m.number() % banks == r.number() % banks) return m == r;
    if (writes_register(p, n, r)) return false;
  }
  return false;
}

}  // namespace detail

// Clears the flags that are no longer good; returns how many were kept.
template <class Arch>
std::uint64_t keep_valid_reuse(program& p) {
  std::uint64_t kept = 0;
  constexpr unsigned banks = Arch::limits::register_banks == 0 ? 1u : Arch::limits::register_banks;
  for (const block& b : p.blocks) {
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      instruction& i = p[p.order[pos]];
      if (i.ctl.reuse == 0 || i.has(iflag::padding)) continue;
      unsigned good = i.has(iflag::reuse_legal) ? 0u : i.ctl.reuse & 8u;
      for (unsigned s = 0; s < 3; ++s) {
        if ((i.ctl.reuse >> s & 1u) != 0 && detail::reuse_still_good(p, b, pos, s, banks)) {
          good |= 1u << s;
          ++kept;
        }
      }
      // On opcodes where these bits are not operand reuse they are part of the encoding and stay (facts: hardware 1.1).
      if (i.has(iflag::reuse_legal)) i.ctl.reuse = static_cast<std::uint8_t>(good);
    }
  }
  return kept;
}

}  // namespace ww::scoreboard
