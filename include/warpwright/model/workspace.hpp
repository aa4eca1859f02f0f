// SPDX-License-Identifier: BSL-1.0
//
// The reusable memory of simulations and bounds. After the largest program has been seen once nothing is allocated any
// more (what largest is: pipeline/scheduler.hpp; make_room() of simulate.hpp makes it so). One workspace serves every architecture.
//
// `unit` arrays are indexed by register unit (register_units.hpp), `block` arrays by block, `instruction` arrays by id.
// Exit states of blocks are kept as bytes of the architecture's warp_state, which is a plain value.
#pragma once

#include <cstdint>

#include "../arch/vocabulary.hpp"
#include "../meta/vec.hpp"
#include "cost.hpp"
#include "machine.hpp"
#include "register_units.hpp"
#include "step.hpp"

namespace ww::model {

struct last_result {
  std::int32_t time = -1000000;
  access_point who;
};

struct workspace {
  register_units units;
  vec<double> block_cycles;
  vec<instruction_cost> instructions;
  vec<last_result> results;        // by unit
  vec<unsigned char> exit_states;  // by block
  vec<std::uint8_t> has_exit;      // by block
  vec<std::uint8_t> bubbles;       // by instruction: cycles that its bank conflicts cost
  vec<std::uint32_t> entry_from;   // by block: the block whose exit state was used
  vec<std::uint32_t> trace;        // block numbers in the order in which a warp runs them
  vec<std::uint32_t> visits;       // by block
  // many_warps.hpp
  vec<step> steps;            // in program order
  vec<code_range> ranges;     // by block, of `steps`
  vec<std::uint64_t> sums;    // by block: cycles of the sub-core, all starts together
  vec<counter_file> counted;  // by warp, where a DEPBAR counts
  // bound.hpp
  vec<std::int32_t> ready;  // by unit: earliest read
  vec<std::int32_t> read_done;
  vec<std::uint32_t> writer;  // by unit: position
  vec<double> bounds;         // by block
};

}  // namespace ww::model
