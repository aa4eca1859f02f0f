// SPDX-License-Identifier: BSL-1.0
//
// PS-1: phase 110, its gate, its hooks, and the groups of tensor-core operations that come together behind it.
#include <string>
#include <type_traits>
#include <vector>

#include "support/corpus.hpp"
#include "support/program_of.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/pipeline/post_schedule.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/verify/same_order.hpp"
#include "warpwright/warpwright.hpp"

using namespace ww;

namespace {

// Groups of any code: MUFU are members, a NOP ends a group.
struct specials {
  static constexpr bool member(const instruction& i) { return i.iclass == sched_class::mufu; }
  static constexpr bool ends(const instruction& i) { return i.op == opcode::nop; }
};
// Members by their place in real code, so that every listing has groups.
struct products {
  static constexpr bool member(const instruction& i) {
    return i.iclass == sched_class::imad || i.iclass == sched_class::fma;
  }
  static constexpr bool ends(const instruction& i) { return i.iclass == sched_class::setp; }
};

// The places that a program's instructions come to when it stood in order `before`: one letter each, by id.
template <class Groups = specials>
std::string regrouped(std::string_view text, std::vector<unsigned> before = {}, regroup_result* said = nullptr) {
  program p = ww_test::program_of<sm90>(text);
  std::vector<instr_id> order(p.order.begin(), p.order.end());
  for (std::size_t k = 0; k < before.size(); ++k) order[k] = instr_id{before[k]};
  typename regroup<sm90, Groups>::workspace ws;
  const regroup_result r = regroup<sm90, Groups>::run(p, {order.data(), order.size()}, ws);
  if (said != nullptr) *said = r;
  std::string letters;
  for (const instr_id id : p.order) letters += static_cast<char>('a' + id.index());
  return letters;
}

struct own_hook {
  template <class Scheduler>
  struct workspace {
    unsigned calls = 0;
  };
  template <class Scheduler>
  static void run(program&, workspace<Scheduler>& ws, const run_options&, post_schedule_result&) {
    ++ws.calls;
  }
};
struct own_defaults : sm90_defaults {
  using post_schedule_hook = own_hook;
};
struct own_sm : sm90 {
  using defaults = own_defaults;
};
struct closed_defaults : own_defaults {
  static constexpr bool post_schedule = false;
};
struct closed_sm : sm90 {
  using defaults = closed_defaults;
};
struct grouping_defaults : sm90_defaults {
  using post_schedule_hook = post_schedule_hooks::regrouping<products>;
};
struct grouping_sm : sm90 {
  using defaults = grouping_defaults;
};

constexpr const char* some_code = "LDG.E R4, [R2.64]\nFFMA R6, R4, R5, R6\nFFMA R7, R8, R9, R10\nSTG.E [R2.64], R6\nEXIT\n";

}  // namespace

TEST_CASE("PS-1 hook: what the SM's page says, found at compile time") {
  using namespace post_schedule_hooks;
  static_assert(std::is_same_v<post_schedule<sm80>::hook, plain> && std::is_same_v<post_schedule<sm75>::hook, plain>);
  static_assert(std::is_same_v<post_schedule<sm90a>::hook, plain>);
  static_assert(std::is_same_v<post_schedule<sm100>::hook, regrouping<>> &&
                std::is_same_v<post_schedule<sm103>::hook, regrouping<>> &&
                std::is_same_v<post_schedule<sm120>::hook, regrouping<>>);
  static_assert(std::is_same_v<post_schedule<own_sm>::hook, own_hook>);
  static_assert(std::is_empty_v<plain> && std::is_empty_v<regrouping<>> && std::is_empty_v<post_schedule<sm100>>);
  program p = ww_test::program_of<sm90>(some_code);
  post_schedule<own_sm>::workspace ws;
  CHECK(post_schedule<own_sm>::run(p, ws).ran);
  CHECK(ws.calls == 1);
  CHECK_FALSE(post_schedule<own_sm>::run(p, ws, {.level = 0, .schedule = {}}).ran);
  CHECK(ws.calls == 1);
  post_schedule<closed_sm>::workspace closed;
  CHECK_FALSE(post_schedule<closed_sm>::run(p, closed).ran);
  CHECK(closed.calls == 0);
}

TEST_CASE("PS-1 gate: nothing below sm_80 and at -O0, elsewhere what the scheduler makes") {
  const auto run = [](auto arch, unsigned level) {
    using A = decltype(arch);
    program p = ww_test::program_of<A>(some_code);
    program q = p;
    typename post_schedule<A>::workspace ws;
    const post_schedule_result r = post_schedule<A>::run(p, ws, {.level = level, .schedule = {}});
    if (!r.ran) {
      CHECK(p.order == q.order);
      CHECK_FALSE(p.has_control);
      return false;
    }
    scheduler<A>{}.run(q);
    CHECK(p.order == q.order);
    for (std::size_t k = 0; k < p.instructions.size(); ++k) CHECK(p.instructions[k].ctl == q.instructions[k].ctl);
    return true;
  };
  CHECK_FALSE(run(sm60{}, 3));
  CHECK_FALSE(run(sm75{}, 3));
  CHECK_FALSE(run(sm80{}, 0));
  for (const unsigned level : {1u, 2u, 3u}) {
    CHECK(run(sm80{}, level));
    CHECK(run(sm100{}, level));
  }
}

TEST_CASE("PS-1 regroup: what stands between goes behind, else in front, else stays") {
  // a MUFU, b alone, c MUFU: nobody needs b
  CHECK(regrouped("MUFU.RCP R4, R5\nIADD3 R6, R7, R8, RZ\nMUFU.RCP R9, R10\nEXIT\n") == "acbd");
  // the second member needs b
  CHECK(regrouped("MUFU.RCP R4, R5\nIADD3 R10, R7, R8, RZ\nMUFU.RCP R9, R10\nEXIT\n") == "bacd");
  // b needs the first member, and the second one needs b
  regroup_result r;
  CHECK(regrouped("MUFU.RCP R4, R5\nIADD3 R10, R4, R8, RZ\nMUFU.RCP R9, R10\nEXIT\n", {}, &r) == "abcd");
  CHECK((r.groups == 1 && r.closed == 0 && r.moved == 0));
  // b needs a member only, through another one: both go behind, in their order
  CHECK(regrouped("MUFU.RCP R4, R5\nIADD3 R6, R4, R8, RZ\nIADD3 R11, R6, R8, RZ\nMUFU.RCP R9, R10\nEXIT\n", {}, &r) ==
        "adbce");
  CHECK((r.groups == 1 && r.closed == 1 && r.moved == 2));
  // a chain in front of the last member: both in front, in their order
  CHECK(regrouped("MUFU.RCP R4, R5\nIADD3 R6, R7, R8, RZ\nIADD3 R10, R6, R8, RZ\nMUFU.RCP R9, R10\nEXIT\n") == "bcade");
  // all at once: b in front, c behind, d stays, and what stands outside stays outside
  CHECK(regrouped(
            "IADD3 R40, R41, R42, RZ\nMUFU.RCP R4, R5\nIADD3 R10, R7, R8, RZ\nIADD3 R12, R13, R14, RZ\n"
            "IADD3 R15, R4, R8, RZ\nMUFU.RCP R9, R10\nIADD3 R16, R15, R8, RZ\nMUFU.RCP R17, R15\nIADD3 R43, R44, R45, RZ\n"
            "EXIT\n",
            {}, &r) == "acbefhdgij");
  CHECK((r.groups == 1 && r.closed == 0 && r.moved == 3));
  // an old value that b reads is overwritten by the last member: it goes in front
  CHECK(regrouped("MUFU.RCP R4, R5\nIADD3 R6, R9, R8, RZ\nMUFU.RCP R9, R10\nEXIT\n") == "bacd");
}

TEST_CASE("PS-1 regroup: groups are those of the order before, up to their end and within their block") {
  const char* code =
      "MUFU.RCP R4, R5\nIADD3 R6, R7, R8, RZ\nMUFU.RCP R9, R10\nNOP\nMUFU.RCP R11, R12\nIADD3 R13, R14, R15, RZ\nMUFU.RCP "
      "R16, "
      "R17\nEXIT\n";
  regroup_result r;
  CHECK(regrouped(code, {}, &r) == "acbdegfh");
  CHECK((r.groups == 2 && r.closed == 2 && r.moved == 2));
  // before, all four stood in front of the end: one group
  CHECK(regrouped(code, {0, 2, 4, 6, 1, 5, 3, 7}, &r) == "acegbdfh");
  CHECK((r.groups == 1 && r.closed == 1 && r.moved == 3));
  // before, each had its own
  CHECK(regrouped(code, {0, 3, 2, 1, 4, 5, 6, 7}, &r) == "abcegdfh");
  CHECK((r.groups == 1 && r.closed == 1 && r.moved == 2));  // c, e and g: behind the end, which waits for nothing
  CHECK(regrouped("MUFU.RCP R4, R5\n@P0 BRA `(on)\nIADD3 R6, R7, R8, RZ\non:\nMUFU.RCP R9, R10\nEXIT\n", {}, &r) == "abcde");
  CHECK(r.groups == 0);
  // groups that stand in each other: each comes together, and the members of the other keep their order
  const std::vector<unsigned> two{0, 2, 4, 1, 3, 5};
  CHECK(regrouped("MUFU.RCP R4, R5\nMUFU.RCP R6, R7\nMUFU.RCP R8, R9\nMUFU.RCP R10, R11\nNOP\nEXIT\n", two, &r) == "acbdef");
  CHECK((r.groups == 2 && r.closed == 2 && r.moved == 1));
  const std::vector<unsigned> inner{0, 3, 4, 1, 2, 5};
  CHECK(regrouped("MUFU.RCP R4, R5\nMUFU.RCP R6, R7\nMUFU.RCP R8, R9\nMUFU.RCP R10, R8\nNOP\nEXIT\n", inner) == "bcadef");
  CHECK(regrouped("MUFU.RCP R4, R5\nMUFU.RCP R6, R4\nMUFU.RCP R8, R9\nMUFU.RCP R10, R8\nNOP\nEXIT\n", inner, &r) ==
        "abcdef");
  CHECK((r.groups == 2 && r.closed == 1 && r.moved == 0));
  // another program's order says nothing
  program p = ww_test::program_of<sm90>(code);
  regroup<sm90, specials>::workspace ws;
  CHECK(regroup<sm90, specials>::run(p, {}, ws).groups == 0);
}

TEST_CASE("PS-1 regroup: in listings the program stays the same, and members move together") {
  regroup_result sum;
  std::size_t programs = 0;
  std::size_t taken = 0;
  const std::string root = ww_test::corpus::root();
  for (const std::string& path :
       ww_test::corpus::files(root.empty() ? ww_test::corpus::bundled("listings") : root + "/listings")) {
    if (ww_test::corpus::sm_of(path) != sm90::id) continue;
    const std::string text = ww_test::corpus::text(path);
    sass::listing_result r = sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
    REQUIRE(bool(r));
    for (program& p : r.mod.sections) {
      REQUIRE(build_cfg(p).ok);
      if (!p.has_control) continue;
      INFO(path);
      const program came = p;
      program q = p;
      scheduler<sm90>{}.run(q);
      const program ordered = q;
      regroup<sm90, products>::workspace ws;
      const regroup_result one = regroup<sm90, products>::run(q, {came.order.data(), came.order.size()}, ws);
      vec<verify::order_difference> found;
      verify::compare_orders(came, q, found);
      CHECK(found.empty());
      for (const block& b : q.blocks) {
        std::vector<unsigned> group(came.instructions.size(), 0);
        unsigned groups = 0;
        bool open = false;
        for (const instr_id id : came.order_of(b)) {
          if (products::member(came[id])) group[id.index()] = groups += open ? 0 : 1;
          open = products::member(came[id]) || (open && !products::ends(came[id]));
        }
        for (unsigned g = 1; g <= groups; ++g) {  // the members of a group keep their order
          std::vector<instr_id> was, is;
          for (const instr_id id : ordered.order_of(b)) {
            if (group[id.index()] == g) was.push_back(id);
          }
          for (const instr_id id : q.order_of(b)) {
            if (group[id.index()] == g) is.push_back(id);
          }
          CHECK((was == is && !was.empty()));
        }
      }
      sum.groups += one.groups;
      sum.closed += one.closed;
      sum.moved += one.moved;
      // the whole phase: never dearer than the schedule, never a finding more
      program whole = came;
      post_schedule<grouping_sm>::workspace phase;
      const post_schedule_result all = post_schedule<grouping_sm>::run(whole, phase);
      program plain = came;
      const schedule_result s = scheduler<sm90>{}.run(plain);
      CHECK(all.ran);
      CHECK(all.scheduled.cycles_after <= s.cycles_after);
      CHECK(all.scheduled.far_after <= s.far_after);
      CHECK(all.scheduled.hazards_after == 0);
      CHECK(verify::check_hazards<sm90>(whole).errors() == 0);
      found.clear();
      verify::compare_orders(came, whole, found);
      CHECK(found.empty());
      CHECK((all.regrouped || whole.order == plain.order));
      taken += all.regrouped ? 1u : 0u;
      ++programs;
    }
  }
  INFO(programs << " programs, " << sum.groups << " groups, " << sum.closed << " closed, " << sum.moved << " moved, "
                << taken << " taken");
  CHECK(programs > 8);
  CHECK(sum.groups > 50);
  CHECK(sum.moved > 100);
  CHECK(sum.closed * 4 > sum.groups);
  if (!root.empty()) CHECK(taken > 0);  // the bundled ones come out dearer
}

TEST_CASE("PS-1 regroup: matrix operations of tensor memory on sm_100") {
  regroup_result r;
  const char* code =
      "UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], !UPT\n"
      "IADD3 R2, R3, R4, RZ\n"
      "UTCHMMA gdesc[UR12], gdesc[UR14], tmem[UR8], tmem[UR16], idesc[UR17], UPT\n"
      "UTCBAR [UR20], URZ\n"
      "EXIT\n";
  program p = ww_test::program_of<sm100>(code);
  const vec<instr_id> before = p.order;
  regroup<sm100>::workspace ws;
  r = regroup<sm100>::run(p, {before.data(), before.size()}, ws);
  CHECK((r.groups == 1 && r.closed == 1 && r.moved == 1));
  CHECK(p.order[1] == instr_id{2});
  CHECK(p.order[2] == instr_id{1});
}
