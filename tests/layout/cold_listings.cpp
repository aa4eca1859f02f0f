// SPDX-License-Identifier: BSL-1.0
//
// HC-1 on real code: the bundled listings, and the corpus where WARPWRIGHT_CORPUS names its folder.
#include <cstdio>
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/layout/mark_cold.hpp"
#include "warpwright/sass/listing.hpp"

namespace {

namespace corpus = ww_test::corpus;
using namespace ww::layout;
using ww::block_id;

std::vector<std::string> every_listing() {
  std::vector<std::string> all = corpus::listings();
  for (const char* folder : {"listings_blackwell", "listings_rare", "listings_short", "listings_versions"}) {
    for (const std::string& path : corpus::files(corpus::bundled(folder))) all.push_back(path);
  }
  return all;
}

// f(program, marks, analysis) of every section.
template <class F>
void each_program(F&& f) {
  cold_workspace ws;
  cold_marks m;
  for (const std::string& path : every_listing()) {
    const std::string text = corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = corpus::sm_of(path), .file = path});
    if (!r) continue;
    INFO(path);
    for (ww::program& p : r.mod.sections) {
      if (!ww::build_cfg(p).ok) continue;
      const cold_analysis a(p);
      REQUIRE(mark_cold<ww::sm90>::run(p, a, {}, ws, m));
      f(p, m, a);
    }
  }
}

}  // namespace

TEST_CASE("HC-1 cold listings: what each signal takes, and what none may") {
  unsigned programs = 0;
  unsigned blocks = 0;
  unsigned cold = 0;
  unsigned by[8] = {};
  each_program([&](const ww::program& p, const cold_marks& m, const cold_analysis& a) {
    ++programs;
    for (std::uint32_t k = 0; k < p.blocks.size(); ++k) {
      const block_id b{k};
      const ww::block& blk = p[b];
      if (!blk.reachable || blk.padding) {
        REQUIRE_FALSE(m.cold(b));
        continue;
      }
      ++blocks;
      cold += m.cold(b);
      for (unsigned r = 0; r < 8; ++r) by[r] += m.has(b, static_cast<cold_reason>(r));
      if (entry_of(p, b) == b) REQUIRE_FALSE(m.cold(b));
      // In a loop, only what stands below conditions of an iteration can be cold; and what traps, which is in the loop only as
      // far as BPT.TRAP goes on (code of ptxas -O0).
      if (a.loops.is_header[k] != 0) REQUIRE_FALSE(m.cold(b));
      if (blk.loop_depth != 0) {
        REQUIRE_FALSE(m.has(b, cold_reason::behind_loop));
        REQUIRE_FALSE(m.has(b, cold_reason::epilogue));
      }
      // Every block with a trap under no guard is cold.
      for (const ww::instr_id i : p.order_of(blk)) {
        if (p[i].op == ww::opcode::bpt && !p[i].has(ww::iflag::guarded) && entry_of(p, b) != b) {
          REQUIRE(m.has(b, cold_reason::trap));
        }
      }
    }
  });
  std::printf("cold: %u of %u blocks of %u programs; trap %u, error_exit %u, nested %u, behind_loop %u, epilogue %u\n", cold,
              blocks, programs, by[0], by[1], by[2], by[3], by[4]);
  CHECK(by[static_cast<unsigned>(cold_reason::trap)] > 50);
  CHECK(by[static_cast<unsigned>(cold_reason::nested)] > 0);
  CHECK(by[static_cast<unsigned>(cold_reason::behind_loop)] > 100);
  CHECK(by[static_cast<unsigned>(cold_reason::error_exit)] == 0);  // machine code has no such thing
  CHECK(by[static_cast<unsigned>(cold_reason::seldom)] + by[static_cast<unsigned>(cold_reason::improbable)] == 0);
  // The slow ways of square root and division branch to their end; none of the bundled listings has one.
  if (corpus::reference()) CHECK(by[static_cast<unsigned>(cold_reason::epilogue)] >= 20);
}

TEST_CASE("HC-1 cold listings: a profile that says nothing changes nothing, one that counts all alike leaves nothing cold") {
  cold_workspace ws;
  cold_marks again;
  ww::flow_profile f;
  each_program([&](const ww::program& p, const cold_marks& m, const cold_analysis& a) {
    f.reset(p);
    REQUIRE(mark_cold<ww::sm90>::run(p, a, {.profile = &f}, ws, again));
    REQUIRE(again.reasons == m.reasons);
    for (double& c : f.count) c = 1;
    REQUIRE(mark_cold<ww::sm90>::run(p, a, {.profile = &f}, ws, again));
    for (const std::uint8_t r : again.reasons) REQUIRE(r == 0);
    // Where loops run longer than the rest, what is outside of them is not below the entry of its function.
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) f.count[b] = p.blocks[b].weight;
    REQUIRE(mark_cold<ww::sm90>::run(p, a, {.profile = &f}, ws, again));
    for (const std::uint8_t r : again.reasons) REQUIRE((r & 1u << static_cast<unsigned>(cold_reason::behind_loop)) == 0);
  });
}
