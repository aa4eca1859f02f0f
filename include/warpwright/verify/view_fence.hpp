// SPDX-License-Identifier: BSL-1.0
//
// Whether FENCE.VIEW.ASYNC is through when somebody is told of what it orders.
//
//   fence    raises a write counter when what the thread has written can be seen by the asynchronous units
//   telling  BAR.SYNC and its like, SYNCS, WARPGROUP.ARRIVE, UTMASTG: others go on, or a unit begins, by what was written
// Nobody reads a register of a fence, so a counter that is dropped from it, or a wait from who tells, would not be noticed. Observed on
// sm_90 to sm_121: of 1,810 fences on the way to the next of these each is waited for by it or before it, or all has drained. Only EXIT
// stands behind fences that nobody has waited for. A later fence covers those in front of it, for they end in order (a kernel of attention,
// sm_103: the first of two raises no counter).
// Some versions of a compiler time a barrier object instead: NOP, a fence that stalls 10, SYNCS.EXCH that raises the fence's counter, with
// NOPs that stall 15 in between where there are more of them, and the NOP behind the last one waits for all. Observed on sm_90: 64 of 64
// fences of ten cycles or more behind a NOP and in front of SYNCS.EXCH; behind anything else none of 19 such, which it waits for.
#pragma once

#include <cstddef>

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/vec.hpp"
#include "finding.hpp"
#include "flight_board.hpp"

namespace ww::verify::detail {

// A fence that is in flight until somebody waits for it.
[[nodiscard]] inline bool is_view_fence(const instruction& i) {
  return i.op == opcode::fence && !i.ctl.drains() && !i.has(iflag::never);
}

// Does `i` tell others, or a unit, of what was written in front of it?
[[nodiscard]] inline bool tells_others(const instruction& i) {
  switch (i.op) {
    case opcode::bar:
    case opcode::syncs:
    case opcode::usyncs:
    case opcode::utmastg:
      return !i.has(iflag::never);
    case opcode::warpgroup:
      return i.operand_count <= 1;  // not DEPBAR
    default:
      return false;
  }
}

// SYNCS.EXCH, which sets up a barrier object.
[[nodiscard]] inline bool sets_up_object(const program& p, const instruction& i) {
  constexpr unsigned bits = 0x1ff, exchange = 0x1b2;  // of the opcode
  return p.has_encoding && i.op == opcode::syncs && (i.word[0] & bits) == exchange;
}

// The stall of `fence` is what `i` waits for, and the counter of both is waited for later.
[[nodiscard]] inline bool timed_fence(const program& p, instr_id fence, const instruction& i) {
  constexpr unsigned seen = 10;  // cycles
  const control& c = p[fence].ctl;
  if (c.stall < seen || c.write_barrier != i.ctl.write_barrier || !c.sets_write() || !sets_up_object(p, i)) return false;
  for (std::size_t k = 1; k < p.order.size(); ++k) {
    if (p.order[k] == fence) return p[p.order[k - 1]].iclass == sched_class::nop;
  }
  return false;
}

// `i` is about to issue, and has waited.
template <class Arch>
void check_view_fences(const program& p, instr_id id, const instruction& i, const flight_board<Arch>& board,
                       vec<finding>& out) {
  if (!tells_others(i)) return;
  for (const flight& f : board.all()) {
    const instruction& fence = p.instructions[f.instr];
    if (fence.op != opcode::fence || !f.write_pending || timed_fence(p, instr_id{f.instr}, i)) continue;
    finding x = about(finding_kind::fence_wait, severity::finding, id, provenance::observed);
    x.first = instr_id{f.instr};
    x.counter = fence.ctl.write_barrier;
    out.push_back(x);
  }
}

}  // namespace ww::verify::detail
