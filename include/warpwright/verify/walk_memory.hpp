// SPDX-License-Identifier: BSL-1.0
//
// Memory that one check needs, kept from check to check so that nothing is allocated in the loops.
//
//   live access   one register access that is still outstanding inside the block being walked; accesses to the same
//                 register hang in a list. `lasts` says for how long a fixed-latency access can matter to anyone
//   version       how many values ago a predicate was written: two accesses under one guard are comparable only if the
//                 predicate has not been written between them
#pragma once

#include <cstdint>

#include "../meta/vec.hpp"
#include "finding.hpp"
#include "flow_state.hpp"
#include "register_index.hpp"

namespace ww::verify::detail {

struct live_access {
  std::int32_t issued = 0;
  std::uint32_t instr = 0;
  std::uint32_t next = nil;
  std::uint32_t guard_version = 0;  // 0: no longer comparable
  std::uint8_t where = 0;
  std::uint8_t part = 0;
  std::uint8_t lasts = 0;  // cycles after which a fixed-latency access is over
  bool late = false;       // a read that a counter announces
};

struct walk_memory {
  register_index registers;
  vec<live_access> pool;
  vec<std::uint32_t> free_list;
  vec<std::uint32_t> writes;  // list heads by register index
  vec<std::uint32_t> reads;
  vec<std::uint64_t> touched;    // register indices with a list
  vec<std::uint32_t> versions;   // of predicates: how many values ago
  vec<std::uint32_t> flight_of;  // by instruction
  vec<std::uint32_t> guard;      // by instruction: register index of its guard, nil if none
  vec<flight> flights;
  vec<finding> found;
};

}  // namespace ww::verify::detail
