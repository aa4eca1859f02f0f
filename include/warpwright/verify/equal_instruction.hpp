// SPDX-License-Identifier: BSL-1.0
//
// Is an instruction of one program the same as one of another, but for what a new layout of blocks may change?
//
//   the same      opcode, class, flags, memory facts, operands and, where both have one, the encoding
//   exchanged     the same, but for a guard that is the exact opposite: taken and not taken have changed places. Only for a
//                 direct branch that nothing but its guard decides, and whose encoding, if it has one, shows no modifier
// Not compared: control words and reuse flags, addresses, places in the text, targets (who compares programs follows them), the
// padding flag, and the fence flag of a NOP, which build_cfg() tells from what stands in front of it. Encodings are compared
// where they hold no distance: not of branches, calls, returns, openers of regions and what is relative to its own address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "../ir/program.hpp"
#include "flow_difference.hpp"

namespace ww::verify::detail {

struct instruction_match {
  flow_fault fault = flow_fault::none;
  bool exchanged = false;
};

[[nodiscard]] constexpr bool has_any(const instruction& i, std::initializer_list<iflag> flags) {
  for (const iflag f : flags) {
    if (i.has(f)) return true;
  }
  return false;
}

// Has a BRA a modifier, as far as its encoding tells? .U, .DIV and .CONV set bits 32 and 33, .ANY sets bit 84 (observed in
// compiler output, sm_75 to sm_120: none of 4,709 without modifiers sets one of these or 85 and 86, the other two of that field).
// @P0 BRA.U.ANY is taken by all if it holds for one, so that its opposite is not @!P0 BRA.U.ANY.
[[nodiscard]] constexpr bool has_modifier_bits(const instruction& i) {
  constexpr std::uint64_t low = 3ull << 32;
  constexpr std::uint64_t high = 7ull << (84 - 64);
  return i.word[1] != 0 && ((i.word[0] & low) | (i.word[1] & high)) != 0;
}

// A direct branch that its guard alone decides.
[[nodiscard]] constexpr bool is_guarded_branch(const program& p, const instruction& i) {
  if (!i.has(iflag::branch) || !i.has(iflag::guarded) || !i.target.valid() || has_modifier_bits(i) ||
      has_any(i, {iflag::indirect, iflag::call, iflag::ret, iflag::exit, iflag::never, iflag::conditional, iflag::sync,
                  iflag::reconverge, iflag::unknown})) {
    return false;
  }
  unsigned guards = 0;
  for (const operand& o : p.operands_of(i)) guards += o.where() == slot::guard ? 1u : 0u;
  return guards == 1;
}

// Flags that do not depend on where an instruction stands.
[[nodiscard]] constexpr std::uint32_t lasting_flags(const instruction& i) {
  instruction copy = i;
  copy.remove(iflag::padding);
  if (i.has(iflag::nop)) copy.remove(iflag::fence);
  return copy.flags;
}

[[nodiscard]] constexpr bool holds_distance(const instruction& i) {
  return i.target.valid() || has_any(i, {iflag::branch, iflag::call, iflag::ret, iflag::pc_relative});
}

// Bits 105..125 are stall, yield, counters, waits and reuse flags (facts/hardware.md); a short word has none of them.
[[nodiscard]] constexpr bool equal_words(const instruction& x, const instruction& y) {
  constexpr std::uint64_t no_control = ~(((1ull << 21) - 1) << 41);
  return has_short_word(x) == has_short_word(y) && x.word[0] == y.word[0] && ((x.word[1] ^ y.word[1]) & no_control) == 0;
}

// x of the program p, y of the program q.
[[nodiscard]] constexpr instruction_match match_instructions(const program& p, const instruction& x, const program& q,
                                                             const instruction& y) {
  if (x.op != y.op || x.iclass != y.iclass || lasting_flags(x) != lasting_flags(y) || x.space != y.space || x.dir != y.dir ||
      x.mem_bytes != y.mem_bytes || x.mem_offset != y.mem_offset || x.region != y.region || x.other_value != y.other_value ||
      x.operand_count != y.operand_count || x.target.valid() != y.target.valid()) {
    return {flow_fault::instruction};
  }
  const bool exchanged = x.guard_negated != y.guard_negated;
  if (exchanged && (!is_guarded_branch(p, x) || !is_guarded_branch(q, y))) return {flow_fault::operands};
  for (std::size_t k = 0; k < x.operand_count; ++k) {
    const operand u = p.operands_of(x)[k];
    const operand v = q.operands_of(y)[k];
    const std::uint32_t opposite = exchanged && u.where() == slot::guard ? operand::bit_not : 0u;
    if (u.low != v.low || ((u.high ^ v.high) & ~operand::bit_reuse) != opposite) return {flow_fault::operands};
  }
  if (p.has_encoding && q.has_encoding && !holds_distance(x) && !equal_words(x, y)) return {flow_fault::word};
  return {flow_fault::none, exchanged};
}

}  // namespace ww::verify::detail
