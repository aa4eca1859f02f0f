// SPDX-License-Identifier: BSL-1.0
//
// PLS-8: every pair that the order oracle calls dependent is ordered by the graph, and a random topological order of the
// graph satisfies the oracle; a graph with one needed edge taken out does not.
#include <algorithm>
#include <random>

#include <warpwright/graph/build.hpp>
#include <warpwright/graph/reachability.hpp>

#include "../support/catch.hpp"
#include "../support/order_oracle.hpp"
#include "../support/random_block.hpp"
#include "../support/test_arch.hpp"

namespace {

ww_test::random_block_options shape(unsigned seed) {
  ww_test::random_block_options o;
  o.count = 10 + seed % 50;
  o.registers = 5 + seed % 24;
  o.guard_percent = seed % 3 == 0 ? 70 : 25;
  o.fence_percent = seed % 4 == 0 ? 0 : 3;
  o.virtual_registers = seed % 5 == 0;
  return o;
}

template <class Builder, class Disambiguation>
void check_closure(const ww::program& p, ww_test::oracle_memory memory, ww::graph_workspace& ws) {
  ww::dependence_graph g;
  ww::build_graph<ww_test::test_arch, Builder, Disambiguation>(p, p.order, g, ws);
  ww::reachability reach;
  reach.compute(g);
  const ww_test::order_oracle oracle(p, p.order, memory);
  // The closure of the oracle's relation, for the other direction: the graph orders nothing without need.
  std::vector<std::vector<bool>> need(g.count, std::vector<bool>(g.count, false));
  for (std::uint32_t i = g.count; i-- > 0;) {
    for (std::uint32_t j = i + 1; j < g.count; ++j) {
      if (!oracle.dependent(i, j)) continue;
      need[i][j] = true;
      for (std::uint32_t k = j + 1; k < g.count; ++k) need[i][k] = need[i][k] || need[j][k];
    }
  }
  unsigned missing = 0;
  unsigned extra = 0;
  for (std::uint32_t i = 0; i < g.count; ++i) {
    for (std::uint32_t j = i + 1; j < g.count; ++j) {
      if (need[i][j] && !reach.reaches(i, j)) ++missing;
      if (!need[i][j] && reach.reaches(i, j)) ++extra;
    }
  }
  REQUIRE(missing == 0);
  REQUIRE(extra == 0);
}

std::vector<ww::instr_id> shuffled(const ww::program& p, const ww::dependence_graph& g, std::mt19937& rng,
                                   const ww::dependence_edge* without) {
  std::vector<std::uint32_t> open(g.count, 0);
  std::vector<std::uint32_t> ready;
  for (const ww::dependence_edge& e : g.edges) {
    if (&e != without) ++open[e.to];
  }
  for (std::uint32_t i = 0; i < g.count; ++i) {
    if (open[i] == 0) ready.push_back(i);
  }
  std::vector<ww::instr_id> order;
  while (!ready.empty()) {
    const std::size_t k = rng() % ready.size();
    const std::uint32_t node = ready[k];
    ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(k));
    order.push_back(p.order[node]);
    for (const ww::dependence_edge& e : g.edges) {
      if (&e != without && e.from == node && --open[e.to] == 0) ready.push_back(e.to);
    }
  }
  return order;
}

}  // namespace

TEST_CASE("PLS-8 the graph orders exactly what the order oracle demands") {
  ww::graph_workspace ws;
  for (unsigned seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    const ww::program p = ww_test::random_block(seed, shape(seed));
    check_closure<ww::last_writer, ww::conservative>(p, ww_test::oracle_memory::conservative, ws);
    check_closure<ww::pairwise, ww::conservative>(p, ww_test::oracle_memory::conservative, ws);
    check_closure<ww::last_writer, ww::base_offset>(p, ww_test::oracle_memory::same_base, ws);
  }
}

TEST_CASE("PLS-8 any topological order of the graph satisfies the order oracle, and a missing edge shows") {
  ww::graph_workspace ws;
  std::mt19937 rng(7);
  unsigned caught = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    INFO("seed " << seed);
    const ww::program p = ww_test::random_block(seed, shape(seed));
    ww::dependence_graph g;
    ww::build_graph<ww_test::test_arch>(p, p.order, g, ws);
    const ww_test::order_oracle oracle(p, p.order);
    for (unsigned round = 0; round < 5; ++round) {
      const auto order = shuffled(p, g, rng, nullptr);
      const ww_test::misplaced_pair found = oracle.first_misplaced(order);
      REQUIRE(found.permutation);
      REQUIRE(!found.found);
    }
    for (unsigned round = 0; round < 20; ++round) {
      const ww::dependence_edge& cut = g.edges[rng() % g.edges.size()];
      if (oracle.first_misplaced(shuffled(p, g, rng, &cut)).found) ++caught;
    }
  }
  CHECK(caught > 100);
  const ww::program p = ww_test::random_block(1, shape(1));
  auto twice = p.order;
  twice[0] = twice[1];
  CHECK(!ww_test::order_oracle(p, p.order).first_misplaced(twice).permutation);
}
