// SPDX-License-Identifier: BSL-1.0
//
// FPA-3: webs that had better not follow each other in a register: deaths, births, windows, weights, by hand and against an
// oracle that looks at each pair of webs of a block.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <warpwright/arch/sm80.hpp>
#include <warpwright/arch/sm90.hpp>
#include <warpwright/lift/lift.hpp>
#include <warpwright/regalloc/apart_wishes.hpp>

#include "../support/catch.hpp"
#include "../support/program_of.hpp"
#include "../support/random_flow.hpp"

namespace {

namespace ra = ww::regalloc;
using ww::lifted_program;
using ww::pressure_class;

using pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::int32_t>>;

struct found_in {
  lifted_program l;
  ww::liveness live;
  ra::apart_wishes wishes;

  explicit found_in(const ww::program& p) : l(ww::lift(p)) {
    REQUIRE(l.ok());
    live.compute(l.code, l.physical);
  }
  explicit found_in(const std::string& text) : found_in(ww_test::program_of<ww::sm80>(text)) {}
  [[nodiscard]] pairs of(pressure_class c = pressure_class::r) {
    pairs all;
    wishes.each_pair(l, c, live, [&](std::uint32_t a, std::uint32_t b, std::int32_t w) { all[{a, b}].push_back(w); });
    return all;
  }
  [[nodiscard]] std::uint32_t web(std::uint32_t instruction, unsigned operand) const {
    return l.web_of_operand[l.code.instructions[instruction].first_operand + operand];
  }
};

std::string nops(unsigned n) {
  std::string s;
  for (unsigned k = 0; k < n; ++k) s += "NOP ;\n";
  return s;
}

// R2 dies at `death`, R5 is born `behind` instructions later.
pairs at_distance(const std::string& death, unsigned behind) {
  found_in f("MOV R2, 0x1 ;\n" + death + nops(behind - 1) + "MOV R5, 0x2 ;\nSTG.E [R40.64], R5 ;\nEXIT ;\n");
  pairs p = f.of();
  pairs named;
  for (const auto& [who, weights] : p) {
    named[{f.l.webs[who.first].original, f.l.webs[who.second].original}] = weights;
  }
  return named;
}

bool has(const ww::span<const std::uint64_t> set, std::uint32_t bit) { return (set[bit >> 6] >> (bit & 63u) & 1u) != 0; }

// Pairs of a block, by asking of each web where it is accessed first and last.
pairs expected(const lifted_program& l, const ww::liveness& live, pressure_class c) {
  struct ends {
    std::int64_t birth = -1, death = -1;
    bool late = false;
  };
  pairs all;
  for (std::uint32_t b = 0; b < l.code.blocks.size(); ++b) {
    const ww::block& k = l.code.blocks[b];
    std::map<std::uint32_t, std::vector<std::pair<std::int64_t, std::uint32_t>>> accesses;  // by web: position, operand
    for (std::uint32_t at = k.first; at < k.first + k.count; ++at) {
      const ww::instruction& i = l.code[l.code.order[at]];
      for (std::uint32_t n = i.first_operand; n < i.first_operand + i.operand_count; ++n) {
        const std::uint32_t w = l.web_of_operand[n];
        if (w == lifted_program::no_web || l.webs[w].is_fixed() || ww::pressure_class_of(l.webs[w].file) != c) continue;
        accesses[w].push_back({at, n});
      }
    }
    const auto alive = [&](std::uint32_t n, ww::span<const std::uint64_t> set) {
      bool any = false;
      live.each_bit(l.code.operands[n], [&](std::uint32_t bit) { any = any || has(set, bit); });
      return any;
    };
    std::map<std::uint32_t, ends> of;
    for (const auto& [w, list] : accesses) {
      ends& e = of[w];
      for (const auto& [at, n] : list) {
        if (at == list.front().first && l.code.operands[n].is_def() && !alive(n, live.live_in(ww::block_id{b})))
          e.birth = at;
        if (at != list.back().first || alive(n, live.live_out(ww::block_id{b}))) continue;
        e.death = at;
        e.late = l.code[l.code.order[static_cast<std::size_t>(at)]].iclass >= ww::sched_class::mufu;
      }
    }
    std::int32_t rank = 1;
    for (double weight = k.weight; weight >= 2 && rank < 16; weight /= 2) ++rank;
    for (const auto& [old_web, e] : of) {
      for (const auto& [new_web, f] : of) {
        if (old_web == new_web || e.death < 0 || f.birth <= e.death || f.birth - e.death > (e.late ? 48 : 12)) continue;
        all[{old_web, new_web}].push_back((e.late ? 4 : 1) * rank);
      }
    }
  }
  return all;
}

}  // namespace

TEST_CASE("FPA-3 apart: a birth within the window of a death, near or far") {
  const pairs near = {{{2, 5}, {1}}};
  const pairs far = {{{2, 5}, {4}}};
  const std::string read = "ISETP.NE.AND P0, PT, R2, RZ, PT ;\n";
  const std::string stored = "STG.E [R40.64], R2 ;\n";
  CHECK(at_distance(read, 1) == near);
  CHECK(at_distance(read, 12) == near);
  CHECK(at_distance(read, 13).empty());
  CHECK(at_distance(stored, 1) == far);
  CHECK(at_distance(stored, 48) == far);
  CHECK(at_distance(stored, 49).empty());
  CHECK(at_distance("FADD R3, R2, R2 ;\n" + stored, 1) ==
        pairs{{{2, 5}, {4}}, {{3, 5}, {1}}});  // R3 is written and dies there
}

TEST_CASE("FPA-3 apart: once for a web, however many operands; results are no pairs of their instruction's sources") {
  found_in f(R"(
    MOV R2, 0x1 ;
    IADD3 R3, R2, R2, R2 ;
    IADD3 R4, R3, R3, RZ ;
    STG.E [R40.64], R4 ;
    EXIT ;
  )");
  // R2 dies where R3 is born, R3 where R4 is: neither is behind the other. R2 and R4 are.
  CHECK(f.of() == pairs{{{f.web(0, 0), f.web(2, 0)}, {1}}});
  CHECK(f.of(pressure_class::p).empty());
  CHECK(f.of(pressure_class::ur).empty());
}

TEST_CASE("FPA-3 apart: what lives into a block is not born there, and what lives out of it does not die") {
  found_in f(R"(
    MOV R2, 0x0 ;
    MOV R9, 0x7 ;
  loop:
    IADD3 R3, R2, 0x1, RZ ;
    STG.E [R40.64], R3 ;
    IADD3 R2, R2, 0x2, RZ ;
    MOV R4, 0x5 ;
    STG.E [R40.64], R4 ;
    STG.E [R40.64], R9 ;
    @P0 BRA `(loop) ;
    MOV R5, 0x1 ;
    STG.E [R40.64], R5 ;
    EXIT ;
  )");
  const std::int32_t rank = ra::rank_of(f.l.code.blocks[1].weight);
  CHECK(rank == 4);
  // In the loop only R3 dies and only R4 is born behind it; R2 and R9 go round. R4 dies in another block than R5 is born.
  CHECK(f.of() == pairs{{{f.web(2, 0), f.web(5, 0)}, {4 * rank}}});
}

TEST_CASE("FPA-3 apart: fixed webs, and each file by itself") {
  found_in f(ww_test::program_of<ww::sm90>(R"(
    STG.E [R40.64], R42 ;
    MOV R2, 0x1 ;
    UMOV UR4, 0x1 ;
    R2UR UR6, R2 ;
    UIADD3 UR5, UR4, UR6, URZ ;
    UMOV UR7, 0x3 ;
    UIADD3 UR8, UR5, UR7, URZ ;
    MOV R3, UR8 ;
    STG.E [R44.64], R3 ;
    EXIT ;
  )"));
  const pairs general = f.of();
  REQUIRE(general.size() == 1);  // R42 is fixed: nobody wrote it
  CHECK(general.begin()->first == std::pair(f.web(1, 0), f.web(7, 0)));
  const pairs uniform = f.of(pressure_class::ur);
  CHECK(uniform.count({f.web(2, 0), f.web(5, 0)}) == 1);  // UR4, UR7
  CHECK(uniform.count({f.web(3, 0), f.web(6, 0)}) == 1);  // UR6, UR8
  CHECK(uniform.size() == 4);
}

TEST_CASE("FPA-3 apart: the rank of a block") {
  CHECK(ra::rank_of(0) == 1);
  CHECK(ra::rank_of(1) == 1);
  CHECK(ra::rank_of(1.9) == 1);
  CHECK(ra::rank_of(2) == 2);
  CHECK(ra::rank_of(4) == 3);
  CHECK(ra::rank_of(10) == 4);
  CHECK(ra::rank_of(100) == 7);
  CHECK(ra::rank_of(1e30) == 16);
}

TEST_CASE("FPA-3 apart: against an oracle on random programs") {
  std::size_t found = 0;
  std::size_t late = 0;
  for (unsigned seed = 0; seed < 1200; ++seed) {
    ww_test::random_flow_options o;
    o.count = 10 + seed % 120;
    o.registers = 6 + seed % 20;
    o.open = seed % 3 == 0;
    ww::program p = ww_test::random_flow(seed, o);
    for (std::size_t k = 0; k < p.instructions.size(); ++k) {  // half of the plain ones read late
      ww::instruction& i = p.instructions[k];
      if (i.iclass < ww::sched_class::mufu && (k * 7 + seed) % 2 == 0) i.iclass = ww::sched_class::mufu;
    }
    found_in f(p);
    for (std::size_t c = 0; c < ww::pressure_class_count; ++c) {
      const auto cls = static_cast<pressure_class>(c);
      const pairs got = f.of(cls);
      INFO("seed " << seed << ", class " << c);
      REQUIRE(got == expected(f.l, f.live, cls));
      for (const auto& [who, weights] : got) {
        found += weights.size();
        for (const std::int32_t w : weights) late += w % 4 == 0 ? 1u : 0u;
      }
    }
  }
  CHECK(found > 2000);
  CHECK(late > 500);
  WARN(found << " pairs, " << late << " far or of a frequent block");
}

TEST_CASE("FPA-3 apart: programs without anything") {
  ra::apart_wishes w;
  ww::liveness live;
  const lifted_program none;
  live.compute(none.code);
  w.each_pair(none, pressure_class::r, live, [](std::uint32_t, std::uint32_t, std::int32_t) { CHECK(false); });
}
