// SPDX-License-Identifier: BSL-1.0
//
// Epilogues (HC-5): is a block one, and which blocks of a program are marked as such beforehand.
//
//   mark       a bit that earlier analysis has left on a block: dma_mark (0x08), epilogue_mark (0x10)
//   knob 490   a number by block whose bit 0x10 makes it an epilogue without a mark
//   tepid      the mode between hot and cold, in which math and memory take turns. Only while it is on is any block an
//              epilogue: the test says what the mode is where either bit is set, and no otherwise
//
// The text does not say how the mark comes about. Here (assumed): a block is marked that stands in no loop, is reached from one
// of the same function, and stores results: a store or a reduction to global or generic memory, or a bulk copy or reduction out
// of shared memory (UTMASTG, UTMAREDG, UBLKRED). Linear in blocks, edges and instructions.
#pragma once

#include <cstdint>

#include "../ir/loops.hpp"
#include "../ir/program.hpp"
#include "../isa/opcode.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/vec.hpp"

namespace ww::layout {

inline constexpr std::uint8_t dma_mark = 0x08;
inline constexpr std::uint8_t epilogue_mark = 0x10;

// The tepid mode and its knobs.
struct tepid_mode {
  bool on = false;
  std::uint32_t forced = 0;          // knob 490, where it says the same of every block
  std::uint32_t epilogue_count = 1;  // knob 294: instructions of an epilogue, which divide its budgets; 1 is assumed
};

// `forced`: knob 490 of this block.
[[nodiscard]] constexpr bool is_epilogue(std::uint8_t marks, std::uint32_t forced, bool tepid) {
  return ((marks | forced) & epilogue_mark) != 0 && tepid;
}

// Does it bring a result to memory that others see?
[[nodiscard]] constexpr bool stores_result(const instruction& ins) {
  if (ins.op == opcode::utmastg || ins.op == opcode::utmaredg || ins.op == opcode::ublkred) return true;
  if (ins.space != mem_space::global && ins.space != mem_space::generic) return false;
  return ins.dir == mem_dir::store || ins.iclass == sched_class::red;
}

// Sets epilogue_mark on the blocks that have earned it. `marks` is by block, as long as the program has blocks; `stack` is scratch.
inline void mark_epilogues(const program& p, vec<std::uint8_t>& marks, vec<std::uint32_t>& stack) {
  constexpr std::uint8_t seen = 0x80;  // while this runs: a loop leads here
  const auto count = static_cast<std::uint32_t>(p.blocks.size());
  if (marks.size() != count) return;
  stack.clear();
  for (std::uint32_t b = 0; b < count; ++b) {
    if (p.blocks[b].loop_depth == 0) continue;
    marks[b] |= seen;
    stack.push_back(b);
  }
  while (!stack.empty()) {
    const block& from = p.blocks[stack.back()];
    stack.pop_back();
    for (const cfg_edge& e : p.edges_of(from)) {
      if (!ww::detail::inside_function(e.kind) || (marks[e.to.index()] & seen) != 0) continue;
      marks[e.to.index()] |= seen;
      stack.push_back(e.to.index());
    }
  }
  for (std::uint32_t b = 0; b < count; ++b) {
    const bool behind = (marks[b] & seen) != 0 && p.blocks[b].loop_depth == 0;
    marks[b] = static_cast<std::uint8_t>(marks[b] & ~seen);
    if (!behind || p.blocks[b].padding) continue;
    for (const instr_id id : p.order_of(p.blocks[b])) {
      if (stores_result(p[id])) marks[b] |= epilogue_mark;
    }
  }
}

}  // namespace ww::layout
