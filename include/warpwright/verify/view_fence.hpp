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
#pragma once

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

// `i` is about to issue, and has waited.
template <class Arch>
void check_view_fences(const program& p, instr_id id, const instruction& i, const flight_board<Arch>& board,
                       vec<finding>& out) {
  if (!tells_others(i)) return;
  for (const flight& f : board.all()) {
    const instruction& fence = p.instructions[f.instr];
    if (fence.op != opcode::fence || !f.write_pending) continue;
    finding x = about(finding_kind::fence_wait, severity::finding, id, provenance::observed);
    x.first = instr_id{f.instr};
    x.counter = fence.ctl.write_barrier;
    out.push_back(x);
  }
}

}  // namespace ww::verify::detail
