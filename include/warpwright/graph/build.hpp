// SPDX-License-Identifier: BSL-1.0
//
// Builds the dependence graph of one block (PLS-8).
//
//   Builder          last_writer (default, linear) or pairwise (reference)
//   Disambiguation   conservative (default) or base_offset, or one of the user's own
//   Use              distance_use::emit for schedules, ::check for lower bounds
//
// Register edges carry the distances of Arch by class, operand slot, register half, file and guard; edges of memory order
// and fences carry one cycle, since instructions issue in order. What the counters of the control word enforce besides
// (in-order queues, waits) is not an edge. Heights, depths and the critical path are filled as well.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../meta/traits.hpp"
#include "critical_path.hpp"
#include "disambiguation.hpp"
#include "distance.hpp"
#include "graph.hpp"
#include "last_writer.hpp"
#include "pairwise.hpp"
#include "sound_graph.hpp"
#include "workspace.hpp"

namespace ww {

// A builder adds the edges of a block, in any order, with out.add(). The graph has its nodes already; where the builder leaves
// another number of them, or an edge that ends at none, `out` becomes a chain in source order and is marked as refused.
template <class B, class Arch>
concept graph_builder_policy = requires(const program& p, span<const instr_id> order, dependence_graph& out,
                                        graph_workspace& ws) {
  { B::name } -> meta::convertible_to<const char*>;
  B::template build<detail::edge_cycles<Arch, distance_use::emit>, conservative>(p, order, out, ws);
};

// Local index i of `out` is block_order[i].
template <class Arch, class Builder = last_writer, class Disambiguation = conservative,
          distance_use Use = distance_use::emit>
constexpr void build_graph(const program& p, span<const instr_id> block_order, dependence_graph& out, graph_workspace& ws) {
  static_assert(disambiguation_policy<Disambiguation>,
                "ww::build_graph: the third argument is no disambiguation policy; write e.g. ww::conservative");
  out.reset(static_cast<std::uint32_t>(block_order.size()));
  ws.start(block_order.size());
  Builder::template build<detail::edge_cycles<Arch, Use>, Disambiguation>(p, block_order, out, ws);
  if constexpr (!detail::own_builder<Builder>) {
    if (!detail::is_sound(out, block_order.size())) detail::keep_order(out, block_order.size());
  }
  if (out.placed) {
    detail::finish_placed(out);
  } else {  // a builder of the user's own that calls add()
    out.finish();
    compute_critical_path(out);
  }
}

}  // namespace ww
