// SPDX-License-Identifier: BSL-1.0
//
// NOPs between dependent double precision whose distance a counter carries anyway (facts: public notes 2.9, sm_120).
//
//   padded pair   a counted double-precision instruction, a run of NOPs right behind it, and an instruction that waits for
//                 its counter. The compiler spends 15+15+15+15+4 cycles there; without the NOPs the result stays, without
//                 the counter it does not
//   reclaimed     the NOPs are taken out of program::order. What is left needs new words: assign_control
// Nobody asks for this by default: it changes the instructions, so that it is for programs in memory. A listing keeps its
// NOPs, but new words for it (keep order) leave them a stall of 1. NOPs elsewhere (before shuffles, behind matrix
// operations, at block starts, with a guard, a wait or a counter) are left alone.
#pragma once

#include <cstdint>

#include "../arch/vocabulary.hpp"
#include "../ir/program.hpp"
#include "../isa/sched_class.hpp"

namespace ww::scoreboard {

namespace detail {

[[nodiscard]] inline bool plain_nop(const instruction& i) {
  return i.iclass == sched_class::nop && !i.has(iflag::padding) && !i.has(iflag::guarded) && !i.has(iflag::never) &&
         i.operand_count == 0 && i.ctl.wait_mask == 0 && !i.ctl.sets_write() && !i.ctl.sets_read();
}

// How many NOPs stand between the producer at `pos` and its waiter; 0 if it is no padded pair.
template <class Arch>
[[nodiscard]] std::uint32_t padded_by(const program& p, const block& b, std::uint32_t pos) {
  const instruction& producer = p[p.order[pos]];
  if (Arch::pipes::pipe_of(producer.iclass) != pipe_id::fp64 || !Arch::latency::variable(producer.iclass) ||
      !producer.ctl.sets_write() || producer.ctl.write_barrier >= Arch::barriers::count)
    return 0;
  std::uint32_t at = pos + 1;
  while (at < b.first + b.count && plain_nop(p[p.order[at]])) ++at;
  if (at == pos + 1 || at == b.first + b.count) return 0;
  const bool waits = (p[p.order[at]].ctl.wait_mask >> producer.ctl.write_barrier & 1u) != 0;
  return waits ? at - pos - 1 : 0;
}

}  // namespace detail

// NOPs that reclaim_nops would take out.
template <class Arch>
[[nodiscard]] std::uint32_t count_idle_nops(const program& p) {
  std::uint32_t n = 0;
  for (const block& b : p.blocks) {
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) n += detail::padded_by<Arch>(p, b, pos);
  }
  return n;
}

// Takes them out of the order; the instructions stay in program::instructions, where nothing refers to them. Returns how
// many. The control words of what is left are as they were: make new ones.
template <class Arch>
std::uint32_t reclaim_nops(program& p) {
  std::uint32_t gone = 0;
  std::uint32_t out = 0;
  for (block& b : p.blocks) {
    const std::uint32_t first = out;
    std::uint32_t skip = 0;
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      if (skip != 0) {
        --skip;
        ++gone;
        continue;
      }
      skip = detail::padded_by<Arch>(p, b, pos);
      p.order[out++] = p.order[pos];
    }
    b.first = first;
    b.count = out - first;
  }
  p.order.resize(out);
  return gone;
}

}  // namespace ww::scoreboard
