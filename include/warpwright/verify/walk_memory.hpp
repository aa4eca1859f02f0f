// SPDX-License-Identifier: BSL-1.0
//
// Memory that one check needs, kept from check to check so that nothing is allocated in the loops.
//
//   live access   one register access that is still outstanding inside the block being walked; accesses to the same
//                 register hang in a list. `lasts` says for how long a fixed-latency access can matter to anyone
//   version       how many values ago a predicate was written: two accesses under one guard are comparable only if the
//                 predicate has not been written between them
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
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
  std::uint32_t length = 0;         // of the list that it is the head of
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
  vec<std::uint32_t> carried;    // by instruction: the last walk into which one of its accesses came
  std::uint32_t walks = 1;       // and how often all lists have been emptied
  vec<flight> flights;
  vec<finding> found;

  // Empty lists for a program. Every walk leaves its lists empty, and of versions only changes count.
  void start(const program& p) {
    registers.build(p);
    const std::size_t n = registers.size();
    pool.clear();
    free_list.clear();
    pool.make_room(registers.accesses());
    free_list.make_room(registers.accesses());
    flights.make_room(p.instructions.size());
    if (writes.size() < n) {
      writes.assign(n, nil);
      reads.assign(n, nil);
      versions.assign(n, 1);
    }
    touched.assign((n + 63) / 64, 0);
    flight_of.assign(p.instructions.size(), nil);
    carried.assign(p.instructions.size(), 0);
    walks = 1;
    flights.clear();
    found.clear();
  }

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
    pool[k].length = heads[index] == nil ? 1 : pool[heads[index]].length + 1;
    heads[index] = k;
    touched[index >> 6] |= 1ull << (index & 63u);
  }

  // Replaces an access of the same instruction and place, else adds one. In a long list what is `over` is dropped on the way,
  // so that the readers of a register that nothing overwrites do not add up. An instruction of which nothing came into the walk has
  // accesses at the head of the list only; then the whole list is looked at when it is twice as long: many accesses that
  // stay outstanding would cost their square. Or `always`, where it is seen whether a result that is over still hangs there (check_use).
  template <class Over>
  void record(vec<std::uint32_t>& heads, std::uint32_t index, const live_access& l, bool always, Over&& over) {
    constexpr unsigned usual = 8;
    const std::uint32_t head = heads[index];
    const std::uint32_t length = head == nil ? 0 : pool[head].length;
    const bool whole = always || carried[l.instr] == walks || (length > usual && (length & (length - 1)) == 0);
    std::uint32_t seen = 0;
    std::uint32_t dropped = 0;
    bool replaced = false;
    for (std::uint32_t* at = &heads[index]; *at != nil;) {
      live_access& o = pool[*at];
      const std::uint32_t next = o.next;
      if (!whole && o.instr != l.instr) break;
      if (o.instr == l.instr && o.where == l.where && o.part == l.part) {
        const std::uint32_t own = o.length;
        o = l;
        o.next = next;
        o.length = own;
        replaced = true;
        break;
      }
      if (++seen > usual && over(o)) {
        free_list.push_back(*at);
        *at = next;
        ++dropped;
      } else {
        at = &o.next;
      }
    }
    if (dropped != 0) pool[heads[index]].length = length - dropped;
    if (!replaced) link(heads, index, l);
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
    ++walks;
  }
};

}  // namespace ww::verify::detail
