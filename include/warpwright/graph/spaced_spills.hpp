// SPDX-License-Identifier: BSL-1.0
//
// spaced_spills<Builder, Spill, Reload>: a graph builder around another one that sets spill code apart (PS-3).
//
//   spill to reload    the edge between them is raised to `Spill` cycles; it is added where order alone has kept them apart
//                      through a third access. 30 is that of the text, for sm_80 and later
//   reload to reader   raised to `Reload` cycles. 20 is that of the text; the pages of shipped SMs estimate 32 cycles for a load
//                      from local memory, so that this acts on estimates of the user's own, or where more is asked
//   remembered         the last spills of a block that a reload is compared with. Assumed: 64, as for memory order
// Spill code did not exist when the order before register allocation was made. With these distances the planner issues a spill
// early and fills the cycles in front of its reload with whatever is independent. They are wishes of the planner alone: control
// words know nothing of them, so that nothing idles in the code where there was no work to fill the gap, and no order is allowed
// or forbidden that was not before (both accesses of a slot are ordered in any case).
// Words: spill, reload, slot (stack_slot.hpp). A write of the base register ends what is known of its slots.
//
// No shipped architecture names it in its defaults (docs/deviations.md). `ww::scheduler<ww::sm80, ww::spaced_spills<>>`.
// Linear in instructions and edges, times `remembered` for reloads.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "../meta/span.hpp"
#include "../meta/traits.hpp"
#include "graph.hpp"
#include "last_writer.hpp"
#include "sound_graph.hpp"
#include "stack_slot.hpp"
#include "workspace.hpp"

namespace ww {

template <class Builder = last_writer, unsigned Spill = 30, unsigned Reload = 20>
struct spaced_spills {
  using role = ww::role::graph_builder;
  static constexpr const char* name = "spaced_spills";
  static constexpr unsigned remembered = 64;
  static constexpr bool arguments_fit = Spill <= 0xffff && Reload <= 0xffff &&  // an edge holds 16 bits
                                        requires {
    requires meta::same_as<typename Builder::role, ww::role::graph_builder>;
  };

  template <class Cycles, class Disambiguation>
  constexpr static void build(const program& p, span<const instr_id> order, dependence_graph& out, graph_workspace& ws) {
    Builder::template build<Cycles, Disambiguation>(p, order, out, ws);
    if constexpr (!detail::own_builder<Builder>) {
      if (!detail::is_sound(out, order.size())) return;
    }
    if (behind_spills(p, order, out)) behind_reloads(p, order, out);
  }

 private:
  struct spilled {
    stack_slot place;
    std::uint32_t node = 0;
  };
  struct record {
    spilled at[remembered];
    unsigned count = 0;

    template <class Ends>
    constexpr void drop(Ends&& ends) {
      unsigned kept = 0;
      for (unsigned i = 0; i < count; ++i) {
        if (!ends(at[i].place)) at[kept++] = at[i];
      }
      count = kept;
    }
    constexpr void add(const spilled& s) {
      if (count == remembered) {
        for (unsigned i = 1; i < count; ++i) at[i - 1] = at[i];
        --count;
      }
      at[count++] = s;
    }
  };

  // True if the block reloads anything.
  constexpr static bool behind_spills(const program& p, span<const instr_id> order, dependence_graph& out) {
    const bool placed = out.placed;
    record r;
    bool reloads = false;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      const instruction& ins = p[order[i]];
      const span<const operand> operands = p.operands_of(ins);
      if (is_reload(ins)) {
        reloads = true;
        const stack_slot s = slot_of(ins, operands);
        for (unsigned k = 0; k < r.count; ++k) {
          if (r.at[k].place.meets(s)) raise(out, placed, r.at[k].node, i);
        }
      }
      for (const operand& o : operands) {
        if (r.count == 0 || !o.is_def()) break;  // defs stand before uses
        r.drop([&](const stack_slot& s) { return s.stands_on(o); });
      }
      if (!is_spill(ins)) continue;
      const stack_slot s = slot_of(ins, operands);
      if (!s.known()) continue;
      if (!ins.has(iflag::guarded)) r.drop([&](const stack_slot& older) { return s.covers(older); });
      r.add({s, i});
    }
    return reloads;
  }

  constexpr static void behind_reloads(const program& p, span<const instr_id> order, dependence_graph& out) {
    for (std::uint32_t k = 0; k < out.added_count; ++k) {
      dependence_edge& e = out.added[k];
      if (e.kind == dependence_kind::raw && e.latency < Reload && is_reload(p[order[e.from]])) {
        e.latency = static_cast<std::uint16_t>(Reload);
      }
    }
  }

  // `placed`: the builder has said where the incoming edges of each node are. Where it has not, a second edge is added.
  constexpr static void raise(dependence_graph& out, bool placed, std::uint32_t from, std::uint32_t to) {
    constexpr auto cycles = static_cast<std::uint16_t>(Spill);
    for (std::uint32_t k = placed ? out.pred_first[to] : 0; placed && k < out.pred_first[to + 1]; ++k) {
      dependence_edge& e = out.added[k];
      if (e.from != from) continue;
      if (e.latency < cycles) e.latency = cycles;
      return;
    }
    out.placed = false;
    out.add(from, to, cycles, dependence_kind::memory);
  }
};

namespace detail {
template <class Builder, unsigned Spill, unsigned Reload>
inline constexpr bool own_builder<spaced_spills<Builder, Spill, Reload>> = own_builder<Builder>;
}

}  // namespace ww
