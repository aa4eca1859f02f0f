// SPDX-License-Identifier: BSL-1.0
//
// Dependences made by hand, by every kind of strategy: ordered, or what is wrong with them named.
#include "warpwright/schedule/order_graph.hpp"

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "../support/catch.hpp"
#include "../support/random_block.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/unified/unified.hpp"
#include "warpwright/strategy/all.hpp"

namespace {

template <class Strategy>
void order_by_hand() {
  using c = ww::config_of<ww::sm80, Strategy>;
  INFO(Strategy::name);
  const ww::program p = ww_test::random_block(3, {.count = 6,
                                                  .registers = 200,
                                                  .guard_percent = 0,
                                                  .memory_percent = 0,
                                                  .fence_percent = 0,
                                                  .ends_with_branch = false});
  const auto made = [&](std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> edges,
                        ww::schedule_workspace<c>& ws) {
    ws.graph.reset(6);
    for (const auto& [from, to] : edges) ws.graph.add(from, to, 4, ww::dependence_kind::raw);
    ww::schedule_stats s;
    return ww::order_graph<c>(p, p.order, ws, s);
  };
  ww::schedule_workspace<c> ws;
  REQUIRE_FALSE(made({{0, 2}, {1, 2}, {2, 5}, {3, 5}, {4, 5}}, ws));
  REQUIRE(ws.sequence.size() == 6);
  const auto place = [&](std::uint32_t n) { return std::find(ws.sequence.begin(), ws.sequence.end(), n); };
  CHECK((place(0) < place(2) && place(1) < place(2) && place(2) < place(5)));

  const ww::graph_error cycle = made({{0, 5}, {1, 3}, {3, 4}, {4, 2}, {2, 1}, {4, 5}}, ws);
  REQUIRE(cycle.fault == ww::graph_fault::cycle);
  CHECK(cycle.nodes == ww::vec<std::uint32_t>{1, 3, 4, 2});
  CHECK((cycle.edge.from == 2 && cycle.edge.to == 1));
  CHECK(ws.sequence.empty());
  CHECK(made({{2, 2}}, ws).nodes == ww::vec<std::uint32_t>{2});

  CHECK(made({{0, 6}}, ws).fault == ww::graph_fault::range);
  CHECK(made({{7, 1}}, ws).edge.from == 7);
  ws.graph.reset(5);
  ww::schedule_stats s;
  CHECK(ww::order_graph<c>(p, p.order, ws, s).fault == ww::graph_fault::range);

  // no cycle, but against the source order: ordered, or the edge is named
  const ww::graph_error back = made({{4, 1}, {1, 5}, {0, 5}, {2, 5}, {3, 5}}, ws);
  if (back) {
    CHECK(back.fault == ww::graph_fault::backward);
    CHECK((back.edge.from == 4 && back.edge.to == 1));
    CHECK(ws.sequence.empty());
  } else {
    REQUIRE(ws.sequence.size() == 6);
    CHECK((place(4) < place(1) && place(1) < place(5)));
  }
  constexpr bool takes_any_graph =
      std::is_same_v<Strategy, ww::strategy::list> || std::is_same_v<Strategy, ww::strategy::depth_first>;
  CHECK(bool(back) != takes_any_graph);
}

}  // namespace

TEST_CASE("PLS-1 engine: dependences made by hand are ordered, or what is wrong with them is named") {
  order_by_hand<ww::strategy::list>();
  order_by_hand<ww::strategy::keep>();
  order_by_hand<ww::strategy::critical_path>();
  order_by_hand<ww::strategy::depth_first>();
  order_by_hand<ww::strategy::backtracking<>>();
  order_by_hand<ww::strategy::permutation<>>();
  order_by_hand<ww::strategy::latency<>>();
  order_by_hand<ww::strategy::pressure>();
  order_by_hand<ww::strategy::unified>();
}
