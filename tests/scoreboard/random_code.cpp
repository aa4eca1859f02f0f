// SPDX-License-Identifier: BSL-1.0
//
// Random programs of real instructions: words by every policy leave no hazard.
#include "support/random_code.hpp"

#include <map>

#include <warpwright/sass/listing.hpp>
#include <warpwright/scoreboard/o0.hpp>

#include "support.hpp"
#include "support/corpus.hpp"

using namespace ww;

TEST_CASE("SB-7 random code: words for real instructions in any company leave no hazard") {
#if defined(WW_TEST_FEW_ARCHS)
  using archs = meta::type_list<sm80, sm90>;
#else
  using archs = meta::type_list<sm75, sm80, sm86, sm89, sm90, sm90a, sm100, sm103, sm107, sm110, sm120>;
#endif
  std::map<sm_id, ww_test::random_code> code;
  std::vector<std::string> paths = ww_test::corpus::listings();
  for (const char* more : {"listings_blackwell", "listings_rare", "listings_versions"}) {
    for (std::string& path : ww_test::corpus::files(ww_test::corpus::bundled(more))) paths.push_back(std::move(path));
  }
  for (const std::string& path : paths) {
    const std::string text = ww_test::corpus::text(path);
    const auto read = sass::read_listing(text, {.sm = ww_test::corpus::sm_of(path), .file = path});
    if (!read) continue;  // reading is another test's business
    for (std::size_t s = 0; s < read.mod.sections.size(); ++s) code[read.mod.sections[s].sm].add(read.mod.sections[s]);
  }
  scoreboard::workspace ws;
  verify::workspace vw;
  unsigned programs = 0;
  unsigned empty = 0;
  std::vector<std::string> bad;
  for (const auto& entry : code) {
    const sm_id sm = entry.first;
    const ww_test::random_code& pool = entry.second;
    if (pool.empty()) continue;
    detail::visit_arch_in(archs{}, sm, [&]<class Arch>() {
      std::mt19937 random(static_cast<unsigned>(sm));
      const auto judge = [&](const program& p, unsigned number, const char* how) {
        for (const instr_id id : p.order) {
          if (!scoreboard::cannot_wait(p[id]) || p[id].ctl.wait_mask == 0 || bad.size() >= 10) continue;
          bad.push_back(std::string(Arch::name) + ", program " + std::to_string(number) + ": a mask where none may be");
        }
        if (!verify::check<Arch>(p, ww_test::hazards_only(), vw).clean() && bad.size() < 10) {
          bad.push_back(std::string(Arch::name) + ", program " + std::to_string(number) + how + ": " +
                        ww_test::first_finding<Arch>(p));
        }
      };
      for (unsigned number = 0; number < 2000; ++number) {
        program p = pool.program(random, Arch::id);
        if (p.order.empty()) {
          ++empty;
          continue;
        }
        ++programs;
        scoreboard::assign_control<Arch>(p, ws);
        judge(p, number, "");
        if (number % 4 != 0) continue;
        program slow = p;
        scoreboard::assign_o0<Arch>(slow);
        judge(slow, number, ", without analysis");
        scoreboard::assign_decoded<Arch, barriers::evict_oldest, yields::text>(p, ws);
        judge(p, number, ", the oldest evicted");
        scoreboard::assign_decoded<Arch, barriers::literal_text>(p, ws);
        judge(p, number, ", indices as the text has them");
        scoreboard::assign_decoded<Arch, barriers::avoid_conflicts<>>(p, ws);
        judge(p, number, ", waits at conflicts");
      }
    });
  }
  for (const std::string& b : bad) UNSCOPED_INFO(b);
  CHECK(bad.empty());
  CHECK(empty == 0);
  CHECK(programs >= 4000);
}
