// SPDX-License-Identifier: BSL-1.0
//
// Which counters protect which registers: the state of the forward walk over a block (counters.hpp), and how it changes when
// a producer raises its counters.
//
//   result     a pending result of a unit is under a counter        read   so is a pending late read
//   covered    a result without a counter of its own (needs.hpp): the next counter that its queue raises protects it
//   older      what an instruction leaves behind in its queues is done before its own result is there: older results of the
//              unit land first, and older late reads of the register that it overwrites were made first
#pragma once

#include <cstddef>
#include <cstdint>

#include "access.hpp"
#include "class_table.hpp"
#include "workspace.hpp"

namespace ww::scoreboard {

struct protection {
  workspace& ws;

  // Counters that protect one of `count` accesses, of which the first `results` are results.
  [[gnu::always_inline]] static constexpr unsigned over_all(const unit_state* state, const access* a, unsigned results,
                                                            unsigned count) {
    unsigned mask = 0;
    const access* const sources = a + results;
    const access* const end = a + count;
    for (; a != sources; ++a) mask |= static_cast<unsigned>(state[a->unit].writes | state[a->unit].reads);
    for (; a != end; ++a) mask |= state[a->unit].writes;
    return mask;
  }

  // Counters that protect a register of an instruction, but for those of what it may touch because it comes behind in a queue.
  [[nodiscard]] constexpr unsigned needed(const site& s, const class_entry& c) const {
    unsigned mask = 0;
    const unit_state* const state = ws.state.data();
    const access* const begin = detail::begin_of(ws, s);
    const access* const end = begin + s.count;
    if (!s.has(site::variable)) {
      mask = over_all(state, begin, s.results, s.count);
    } else {
      const access* const sources = begin + s.results;
      for (const access* a = begin; a != sources; ++a) {
        const unit_state u = state[a->unit];
        if (u.empty()) continue;
        const bool in_order_write = c.replace_queue != queue_mixed && u.write_queue == c.replace_queue;
        const bool in_order_read = c.overwrite_queue != queue_mixed && u.read_queue == c.overwrite_queue;
        if (!in_order_write) mask |= u.writes;
        if (!in_order_read) mask |= u.reads;
      }
      for (const access* a = sources; a != end; ++a) mask |= state[a->unit].writes;
    }
    if (s.role.has(special_role::order_wait)) {
      const unit_state u = state[ws.units.order_unit];
      mask |= static_cast<unsigned>(u.writes | u.reads);
    }
    if (s.role.has(special_role::acquire)) mask |= state[ws.units.acquire_unit].writes;
    return mask;
  }

  constexpr void result(std::uint32_t unit, unsigned c, std::uint8_t queue) const {
    unit_state& s = ws.state[unit];
    s.write_queue = join_queue(s.writes, s.write_queue, queue);
    s.writes = static_cast<std::uint8_t>(s.writes | (1u << c));
    ws.counter_units[c].push_back(unit);
  }
  constexpr void read(std::uint32_t unit, unsigned c, std::uint8_t queue) const {
    unit_state& s = ws.state[unit];
    s.read_queue = join_queue(s.reads, s.read_queue, queue);
    s.reads = static_cast<std::uint8_t>(s.reads | (1u << c));
    ws.counter_units[c].push_back(unit);
  }

  // A covered result and the late sources that no counter of its own protects.
  constexpr void defer(const control& ctl, const site& s, const class_entry& c, bool reads_elsewhere) const {
    const access* const begin = ws.accesses.data() + s.first;
    for (const access* a = begin; a != begin + s.count; ++a) {
      const bool is_result = a < begin + s.results;
      if (is_result && a->has(access::kills)) forget_older(ws.state[a->unit], c);
      if (is_result || (a->has(access::late) && !ctl.sets_read() && !reads_elsewhere)) {
        ws.covered.push_back({a->unit, 0, c.write_queue, c.replace_queue, c.read_queue, !is_result, false});
      }
    }
  }
  // Late sources that a later read covers, which is waited for at `need` at the latest.
  constexpr void defer_reads(const site& s, const class_entry& c, std::uint32_t need) const {
    const access* const begin = ws.accesses.data() + s.first;
    for (const access* a = begin + s.results; a != begin + s.count; ++a) {
      if (a->has(access::late))
        ws.covered.push_back({a->unit, need, c.write_queue, c.replace_queue, c.read_queue, true, true});
    }
  }
  // The queue raises a counter: it protects what was covered in it.
  constexpr void covered_results(std::uint8_t queue, unsigned counter) const {
    std::size_t kept = 0;
    for (const covered_unit& u : ws.covered) {
      if (u.by_read || u.queue != queue) {
        ws.covered[kept++] = u;
      } else if (u.read) {
        read(u.unit, counter, u.read_queue);
      } else {
        result(u.unit, counter, u.replace_queue);
      }
    }
    ws.covered.resize(kept);
  }
  // An instruction of the read queue raises a counter, which is waited for at `end`: it protects what that covers.
  constexpr void covered_reads(std::uint8_t queue, std::uint32_t end, unsigned counter) const {
    std::size_t kept = 0;
    for (const covered_unit& u : ws.covered) {
      if (!u.by_read || u.read_queue != queue || end > u.need) {
        ws.covered[kept++] = u;
      } else {
        read(u.unit, counter, queue);
      }
    }
    ws.covered.resize(kept);
  }

  static constexpr void forget_older(unit_state& s, const class_entry& c) {
    s.writes = 0;
    if (c.overwrite_queue == queue_mixed || s.read_queue != c.overwrite_queue) return;
    s.reads = 0;
    s.read_queue = queue_empty;
  }
  static constexpr std::uint8_t join_queue(std::uint8_t present, std::uint8_t old, std::uint8_t queue) {
    return present == 0 ? queue : old == queue ? old : queue_mixed;
  }
};

}  // namespace ww::scoreboard
