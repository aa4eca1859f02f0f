// SPDX-License-Identifier: BSL-1.0
//
// The reusable memory of simulations and bounds. After the largest program has been seen once nothing is allocated any
// more; one workspace serves every architecture.
//
// `unit` arrays are indexed by register unit (register_units.hpp), `block` arrays by block, `instruction` arrays by id.
// Exit states of blocks are kept as bytes of the architecture's warp_state, which is a plain value.
#pragma once

#include <cstdint>
#include <vector>

#include "../arch/vocabulary.hpp"
#include "cost.hpp"
#include "register_units.hpp"

namespace ww::model {

struct last_result {
  std::int32_t time = -1000000;
  access_point who;
};

struct workspace {
  register_units units;
  std::vector<double> block_cycles;
  std::vector<instruction_cost> instructions;
  std::vector<last_result> results;       // by unit
  std::vector<std::byte> exit_states;     // by block
  std::vector<std::uint8_t> has_exit;     // by block
  std::vector<std::uint32_t> entry_from;  // by block: the block whose exit state was used
  std::vector<std::uint32_t> trace;       // block numbers in the order in which a warp runs them
  std::vector<std::uint32_t> visits;      // by block
  // bound.hpp
  std::vector<std::int32_t> ready;  // by unit: earliest read
  std::vector<std::int32_t> read_done;
  std::vector<std::uint32_t> writer;  // by unit: position
  std::vector<double> bounds;         // by block
};

}  // namespace ww::model
