// SPDX-License-Identifier: BSL-1.0
//
// The block layouter: decides in which order the blocks of a program stand, and writes it out (HC-3, HC-4, HC-6).
//
//   layout::layouter<ww::sm90> lay;                               // the defaults of the texts
//   layout::layout_result r = lay.run(p, marks, out, ws);         // out: the program in its new layout, r: what was done
//   layout::layouter<ww::sm90, layout::in_loop::mac_first<>, layout::hot_cold_flow<layout::cold_place::beside>>
// Phases, in this order, each gated by level and SM as the phase band says (pipeline/phases.hpp):
//   108  in_loop::off, or mac_first<Share>               inside loops
//   109  hot_cold_flow<Place, Enabled>                   if/else with one cold arm
//   112  place_blocks<Extended, ..>                      the final places; on SMs where the band has it act, or `placement::always`
// Policies come in any order and replace their kind. The result has stale control words (rearranged_code.hpp): ww::scheduler or
// scoreboard::assign_control gives it new ones, verify::same_flow proves that it is the same program, verify::check that it is right.
#pragma once

#include <cstdint>

#include "../arch/dialect.hpp"
#include "../meta/pick.hpp"
#include "block_order.hpp"
#include "cold_marks.hpp"
#include "hot_cold_flow.hpp"
#include "hot_cold_loop.hpp"
#include "place_blocks.hpp"
#include "rearranged_code.hpp"
#include "role.hpp"

namespace ww::layout {

namespace detail {

template <class Arch>
inline constexpr bool places_blocks = requires {
  requires Arch::defaults::places_blocks;
};
template <class Arch>
inline constexpr bool extended_placement = requires {
  requires Arch::defaults::extended_placement;
};

}  // namespace detail

namespace placement {

// Phase 112 acts on the SMs of the phase band.
struct by_phase {
  using role = layout::role::places;
  static constexpr const char* name = "by_phase";
  template <class Arch>
  static constexpr bool acts = layout::detail::places_blocks<Arch>;
};

// On every SM.
struct always {
  using role = layout::role::places;
  static constexpr const char* name = "always";
  template <class Arch>
  static constexpr bool acts = true;
};

}  // namespace placement

struct layout_result {
  loop_changes loops;
  flow_changes flow;
  std::uint32_t followed = 0;  // branches that phase 112 went along
  std::uint32_t inserted = 0;  // branches
  std::uint32_t removed = 0;
  std::uint32_t inverted = 0;
  std::uint32_t moved = 0;  // blocks that do not stand behind the block that they stood behind
  bool changed = false;     // `out` is another program than the one given
  bool ok = true;           // false: the new order has no control-flow graph, `out` is the program as it came
};

namespace detail {

template <class P>
concept layout_policy = meta::is_same_v<typename P::role, role::in_loop> || meta::is_same_v<typename P::role, role::flow> ||
    meta::is_same_v<typename P::role, role::placement> || meta::is_same_v<typename P::role, role::places>;

template <class Role, class... Policies>
inline constexpr unsigned count_of = (0u + ... + (meta::is_same_v<typename Policies::role, Role> ? 1u : 0u));

}  // namespace detail

template <class Arch, class... Policies>
struct layouter {
  static_assert((detail::layout_policy<Policies> && ...),
                "ww::layout::layouter<Arch, ...>: a policy has no role of the layouter (layout/role.hpp).");
  static_assert(detail::count_of<role::in_loop, Policies...> <= 1 && detail::count_of<role::flow, Policies...> <= 1 &&
                    detail::count_of<role::placement, Policies...> <= 1 && detail::count_of<role::places, Policies...> <= 1,
                "ww::layout::layouter<Arch, ...>: two policies of the same role; keep one.");
  using arch = Arch;
  using in_loop_policy = meta::pick_t<role::in_loop, in_loop::off, Policies...>;
  using flow_policy = meta::pick_t<role::flow, hot_cold_flow<>, Policies...>;
  using place_policy = meta::pick_t<role::placement, place_blocks<detail::extended_placement<Arch>>, Policies...>;
  using places_policy = meta::pick_t<role::places, placement::by_phase, Policies...>;
  static constexpr bool places = places_policy::template acts<Arch>;

  struct workspace {
    block_order order;
    typename in_loop_policy::space loops;
    placement_space places;
    rearranged_code code;
    rearrangement changes;
  };

  // `out` must not be `p`. At -O0 (level 0) phases 108 and 109 do not act.
  layout_result run(const program& p, const cold_marks& marks, program& out, workspace& ws, unsigned level = 2) const {
    layout_result r;
    ws.order.start(p);
    if (level >= 1) {
      r.loops = in_loop_policy::run(p, marks, ws.order, ws.loops);
      r.flow = flow_policy::run(marks, ws.order);
    }
    if constexpr (places) r.followed = place_policy::run(p, marks, ws.order, ws.places);
    for (std::uint32_t k = 1; k < ws.order.size(); ++k) {
      if (ws.order[k].index() != ws.order[k - 1].index() + 1) ++r.moved;
    }
    if (r.moved == 0) {
      out = p;
      ws.changes.clear();
      return r;
    }
    if (!ws.code.write(p, ws.order, dialect_of(Arch::id), out, ws.changes)) {
      out = p;
      r.ok = false;
      return r;
    }
    r.changed = true;
    r.inserted = ws.changes.inserted;
    r.removed = ws.changes.removed;
    r.inverted = ws.changes.inverted;
    return r;
  }
  layout_result run(const program& p, const cold_marks& marks, program& out, unsigned level = 2) const {
    workspace ws;
    return run(p, marks, out, ws, level);
  }
};

}  // namespace ww::layout
