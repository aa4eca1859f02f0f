// SPDX-License-Identifier: BSL-1.0
//
// Why does an instruction wait as long as it does? Schedulers give no cycle away: a stall above the least one keeps the
// distance of some pair on a path across it, or the pace of a pipe.
//
//   needed     longest true dependence from one instruction to another, in cycles
//   binds      a pair is exactly as far apart as it has to be
//   reasoned   some pair of instructions before and behind a stall binds
//   supposed   one instruction's stall taken to be another one than it is
//
// Instructions before and behind are taken from the block and, where it ends too soon, from its neighbours. Reasons that the
// tables do not hold count as reasons (observed): what precedes a transfer or a barrier, matrix operations, wide products
// (their next neighbour waits 4 cycles), uniform registers overwritten within 3 cycles, a counted result behind a plain one,
// sources overwritten 2 cycles later, half precision and IMAD beside other pipes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../arch/vocabulary.hpp"
#include "../ir/program.hpp"
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

[[nodiscard]] constexpr bool transfers(const instruction& i) {
  return i.has(iflag::branch) || i.has(iflag::call) || i.has(iflag::ret) || i.has(iflag::exit) || i.has(iflag::sync) ||
         i.has(iflag::convergence) || i.has(iflag::reconverge) || i.has(iflag::unknown);
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
    const unsigned slack = counted || transfers(r) ? 2u : (r.iclass == sched_class::plop3 ? 9u : (n.least >= 10 ? 3u : 0u));
    if (n.least != 0 && apart >= n.least && apart <= meta::max(n.least + slack, n.safe)) return true;
    if (n.least == 0 && apart <= (counted ? 14u : 6u) && overwritten(p, w, r, true)) return true;
  }
  if (apart == 2 && overwritten(p, w, r, false)) return true;
  if (apart <= 3 && overwritten(p, w, r, false, reg_file::ur)) return true;
  if (apart <= 8 && overwritten(p, w, r, false, reg_file::p)) return true;
  if (apart == 8 && counted && latency::variable(w.iclass)) return true;
  // Double precision keeps a pace of its own and a distance to whoever waits for it.
  if (latency::variable(w.iclass) && pipes::pipe_of(w.iclass) == pipe_id::fp64) {
    if (pipes::pipe_of(r.iclass) == pipe_id::fp64) return true;
    if (w.ctl.sets_write() && w.ctl.write_barrier < control::barrier_count &&
        (r.ctl.wait_mask >> w.ctl.write_barrier & 1u) != 0)
      return true;
  }
  // What stands between a barrier and a memory operation shares out the distance of the two.
  if (apart == 6 && w.iclass == sched_class::bar && r.dir != mem_dir::none) return true;
  // A wide product takes its pipe for twice the time, and whoever shares parts of it waits (observed: FADD behind IMAD.WIDE, sm_100).
  if (apart == 4 && (w.iclass == sched_class::imad_wide || w.iclass == sched_class::imad_hi)) return true;
  const unsigned interval = pipes::interval(r.iclass);
  return interval > 1 && apart == interval && pipes::pipe_of(w.iclass) == pipes::pipe_of(r.iclass);
}

struct supposed {
  const instruction* at = nullptr;
  unsigned stall = 0;  // cycles

  [[nodiscard]] unsigned of(const instruction& i) const { return &i == at ? stall : i.ctl.stall; }
};

// Does anything need every cycle that the k-th instruction of `b` waits?
template <class Arch>
[[nodiscard]] bool reasoned(const program& p, const block& b, std::size_t k, const supposed& other = {}) {
  constexpr std::size_t inside = 16;  // instructions looked at in the block itself, on either side
  constexpr std::size_t beyond = 6;   // and in each neighbour
  constexpr std::size_t capacity = 32;
  constexpr unsigned far = 40;  // cycles
  struct step {
    const instruction* i = nullptr;
    unsigned apart = 0;
  };
  const auto order = p.order_of(b);
  const instruction& holder = p[order[k]];
  const unsigned stall = other.of(holder);
  if (Arch::latency::variable(holder.iclass) || transfers(holder) || k + 1 == order.size()) return true;
  switch (holder.iclass) {
    case sched_class::imad_wide:
    case sched_class::imad_hi:
      if (stall <= 4) return true;
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
  const instruction& next = p[order[k + 1]];
  if ((transfers(next) && stall < 10) || next.has(iflag::never) || next.iclass == sched_class::nop ||
      (Arch::latency::variable(next.iclass) && next.dir == mem_dir::none && next.iclass != sched_class::shfl &&
       next.iclass != sched_class::movm) ||
      stall >= 14)
    return true;
  array<step, capacity> before;
  array<step, capacity> behind;
  std::size_t nb = 0;
  std::size_t na = 0;
  const auto back = [&](const block& from, std::size_t end, unsigned d, std::size_t most) {
    const auto list = p.order_of(from);
    most = meta::min(most, capacity);
    for (std::size_t a = end; a-- > 0 && nb < most && d < far;) {
      d += other.of(p[list[a]]);
      before[nb++] = {&p[list[a]], d};
    }
    return d;
  };
  const auto forth = [&](const block& to, std::size_t begin, unsigned d, std::size_t most) {
    const auto list = p.order_of(to);
    most = meta::min(most, capacity);
    for (std::size_t a = begin; a < list.size() && na < most && d < far; ++a) {
      behind[na++] = {&p[list[a]], d};
      d += other.of(p[list[a]]);
    }
    return d;
  };
  const unsigned since = back(b, k + 1, 0, inside);
  if (nb == k + 1) {
    for (const std::uint32_t e : p.pred_edges_of(b)) {
      const block& from = p[p.edges[e].from];
      back(from, from.count, since, nb + beyond);
    }
  }
  const unsigned until = forth(b, k + 1, 0, inside);
  if (na == order.size() - k - 1) {
    for (const cfg_edge& e : p.edges_of(b)) {
      const block& to = p[e.to];
      forth(to, 0, until, na + beyond);
    }
  }
  for (std::size_t x = 0; x < nb; ++x) {
    for (std::size_t y = 0; y < na; ++y) {
      if (binds<Arch>(p, *before[x].i, *behind[y].i, before[x].apart + behind[y].apart)) return true;
    }
  }
  return false;
}

}  // namespace ww::verify::detail
