// SPDX-License-Identifier: BSL-1.0
//
// Scratch memory of backend B, kept in the workspace of the composition.
//
//   live      borders of the part that is being ordered
//   tracker   pressure while the forward pass places from the start
//   queues    the forward pass's ready instructions: longest way to the end of the block first, source order last
//   place     of an instruction in the forward order; the backward pass walks it from its end
//   open      per instruction: successors that the backward pass has not placed
// Allocates nothing once it has seen the largest block.
#pragma once

#include <cstdint>

#include "../../meta/vec.hpp"
#include "../../pressure/tracker.hpp"
#include "../../schedule/ready_list/ordered3.hpp"
#include "../issue_queues.hpp"
#include "../part_liveness.hpp"

namespace ww::backend::b {

struct space {
  part_liveness live;
  pressure_tracker<> tracker;
  issue_queues<ready_list::entry> queues;
  vec<ready_list::entry> keys;
  ready_list::ordered_queue<ready_list::entry> below;  // backward pass: all successors placed
  vec<std::uint32_t> place;
  vec<std::uint32_t> open;
  vec<std::uint64_t> alive;     // general registers live at the backward pass's point
  vec<std::uint32_t> changed;   // bits that trying a candidate has changed
  vec<std::uint32_t> backward;  // instructions in the order in which the backward pass placed them
};

}  // namespace ww::backend::b
