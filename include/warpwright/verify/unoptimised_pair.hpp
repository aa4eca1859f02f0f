// SPDX-License-Identifier: BSL-1.0
//
// Two neighbours in the wrong order in code that nobody has optimised.
//
// Such code is full of idle stalls and of copies whose results are lost, but what it computes, loads, asks for or compares it
// takes, and what it compares or loads from it has made for that. So in neighbours `x` and `y` of which `x` reads what `y`
// writes:
//   wasted   a result of `x` is overwritten by `y`, or half of what it loads is
//   stale    nobody reads those results of `y` of which `x` has read the old values, nor its predicates
//   sign     `x` takes the sign of a number, and `y` puts another number in its place
// Copies, and the high halves of sums and selections, of which the low half is all that is wanted, are lost all the time. Observed: no such
// neighbours in 14,992,912 instructions of compilers at -O0, at -O1 and with -G, sm_75 to sm_120 (docs/verify.md).
#pragma once

#include <cstddef>
#include <cstdint>

#include "../isa/opcode_id.hpp"
#include "carry_pair.hpp"
#include "exchanged_pair.hpp"
#include "half_pair.hpp"

namespace ww::verify::detail {

// Registers but the guard, predicates among them.
[[nodiscard]] inline unsigned registers_read(const program& p, const instruction& i) {
  unsigned n = 0;
  for (const operand& o : p.operands_of(i)) {
    n += o.is_use() && o.is_register() && o.where() != slot::guard && !o.base().is_zero() ? 1u : 0u;
  }
  return n;
}

// SHF.R.S32.HI R5, RZ, 0x1f, R4
[[nodiscard]] inline bool takes_sign(const program& p, const instruction& i) {
  constexpr std::uint32_t sign = 31;
  return i.op == opcode::shf && i.has(iflag::reads_immediate) && static_cast<std::uint32_t>(i.word[0] >> 32) == sign &&
         registers_read(p, i) == 1;
}

// MOV, and what it is written as: LOP3.LUT R21, R25, RZ, RZ, 0x3c and HFMA2 R10, -RZ, RZ, 0, 1.
[[nodiscard]] inline bool only_copies(const program& p, const instruction& i) {
  if (i.op == opcode::mov) return true;
  if (i.op == opcode::plop3) return registers_read(p, i) <= 1;  // PLOP3.LUT P5, PT, P5, PT, PT, 0x80, 0x8
  if (i.op == opcode::hfma2 || i.op == opcode::imad) return registers_read(p, i) == 0;
  unsigned constants = 0;
  for (const operand& o : p.operands_of(i)) constants += o.is_use() && !o.is_register() && !o.base().is_zero() ? 1u : 0u;
  return i.op == opcode::lop3 && registers_read(p, i) <= 1 && constants <= 1;  // one of them is the table
}

// The second of two selections by one predicate: the high half of a pair, of which the low half may be all that is wanted (observed:
// 64-bit minima in -O0 code of CUDA 13.5).
[[nodiscard]] inline bool selects_alike(const program& p, const instruction& first, const instruction& second) {
  const auto selector = [&p](const instruction& i) {
    if (i.op == opcode::sel || i.op == opcode::fsel) {
      for (const operand& o : p.operands_of(i)) {
        if (o.is_use() && o.where() == slot::psrc) return o;
      }
    }
    return operand{};
  };
  const operand by = selector(second);
  const operand same = selector(first);
  return !by.base().is_none() && same.base() == by.base() && same.is_not() == by.is_not();
}

// The second of two equal operations of logic: of a wider number half is all that is wanted (observed: comparisons of 128-bit integers
// with -G, sm_100a; OR and XOR of 64 bits in kernels of other compilers for sm_80 and sm_121a, of which either half may be the second).
[[nodiscard]] inline bool same_logic(const instruction& first, const instruction& second) {
  constexpr unsigned table_at = 8;  // of the upper word
  return first.op == opcode::lop3 && second.op == opcode::lop3 &&
         ((first.word[1] ^ second.word[1]) >> table_at & 0xffu) == 0;
}

// LOP3.LUT R11, R11, R10, RZ, 0x3c: the exclusive OR of registers `a` and `b`, in either order, into `into`.
[[nodiscard]] inline bool exclusive_or(const program& p, const instruction& i, reg into, reg a, reg b) {
  constexpr unsigned table_at = 8, table = 0x3c;
  if (i.op != opcode::lop3 || i.has(iflag::guarded) || (i.word[1] >> table_at & 0xffu) != table) return false;
  bool first = false, second = false;
  for (const operand& o : p.operands_of(i)) {
    const bool source = o.is_use() && (o.where() == slot::a || o.where() == slot::b);
    first = first || (source && o.base() == a);
    second = second || (source && o.base() == b);
  }
  return first && second && writes(p, i, into);
}

// The three exclusive ORs that exchange two registers: a = a ^ b, b = a ^ b, a = a ^ b. Neither need be wanted afterwards (observed: -G,
// sm_80 and sm_90a, where paths meet).
[[nodiscard]] inline bool exchanges_registers(const program& p, const instruction& one, const instruction& x,
                                              const instruction& y) {
  for (const operand& d : p.operands_of(x)) {
    if (!d.is_def() || d.file() != reg_file::r || d.base().is_zero()) continue;
    for (const operand& o : p.operands_of(x)) {
      const reg a = o.base(), b = d.base();
      const bool other = o.is_use() && o.file() == reg_file::r && !a.is_zero() && a != b;
      if (other && exclusive_or(p, one, a, a, b) && exclusive_or(p, x, b, a, b) && exclusive_or(p, y, a, a, b)) return true;
    }
  }
  return false;
}

// Nobody reads those results of `y` that `x` has read the old values of, nor its predicates. `live(result, part)`: somebody reads
// that register of it. Of a wide product the high half may be all that is wanted.
template <class Live>
[[nodiscard]] bool stale(const program& p, const instruction& x, const instruction& y, Live live) {
  if (!removable(y) || y.has(iflag::guarded) || y.iclass == sched_class::imad_wide || adds_carry(p, y)) return false;
  if (y.iclass >= sched_class::hmma_small && y.iclass <= sched_class::hgmma)
    return false;  // not all elements need be wanted
  for (const operand& d : p.operands_of(y)) {
    if (!d.is_def() || !d.is_register()) continue;
    for (std::uint32_t part = 0; part < d.width(); ++part) {
      const bool asked = is_predicate(d) || reads(p, x, reg{d.file(), d.base().number() + part});
      if (asked && live(d, part)) return false;
    }
  }
  return true;
}

// The k-th instruction of `b` gives back what a function has put aside in its frame, in front of its RET: a caller whose registers it
// was need not want it (observed: sqrtf as a function at -O0, BMOV.32 B6, R2 and LDL R2, [R1], sm_75 to sm_120).
[[nodiscard]] inline bool gives_back(const program& p, const block& b, std::size_t k) {
  constexpr reg stack_pointer{reg_file::r, 1};
  const auto order = p.order_of(b);
  for (std::size_t at = k; at < order.size(); ++at) {
    const instruction& i = p[order[at]];
    if (i.has(iflag::ret)) return at != k;
    const bool reload = i.dir == mem_dir::load && i.space == mem_space::local && reads(p, i, stack_pointer);
    if (i.has(iflag::guarded) || !(reload || (at != k && writes(p, i, stack_pointer)))) return false;
  }
  return false;
}

// IADD R1, R1, 0x50: a frame is given back, and nobody need ask for the stack pointer again (observed: behind the last LDL of a surface
// operation that -O0 writes as a function, sm_107, where that addition is not IADD3 or VIADD).
[[nodiscard]] inline bool pops_frame(const program& p, const instruction& y) {
  constexpr reg stack_pointer{reg_file::r, 1};
  return y.op == opcode::iadd && y.has(iflag::reads_immediate) && writes(p, y, stack_pointer) && reads(p, y, stack_pointer);
}

// The k-th instruction of `b` and the next one.
template <class Live>
[[nodiscard]] bool exchanged_unoptimised(const program& p, const block& b, std::size_t k, Live live) {
  const auto order = p.order_of(b);
  const instruction& x = p[order[k]];
  const instruction& y = p[order[k + 1]];
  if (x.has(iflag::never) || x.has(iflag::padding) || x.has(iflag::sync) || y.has(iflag::never)) return false;
  if (!overwritten(p, x, y, false)) return false;
  if (k > 0 && exchanges_registers(p, p[order[k - 1]], x, y)) return false;
  const bool idle = only_copies(p, x) || x.op == opcode::shf || adds_carry(p, x) || among_threads(x) ||
                    (k > 0 && (selects_alike(p, p[order[k - 1]], x) || same_logic(p[order[k - 1]], x)));
  if (!idle && wasted(p, x, y)) return true;
  const bool loads = x.dir == mem_dir::load && !x.has(iflag::volatile_mem);  // a strong load may be all that is wanted of it
  if (loads && part_lost(p, x, y) && !overwritten(p, y, x, false)) return true;
  if (half_made(p, b, k)) return true;
  if (y.op == opcode::mov && !y.has(iflag::guarded) && takes_sign(p, x)) return true;
  if (among_threads(y) || selects_alike(p, x, y) || (same_logic(x, y) && !overwritten(p, y, x, false)) ||
      gives_back(p, b, k + 1) || pops_frame(p, y) || !stale(p, x, y, live))
    return false;
  if (y.op == opcode::shf) return x.op != opcode::shf;
  if (!only_copies(p, y)) return true;
  return registers_read(p, y) == 0 && (only_decides(p, x) || x.dir == mem_dir::load);
}

}  // namespace ww::verify::detail
