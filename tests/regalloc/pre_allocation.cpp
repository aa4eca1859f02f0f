// SPDX-License-Identifier: BSL-1.0
//
// FPA-7: ties of registers, gates and modes, the scan and the priorities of the boundary table; and FPA-3's normalisation of
// operands, which works on values.
#include <random>
#include <string>
#include <vector>

#include <warpwright/arch/sm80.hpp>
#include <warpwright/arch/sm90.hpp>
#include <warpwright/lift/lift.hpp>
#include <warpwright/regalloc/all.hpp>
#include <warpwright/regalloc/constant_folding.hpp>
#include <warpwright/regalloc/normalise_operands.hpp>
#include <warpwright/regalloc/program_points.hpp>

#include "../support/catch.hpp"
#include "../support/program_of.hpp"
#include "../support/random_flow.hpp"

namespace {

namespace ra = ww::regalloc;
using ww::lifted_program;
using ww::pressure_class;

struct built {
  lifted_program l;
  ra::program_problems t;
  ra::program_problem_space space;
  explicit built(const ww::program& p) : l(ww::lift(p)) {
    REQUIRE(l.ok());
    ra::build_problems(l, t, space);
  }
  explicit built(std::string_view text) : built(ww_test::program_of<ww::sm80>(text)) {}
  [[nodiscard]] ra::problem& r() { return t.of[0]; }
  [[nodiscard]] std::uint32_t at(std::uint32_t instruction, unsigned operand) const {
    return t.map.register_of_web[l.web_of_operand[l.code.instructions[instruction].first_operand + operand]];
  }
  ra::pre_allocation_result run(ra::pre_allocation<>& pass, pressure_class c = pressure_class::r) {
    return pass.run(l, c, t.of[static_cast<std::size_t>(c)], t.map);
  }
};

ra::problem problem_of(ra::problem_builder& b) {
  ra::problem p;
  b.build(p);
  return p;
}

// Straight code that keeps nearly all of R2 to R9 in use, in pairs and alone, with copies.
std::string tight_code(std::mt19937& rng) {
  std::string text;
  const auto any = [&] { return std::to_string(2 + rng() % 8); };
  const auto pair = [&] { return std::to_string(2 + rng() % 4 * 2); };
  for (unsigned n = 2; n < 10; ++n) text += "S2R R" + std::to_string(n) + ", SR_TID.X ;\n";
  for (unsigned k = 0; k < 40; ++k) {
    switch (rng() % 4) {
      case 0:
        text += "LDG.E.64 R" + pair() + ", [R10.64] ;\n";
        break;
      case 1:
        text += "STG.E.64 [R10.64], R" + pair() + " ;\n";
        break;
      case 2:
        text += "IADD3 R" + any() + ", R" + any() + ", R" + any() + ", RZ ;\n";
        break;
      default:
        text += "MOV R" + any() + ", R" + any() + " ;\n";
    }
  }
  for (unsigned n = 2; n < 10; n += 2) text += "STG.E.64 [R10.64], R" + std::to_string(n) + " ;\n";
  return text + "STG.E.64 [R10.64], R0 ;\nEXIT ;\n";  // R0 and R1 are nobody's
}

constexpr std::string_view copies = R"(
    S2R R2, SR_TID.X ;
    MOV R3, R2 ;
    IADD3 R4, R3, 0x1, RZ ;
    MOV R5, R4 ;
    IADD3 R6, R5, R4, RZ ;
    STG.E [R40.64], R6 ;
    EXIT ;
)";

}  // namespace

TEST_CASE("FPA-7 ties: what meets, differs or is given is not tied") {
  ra::problem_builder b;
  for (int k = 0; k < 6; ++k) b.add({});
  b.add({.width = 2, .alignment_log2 = 1});
  ra::allocatable given;
  given.physical = 9;
  given.set(ra::register_flag::pre_assigned);
  b.add(given);                              // 7
  b.add({.width = 2, .alignment_log2 = 1});  // 8
  b.interfere(0, 3);
  b.constrain(4, {9, 1, ra::exclude_one::type, false, true});
  b.constrain(6, {8, 1, ra::part_point::type, false, false, 0, 1});
  b.constrain(8, {6, 1, ra::part_point::type, false, false, -1, 0});
  ra::problem p = problem_of(b);
  ra::place_links links;
  links.start(p);
  CHECK(links.tie(p, 0, 1) == ra::tie_result::tied);
  CHECK(links.tie(p, 1, 0) == ra::tie_result::known);
  CHECK(links.tie(p, 2, 3) == ra::tie_result::tied);
  CHECK(links.tie(p, 1, 2) == ra::tie_result::refused);  // 0 meets 3
  CHECK(links.tie(p, 0, 6) == ra::tie_result::refused);
  CHECK(links.tie(p, 6, 8) == ra::tie_result::refused);  // parts that lie over each other at one place
  CHECK(links.tie(p, 7, 4) == ra::tie_result::refused);  // 4 may not have 9
  CHECK(links.tie(p, 5, 7) == ra::tie_result::candidate);
  CHECK(links.tie(p, 7, 5) == ra::tie_result::known);
  REQUIRE(p.candidates.find(5) != nullptr);
  CHECK(*p.candidates.find(5) == 9);
  CHECK(links.tie(p, 0, 99) == ra::tie_result::refused);
  CHECK(links.tie(p, 0, 0) == ra::tie_result::refused);
  ra::allocator_workspace ws;
  (void)ra::fat_point_allocator<>::run(p, ws);
  CHECK(p.registers[0].physical == p.registers[1].physical);
  CHECK(p.registers[2].physical == p.registers[3].physical);
  CHECK(p.registers[0].physical != p.registers[2].physical);
  CHECK(p.registers[5].physical == 9);
}

TEST_CASE("FPA-7 ties: parts of tuples that stand side by side can be tied") {
  ra::problem_builder b;
  for (int k = 0; k < 2; ++k) b.add({.width = 2});
  b.constrain(0, {1, 1, ra::part_point::type, false, false, 1, 1});
  b.constrain(1, {0, 1, ra::part_point::type, false, false, -1, -1});
  ra::problem p = problem_of(b);
  ra::place_links links;
  links.start(p);
  CHECK(links.tie(p, 0, 1) == ra::tie_result::tied);
  links.start(p);
  CHECK(links.tie(p, 0, 1) == ra::tie_result::known);  // from before
}

TEST_CASE("FPA-7 ties: random ties never put together what meets") {
  std::mt19937 rng(5);
  for (int round = 0; round < 300; ++round) {
    ra::problem_builder b;
    const std::uint32_t n = 4 + static_cast<std::uint32_t>(rng() % 20);
    for (std::uint32_t k = 0; k < n; ++k) b.add({});
    std::vector<std::vector<char>> meets(n, std::vector<char>(n, 0));
    for (std::uint32_t k = 0; k < n; ++k) {
      const auto x = static_cast<std::uint32_t>(rng() % n);
      const auto y = static_cast<std::uint32_t>(rng() % n);
      if (x == y) continue;
      b.interfere(x, y);
      meets[x][y] = meets[y][x] = 1;
    }
    ra::problem p = problem_of(b);
    ra::place_links links;
    links.start(p);
    std::vector<std::uint32_t> set(n);
    for (std::uint32_t k = 0; k < n; ++k) set[k] = k;
    for (std::uint32_t k = 0; k < 3 * n; ++k) {
      const auto x = static_cast<std::uint32_t>(rng() % n);
      const auto y = static_cast<std::uint32_t>(rng() % n);
      bool expected = x != y && set[x] != set[y];
      for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t j = 0; j < n; ++j)
          expected = expected && !(set[i] == set[x] && set[j] == set[y] && meets[i][j] != 0);
      }
      const ra::tie_result t = links.tie(p, x, y);
      REQUIRE((t == ra::tie_result::tied) == expected);
      if (!expected) continue;
      const std::uint32_t from = set[x];
      for (std::uint32_t& s : set) s = s == from ? set[y] : s;
    }
    ra::alias_sets sets;
    sets.build(p);
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j < n; ++j) REQUIRE((sets.root(i) == sets.root(j)) == (set[i] == set[j]));
    }
  }
}

TEST_CASE("FPA-7 gates: copies that do not meet get one place") {
  built b(copies);
  ra::pre_allocation<> pass;
  const ra::pre_allocation_result r = b.run(pass);
  CHECK(r.ran);
  CHECK(r.copies == 2);
  CHECK(r.coalesced == 1);
  CHECK(r.refused == 1);  // R4 is read behind its copy
  ra::fit_space fit;
  REQUIRE(ra::fit_problem<>(b.r(), fit).fits);
  const auto place = [&](std::uint32_t reg) { return b.r().registers[reg].physical; };
  CHECK(place(b.at(0, 0)) == place(b.at(1, 0)));
  CHECK(place(b.at(2, 0)) != place(b.at(3, 0)));
  for (int gate = 0; gate < 2; ++gate) {
    built other(copies);
    ra::pre_allocation<> off;
    (gate == 0 ? off.gates.enable : off.gates.coalescing) = false;
    const ra::pre_allocation_result none = other.run(off);
    CHECK(none.ran == (gate == 1));
    CHECK(none.copies == 0);
    for (const ra::allocatable& a : other.r().registers) CHECK(a.alias_parent == ra::no_register);
  }
  CHECK(ra::is_pre_allocated(3));
  CHECK(ra::is_pre_allocated(5));
  CHECK(ra::is_pre_allocated(6));
  for (const std::uint32_t mode : {0u, 1u, 2u, 4u, 7u}) {
    built other(copies);
    ra::pre_allocation<> wrong;
    CHECK(!wrong.run(other.l, pressure_class::r, other.r(), other.t.map, mode).ran);
  }
  CHECK(ra::mode_of(pressure_class::ur) == 3);
  CHECK(ra::mode_of(pressure_class::p) == 5);
  CHECK(ra::mode_of(pressure_class::up) == 5);
}

TEST_CASE("FPA-7 scanner: a matrix result is linked with its addend, and table results with the operand at the boundary") {
  built b(R"(
    LDG.E.128 R4, [R40.64] ;
    LDG.E.64 R8, [R40.64] ;
    LDG.E.128 R12, [R40.64] ;
    HMMA.16816.F32 R16, R4, R8, R12 ;
    STG.E.128 [R40.64], R16 ;
    EXIT ;
  )");
  ra::pre_allocation<> pass;
  const ra::pre_allocation_result r = b.run(pass);
  CHECK(r.links == 1);
  ra::fit_space fit;
  REQUIRE(ra::fit_problem<>(b.r(), fit).fits);
  CHECK(b.r().registers[b.at(3, 0)].physical == b.r().registers[b.at(2, 0)].physical);
  built again(R"(
    S2R R2, SR_TID.X ;
    S2R R3, SR_TID.Y ;
    ISETP.NE.AND P0, PT, R2, RZ, PT ;
    SEL R4, R2, R3, P0 ;
    STG.E [R40.64], R4 ;
    EXIT ;
  )");
  // SEL: operands are R4, R2, R3, P0: the boundary 3 is the predicate, so that nothing is linked in R.
  ra::pre_allocation<> table;
  const ra::pre_allocation_result s = again.run(table);
  CHECK(s.links == 0);
  REQUIRE(table.spill_candidates.size() == 3);
  CHECK(table.spill_candidates[0].reg == again.at(3, 0));
  CHECK(table.spill_candidates[0].priority == ra::pre_priority::read);
  CHECK(table.spill_candidates[1].reg == again.at(0, 0));
  CHECK(table.spill_candidates[1].priority == ra::pre_priority::write);
  CHECK(table.spill_candidates[2].priority == ra::pre_priority::write);
  CHECK(table.spill_candidates[0].block.index() == 0);
  const ra::pre_allocation_result q = again.run(table, pressure_class::p);
  CHECK(q.ran);
  REQUIRE(table.spill_candidates.size() == 1);
  CHECK(table.spill_candidates[0].priority == ra::pre_priority::both);  // at the boundary
  CHECK(table.spill_candidates[0].operand == 3);
}

TEST_CASE("FPA-7 scanner: policies speak for single instructions") {
  struct none : ra::every_instruction {
    static constexpr bool coalesces(const ww::instruction&) { return false; }
    static constexpr bool reads_first(const ww::instruction&) { return true; }
  };
  built b(copies);
  ra::pre_allocation<none> pass;
  const ra::pre_allocation_result r = pass.run(b.l, pressure_class::r, b.r(), b.t.map);
  CHECK(r.ran);
  CHECK(r.copies == 0);
  built again(R"(
    S2R R2, SR_TID.X ;
    S2R R3, SR_TID.Y ;
    ISETP.NE.AND P0, PT, R2, RZ, PT ;
    SEL R4, R2, R3, P0 ;
    SEL R5, R3, R4, P0 ;
    STG.E [R40.64], R5 ;
    EXIT ;
  )");
  (void)pass.run(again.l, pressure_class::r, again.r(), again.t.map);
  REQUIRE(pass.spill_candidates.size() == 4);
  for (const ra::spill_candidate& s : pass.spill_candidates) CHECK(s.priority == ra::pre_priority::read);
  ra::pre_allocation<> plain;
  (void)plain.run(again.l, pressure_class::r, again.r(), again.t.map);
  CHECK(plain.spill_candidates[0].priority == ra::pre_priority::both);  // R4: written by one, read by the other
}

TEST_CASE("FPA-7 copies: what counts as one") {
  ww::program p = ww_test::program_of<ww::sm80>(R"(
    LDG.E.64 R2, [R40.64] ;
    LDG.E.64 R6, [R40.64] ;
    S2R R12, SR_TID.X ;
    S2R R13, SR_TID.Y ;
    ISETP.NE.AND P0, PT, R12, RZ, PT ;
    MOV R4, R2 ;
    MOV R5, R3 ;
    IMAD.MOV.U32 R8, RZ, RZ, R12 ;
    IMAD R9, R12, RZ, RZ ;
    MOV R10, 0x1 ;
    @P0 MOV R10, R12 ;
    IMAD R11, RZ, RZ, -R12 ;
    MOV R14, R3 ;
    STG.E.64 [R40.64], R4 ;
    STG.E.64 [R40.64], R6 ;
    STG.E.128 [R40.64], R8 ;
    STG.E [R40.64], R14 ;
    STG.E [R40.64], R13 ;
    EXIT ;
  )");
  const lifted_program l = ww::lift(p);
  const auto at = [&](std::uint32_t i) { return ra::copy_of(l, ww::instr_id{i}); };
  REQUIRE(at(5).found);
  CHECK(at(5).aligned());
  CHECK((at(5).to_part == 0 && at(5).from_part == 0));
  REQUIRE(at(6).found);
  CHECK(at(6).aligned());
  CHECK((at(6).to_part == 1 && at(6).from_part == 1));
  CHECK(at(7).found);
  CHECK(!at(8).found);   // a product
  CHECK(!at(9).found);   // an immediate
  CHECK(!at(10).found);  // guarded
  CHECK(!at(11).found);  // negated
  REQUIRE(at(12).found);
  CHECK(!at(12).aligned());
  lifted_program flagged = l;  // a guard that no operand names
  flagged.code.instructions[7].add(ww::iflag::guarded);
  CHECK(!ra::copy_of(flagged, ww::instr_id{7}).found);
  built b(p);
  ra::pre_allocation<> pass;
  const ra::pre_allocation_result r = b.run(pass);
  CHECK(r.copies == 4);
  CHECK(r.coalesced + r.refused <= 3);  // the one that is not aligned is not tried
}

TEST_CASE("FPA-7 scanner: gates of links") {
  const auto linked = [](ww::opcode op, const ra::pre_allocation_gates& gates) {
    ww::program p = ww_test::program_of<ww::sm80>(R"(
      S2R R2, SR_TID.X ;
      S2R R3, SR_TID.Y ;
      S2R R6, SR_TID.Z ;
      FFMA R7, R2, R3, R6 ;
      STG.E [R40.64], R7 ;
      EXIT ;
    )");
    p.instructions[3].op = op;
    built b(p);
    ra::pre_allocation<> pass;
    pass.gates = gates;
    const ra::pre_allocation_result r = b.run(pass);
    std::vector<unsigned> with;  // sources that are tied to the result
    ra::alias_sets sets;
    sets.build(b.r());
    for (unsigned k = 1; k <= 3; ++k) {
      if (sets.root(b.at(3, 0)) == sets.root(b.at(3, k))) with.push_back(k);
    }
    CHECK(r.links == with.size());
    return with;
  };
  using list = std::vector<unsigned>;
  CHECK(linked(ww::opcode::sel, {}) == list{3});  // the operand at the boundary
  CHECK(linked(ww::opcode::exit, {}) == list{2});
  CHECK(linked(ww::opcode::suld, {}) == list{});
  CHECK(linked(ww::opcode::ffma, {}) == list{});
  CHECK(linked(ww::opcode::hset2, {}) == list{1});
  CHECK(linked(ww::opcode::hmma, {}) == list{3});  // the addend
  ra::pre_allocation_gates gates;
  gates.pairs = false;
  CHECK(linked(ww::opcode::sel, gates) == list{});
  CHECK(linked(ww::opcode::hmma, gates) == list{});
  gates = {};
  gates.coalescing = false;
  CHECK(linked(ww::opcode::sel, gates) == list{});
  CHECK(linked(ww::opcode::hmma, gates) == list{});
  CHECK(linked(ww::opcode::ufmul, gates) == list{3});
  gates.uniform = false;
  CHECK(linked(ww::opcode::ufmul, gates) == list{});
  // HSET2 stops at the first source; UTCSTSWS goes on, here to one with a given place.
  const auto given = [](ww::opcode op) {
    ww::program p =
        ww_test::program_of<ww::sm80>("S2R R2, SR_TID.X ;\nFFMA R7, R2, R40, RZ ;\nSTG.E [R42.64], R7 ;\nEXIT ;\n");
    p.instructions[1].op = op;
    built b(p);
    ra::pre_allocation<> pass;
    (void)b.run(pass);
    return b.r().candidates.find(b.at(1, 0)) != nullptr;
  };
  CHECK(!given(ww::opcode::hset2));
  CHECK(given(ww::opcode::utcstsws));
  struct excluding : ra::every_instruction {
    static constexpr bool excluded(const ww::instruction&) { return true; }
  };
  ww::program p = ww_test::program_of<ww::sm80>("S2R R2, SR_TID.X ;\nFFMA R7, R2, R2, R2 ;\nSTG.E [R40.64], R7 ;\nEXIT ;\n");
  p.instructions[1].op = ww::opcode::sel;
  built b(p);
  ra::pre_allocation<excluding> none;
  CHECK(none.run(b.l, pressure_class::r, b.r(), b.t.map).links == 0);
  b.r().candidates.insert(0, 77);
  ra::pre_allocation<> again;
  CHECK(b.run(again).links == 1);
  CHECK(b.r().candidates.entries() == 0);  // those of before are gone
}

TEST_CASE("FPA-7 scanner: results of one instruction go with the operands from the boundary on, pair by pair") {
  // As SEL, whose boundary is 3; `narrow` results of another class stand in front.
  const auto ties = [](bool narrow) {
    ww::program p = ww_test::program_of<ww::sm80>(R"(
      S2R R2, SR_TID.X ;
      S2R R3, SR_TID.Y ;
      S2R R4, SR_TID.Z ;
      FFMA R8, R2, R3, R4 ;
      STG.E [R40.64], R8 ;
      STG.E [R40.64], R9 ;
      EXIT ;
    )");
    ww::instruction& x = p.instructions[3];
    x.op = ww::opcode::sel;
    x.first_operand = static_cast<std::uint32_t>(p.operands.size());
    if (narrow) p.operands.push_back(ww::operand::def(ww::P(0), ww::slot::pdst));
    p.operands.push_back(ww::operand::def(ww::R(8), ww::slot::dst));
    p.operands.push_back(ww::operand::def(ww::R(9), ww::slot::dst1));
    if (!narrow) p.operands.push_back(ww::operand::use(ww::R(2), ww::slot::a));
    p.operands.push_back(ww::operand::use(ww::R(3), ww::slot::b));
    p.operands.push_back(ww::operand::use(ww::R(4), ww::slot::c));
    x.operand_count = static_cast<std::uint8_t>(p.operands.size() - x.first_operand);
    REQUIRE(ww::build_cfg(p).ok);
    built b(p);
    ra::pre_allocation<> pass;
    CHECK(b.run(pass).links == 2);
    ra::alias_sets sets;
    sets.build(b.r());
    const unsigned first = narrow ? 1 : 0;  // operand
    CHECK(sets.root(b.at(3, first)) == sets.root(b.at(3, 3)));
    CHECK(sets.root(b.at(3, first + 1)) == sets.root(b.at(3, 4)));
    CHECK(sets.root(b.at(3, first)) != sets.root(b.at(3, first + 1)));
  };
  ties(false);
  ties(true);
}

TEST_CASE("FPA-7 table: boundaries by name") {
  using ww::opcode;
  const std::vector<std::pair<opcode, int>> table = {
      {opcode::r2p, 3},  {opcode::atom, 3}, {opcode::al2p, 3},  {opcode::suatom, 3}, {opcode::uisetp, 3},
      {opcode::exit, 2}, {opcode::tex, 3},  {opcode::suld, 4},  {opcode::fence, 6},  {opcode::ufmul, 3},
      {opcode::sel, 3},  {opcode::mov, -1}, {opcode::ffma, -1}, {opcode::ldg, -1},   {opcode::unknown, -1}};
  for (const auto& [op, boundary] : table) CHECK(ra::boundary_of(op) == boundary);
}

TEST_CASE("FPA-7 allocation: ties are dropped where a file does not fit with them, and answers stay right") {
  ra::allocation_space space;
  std::size_t tied = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    ww_test::random_flow_options o;
    o.count = 10 + seed % 40;
    lifted_program l = ww::lift(ww_test::random_flow(seed, o));
    l.has_encoding = false;
    ra::program_allocation_options options;
    options.pre.enable = seed % 2 == 0;
    const ra::program_allocation a = ra::allocate_program(l, space, options);
    for (const auto& r : a.pre) tied += r.ran ? 1u : 0u;
    if (!options.pre.enable) {
      for (const auto& r : a.pre) REQUIRE(!r.ran);
    }
  }
  CHECK(tied > 100);
}

TEST_CASE(
    "FPA-7 allocation: what fits without ties fits with them, since they are dropped; else in the places it came from") {
  ra::allocation_space space;
  std::mt19937 rng(9);
  std::size_t dropped = 0;
  std::size_t kept = 0;
  std::size_t by_original = 0;
  for (unsigned run = 0; run < 600; ++run) {
    const lifted_program l = ww::lift(ww_test::program_of<ww::sm90>(tight_code(rng)));
    ra::program_allocation_options options;
    options.problems.registers = {12, 0, 0, 0};
    options.problems.keep_stack_pointer = false;
    options.fit.attempts = 1;
    options.fit.repair_steps = 0;
    options.pre.enable = false;
    const bool without = ra::allocate_program(l, space, options).fits[0];
    options.pre.enable = true;
    const ra::program_allocation with = ra::allocate_program(l, space, options);
    INFO("run " << run);
    if (without) REQUIRE(with.fits[0]);
    if (with.pre[0].coalesced > 0) (with.pre[0].ran ? kept : dropped) += with.fits[0] ? 1u : 0u;
    options.original_places = true;
    const ra::program_allocation original = ra::allocate_program(l, space, options);
    REQUIRE(original.fits[0]);
    REQUIRE(original.original[0] == !with.fits[0]);
    if (!original.original[0]) continue;
    ++by_original;
    for (std::size_t w = 0; w < l.webs.size(); ++w) {
      if (l.webs[w].file == ww::reg_file::r) REQUIRE(original.where[w] == l.webs[w].original);
    }
  }
  WARN(kept << " fit with their ties, " << dropped << " without, " << by_original << " in the places that they came from");
  CHECK(kept > 20);
  CHECK(dropped > 2);
  CHECK(by_original > 20);
}

TEST_CASE("FPA-3 points: each block counts its instructions in their present order") {
  ww::program p = ww_test::program_of<ww::sm80>("MOV R2, 0x1\nMOV R3, 0x2\nloop:\nMOV R4, 0x3\nBRA `(loop)\n");
  ra::program_points at;
  at.assign(p);
  CHECK(at[ww::instr_id{0}] == 0);
  CHECK(at[ww::instr_id{1}] == 1);
  CHECK(at[ww::instr_id{2}] == 0);
  CHECK(at[ww::instr_id{3}] == 1);
  CHECK(at.count(ww::block_id{0}) == 2);
  std::swap(p.order[0], p.order[1]);
  at.assign(p);
  CHECK(at[ww::instr_id{0}] == 1);
  CHECK(at[ww::instr_id{99}] == ra::program_points::none);
  CHECK(at.count(ww::block_id{99}) == 0);
}

TEST_CASE("FPA-3 normalise: an address and the register behind it become one operand") {
  ww::operand address;
  address.low = 0x8D000123u | 5u << 28;
  address.high = 0x00000042u;
  ww::operand next;
  next.low = 1u << 28 | 0x00000777u;
  next.high = ww::operand::bit_not | 3u << 22;
  ww::operand a = address;
  ww::operand n = next;
  REQUIRE(ra::fold_address_pair(a, n));
  CHECK(a.low == (0x8D000000u | 1u << 28 | 0x777u));
  CHECK(a.high == (0x42u | ww::operand::bit_not | 3u << 22 | 1u << 24));
  CHECK(n.low == 0x70000000u);
  CHECK(n.high == 0);
  for (const unsigned type : {0u, 1u, 2u, 3u, 4u, 6u, 7u}) {
    ww::operand x = address;
    ww::operand y = next;
    x.low = (x.low & 0x8fffffffu) | type << 28;
    CHECK(!ra::fold_address_pair(x, y));
    CHECK(y == next);
  }
  ww::operand merged = next;
  merged.high |= ra::pair_bit;
  ww::operand x = address;
  CHECK(!ra::fold_address_pair(x, merged));
  ww::operand last = next;
  REQUIRE(ra::merge_last(last, [](std::uint32_t id) { return id + 1; }));
  CHECK(last.low == (6u << 28 | 0x778u));
  CHECK(last.high == 0);
  CHECK(!ra::merge_last(last, [](std::uint32_t id) { return id; }));
}

TEST_CASE("FPA-3 normalise: constants with modifiers") {
  ww::operand o;
  o.high = 0;
  CHECK(ra::constant_of(o, 0xffu, {ra::constant_use::plain, 1, false}) == -1);
  CHECK(ra::constant_of(o, 0xffu, {ra::constant_use::plain, 1, true}) == 255);
  CHECK(ra::constant_of(o, 0x80000000u, {}) == -0x80000000ll);
  CHECK(ra::constant_of(o, 0x123456789abcdef0u, {ra::constant_use::plain, 8, false}) == 0x123456789abcdef0);
  o.high = ww::operand::bit_high_half;
  CHECK(ra::constant_of(o, 0x0000000700000001u, {ra::constant_use::high_word, 4, false}) == 7);
  CHECK(ra::constant_of(o, 0x00070001u, {ra::constant_use::half_word, 2, false}) == 7);
  o.high = ww::operand::bit_low_half;
  CHECK(ra::constant_of(o, 0x0000000700000001u, {ra::constant_use::high_word, 4, false}) == 1);
  CHECK(ra::constant_of(o, 0x00070001u, {ra::constant_use::half_word, 2, false}) == 1);
  o.high = ww::operand::bit_not;
  CHECK(ra::constant_of(o, 5, {}) == -6);
  o.high = ra::constant_absolute;
  CHECK(ra::constant_of(o, 0xfffffffbu, {}) == 5);
  o.high = ra::constant_absolute | ra::constant_negative;
  CHECK(ra::constant_of(o, 0xfffffffbu, {}) == -5);
  o.high = ww::operand::bit_not | ra::constant_absolute;
  CHECK(ra::constant_of(o, 5, {}) == 6);  // NOT first
  o.high = 0;
  CHECK(ra::constant_of(o, 4, {ra::constant_use::predicate, 4, false}) == -1);
  CHECK(ra::constant_of(o, 0, {ra::constant_use::predicate, 4, false}) == 0);
}

TEST_CASE("FPA-3 normalise: expressions of constants") {
  using op = ra::fold_operation;
  const auto value = [](op o, std::uint32_t a, std::uint32_t b, std::uint32_t c = 0, bool predicate = true,
                        bool is_signed = true, std::uint32_t bytes = 4) {
    return ra::fold({o, a, b, c, predicate, is_signed, bytes}).value;
  };
  CHECK(value(op::add, 2, 3) == 5);
  CHECK(value(op::add, 0x7fffffffu, 1) == 0x7fffffffu);
  CHECK(value(op::add, 0x80000000u, 0xffffffffu) == 0x80000000u);
  CHECK(value(op::add, 0x7fffffffu, 1, 0, true, false) == 0x80000000u);
  CHECK(value(op::select, 7, 9) == 7);
  CHECK(value(op::select, 7, 9, 0, false) == 9);
  CHECK(value(op::mul, 0x10000u, 0x10001u) == 0x10000u);
  CHECK(value(op::mad, 3, 4, 5) == 17);
  CHECK(value(op::mul_wide, 0xffffffffu, 2) == 0xfffffffffffffffeull);
  CHECK(value(op::mul_wide, 0xffffffffu, 2, 0, true, false) == 0x1fffffffeull);
  CHECK(ra::fold({op::mul_wide, 1, 1}).wide);
  CHECK(!ra::fold({op::mul, 1, 1}).wide);
  CHECK(value(op::shift_signed, 0x80000000u, 4) == 0xf8000000u);
  CHECK(value(op::shift_signed, 0x80000000u, 99) == 0xffffffffu);
  CHECK(value(op::shift, 0x80000000u, 4) == 0x08000000u);
  CHECK(value(op::shift, 0x1234u, 4, 0, true, true, 1) == 3);
  CHECK(value(op::shift, 0x1234u, 8, 0, true, true, 1) == 0);
  CHECK(value(op::shift, 1, 32) == 0);
  CHECK(value(op::min_max, 0xffffffffu, 1) == 0xffffffffu);
  CHECK(value(op::min_max, 0xffffffffu, 1, 0, true, false) == 1);
  CHECK(value(op::min_max, 0xffffffffu, 1, 0, false) == 1);
  CHECK(value(op::min_max, 5, 5, 0, false) == 5);
  CHECK(value(op::permute, 0x33221100u, 0x77665544u, 0x7250) == 0x77225500u);
  CHECK(value(op::permute, 0x00008000u, 0, 0x9a98) == 0xff00ff00u);
}
