// SPDX-License-Identifier: BSL-1.0
//
// Real listings: control words made anew, in the order as compiled and in random legal orders, leave no hazard.
#include "support.hpp"

#include <algorithm>

#include <warpwright/sass/listing.hpp>
#include <warpwright/scoreboard/o0.hpp>

#include "support/corpus.hpp"

using namespace ww;

namespace {

struct totals {
  std::size_t programs = 0;
  std::size_t instructions = 0;
  std::size_t shuffled = 0;
  std::vector<std::string> bad;
};

template <class Arch>
void regenerate(const program& read, const std::string& what, totals& t) {
  static scoreboard::workspace ws;
  static scoreboard::workspace decoded;  // what is decoded stays good for every order
  static verify::workspace vw;
  static dependence_graph g;
  static graph_workspace gw;
  const auto judge = [&](const program& p, const char* how) {
    const verify::report r = verify::check<Arch>(p, ww_test::hazards_only(), vw);
    if (!r.clean() && t.bad.size() < 10) t.bad.push_back(what + how + ww_test::first_finding<Arch>(p));
    for (const instr_id id : p.order) {
      const control& c = p[id].ctl;
      if (!control::defined_code(c.issue_code())) t.bad.push_back(what + how + "undefined issue code");
    }
  };
  program p = read;
  scoreboard::assign_control<Arch>(p, ws);
  judge(p, " as compiled: ");
  // What a fence or an asynchronous operation raised is read from its old word, so only other programs must repeat exactly.
  bool ordered = false;
  for (const instruction& i : p.instructions) ordered = ordered || scoreboard::is_order_class(i.iclass);
  program again = p;
  scoreboard::assign_control<Arch>(again, ws);
  judge(again, " a second time: ");
  for (const instr_id id : p.order) {
    if (ordered) break;
    if (!(p[id].ctl == again[id].ctl)) {
      t.bad.push_back(what + " not the same words the second time");
      break;
    }
  }
  std::mt19937 random(12345);
  scoreboard::decode_program<Arch>(read, decoded);
  for (int round = 0; round < 2; ++round) {
    program q = read;
    ww_test::shuffle_legally<Arch>(q, random, g, gw);
    program other = q;
    if (round == 0) {
      scoreboard::assign_control<Arch>(q, ws);
      scoreboard::assign_decoded<Arch>(other, decoded);
    } else {
      scoreboard::assign_control<Arch, barriers::evict_oldest, yields::text>(q, ws);
      scoreboard::assign_decoded<Arch, barriers::evict_oldest, yields::text>(other, decoded);
    }
    for (const instr_id id : q.order) {
      if (q[id].ctl == other[id].ctl) continue;
      t.bad.push_back(what + " other words where the program was decoded in another order");
      break;
    }
    judge(q, " shuffled: ");
    ++t.shuffled;
  }
  // Another program, and its words must be right as well: pairs that no compiler puts together.
  // (Not where groups of matrix operations are waited for, which no control word does.)
  const bool groups = std::any_of(read.instructions.begin(), read.instructions.end(),
                                  [](const instruction& i) { return i.iclass == sched_class::hgmma; });
  for (const std::uint32_t near : {3u, 1000u}) {
    if (groups) break;
    program any = read;
    for (const block& b : any.blocks) {
      for (std::uint32_t k = 0; k + 2 < b.count; ++k) {
        std::swap(any.order[b.first + k], any.order[b.first + k + random() % std::min(near, b.count - 1 - k)]);
      }
    }
    scoreboard::assign_control<Arch>(any, ws);
    judge(any, " in any order: ");
  }
  program slow = read;
  scoreboard::assign_o0<Arch>(slow);
  judge(slow, " without analysis: ");
  ++t.programs;
  t.instructions += read.order.size();
}

}  // namespace

TEST_CASE("SB-7 corpus: regenerated control words have no hazard, in any legal order") {
  totals t;
  using archs = meta::type_list<sm75, sm80, sm86, sm89, sm90, sm90a>;
  for (const std::string& path : ww_test::corpus::listings()) {
    const std::string text = ww_test::corpus::text(path);
    const auto r = sass::read_listing(text, {.sm = ww_test::corpus::sm_of(path), .file = path});
    if (!r) continue;  // reading is another test's business
    for (std::size_t s = 0; s < r.mod.sections.size(); ++s) {
      program p = r.mod.sections[s];
      if (!build_cfg(p).ok) continue;
      const std::string what(ww_test::corpus::file_name(path));
      detail::visit_arch_in(archs{}, nearest_sm(p.sm), [&]<class Arch>() { regenerate<Arch>(p, what, t); });
    }
  }
  for (const std::string& b : t.bad) UNSCOPED_INFO(b);
  CHECK(t.bad.empty());
  WARN(t.programs << " programs, " << t.instructions << " instructions, " << t.shuffled << " shuffled orders");
  CHECK(t.programs > 0);
}
