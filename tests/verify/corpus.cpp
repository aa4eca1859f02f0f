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
#include "../support/slow.hpp"
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
  if (p.instructions.size() > 4000) return;
  ww_test::mutator m(p, 1000 + n.programs);
  for (unsigned k = ww_test::harmful_count; k < ww_test::bug_count; ++k) {
    for (unsigned again = 0; again < (ww_test::slow ? 3u : 12u); ++again) {
      ww_test::edit e;
      if (!m.plant(static_cast<ww_test::bug>(k), e)) break;
      e.apply(p);
      clean(ww_test::name(e.kind));
      e.revert(p);
      ++n.harmless;
    }
  }
}

// f<Arch>(program, path, n, w) for every program of the listings.
template <class F>
counted each_program(const std::vector<std::string>& paths, F f) {
  counted n;
  verify::workspace w;
  for (const std::string& path : paths) {
    const std::string text = ww_test::corpus::text(path);
    sass::listing_result r = sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
    INFO(path);
    REQUIRE(bool(r));
    ++n.files;
    for (program& p : r.mod.sections) {
      REQUIRE(build_cfg(p).ok);
      const unsigned before = n.programs;
      meta::for_each<all_archs>([&]<class Arch>() {
        if (nearest_sm(p.sm) != Arch::id) return;
        ++n.programs;
        f.template operator()<Arch>(p, path, n, w);
      });
      CHECK(n.programs == before + 1);
    }
  }
  return n;
}

counted all(const std::vector<std::string>& paths) {
  return each_program(paths, []<class Arch>(program& p, const std::string& path, counted& n, verify::workspace& w) {
    one<Arch>(p, path, n, w);
  });
}

// Every longer stall that keeps the form of its code, one at a time, next to neighbours that could have been exchanged: nothing
// that one longer stall explains may be alleged.
template <class Arch>
void longer_stalls(program& p, const std::string& path, unsigned step, counted& n, verify::workspace& w) {
  if (p.instructions.size() > 2500) return;
  verify::options o;
  o.dependences = o.encoding = false;
  unsigned number = 0;
  for (const block& b : p.blocks) {
    const auto order = p.order_of(b);
    auto suspicious = [&](std::size_t k) {
      return k + 1 < order.size() && verify::detail::overwritten(p, p[order[k]], p[order[k + 1]], false);
    };
    for (std::size_t k = 0; k < order.size() && !b.padding; ++k) {
      bool near = false;
      for (std::size_t at = k < 3 ? 0 : k - 3; at <= k + 3; ++at) near = near || suspicious(at);
      const control compiled = p[order[k]].ctl;
      if (!near || compiled.drains()) continue;
      for (unsigned stall = compiled.stall + 1u; stall <= (compiled.yield ? 15u : 11u); ++stall) {
        if (number++ % step != 0) continue;
        p[order[k]].ctl.stall = static_cast<std::uint8_t>(stall);
        for (const verify::finding& f : verify::check<Arch>(p, o, w).findings) {
          n.alarms.push_back(path + " stall " + std::to_string(stall) + " at " + std::to_string(p[order[k]].address) + " " +
                             verify::name(f.kind));
        }
        ++n.harmless;
      }
      p[order[k]].ctl = compiled;
    }
  }
}

counted all_longer_stalls(const std::vector<std::string>& paths, unsigned step) {
  return each_program(paths, [&]<class Arch>(program& p, const std::string& path, counted& n, verify::workspace& w) {
    longer_stalls<Arch>(p, path, step, n, w);
  });
}

#if defined(WW_TEST_FEW_ARCHS)  // sanitizer builds are slow
constexpr unsigned bundled_step = 40;
#else
constexpr unsigned bundled_step = 3;
#endif

}  // namespace

TEST_CASE("verify corpus: no longer stall of a bundled listing betrays anything") {
  std::vector<std::string> paths = ww_test::corpus::files(ww_test::corpus::bundled("listings"));
  const std::vector<std::string> more = ww_test::corpus::files(ww_test::corpus::bundled("listings_blackwell"));
  paths.insert(paths.end(), more.begin(), more.end());
  const counted n = all_longer_stalls(paths, bundled_step);
  CHECK(n.alarms == std::vector<std::string>{});
  CHECK(n.harmless > 1000);
}

TEST_CASE("verify corpus: no longer stall of the corpus betrays anything") {
  if (ww_test::corpus::root().empty()) return;
  const counted n = all_longer_stalls(ww_test::corpus::files(ww_test::corpus::root() + "/listings"), bundled_step * 5);
  CHECK(n.alarms == std::vector<std::string>{});
  CHECK(n.harmless > 5000);
}

TEST_CASE("verify corpus: no finding on a bundled listing, nor after a harmless edit") {
  std::vector<std::string> paths = ww_test::corpus::files(ww_test::corpus::bundled("listings"));
  const std::vector<std::string> more = ww_test::corpus::files(ww_test::corpus::bundled("listings_blackwell"));
  paths.insert(paths.end(), more.begin(), more.end());
  const counted n = all(paths);
  CHECK(n.alarms == std::vector<std::string>{});
  CHECK(n.files >= 100);
  CHECK(n.harmless > (ww_test::slow ? 700u : 3000u));
}

TEST_CASE("verify corpus: no finding on a listing of the corpus, nor after a harmless edit") {
  if (ww_test::corpus::root().empty()) return;
  const counted n = all(ww_test::corpus::files(ww_test::corpus::root() + "/listings"));
  CHECK(n.alarms == std::vector<std::string>{});
  CHECK(n.files > 200);
}
