// SPDX-License-Identifier: BSL-1.0
//
// Phase 108 (HC-3): inside a loop, blocks of multiply-accumulate work stand in front of those of the residue.
//
//   loop       a loop whose blocks stand one behind the other, with its header in front; others stay as they are
//   unit       a block of the loop itself, or a whole loop inside it; what must stay together (a call and what it comes back to) is
//              one unit
//   mac unit   one with a block that is not cold and of whose instructions, control flow apart, at least `Share` percent multiply and
//              accumulate
//   residue    every other unit: addresses, tails, cleaning up
// The header's unit stays first, then come the mac units and then the residue, each in the order in which they stood; inner loops
// are arranged before the loops around them. The text leaves the phase to the back ends, and by default it does nothing; so
// does in_loop::off. No share is given: half is assumed. Time: instructions, and blocks times the depth of loops.
#pragma once

#include <cstdint>

#include "../ir/loops.hpp"
#include "../meta/vec.hpp"
#include "block_order.hpp"
#include "cold_marks.hpp"
#include "multiply_accumulate.hpp"
#include "role.hpp"

namespace ww::layout {

struct loop_changes {
  std::uint32_t loops = 0;      // whose blocks stand together
  std::uint32_t reordered = 0;  // of which the order of blocks was changed
};

namespace in_loop {

// The phase as the text has it by default.
struct off {
  using role = layout::role::in_loop;
  static constexpr const char* name = "off";
  static constexpr bool enabled = false;
  struct space {};

  static loop_changes run(const program&, const cold_marks&, block_order&, space&) { return {}; }
};

// In percent of the instructions of a block.
template <unsigned Share = 50>
struct mac_first {
  using role = layout::role::in_loop;
  static constexpr const char* name = "mac_first";
  static constexpr unsigned number = 108;
  static constexpr bool enabled = true;
  static_assert(Share >= 1 && Share <= 100, "ww::layout::in_loop::mac_first: the share is in percent, 1 to 100");

  struct space {
    loop_forest forest;
    vec<std::uint32_t> depth;    // by block: of the loop that it is the header of
    vec<std::uint32_t> size;     // by block: of that loop, in blocks
    vec<std::uint32_t> headers;  // of loops, inner ones first
    vec<std::uint8_t> mac;       // by block
    vec<block_id> sorted;
  };

  static loop_changes run(const program& p, const cold_marks& marks, block_order& order, space& ws) {
    loop_changes changes;
    ww::detail::loop_search(p, ws.forest).run();
    classify(p, marks, ws);
    inner_first(p, ws);
    for (const block_order::function_span& s : order.spans()) {
      for (const std::uint32_t h : ws.headers) {
        // The entry of a function may be a header: it stands in front of the span and stays.
        const std::uint32_t at = order.position(block_id{h});
        if (at + 1 < s.first || at >= s.end || ws.forest.is_irreducible[h] != 0) continue;
        std::uint32_t end = at + 1;
        while (end < s.end && in(ws.forest, order[end], h)) ++end;
        if (ws.size[h] != end - at) continue;
        ++changes.loops;
        if (arrange(order, ws, h, at, end)) ++changes.reordered;
      }
    }
    return changes;
  }

 private:
  static void classify(const program& p, const cold_marks& marks, space& ws) {
    ws.mac.assign(p.blocks.size(), 0);
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      std::uint32_t all = 0;
      std::uint32_t macs = 0;
      for (const instr_id id : p.order_of(p.blocks[b])) {
        const instruction& i = p[id];
        if (i.has(iflag::ends_block) || i.has(iflag::nop) || i.has(iflag::convergence)) continue;
        ++all;
        macs += is_math(i, p.operands_of(i)) ? 1u : 0u;
      }
      ws.mac[b] = !marks.cold(block_id{b}) && macs != 0 && 100u * macs >= Share * all ? 1 : 0;
    }
  }

  // Headers by the depth of their loops, the deepest first, equal ones in layout order.
  static void inner_first(const program& p, space& ws) {
    const auto n = static_cast<std::uint32_t>(p.blocks.size());
    ws.depth.assign(n, 0);
    ws.size.assign(n, 0);
    for (std::uint32_t b = 0; b < n; ++b) {
      if (ws.forest.is_header[b] != 0) ++ws.size[b];
      for (block_id h = ws.forest.outer[b]; h.valid(); h = ws.forest.outer[h.index()]) ++ws.size[h.index()];
    }
    std::uint32_t deepest = 0;
    for (std::uint32_t b = 0; b < n; ++b) {
      if (ws.forest.is_header[b] == 0) continue;
      ws.depth[b] = p.blocks[b].loop_depth;
      if (ws.depth[b] > deepest) deepest = ws.depth[b];
    }
    ws.headers.clear();
    for (std::uint32_t d = deepest; d > 0; --d) {
      for (std::uint32_t b = 0; b < n; ++b) {
        if (ws.forest.is_header[b] != 0 && ws.depth[b] == d) ws.headers.push_back(b);
      }
    }
  }

  // Is block `b` in the loop of header `h`?
  static bool in(const loop_forest& f, block_id b, std::uint32_t h) {
    if (b.index() == h) return true;
    for (block_id up = f.outer[b.index()]; up.valid(); up = f.outer[up.index()]) {
      if (up.index() == h) return true;
    }
    return false;
  }

  // The loop directly inside that of `h` which holds `b`, as the block of its header; `b` itself if there is none.
  static std::uint32_t unit_of(const space& ws, block_id b, std::uint32_t h) {
    std::uint32_t unit = b.index();
    if (ws.forest.is_header[unit] == 0 && ws.forest.outer[unit].valid() && ws.forest.outer[unit].index() != h)
      unit = ws.forest.outer[unit].index();
    while (ws.forest.outer[unit].valid() && ws.forest.outer[unit].index() != h) unit = ws.forest.outer[unit].index();
    return unit;
  }

  static bool arrange(block_order& order, space& ws, std::uint32_t h, std::uint32_t at, std::uint32_t end) {
    ws.sorted.clear();
    for (unsigned pass = 0; pass < 2; ++pass) {
      std::uint32_t from = at;
      while (from < end) {
        std::uint32_t to = from + 1;
        bool mac = ws.mac[order[from].index()] != 0;
        const std::uint32_t unit = unit_of(ws, order[from], h);
        while (to < end && (order.held(to) || (unit != h && unit_of(ws, order[to], h) == unit))) {
          mac = mac || ws.mac[order[to].index()] != 0;
          ++to;
        }
        const bool first = mac || from == at;
        for (; from < to; ++from) {
          if (first == (pass == 0)) ws.sorted.push_back(order[from]);
        }
      }
    }
    // What stands behind the loop may have to stay behind its last block.
    if (order.held(end < order.size() ? end : 0)) return false;
    bool changed = false;
    for (std::uint32_t k = 0; k < ws.sorted.size(); ++k) changed = changed || ws.sorted[k] != order[at + k];
    if (changed) order.assign(at, ws.sorted);
    return changed;
  }
};

}  // namespace in_loop

}  // namespace ww::layout
