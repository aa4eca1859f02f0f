// SPDX-License-Identifier: BSL-1.0
//
// The reference graph builder (PLS-8, "for each pair of instructions within a block"): compares every pair, O(n * n).
//
// It exists to be obviously right: two instructions are ordered when one writes a register that the other touches, when
// their memory accesses conflict, or when one of them is a fence. A register pair is skipped once an instruction between
// them has replaced the value for the same threads, because the order then follows through that instruction and the
// latency would be that of a value nobody reads. It gives the same transitive closure and heights as last_writer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "../meta/span.hpp"
#include "builder_state.hpp"
#include "distance.hpp"
#include "memory_access.hpp"
#include "sound_graph.hpp"
#include "workspace.hpp"

namespace ww {

struct pairwise {
  using role = role::graph_builder;
  static constexpr const char* name = "pairwise";

  template <class Cycles, class Disambiguation>
  constexpr static void build(const program& p, span<const instr_id> order, dependence_graph& out, graph_workspace& ws) {
    describe<Cycles, Disambiguation>(p, order, ws);
    const auto count = static_cast<std::uint32_t>(order.size());
    detail::edge_adder edges(out);
    for (std::uint32_t j = 0; j < count; ++j) {
      const instruction& later = p[order[j]];
      edges.begin(j);
      for (std::uint32_t i = 0; i < j; ++i) {
        const instruction& earlier = p[order[i]];
        registers<Cycles>(i, edges, ws);
        if (conflict<Disambiguation>(ws.memory[i], ws.memory[j])) edges.add(i, 1, dependence_kind::memory);
        const bool clocks = earlier.has(iflag::reads_clock) && later.has(iflag::reads_clock);
        if (clocks || detail::is_fence(earlier) || detail::is_fence(later)) edges.add(i, 1, dependence_kind::barrier);
      }
      replace(j, ws);
    }
    edges.close();
  }

 private:
  using touched_register = graph_workspace::touched_register;

  constexpr static span<touched_register> touched_by(graph_workspace& ws, std::uint32_t node) {
    return {ws.touched.data() + ws.touched_first[node], ws.touched_first[node + 1] - ws.touched_first[node]};
  }

  // Lists what every instruction touches, and numbers the values of guards and address registers by their newest writer.
  template <class Cycles, class Disambiguation>
  constexpr static void describe(const program& p, span<const instr_id> order, graph_workspace& ws) {
    const auto newest_writer = [&ws](reg r, std::uint32_t before) {
      for (std::uint32_t k = before; k-- > 0;) {
        for (const touched_register& t : touched_by(ws, k)) {
          if (t.is_def && t.name == r) return k + 1;
        }
      }
      return 0u;
    };
    ws.touched_first.push_back(0);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      const instruction& ins = p[order[i]];
      ws.timings[i] = Cycles::of(ins, Cycles::known_facts(), ws.far_cycles);
      detail::guard_key guard;
      guard.lane_local = !detail::crosses_lanes(ins.iclass);
      for (const operand o : p.operands_of(ins)) {
        if (!o.is_register()) continue;
        if (o.where() == slot::guard && o.is_use()) {
          guard.reg = o.base().packed;
          guard.version = 2 * newest_writer(o.base(), i) + (ins.guard_negated != 0 ? 1u : 0u);
        }
        for (unsigned part = 0; part < o.width(); ++part) {
          ws.touched.push_back({reg(o.file(), o.base().number() + part), o.where(), static_cast<std::uint8_t>(part),
                                o.is_def(), o.is_def() && detail::writes_fully(ins, o), false});
        }
      }
      ws.guards[i] = guard;
      ws.memory.push_back(detail::describe_access(ins, i, p.operands_of(ins).data(), Disambiguation::uses_addresses,
                                                  [&](reg r) { return newest_writer(r, i); }));
      ws.touched_first.push_back(static_cast<std::uint32_t>(ws.touched.size()));
    }
  }

  template <class Cycles>
  constexpr static void registers(std::uint32_t i, detail::edge_adder& edges, graph_workspace& ws) {
    const std::uint32_t j = edges.node;
    for (const touched_register& a : touched_by(ws, i)) {
      if (a.killed) continue;
      for (const touched_register& b : touched_by(ws, j)) {
        if (a.name != b.name || (!a.is_def && !b.is_def)) continue;
        const reg_file file = a.name.file();
        if (ws.guards[i].complementary(ws.guards[j], a.where, file)) continue;
        const detail::timing& first = ws.timings[i];
        const detail::timing& second = ws.timings[j];
        const access_point from{first.iclass, a.where, file, a.part, first.guarded};
        const access_point to{second.iclass, b.where, file, b.part, second.guarded};
        if (!b.is_def) {
          edges.add(i, Cycles::raw(first, from, to), dependence_kind::raw);
        } else if (a.is_def) {
          edges.add(i, Cycles::waw(first, second, from, to), dependence_kind::waw);
        } else {
          edges.add(i, Cycles::war(first, second, from, to), dependence_kind::war);
        }
      }
    }
  }

  // Marks what no later instruction can meet directly, because j wrote over it for the same threads.
  constexpr static void replace(std::uint32_t j, graph_workspace& ws) {
    for (const touched_register& b : touched_by(ws, j)) {
      if (!b.full) continue;
      for (std::uint32_t i = 0; i < j; ++i) {
        if (!ws.guards[j].replaces(ws.guards[i])) continue;
        for (touched_register& a : touched_by(ws, i)) a.killed = a.killed || a.name == b.name;
      }
    }
  }

  template <class Disambiguation>
  constexpr static bool conflict(const memory_access& a, const memory_access& b) {
    if (Disambiguation::unordered(a) || Disambiguation::unordered(b)) return false;
    if (((a.writes & (b.reads | b.writes)) | (a.reads & b.writes)) == 0) return false;
    return !Disambiguation::disjoint(a, b);
  }
};

namespace detail {
template <>
inline constexpr bool own_builder<pairwise> = true;
}

}  // namespace ww
