// SPDX-License-Identifier: BSL-1.0
//
// Region strategies on real code: the bundled listings, and the corpus where WARPWRIGHT_CORPUS names its folder.
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "../support/corpus.hpp"
#include "../support/slow.hpp"
#include "support.hpp"
#include "warpwright/lift/lift.hpp"
#include "warpwright/pipeline/region_scheduler.hpp"
#include "warpwright/region/all.hpp"
#include "warpwright/sass/cubin_listing.hpp"
#include "warpwright/sass/cubin_patch.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/sass/writer.hpp"
#include "warpwright/verify/hazards.hpp"
#include "warpwright/verify/reaching.hpp"
#include "warpwright/warpwright.hpp"

namespace {

namespace corpus = ww_test::corpus;

struct figures {
  std::size_t programs = 0;
  unsigned moves = 0;
  unsigned taken = 0;
  double before = 0;
  double plain = 0;
  double after = 0;
  double far_plain = 0;  // where loads miss
  double far_after = 0;
};

template <class Arch>
void move_all(figures& f) {
  using strategy = ww::strategy::global_motion<>;
  using scheduler = ww::scheduler<Arch, strategy>;
  typename ww::scheduler<Arch>::workspace plain;
  typename scheduler::workspace space;
  std::size_t number = 0;
  for (const std::string& path : corpus::listings()) {
    if (corpus::sm_of(path) != Arch::id || !ww_test::chosen(number++, 2)) continue;
    const std::string text = corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = Arch::id, .file = path});
    if (!r) continue;
    INFO(path);
    bool changed = false;
    for (ww::program& p : r.mod.sections) {
      if (!ww::build_cfg(p).ok) continue;
      ++f.programs;
      const ww::program before = p;
      ww::program q = p;
      const ww::schedule_result still = ww::scheduler<Arch>{}.run(q, plain);
      f.plain += still.cycles_after;
      q = p;
      f.moves += strategy::transform<typename scheduler::config>(q, space.own);
      REQUIRE(ww::verify::same_reaching(before, q).ok());
      const ww::schedule_result s = scheduler{}.run(p, space);
      f.before += s.cycles_before;
      f.after += s.cycles_after;
      f.far_plain += still.far_after;
      f.far_after += s.far_after;
      REQUIRE(s.far_before == still.far_before);
      REQUIRE(s.far_after <= still.far_after);
      if (s.changes == 0) continue;
      ++f.taken;
      changed = true;
      REQUIRE(s.proved);
      REQUIRE(s.hazards_after <= s.hazards_before);
      REQUIRE(ww::verify::check<Arch>(p).errors() <= ww::verify::check<Arch>(before).errors());
      REQUIRE(ww::verify::same_reaching(before, p).ok());
    }
    // The text can hold it, and read again it is the same program in the new order.
    std::string out;
    const ww::sass::error e = ww::sass::write_listing(r.mod, [&](std::string_view piece) { out += piece; });
    INFO(e.message());
    REQUIRE(!e);
    if (!changed) continue;
    ww::sass::listing_result again = ww::sass::read_listing(out, {.sm = Arch::id, .file = path});
    REQUIRE(again);
    for (std::size_t k = 0; k < r.mod.sections.size(); ++k) {
      const ww::program& was = r.mod.sections[k];
      ww::program& now = again.mod.sections[k];
      REQUIRE(ww::build_cfg(now).ok);
      REQUIRE(now.blocks.size() == was.blocks.size());
      for (std::size_t b = 0; b < now.blocks.size(); ++b) REQUIRE(now.blocks[b].first == was.blocks[b].first);
      for (std::uint32_t at = 0; at < was.order.size(); ++at) {
        REQUIRE(again.mod.body_of(now.instructions[at]).substr(0, 6) == r.mod.body_of(was[was.order[at]]).substr(0, 6));
      }
      REQUIRE(ww::verify::check<Arch>(now).errors() == ww::verify::check<Arch>(was).errors());
    }
  }
}

}  // namespace

TEST_CASE("PLS-13 global: real listings stay proved, can be written, and none gets slower") {
  figures f;
  move_all<ww::sm80>(f);
  move_all<ww::sm90>(f);
  std::printf(
      "global_motion: %zu programs, %u moves, kept in %u; cycles %.0f, list %.0f, moved %.0f; loads miss: %.0f, %.0f\n",
      f.programs, f.moves, f.taken, f.before, f.plain, f.after, f.far_plain, f.far_after);
  CHECK(f.programs > 10);
  CHECK(f.taken > 2);
  CHECK(f.after < f.plain);
}

TEST_CASE("PLS-13: a region strategy may stand around another one") {
  using inner = ww::strategy::barrier_coalescence<>;
  using both = ww::scheduler<ww::sm80, ww::strategy::global_motion<inner>>;
  const ww::program before = ww_test::from_text(
      "LDG.E R4, [R2.64]\nBAR.SYNC 0x0\nBAR.SYNC 0x0\nISETP.GE.AND P0, PT, R0, R1, PT\n@P0 EXIT\n"
      "IADD3 R6, R0, R1, RZ\nIADD3 R4, R4, R6, RZ\nSTG.E [R2.64], R4\nEXIT");
  ww::program alone = before;
  ww::program p = before;
  const ww::schedule_result one = ww::scheduler<ww::sm80, inner>{}.run(alone);
  both::workspace space;
  const ww::schedule_result two = both{}.run(p, space);
  CHECK(two.proved);
  CHECK(two.cycles_after <= one.cycles_after);
  CHECK(two.changes >= one.changes);
  CHECK(ww::verify::check<ww::sm80>(p).errors() == 0);
}

TEST_CASE("PLS-13 global: a cubin holds motion over an exit, and what names the exit follows it") {
  const std::string bytes = corpus::text(corpus::bundled("cubin/saxpy.sm80.cubin"));
  const std::string text = corpus::text(corpus::bundled("listings/saxpy.sm80.sass"));
  ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = ww::sm80::id, .file = ""});
  REQUIRE(r);
  ww::program& p = r.mod.sections[0];
  REQUIRE(ww::build_cfg(p).ok);
  using strategy = ww::strategy::global_motion<>;
  using scheduler = ww::scheduler<ww::sm80, strategy>;
  scheduler::workspace space;
  REQUIRE(strategy::transform<scheduler::config>(p, space.own) != 0);
  const std::uint32_t exit = p.blocks[0].count - 1;
  REQUIRE(exit == 6);  // it stood at place 5
  const std::span<const std::uint8_t> file(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  const ww::sass::cubin_result c = ww::sass::read_cubin(file);
  REQUIRE(!c.error);
  const ww::sass::text_match m = ww::sass::match_text(c.value, r.mod.name_of(r.mod.infos[0]), p);
  REQUIRE(!m.error);
  const ww::sass::patch_result done =
      ww::sass::patch_cubin(file, std::vector<ww::sass::text_patch>{ww::sass::program_patch(*m.text, p)});
  INFO(done.error.text());
  REQUIRE(!done.error);
  bool followed = false;
  for (const ww::sass::cubin_remap& x : done.remaps) followed = followed || (x.old_offset == 0x50 && x.new_offset == 0x60);
  CHECK(followed);
}

TEST_CASE("PLS-13 pipelining: lifted loops of real kernels, and why the others are refused") {
  using strategy = ww::strategy::software_pipeline<>;
  strategy::space space;
  std::size_t loops = 0;
  std::size_t done = 0;
  double iteration = 0;
  double interval = 0;
  std::size_t refused[32] = {};
  const auto look = [&]<class Arch>() {
    for (const std::string& path : corpus::listings()) {
      if (corpus::sm_of(path) != Arch::id) continue;
      const std::string text = corpus::text(path);
      ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = Arch::id, .file = path});
      if (!r) continue;
      for (ww::program& p : r.mod.sections) {
        if (!ww::build_cfg(p).ok) continue;
        // As it came it has encodings: there is no place for new instructions.
        ww::program encoded = p;
        CHECK(strategy::transform<ww::config_of<Arch, ww::base_offset>>(encoded, space) == 0);
        ww::lifted_program l;
        ww::lift_workspace lift_space;
        if (ww::lift(p, l, lift_space) != ww::lift_fault::none) continue;
        const ww::program before = l.code;
        const unsigned changes = strategy::transform<ww::config_of<Arch, ww::base_offset>>(l.code, space);
        for (const ww::strategy::pipelined_report& x : space.loops) {
          ++loops;
          ++refused[static_cast<unsigned>(x.refusal)];
          if (x.refusal != ww::region::pipelining_refusal::none) continue;
          ++done;
          iteration += x.iteration;
          interval += x.interval;
          REQUIRE(x.interval >= x.res_mii);
          REQUIRE(x.interval >= x.rec_mii);
          REQUIRE(x.interval * 10 <= x.iteration * 9);
        }
        if (changes == 0) continue;
        REQUIRE(l.code.instructions.size() > before.instructions.size());
        ww::schedule_workspace<ww::config_of<Arch>> ws;
        REQUIRE_FALSE(ww::schedule_blocks<ww::config_of<Arch>>(l.code, ws).failed);
      }
    }
  };
  look.operator()<ww::sm80>();
  look.operator()<ww::sm90>();
  std::printf("software_pipeline: %zu loops, %zu pipelined; sum of iterations %.0f cycles, of intervals %.0f\n", loops, done,
              iteration, interval);
  for (unsigned k = 1; k < 32; ++k) {
    if (refused[k] == 0) continue;
    std::printf("  %zu: %s\n", refused[k], ww::region::name_of(static_cast<ww::region::pipelining_refusal>(k)));
  }
  CHECK(done >= 5);
}
