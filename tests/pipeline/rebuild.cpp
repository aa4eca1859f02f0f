// SPDX-License-Identifier: BSL-1.0
//
// The whole back end on real listings and on programs thrown together: the result reads what the input read, by a walk along all
// paths that shares no code with the kit; its words hold its registers; it stays within them; it is never dearer.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <warpwright/arch/sm100.hpp>
#include <warpwright/arch/sm75.hpp>
#include <warpwright/arch/sm80.hpp>
#include <warpwright/arch/sm90.hpp>
#include <warpwright/pipeline/rebuild.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/sass/renamed_listing.hpp>
#include <warpwright/verify/hazards.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/order_oracle.hpp"
#include "../support/program_of.hpp"
#include "../support/random_code.hpp"
#include "../support/reaching_oracle.hpp"
#include "../support/slow.hpp"

namespace {

namespace corpus = ww_test::corpus;

#if defined(WW_TEST_FEW_ARCHS)
using archs = ww::meta::type_list<ww::sm80, ww::sm90>;
#else
using archs = ww::meta::type_list<ww::sm75, ww::sm80, ww::sm90, ww::sm100>;
#endif

template <class F, class... As>
bool visit(ww::meta::type_list<As...>, ww::sm_id id, F&& f) {
  return ((As::id == id ? (f.template operator()<As>(), true) : false) || ...);
}

constexpr std::size_t walked = 260;  // instructions of the largest program that is walked along all its paths

struct tally {
  std::size_t programs = 0;
  std::size_t renamed = 0;
  std::size_t paths = 0;
  double scheduled = 0;
  double rebuilt = 0;
  std::size_t by_reason[16] = {};

  void print(const char* what) const {
    const auto n = static_cast<double>(programs);
    std::printf("%s: %zu programs, %zu with new registers, %zu walked; price %.4f scheduled, %.4f rebuilt\n", what, programs,
                renamed, paths, std::exp(scheduled / n), std::exp(rebuilt / n));
    for (std::size_t k = 0; k < 16; ++k) {
      if (by_reason[k] != 0) std::printf("  %4zu %s\n", by_reason[k], ww::name_of(static_cast<ww::rebuild_kept>(k)));
    }
  }
};

double price(double cycles, double far) { return cycles * (far > 0 ? far : 1); }

// Which definitions each read sees along some path, by ids of instructions, so that registers do not matter. Not counted are pairs
// under a guard and its contrary in the program as it came: the one never sees the other, and may pass it.
// `unset`: what a register holds where the program begins is nothing, whichever it is.
std::set<ww_test::reaching_oracle::pair> seen_in(const ww::program& p, const ww::program& came, bool unset = false) {
  struct guard {
    ww::reg of;
    bool negated = false;
  };
  std::vector<guard> guards;  // by number of a register in an operand, as the oracle counts them
  for (const ww::instruction& i : came.instructions) {
    guard g;
    for (const ww::operand o : came.operands_of(i)) {
      if (o.where() == ww::slot::guard) g = {o.base(), i.guard_negated != 0};
    }
    for (const ww::operand o : came.operands_of(i)) guards.insert(guards.end(), o.width(), g);
  }
  std::set<ww_test::reaching_oracle::pair> out;
  for (const auto& [reader, writer] : ww_test::reaching_oracle(p).pairs) {
    if (writer >= 0) {
      const guard& a = guards[static_cast<std::size_t>(reader)];
      const guard& b = guards[static_cast<std::size_t>(writer)];
      if (!a.of.is_none() && a.of == b.of && a.negated != b.negated) continue;
    }
    out.insert({reader, unset && writer < 0 ? -1 : writer});
  }
  return out;
}

// All that has to hold of a result, whatever was done.
template <class Arch>
void check_result(const ww::program& p, const ww::rebuild_result& r, const ww::program& q, tally& t, bool fewer = false) {
  REQUIRE(q.instructions.size() == p.instructions.size());
  REQUIRE(q.operands.size() == p.operands.size());
  REQUIRE(r.proved);
  if (!fewer) {  // which may cost something
    REQUIRE(r.scheduled.cycles_after <= r.scheduled.cycles_before);
    REQUIRE(r.scheduled.far_after <= r.scheduled.far_before);
  }
  // The same instructions in every block.
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {
    REQUIRE(q.blocks[b].first == p.blocks[b].first);
    REQUIRE(q.blocks[b].count == p.blocks[b].count);
    std::vector<std::uint32_t> was, is;
    for (const ww::instr_id i : p.order_of(p.blocks[b])) was.push_back(i.index());
    for (const ww::instr_id i : q.order_of(q.blocks[b])) is.push_back(i.index());
    std::sort(was.begin(), was.end());
    std::sort(is.begin(), is.end());
    REQUIRE(was == is);
  }
  // Nothing but numbers of registers is new in the operands, and nothing beyond what is asked for.
  std::uint32_t highest = 0;
  for (std::size_t k = 0; k < p.operands.size(); ++k) {
    const ww::operand a = p.operands[k];
    const ww::operand b = q.operands[k];
    REQUIRE(((a.high ^ b.high) & ~ww::operand::bit_reuse) == 0);
    if (!a.is_register()) {
      REQUIRE(a.low == b.low);
      continue;
    }
    REQUIRE(a.file() == b.file());
    REQUIRE(a.is_def() == b.is_def());
    REQUIRE(!b.base().is_virtual());
    if (b.file() == ww::reg_file::r && !b.base().is_zero()) highest = std::max(highest, b.base().number() + b.width());
  }
  if (r.kept == ww::rebuild_kept::none) REQUIRE(highest + Arch::limits::reserved_registers == r.registers_after);
  if (p.instructions.size() <= walked && !ww::has_unknown_targets(p)) {
    const bool open = std::any_of(p.blocks.begin(), p.blocks.end(), [](const ww::block& b) { return b.open_exit; });
    const bool unknown = std::any_of(p.instructions.begin(), p.instructions.end(),
                                     [](const ww::instruction& i) { return i.has(ww::iflag::unknown); });
    if (!open && !unknown) {
      ++t.paths;
      const bool same = seen_in(p, p, fewer) == seen_in(q, p, fewer);
      REQUIRE(same);
    }
  }
  REQUIRE(ww::verify::check_hazards<Arch>(q, {}).errors() <= r.scheduled.hazards_before);
  ++t.programs;
  t.renamed += r.kept == ww::rebuild_kept::none ? 1u : 0u;
  ++t.by_reason[static_cast<std::size_t>(r.kept)];
}

template <class F>
void each_section(F&& f) {
  for (const std::string& path : corpus::listings()) {
    const std::string text = corpus::text(path);
    ww::sass::listing_result read = ww::sass::read_listing(text, {.sm = corpus::sm_of(path), .file = path});
    INFO(path);
    REQUIRE(read);
    for (std::size_t s = 0; s < read.mod.sections.size(); ++s) {
      REQUIRE(ww::build_cfg(read.mod.sections[s]).ok);
      visit(archs{}, read.mod.sections[s].sm, [&]<class Arch>() { f.template operator()<Arch>(read.mod, s); });
    }
  }
}

bool unoptimised(const ww::program& p) { return p.instructions.size() > 4000; }

}  // namespace

TEST_CASE("rebuild: real kernels read what they read, in words that say so, and are never dearer") {
  tally t;
  each_section([&]<class Arch>(const ww::sass::module& m, std::size_t s) {
    static typename ww::rebuilder<Arch>::workspace space;
    const ww::program& p = m.sections[s];
    if (unoptimised(p)) return;
    INFO(m.name_of(m.infos[s]));
    ww::program alone = p;
    const ww::schedule_result scheduled = ww::scheduler<Arch>{}.run(alone);
    ww::program q;
    const ww::rebuild_result r = ww::rebuilder<Arch>::run(p, {}, q, space);
    check_result<Arch>(p, r, q, t);
    REQUIRE(r.kept != ww::rebuild_kept::not_proved);
    REQUIRE(r.kept != ww::rebuild_kept::not_lifted);
    REQUIRE(r.kept != ww::rebuild_kept::malformed);
    // The words hold what the operands say.
    for (const ww::verify::finding& f :
         ww::verify::check<Arch>(q, {.dependences = false, .lints = false, .notes = true}).findings) {
      REQUIRE(f.kind != ww::verify::finding_kind::other_words);
    }
    if (scheduled.cycles_before <= 0 || scheduled.unknown_targets) return;
    const double before = price(scheduled.cycles_before, scheduled.far_before);
    const double plain = price(scheduled.cycles_after, scheduled.far_after) / before;
    const double now = price(r.scheduled.cycles_after, r.scheduled.far_after) / before;
    REQUIRE(now <= plain);
    t.scheduled += std::log(plain);
    t.rebuilt += std::log(now);
  });
  t.print("rebuild");
  REQUIRE(t.programs > (ww_test::slow ? 5u : 40u));
  REQUIRE(t.renamed * (ww_test::slow ? 6u : 3u) > t.programs);
  REQUIRE(t.paths * 3 > t.programs);
  REQUIRE(std::exp((t.rebuilt - t.scheduled) / static_cast<double>(t.programs)) < (ww_test::slow ? 0.999 : 0.985));
}

TEST_CASE("rebuild: fewer registers where they are asked for, or a reason") {
  tally t;
  std::size_t fewer = 0, no_room = 0;
  each_section([&]<class Arch>(const ww::sass::module& m, std::size_t s) {
    static typename ww::rebuilder<Arch>::workspace space;
    const ww::program& p = m.sections[s];
    if (p.instructions.size() > 800) return;
    INFO(m.name_of(m.infos[s]));
    const std::uint32_t had = ww::detail::registers_of<Arch>(p);
    ww::program q;
    const std::uint32_t asked = had - had / 8;
    const ww::rebuild_result r = ww::rebuilder<Arch>::run(p, {{}, asked, 2, false}, q, space);
    REQUIRE(r.registers_before == had);
    if (r.fits) {
      check_result<Arch>(p, r, q, t, true);
      REQUIRE(r.registers_after <= asked);
      fewer += r.registers_after < had ? 1u : 0u;
    } else {
      REQUIRE(r.kept != ww::rebuild_kept::none);
      ++no_room;
    }
  });
  std::printf("rebuild: seven eighths of the registers: %zu of %zu programs in fewer, %zu without room\n", fewer, t.programs,
              no_room);
  REQUIRE(fewer > (ww_test::slow ? 2u : 10u));
}

TEST_CASE("rebuild: efforts give what they say, and always the same") {
  std::size_t compared = 0;
  each_section([&]<class Arch>(const ww::sass::module& m, std::size_t s) {
    static typename ww::rebuilder<Arch>::workspace space;
    const ww::program& p = m.sections[s];
    if (p.instructions.size() > 300 || compared > (ww_test::slow ? 8u : 60u)) return;
    INFO(m.name_of(m.infos[s]));
    ++compared;
    double last = 0;
    for (const std::uint32_t effort : {1u, 2u, 3u}) {
      ww::program q, again;
      const ww::rebuild_result r = ww::rebuilder<Arch>::run(p, {{}, 0, effort, false}, q, space);
      typename ww::rebuilder<Arch>::workspace fresh;
      const ww::rebuild_result twice = ww::rebuilder<Arch>::run(p, {{}, 0, effort, false}, again, fresh);
      REQUIRE(r.kept == twice.kept);
      REQUIRE(r.scheduled.cycles_after == twice.scheduled.cycles_after);
      REQUIRE(std::equal(q.order.begin(), q.order.end(), again.order.begin(), again.order.end()));
      for (std::size_t k = 0; k < q.operands.size(); ++k) REQUIRE(q.operands[k].low == again.operands[k].low);
      for (std::size_t k = 0; k < q.instructions.size(); ++k) {
        REQUIRE(q.instructions[k].ctl == again.instructions[k].ctl);
        REQUIRE(q.instructions[k].word[0] == again.instructions[k].word[0]);
      }
      const double now = price(r.scheduled.cycles_after, r.scheduled.far_after);
      if (effort == 3) REQUIRE(now <= last);  // the highest tries all that the one below tries
      last = now;
    }
  });
  REQUIRE(compared > (ww_test::slow ? 4u : 20u));
}

TEST_CASE("rebuild: programs thrown together keep every value, along every path") {
  tally t;
  const auto run = [&]<class Arch>() {
    ww_test::random_code code;
    each_section([&]<class A>(const ww::sass::module& m, std::size_t s) {
      if constexpr (A::id == Arch::id) code.add(m.sections[s]);
    });
    REQUIRE(!code.empty());
    std::mt19937 random(7);
    typename ww::rebuilder<Arch>::workspace space;
    for (unsigned n = 0; n < (ww_test::slow ? 40u : 150u); ++n) {
      ww::program p = code.program(random, Arch::id);
      if (p.instructions.empty()) continue;
      p.has_encoding = false;  // its words are those of the samples, its registers are not
      p.has_control = false;
      INFO(n);
      ww::program q;
      const ww::rebuild_result r = ww::rebuilder<Arch>::run(p, {}, q, space);
      if (r.kept == ww::rebuild_kept::unknown_targets) continue;
      check_result<Arch>(p, r, q, t);
    }
  };
  run.template operator()<ww::sm80>();
  run.template operator()<ww::sm90>();
  t.print("rebuild, thrown together");
  REQUIRE(t.programs > (ww_test::slow ? 40u : 200u));
  REQUIRE(t.renamed > (ww_test::slow ? 8u : 40u));
  REQUIRE(t.paths > (ww_test::slow ? 30u : 150u));
}

TEST_CASE("rebuild: what it leaves alone, and why") {
  ww::rebuilder<ww::sm90>::workspace space;
  ww::program q;
  SECTION("an empty program") {
    const ww::rebuild_result r = ww::rebuilder<ww::sm90>::run(ww::program{}, {}, q, space);
    REQUIRE(r.kept != ww::rebuild_kept::none);
    REQUIRE(q.instructions.empty());
  }
  SECTION("a program that changes how many registers it has") {
    ww::program p = ww_test::program_of<ww::sm90>("USETMAXREG.DEALLOC.CTAPOOL 0x28\nIADD3 R2, R2, 0x1, RZ\nEXIT");
    REQUIRE(ww::rebuilder<ww::sm90>::run(p, {}, q, space).kept == ww::rebuild_kept::changing_count);
  }
  SECTION("a branch that may go anywhere") {
    ww::program p = ww_test::program_of<ww::sm90>("BRX R2 -0x10\nEXIT");
    const ww::rebuild_result r = ww::rebuilder<ww::sm90>::run(p, {}, q, space);
    REQUIRE(r.kept != ww::rebuild_kept::none);
  }
  SECTION("limits that leave no register") {
    ww::program p = ww_test::program_of<ww::sm90>("IADD3 R2, R3, 0x1, RZ\nSTG.E desc[UR4][R4.64], R2\nEXIT");
    for (const std::uint32_t asked : {1u, 2u}) {  // sm_90 reserves two of them
      const ww::rebuild_result r = ww::rebuilder<ww::sm90>::run(p, {{}, asked, 2, false}, q, space);
      REQUIRE_FALSE(r.fits);
      REQUIRE(r.kept == ww::rebuild_kept::no_room);
    }
  }
  SECTION("every reason has words") {
    for (unsigned k = 0; k <= static_cast<unsigned>(ww::rebuild_kept::not_asked); ++k) {
      REQUIRE(std::string(ww::name_of(static_cast<ww::rebuild_kept>(k))) != "?");
    }
  }
}
