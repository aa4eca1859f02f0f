// SPDX-License-Identifier: BSL-1.0
//
// PLS-8: both builders agree, and agree with the order oracle, on random blocks.
#include <warpwright/graph/build.hpp>
#include <warpwright/graph/reachability.hpp>

#include "../support/catch.hpp"
#include "../support/random_block.hpp"
#include "../support/test_arch.hpp"

namespace {

template <class Disambiguation, ww::distance_use Use>
void compare_builders(const ww_test::random_block_options& o, unsigned seed, ww::graph_workspace& ws) {
  const ww::program p = ww_test::random_block(seed, o);
  ww::dependence_graph fast;
  ww::dependence_graph slow;
  ww::build_graph<ww_test::test_arch, ww::last_writer, Disambiguation, Use>(p, p.order, fast, ws);
  ww::build_graph<ww_test::test_arch, ww::pairwise, Disambiguation, Use>(p, p.order, slow, ws);
  ww::reachability a;
  ww::reachability b;
  a.compute(fast);
  b.compute(slow);
  INFO("seed " << seed);
  REQUIRE(a == b);
  REQUIRE(fast.height == slow.height);
  REQUIRE(fast.depth == slow.depth);
  REQUIRE(fast.critical_path == slow.critical_path);
}

}  // namespace

TEST_CASE("PLS-8 last-writer and pair-wise graphs have the same closure, heights and depths") {
  ww::graph_workspace ws;
  for (unsigned seed = 0; seed < 400; ++seed) {
    ww_test::random_block_options o;
    o.count = 10 + seed % 50;
    o.registers = 5 + seed % 20;
    o.guard_percent = seed % 3 == 0 ? 70 : 25;
    o.fence_percent = seed % 4 == 0 ? 0 : 3;
    o.virtual_registers = seed % 5 == 0;
    o.ends_with_branch = seed % 2 == 0;
    compare_builders<ww::conservative, ww::distance_use::emit>(o, seed, ws);
    compare_builders<ww::conservative, ww::distance_use::check>(o, seed, ws);
    compare_builders<ww::base_offset, ww::distance_use::emit>(o, seed, ws);
  }
}
