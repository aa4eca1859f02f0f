// SPDX-License-Identifier: BSL-1.0
//
// Real listings through the whole pipeline: legal by the independent checker and by a brute-force oracle, the same
// instructions in every block, control bits the only bits changed, never slower by the model, and faster in the mean.
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <warpwright/scoreboard/phase114.hpp>
#include <warpwright/tools.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/order_oracle.hpp"
#include "../support/random_code.hpp"

namespace {

#if defined(WW_TEST_FEW_ARCHS)  // sanitizer builds: nine pipelines would take too long to compile
using archs = ww::meta::type_list<ww::sm80, ww::sm90>;
#else
using archs =
    ww::meta::type_list<ww::sm75, ww::sm80, ww::sm86, ww::sm89, ww::sm90, ww::sm90a, ww::sm100, ww::sm103, ww::sm120>;
#endif

template <class F, class... As>
bool visit(ww::meta::type_list<As...>, ww::sm_id id, F&& f) {
  return ((As::id == id ? (f.template operator()<As>(), true) : false) || ...);
}

struct mean {
  double log_ratio = 0;
  double log_bound = 0;
  std::size_t functions = 0;
  std::size_t above_one = 0;
  std::size_t unproved = 0;
  std::size_t blocks = 0;
  std::size_t kept = 0;

  void add(const ww::schedule_result& r) {
    if (r.cycles_before <= 0) return;
    log_ratio += std::log(r.cycles_after / r.cycles_before);
    log_bound += std::log(r.bound / r.cycles_before);
    ++functions;
    above_one += r.cycles_after > r.cycles_before ? 1u : 0u;
    unproved += r.proved ? 0u : 1u;
    blocks += r.blocks;
    kept += r.kept_blocks;
  }
  [[nodiscard]] double ratio() const { return std::exp(log_ratio / static_cast<double>(functions)); }
  [[nodiscard]] double bound() const { return std::exp(log_bound / static_cast<double>(functions)); }
  void print(const char* what) const {
    std::printf(
        "%s: %zu functions, cycles after/before %.4f (geometric mean), bound %.4f, %zu above 1.00, %zu of %zu blocks kept\n",
        what, functions, ratio(), bound(), above_one, kept, blocks);
  }
};

bool unoptimised(const std::string& path) { return ww_test::corpus::file_name(path).find("-O0") != std::string_view::npos; }

template <class F>
void each_section(F&& f) {
  for (const std::string& path : ww_test::corpus::listings()) {
    const std::string text = ww_test::corpus::text(path);
    ww::sass::listing_result read = ww::sass::read_listing(text, {.sm = ww_test::corpus::sm_of(path), .file = path});
    INFO(path);
    if (!read) FAIL(read.err.message());
    for (std::size_t s = 0; s < read.mod.sections.size(); ++s) {
      ww::program& p = read.mod.sections[s];
      REQUIRE(ww::build_cfg(p).ok);
      const bool served = visit(archs{}, ww::nearest_sm(p.sm), [&]<class Arch>() { f.template operator()<Arch>(path, p); });
      if (!served) continue;  // an SM that this build leaves out
    }
  }
}

}  // namespace

TEST_CASE("pipeline: every listing scheduled for one warp is legal, proved and never slower") {
  mean optimised;
  mean all;
  std::size_t oracle_blocks = 0;
  each_section([&]<class Arch>(const std::string& path, ww::program& p) {
    const ww::program before = p;
    const ww::schedule_result r = ww::scheduler<Arch>{}.run(p, {.warps = 1});
    all.add(r);
    if (!unoptimised(path)) optimised.add(r);
    INFO(path);
    CHECK(r.proved);
    CHECK(r.hazards_before == 0);
    CHECK(r.hazards_after == 0);
    CHECK(r.cycles_after <= r.cycles_before);
    CHECK(r.bound <= r.cycles_after);
    // the words and meanings are untouched: only order and control information may differ
    bool same = p.instructions.size() == before.instructions.size() && p.operands == before.operands;
    for (std::size_t i = 0; same && i < p.instructions.size(); ++i) {
      const ww::instruction& a = before.instructions[i];
      const ww::instruction& b = p.instructions[i];
      same = a.word[0] == b.word[0] && a.word[1] == b.word[1] && a.op == b.op && a.flags == b.flags &&
             a.first_operand == b.first_operand && ww::control::defined_code(b.ctl.issue_code());
    }
    CHECK(same);
    for (const ww::block& b : before.blocks) {
      if (b.count < 2 || b.count > 600) continue;  // quadratic
      const ww_test::order_oracle oracle(before, before.order_of(b));
      const ww_test::misplaced_pair wrong = oracle.first_misplaced(p.order_of(b));
      ++oracle_blocks;
      if (wrong.found || !wrong.permutation) {
        FAIL(path << ": block at " << before[before.order_of(b)[0]].address << " moves a dependent pair");
      }
    }
  });
  std::printf("%zu blocks agree with the quadratic oracle\n", oracle_blocks);
  all.print("one warp, all listings");
  optimised.print("one warp, without -O0");
  CHECK(all.above_one == 0);
  CHECK(all.ratio() <= 0.95);
  CHECK(optimised.ratio() <=
        (ww_test::corpus::root().empty() || ww_test::corpus::reference() ? 0.96 : 0.98));  // 0.943 of the reference
}

TEST_CASE("pipeline: eight warps and the kernel's own occupancy are never slower") {
  mean eight;
  mean own;
  double far_log = 0;  // of the far view, where something may miss
  std::size_t far_functions = 0;
  each_section([&]<class Arch>(const std::string& path, ww::program& p) {
    ww::program other = p;
    ww::model::workspace model;
    const auto far = [&model](const ww::program& q) {
      return ww::model::simulate<Arch>(q, ww::model::far_view<Arch>(), model).cycles;
    };
    const double far_before = far(p);
    const ww::schedule_result a = ww::scheduler<Arch>{}.run(p, {.warps = 8});
    const ww::schedule_result b = ww::scheduler<Arch>{}.run(other);
    INFO(path);
    const double far_after = far(other);
    if (ww::model::goes_far(other)) {
      CHECK(far_after <= far_before);
      if (!unoptimised(path) && far_before > 0) {
        far_log += std::log(far_after / far_before);
        ++far_functions;
      }
    }
    CHECK(a.proved);
    CHECK(b.proved);
    CHECK(b.warps >= 1);
    CHECK(a.cycles_after == ww_test::Approx(ww::model::simulate<Arch>(p, {.warps = 8}, model).cycles));
    CHECK(b.cycles_after == ww_test::Approx(ww::model::simulate<Arch>(other, {.warps = b.warps}, model).cycles));
    if (unoptimised(path)) return;
    eight.add(a);
    own.add(b);
  });
  eight.print("eight warps, without -O0");
  own.print("kernel's occupancy, without -O0");
  const double far_ratio = std::exp(far_log / static_cast<double>(far_functions));
  std::printf("the same in the far view: %zu functions, cycles after/before %.4f\n", far_functions, far_ratio);
  CHECK(far_ratio <= 0.99);  // 0.981 over the whole corpus
  CHECK(eight.above_one == 0);
  CHECK(own.above_one == 0);
  CHECK(eight.ratio() <= 1.0);
}

TEST_CASE("pipeline: every strategy and priority gives a legal program on bundled listings") {
  const auto run_all = []<class Arch, class... Ss, class... Ps>(const ww::program& p, ww::meta::type_list<Ss...>,
                                                                ww::meta::type_list<Ps...>) {
    const auto one = [&p]<class Scheduler>() {
      ww::program q = p;
      const ww::schedule_result r = Scheduler{}.run(q, {.warps = 1});
      CHECK(r.proved);
      CHECK(r.cycles_after <= r.cycles_before);
    };
    (one.template operator()<ww::scheduler<Arch, Ss>>(), ...);
    (one.template operator()<ww::scheduler<Arch, Ps>>(), ...);
  };
  for (const char* name : {"saxpy.sm80.sass", "sgemm_tiled.sm80.sass"}) {
    const std::string text = ww_test::corpus::text(ww_test::corpus::bundled(std::string("demo/") + name));
    ww::sass::listing_result read = ww::sass::read_listing(text);
    REQUIRE(static_cast<bool>(read));
    for (ww::program& p : read.mod.sections) {
      REQUIRE(ww::build_cfg(p).ok);
      run_all.template operator()<ww::sm80>(p, ww::strategy::shipped{}, ww::priority::shipped{});
    }
  }
}

TEST_CASE("pipeline: the same input gives the same order and control words, twice and with a used workspace") {
  const std::string text = ww_test::corpus::text(ww_test::corpus::bundled("demo/sgemm_tiled.sm80.sass"));
  ww::sass::listing_result read = ww::sass::read_listing(text);
  REQUIRE(static_cast<bool>(read));
  using sched = ww::scheduler<ww::sm80>;
  sched::workspace used;
  for (const ww::program& p : read.mod.sections) {
    ww::program a = p;
    ww::program b = p;
    ww::program c = p;
    REQUIRE(ww::build_cfg(a).ok);
    REQUIRE(ww::build_cfg(b).ok);
    REQUIRE(ww::build_cfg(c).ok);
    sched{}.run(a);
    sched{}.run(b, used);
    sched{}.run(c, used);
    CHECK(a.order == b.order);
    CHECK(a.order == c.order);
    for (std::size_t i = 0; i < a.instructions.size(); ++i) {
      CHECK(a.instructions[i].ctl == b.instructions[i].ctl);
      CHECK(a.instructions[i].ctl == c.instructions[i].ctl);
    }
  }
}

TEST_CASE("pipeline: a margin costs cycles and stays proved") {
  const std::string text = ww_test::corpus::text(ww_test::corpus::bundled("demo/saxpy.sm80.sass"));
  ww::sass::listing_result read = ww::sass::read_listing(text);
  REQUIRE(static_cast<bool>(read));
  for (const ww::program& p : read.mod.sections) {
    ww::program tight = p;
    ww::program wide = p;
    REQUIRE(ww::build_cfg(tight).ok);
    REQUIRE(ww::build_cfg(wide).ok);
    const auto stalls = [](const ww::program& q) {
      unsigned long sum = 0;
      for (const ww::instruction& i : q.instructions) sum += i.ctl.stall;
      return sum;
    };
    ww::scoreboard::workspace ws;
    ww::scoreboard::assign_control<ww::sm80>(tight, ws);
    ww::scoreboard::assign_control<ww::with_margin<ww::sm80, ww::safety_margin<3>>>(wide, ws);
    CHECK(stalls(wide) > stalls(tight));
    CHECK(ww::verify::check<ww::sm80>(wide).clean());
    CHECK(ww::verify::check<ww::sm80>(tight).clean());
  }
}

TEST_CASE("pipeline: a margin is kept by programs that came with words, though shorter ones are cheaper") {
  ww::isa::builder b(ww::dialect_of(ww::sm80::id));
  b.lines("FADD R0, R1, R2\nFADD R3, R0, R2\nFADD R4, R3, R2\nSTG.E [R8.64], R4\nEXIT\n");
  ww::program p = b.finish();
  REQUIRE(b.ok());
  using plain = ww::scheduler<ww::sm80, ww::occupancy::warps<1>>;
  using wide = ww::scheduler<ww::sm80, ww::occupancy::warps<1>, ww::safety_margin<5>>;
  const ww::schedule_result first = plain{}.run(p);
  const auto stall = [&](std::size_t k) { return unsigned{p[p.order[k]].ctl.stall}; };
  REQUIRE(stall(0) == 4);
  const ww::schedule_result r = wide{}.run(p);
  CHECK(stall(0) == 9);
  CHECK(stall(1) == 9);
  CHECK(r.proved);
  CHECK_FALSE(r.kept_all);
  CHECK(r.cycles_before == first.cycles_after);
  CHECK(r.cycles_after > r.cycles_before);
  CHECK(plain{}.run(p).cycles_after == first.cycles_after);
}

TEST_CASE("pipeline: more warps than a sub-core has are taken for 64") {
  ww::isa::builder b(ww::dialect_of(ww::sm80::id));
  b.lines("LDG.E R4, [R2.64]\nFADD R0, R4, R2\nFADD R3, R0, R2\nSTG.E [R8.64], R3\nEXIT\n");
  ww::program p = b.finish();
  ww::program q = p;
  const ww::schedule_result most = ww::scheduler<ww::sm80>{}.run(p, {.warps = 64});
  const ww::schedule_result more = ww::scheduler<ww::sm80>{}.run(q, {.warps = 4096});
  CHECK(more.warps == 64);
  CHECK(more.cycles_after == most.cycles_after);
  CHECK(more.bound == most.bound);
  ww::model::workspace space;
  CHECK(ww::model::simulate<ww::sm80>(q, {.warps = 4096}, space).cycles == most.cycles_after);
  CHECK(ww::model::lower_bound<ww::sm80>(q, {.warps = 4096}, space).cycles <= most.cycles_after);
}

TEST_CASE("pipeline: a program whose indices lead nowhere is malformed") {
  ww::isa::builder b(ww::dialect_of(ww::sm80::id));
  b.lines("loop:\nFADD R0, R1, R2\n@P0 BRA `(loop)\nEXIT\n");
  ww::program good = b.finish();
  REQUIRE(ww::build_cfg(good).ok);
  REQUIRE(ww::consistent(good));
  using change = void (*)(ww::program&);
  for (const change f : std::initializer_list<change>{
           [](ww::program& p) { p.order[1] = ww::instr_id{3}; },
           [](ww::program& p) { p.instructions[0].operand_count = 200; },
           [](ww::program& p) { p.instructions[2].first_operand = 0xfffffff0u; },
           [](ww::program& p) { p.instructions[0].iclass = static_cast<ww::sched_class>(250); },
           [](ww::program& p) { p.instructions[1].target = ww::instr_id{7}; },
           [](ww::program& p) { p.operands[0].low |= 0xf00000u; }, [](ww::program& p) { p.blocks[0].count = 90; },
           [](ww::program& p) { p.blocks[1].first_edge = 90; }, [](ww::program& p) { p.blocks[1].pred_count = 90; },
           [](ww::program& p) { p.edges[0].to = ww::block_id{90}; }, [](ww::program& p) { p.pred_edges[0] = 90; },
           [](ww::program& p) {
             p.tables.push_back({ww::instr_id{1}, 0, 5});
           },
           [](ww::program& p) { p.table_targets.push_back(ww::instr_id{90}); },
           [](ww::program& p) { p.leaders.push_back(ww::instr_id{90}); },
           [](ww::program& p) { p.order.push_back(ww::instr_id{0}); },  // stands in no block
           [](ww::program& p) { p.blocks[1].first = 0; }}) {
    ww::program p = good;
    f(p);
    CHECK(ww::scheduler<ww::sm80>{}.run(p).malformed);
  }
}

TEST_CASE("pipeline: an operand that is no register by its type and names one is malformed") {
  ww::isa::builder b(ww::dialect_of(ww::sm80::id));
  b.lines("IMAD.WIDE R8, R27, R39, R28\nSTG.E desc[UR14][R40.64+0x4], R26\nMOV R42, 0x7\n");
  const ww::program good = b.finish();
  REQUIRE(b.ok());
  CHECK_FALSE(ww::misfit(good).found);
  const ww::instruction& store = good.instructions[1];
  for (std::uint8_t k = 0; k < store.operand_count; ++k) {
    for (const unsigned type : {0u, 4u, 6u, 7u}) {
      ww::program p = good;
      ww::operand& o = p.operands[store.first_operand + k];
      o.low = (o.low & 0x8fffffffu) | type << 28;
      const ww::operand_misfit m = ww::misfit(p);
      CHECK(m.found);
      CHECK(m.instruction == ww::instr_id{1});
      CHECK(m.operand == k);
      CHECK_FALSE(ww::consistent(p));
      CHECK(ww::scheduler<ww::sm80>{}.run(p).malformed);
      o.low &= 0xff000000u;  // no register, and yet two of them
      CHECK_FALSE(ww::consistent(p));
      o.high &= ~0xffu;
      CHECK(ww::consistent(p));
    }
  }
}

TEST_CASE("pipeline: empty, unknown and contradictory programs") {
  ww::program empty;
  const ww::schedule_result r = ww::scheduler<ww::sm90>{}.run(empty);
  CHECK(r.blocks == 0);
  CHECK_FALSE(r.malformed);

  ww::isa::builder b(ww::dialect_of(ww::sm90::id));
  b.lines("IADD3 R0, R1, R2, RZ\nFROBNICATE R3, R0\nIADD3 R4, R3, R2, RZ\nEXIT\n");
  ww::program p = b.finish();
  const ww::schedule_result u = ww::scheduler<ww::sm90>{}.run(p);
  CHECK(u.blocks == 1);
  CHECK(p.order[1].index() == 1);  // nothing crossed the unknown opcode
}

TEST_CASE("pipeline: a workspace may be copied and moved, and one that was moved from starts anew") {
  using sched = ww::scheduler<ww::sm90>;
  ww::isa::builder b(ww::dialect_of(ww::sm90::id));
  b.lines(
      "LDG.E R4, desc[UR4][R2.64]\nFMUL R5, R4, R4\nLDG.E R8, desc[UR4][R2.64+0x10]\nFMUL R9, R8, R5\n"
      "STG.E desc[UR4][R2.64], R9\nEXIT");
  const ww::program p = b.finish();
  REQUIRE(b.ok());
  ww::program fresh = p;
  sched::workspace first;
  const ww::schedule_result want = sched{}.run(fresh, first);
  sched::workspace moved = std::move(first);
  sched::workspace copied = moved;
  for (sched::workspace* ws : {&first, &moved, &copied}) {
    ww::program q = p;
    CHECK(sched{}.run(q, *ws).cycles_after == want.cycles_after);
    CHECK(q.order == fresh.order);
  }
}

TEST_CASE("PS-4 phases: order, progress markers and gates") {
  unsigned last = 0;
  std::vector<unsigned> markers;
  const auto visit_phase = [&]<class P>() {
    CHECK(P::number > last);
    last = P::number;
    if (P::progress != 0) markers.push_back(P::progress);
  };
  [&]<class... Ps>(ww::meta::type_list<Ps...>) { (visit_phase.template operator()<Ps>(), ...); }(ww::phase::band{});
  CHECK(last == 116);
  CHECK(markers == std::vector<unsigned>{14, 15, 20});
  CHECK(ww::phase::runs<ww::phase::post_schedule, ww::sm80>(1));
  CHECK_FALSE(ww::phase::runs<ww::phase::post_schedule, ww::sm75>(3));
  CHECK_FALSE(ww::phase::runs<ww::phase::post_schedule, ww::sm80>(0));
  CHECK(ww::phase::runs<ww::phase::conservative_scoreboards, ww::sm80>(0));
  CHECK_FALSE(ww::phase::runs<ww::phase::conservative_scoreboards, ww::sm80>(1));
  CHECK_FALSE(ww::phase::runs<ww::phase::advanced_scoreboards, ww::sm80>(0));
  CHECK(ww::phase::runs<ww::phase::place_blocks, ww::sm75>(2));
  CHECK(ww::phase::runs<ww::phase::place_blocks, ww::sm70>(0));
  CHECK_FALSE(ww::phase::runs<ww::phase::place_blocks, ww::sm60>(2));
  CHECK_FALSE(ww::phase::runs<ww::phase::place_blocks, ww::sm50>(2));
  CHECK_FALSE(ww::phase::runs<ww::phase::place_blocks, ww::sm90>(2));
  CHECK(ww::phase::runs<ww::phase::fix_up_texture_barriers, ww::sm100>(2));
  ww::meta::for_each<ww::all_archs>([]<class A>() {
    INFO(A::name);
    CHECK(ww::phase::runs<ww::phase::fix_up_texture_barriers, A>(2) == ww::scoreboard::phase114<A>::active);
  });
}

TEST_CASE("pipeline: random programs of real instructions are proved, never slower, and keep every dependent pair") {
  std::map<ww::sm_id, ww_test::random_code> code;
  each_section([&]<class Arch>(const std::string&, ww::program& p) { code[Arch::id].add(p); });
  std::size_t programs = 0;
  mean all;
  for (const auto& entry : code) {
    const ww::sm_id sm = entry.first;
    const ww_test::random_code& pool = entry.second;
    visit(archs{}, sm, [&]<class Arch>() {
      std::mt19937 random(static_cast<unsigned>(sm) + 1);
      ww::scoreboard::workspace ws;
      for (unsigned number = 0; number < 120; ++number) {
        ww::program p = pool.program(random, Arch::id);
        ww::scoreboard::assign_control<Arch>(p, ws);
        const ww::program before = p;
        const ww::schedule_result r = ww::scheduler<Arch>{}.run(p, {.warps = 1 + number % 8});
        ++programs;
        all.add(r);
        INFO(Arch::name << ", program " << number);
        CHECK(r.proved);
        CHECK(r.hazards_before == 0);
        CHECK(r.hazards_after == 0);
        CHECK(r.cycles_after <= r.cycles_before);
        for (const ww::block& b : before.blocks) {
          const ww_test::misplaced_pair wrong =
              ww_test::order_oracle(before, before.order_of(b)).first_misplaced(p.order_of(b));
          CHECK((wrong.permutation && !wrong.found));
        }
      }
    });
  }
  CHECK(programs >= 240);
  all.print("random code");
  CHECK(all.ratio() < 1.0);
}

namespace {

// A strategy whose last step ruins the words.
struct ruins : ww::strategy::list {
  static constexpr const char* name = "ruins";
  template <class Arch, class Space>
  static void finish(ww::program& p, Space&) {
    for (ww::instruction& i : p.instructions) {
      i.ctl.stall = 1;
      i.ctl.wait_mask = 0;
    }
  }
};

}  // namespace

TEST_CASE("pipeline: hazards of words that were made here are not proved, whatever the first ones had") {
  ww::isa::builder b(ww::dialect_of(ww::sm90::id));
  b.lines("LDG.E R4, desc[UR4][R2.64]\nFADD R5, R6, R7\nFMUL R7, R4, R5\nSTG.E desc[UR4][R2.64], R7\nEXIT\n");
  ww::program p = b.finish();
  REQUIRE_FALSE(p.has_control);
  ww::program q = p;
  const ww::schedule_result bad = ww::scheduler<ww::sm90, ruins>{}.run(p);
  CHECK(bad.hazards_after > 0);
  CHECK_FALSE(bad.proved);
  const ww::schedule_result good = ww::scheduler<ww::sm90>{}.run(q);
  CHECK(good.hazards_after == 0);
  CHECK(good.proved);
}

TEST_CASE("pipeline: code with one order gets shorter words where its own are too long") {
  ww::isa::builder b(ww::dialect_of(ww::sm90::id));
  b.lines(
      "LDG.E R4, desc[UR4][R2.64]\nFADD R5, R4, R4\nFMUL R6, R5, R5\nFADD R7, R6, R6\nSTG.E desc[UR4][R2.64], R7\nEXIT\n");
  ww::program p = b.finish();
  const ww::schedule_result first = ww::scheduler<ww::sm90>{}.run(p);
  REQUIRE(first.proved);
  for (ww::instruction& i : p.instructions) i.ctl.stall = 15;
  const ww::program before = p;
  const ww::schedule_result r = ww::scheduler<ww::sm90>{}.run(p);
  CHECK(r.proved);
  CHECK_FALSE(r.kept_all);
  CHECK((p.order == before.order));
  CHECK(r.cycles_after == ww_test::Approx(first.cycles_after));
  CHECK(r.cycles_after < r.cycles_before);
}
