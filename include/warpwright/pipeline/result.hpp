// SPDX-License-Identifier: BSL-1.0
//
// What ww::scheduler<...>::run() says about a program.
//
//   cycles_before  modelled cycles of the program as it came (with its own control words, or with ours if it had none)
//   cycles_after   the same for what was left in the program; above cycles_before only where the input has more hazards, or a
//                  safety margin was asked for
//   far_before,    the same two when every load that can miss the first-level cache does (model/far_view.hpp); both 0 where
//   far_after      that was not weighed: nothing can miss, or the options ask for hits alone
//   bound          lower bound of the modelled cycles of any order of the same blocks
//   kept_blocks    blocks whose original order the model found at least as good
//   kept_all       nothing was better than the program as it came: it was left untouched, control words included
//   changes        moves and edits that a strategy made before the blocks were ordered (0 when the unchanged program won)
//   failed         the strategy could not order some block, or broke a dependence of it, or a graph builder of one's own left
//                  nodes or edges that are none of the block: such blocks kept their order
//   proved         order and words hold. Order: every block keeps the dependences of its graph; one that a strategy's own code has
//                  ordered is held against them (schedule/engine.hpp), and moves between blocks against the definitions that every
//                  operand reads (region_scheduler.hpp; a strategy that copies instructions answers for what it makes). Words: the
//                  checker found no hazard in the result that it did not find in the input (check_hazards), none at all where the
//                  input had no control words. Policies of one's own count as right: a graph builder, a disambiguation, an SM
// Cycles are weighted by block and per warp.
#pragma once

#include <cstdint>

namespace ww {

struct schedule_result {
  std::uint64_t instructions = 0;
  std::uint32_t blocks = 0;  // with at least one instruction that is not padding
  std::uint32_t kept_blocks = 0;
  std::uint32_t warps = 1;  // warps of one sub-core that it was made for
  std::uint32_t hazards_before = 0;
  std::uint32_t hazards_after = 0;
  std::uint32_t changes = 0;
  double cycles_before = 0;
  double cycles_after = 0;
  double far_before = 0;
  double far_after = 0;
  double bound = 0;
  bool kept_all = false;
  bool failed = false;
  bool proved = false;
  bool unknown_targets = false;  // a branch may go anywhere (ir/unknown_targets.hpp); nothing was done
  bool malformed = false;        // the program contradicts itself (consistent.hpp, ir/cfg.hpp); nothing was done
};

// What loads are taken to do. `hit`: all find their data in the first-level cache, as the model estimates. `both`: a result is good
// whether they hit or miss, and never dearer than the program as it came either way (model/far_view.hpp). `as_warps`: both, but
// hit alone where a number of warps is asked for: then that is the run which counts, as the model sees it.
enum class load_view : std::uint8_t { as_warps, hit, both };

struct run_options {
  unsigned warps = 0;  // warps of one sub-core, at most 64; 0 = what the occupancy policy says
  load_view loads = load_view::as_warps;
  bool verify = true;  // check input and result; a result with a new finding is not taken
};

}  // namespace ww
