// SPDX-License-Identifier: BSL-1.0
//
// A step behind the signals of cold code that the text does not have (so it is off unless it is named): cold spreads along
// the control flow.
//
//   from above   a block all of whose ways in come from cold blocks is cold
//   from below   a block all of whose ways on lead to cold blocks is cold: it runs no more often than they do together
// It has the reasons of the blocks that decided it. A header of a loop never becomes cold by this, for one way in may mean many
// iterations, and so may the entry of a function, or a block that a profile has counted. Ways are edges inside a function; a
// guarded EXIT or RET is a way on to nothing cold. Linear in edges.
#pragma once

#include <cstdint>

#include "cold_facts.hpp"
#include "cold_marks.hpp"

namespace ww::layout {

struct spread_cold {
  static constexpr bool spreads = true;
  static constexpr const char* name = "spread";

  static void run(const cold_context& c, cold_workspace& ws, cold_marks& marks) {
    const program& p = c.code;
    ws.ways_in.assign(p.blocks.size(), 0);
    ws.ways_on.assign(p.blocks.size(), 0);
    ws.queue.clear();
    for (const cfg_edge& e : p.edges) {
      if (!ww::detail::inside_function(e.kind)) continue;
      ++ws.ways_in[e.to.index()];
      ++ws.ways_on[e.from.index()];
    }
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      if (marks.cold(block_id{b})) ws.queue.push_back(b);
    }
    while (!ws.queue.empty()) {
      const block_id b{ws.queue.back()};
      ws.queue.pop_back();
      for (const cfg_edge& e : p.edges_of(p[b])) {
        if (!ww::detail::inside_function(e.kind) || --ws.ways_in[e.to.index()] != 0 || !may_follow(c, marks, e.to)) continue;
        for (const std::uint32_t k : p.pred_edges_of(p[e.to])) {
          if (ww::detail::inside_function(p.edges[k].kind)) take(marks, e.to, p.edges[k].from);
        }
        ws.queue.push_back(e.to.index());
      }
      for (const std::uint32_t k : p.pred_edges_of(p[b])) {
        const block_id from = p.edges[k].from;
        if (!ww::detail::inside_function(p.edges[k].kind) || --ws.ways_on[from.index()] != 0) continue;
        if (!may_follow(c, marks, from) || ends_elsewhere(c, from)) continue;
        for (const cfg_edge& e : p.edges_of(p[from])) {
          if (ww::detail::inside_function(e.kind)) take(marks, from, e.to);
        }
        ws.queue.push_back(from.index());
      }
    }
  }

 private:
  static void take(cold_marks& marks, block_id to, block_id from) {
    marks.reasons[to.index()] = static_cast<std::uint8_t>(marks.reasons[to.index()] | marks.reasons[from.index()]);
  }
  static bool may_follow(const cold_context& c, const cold_marks& marks, block_id b) {
    const bool counted = c.profile != nullptr && c.profile->has_count(b);
    return !marks.cold(b) && !counted && c.has(b, cold_fact::reached) && !c.code[b].entry &&
           c.loops.is_header[b.index()] == 0;
  }
  static bool ends_elsewhere(const cold_context& c, block_id b) {
    const instruction* i = c.last(b);
    if (i == nullptr || i->has(iflag::exit) || i->has(iflag::ret)) return true;
    return c.code[b].open_exit && !i->has(iflag::call);
  }
};

}  // namespace ww::layout
