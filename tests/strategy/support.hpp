// SPDX-License-Identifier: BSL-1.0
//
// What the strategy tests share: a block with a graph and node facts, ready for plans and for brute force.
//
//   with_graph<Config>   builds the graph of a program's first block into a workspace
//   shortest             planned cycles of the best of all legal orders, by plain enumeration
//   place_of             where an instruction stands in the order
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../schedule/random_block.hpp"
#include "../schedule/test_arch.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"

namespace ww_test {

template <class... Ps>
using tiny_config = ww::config_of<tiny_arch, Ps...>;

template <class Config, class Workspace>
void with_graph(const ww::program& p, Workspace& ws) {
  const auto order = p.order_of(p.blocks[0]);
  using graph_arch = ww::with_margin<typename Config::arch, typename Config::margin>;
  ww::build_graph<graph_arch, typename Config::graph_builder, typename Config::disambiguation>(p, order, ws.graph,
                                                                                               ws.graph_space);
  ww::detail::fill_nodes<typename Config::arch>(p, order, ws);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    ws.nodes[i].rank = ww::ready_list::entry::of(ws.graph.height[i], i).rank;
  }
}

// Every legal order in turn; no bound, no memory, no plan. `last`: the last one stays last.
class enumerate {
 public:
  enumerate(ww::schedule_space& ws, bool last) : ws_(ws), last_(last) {}

  std::uint64_t shortest() {
    best_ = ~std::uint64_t{0};
    placed_.assign(ws_.graph.count, 0);
    sequence_.clear();
    go();
    return best_;
  }

 private:
  void go() {
    if (sequence_.size() == ws_.graph.count) {
      best_ = std::min(best_, ww::detail::cycles_of(ws_, sequence_));
      return;
    }
    for (std::uint32_t i = 0; i < ws_.graph.count; ++i) {
      if (placed_[i] != 0 || (last_ && i + 1 == ws_.graph.count && sequence_.size() + 1 != ws_.graph.count)) continue;
      bool open = false;
      for (const ww::dependence_edge& e : ws_.graph.pred(i)) open = open || placed_[e.from] == 0;
      if (open) continue;
      placed_[i] = 1;
      sequence_.push_back(i);
      go();
      sequence_.pop_back();
      placed_[i] = 0;
    }
  }

  ww::schedule_space& ws_;
  bool last_;
  std::uint64_t best_ = 0;
  std::vector<std::uint8_t> placed_;
  std::vector<std::uint32_t> sequence_;
};

template <class Config>
ww::schedule_stats schedule(ww::program& p) {
  ww::schedule_workspace<Config> ws;
  return ww::schedule_block<Config>(p, ww::block_id{0}, ws);
}

inline std::size_t place_of(const ww::program& p, ww::instr_id id) {
  return static_cast<std::size_t>(std::find(p.order.begin(), p.order.end(), id) - p.order.begin());
}

}  // namespace ww_test
