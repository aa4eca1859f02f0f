// SPDX-License-Identifier: BSL-1.0
//
// The dependence graph of one block, as flat arrays.
//
//   node       a local index 0..n-1: the place of the instruction in the order that the graph was built from
//   edge       `to` may not issue before `from` has issued and `latency` cycles have passed
//   kind       raw, war, waw (registers), memory (order of accesses), barrier (fences, block end, program-order chain)
//   height     cycles from the issue of a node to the end of the block, latencies included; at least 1
//   depth      cycles from the start of the block to the earliest issue of a node
//   slack      cycles by which a node may slip without making the critical path longer
//
// Edges are kept twice, sorted by `to` (pred) and by `from` (succ), so that both walks are linear. Parallel edges are one
// edge with the largest latency. Storage is reused: a graph that has held a block of some size allocates nothing for
// another of that size. A graph can also be filled by hand: reset(n), add(...), finish(); see validate.hpp for cycles.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/span.hpp"
#include "../meta/vec.hpp"

namespace ww {

enum class dependence_kind : std::uint8_t { raw, war, waw, memory, barrier };

inline constexpr unsigned dependence_kind_count = 5;

struct dependence_edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint16_t latency = 0;  // cycles
  dependence_kind kind = dependence_kind::barrier;
  std::uint8_t reserved = 0;

  friend constexpr bool operator==(const dependence_edge&, const dependence_edge&) = default;
};

struct dependence_graph {
  static constexpr std::uint32_t none = 0xffffffffu;

  // The last edge added from a node: where it goes and its index. Both none at first.
  struct newest_edge {
    std::uint32_t to = none;
    std::uint32_t index = none;
  };

  vec<dependence_edge> edges;       // sorted by `to` once finished
  vec<dependence_edge> succ_edges;  // the same, sorted by `from`
  vec<std::uint32_t> pred_first;    // n + 1 offsets into edges
  vec<std::uint32_t> succ_first;    // n + 1 offsets into succ_edges
  vec<dependence_edge> added;       // edges in the order of adding; only the first `added_count` count
  vec<newest_edge> newest;          // per node, while edges are added
  vec<std::uint32_t> height;        // cycles
  vec<std::uint32_t> depth;         // cycles
  std::uint32_t count = 0;          // nodes
  std::uint32_t added_count = 0;
  std::uint32_t critical_path = 0;    // cycles
  std::uint32_t chained_from = none;  // first node of the program-order chain that an edge budget forced, or none
  bool forward = true;                // every edge goes from a lower to a higher index
  bool grouped = true;                // edges were added in the order of `to`
  bool placed = false;                // pred_first is filled already, and all edges go forward
  bool refused = false;  // a builder left something else than a graph of the block (sound_graph.hpp): source order

  [[nodiscard]] constexpr span<const dependence_edge> pred(std::uint32_t node) const {
    return {edges.data() + pred_first[node], pred_first[node + 1] - pred_first[node]};
  }
  [[nodiscard]] constexpr span<const dependence_edge> succ(std::uint32_t node) const {
    return {succ_edges.data() + succ_first[node], succ_first[node + 1] - succ_first[node]};
  }
  [[nodiscard]] constexpr bool over_budget() const { return chained_from != none; }

  // Cycles by which `node` can slip. critical_path.hpp fills what it reads.
  [[nodiscard]] constexpr std::uint32_t slack(std::uint32_t node) const {
    return critical_path - depth[node] - height[node];
  }

  // Empties the graph and gives it `nodes` nodes.
  constexpr void reset(std::uint32_t nodes) {
    count = nodes;
    critical_path = 0;
    chained_from = none;
    forward = true;
    grouped = true;
    placed = false;
    refused = false;
    added_count = 0;
    newest.assign(nodes, newest_edge{});
  }

  // Adds an edge; a second edge between the same nodes that comes before another edge of `from` is merged into the first.
  constexpr void add(std::uint32_t from, std::uint32_t to, std::uint16_t latency, dependence_kind kind) {
    if (from >= to) forward = false;
    if (added_count != 0 && to < added[added_count - 1].to) grouped = false;
    grow(std::size_t{added_count} + 1);
    if (from < count) {
      if (newest[from].to == to) {
        dependence_edge& e = added[newest[from].index];
        if (latency > e.latency || (latency == e.latency && kind < e.kind)) {
          e.latency = latency;
          e.kind = kind;
        }
        return;
      }
      newest[from] = {to, added_count};
    }
    added[added_count++] = {from, to, latency, kind, 0};  // an end that is no node is refused by validate_graph()
  }
  // The edges added so far, before and after finish().
  [[nodiscard]] constexpr span<const dependence_edge> added_edges() const { return {added.data(), added_count}; }

  // Sorts the edges both ways. Call once after the last add, and only when every end is a node (validate.hpp).
  constexpr void finish();

  // Makes room for that many added edges.
  [[gnu::noinline]] constexpr void grow(std::size_t edge_count) {
    if (edge_count > added.size()) added.resize(edge_count + edge_count / 2 + 256);
  }
};

namespace detail {

// Stable counting sort of `in` by from (BySource) or to; first gets count + 1 offsets.
template <bool BySource>
constexpr void bucket_edges(span<const dependence_edge> in, std::uint32_t count, vec<std::uint32_t>& first,
                            vec<dependence_edge>& out) {
  first.assign(static_cast<std::size_t>(count) + 2, 0);
  out.resize(in.size());
  std::uint32_t* const at = first.data();
  dependence_edge* const to = out.data();
  for (const dependence_edge& e : in) ++at[static_cast<std::size_t>(BySource ? e.from : e.to) + 2];
  for (std::size_t i = 2; i < static_cast<std::size_t>(count) + 2; ++i) at[i] += at[i - 1];
  for (const dependence_edge& e : in) to[at[static_cast<std::size_t>(BySource ? e.from : e.to) + 1]++] = e;
  first.pop_back();
}

}  // namespace detail

constexpr void dependence_graph::finish() {
  const span<const dependence_edge> in = added_edges();
  if (grouped) {
    edges.assign(in.begin(), in.end());
    pred_first.resize(static_cast<std::size_t>(count) + 1);
    std::uint32_t at = 0;
    for (std::uint32_t node = 0; node < count; ++node) {
      pred_first[node] = at;
      while (at < added_count && edges[at].to == node) ++at;
    }
    pred_first[count] = at;
  } else {
    detail::bucket_edges<false>(in, count, pred_first, edges);
  }
  detail::bucket_edges<true>(edges, count, succ_first, succ_edges);
}

}  // namespace ww
