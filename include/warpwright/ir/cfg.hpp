// SPDX-License-Identifier: BSL-1.0
//
// The control-flow graph: build_cfg() fills program::blocks, edges, pred_edges, the functions' block ranges,
// and the blocks' loop depth, weight, reachability and entry marks, from the instructions' flags and targets.
//
//   A block starts at the first position, at every target (of a branch, a call, BSSY, WARPSYNC.COLLECTIVE or a branch
//   table), at every leader and function entry, behind every instruction that ends a block, and at the closing NOPs.
//   fall         to the next block; also where a branch, call or exit is guarded or otherwise conditional
//                WARPSYNC.COLLECTIVE only falls through: what its target names is reached behind ENDCOLLECTIVE, and the
//                disassembler's own live ranges agree (a result of the collective is not live in front of it)
//   branch       direct jump; also a CALL to a place that no function starts at (facts: listing trap 5), and a
//                reconvergence (BSYNC ..) whose region ends elsewhere (SYNC, BRK: the listing's word, else region_stack.hpp)
//   indirect     to each entry of a branch table; without a table the block has `open_exit`, and it goes to every part of its
//                function that nothing else reaches; if there are several such branches, those parts are entries
//   call, ret    into a known function, and from each of its RETs to the blocks behind all its known calls
//   call_return  from every call to the block behind it, from a BRX behind PRET to what that names. A summary beside a `call`
//                edge: a pass that follows call and ret edges skips it (is_summary()), a pass inside one function uses only it
//   open_exit    an indirect call, a call that leaves the program, a RET of a function whose callers are not all known
// A function owns the blocks from its entry to the next entry in layout order. Call once per program, on the order as
// read: targets are instructions, and edges are the truth once blocks have been permuted (block_starts.hpp).
// Linear in instructions plus edges, but for loops (see loops.hpp).
//
// A NOP that waits for counters, or stands right behind a fence of the scope of a block, becomes a fence: it is all that is
// left of a synchronisation of the warp, or holds loads back until everything before the fence has come (observed: compilers
// from CUDA 13.0 on put a NOP that waits for all six counters behind each MEMBAR.ALL.CTA of a program's own, 35 of 35).
#pragma once

#include <cstdint>

#include "detail/cfg_builder.hpp"
#include "dominators.hpp"
#include "loops.hpp"
#include "program.hpp"

namespace ww {

namespace detail {

inline void mark_waiting_nops(auto& p) {
  bool behind_fence = false;
  for (const instr_id id : p.order) {
    instruction& i = p[id];
    const bool waits = p.has_control && i.ctl.wait_mask != 0;
    if (i.has(iflag::nop) && !i.has(iflag::padding) && (waits || behind_fence)) i.add(iflag::fence);
    behind_fence = i.has(iflag::block_fence);
  }
}

}  // namespace detail

// Fails only on a program that contradicts itself; then the program has no blocks.
[[nodiscard]] inline cfg_result build_cfg(auto& p, const cfg_options& options = {}) {
  detail::cfg_builder builder(p, options);
  const cfg_result result = builder.run();
  if (!result.ok) {
    p.blocks.clear();
    p.edges.clear();
    p.pred_edges.clear();
    return result;
  }
  find_loops(p);
  detail::mark_waiting_nops(p);
  return result;
}

// True for a call_return edge that only summarises call and ret edges of the same block.
[[nodiscard]] constexpr bool is_summary(const program& p, const cfg_edge& e) {
  if (e.kind != edge_kind::call_return) return false;
  for (const cfg_edge& other : p.edges_of(p[e.from])) {
    if (other.kind == edge_kind::call) return true;
  }
  return false;
}

}  // namespace ww
