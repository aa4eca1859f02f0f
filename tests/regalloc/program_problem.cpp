// SPDX-License-Identifier: BSL-1.0
//
// FPA-3: problems of lifted programs. Interference against sets of live registers that are made here by another way, on random
// programs; sharing inside one instruction; tuples that are live in part; phases; wishes; and what a lost constraint does.
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <warpwright/arch/sm80.hpp>
#include <warpwright/lift/lift.hpp>
#include <warpwright/lift/lower.hpp>
#include <warpwright/lift/peak_live.hpp>
#include <warpwright/regalloc/all.hpp>
#include <warpwright/verify/allocation.hpp>

#include "../support/catch.hpp"
#include "../support/program_of.hpp"
#include "../support/random_flow.hpp"
#include "../support/slow.hpp"

namespace {

namespace ra = ww::regalloc;
using ww::lifted_program;
using ww::pressure_class;

// random_flow() behind definitions of all its registers, so that fewer webs are live at the start, and with more pairs at odd
// numbers, so that tuples have phases.
ww::program defined_flow(unsigned seed, const ww_test::random_flow_options& o) {
  const ww::program from = ww_test::random_flow(seed, o);
  ww::program p;
  std::mt19937 rng(seed + 77);
  const auto add = [&](ww::instruction ins, const std::vector<ww::operand>& ops) {
    ins.first_operand = static_cast<std::uint32_t>(p.operands.size());
    ins.operand_count = static_cast<std::uint8_t>(ops.size());
    for (const ww::operand x : ops) p.operands.push_back(x);
    p.order.push_back(ww::instr_id{static_cast<std::uint32_t>(p.order.size())});
    p.instructions.push_back(ins);
  };
  ww::instruction plain;
  plain.iclass = ww::sched_class::alu;
  const auto define = [&](ww::reg r) { add(plain, {ww::operand::def(r, ww::slot::dst)}); };
  for (std::uint32_t n = 0; n < o.registers + 4; ++n) define(ww::R(n));
  for (std::uint32_t n = 0; n < 4; ++n) define(ww::UR(n));
  for (std::uint32_t n = 0; n < 3; ++n) define(ww::P(n));
  const auto shift = static_cast<std::uint32_t>(p.order.size());
  for (const ww::instruction& i : from.instructions) {
    std::vector<ww::operand> ops;
    for (ww::operand x : from.operands_of(i)) {
      if (x.file() == ww::reg_file::r && x.width() == 2 && x.where() != ww::slot::branch && rng() % 2 == 0) ++x.low;
      if (i.has(ww::iflag::guarded) && rng() % 2 == 0) x.high &= ~ww::operand::bit_partial;  // the guard says it alone
      ops.push_back(x);
    }
    ww::instruction moved = i;
    if (moved.target.valid()) moved.target = ww::instr_id{moved.target.index() + shift};
    add(moved, ops);
  }
  p.functions = from.functions;
  for (ww::function& f : p.functions) {
    if (f.entry.index() != 0) f.entry = ww::instr_id{f.entry.index() + shift};
  }
  REQUIRE(ww::build_cfg(p).ok);
  return p;
}

// One register of a class: of the lifted program, by number.
using numbers = std::set<std::uint32_t>;

struct naive_live {
  std::vector<numbers> in;  // by block
  const lifted_program& l;
  pressure_class c;

  naive_live(const lifted_program& of, pressure_class cls) : in(of.code.blocks.size()), l(of), c(cls) {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t b = 0; b < in.size(); ++b) {
        numbers live = behind_block(b);
        const auto order = l.code.order_of(l.code.blocks[b]);
        for (std::size_t k = order.size(); k-- > 0;) step_back(order[k], live);
        if (live != in[b]) {
          in[b] = live;
          again = true;
        }
      }
    }
  }
  [[nodiscard]] numbers physical() const {
    numbers all;
    for (std::uint32_t n = 0; n < l.physical[static_cast<std::size_t>(c)]; ++n) all.insert(n);
    return all;
  }
  [[nodiscard]] numbers behind_block(std::size_t b) const {
    const ww::block& blk = l.code.blocks[b];
    numbers live = blk.open_exit ? physical() : numbers();
    for (const ww::cfg_edge& e : l.code.edges_of(blk)) {
      if (ww::is_summary(l.code, e)) continue;
      live.insert(in[e.to.index()].begin(), in[e.to.index()].end());
    }
    return live;
  }
  void add(ww::operand o, numbers& to) const {
    if (!o.is_register() || ww::pressure_class_of(o.file()) != c) return;
    for (unsigned k = 0; k < o.width(); ++k) to.insert(o.base().number() + k);
  }
  [[nodiscard]] numbers defs(ww::instr_id i) const {
    numbers d;
    for (const ww::operand o : l.code.operands_of(i)) {
      if (o.is_def()) add(o, d);
    }
    return d;
  }
  void step_back(ww::instr_id i, numbers& live) const {
    for (const ww::operand o : l.code.operands_of(i)) {
      numbers d;
      if (o.is_def() && !o.is_partial() && !l.code[i].has(ww::iflag::guarded)) add(o, d);
      for (const std::uint32_t n : d) live.erase(n);
    }
    for (const ww::operand o : l.code.operands_of(i)) {
      if (o.is_use()) add(o, live);
    }
    if (l.code[i].has(ww::iflag::unknown)) {
      const numbers all = physical();
      live.insert(all.begin(), all.end());
    }
  }
};

// Distances "start of web a minus start of b" that make registers meet which are live together; b = -1 - n is physical Rn.
using meetings = std::map<std::pair<std::int64_t, std::int64_t>, std::set<std::int64_t>>;

struct part_of {
  std::int64_t holder;
  std::int64_t part;
  bool fixed;
};

part_of find_part(const lifted_program& l, pressure_class c, std::uint32_t number) {
  if (number >= ww::reg::first_virtual) {
    for (std::size_t w = 0; w < l.webs.size(); ++w) {
      const ww::web& one = l.webs[w];
      if (one.is_fixed() || ww::pressure_class_of(one.file) != c || number < one.number || number >= one.number + one.width)
        continue;
      return {static_cast<std::int64_t>(w), number - one.number, false};
    }
    return {0, -1, true};
  }
  return {-1 - static_cast<std::int64_t>(number), 0, true};
}

meetings expected_meetings(const lifted_program& l, pressure_class c) {
  const naive_live live(l, c);
  meetings m;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  const auto together = [&](const numbers& a, const numbers& b) {
    for (const std::uint32_t x : a) {
      for (const std::uint32_t y : b) {
        if (x != y) pairs.insert({std::min(x, y), std::max(x, y)});
      }
    }
  };
  for (std::size_t b = 0; b < l.code.blocks.size(); ++b) {
    numbers now = live.behind_block(b);
    const auto order = l.code.order_of(l.code.blocks[b]);
    for (std::size_t k = order.size(); k-- > 0;) {
      const numbers d = live.defs(order[k]);
      together(d, d);
      together(d, now);
      together(now, now);  // two values that are live at one place, wherever they were written
      live.step_back(order[k], now);
    }
    together(now, now);
  }
  for (const auto& [x, y] : pairs) {
    const part_of a = find_part(l, c, x);
    const part_of b = find_part(l, c, y);
    if (a.part < 0 || b.part < 0 || a.holder == b.holder) continue;
    if (!a.fixed) m[{a.holder, b.holder}].insert(b.part - a.part);
    if (!b.fixed) m[{b.holder, a.holder}].insert(a.part - b.part);
  }
  return m;
}

// The same out of a problem.
meetings meetings_of(const lifted_program& l, const ra::problem& p, const ra::program_map& map, pressure_class c,
                     bool& twice) {
  meetings m;
  const auto& webs = map.web_of_register[static_cast<std::size_t>(c)];
  for (std::uint32_t r = 0; r < p.registers.size(); ++r) {
    const std::uint32_t w = webs[r];
    if (l.webs[w].is_fixed()) continue;
    const std::int64_t own = l.webs[w].width;
    for (const ra::constraint& k : p.constraints_of(r)) {
      const std::int64_t other = k.physical ? 1 : l.webs[webs[k.target]].width;
      const std::int64_t holder =
          k.physical ? -1 - static_cast<std::int64_t>(k.target) : static_cast<std::int64_t>(webs[k.target]);
      std::int64_t low = 1 - own;
      std::int64_t high = other - 1;
      if (k.kind == ra::part_point::type) {
        low = k.low;
        high = k.high;
      } else {
        REQUIRE(k.kind == (k.physical ? ra::exclude_one::type : ra::point::type));
      }
      REQUIRE(!k.soft);
      for (std::int64_t d = low; d <= high; ++d) twice = !m[{w, holder}].insert(d).second || twice;
    }
  }
  return m;
}

bool clean(const lifted_program& l, const ww::vec<std::uint32_t>& where) {
  const ww::lower_result r = ww::lower(l, {where.data(), where.size()});
  INFO(ww::name_of(r.fault));
  REQUIRE(r.ok());
  std::vector<ww::verify::allocated_from> map(r.code.instructions.size());
  for (std::uint32_t i = 0; i < map.size(); ++i) map[i].of = ww::instr_id(i);
  return ww::verify::check_allocation(l.code, r.code, {map.data(), map.size()}).clean();
}

std::uint32_t web_at(const lifted_program& l, std::uint32_t instruction, unsigned operand) {
  return l.web_of_operand[l.code.instructions[instruction].first_operand + operand];
}

struct built {
  lifted_program l;
  ra::program_problems t;
  ra::program_problem_space space;
  explicit built(const ww::program& p, const ra::program_problem_options& o = {}) : l(ww::lift(p)) {
    REQUIRE(l.ok());
    ra::build_problems(l, t, space, o);
  }
  [[nodiscard]] const ra::problem& r() const { return t.of[0]; }
  [[nodiscard]] std::uint32_t reg(std::uint32_t web) const { return t.map.register_of_web[web]; }
  // Constraints of web a that name web b.
  [[nodiscard]] std::vector<ra::constraint> between(std::uint32_t a, std::uint32_t b) const {
    std::vector<ra::constraint> found;
    for (const ra::constraint& c : r().constraints_of(reg(a))) {
      if (!c.physical && c.target == reg(b)) found.push_back(c);
    }
    return found;
  }
};

}  // namespace

TEST_CASE("FPA-3 problem: interference is what sets of live registers say, on random programs") {
  std::size_t shifted = 0;
  std::size_t parts = 0;
  std::size_t fixed = 0;
  for (unsigned seed = 0; seed < 900; ++seed) {
    ww_test::random_flow_options o;
    o.count = 10 + seed % 50;
    o.registers = 8 + seed % 17;
    o.open = seed % 3 == 0;
    const built b(seed % 2 == 0 ? ww_test::random_flow(seed, o) : defined_flow(seed, o));
    for (std::size_t c = 0; c < ww::pressure_class_count; ++c) {
      const auto cls = static_cast<pressure_class>(c);
      bool twice = false;
      INFO("seed " << seed << ", class " << c);
      REQUIRE(meetings_of(b.l, b.t.of[c], b.t.map, cls, twice) == expected_meetings(b.l, cls));
      REQUIRE(!twice);
      for (const ra::constraint& k : b.t.of[c].constraints) parts += k.kind == ra::part_point::type ? 1u : 0u;
    }
    for (std::size_t w = 0; w < b.l.webs.size(); ++w) {
      const ww::web& one = b.l.webs[w];
      const ra::allocatable& a =
          b.t.of[static_cast<std::size_t>(ww::pressure_class_of(one.file))].registers[b.reg(static_cast<std::uint32_t>(w))];
      REQUIRE(a.has(ra::register_flag::pre_assigned) == one.is_fixed());
      REQUIRE(a.width == one.width);
      REQUIRE(a.spill_cost == one.weight);
      if (one.is_fixed()) {
        ++fixed;
        REQUIRE(a.physical == static_cast<std::int32_t>(one.original));
      } else {
        REQUIRE((1u << a.alignment_log2) == one.alignment);
        REQUIRE(a.phase == one.phase);
        shifted += a.phase != 0 ? 1u : 0u;
      }
    }
  }
  CHECK(shifted > 10);
  CHECK(parts > 1000);
  CHECK(fixed > 1000);
}

TEST_CASE("FPA-3 problem: the answers of all attempts read what the program read") {
  std::size_t done = 0;
  std::size_t failed = 0;
  std::size_t shifted = 0;
  ra::allocation_space space;
  constexpr unsigned step = ww_test::slow ? 5 : 1;
  for (unsigned seed = 0; seed < 2500; seed += step) {
    ww_test::random_flow_options o;
    o.count = 10 + seed % 90;
    o.registers = 6 + seed % 15;
    o.open = seed % 3 == 0;
    lifted_program l = ww::lift(seed % 2 == 0 ? ww_test::random_flow(seed, o) : defined_flow(seed, o));
    l.has_encoding = false;
    for (const bool original : {false, true}) {
      ra::program_allocation_options options;
      options.original_places = original;
      options.fit.attempts = 1 + seed % 4;
      options.fit.repair_steps = seed % 8 == 0 ? 0 : 2000;
      options.problems.copy_weight = seed % 2 == 0 ? 1 : 0;
      options.problems.bank_weight = seed % 4 == 0 ? 1 : 0;
      options.problems.registers = {seed % 7 == 0 ? 200u : 0u, 0, 0, 0};
      options.problems.keep_stack_pointer = false;
      const ra::program_allocation a = ra::allocate_program(l, space, options);
      INFO("seed " << seed);
      if (original) REQUIRE(a.ok());  // the places that it came from do for all
      if (!a.ok()) {
        ++failed;
        continue;
      }
      ++done;
      REQUIRE(clean(l, a.where));
      for (const ww::web& w : l.webs) shifted += w.phase != 0 ? 1u : 0u;
    }
  }
  CHECK(done > 4500 / step);
  CHECK(failed < 100);
  CHECK(shifted > 50 / step);
}

TEST_CASE("FPA-3 problem: a lost interference is seen by the check where registers collide") {
  std::size_t collided = 0;
  std::size_t apart = 0;
  ra::fit_space fit;
  for (unsigned seed = 0; seed < 400; ++seed) {
    ww_test::random_flow_options o;
    o.count = 30;
    o.registers = 10;
    built b(ww_test::random_flow(seed, o));
    b.l.has_encoding = false;
    ra::problem& p = b.t.of[0];
    // One web forgets another, and the other it.
    std::uint32_t owner = 0;
    std::uint32_t other = ra::no_register;
    for (std::uint32_t r = 0; r < p.registers.size() && other == ra::no_register; ++r) {
      for (const ra::constraint& c : p.constraints_of((r + seed) % static_cast<std::uint32_t>(p.registers.size()))) {
        if (c.physical || c.kind != ra::point::type) continue;
        owner = (r + seed) % static_cast<std::uint32_t>(p.registers.size());
        other = c.target;
      }
    }
    if (other == ra::no_register) continue;
    for (const auto& [mine, its] : {std::pair(owner, other), std::pair(other, owner)}) {
      for (std::uint32_t k = p.first_constraint[mine]; k < p.first_constraint[mine + 1]; ++k) {
        if (!p.constraints[k].physical && p.constraints[k].target == its) p.constraints[k].soft = true;
      }
    }
    for (ra::problem& q : b.t.of) q.file.max_slot = q.file.hardware_limit - 1;
    for (ra::problem& q : b.t.of) (void)ra::fit_problem<>(q, fit);
    ww::vec<std::uint32_t> where;
    if (!ra::assignment_of(b.l, b.t, where)) continue;
    const auto& webs = b.t.map.web_of_register[0];
    const std::uint32_t x = where[webs[owner]];
    const std::uint32_t y = where[webs[other]];
    const bool meet = x < y + p.registers[other].width && y < x + p.registers[owner].width;
    INFO("seed " << seed);
    REQUIRE(clean(b.l, where) == !meet);
    ++(meet ? collided : apart);
  }
  CHECK(collided > 20);
  CHECK(apart > 20);
}

TEST_CASE("FPA-3 problem: more live at once than may be used has no answer, and is seen before many attempts") {
  std::size_t hopeless = 0;
  ra::allocation_space space;
  for (unsigned seed = 0; seed < 200; ++seed) {
    ww_test::random_flow_options o;
    o.count = 20 + seed % 30;
    const lifted_program l = ww::lift(defined_flow(seed, o));
    const ww::live_count live = ww::peak_live(l);
    ra::program_allocation_options options;
    options.problems.keep_stack_pointer = false;
    const ra::program_allocation a = ra::allocate_program(l, space, options);
    for (std::size_t c = 0; c < ww::pressure_class_count; ++c) {
      REQUIRE(space.problems.peak[c] == live.of[c]);
      REQUIRE(live.of[c] <= l.physical[c]);
    }
    if (live.of[0] < 2) continue;
    options.problems.registers = {live.of[0] - 1, 0, 0, 0};
    const ra::program_allocation none = ra::allocate_program(l, space, options);
    if (space.problems.peak[0] < live.of[0]) continue;  // unknown code reads the register that is left out now
    ++hopeless;
    REQUIRE(!none.fits[0]);
    REQUIRE(none.attempts[0] <= 4);
  }
  CHECK(hopeless > 50);
}

TEST_CASE("FPA-3 problem: a dying source may share, results of one instruction and dead results may not") {
  const built b(ww_test::program_of<ww::sm80>(R"(
    MOV R2, 0x1 ;
    MOV R3, 0x2 ;
    IADD3 R4, P0, R2, R3, RZ ;
    IMAD.WIDE R6, R4, R3, RZ ;
    STG.E.64 [R6.64], R6 ;
    EXIT ;
  )"));
  const std::uint32_t r2 = web_at(b.l, 0, 0);
  const std::uint32_t r3 = web_at(b.l, 1, 0);
  const std::uint32_t r4 = web_at(b.l, 2, 0);
  const std::uint32_t r6 = web_at(b.l, 3, 0);
  CHECK(b.between(r2, r3).size() == 1);
  CHECK(b.between(r3, r2).size() == 1);
  CHECK(b.between(r2, r4).empty());  // R2 dies where R4 is written
  CHECK(b.between(r3, r4).size() == 1);
  CHECK(b.between(r4, r6).empty());  // a narrow source under a wide result: observed in compiled code at both places
  CHECK(b.between(r3, r6).empty());
  CHECK(b.r().registers[b.reg(r6)].alignment_log2 == 1);
  // R5 is dead, and R6 is written by the same instruction as P0: neither is in the way of the other file.
  const built dead(ww_test::program_of<ww::sm80>(R"(
    MOV R2, 0x1 ;
    MOV R5, 0x2 ;
    STG.E [R40.64], R2 ;
    EXIT ;
  )"));
  CHECK(dead.between(web_at(dead.l, 0, 0), web_at(dead.l, 1, 0)).size() == 1);
}

TEST_CASE("FPA-3 problem: matrix instructions write while factors are still read") {
  const char* const text = R"(
    LDG.E.128 R4, [R40.64] ;
    LDG.E.64 R8, [R40.64] ;
    LDG.E.128 R12, [R40.64] ;
    HMMA.16816.F32 R16, R4, R8, R12 ;
    STG.E.128 [R40.64], R16 ;
    EXIT ;
  )";
  const built b(ww_test::program_of<ww::sm80>(text));
  const std::uint32_t a = web_at(b.l, 0, 0);
  const std::uint32_t f = web_at(b.l, 1, 0);
  const std::uint32_t c = web_at(b.l, 2, 0);
  const std::uint32_t d = web_at(b.l, 3, 0);
  // Where may the result start, from the source's start?
  const auto spoilt = [&](std::uint32_t source) {
    std::set<int> all;
    for (const ra::constraint& k : b.between(d, source)) {
      REQUIRE(k.kind == ra::part_point::type);
      for (int x = k.low; x <= k.high; ++x) all.insert(x);
    }
    return all;
  };
  CHECK(spoilt(a) == std::set<int>{-3, -2, -1, 1, 2, 3});  // four over four: the same registers or none
  CHECK(spoilt(f) == std::set<int>{-3, 1});                // two under four: within them
  CHECK(spoilt(c) == std::set<int>{-3, -2, -1, 1, 2, 3});
  CHECK(b.between(f, d).size() == b.between(d, f).size());
  // A result of two under a factor of four, at either end; of an integer operation a factor of two at the upper half alone.
  const built narrow(ww_test::program_of<ww::sm80>(R"(
    LDG.E.128 R4, [R40.64] ;
    LDG.E.64 R8, [R40.64] ;
    HMMA.16816.F16 R16, R4, R8, RZ ;
    STG.E.64 [R40.64], R16 ;
    EXIT ;
  )"));
  std::set<int> starts;
  for (const ra::constraint& k : narrow.between(web_at(narrow.l, 2, 0), web_at(narrow.l, 0, 0))) {
    for (int x = k.low; x <= k.high; ++x) starts.insert(x);
  }
  CHECK(starts == std::set<int>{-1, 3});
  const built whole(ww_test::program_of<ww::sm80>(R"(
    LDG.E.128 R4, [R40.64] ;
    LDG.E.64 R8, [R40.64] ;
    IMMA.16832.S8.S8 R16, R4.ROW, R8.COL, RZ ;
    STG.E.128 [R40.64], R16 ;
    EXIT ;
  )"));
  starts.clear();
  for (const ra::constraint& k : whole.between(web_at(whole.l, 2, 0), web_at(whole.l, 1, 0))) {
    for (int x = k.low; x <= k.high; ++x) starts.insert(x);
  }
  CHECK(starts == std::set<int>{-3, -1, 0, 1});
  const auto of = [](ww::opcode op) {
    ww::instruction i;
    i.op = op;
    return i;
  };
  const ww::instruction dmma = of(ww::opcode::dmma);
  CHECK(ra::shared_place_of(dmma, ww::operand::use(ww::R(4), ww::slot::a, 2)) == ra::shared_place::nested);
  CHECK(ra::shared_place_of(of(ww::opcode::imma), ww::operand::use(ww::R(4), ww::slot::b, 2)) ==
        ra::shared_place::ends_together);
  CHECK(ra::shared_place_of(of(ww::opcode::qmma), ww::operand::use(ww::R(4), ww::slot::b, 2)) ==
        ra::shared_place::ends_together);
  CHECK(ra::shared_place_of(of(ww::opcode::omma), ww::operand::use(ww::R(4), ww::slot::a, 4)) == ra::shared_place::never);
  CHECK(ra::shared_place_of(dmma, ww::operand::use(ww::R(4), ww::slot::c, 4)) == ra::shared_place::starts_together);
  CHECK(ra::shared_place_of(dmma, ww::operand::use(ww::P(0), ww::slot::psrc)) == ra::shared_place::free);
}

TEST_CASE("FPA-3 problem: matrix instructions with fixed operands") {
  // Starts of a web from `low` to `high` that physical registers speak against.
  const auto spoilt = [](const built& b, std::uint32_t web, std::int64_t low, std::int64_t high) {
    std::set<std::int64_t> all;
    for (const ra::constraint& c : b.r().constraints_of(b.reg(web))) {
      if (!c.physical) continue;
      const std::int64_t at = c.target;
      const bool part = c.kind == ra::part_point::type;
      const std::int64_t from = part ? at + c.low : at - b.l.webs[web].width + 1;
      const std::int64_t to = part ? at + c.high : at;
      for (std::int64_t s = from; s <= to; ++s) {
        if (low <= s && s <= high) all.insert(s);
      }
    }
    return all;
  };
  // Factors that nobody defines are fixed; they die here.
  const built in(ww_test::program_of<ww::sm80>(R"(
    HMMA.16816.F32 R32, R4, R10, RZ ;
    STG.E.128 [R40.64], R32 ;
    EXIT ;
  )"));
  const std::uint32_t d = web_at(in.l, 0, 0);
  REQUIRE(!in.l.webs[d].is_fixed());
  REQUIRE(in.l.webs[web_at(in.l, 0, 1)].is_fixed());
  CHECK(spoilt(in, d, 0, 7) == std::set<std::int64_t>{1, 2, 3, 5, 6, 7});  // R4 to R7: there or not at all
  CHECK(spoilt(in, d, 8, 14) == std::set<std::int64_t>{11});               // R10 and R11: over both, from R8 to R10
  // A guarded result that nobody defined before is fixed.
  const built out(ww_test::program_of<ww::sm80>(R"(
    LDG.E.128 R4, [R40.64] ;
    LDG.E.64 R10, [R40.64] ;
    @P0 HMMA.16816.F32 R32, R4, R10, RZ ;
    STG.E.128 [R40.64], R32 ;
    EXIT ;
  )"));
  REQUIRE(out.l.webs[web_at(out.l, 2, 0)].is_fixed());
  const std::uint32_t a = web_at(out.l, 0, 0);
  const std::uint32_t f = web_at(out.l, 1, 0);
  // Live in front of it as well, R32 to R35 are nobody else's, but the rule stands beside that.
  for (const std::int64_t s : {29, 30, 31, 33, 34, 35}) CHECK(spoilt(out, a, 28, 36).count(s) == 1);
  for (const std::int64_t s : {31, 32, 33, 35}) CHECK(spoilt(out, f, 28, 36).count(s) == 1);
  for (const std::int64_t s : {28, 29, 30}) CHECK(spoilt(out, f, 28, 36).count(s) == 0);
}

TEST_CASE("FPA-3 problem: a given place beyond the budget does not fit") {
  ra::problem_builder b;
  b.add({});
  ra::allocatable given;
  given.width = 2;
  given.physical = 6;
  given.set(ra::register_flag::pre_assigned);
  b.add(given);
  ra::problem p;
  b.build(p);
  ra::fit_space fit;
  p.file.max_slot = 7;
  CHECK(ra::fit_problem<>(p, fit).fits);
  p.file.max_slot = 6;
  CHECK(!ra::fit_problem<>(p, fit).fits);
}

TEST_CASE("FPA-3 problem: the free part of a tuple is free") {
  // R5 dies at once; R4 lives on. Eight more values fit beside R4 only if one of them has R5.
  const built b(ww_test::program_of<ww::sm80>(R"(
    LDG.E.64 R4, [R40.64] ;
    IADD3 R6, R5, 0x1, RZ ;
    IADD3 R7, R6, R4, RZ ;
    STG.E [R40.64], R7 ;
    EXIT ;
  )"));
  const std::uint32_t pair = web_at(b.l, 0, 0);
  const std::uint32_t r6 = web_at(b.l, 1, 0);
  const auto found = b.between(r6, pair);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == ra::part_point::type);
  CHECK((found[0].low == 0 && found[0].high == 0));  // R4 only
}

TEST_CASE("FPA-3 problem: phases and exact widths are kept by every selection") {
  ra::problem_builder b;
  ra::allocatable a;
  a.width = 3;
  a.alignment_log2 = 2;
  a.phase = 1;
  a.set(ra::register_flag::exact_width);
  for (int k = 0; k < 6; ++k) b.add(a);
  for (std::uint32_t x = 0; x < 6; ++x) {
    for (std::uint32_t y = x + 1; y < 6; ++y) b.interfere(x, y);
  }
  ra::problem p;
  b.build(p);
  p.file.max_slot = 23;
  ra::allocator_workspace ws;
  const auto check = [&](const ra::round_result& r) {
    CHECK(r.registers == 24);  // starts 1, 5, .. 21: the last takes 21, 22 and 23
    std::set<int> starts;
    for (const ra::allocatable& one : p.registers) {
      REQUIRE(one.physical % 4 == 1);
      REQUIRE(!one.has(ra::register_flag::needs_spill));
      starts.insert(one.physical);
    }
    CHECK(starts.size() == 6);
  };
  check(ra::fat_point_allocator<>::run(p, ws));
  check(ra::fat_point_allocator<ra::ordering::straight<>>::run(p, ws, {.attempt = 3}));
  check(ra::fat_point_allocator<ra::select_register<>>::run(p, ws));
  p.candidates.insert(2, 9);
  p.candidates.insert(3, 8);
  const ra::round_result r = ra::fat_point_allocator<>::run(p, ws);
  CHECK(r.candidates == 1);
  CHECK(p.registers[2].physical == 9);
}

TEST_CASE("FPA-3 problem: R1 is nobody's, and registers are as many as asked for") {
  const ww::program code = ww_test::program_of<ww::sm80>("MOV R2, 0x1 ;\nMOV R3, 0x2 ;\nSTG.E [R2.64], R3 ;\nEXIT ;\n");
  ra::program_problem_options o;
  const built kept(code, o);
  REQUIRE(kept.r().file.reserved.size() == 1);
  CHECK(kept.r().file.reserved[0] == 1);
  CHECK(kept.r().file.max_slot == kept.l.physical[0] - 1);
  o.keep_stack_pointer = false;
  o.registers = {40, 3, 70, 2};
  const built free(code, o);
  CHECK(free.r().file.reserved.empty());
  CHECK(free.r().file.max_slot == 39);
  CHECK(free.t.of[1].file.max_slot == 2);
  CHECK(free.t.of[2].file.hardware_limit == 255);
  CHECK(free.t.of[2].file.max_slot == 69);
  CHECK(free.t.of[3].file.max_slot == 1);
  o.registers = {4000, 4000, 4000, 4000};
  const built many(code, o);
  CHECK(many.r().file.max_slot == 254);
  CHECK(many.t.of[1].file.max_slot == 6);
}

TEST_CASE("FPA-3 problem: wishes of copies and of banks") {
  const ww::program code = ww_test::program_of<ww::sm80>(R"(
    S2R R2, SR_TID.X ;
    S2R R3, SR_TID.Y ;
    S2R R6, SR_TID.Z ;
    FFMA R7, R2, R3, R6 ;
    MOV R9, R7 ;
    IMAD.MOV.U32 R10, RZ, RZ, R9 ;
    STG.E [R40.64], R10 ;
    EXIT ;
  )");
  ra::program_problem_options o;
  o.copy_weight = 3;
  o.bank_weight = 2;
  const built b(code, o);
  const auto soft = [&](std::uint32_t x, std::uint32_t y) {
    std::vector<ra::constraint> found;
    for (const ra::constraint& c : b.between(x, y)) {
      if (c.soft) found.push_back(c);
    }
    return found;
  };
  const std::uint32_t r2 = web_at(b.l, 0, 0);
  const std::uint32_t r3 = web_at(b.l, 1, 0);
  const std::uint32_t r6 = web_at(b.l, 2, 0);
  const std::uint32_t r7 = web_at(b.l, 3, 0);
  const std::uint32_t r9 = web_at(b.l, 4, 0);
  const std::uint32_t r10 = web_at(b.l, 5, 0);
  for (const auto& [x, y] : {std::pair(r2, r3), std::pair(r3, r6), std::pair(r2, r6)}) {
    REQUIRE(soft(x, y).size() == 1);
    REQUIRE(soft(y, x).size() == 1);
    CHECK((soft(x, y)[0].kind == ra::other_bank::type && soft(x, y)[0].weight == 2));
  }
  for (const auto& [x, y] : {std::pair(r7, r9), std::pair(r9, r10)}) {
    REQUIRE(soft(x, y).size() == 1);
    REQUIRE(soft(y, x).size() == 1);
    CHECK((soft(x, y)[0].kind == ra::range::type && soft(x, y)[0].weight == 3));
  }
  CHECK(soft(r2, r7).empty());
  ra::allocation_space space;
  ra::program_allocation_options options;
  options.problems = o;
  lifted_program l = b.l;
  const ra::program_allocation a = ra::allocate_program(l, space, options);
  REQUIRE(a.ok());
  CHECK(a.where[r7] == a.where[r9]);
  CHECK(a.where[r9] == a.where[r10]);
}

TEST_CASE("FPA-3 problem: bank wishes against parts of tuples, whose parity is known") {
  const ww::program code = ww_test::program_of<ww::sm80>(R"(
    LDG.E.64 R2, [R40.64] ;
    S2R R5, SR_TID.X ;
    S2R R6, SR_TID.Y ;
  loop:
    FFMA R7, R5, R3, RZ ;
    FFMA R8, R2, R3, R6 ;
    FADD R9, R5, R5 ;
    STG.E.64 [R40.64], R2 ;
    STG.E [R40.64], R7 ;
    STG.E [R40.64], R8 ;
    STG.E [R40.64], R9 ;
    @P0 BRA `(loop) ;
    EXIT ;
  )");
  lifted_program l = ww::lift(code);
  const std::uint32_t pair = web_at(l, 0, 0);
  const std::uint32_t r5 = web_at(l, 1, 0);
  const std::uint32_t r6 = web_at(l, 2, 0);
  REQUIRE((l.webs[pair].width == 2 && l.webs[pair].alignment == 2));
  ra::program_problem_options o;
  o.bank_weight = 3;
  const auto wishes = [&](std::uint32_t web) {
    ra::problem p;
    ra::program_map map;
    ra::program_problem_space space;
    ra::build_problem(l, pressure_class::r, p, map, space, o);
    std::vector<ra::constraint> found;
    for (const ra::constraint& c : p.constraints_of(map.register_of_web[web])) {
      if (c.soft) found.push_back(c);
    }
    return found;
  };
  const std::int32_t rank = ra::rank_of(l.code.blocks[1].weight);
  REQUIRE(rank == 4);  // ten times
  CHECK(wishes(pair).empty());
  auto found = wishes(r5);
  REQUIRE(found.size() == 1);  // of the loop's first line only: R5 twice is one register
  CHECK((found[0].kind == ra::other_bank::type && found[0].physical && found[0].target == 1 && found[0].weight == 3 * rank));
  found = wishes(r6);  // beside R2 and R3: one of each parity
  REQUIRE(found.size() == 2);
  CHECK((found[0].target == 0 && found[1].target == 1 && found[0].physical && found[1].physical));
  l.webs[pair].phase = 1;  // a tuple that begins at an odd register
  CHECK(wishes(r5)[0].target == 0);
  l.webs[pair].alignment = 1;  // at any
  CHECK(wishes(r5).empty());
  CHECK(wishes(r6).empty());
  o.bank_weight = 0;
  o.copy_weight = 1;
  CHECK(wishes(r6).empty());
}

TEST_CASE("FPA-3 problem: wide sources have no wish for a bank") {
  ra::program_problem_options o;
  o.bank_weight = 1;
  const built b(ww_test::program_of<ww::sm80>(R"(
    LDG.E.64 R2, [R40.64] ;
    S2R R5, SR_TID.X ;
    S2R R6, SR_TID.Y ;
    IMAD.WIDE R8, R5, R6, R2 ;
    STG.E.64 [R40.64], R8 ;
    EXIT ;
  )"),
                o);
  std::size_t wishes = 0;
  for (const ra::constraint& c : b.r().constraints) wishes += c.soft ? 1u : 0u;
  CHECK(wishes == 2);  // R5 and R6, each to the other
}

TEST_CASE("FPA-3 problem: webs that follow each other closely wish to be apart") {
  const ww::program code = ww_test::program_of<ww::sm80>(R"(
    MOV R2, 0x1 ;
    STG.E [R40.64], R2 ;
    MOV R3, 0x2 ;
    STG.E [R40.64], R3 ;
    EXIT ;
  )");
  ra::program_problem_options o;
  o.apart_weight = 5;
  const built b(code, o);
  const std::uint32_t r2 = web_at(b.l, 0, 0);
  const std::uint32_t r3 = web_at(b.l, 2, 0);
  for (const auto& [x, y] : {std::pair(r2, r3), std::pair(r3, r2)}) {
    const auto found = b.between(x, y);
    REQUIRE(found.size() == 1);
    CHECK((found[0].kind == ra::apart::type && found[0].soft && found[0].weight == 5 * ra::apart_wishes::far_weight));
  }
  lifted_program l = b.l;
  ra::allocation_space space;
  ra::program_allocation_options options;
  options.problems.registers = {44, 0, 0, 0};
  const ra::program_allocation plain = ra::allocate_program(l, space, options);
  REQUIRE(plain.ok());
  CHECK(plain.where[r2] == plain.where[r3]);
  options.problems.apart_weight = 1;
  const ra::program_allocation wished = ra::allocate_program(l, space, options);
  REQUIRE(wished.ok());
  CHECK(wished.where[r2] != wished.where[r3]);
}

TEST_CASE("FPA-3 problem: parts of tuples that lie apart have no wish as copies") {
  ra::program_problem_options o;
  o.copy_weight = 1;
  const built b(ww_test::program_of<ww::sm80>(R"(
    LDG.E.64 R2, [R40.64] ;
    MOV R5, R3 ;
    STG.E.64 [R40.64], R2 ;
    STG.E [R40.64], R5 ;
    EXIT ;
  )"),
                o);
  for (const ra::constraint& c : b.r().constraints) CHECK(!c.soft);
}

TEST_CASE("FPA-3 problem: fixed webs say their place, and no web beyond the budget is an answer") {
  built b(ww_test::program_of<ww::sm80>("MOV R2, 0x1 ;\nSTG.E [R40.64], R2 ;\nEXIT ;\n"));
  const std::uint32_t fixed = b.reg(web_at(b.l, 1, 0));
  const auto list = b.r().constraints_of(fixed);
  REQUIRE(list.size() == 1);
  CHECK((list[0].kind == ra::exclude_all_but::type && list[0].target == 40 && list[0].physical && !list[0].soft));
  ww::vec<std::uint32_t> where;
  ra::allocatable& a = b.t.of[0].registers[b.reg(web_at(b.l, 0, 0))];
  a.physical = 7;
  CHECK(ra::assignment_of(b.l, b.t, where));
  a.set(ra::register_flag::needs_spill);
  CHECK(!ra::assignment_of(b.l, b.t, where));
  CHECK(where[web_at(b.l, 0, 0)] == 7);  // its place beyond the budget
}

TEST_CASE("FPA-3 attempts: what failed rises, so that later attempts fit more, and costs come back") {
  std::mt19937 rng(4);
  std::size_t two = 0;
  std::size_t many = 0;
  std::size_t fewer = 0;
  ra::fit_space fit;
  for (int run = 0; run < 300; ++run) {
    ra::problem_builder b;
    const std::uint32_t n = 14;
    for (std::uint32_t k = 0; k < n; ++k) {
      ra::allocatable a;
      a.width = static_cast<std::uint16_t>(1 + rng() % 3);
      a.alignment_log2 = static_cast<std::uint8_t>(a.width > 1 ? 1 : 0);
      a.spill_cost = 1 + k;
      a.set(ra::register_flag::exact_width);
      b.add(a);
    }
    for (int k = 0; k < 45; ++k) b.interfere(static_cast<std::uint32_t>(rng() % n), static_cast<std::uint32_t>(rng() % n));
    std::uint32_t first_registers = 0;
    for (const std::uint32_t attempts : {1u, 3u, 16u}) {
      ra::problem p;
      b.build(p);
      p.file.max_slot = 8;
      const ra::fit_result r = ra::fit_problem<>(p, fit, {.attempts = attempts, .repair_steps = 0});
      if (attempts > 1) (attempts == 3 ? two : many) += r.fits ? 1u : 0u;
      // Where nothing fits the answer is that of the attempt with the fewest registers.
      if (attempts == 1) first_registers = r.round.registers;
      if (!r.fits) {
        REQUIRE(r.round.registers <= first_registers);
        fewer += r.round.registers < first_registers ? 1u : 0u;
      }
      for (std::uint32_t k = 0; k < n; ++k) REQUIRE(p.registers[k].spill_cost == 1 + k);
    }
  }
  CHECK(two > 30);
  CHECK(many > two + 3);
  CHECK(fewer > 3);
  WARN(two << " fit in three attempts, " << many << " in sixteen");
}

TEST_CASE("FPA-3 problem: odd input") {
  ra::allocation_space space;
  const ra::program_allocation none = ra::allocate_program(lifted_program(), space);
  CHECK(none.ok());
  CHECK(none.where.empty());
  ww::program no_blocks;
  no_blocks.instructions.resize(2);
  no_blocks.order = {ww::instr_id{0}, ww::instr_id{1}};
  const lifted_program bad = ww::lift(no_blocks);
  CHECK(!bad.ok());
  CHECK(ra::allocate_program(bad, space).where.empty());
  built b(ww_test::program_of<ww::sm80>("MOV R2, 0x1 ;\nSTG.E [R40.64], R2 ;\nEXIT ;\n"));
  ww::vec<std::uint32_t> where;
  CHECK(!ra::assignment_of(b.l, {}, b.t.map, where));
  ra::program_map other;
  CHECK(!ra::assignment_of(b.l, {b.t.of.data(), b.t.of.size()}, other, where));
  CHECK(where.size() == b.l.webs.size());
}
