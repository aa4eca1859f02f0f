// SPDX-License-Identifier: BSL-1.0
//
// SB-6: yield policies made of others: the limit behind an instruction, and batches of textures.
#include "support.hpp"

#include <warpwright/sass/listing.hpp>
#include <warpwright/scoreboard/yield_adjust.hpp>

#include "support/corpus.hpp"

using namespace ww;

namespace {

struct step {
  sched_class of;
  unsigned stall;
};

// Who yields in a block of such stalls.
template <class Policy>
std::string yields_of(std::initializer_list<step> block, sched_class earlier = sched_class::nop) {
  scoreboard::yield_rhythm<Policy, sm90::barriers::max_stall_stay> walk;
  walk.begin();
  control before;  // what stood in another block has no say
  before.stall = 1;
  walk.visit(before, earlier, true);
  walk.begin();
  std::string said;
  for (const step& s : block) {
    control c;
    c.stall = static_cast<std::uint8_t>(s.stall);
    c.yield = s.stall == 0 || s.stall > sm90::barriers::max_stall_stay ||
              Policy::template yield<sm90::barriers>(s.stall, scoreboard::yields_when_it_stalls(s.of));
    walk.visit(c, s.of, false);
    said += c.yield ? 'y' : '-';
  }
  return said;
}

constexpr auto alu = sched_class::alu;
constexpr auto mufu = sched_class::mufu;
constexpr auto tex = sched_class::tex;

}  // namespace

TEST_CASE("SB-6 limit: behind an instruction of the class the rule sees no more than the limit") {
  using two = yields::limited<2, yields::text, sched_class::mufu>;
  CHECK(yields_of<yields::text>({{alu, 4}, {mufu, 4}, {alu, 4}, {alu, 4}}) == "yyyy");
  CHECK(yields_of<two>({{alu, 4}, {mufu, 4}, {alu, 4}, {alu, 4}}) == "yy-y");
  // it only lowers: what does not yield by itself does not yield
  CHECK(yields_of<two>({{mufu, 1}, {alu, 1}, {alu, 2}, {alu, 3}}) == "---y");
  // at three cycles and more a limit takes nothing from the text's rule
  CHECK(yields_of<yields::limited<3, yields::text, sched_class::mufu>>({{mufu, 4}, {alu, 4}, {alu, 3}}) == "yyy");
  // several classes, each instruction its own neighbour
  using more = yields::limited<2, yields::text, sched_class::mufu, sched_class::tex>;
  CHECK(yields_of<more>({{mufu, 4}, {tex, 4}, {alu, 4}, {alu, 4}}) == "y--y");
  // drains, and stalls that exist with yield only, stay as they are
  CHECK(yields_of<two>({{mufu, 4}, {alu, 0}, {mufu, 4}, {alu, 12}, {mufu, 4}, {alu, 11}}) == "yyyyy-");
  CHECK(yields_of<two>({{alu, 4}, {alu, 4}}, mufu) == "yy");
}

TEST_CASE("SB-6 limit: of the compiler's rule, its rhythm included") {
  using one = yields::limited<1, yields::observed, sched_class::mufu>;
  CHECK(yields_of<yields::observed>({{alu, 2}, {alu, 2}, {alu, 2}, {alu, 2}, {mufu, 2}, {alu, 2}, {alu, 2}}) == "-----y-");
  // the yield that the rhythm asks for is put off by one instruction, and the rhythm goes on from there
  CHECK(yields_of<one>({{alu, 2}, {alu, 2}, {alu, 2}, {alu, 2}, {mufu, 2}, {alu, 2}, {alu, 2}, {alu, 2}}) == "------y-");
}

TEST_CASE("SB-6 textures: the last of a batch yields and no other") {
  using three = yields::texture_batches<3, yields::text>;
  CHECK(yields_of<three>({{tex, 1}, {tex, 1}, {tex, 1}, {tex, 1}, {tex, 1}, {tex, 1}, {tex, 1}}) == "--y--y-");
  // whatever their stalls are, but for those that exist with yield only
  CHECK(yields_of<three>({{tex, 4}, {sched_class::tld, 5}, {sched_class::txq, 2}, {tex, 12}}) == "--yy");
  // another instruction ends a batch, and is not touched
  CHECK(yields_of<three>({{tex, 1}, {tex, 1}, {alu, 4}, {tex, 1}, {tex, 1}, {tex, 1}}) == "--y--y");
  CHECK(yields_of<yields::texture_batches<1, yields::stay>>({{tex, 1}, {alu, 4}, {tex, 2}}) == "y-y");
  CHECK(yields_of<three>({{tex, 1}, {tex, 1}, {tex, 1}}, tex) == "--y");
  CHECK(yields_of<three>({{tex, 0}, {tex, 1}, {tex, 1}}) == "y-y");  // a drain is one of the batch
}

TEST_CASE("SB-6 textures: batches of a limited rule, the outer one last") {
  using both = yields::texture_batches<2, yields::limited<2, yields::text, sched_class::tex>>;
  CHECK(yields_of<both>({{tex, 4}, {tex, 4}, {alu, 4}, {alu, 4}}) == "-y-y");
  using other = yields::limited<2, yields::texture_batches<2, yields::text>, sched_class::tex>;
  CHECK(yields_of<other>({{tex, 4}, {tex, 4}, {alu, 4}, {alu, 4}}) == "---y");
}

TEST_CASE("SB-6 yields made of others: words of listings differ in yields alone, and nothing is found") {
  using mine = yields::texture_batches<2, yields::limited<2, yields::observed, sched_class::alu, sched_class::imad>>;
  std::size_t less = 0;
  std::size_t seen = 0;
  std::size_t programs = 0;
  const std::string root = ww_test::corpus::root();
  for (const std::string& path :
       ww_test::corpus::files(root.empty() ? ww_test::corpus::bundled("listings") : root + "/listings")) {
    if (ww_test::corpus::sm_of(path) != sm90::id && ww_test::corpus::sm_of(path) != sm75::id) continue;
    const std::string text = ww_test::corpus::text(path);
    sass::listing_result r = sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
    REQUIRE(bool(r));
    const auto words = [&]<class Arch>(program& p) {
      program q = p;
      scoreboard::workspace ws;
      scoreboard::assign_control<Arch, yields::observed>(p, ws);
      scoreboard::assign_control<Arch, mine>(q, ws);
      for (const block& b : p.blocks) {
        std::size_t textures = 0;
        for (const instr_id id : p.order_of(b)) {
          control as_ours = q[id].ctl;
          const bool texture =
              p[id].iclass == sched_class::tex || p[id].iclass == sched_class::tld || p[id].iclass == sched_class::txq;
          textures = texture ? textures + 1 : 0;
          if (texture && as_ours.stall != 0 && as_ours.stall <= Arch::barriers::max_stall_stay) {
            CHECK(as_ours.yield == (textures % 2 == 0));
            ++seen;
          } else if (p[id].ctl.yield && !as_ours.yield) {
            ++less;
          } else if (!p[id].ctl.yield && as_ours.yield) {
            CHECK(as_ours.stall == 2);  // the rhythm began anew elsewhere
          }
          as_ours.yield = p[id].ctl.yield;
          as_ours.reuse = p[id].ctl.reuse;
          CHECK(as_ours == p[id].ctl);
        }
      }
      CHECK(ww_test::first_finding<Arch>(q).empty());
      ++programs;
    };
    for (program& p : r.mod.sections) {
      REQUIRE(build_cfg(p).ok);
      if (!p.has_control) continue;
      if (p.sm == sm90::id) words.template operator()<sm90>(p);
      if (p.sm == sm75::id) words.template operator()<sm75>(p);
    }
  }
  INFO(programs << " programs, " << less << " yields less, " << seen << " textures");
  CHECK(programs > 4);
  CHECK(less > 100);
  if (ww_test::corpus::reference()) CHECK(seen > 0);  // no texture among the bundled ones
}
