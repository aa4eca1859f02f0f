// SPDX-License-Identifier: BSL-1.0
//
// Block layout on real code: the bundled listings, and the corpus where WARPWRIGHT_CORPUS names its folder. Cold are blocks that a
// pseudo-random number picks, so that everything moves; which blocks really are cold is for cold_blocks.cpp.
//
// Each new program is proved to be the same one (verify/same_flow.hpp), gets control words and passes the checker, is written as a
// listing where a listing can hold it, and read again it is that program, word for word.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/random_marks.hpp"
#include "../support/slow.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/layout/layouter.hpp"
#include "warpwright/sass/laid_out_listing.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/scoreboard/assign.hpp"
#include "warpwright/verify/hazards.hpp"
#include "warpwright/verify/other_words.hpp"
#include "warpwright/verify/same_flow.hpp"

using namespace ww;

namespace {

namespace corpus = ww_test::corpus;

struct figures {
  std::size_t programs = 0;
  std::size_t changed = 0;
  std::size_t patterns = 0;
  std::size_t reordered = 0;
  std::size_t loops = 0;
  std::size_t loops_reordered = 0;
  std::size_t followed = 0;
  std::size_t inserted = 0;
  std::size_t removed = 0;
  std::size_t inverted = 0;
  std::size_t written = 0;
  std::size_t numbers = 0;  // return addresses
  std::map<std::string, unsigned> refused;
};

template <class Arch, class... Policies>
void lay_out(const std::string& path, std::uint32_t seed, figures& f) {
  static typename layout::layouter<Arch, Policies...>::workspace ws;
  static scoreboard::workspace words;
  static verify::workspace checking;
  const std::string text = corpus::text(path);
  sass::listing_result r = sass::read_listing(text, {.sm = Arch::id, .file = path});
  REQUIRE(r);
  INFO(path << " seed " << seed);
  for (std::uint32_t s = 0; s < r.mod.sections.size(); ++s) {
    program& p = r.mod.sections[s];
    if (!build_cfg(p).ok) continue;
    ++f.programs;
    const layout::cold_marks marks = ww_test::random_marks(p, seed + s);
    program q;
    const layout::layout_result l = layout::layouter<Arch, Policies...>{}.run(p, marks, q, ws);
    REQUIRE(l.ok);
    f.patterns += l.flow.patterns;
    f.reordered += l.flow.reordered;
    f.loops += l.loops.loops;
    f.loops_reordered += l.loops.reordered;
    f.followed += l.followed;
    f.inserted += l.inserted;
    f.removed += l.removed;
    f.inverted += l.inverted;
    if (!l.changed) continue;
    ++f.changed;
    CHECK(q.instructions.size() == p.instructions.size() + l.inserted - l.removed);
    const verify::same_flow_difference d = verify::same_flow(p, q);
    INFO(verify::name(d.fault) << " at " << d.before.index() << " and " << d.after.index());
    REQUIRE(d.ok());
    const auto before = verify::check<Arch>(p, {}, checking).errors();
    (void)scoreboard::assign_control<Arch>(q, words);
    REQUIRE(verify::check<Arch>(q, {}, checking).errors() <= before);

    const sass::laid_out out{s, &q, span<const instr_id>(ws.changes.came_from.data(), ws.changes.came_from.size())};
    std::string made;
    const sass::error e =
        sass::write_laid_out(r.mod, span<const sass::laid_out>(&out, 1), [&](std::string_view piece) { made += piece; });
    if (e) {
      CHECK(made.empty());
      ++f.refused[std::string(e.expected)];
      continue;
    }
    ++f.written;
    sass::listing_result again = sass::read_listing(made, {.sm = Arch::id, .file = path});
    INFO(again.err.message());
    REQUIRE(again);
    program& t = again.mod.sections[s];
    REQUIRE(build_cfg(t).ok);
    REQUIRE(t.instructions.size() == q.instructions.size());
    std::vector<sass::return_number> numbers;
    if (!sass::find_return_numbers(p, numbers)) numbers.clear();
    for (std::uint32_t k = 0; k < q.order.size(); ++k) {
      const instruction& x = q[q.order[k]];
      const instruction& y = t.instructions[k];
      const verify::detail::instruction_match same = verify::detail::match_instructions(q, x, t, y);
      REQUIRE_FALSE(same.exchanged);
      const instr_id old = ws.changes.came_from[q.order[k].index()];
      const auto number = std::find_if(numbers.begin(), numbers.end(), [&](const auto& n) { return n.move == old; });
      if (number == numbers.end()) {
        REQUIRE(same.fault == verify::flow_fault::none);
      } else {  // an address behind a call, which has moved
        REQUIRE((same.fault == verify::flow_fault::none || same.fault == verify::flow_fault::word));
        const auto call = std::find(ws.changes.came_from.begin(), ws.changes.came_from.end(), number->call);
        REQUIRE(y.word[0] >> 32 == 16u * static_cast<std::uint64_t>(call - ws.changes.came_from.begin() + 1));
        ++f.numbers;
      }
      REQUIRE(y.target == x.target);  // nobody was reordered since, so the numbers are those of the layout
      REQUIRE(y.address == 16 * k);
      if (p.has_control) REQUIRE(y.ctl == x.ctl);
      reg found;
      if (p.has_encoding) REQUIRE_FALSE(verify::has_other_words<Arch>(t, y, found));
    }
    REQUIRE(verify::check<Arch>(t, {}, checking).errors() <= before);
  }
}

template <class... Policies>
figures all(unsigned step) {
  figures f;
  std::uint32_t number = 0;
  for (const std::string& path : corpus::listings()) {
    ++number;
    if (!ww_test::chosen(number, step)) continue;
    meta::for_each<all_archs>([&]<class Arch>() {
      if (corpus::sm_of(path) == Arch::id) lay_out<Arch, Policies...>(path, number, f);
    });
  }
  std::printf(
      "layout: %zu programs, %zu changed; %zu patterns, %zu reordered; %zu loops, %zu reordered; %zu followed; branches: "
      "%zu "
      "inserted, %zu removed, %zu inverted; %zu written, %zu return addresses\n",
      f.programs, f.changed, f.patterns, f.reordered, f.loops, f.loops_reordered, f.followed, f.inserted, f.removed,
      f.inverted, f.written, f.numbers);
  for (const auto& [why, count] : f.refused) std::printf("layout: %u refused: %s\n", count, why.c_str());
  return f;
}

}  // namespace

TEST_CASE("HC-4 layout of real code: cold arms leave, every program is the same and passes the checker") {
  const figures f = all<layout::in_loop::mac_first<>, layout::placement::always>(1);
  CHECK(f.changed > 20);
  CHECK(f.reordered > 50);
  CHECK(f.inverted > 10);
  CHECK(f.inserted > 50);
  CHECK(f.removed > 0);
  CHECK(f.written > 20);
  CHECK(f.numbers > 2);
}

TEST_CASE("HC-4 layout of real code: beside the hot arm") {
  const figures f = all<layout::hot_cold_flow<layout::cold_place::beside>>(1);
  CHECK(f.reordered > 10);
  CHECK(f.written > 5);
}

TEST_CASE("HC-4 layout of real code: labels that are invented have names that no section of the listing has") {
  // Laid out once by hand: section 0 has taken the first name, and a later section a name of section 0.
  constexpr const char* head =
      "\t.headerflags\t@\"EF_CUDA_SM80 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)\"\n\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n";
  const std::string listing = std::string(head) +
                              "        /*0000*/              @!P0 BRA `(.L_ww_0_0) ;             /* 0x0000001000008947 */\n"
                              "                                                                  /* 0x000fea0003800000 */\n"
                              "        /*0010*/                   FADD R2, R2, R2 ;              /* 0x0000000202027221 */\n"
                              "                                                                  /* 0x000fe20000000000 */\n"
                              ".L_ww_0_0:\n"
                              "        /*0020*/                   EXIT ;                         /* 0x000000000000794d */\n"
                              "                                                                  /* 0x000fea0003800000 */\n"
                              "\t.section\t.text.l,\"ax\",@progbits\n.text.l:\n.L_ww_0_1:\n"
                              "        /*0000*/                   EXIT ;                         /* 0x000000000000794d */\n"
                              "                                                                  /* 0x000fea0003800000 */\n";
  sass::listing_result r = sass::read_listing(listing, {.sm = sm80::id, .file = "text"});
  INFO(r.err.message());
  REQUIRE(r);
  program& p = r.mod.sections[0];
  REQUIRE(build_cfg(p).ok);
  REQUIRE(p.blocks.size() == 3);
  layout::cold_marks marks;
  marks.reasons.assign(p.blocks.size(), 0);
  marks.add(block_id{1}, layout::cold_reason::seldom);
  program q;
  layout::layouter<sm80>::workspace ws;
  const layout::layout_result l = layout::layouter<sm80>{}.run(p, marks, q, ws);
  REQUIRE(l.ok);
  REQUIRE(l.changed);
  const sass::laid_out out{0, &q, span<const instr_id>(ws.changes.came_from.data(), ws.changes.came_from.size())};
  std::string made;
  const sass::error e =
      sass::write_laid_out(r.mod, span<const sass::laid_out>(&out, 1), [&](std::string_view piece) { made += piece; });
  REQUIRE_FALSE(e);
  INFO(made);
  CHECK(made.find("`(.L_ww_0_2)") != std::string::npos);
  CHECK(bool(sass::read_listing(made, {.sm = sm80::id, .file = "text"})));
}
