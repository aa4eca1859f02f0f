// SPDX-License-Identifier: BSL-1.0
//
// PLS-8 on real code: both builders and the order oracle agree on the blocks of the bundled listings, and of the whole
// corpus where WARPWRIGHT_CORPUS names it.
#include <string>
#include <vector>

#include <warpwright/arch/sm80.hpp>
#include <warpwright/arch/sm90.hpp>
#include <warpwright/graph/build.hpp>
#include <warpwright/graph/reachability.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/sass/listing.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/order_oracle.hpp"

namespace {

namespace corpus = ww_test::corpus;

struct tally {
  std::size_t blocks = 0;
  std::size_t instructions = 0;
  std::size_t pairs = 0;
};

template <class Arch>
void check_listing(const std::string& path, tally& t) {
  const std::string text = corpus::text(path);
  auto r = ww::sass::read_listing(text, {Arch::id, path});
  INFO(path << ": " << r.err.message());
  REQUIRE(r);
  ww::graph_workspace ws;
  ww::dependence_graph fast;
  ww::dependence_graph slow;
  ww::reachability a;
  ww::reachability b;
  for (ww::program& p : r.mod.sections) {
    REQUIRE(ww::build_cfg(p).ok);
    for (const ww::block& blk : p.blocks) {
      if (blk.padding || blk.count < 2 || blk.count > 320) continue;
      const auto order = p.order_of(blk);
      ww::build_graph<Arch>(p, order, fast, ws);
      ww::build_graph<Arch, ww::pairwise>(p, order, slow, ws);
      a.compute(fast);
      b.compute(slow);
      INFO("block at " << p[order[0]].address);
      REQUIRE(a == b);
      REQUIRE(fast.height == slow.height);
      REQUIRE(fast.depth == slow.depth);
      const ww_test::order_oracle oracle(p, order);
      std::size_t missing = 0;
      for (std::uint32_t j = 1; j < fast.count; ++j) {
        for (std::uint32_t i = 0; i < j; ++i) {
          if (!oracle.dependent(i, j)) continue;
          ++t.pairs;
          missing += a.reaches(i, j) ? 0u : 1u;
        }
      }
      REQUIRE(missing == 0);
      ww::build_graph<Arch, ww::last_writer, ww::base_offset>(p, order, fast, ws);
      ww::build_graph<Arch, ww::pairwise, ww::base_offset>(p, order, slow, ws);
      b.compute(slow);
      a.compute(fast);
      for (std::uint32_t j = 1; j < fast.count; ++j) {
        for (std::uint32_t i = 0; i < j; ++i) missing += b.reaches(i, j) && !a.reaches(i, j) ? 1u : 0u;
      }
      REQUIRE(missing == 0);
      ++t.blocks;
      t.instructions += blk.count;
    }
  }
}

void check_folder(const std::string& folder, tally& t) {
  for (const std::string& path : corpus::files(folder)) {
    if (path.find("huge") != std::string::npos || path.find("-O0") != std::string::npos) continue;
    if (path.find(".sm80.sass") != std::string::npos) check_listing<ww::sm80>(path, t);
    if (path.find(".sm90.sass") != std::string::npos) check_listing<ww::sm90>(path, t);
  }
}

}  // namespace

TEST_CASE("PLS-8 real blocks: builders and oracle agree") {
  tally t;
  check_folder(corpus::bundled("listings"), t);
  CHECK(t.blocks > 100);
  if (!corpus::root().empty()) {
    t = {};
    check_folder(corpus::root() + "/listings", t);
    CHECK(t.blocks > 1500);
  } else {
    WARN("WARPWRIGHT_CORPUS is not set: corpus part not run");
  }
  WARN(t.blocks << " blocks, " << t.instructions << " instructions, " << t.pairs << " dependent pairs");
}
