// SPDX-License-Identifier: BSL-1.0
//
// Two neighbours in the wrong order: `x` reads what `y`, right behind it, writes, and was meant to read the new value.
//
// The order alone is legal. What betrays it:
//   stalls         one of the two keeps the distance that the opposite order needed, and no longer stall explains it
//                  (idle_stalls.hpp), whether the control fields moved along with the instructions or stayed in their
//                  places
//   crossed wait   one of the two waits for what the other sets
//   wasted         `y` overwrites a whole result of `x` that nobody can have read
//   half a pair    `x` takes a pair of which one half is new and the other still to come, from `y` (half_pair.hpp)
//   absorbed       `y` takes nothing of what `x` did to a register (absorbed_bits.hpp)
//   dead           nobody reads the result of `y`
// and none of it counts where the opposite order could not have stood there: `x` comes too soon behind `y`, or `y` too soon
// behind who is before the two, or somebody too soon behind `x`. Compilers do leave dead results (observed: CUDA 12).
// Compilers leave some results unread by habit: saved predicates, active masks, copies of uniform registers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../isa/opcode_id.hpp"
#include "../meta/algorithm.hpp"
#include "equal_instruction.hpp"
#include "idle_stalls.hpp"

namespace ww::verify::detail {

// Nothing is lost when its results are.
[[nodiscard]] inline bool removable(const instruction& i) {
  return !(i.has(iflag::unknown) || i.has(iflag::never) || i.has(iflag::side_effect) || i.has(iflag::branch) ||
           i.has(iflag::fence) || i.has(iflag::ends_block) || i.has(iflag::sync) || i.has(iflag::convergence) ||
           i.has(iflag::volatile_mem) || i.has(iflag::reads_clock) || i.dir == mem_dir::store || i.dir == mem_dir::atomic ||
           i.dir == mem_dir::order);
}

[[nodiscard]] inline bool is_predicate(const operand& o) { return o.file() == reg_file::p || o.file() == reg_file::up; }

// Does `i` write (or read) the register?
[[nodiscard]] inline bool names(const program& p, const instruction& i, reg r, bool written) {
  if (i.has(iflag::never)) return false;
  for (const operand& o : p.operands_of(i)) {
    if (!(written ? o.is_def() : o.is_use()) || !o.is_register() || o.file() != r.file()) continue;
    if (r.number() >= o.base().number() && r.number() < o.base().number() + o.width()) return true;
  }
  return false;
}
[[nodiscard]] inline bool writes(const program& p, const instruction& i, reg r) { return names(p, i, r, true); }
[[nodiscard]] inline bool reads(const program& p, const instruction& i, reg r) { return names(p, i, r, false); }

// Would the k-th instruction of `b` behind the next one keep all distances that it has to, with control fields that moved
// along with the instructions or stayed in their places?
template <class Arch>
[[nodiscard]] bool fits_other_way(const program& p, const block& b, std::size_t k) {
  constexpr unsigned far = 16;  // cycles
  const auto order = p.order_of(b);
  const instruction& x = p[order[k]];
  const instruction& y = p[order[k + 1]];
  const auto cycles = [](const control& c) { return c.drains() ? far : c.stall; };
  // Of two instructions `apart` cycles apart, with those of the block between them at [begin, end).
  const auto keeps = [&](const instruction& from, const instruction& to, unsigned apart, std::size_t begin,
                         std::size_t end) {
    if (Arch::latency::variable(from.iclass) || from.ctl.sets_write() || apart >= needed<Arch>(p, from, to).least)
      return true;
    for (; begin < end; ++begin) {
      if (overwritten(p, from, p[order[begin]], true)) return true;
    }
    return false;
  };
  const auto fits = [&](const control& first, const control& second) {
    const bool counted = first.sets_write() && first.write_barrier < control::barrier_count &&
                         (second.wait_mask >> first.write_barrier & 1u) != 0;
    const bool timed = !Arch::latency::variable(y.iclass) && cycles(first) >= needed<Arch>(p, y, x).least;
    if (!counted && !timed) return false;
    unsigned apart = 0;
    for (std::size_t at = k; at-- > 0 && apart < far;) {
      apart += cycles(p[order[at]].ctl);
      if (!keeps(p[order[at]], y, apart, at + 1, k)) return false;
    }
    apart = cycles(second);
    for (std::size_t at = k + 2; at < order.size() && apart < far; ++at) {
      if (!keeps(x, p[order[at]], apart, k + 2, at)) return false;
      apart += cycles(p[order[at]].ctl);
    }
    return true;
  };
  return fits(y.ctl, x.ctl) || fits(x.ctl, y.ctl);
}

// The k-th instruction and the one behind it: one waits for a counter that the other raises, and nobody else has raised it
// since somebody who needed to waited for it last, in the block or in those before it.
[[nodiscard]] inline bool crossed_wait(const program& p, const block& b, std::size_t k) {
  constexpr unsigned most = 8;  // blocks looked at before this one
  const auto order = p.order_of(b);
  const control& x = p[order[k]].ctl;
  const instr_id late = order[k + 1];
  const control& y = p[late].ctl;
  const auto waits = [](const control& one, const control& other) {
    return other.write_barrier < control::barrier_count && (one.wait_mask >> other.write_barrier & 1u) != 0;
  };
  if (!waits(x, y) && !waits(y, x)) return false;
  const unsigned counter = waits(x, y) ? y.write_barrier : x.write_barrier;
  enum class last : std::uint8_t { none, raised, waited };
  const auto raises = [&](const control& c) { return c.write_barrier == counter || c.read_barrier == counter; };
  // Is the wait of the instruction at `at` for something that it needs? A wait more than code needs is legal, and says nothing.
  const auto needs_wait = [&](span<const instr_id> list, std::size_t at) {
    const instruction& waiter = p[list[at]];
    bool raised = false;
    for (std::size_t from = at; from-- > 0;) {
      const instruction& w = p[list[from]];
      if (!raises(w.ctl)) continue;
      if (overwritten(p, w, waiter, false) || overwritten(p, w, waiter, true) || overwritten(p, waiter, w, false))
        return true;
      raised = true;
    }
    return !raised;
  };
  const auto back = [&](const block& in, std::size_t end) {
    const auto list = p.order_of(in);
    for (std::size_t at = end; at-- > 0;) {
      const control& c = p[list[at]].ctl;
      if (list[at] == late) continue;
      if (raises(c)) return last::raised;
      if ((c.wait_mask >> counter & 1u) != 0 && needs_wait(list, at)) return last::waited;
    }
    return last::none;
  };
  const last here = back(b, k);
  if (here != last::none) return here == last::waited;
  const block* at = &b;
  for (unsigned step = 0; step < most; ++step) {
    const auto before = p.pred_edges_of(*at);
    bool waited = false;
    for (const std::uint32_t e : before) {
      const block& from = p[p.edges[e].from];
      const last there = back(from, from.count);
      if (there == last::raised) return false;
      waited = waited || there == last::waited;
    }
    if (waited || before.size() != 1) return true;
    at = &p[p.edges[before[0]].from];
  }
  return true;
}

// A result of `x` that `y` overwrites as a whole before anybody can have read it. Predicates beside a number do not redeem it: who
// wants the carry only writes the sum to RZ. Of a wide product the high half counts by itself: who wants the low half only does
// not multiply wide.
[[nodiscard]] inline bool wasted(const program& p, const instruction& x, const instruction& y) {
  if (!removable(x) || y.has(iflag::guarded) || y.has(iflag::unknown) || y.has(iflag::padding)) return false;
  bool predicates = false;
  bool kept = false;
  for (const operand& d : p.operands_of(x)) {
    if (!d.is_def() || !d.is_register()) continue;
    const bool number = d.file() == reg_file::r || d.file() == reg_file::ur;
    bool all = true;
    bool high = false;
    for (std::uint32_t part = 0; part < d.width(); ++part) {
      const std::uint32_t n = d.base().number() + part;
      bool over = false;
      bool read = false;
      for (const operand& o : p.operands_of(y)) {
        if (!o.is_register() || o.file() != d.file() || n < o.base().number() || n >= o.base().number() + o.width())
          continue;
        read = read || o.is_use() || o.is_partial();
        over = over || o.is_def();
      }
      all = all && over && !read;
      high = high || (part == 1 && over && !read);
    }
    if (number && (all || (high && x.iclass == sched_class::imad_wide))) return true;
    predicates = predicates || (!number && all);
    kept = kept || !all;
  }
  return predicates && !kept;
}

// Some register of a result of `x` is overwritten by `y`, which does not read it.
[[nodiscard]] inline bool part_lost(const program& p, const instruction& x, const instruction& y) {
  if (y.has(iflag::guarded) || y.has(iflag::unknown) || y.has(iflag::padding)) return false;
  for (const operand& d : p.operands_of(x)) {
    if (!d.is_def() || d.file() != reg_file::r || d.base().is_zero()) continue;
    for (std::uint32_t part = 0; part < d.width(); ++part) {
      const reg r{d.file(), d.base().number() + part};
      if (writes(p, y, r) && !reads(p, y, r)) return true;
    }
  }
  return false;
}

// Predicates are all that it gives.
[[nodiscard]] inline bool only_decides(const program& p, const instruction& i) {
  bool some = false;
  for (const operand& o : p.operands_of(i)) {
    if (!o.is_def() || !o.is_register() || o.base().is_zero()) continue;
    if (o.file() != reg_file::p && o.file() != reg_file::up) return false;
    some = true;
  }
  return some;
}

[[nodiscard]] inline bool idle_by_habit(const program& p, const instruction& i) {
  if (i.iclass == sched_class::vote || i.iclass == sched_class::voteu || i.iclass == sched_class::p2r ||
      i.iclass == sched_class::match) {
    return true;
  }
  bool uniform = false;
  bool other = false;
  for (const operand& o : p.operands_of(i)) {
    if (!o.is_use() || !o.is_register() || o.base().is_zero()) continue;
    (o.file() == reg_file::ur || o.file() == reg_file::up ? uniform : other) = true;
  }
  return uniform && !other;
}

// A value of a computation, rather than an address, a counter or a constant: compilers neither make it twice nor leave it behind.
[[nodiscard]] inline bool computes(const program& p, const instruction& i) {
  switch (i.iclass) {
    case sched_class::fma:
    case sched_class::idp:
    case sched_class::half:
    case sched_class::half_f32:
    case sched_class::half_alu:
    case sched_class::hfma2_mma:
    case sched_class::fp64:
    case sched_class::mufu:
    case sched_class::conv:
    case sched_class::conv_64:
      break;
    default:
      return false;
  }
  for (const operand& o : p.operands_of(i)) {
    if (o.is_use() && o.is_register() && o.file() == reg_file::r && !o.base().is_zero()) return true;
  }
  return false;
}

// What compilers leave over sometimes though nobody reads it any more: an address or a counter that is moved on for another round,
// and shifted numbers (signs of numbers made 64 bits wide, halves taken apart); observed on sm_90 and sm_100.
[[nodiscard]] inline bool left_over(const program& p, const instruction& i) {
  return (i.op == opcode::shf && i.has(iflag::reads_immediate)) ||
         (overwritten(p, i, i, false, reg_file::r) && i.op != opcode::lop3 && !computes(p, i));
}

// The high half of a sum of which `y` copies another register over it: of generic addresses of shared memory compilers only keep the
// low half, and leave the other sum behind (observed: IADD3.X R11 and MOV R11, R10 on sm_100).
[[nodiscard]] inline bool high_half_left(const program& p, const instruction& x, const instruction& y) {
  if (y.op != opcode::mov || x.iclass != sched_class::alu) return false;
  for (const operand& o : p.operands_of(x)) {
    if (o.is_use() && o.is_register() && o.where() == slot::psrc) return true;
  }
  return false;
}

// MOV, or IMAD.MOV, which adds to RZ * RZ.
[[nodiscard]] inline bool moves(const program& p, const instruction& i) {
  if (i.op != opcode::imad) return i.op == opcode::mov;
  for (const operand& o : p.operands_of(i)) {
    if (o.is_use() && (o.where() == slot::a || o.where() == slot::b) && !o.base().is_zero()) return false;
  }
  return !i.has(iflag::reads_immediate) && !i.has(iflag::reads_constant);
}

// A move of zero.
[[nodiscard]] inline bool makes_zero(const program& p, const instruction& i) {
  if (!moves(p, i) || i.has(iflag::guarded) || i.has(iflag::reads_immediate) || i.has(iflag::reads_constant)) return false;
  for (const operand& o : p.operands_of(i)) {
    if (o.is_use() && o.is_register() && !o.base().is_zero()) return false;
  }
  return true;
}

// The k-th instruction adds a wide product to a number of 32 bits that zero has made 64 wide, and the next one copies another register
// over the high half: the number is an address of shared memory, likewise (observed: IMAD.WIDE R14, R0, 0x4, R14 behind a move of RZ to
// R15 and in front of IMAD.MOV.U32 R15, RZ, RZ, R0, sm_90).
[[nodiscard]] inline bool wide_half_left(const program& p, const block& b, std::size_t k) {
  const auto order = p.order_of(b);
  const instruction& x = p[order[k]];
  const instruction& y = p[order[k + 1]];
  if (x.iclass != sched_class::imad_wide || !moves(p, y)) return false;
  reg high;
  for (const operand& o : p.operands_of(x)) {
    if (o.is_use() && o.where() == slot::c && o.file() == reg_file::r && o.width() == 2 && !o.base().is_zero())
      high = reg{reg_file::r, o.base().number() + 1};
  }
  if (high.is_none()) return false;
  for (std::size_t at = k; at-- > 0;) {
    if (writes(p, p[order[at]], high)) return makes_zero(p, p[order[at]]);
  }
  return false;
}

// The same instruction, but for control words, reuse flags and, if so asked, an immediate. Only of code with words.
[[nodiscard]] inline bool alike(const program& p, const instruction& a, const instruction& b, bool but_number) {
  if (!p.has_encoding || a.op != b.op || a.flags != b.flags || a.operand_count != b.operand_count) return false;
  const auto u = p.operands_of(a);
  const auto v = p.operands_of(b);
  for (std::size_t k = 0; k < u.size(); ++k) {
    if (u[k].low != v[k].low || ((u[k].high ^ v[k].high) & ~operand::bit_reuse) != 0) return false;
  }
  return equal_words(a, b) || (but_number && a.has(iflag::reads_immediate));
}

// What `y`, behind a matrix operation of four warps, writes stands there already, by the same instruction with the same sources: in either
// order it reads the same (observed: ULDC.64 UR18, c[0x0][0x220] in front of HGMMA.SP, which reads UR16 to UR19, and behind it once
// more). Not behind others: of a hundred exchanged pairs one would be lost, mostly ULDC.64 of one descriptor in front of its accesses.
[[nodiscard]] inline bool written_before(const program& p, const block& b, std::size_t k) {
  const auto order = p.order_of(b);
  const instruction& y = p[order[k + 1]];
  if (p[order[k]].iclass != sched_class::hgmma) return false;
  const bool loads = y.dir != mem_dir::none && (y.dir != mem_dir::load || y.space != mem_space::constant);
  if (!removable(y) || y.has(iflag::guarded) || loads || overwritten(p, y, y, false)) return false;
  for (std::size_t at = k + 1; at-- > 0;) {
    const instruction& i = p[order[at]];
    if (at < k && alike(p, i, y, false)) return true;
    if (i.has(iflag::unknown) || overwritten(p, y, i, true) || overwritten(p, y, i, false)) return false;
  }
  return false;
}

// Puts predicates aside in front of a comparison that another one goes on with, into the same predicate: what stood there before is put
// aside, half a comparison is not (observed on sm_70: P2R R41, PR, RZ, 0x20 in front of ISETP P5 and ISETP.EX P5 .. P5).
[[nodiscard]] inline bool saves_before_half(const program& p, const block& b, std::size_t k) {
  const auto order = p.order_of(b);
  const instruction& y = p[order[k + 1]];
  if (p[order[k]].iclass != sched_class::p2r || y.op != opcode::isetp) return false;
  for (const operand& d : p.operands_of(y)) {
    if (!d.is_def() || !is_predicate(d) || d.base().is_zero()) continue;
    for (std::size_t at = k + 2; at < order.size(); ++at) {
      const instruction& i = p[order[at]];
      if (reads(p, i, d.base())) return i.op == opcode::isetp && !i.has(iflag::guarded) && writes(p, i, d.base());
      if (writes(p, i, d.base())) break;
    }
  }
  return false;
}

// Nobody reads what the k-th instruction gives, nor what the same one with another number gives in its place: left over from a row of
// them (observed on sm_70: LOP3.LUT R0, R38, 0x60, then 0xa0 and 0xe0, of an unrolled loop).
[[nodiscard]] inline bool left_in_row(const program& p, const block& b, std::size_t k) {
  const auto order = p.order_of(b);
  const instruction& y = p[order[k]];
  if (y.has(iflag::guarded) || overwritten(p, y, y, false)) return false;
  bool again = false;
  for (std::size_t at = k + 1; at < order.size(); ++at) {
    const instruction& i = p[order[at]];
    if (overwritten(p, i, y, false)) return false;
    if (!overwritten(p, y, i, true)) continue;
    if (again) return !i.has(iflag::guarded);
    if (!alike(p, y, i, true)) return false;
    again = true;
  }
  return false;
}

// Nobody reads the wide product that the last instruction of a block gives, and the only block behind makes it again from the same
// constant: the address at which a loop begins (observed on sm_80: IMAD.WIDE R8, R11, R10, c[0x0][0x160] in front of IMAD.WIDE R8, R10,
// R8, c[0x0][0x160]).
[[nodiscard]] inline bool made_again(const program& p, const block& b, std::size_t k) {
  const auto order = p.order_of(b);
  const instruction& y = p[order[k]];
  const auto edges = p.edges_of(b);
  if (!p.has_encoding || k + 1 != order.size() || edges.size() != 1 || y.iclass != sched_class::imad_wide ||
      !y.has(iflag::reads_constant))
    return false;
  for (const instr_id id : p.order_of(p[edges[0].to])) {
    const instruction& i = p[id];
    if (!overwritten(p, y, i, true)) continue;
    if (i.op == y.op && i.iclass == y.iclass && !i.has(iflag::guarded) && i.word[0] >> 32 == y.word[0] >> 32) return true;
    if (i.iclass == sched_class::imad_wide) return false;
  }
  return false;
}

// Compilers leave it where it stands even if nobody reads what it gives, for other threads take part.
[[nodiscard]] inline bool among_threads(const instruction& i) {
  return i.iclass == sched_class::shfl || i.iclass == sched_class::movm || i.iclass == sched_class::redux;
}

}  // namespace ww::verify::detail
