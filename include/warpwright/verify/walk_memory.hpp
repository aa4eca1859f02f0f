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

  // Puts an access at the head of the list of a register.
  void link(vec<std::uint32_t>& heads, std::uint32_t index, const live_access& l) {
    std::uint32_t k;
    if (free_list.empty()) {
      k = static_cast<std::uint32_t>(pool.size());
      pool.push_back(l);
    } else {
      k = free_list.back();
      free_list.pop_back();
      pool[k] = l;
    }
    pool[k].next = heads[index];
    heads[index] = k;
    touched[index >> 6] |= 1ull << (index & 63u);
  }

  void unlink_all(std::uint32_t& head) {
    for (std::uint32_t k = head; k != nil;) {
      const std::uint32_t next = pool[k].next;
      free_list.push_back(k);
      k = next;
    }
    head = nil;
  }

  // Calls f with the index of each register that may have a list, in ascending order.
  template <class F>
  void each_touched(F&& f) const {
    for (std::size_t w = 0; w < touched.size(); ++w) {
      for (std::uint64_t bits = touched[w]; bits != 0; bits &= bits - 1) {
        f(static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))));
      }
    }
  }
  void forget_touched() {
    for (std::uint64_t& w : touched) w = 0;
  }
};

}  // namespace ww::verify::detail
