// SPDX-License-Identifier: BSL-1.0
//
// What a program does on the machine of the cycle model, instruction by instruction: the value that reports are written from.
//
//   row     one instruction in the order of its block: when it issues, what it waited for and on whom, when its result lands,
//           how many registers are live, how far it may slip
//   block   a slice of the rows, and of the edges of its dependence graph; ends of an edge are places in that slice
//   alone   cycles and reasons of one warp by itself: what the rows show
//   shared  the same for the warps that the program is judged for; with one warp it is `alone` again
//   path    cycles of the critical paths of all blocks, weighted, by what their distances rest on (evidence.hpp)
// The cycles of a block are its issue cycles and what was lost, nothing else: lost() of its rows, behind() of it, and one for each
// cycle in which something issues. Made by timeline_of.hpp; it holds no text, so that it does not depend on where programs are from.
#pragma once

#include <cstdint>

#include "../arch/vocabulary.hpp"
#include "../graph/graph.hpp"
#include "../ir/program.hpp"
#include "../meta/array.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../model/cost.hpp"
#include "evidence.hpp"

namespace ww::report {

struct timeline_row {
  instr_id id;
  std::uint32_t address = 0;
  control ctl;
  pipe_id pipe = pipe_id::none;
  std::uint16_t busy = 0;  // cycles that its pipe is taken
  std::uint8_t counter = control::no_barrier;
  bool critical = false;
  std::int64_t issue = 0;   // cycles behind the start of its block
  std::int64_t result = 0;  // the issue itself where nothing lands
  std::int64_t read = 0;    // the issue itself where nobody is told
  array<std::uint32_t, model::reason_count> lost{};
  instr_id writer;  // what `dependence` waits for
  instr_id raiser;  // what `barrier` waits for
  instr_id holder;  // what `pipe` waits for
  std::uint32_t live = 0;
  std::uint32_t slack = 0;

  [[nodiscard]] constexpr std::uint64_t waited() const {
    std::uint64_t n = 0;
    for (const std::uint32_t cycles : lost) n += cycles;
    return n;
  }
};

struct timeline_block {
  std::uint32_t number = 0;
  std::uint32_t first = 0;  // row
  std::uint32_t count = 0;
  std::uint32_t first_edge = 0;
  std::uint32_t edge_count = 0;
  std::uint32_t critical_path = 0;  // cycles
  std::uint32_t behind = 0;         // cycles lost behind its last instruction
  model::stall_reason behind_reason = model::stall_reason::stall_count;
  std::uint16_t loop_depth = 0;
  double weight = 1;
  double alone = 0;   // cycles of one execution
  double shared = 0;  // the same for the warps of the sub-core, per warp
  array<std::uint32_t, evidence_count> path{};
};

// An edge of the critical path that is drawn; others may be as long.
struct timeline_edge {
  dependence_edge edge;
  bool critical = false;
};

struct timeline {
  vec<timeline_row> rows;
  vec<timeline_block> blocks;  // in layout order, those that are executed
  vec<timeline_edge> edges;
  unsigned warps = 1;
  double alone = 0;
  double shared = 0;
  array<double, model::reason_count> alone_reasons{};
  array<double, model::reason_count> shared_reasons{};
  array<double, evidence_count> path{};
  std::uint32_t most_live = 0;  // general registers, anywhere in the program

  [[nodiscard]] constexpr span<const timeline_row> rows_of(const timeline_block& b) const {
    return {rows.data() + b.first, b.count};
  }
  [[nodiscard]] constexpr span<const timeline_edge> edges_of(const timeline_block& b) const {
    return {edges.data() + b.first_edge, b.edge_count};
  }
};

}  // namespace ww::report
