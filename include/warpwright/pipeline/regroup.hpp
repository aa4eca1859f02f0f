// SPDX-License-Identifier: BSL-1.0
//
// Brings together again what a scheduler took apart (PS-1, "warpgroup re-grouping" of Blackwell, behind the final order).
//
//   regroup<ww::sm100>::workspace ws;
//   regroup_result r = regroup<ww::sm100>::run(p, before, ws);      // `before`: the order that p had in front of the scheduler
//
//   member   an instruction that belongs to a group, as the policy `Groups` says; default: operations of the tensor core that
//            one thread starts for a whole warpgroup (UTC*MMA)
//   group    members of a block that followed each other in the order before with no end of a group between them (UTCBAR: the
//            commit of what was started). What else stood between them does not matter
// What stands between two members of a group now goes behind the last one if no member waits for it, else in front of the
// first one if it waits for no member, else it stays. What moves together keeps its order, and members of one group always do,
// those of others too, which may come to stand on both sides. The text says that there is such a step and gives no rule; this
// one is assumed. Linear in the edges of a block's graph times its groups.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../graph/build.hpp"
#include "../graph/graph.hpp"
#include "../graph/workspace.hpp"
#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"

namespace ww {

struct tensor_groups {
  [[nodiscard]] static constexpr bool member(const instruction& i) {
    return i.op == opcode::utchmma || i.op == opcode::utcimma || i.op == opcode::utcqmma || i.op == opcode::utcomma ||
           i.op == opcode::utcmxqmma;
  }
  [[nodiscard]] static constexpr bool ends(const instruction& i) { return i.op == opcode::utcbar; }
};

struct regroup_result {
  std::uint32_t groups = 0;  // of two members and more
  std::uint32_t closed = 0;  // that have nothing between their members now
  std::uint32_t moved = 0;   // instructions that were taken out from between
};

template <class Arch, class Groups = tensor_groups>
struct regroup {
  struct workspace {
    dependence_graph graph;
    graph_workspace graph_space;
    vec<std::uint32_t> group;  // by instruction
    vec<std::uint32_t> at;     // by place: node of the graph
    vec<std::uint32_t> place;  // the other way round
    vec<std::uint32_t> next;   // by node: the next member of its group, none = there is none
    vec<std::uint32_t> prev;
    vec<std::uint8_t> marks;  // by node
    vec<std::uint32_t> parts[3];
    vec<instr_id> order;
  };

  static regroup_result run(program& p, span<const instr_id> before, workspace& ws) {
    regroup_result r;
    if (before.size() != p.order.size()) return r;
    ws.group.assign(p.instructions.size(), none);
    for (const block& b : p.blocks) {
      const std::uint32_t groups = name_groups(p, before.subspan(b.first, b.count), ws);
      if (groups != 0) close_groups(p, b, groups, ws, r);
    }
    return r;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr std::uint8_t wanted = 1;  // a member waits for it
  static constexpr std::uint8_t waits = 2;   // for a member

  static std::uint32_t name_groups(const program& p, span<const instr_id> before, workspace& ws) {
    std::uint32_t groups = 0;
    bool open = false;
    for (const instr_id id : before) {
      if (id.index() >= ws.group.size()) continue;
      if (Groups::member(p[id])) {
        if (!open) ++groups;
        open = true;
        ws.group[id.index()] = groups - 1;
      } else if (Groups::ends(p[id])) {
        open = false;
      }
    }
    return groups;
  }

  static void close_groups(program& p, const block& b, std::uint32_t groups, workspace& ws, regroup_result& r) {
    const span<const instr_id> order = p.order_of(b);
    build_graph<Arch>(p, order, ws.graph, ws.graph_space);
    const auto n = static_cast<std::uint32_t>(order.size());
    ws.at.resize(n);
    ws.place.resize(n);
    for (std::uint32_t k = 0; k < n; ++k) ws.at[k] = ws.place[k] = k;
    link_members(order, groups, ws);
    for (std::uint32_t g = 0; g < groups; ++g) close(order, g, ws, r);
    for (std::uint32_t g = 0; g < groups; ++g) {
      const extent e = extent_of(order, g, ws);
      if (e.members < 2) continue;
      ++r.groups;
      if (e.closed()) ++r.closed;
    }
    ws.order.assign(order.begin(), order.end());
    for (std::uint32_t k = 0; k < n; ++k) p.order[b.first + k] = ws.order[ws.at[k]];
  }

  // Places from the first member of a group to its last.
  struct extent {
    std::uint32_t first = none;
    std::uint32_t last = 0;
    std::uint32_t members = 0;

    [[nodiscard]] bool closed() const { return members < 2 || last - first + 1 == members; }
  };
  static extent extent_of(span<const instr_id> order, std::uint32_t g, const workspace& ws) {
    extent e;
    for (std::uint32_t k = 0; k < ws.at.size(); ++k) {
      if (ws.group[order[ws.at[k]].index()] != g) continue;
      if (e.first == none) e.first = k;
      e.last = k;
      ++e.members;
    }
    return e;
  }

  static void link_members(span<const instr_id> order, std::uint32_t groups, workspace& ws) {
    ws.next.assign(order.size(), none);
    ws.prev.assign(order.size(), none);
    vec<std::uint32_t>& newest = ws.parts[0];
    newest.assign(groups, none);
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      const std::uint32_t g = ws.group[order[k].index()];
      if (g == none) continue;
      ws.prev[k] = newest[g];
      if (newest[g] != none) ws.next[newest[g]] = k;
      newest[g] = k;
    }
  }

  static void close(span<const instr_id> order, std::uint32_t g, workspace& ws, regroup_result& r) {
    const auto member = [&](std::uint32_t node) { return ws.group[order[node].index()] == g; };
    const extent e = extent_of(order, g, ws);
    if (e.closed()) return;
    const std::uint32_t first = e.first;
    const std::uint32_t last = e.last;
    mark(member, first, last, ws);
    for (auto& part : ws.parts) part.clear();
    for (std::uint32_t k = first; k <= last; ++k) {
      const std::uint32_t node = ws.at[k];
      const std::uint8_t m = ws.marks[node];
      ws.parts[member(node) || m == (wanted | waits) ? 1 : m == wanted ? 0 : 2].push_back(node);
    }
    std::uint32_t k = first;
    for (const auto& part : ws.parts) {
      for (const std::uint32_t node : part) {
        ws.place[node] = k;
        ws.at[k++] = node;
      }
    }
    r.moved += static_cast<std::uint32_t>(ws.parts[0].size() + ws.parts[2].size());
  }

  // Within first..last: who waits for a member, and whom a member waits for. The next member of another group waits for the one
  // before it.
  template <class Member>
  static void mark(const Member& member, std::uint32_t first, std::uint32_t last, workspace& ws) {
    ws.marks.assign(ws.at.size(), 0);
    const auto take = [&](std::uint32_t node, std::uint32_t from, std::uint8_t what) {
      if (from == none || ws.place[from] < first || ws.place[from] > last) return;
      if (member(from) || (ws.marks[from] & what) != 0) ws.marks[node] |= what;
    };
    for (std::uint32_t k = first; k <= last; ++k) {
      const std::uint32_t node = ws.at[k];
      for (const dependence_edge& e : ws.graph.pred(node)) take(node, e.from, waits);
      take(node, ws.prev[node], waits);
    }
    for (std::uint32_t k = last + 1; k-- > first;) {
      const std::uint32_t node = ws.at[k];
      for (const dependence_edge& e : ws.graph.succ(node)) take(node, e.to, wanted);
      take(node, ws.next[node], wanted);
    }
  }
};

}  // namespace ww
