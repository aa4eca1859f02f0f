// SPDX-License-Identifier: BSL-1.0
//
// What the backend tests share: one block through a strategy, with the graph built and the workspace open to look into.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "../schedule/random_block.hpp"
#include "../schedule/test_arch.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/backend/all.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"

namespace ww_test {

// A block of a program with its graph; the nodes are filled.
template <class Strategy, class Arch = tiny_arch, class... Ps>
struct opened {
  using config = ww::config_of<Arch, Strategy, Ps...>;
  ww::program p;
  ww::schedule_workspace<config> ws;
  ww::schedule_stats stats;

  explicit opened(ww::program program, ww::block_id b = ww::block_id{0}) : p(std::move(program)) { open(b); }
  void open(ww::block_id b) {
    ws.at = b;
    ws.sequence.clear();
    ww::build_graph<Arch>(p, order(), ws.graph, ws.graph_space);
    ww::detail::fill_nodes<Arch>(p, order(), ws);
    if (!ws.prepared) Strategy::template prepare<config>(p, ws);
    ws.prepared = true;
  }
  [[nodiscard]] std::span<const ww::instr_id> order() const {
    const ww::program& constant = p;
    return constant.order_of(constant[ws.at]);
  }
  bool run() { return Strategy::template order<config>(p, order(), ws, stats); }
};

// Blocks of a program one behind the other, with edges as given.
struct flow_builder : block_builder {
  ww::vec<ww::block> blocks;
  ww::vec<ww::cfg_edge> edges;

  // Ends a block with the instructions added since the last one.
  void end_block() {
    ww::block b;
    b.first = blocks.empty() ? 0 : blocks.back().first + blocks.back().count;
    b.count = static_cast<std::uint32_t>(p.order.size()) - b.first;
    b.reachable = true;
    b.entry = blocks.empty();
    blocks.push_back(b);
  }
  void edge(std::uint32_t from, std::uint32_t to, ww::edge_kind kind = ww::edge_kind::fall) {
    edges.push_back({ww::block_id{from}, ww::block_id{to}, kind});
  }
  ww::program finish() {
    p.blocks = blocks;
    p.edges.clear();
    p.pred_edges.clear();
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
      p.blocks[b].first_edge = static_cast<std::uint32_t>(p.edges.size());
      for (const ww::cfg_edge& e : edges) {
        if (e.from.index() == b) p.edges.push_back(e);
      }
      p.blocks[b].edge_count = static_cast<std::uint32_t>(p.edges.size()) - p.blocks[b].first_edge;
    }
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
      p.blocks[b].first_pred = static_cast<std::uint32_t>(p.pred_edges.size());
      for (std::uint32_t e = 0; e < p.edges.size(); ++e) {
        if (p.edges[e].to.index() == b) p.pred_edges.push_back(e);
      }
      p.blocks[b].pred_count = static_cast<std::uint32_t>(p.pred_edges.size()) - p.blocks[b].first_pred;
    }
    return p;
  }
};

}  // namespace ww_test
