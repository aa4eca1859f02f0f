// SPDX-License-Identifier: BSL-1.0
//
// SB-7: once a workspace has seen the programs, control words for them again allocate nothing.
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include <warpwright/sass/listing.hpp>

#include "../support/counted_allocations.hpp"
#include "support.hpp"
#include "support/corpus.hpp"

namespace {

void assign_all(std::vector<ww::program>& programs, ww::scoreboard::workspace& ws) {
  for (ww::program& p : programs) (void)ww::scoreboard::assign_control<ww::sm80>(p, ws);
}

}  // namespace

TEST_CASE("SB-7 control words allocate nothing after warm-up") {
  std::vector<ww::program> programs;
  std::size_t loops = 0;
  for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled("listings"))) {
    auto r = ww::sass::read_listing(ww_test::corpus::text(path), {.sm = ww_test::corpus::sm_of(path), .file = path});
    if (!r) continue;
    for (ww::program& p : r.mod.sections) {
      if (p.sm != ww::sm80::id || !ww::build_cfg(p).ok) continue;
      for (const ww::cfg_edge& e : p.edges) loops += e.to.index() <= e.from.index() ? 1u : 0u;
      programs.push_back(p);
    }
  }
  REQUIRE(programs.size() > 5);
  REQUIRE(loops > 5);
  ww::scoreboard::workspace ws;
  const std::size_t cold = allocations;
  assign_all(programs, ws);
  CHECK(allocations > cold);
  const std::vector<ww::program> first = programs;
  for (int run = 0; run < 3; ++run) {
    const std::size_t before = allocations;
    assign_all(programs, ws);
    CHECK(allocations == before);
  }
  for (std::size_t k = 0; k < programs.size(); ++k) {
    for (const ww::instr_id id : programs[k].order) REQUIRE(programs[k][id].ctl == first[k][id].ctl);
  }
}
