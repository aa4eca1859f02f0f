// SPDX-License-Identifier: BSL-1.0
//
// Phase 112 (HC-6): every block gets its final place, once.
//
//   table      the blocks that have a place, an FNV-1a hash table (meta/fnv_table.hpp: 8 buckets at first, four times as many when
//              the chains have grown too long); it keeps a block from being placed twice where chains of successors meet
//   chain      a placed block, what it falls into, or where its closing branch goes: that branch is then left out
//   mode       bits 28..30 a category (0 plain, 1 cold, 2 entry, 3 address taken), bit 24 of `flags` set where the block's control words
//              are fixed; what the text tests on its extended path, with our meaning of the categories (assumed)
//   weight     executions per warp, kept with the place
// The order that came (phase 109's) is followed from front to back; hot and cold stay as they are, for no chain leads from a hot
// block to a cold one or back by a branch. A branch is only followed to a block that nobody falls into and that has no place
// yet, which shortens the way (distance) and saves the branch.
// extended: the text's path of one family of SMs (Arch::defaults::extended_placement): the categories are adjusted by two knobs
// before the table is asked, and categories 2 and 3 keep the address of their block.
#pragma once

#include <cstdint>

#include "../ir/loops.hpp"
#include "../meta/fnv_table.hpp"
#include "../meta/vec.hpp"
#include "block_order.hpp"
#include "cold_marks.hpp"
#include "role.hpp"

namespace ww::layout {

struct placed_block {
  static constexpr std::uint32_t no_address = 0xffffffffu;

  block_id block;
  std::uint32_t mode = 0;
  std::uint32_t address = no_address;  // bytes in its section as it came; extended placement, categories 2 and 3
  double weight = 0;
};

enum class place_category : std::uint8_t { plain, cold, entry, address_taken };

struct placement_space {
  meta::fnv_table<std::uint32_t> table;  // block -> place
  vec<placed_block> places;
  loop_forest forest;
  vec<std::uint8_t> named;  // by instruction: its address is taken
  vec<block_id> sorted;
  std::uint32_t followed = 0;  // branches that a chain went along
};

// `Extended` is the path of the text for one family of SMs; the knobs are the categories that cold blocks get instead of theirs,
// the first in loops, the second outside (the text has two numbers and no values: 1, as without them, is assumed).
template <bool Extended = false, unsigned ColdInLoop = 1, unsigned ColdOutside = 1>
struct place_blocks {
  using role = layout::role::placement;
  static constexpr const char* name = "place_blocks";
  static constexpr unsigned number = 112;
  static constexpr std::uint32_t category_shift = 28;
  static constexpr std::uint32_t category_mask = 7u << category_shift;
  static constexpr std::uint32_t fixed_control = 1u << 24;
  static_assert(ColdInLoop <= 7 && ColdOutside <= 7, "ww::layout::place_blocks: a category has three bits");

  // The number of branches that chains went along.
  static std::uint32_t run(const program& p, const cold_marks& marks, block_order& order, placement_space& ws) {
    ws.table.clear();
    ws.places.clear();
    ws.followed = 0;
    ww::detail::loop_search(p, ws.forest).run();
    find_named(p, ws);
    std::uint32_t next = 0;
    for (const block_order::function_span& s : order.spans()) {
      for (; next + 1 < s.first; ++next) place(p, marks, order[next], ws);  // what no span holds stays
      ws.sorted.clear();
      for (std::uint32_t k = s.first - 1; k < s.end; ++k) follow(p, marks, order, s, order[k], ws);
      next = s.end;
      ws.sorted.erase(ws.sorted.begin());  // the entry
      order.assign(s.first, ws.sorted);
    }
    for (; next < order.size(); ++next) place(p, marks, order[next], ws);
    return ws.followed;
  }

 private:
  static void find_named(const program& p, placement_space& ws) {
    ws.named.assign(p.instructions.size(), 0);
    for (const instr_id l : p.leaders) {
      if (l.valid() && l.index() < ws.named.size()) ws.named[l.index()] = 1;
    }
  }
  static bool is_named(const program& p, const block& b, const placement_space& ws) {
    for (const instr_id i : p.order_of(b)) {
      if (ws.named[i.index()] != 0) return true;
    }
    return false;
  }

  static bool place(const program& p, const cold_marks& marks, block_id b, placement_space& ws) {
    placed_block x;
    x.block = b;
    x.weight = p[b].weight;
    x.mode = mode_of(p, marks, b, ws);
    if constexpr (Extended) {
      const std::uint32_t flags = flags_of(p[b]);
      const bool typed = ((flags ^ category_mask) & category_mask) != 0;
      if (typed && x.mode >> category_shift == static_cast<unsigned>(place_category::cold) && (flags & fixed_control) == 0)
        x.mode = (p[b].loop_depth != 0 ? ColdInLoop : ColdOutside) << category_shift;
      const std::uint32_t category = x.mode >> category_shift;
      if (typed && (category == 2 || category == 3) && p[b].count != 0) x.address = p[p.order[p[b].first]].address;
    }
    if (ws.table.find(b.index()) != nullptr) return false;
    ws.table.insert(b.index(), static_cast<std::uint32_t>(ws.places.size()));
    ws.places.push_back(x);
    return true;
  }

  static std::uint32_t mode_of(const program& p, const cold_marks& marks, block_id b, const placement_space& ws) {
    place_category c = place_category::plain;
    if (p[b].entry) {
      c = place_category::entry;
    } else if (is_named(p, p[b], ws)) {
      c = place_category::address_taken;
    } else if (marks.cold(b)) {
      c = place_category::cold;
    }
    return static_cast<std::uint32_t>(c) << category_shift;
  }
  // All three type bits stand for what belongs to no path.
  static std::uint32_t flags_of(const block& b) { return b.padding ? category_mask | fixed_control : 0; }

  // Places `b` and the chain that begins with it.
  static void follow(const program& p, const cold_marks& marks, const block_order& order,
                     const block_order::function_span& s, block_id b, placement_space& ws) {
    while (b.valid() && place(p, marks, b, ws)) {
      ws.sorted.push_back(b);
      b = successor(marks, order, s, b, ws);
    }
  }

  static block_id successor(const cold_marks& marks, const block_order& order, const block_order::function_span& s,
                            block_id b, placement_space& ws) {
    const std::uint32_t at = order.position(b);
    const block_exits& x = order.exits(b);
    if (at + 1 < s.end && (x.glued || x.fall == order[at + 1])) return order[at + 1];
    if (!x.plain || ws.table.find(x.taken.index()) != nullptr) return {};
    const std::uint32_t to = order.position(x.taken);
    if (to < s.first || to >= s.end || marks.cold(b) != marks.cold(x.taken)) return {};
    const block_exits& before = order.exits(order[to - 1]);
    const bool fallen_into = before.glued || before.fall == x.taken;
    if (fallen_into || loop_of(ws, b) != loop_of(ws, x.taken)) return {};  // loops stay together
    ++ws.followed;
    return x.taken;
  }
  // The header of the innermost loop around a block.
  static block_id loop_of(const placement_space& ws, block_id b) {
    return ws.forest.is_header[b.index()] != 0 ? b : ws.forest.outer[b.index()];
  }
};

}  // namespace ww::layout
