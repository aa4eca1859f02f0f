// SPDX-License-Identifier: BSL-1.0
//
// Memory order in linear time: the last stores and the loads since, per domain.
//
// A store that everything later in its domain conflicts with (all stores of a policy that does not look at addresses; a
// store whose address is not known) replaces what came before it: later accesses are ordered behind it and so behind the
// rest. Under a policy that compares addresses the lists hold up to `window` accesses; the store that would pass the window
// is ordered against all of them and stands for them from then on. No order is lost.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/vec.hpp"
#include "builder_state.hpp"
#include "memory_access.hpp"
#include "workspace.hpp"

namespace ww::detail {

template <class Disambiguation>
struct memory_order {
  using access_list = vec<memory_access>;

  // Adds the incoming memory edges of `m` and remembers it.
  [[nodiscard]] constexpr static edge_adder visit(memory_access m, edge_adder edges, graph_workspace& ws) {
    if (!m.any() || Disambiguation::unordered(m)) return edges;
    if (Disambiguation::uses_addresses && m.writes != 0 && m.known) {
      for (unsigned d = 0; d < memory_access::domain_count; ++d) {
        if ((m.writes >> d & 1u) != 0 && ws.loads[d].size() + ws.stores[d].size() >= Disambiguation::window) m.known = false;
      }
    }
    for (unsigned d = 0; d < memory_access::domain_count; ++d) {
      const bool writes = (m.writes >> d & 1u) != 0;
      if (!writes && (m.reads >> d & 1u) == 0) continue;
      for (const memory_access& s : ws.stores[d]) tie(s, m, edges);
      if (!writes) {
        ws.loads[d].push_back(m);
        continue;
      }
      for (const memory_access& l : ws.loads[d]) tie(l, m, edges);
      if (!Disambiguation::uses_addresses || !m.known) {
        ws.loads[d].clear();
        ws.stores[d].clear();
      } else {
        drop_same_place(ws.loads[d], m);
        drop_same_place(ws.stores[d], m);
      }
      ws.stores[d].push_back(m);
    }
    return edges;
  }

 private:
  constexpr static void tie(const memory_access& earlier, const memory_access& later, edge_adder& edges) {
    if (!Disambiguation::disjoint(earlier, later)) edges.add(earlier.node, 1, dependence_kind::memory);
  }
  // What conflicts with an access to the same place conflicts with `m` too, and comes after it.
  constexpr static void drop_same_place(access_list& list, const memory_access& m) {
    std::size_t kept = 0;
    for (const memory_access& a : list) {
      if (!a.same_place(m)) list[kept++] = a;
    }
    list.resize(kept);
  }
};

}  // namespace ww::detail
