// SPDX-License-Identifier: BSL-1.0
//
// How control leaves a block, as far as that depends on where blocks stand.
//
//   fall       the block behind it in layout order, where control can go on without a branch
//   taken      where its direct branch goes
//   plain      its last instruction is an unconditional direct branch: it may be left out if `taken` stands behind the block
//   invertible its last instruction is a direct branch under a guard and nothing else: with the opposite guard it goes to
//              `fall` and falls into `taken`
//   glued      the block behind it must stay there: what a CALL comes back to, the indirect call behind PRET
// Whatever is neither plain nor invertible (BRA.U, BRA P0, EXIT or BSYNC under a guard, ..) keeps its last instruction, and gets
// a branch behind it where `fall` no longer stands there. Edges are the truth: blocks may have been reordered inside.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"

namespace ww::layout {

struct block_exits {
  block_id fall;
  block_id taken;
  bool plain = false;
  bool invertible = false;
  bool glued = false;

  [[nodiscard]] bool conditional() const { return fall.valid() && taken.valid() && fall != taken; }
};

// Of block `b`, which has instructions.
[[nodiscard]] inline block_exits exits_of(const program& p, block_id b) {
  block_exits x;
  const block& blk = p[b];
  const instruction& last = p[p.order[blk.first + blk.count - 1]];
  const block_id next{b.index() + 1};
  for (const cfg_edge& e : p.edges_of(blk)) {
    if (e.kind == edge_kind::fall) x.fall = e.to;
    if (e.kind == edge_kind::branch) x.taken = e.to;
    if (e.kind == edge_kind::call_return && e.to == next) x.glued = true;
  }
  // What PRET names is where the indirect call behind it comes back to, and that call is known by standing there.
  if (last.region == region_kind::call) x.glued = true;
  const bool direct = last.has(iflag::branch) && !last.has(iflag::indirect) && !last.has(iflag::call) &&
                      !last.has(iflag::never) && last.target.valid() && x.taken.valid();
  if (!direct) return x;
  bool other = false;  // a predicate beside the guard, a uniform condition: nothing that the guard alone decides
  for (const operand& o : p.operands_of(last)) other = other || (o.is_register() && o.where() != slot::guard);
  const bool decides = last.has(iflag::conditional) || other;
  x.plain = !decides && !last.has(iflag::guarded) && !x.fall.valid();
  x.invertible = !decides && last.has(iflag::guarded) && x.conditional();
  return x;
}

// May the blocks of function `f` be put into another order? Not where an indirect branch without known targets goes to whatever
// nothing else reaches, for which blocks that are depends on their order; nor where control runs off the end of the code.
[[nodiscard]] inline bool movable(const program& p, std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t b = first; b < first + count; ++b) {
    const block& blk = p.blocks[b];
    if (blk.count == 0) return false;
    if (!blk.open_exit) continue;
    const instruction& last = p[p.order[blk.first + blk.count - 1]];
    if (!last.has(iflag::call) && !last.has(iflag::ret)) return false;
  }
  return true;
}

}  // namespace ww::layout
