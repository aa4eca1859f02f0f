// SPDX-License-Identifier: BSL-1.0
//
// Why does an instruction wait as long as it does? Schedulers give no cycle away: a stall above the least one keeps the
// distance of the next instruction to somebody before it, or the pace of a pipe.
//
//   needed     longest true dependence from one instruction to another, in cycles
//   binds      a pair is exactly as far apart as it has to be
//   reasoned   the instruction behind a stall binds with one before it
//   supposed   one instruction's stall taken to be another one than it is
//
// Instructions before are taken from the block and, where it begins too late, from those before it. Reasons that the
// tables do not hold count as reasons (observed): what precedes a transfer or a barrier, matrix operations, wide products
// (their next neighbour waits 4 cycles), uniform registers and predicates overwritten within 3 cycles, a counted result behind a plain one,
// sources overwritten 2 cycles later by a load, half precision and IMAD beside other pipes, one access to memory behind another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../arch/vocabulary.hpp"
#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"

namespace ww::verify::detail {

// The longest distance that any true dependence from `w` to `r` asks for: the least one seen, and the one to be safe with;
// 0 if there is none.
struct wanted {
  unsigned least = 0;
  unsigned safe = 0;
};
template <class Arch>
[[nodiscard]] wanted needed(const program& p, const instruction& w, const instruction& r) {
  wanted need;
  if (r.has(iflag::never) || r.has(iflag::unknown)) return need;
  for (const operand& d : p.operands_of(w)) {
    if (!d.is_def() || !d.is_register()) continue;
    for (const operand& o : p.operands_of(r)) {
      if (!o.is_use() || !o.is_register() || o.file() != d.file()) continue;
      for (std::uint32_t part = 0; part < d.width(); ++part) {
        const std::uint32_t n = d.base().number() + part;
        if (n < o.base().number() || n >= o.base().number() + o.width()) continue;
        const distance c = Arch::latency::raw(
            {w.iclass, d.where(), d.file(), static_cast<std::uint8_t>(part), w.has(iflag::guarded)},
            {r.iclass, o.where(), o.file(), static_cast<std::uint8_t>(n - o.base().number()), r.has(iflag::guarded)});
        need.least = meta::max<unsigned>(need.least, c.check);
        need.safe = meta::max<unsigned>(need.safe, c.emit);
      }
    }
  }
  return need;
}

// Does `r` write a register that `w` names (reads, or writes if `results`)? Any file, or one only.
[[nodiscard]] inline bool overwritten(const program& p, const instruction& w, const instruction& r, bool results,
                                      reg_file only = reg_file::none) {
  for (const operand& d : p.operands_of(r)) {
    if (!d.is_def() || !d.is_register() || (only != reg_file::none && d.file() != only)) continue;
    for (const operand& o : p.operands_of(w)) {
      if (!o.is_register() || o.file() != d.file() || (results ? !o.is_def() : !o.is_use())) continue;
      if (o.base().number() < d.base().number() + d.width() && d.base().number() < o.base().number() + o.width())
        return true;
    }
  }
  return false;
}

// The longest distance that a result of `r` keeps to a result of `w` which it replaces, in cycles; 0 if it replaces none.
template <class Arch>
[[nodiscard]] unsigned replacing(const program& p, const instruction& w, const instruction& r) {
  unsigned most = 0;
  for (const operand& d : p.operands_of(w)) {
    if (!d.is_def() || !d.is_register()) continue;
    for (const operand& o : p.operands_of(r)) {
      if (!o.is_def() || !o.is_register() || o.file() != d.file()) continue;
      for (std::uint32_t part = 0; part < d.width(); ++part) {
        const std::uint32_t n = d.base().number() + part;
        if (n < o.base().number() || n >= o.base().number() + o.width()) continue;
        const distance c = Arch::latency::waw(
            {w.iclass, d.where(), d.file(), static_cast<std::uint8_t>(part), w.has(iflag::guarded)},
            {r.iclass, o.where(), o.file(), static_cast<std::uint8_t>(n - o.base().number()), r.has(iflag::guarded)});
        most = meta::max<unsigned>(most, meta::max<unsigned>(c.check, c.emit));
      }
    }
  }
  return most;
}

[[nodiscard]] constexpr bool transfers(const instruction& i) {
  return i.has(iflag::branch) || i.has(iflag::call) || i.has(iflag::ret) || i.has(iflag::exit) || i.has(iflag::sync) ||
         i.has(iflag::convergence) || i.has(iflag::reconverge) || i.has(iflag::unknown);
}

// The pipe to which compilers keep a class.
template <class Arch>
[[nodiscard]] constexpr pipe_id paced_pipe(sched_class c) {
  if constexpr (requires { Arch::pipes::paced_pipe(c); }) return Arch::pipes::paced_pipe(c);
  return Arch::pipes::pipe_of(c);
}

// How many cycles compilers put between two neighbours at least because of their pipes.
template <class Arch>
[[nodiscard]] constexpr unsigned pace(sched_class first, sched_class second) {
  using pipes = typename Arch::pipes;
  if (paced_pipe<Arch>(first) != paced_pipe<Arch>(second)) return 1;
  if constexpr (requires { pipes::paced_interval(first); }) return pipes::paced_interval(first);
  return pipes::interval(first);
}

template <class Arch>
[[nodiscard]] constexpr bool matrix_operation(sched_class c) {
  return Arch::pipes::pipe_of(c) == pipe_id::tensor;
}

// How far matrix operations like `i` stand behind each other at least. Those of four warps keep the pace of their columns (observed,
// sm_90a: 64xN after N / 8 - 4 cycles, 6 to 28, 4,900 of 5,600, none sooner); a row of N single numbers is N / 2 registers of a thread.
template <class Arch>
[[nodiscard]] unsigned matrix_pace(const program& p, const instruction& i) {
  if (i.iclass != sched_class::hgmma || i.operand_count == 0) return pace<Arch>(i.iclass, i.iclass);
  const unsigned registers = p.operands_of(i)[0].width();
  return registers > 16 ? registers / 4 - 4 : 0;
}

// `r` copies the lower register of a pair, and would have to be `apart` cycles behind `w` if it copied the upper one, which `w` makes.
template <class Arch>
[[nodiscard]] bool moves_other_half(const program& p, const instruction& w, const instruction& r, unsigned apart) {
  if (Arch::latency::variable(w.iclass)) return false;
  for (const operand& o : p.operands_of(r)) {
    if (!o.is_use() || o.file() != reg_file::r || o.base().is_zero() || o.width() != 1 || o.base().number() % 2 != 0)
      continue;
    for (const operand& d : p.operands_of(w)) {
      const std::uint32_t upper = o.base().number() + 1;
      if (!d.is_def() || d.file() != reg_file::r || d.base().number() > upper || upper >= d.base().number() + d.width())
        continue;
      const auto part = static_cast<std::uint8_t>(upper - d.base().number());
      const distance c = Arch::latency::raw({w.iclass, d.where(), d.file(), part, w.has(iflag::guarded)},
                                            {r.iclass, o.where(), o.file(), 0, false});
      if (apart >= c.check && apart <= meta::max(c.check, c.emit)) return true;
    }
  }
  return false;
}

[[nodiscard]] inline bool gives_predicate(const program& p, const instruction& i) {
  for (const operand& o : p.operands_of(i)) {
    if (o.is_def() && o.file() == reg_file::p && !o.base().is_zero()) return true;
  }
  return false;
}

// Loads and stores of global and shared memory.
[[nodiscard]] constexpr bool accesses_memory(const instruction& i) {
  return i.iclass == sched_class::ldg || i.iclass == sched_class::stg || i.iclass == sched_class::lds ||
         i.iclass == sched_class::sts;
}

// How far behind the access `i` compilers like to put the next one, in cycles: 8, 10, 12 for 32, 64, 128 bits of a thread (observed, one
// library of tensor contractions, sm_70 to sm_90: the commonest distances from STG to STG, from LDG to LDG, from STS to STS, and to LDS).
[[nodiscard]] constexpr unsigned access_pace(const instruction& i) {
  return i.mem_bytes == 4 ? 8u : i.mem_bytes == 8 ? 10u : i.mem_bytes == 16 ? 12u : 0u;
}

// Is there a pair (w, r) that has to be `apart` cycles apart, and no less?
template <class Arch>
[[nodiscard]] bool binds(const program& p, const instruction& w, const instruction& r, unsigned apart) {
  using latency = typename Arch::latency;
  using pipes = typename Arch::pipes;
  if (w.has(iflag::never) || r.has(iflag::never)) return false;
  const bool counted = latency::variable(r.iclass);
  if (!latency::variable(w.iclass)) {
    const wanted n = needed<Arch>(p, w, r);
    const bool wide = w.iclass == sched_class::imad_wide || w.iclass == sched_class::imad_hi;
    if (wide && apart <= 4 && overwritten(p, w, r, false)) return true;
    if (n.least != 0 && apart == n.least + 1 && r.ctl.wait_mask != 0) return true;
    // Stores take a wide product as loads do (observed on sm_80 to sm_89: STG 5, 6 or 7 cycles behind IMAD.WIDE, 943, 105 and 5 times).
    const bool stored = r.dir == mem_dir::store && w.iclass == sched_class::imad_wide;
    const unsigned slack = counted || stored ? 2u : (r.iclass == sched_class::plop3 ? 9u : 0u);
    if (n.least != 0 && apart >= n.least && apart <= meta::max(n.least + slack, n.safe)) return true;
    if (n.least == 0 && counted && apart <= 14 && overwritten(p, w, r, true)) return true;
    // A guarded result lets the one before it through, so that one has to be there (observed).
    if (n.least == 0 && !counted &&
        apart <= (r.has(iflag::guarded) && overwritten(p, w, r, true) ? 6u : replacing<Arch>(p, w, r)))
      return true;
  }
  // (observed on sm_80 and sm_90: FFMA that lets go of the warp at two cycles in front of LDL that overwrites a source of it)
  if (apart == 2 && counted && overwritten(p, w, r, false)) return true;
  if (apart <= 3 && (overwritten(p, w, r, false, reg_file::ur) || overwritten(p, w, r, false, reg_file::up))) return true;
  // R2P waits for predicates that its mask leaves out too (observed on sm_75 to sm_90: behind arithmetic that gives one, outside of
  // the mask, 43 times 4 cycles, never less; on sm_89 9 times 2 or 3).
  if (apart == 4 && r.op == opcode::r2p && gives_predicate(p, w)) return true;
  if (apart <= 8 && overwritten(p, w, r, false, reg_file::p)) return true;
  if (apart == 8 && counted && latency::variable(w.iclass)) return true;
  // Double precision keeps a pace of its own and a distance to whoever waits for it, or reads it though another one has waited
  // (observed: DFMA R46, then MOV R46 that waits, then FSETP of R47 10 cycles behind DFMA;
  // behind DSETP a guard 14 cycles).
  if (latency::variable(w.iclass) && pipes::pipe_of(w.iclass) == pipe_id::fp64) {
    if (pipes::pipe_of(r.iclass) == pipe_id::fp64 || (apart <= 14 && overwritten(p, r, w, false))) return true;
    if (w.ctl.sets_write() && w.ctl.write_barrier < control::barrier_count &&
        (r.ctl.wait_mask >> w.ctl.write_barrier & 1u) != 0)
      return true;
  }
  // What stands between a barrier and a memory operation shares out the distance of the two.
  if (apart == 6 && w.iclass == sched_class::bar && r.dir != mem_dir::none) return true;
  // What is made of the value that an atomic has acquired is there when the cache is thrown away, read by anybody or not
  // (observed, sm_75 to sm_89: IMAD behind a shuffle of that value, CCTL.IVALL 5 cycles behind it, 37 times).
  if (apart == 5 && r.iclass == sched_class::cctl && r.has(iflag::fence)) return true;
  // A wide product takes its pipe for twice the time, and whoever shares parts of it waits (observed: FADD behind IMAD.WIDE, sm_100).
  if (apart == 4 && (w.iclass == sched_class::imad_wide || w.iclass == sched_class::imad_hi)) return true;
  // Where matrix operations are counted, whoever waits for one stands 10 cycles behind it, 14 behind HMMA.1688 (observed on sm_75: 97 and
  // 28 of 172 neighbours, none in between more than twice).
  if (matrix_operation<Arch>(w.iclass) && latency::variable(w.iclass) && (apart == 10 || apart == 14) &&
      overwritten(p, r, w, false))
    return true;
  // Half of a copied pair may be lost later: a move of the even register stands where the odd one could be moved too (observed, sm_90).
  if (r.op == opcode::mov && apart > 1 && moves_other_half<Arch>(p, w, r, apart)) return true;
  // Matrix operations read their sources in steps (observed on sm_86: a move 7 cycles behind HMMA that reads the register).
  if (matrix_operation<Arch>(w.iclass) && apart <= 16 && overwritten(p, w, r, false)) return true;
  if (w.iclass == sched_class::hgmma && r.iclass == w.iclass && apart == matrix_pace<Arch>(p, w)) return true;
  if (pipes::pipe_of(w.iclass) != pipes::pipe_of(r.iclass)) return apart > 1 && apart == pace<Arch>(w.iclass, r.iclass);
  return apart > 1 && (apart == pace<Arch>(w.iclass, r.iclass) || apart == pipes::interval(r.iclass));
}

// Gives 64 bits, whatever predicates stand in front (IMNMX.U64 PT, PT, R18, R10, R18, PT, !PT).
[[nodiscard]] inline bool makes_pair(const program& p, const instruction& i) {
  for (const operand& o : p.operands_of(i)) {
    if (o.is_def() && o.file() == reg_file::r && o.width() == 2) return true;
  }
  return false;
}

// A program as it might have been: one stall of another length, or the k-th instruction of a block and the next one exchanged, with
// their control fields or without.
struct supposed {
  const instruction* at = nullptr;
  unsigned stall = 0;  // cycles
  const block* where = nullptr;
  std::size_t k = 0;
  bool fields_stay = false;

  [[nodiscard]] const instruction& get(const program& p, const block& b, std::size_t position) const {
    if (&b == where && (position == k || position == k + 1)) position = 2 * k + 1 - position;
    return p[p.order_of(b)[position]];
  }
  [[nodiscard]] const control& fields(const program& p, const block& b, std::size_t position) const {
    return fields_stay && &b == where ? p[p.order_of(b)[position]].ctl : get(p, b, position).ctl;
  }
  [[nodiscard]] unsigned of(const program& p, const block& b, std::size_t position) const {
    return at != nullptr && &get(p, b, position) == at ? stall : fields(p, b, position).stall;
  }
};

// Does the instruction behind the k-th of `b` need every cycle that the k-th waits?
template <class Arch>
[[nodiscard]] bool reasoned(const program& p, const block& b, std::size_t k, const supposed& other = {}) {
  constexpr std::size_t inside = 40;  // instructions looked at in the block itself
  constexpr std::size_t beyond = 6;   // and in each block before
  constexpr unsigned far = 40;        // cycles
  const instruction& holder = other.get(p, b, k);
  const unsigned stall = other.of(p, b, k);
  if (Arch::latency::variable(holder.iclass) || transfers(holder) || k + 1 == b.count) return true;
  switch (holder.iclass) {
    case sched_class::imad_wide:
    case sched_class::imad_hi:
      if (stall <= 4) return true;
      break;
    case sched_class::alu_64:  // observed on sm_120: none of 30 neighbours 1 cycle behind, 9 of the ALU 3
    case sched_class::setp_64:
      if (stall <= 3) return true;
      break;
    case sched_class::alu_dual:  // SEL.64 and IMNMX.U64, likewise
      if (stall <= 3 && makes_pair(p, holder)) return true;
      break;
    case sched_class::imad:
    case sched_class::half:
    case sched_class::half_f32:
    case sched_class::half_alu:
      if (stall <= 2) return true;
      break;
    case sched_class::hmma_small:
    case sched_class::hmma_medium:
    case sched_class::hmma_large:
    case sched_class::hmma_sparse:
    case sched_class::imma_small:
    case sched_class::imma_medium:
    case sched_class::imma_large:
    case sched_class::bmma_small:
    case sched_class::bmma_large:
    case sched_class::dmma:
    case sched_class::qmma:
    case sched_class::hgmma:
      return true;
    default:
      break;
  }
  // Stalls longer than one word go on in NOPs or in instructions that never act.
  const instruction& next = other.get(p, b, k + 1);
  const bool jumps = (next.has(iflag::branch) || next.has(iflag::exit) || next.has(iflag::ret)) && !next.has(iflag::call);
  if ((transfers(next) && !(jumps && holder.iclass != sched_class::nop) && stall < 10) || next.has(iflag::never) ||
      next.iclass == sched_class::nop || next.iclass == sched_class::lepc ||
      (Arch::latency::variable(next.iclass) && next.dir == mem_dir::none && next.iclass != sched_class::shfl &&
       next.iclass != sched_class::movm) ||
      stall >= 14)
    return true;
  // Stores are moved among each other after that (observed on sm_75: PRMT 5 cycles in front of the first of the stores of which the
  // fifth takes its result), in long rows past what their data are made of (MOV 5 cycles in front of the first of 60).
  constexpr unsigned long_row = 8;  // stores
  unsigned stores = 1;
  for (std::size_t a = k + 2; next.dir == mem_dir::store && a < b.count && a < k + 80; ++a) {
    const instruction& later = other.get(p, b, a);
    const bool stored = later.dir == mem_dir::store;
    if (overwritten(p, holder, later, true) || (!stored && stores < long_row && later.iclass != sched_class::lds)) break;
    const wanted n = stored ? needed<Arch>(p, holder, later) : wanted{};
    if (n.least != 0 && stall <= meta::max(n.least, n.safe)) return true;
    stores += stored ? 1u : 0u;
  }
  // Two shuffles next to each other likewise (observed on sm_90: SEL 5 cycles in front of a shuffle of an older value, and that of the
  // result behind it).
  if (next.iclass == sched_class::shfl && k + 2 < b.count) {
    const instruction& later = other.get(p, b, k + 2);
    const wanted n = later.iclass == sched_class::shfl ? needed<Arch>(p, holder, later) : wanted{};
    if (n.least != 0 && stall >= n.least && stall <= meta::max(n.least, n.safe)) return true;
  }
  // What stands between two matrix operations shares out their distance (observed on sm_86: FFMA stalls 3 and FADD 4 between two
  // HMMA 8 cycles apart).
  unsigned ahead = 0;  // cycles from the next instruction to the next matrix operation
  bool shared = false;
  for (std::size_t a = k + 1; a < b.count && ahead < far && !shared; ++a) {
    shared = matrix_operation<Arch>(other.get(p, b, a).iclass);
    if (!shared) ahead += other.of(p, b, a);
  }
  // The last access before the next one counts.
  if (accesses_memory(next)) {
    unsigned since_last = 0;
    for (std::size_t at = k + 1; at-- > 0 && since_last < far;) {
      since_last += other.of(p, b, at);
      const instruction& i = other.get(p, b, at);
      if (!accesses_memory(i)) continue;
      if (since_last == access_pace(i)) return true;
      break;
    }
  }
  unsigned apart = 0;
  std::size_t looked_at = 0;
  const auto back = [&](const block& from, std::size_t end, unsigned d, std::size_t most) {
    for (std::size_t a = end; a-- > 0 && looked_at < most && d < far; ++looked_at) {
      d += other.of(p, from, a);
      const instruction& i = other.get(p, from, a);
      if (binds<Arch>(p, i, next, d)) return true;
      if (shared && matrix_operation<Arch>(i.iclass)) {
        if (d + ahead == matrix_pace<Arch>(p, i)) return true;
        shared = false;
      }
      apart = d;
    }
    return false;
  };
  if (back(b, k + 1, 0, inside)) return true;
  if (looked_at < k + 1) return false;
  const unsigned since = apart;
  for (const std::uint32_t e : p.pred_edges_of(b)) {
    const block& from = p[p.edges[e].from];
    looked_at = 0;
    if (back(from, from.count, since, beyond)) return true;
  }
  return false;
}

}  // namespace ww::verify::detail
