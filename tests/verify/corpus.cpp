// SPDX-License-Identifier: BSL-1.0
//
// No finding on compiler output: every bundled listing, and every listing of the corpus where WARPWRIGHT_CORPUS names one.
//
// A listing that decodes to nothing would read as clean, so the instructions that were walked over are counted against the
// instructions of the program. With a longer stall, another wait or a flipped yield, wherever those are legal, it stays
// clean.
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/mutate.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/verify/hazards.hpp"

using namespace ww;

namespace {

struct counted {
  unsigned files = 0;
  unsigned programs = 0;
  unsigned harmless = 0;
  std::vector<std::string> alarms;
};

template <class Arch>
void one(program& p, const std::string& path, counted& n, verify::workspace& w) {
  if (nearest_sm(p.sm) != Arch::id) return;
  std::size_t real = 0;
  for (const instruction& i : p.instructions) real += i.has(iflag::padding) ? 0u : 1u;
  auto clean = [&](const char* how) {
    const verify::report r = verify::check<Arch>(p, {}, w);
    CHECK(r.instructions == real);
    CHECK(r.unknown_opcodes == 0);
    for (const verify::finding& f : r.findings) {
      n.alarms.push_back(path + " " + how + " " + verify::name(f.kind) + " at " + std::to_string(p[f.second].address));
    }
  };
  clean("as compiled");
  ++n.programs;
  if (p.instructions.size() > 4000) return;
  ww_test::mutator m(p, 1000 + n.programs);
  for (unsigned k = ww_test::harmful_count; k < ww_test::bug_count; ++k) {
    for (unsigned again = 0; again < 12; ++again) {
      ww_test::edit e;
      if (!m.plant(static_cast<ww_test::bug>(k), e)) break;
      e.apply(p);
      clean(ww_test::name(e.kind));
      e.revert(p);
      ++n.harmless;
    }
  }
}

counted all(const std::vector<std::string>& paths) {
  counted n;
  verify::workspace w;
  for (const std::string& path : paths) {
    const std::string text = ww_test::corpus::text(path);
    sass::listing_result r = sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
    INFO(path);
    REQUIRE(bool(r));
    ++n.files;
    const unsigned before = n.programs;
    for (program& p : r.mod.sections) {
      REQUIRE(build_cfg(p).ok);
      meta::for_each<all_archs>([&]<class Arch>() { one<Arch>(p, path, n, w); });
    }
    CHECK(n.programs == before + r.mod.sections.size());
  }
  return n;
}

}  // namespace

TEST_CASE("verify corpus: no finding on a bundled listing, nor after a harmless edit") {
  std::vector<std::string> paths = ww_test::corpus::files(ww_test::corpus::bundled("listings"));
  const std::vector<std::string> more = ww_test::corpus::files(ww_test::corpus::bundled("listings_blackwell"));
  paths.insert(paths.end(), more.begin(), more.end());
  const counted n = all(paths);
  CHECK(n.alarms == std::vector<std::string>{});
  CHECK(n.files >= 100);
  CHECK(n.harmless > 3000);
}

TEST_CASE("verify corpus: no finding on a listing of the corpus, nor after a harmless edit") {
  if (ww_test::corpus::root().empty()) return;
  const counted n = all(ww_test::corpus::files(ww_test::corpus::root() + "/listings"));
  CHECK(n.alarms == std::vector<std::string>{});
  CHECK(n.files > 200);
}
