// SPDX-License-Identifier: BSL-1.0
//
// The placement primitive (PLS-19, "Instruction Emission"): one instruction moves to another place, in its block or in
// another one, and everything that hangs on places is right afterwards.
//
//   place    index into program::order
//   bounds   first and count of every block between the two places are adjusted; blocks stay ranges in layout order
//   notify   called once for each block whose order changed: graphs, liveness and other facts about it are out of date
//
// Nothing is checked but the places: whether the move is legal is for the caller to know (graph/, verify/). O(distance).
#pragma once

#include <cstdint>

#include "program.hpp"

namespace ww {

// The block that holds a place, or none.
[[nodiscard]] inline block_id block_at(const program& p, std::uint32_t place) {
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    if (place >= p.blocks[b].first && place - p.blocks[b].first < p.blocks[b].count) return block_id(b);
  }
  return {};
}

// Moves the instruction at `from`, a place in block `source`, so that it becomes number `at` (from 0) of block `target` as
// that block is without it. False, and nothing changes, when a place does not exist.
template <class Notify>
bool move_instruction(program& p, block_id source, std::uint32_t from, block_id target, std::uint32_t at, Notify&& notify) {
  if (source.index() >= p.blocks.size() || target.index() >= p.blocks.size()) return false;
  block& out = p[source];
  block& in = p[target];
  if (from < out.first || from - out.first >= out.count) return false;
  const std::uint32_t room = in.count - (source == target ? 1u : 0u);
  if (at > room) return false;
  // The place in the order without the instruction.
  std::uint32_t to = in.first + at;
  if (target.index() > source.index()) to -= 1;
  const instr_id moved = p.order[from];
  for (std::uint32_t k = from; k > to; --k) p.order[k] = p.order[k - 1];
  for (std::uint32_t k = from; k < to; ++k) p.order[k] = p.order[k + 1];
  p.order[to] = moved;
  if (source != target) {
    // Blocks between the two slide by one place; so does the later one of them.
    for (std::uint32_t b = source.index() + 1; b <= target.index(); ++b) p.blocks[b].first -= 1;
    for (std::uint32_t b = target.index() + 1; b <= source.index(); ++b) p.blocks[b].first += 1;
    out.count -= 1;
    in.count += 1;
    notify(source);
  }
  notify(target);
  return true;
}

}  // namespace ww
