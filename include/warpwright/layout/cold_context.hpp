// SPDX-License-Identifier: BSL-1.0
//
// What a signal of cold code may ask (HC-1): the program, its dominators and loops, a profile, and facts of every block.
//
//   analysis    dominators and loops of a program; whoever has them already hands them over
//   facts       by block, made by cold_workspace (cold_facts.hpp)
//     reached     some entry leads to the block
//     doomed      it traps, or every way on from it ends in a trap; a way that goes round in a loop does not
//     behind      a source of a back edge dominates it from above: control has been round some loop, or at its end, before
//     into_loop   it dominates the header of a loop, or is one
//     decided     control leaves it by a condition of which all threads of a warp have the same value (uniform_values.hpp)
//     uniform     the innermost condition that it stands below is such a one
//   conditions  how many conditions decide, in one iteration of its innermost loop, whether the block runs
//   arm         a block with one way in, from a block with several ways out; another one of them is not doomed. A way out of a
//               loop is no condition of what stands behind the loop
// `conditions` counts the arms among a block's dominators; it begins with 0 at an entry and at the header of a loop.
#pragma once

#include <cstdint>

#include "../ir/dominators.hpp"
#include "../ir/flow_profile.hpp"
#include "../ir/loops.hpp"
#include "../ir/program.hpp"
#include "../meta/span.hpp"

namespace ww::layout {

enum class cold_fact : std::uint8_t {
  reached = 1u << 0,
  doomed = 1u << 1,
  behind = 1u << 2,
  into_loop = 1u << 3,
  decided = 1u << 4,
  uniform = 1u << 5,
};

// Neither the loops nor the weights of the program are touched.
struct cold_analysis {
  explicit cold_analysis(const program& p) : dominators(p) { ww::detail::loop_search(p, loops).run(); }

  dominator_tree dominators;
  loop_forest loops;
};

// The header of the innermost loop around a block, none if it is in no loop.
[[nodiscard]] inline block_id innermost(const loop_forest& loops, block_id b) {
  return loops.is_header[b.index()] != 0 ? b : loops.outer[b.index()];
}

// The block by which control enters the function of a block: the first one where functions are not known.
[[nodiscard]] inline block_id entry_of(const program& p, block_id b) {
  const function_id f = p[b].function;
  const block_id first = f.index() < p.functions.size() ? p.functions[f.index()].first_block : block_id{0};
  return first.index() < p.blocks.size() ? first : block_id{0};
}

struct cold_context {
  const program& code;
  const dominator_tree& dominators;
  const loop_forest& loops;
  const flow_profile* profile = nullptr;  // null: nothing was measured
  span<const std::uint8_t> facts;         // by block, bits of cold_fact
  span<const std::uint32_t> conditions;   // by block

  [[nodiscard]] bool has(block_id b, cold_fact f) const { return (facts[b.index()] & static_cast<std::uint8_t>(f)) != 0; }
  [[nodiscard]] bool in_loop(block_id b) const { return innermost(loops, b).valid(); }
  // Null for a block without instructions.
  [[nodiscard]] const instruction* last(block_id b) const {
    const block& blk = code[b];
    return blk.count == 0 ? nullptr : &code[code.order[blk.first + blk.count - 1]];
  }
};

// May control go on behind it, although it is a branch, a call or an exit?
[[nodiscard]] constexpr bool may_fall(const instruction& i) {
  return i.has(iflag::never) || i.has(iflag::guarded) || i.has(iflag::conditional);
}

}  // namespace ww::layout
