// SPDX-License-Identifier: BSL-1.0
//
// Scratch memory of backend C, kept in the workspace of the composition. Allocates nothing once it has seen the largest
// block, but for the exits of blocks, which grow with the program.
//
//   live, tracker   registers at the borders of the part; pressure while placing, before allocation only
//   records         what is known across blocks
//   entries, items  per instruction: its entry, and its three keys
//   solutions       by class: the score of the entry that was accepted last
//   best            sequence of the best round so far
#pragma once

#include <cstdint>

#include "../../meta/fnv_table.hpp"
#include "../../meta/vec.hpp"
#include "../../pressure/tracker.hpp"
#include "../../schedule/ready_list/three_key.hpp"
#include "../issue_queues.hpp"
#include "../part_liveness.hpp"
#include "block_records.hpp"
#include "entry.hpp"
#include "threshold.hpp"

namespace ww::backend::c {

struct operand_counts {
  std::uint16_t live = 0;      // register operands that are live
  std::uint16_t multiple = 0;  // register operands whose value has a further reader
};

template <class Options>
struct space {
  part_liveness live;
  pressure_tracker<> tracker;  // before allocation only
  block_records records;
  vec<entry> entries;
  vec<operand_counts> counts;
  vec<std::uint32_t> readers;   // per register: readers still to come, while walking up
  vec<std::uint32_t> carried;   // per instruction: cycle before which nothing from other blocks has arrived
  vec<sched_class> producers;   // of the instruction at hand: classes of what it reads from other blocks
  vec<std::uint32_t> number;    // per instruction: its third key
  vec<std::uint32_t> index_of;  // the instruction with that number
  vec<ready_list::three_rank> items;
  issue_queues<ready_list::three_rank, typename Options::queue> queues;
  meta::fnv_table<double> solutions;  // by class: score of the entry accepted last
  threshold gate;
  vec<std::uint32_t> best;  // sequence of the best round so far
};

}  // namespace ww::backend::c
