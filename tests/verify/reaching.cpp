// SPDX-License-Identifier: BSL-1.0
//
// verify::same_reaching against a walk over all paths: random instructions are moved inside and between blocks of random
// programs, and it must find a difference exactly where the walk does. Then one test per rule and fault.
#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <warpwright/isa/builder.hpp>
#include <warpwright/verify/reaching.hpp>

#include "../support/catch.hpp"
#include "../support/program_text.hpp"
#include "../support/random_flow.hpp"
#include "../support/reaching_oracle.hpp"

namespace {

using ww::instr_id;
using ww::verify::reaching_difference;
using ww::verify::reaching_fault;
using ww::verify::same_reaching;
using ww_test::text;

// Takes the instruction at position `from` of block `a` and puts it before position `to` of block `b` (positions in the
// block).
void move(ww::program& p, std::uint32_t a, std::uint32_t from, std::uint32_t b, std::uint32_t to) {
  const instr_id i = p.order[p.blocks[a].first + from];
  p.order.erase(p.order.begin() + p.blocks[a].first + from);
  --p.blocks[a].count;
  for (ww::block& blk : p.blocks) {
    if (blk.first > p.blocks[a].first) --blk.first;
  }
  p.order.insert(p.order.begin() + p.blocks[b].first + to, i);
  ++p.blocks[b].count;
  for (ww::block& blk : p.blocks) {
    if (blk.first > p.blocks[b].first) ++blk.first;
  }
}

std::set<std::int64_t> uses_that_differ(const ww_test::reaching_oracle& x, const ww_test::reaching_oracle& y) {
  std::vector<ww_test::reaching_oracle::pair> pairs;
  std::set_symmetric_difference(x.pairs.begin(), x.pairs.end(), y.pairs.begin(), y.pairs.end(), std::back_inserter(pairs));
  std::set<std::int64_t> uses;
  for (const auto& pair : pairs) uses.insert(pair.first);
  return uses;
}

bool ends(const ww::program& p, std::uint32_t b, std::uint32_t at) {
  return p[p.order[p.blocks[b].first + at]].has(ww::iflag::ends_block);
}

// Does a branch, a table, a leader or an entry name the instruction?
bool names(const ww::program& p, instr_id id) {
  bool found = false;
  for (const ww::instruction& i : p.instructions) found = found || i.target == id;
  for (const instr_id i : p.table_targets) found = found || i == id;
  for (const instr_id i : p.leaders) found = found || i == id;
  for (const ww::function& f : p.functions) found = found || f.entry == id;
  return found;
}

#ifdef WW_TEST_FEW_ARCHS  // sanitizer builds are slow
constexpr unsigned seeds = 200;
#else
constexpr unsigned seeds = 1200;
#endif

}  // namespace

TEST_CASE("reaching: agrees with a walk over all paths, for moves inside and between blocks") {
  std::size_t same = 0;
  std::size_t different = 0;
  std::size_t carried = 0;
  std::size_t other_call = 0;
  std::size_t elsewhere = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    ww_test::random_flow_options o;
    o.count = 8 + seed % 30;
    o.registers = 8 + seed % 20;
    const ww::program p = ww_test::random_flow(seed, o);
    bool open = p.blocks.empty();
    for (const ww::block& b : p.blocks) open = open || b.open_exit;
    if (open) continue;
    INFO("seed " << seed);
    using edges = ww_test::reaching_oracle::edges;
    const ww_test::reaching_oracle before(p);
    const ww_test::reaching_oracle before_once(p, edges::once);
    const ww_test::reaching_oracle before_ended(p, edges::ended);
    const ww_test::reaching_oracle before_passed(p, edges::passed);
    REQUIRE(same_reaching(p, p).ok());
    std::mt19937 rng(seed);
    for (unsigned k = 0; k < 6; ++k) {
      ww::program q = p;
      const auto a = static_cast<std::uint32_t>(rng() % q.blocks.size());
      const auto b = k % 2 == 0 ? a : static_cast<std::uint32_t>(rng() % q.blocks.size());
      const auto from = static_cast<std::uint32_t>(rng() % q.blocks[a].count);
      if (q.blocks[a].count < 2 || ends(q, a, from)) continue;
      const std::uint32_t room = q.blocks[b].count - (a == b ? 1u : 0u);
      auto to = static_cast<std::uint32_t>(rng() % (room + 1));
      const std::uint32_t last = q.blocks[b].count - 1;
      if (to == room && ends(q, b, last)) --to;
      move(q, a, from, b, to);
      const ww_test::reaching_oracle after(q);
      const ww_test::reaching_oracle after_once(q, edges::once);
      const auto ended = uses_that_differ(before_ended, ww_test::reaching_oracle(q, edges::ended));
      const auto passed = uses_that_differ(before_passed, ww_test::reaching_oracle(q, edges::passed));
      const bool one_call =
          std::none_of(ended.begin(), ended.end(), [&](std::int64_t use) { return passed.count(use) != 0; });
      // Does somebody name what went to another block? Then he leads there now.
      const bool named = a != b && names(p, p.order[p.blocks[a].first + from]);
      const reaching_difference d = same_reaching(p, q);
      INFO("from block " << a << " place " << from << " to block " << b << " place " << to << ", fault "
                         << static_cast<int>(d.fault) << " use " << d.use.value);
      const bool equal = before.pairs == after.pairs;
      const bool same_values = equal && before_once.pairs == after_once.pairs && one_call;
      REQUIRE(d.ok() == (same_values && !named));
      other_call += equal && before_once.pairs == after_once.pairs && !one_call ? 1u : 0u;
      ++(d.ok() ? same : different);
      if (d.ok()) continue;
      if (same_values) {
        REQUIRE(d.fault == reaching_fault::target);
        ++elsewhere;
        continue;
      }
      if (equal) {
        REQUIRE(d.fault == reaching_fault::carried);
        ++carried;
        continue;
      }
      REQUIRE(d.fault == reaching_fault::use);
      const reaching_difference back = same_reaching(q, p);
      REQUIRE(back.use == d.use);
      REQUIRE(back.operand == d.operand);
      // The definition that is named does reach this use in the one program and not in the other.
      std::int64_t use = d.part;
      for (std::uint32_t i = 0; i <= d.use.index(); ++i) {
        const auto ops = p.operands_of(instr_id{i});
        for (std::size_t n = 0; n < ops.size() && (i < d.use.index() || n < d.operand); ++n) use += ops[n].width();
      }
      std::vector<std::uint32_t> owner;
      for (std::uint32_t i = 0; i < p.instructions.size(); ++i) {
        for (const ww::operand x : p.operands_of(instr_id{i})) owner.insert(owner.end(), x.width(), i);
      }
      const auto reached_by = [&](const ww_test::reaching_oracle& r) {
        std::size_t n = 0;
        for (const auto& [u, def] : r.pairs) {
          if (u != use) continue;
          if (d.def.valid() ? def >= 0 && owner[static_cast<std::size_t>(def)] == d.def.index() : def < 0) ++n;
        }
        return n;
      };
      REQUIRE(reached_by(d.in_first ? before : after) > 0);
      REQUIRE(reached_by(d.in_first ? after : before) < reached_by(d.in_first ? before : after));
    }
  }
  CHECK(same > seeds / 6);
  CHECK(different > seeds * 5 / 6);
  CHECK(carried > seeds / 60);
  CHECK(other_call > seeds / 240);
  CHECK(elsewhere > seeds / 60);
}

TEST_CASE("reaching: registers may be renamed") {
  const ww::program p = text("MOV R4, 0x1\nIADD3 R5, R4, 0x1, RZ\nMOV R4, R5\nSTG.E [R2.64], R4\nEXIT");
  CHECK(same_reaching(p, text("MOV R9, 0x1\nIADD3 R8, R9, 0x1, RZ\nMOV R1030, R8\nSTG.E [R2.64], R1030\nEXIT")).ok());
  const reaching_difference d =
      same_reaching(p, text("MOV R9, 0x1\nIADD3 R8, R9, 0x1, RZ\nMOV R4, R9\nSTG.E [R2.64], R4\nEXIT"));
  CHECK(d.fault == reaching_fault::use);
  CHECK(d.use == instr_id{2});
  CHECK(d.name == ww::R(5));
  CHECK(d.def == instr_id{1});
  CHECK(d.in_first);
  // What stood in a register at the entry is known by its name.
  const reaching_difference e =
      same_reaching(p, text("MOV R4, 0x1\nIADD3 R5, R4, 0x1, RZ\nMOV R4, R5\nSTG.E [R6.64], R4\nEXIT"));
  CHECK(e.use == instr_id{3});
  CHECK(!e.def.valid());
}

TEST_CASE("reaching: complementary guards of one value do not meet") {
  const ww::program p = text(R"(
    MOV R4, 0x1
    @P0 FADD R5, R4, R4
    @!P0 MOV R4, 0x2
    FADD R6, R4, R5
    EXIT)");
  ww::program q = p;
  std::swap(q.order[1], q.order[2]);
  CHECK(same_reaching(p, q).ok());
  ww::program r = p;
  std::swap(r.order[0], r.order[2]);
  CHECK(same_reaching(p, r).fault == reaching_fault::use);
  SECTION("any number of definitions and guards") {
    std::string code = "MOV R4, 0x1\n";
    for (unsigned k = 0; k < 14; ++k) {
      const std::string with = (k % 2 == 0 ? "@P" : "@!P") + std::to_string(k / 2),
                        without = (k % 2 == 0 ? "@!P" : "@P") + std::to_string(k / 2);
      code += without + " MOV R4, 0x2\n" + with + " FADD R5, R4, R4\n" + without + " MOV R4, 0x3\n" + with +
              " FADD R6, R4, R4\n";
    }
    const ww::program a = text((code + "@P0 FADD R7, R4, R4\nEXIT").c_str());
    ww::program b = a;
    for (unsigned k = 0; k < 14; ++k) std::swap(b.order[4 * k + 2], b.order[4 * k + 3]);
    CHECK(same_reaching(a, b).ok());
    std::swap(b.order[56], b.order[57]);  // @!P6 FADD R6 and @P0 FADD R7
    CHECK(same_reaching(a, b).ok());
    std::swap(b.order[2], b.order[5]);
    CHECK(same_reaching(a, b).fault == reaching_fault::use);
  }
  SECTION("but for another value of the predicate") {
    const ww::program a = text(R"(
      @P0 FADD R5, R4, R4
      ISETP.NE.AND P0, PT, R7, RZ, PT
      @!P0 MOV R4, 0x2
      FADD R6, R4, R5
      EXIT)");
    ww::program b = a;
    b.order = {instr_id{1}, instr_id{2}, instr_id{0}, instr_id{3}, instr_id{4}};
    CHECK(same_reaching(a, b).use == instr_id{0});
  }
  SECTION("and for instructions that read other threads' registers") {
    const ww::program a = text(R"(
      MOV R4, 0x1
      @P0 SHFL.IDX PT, R5, R4, 0x0, 0x1f
      @!P0 MOV R4, 0x2
      FADD R6, R4, R5
      EXIT)");
    ww::program b = a;
    std::swap(b.order[1], b.order[2]);
    CHECK(same_reaching(a, b).use == instr_id{1});
  }
  SECTION("and round a loop, where the predicate is another one") {
    const ww::program a = text(R"(
    loop:
      @P0 FADD R5, R4, R4
      @!P0 MOV R4, 0x2
      FADD R6, R4, R5
      @P1 BRA `(loop)
      EXIT)");
    ww::program b = a;
    std::swap(b.order[0], b.order[1]);
    CHECK(same_reaching(a, b).ok());
    b.order = {instr_id{0}, instr_id{2}, instr_id{1}, instr_id{3}, instr_id{4}};
    const reaching_difference d = same_reaching(a, b);
    CHECK(d.fault == reaching_fault::carried);  // R4 of the last iteration in place of this one's
    CHECK(d.use == instr_id{2});
    CHECK(d.def == instr_id{1});
    CHECK(d.in_first);
  }
}

TEST_CASE("reaching: a value of this call is not one of the last") {
  // P3 holds what the comparison has left there, in this call or, where its guard says no, in an earlier one.
  ww::program p = text(R"(
    CALL.REL.NOINC `(leaf)
    CALL.REL.NOINC `(leaf)
    STG.E [R2.64], R9
    EXIT
  leaf:
    @!P2 ISETP.GE.U32.AND P3, PT, R10, R8, PT
    @!P2 SEL R9, R11, 0x63400000, !P3
    RET.REL.NODEC R20 `(leaf))");
  ww::function kernel;
  kernel.kernel = true;
  kernel.entry = instr_id{0};
  ww::function leaf;
  leaf.entry = instr_id{4};
  p.functions = {kernel, leaf};
  REQUIRE(ww::build_cfg(p).ok);
  CHECK(same_reaching(p, p).ok());
  ww::program q = p;
  std::swap(q.order[4], q.order[5]);
  const reaching_difference d = same_reaching(p, q);
  CHECK(d.fault == reaching_fault::carried);
  CHECK(d.use == instr_id{5});
  CHECK(d.def == instr_id{4});
  CHECK(d.in_first);
}

TEST_CASE("reaching: code that is not known reads and writes every physical register") {
  const ww::program p = text("MOV R4, 0x1\nMOV R5, 0x2\nCALL.ABS.NOINC R6\nFADD R7, R4, R5\nRET.ABS.NODEC R8 0x0");
  REQUIRE(p.blocks.size() == 2);
  ww::program q = p;
  move(q, 0, 1, 1, 0);  // MOV R5 behind the call
  reaching_difference d = same_reaching(p, q);
  CHECK(d.fault == reaching_fault::use);
  CHECK(d.use == instr_id{3});
  CHECK(d.operand == 2);
  CHECK(d.def == instr_id{2});  // the call may write R5
  CHECK(d.in_first);
  ww::program r = p;
  move(r, 1, 0, 0, 2);  // FADD in front of the call
  CHECK(!same_reaching(p, r).ok());
  const ww::program a = text("MOV R4, 0x1\nMOV R4, 0x2\nRET.ABS.NODEC R8 0x0");
  ww::program b = a;
  std::swap(b.order[0], b.order[1]);
  d = same_reaching(a, b);
  CHECK(d.fault == reaching_fault::exit);
  CHECK(d.use == instr_id{2});
  CHECK(d.name == ww::R(4));
  CHECK(d.def == instr_id{1});
  CHECK(d.in_first);
}

TEST_CASE("reaching: programs of different shape") {
  const ww::program p = text("MOV R4, 0x1\nMOV R5, R4\nEXIT");
  CHECK(same_reaching(p, text("MOV R4, 0x1\nIADD3 R5, R4, R4, RZ\nEXIT")).fault == reaching_fault::shape);
  const reaching_difference d = same_reaching(p, text("MOV R4, 0x1\nMOV R5, R4"));
  CHECK(d.fault == reaching_fault::shape);
  CHECK(d.use == instr_id{2});
  ww::program q = p;
  q.blocks[0].count = 2;
  CHECK(same_reaching(p, q).fault == reaching_fault::missing);
  CHECK(same_reaching(p, q).use == instr_id{2});
  CHECK(same_reaching(p, q).in_first);
  q = p;
  q.order[0] = q.order[1];
  CHECK(same_reaching(p, q).fault == reaching_fault::missing);
  CHECK(same_reaching(ww::program{}, ww::program{}).ok());
}

namespace {

// Five blocks: the first; "a" and "b", to which branches go; the two behind their branches.
ww::program named_blocks() {
  ww::program p = text(
      "MOV R8, 0x1\n@P0 BRA `(b)\na:\nMOV R9, 0x2\nMOV R10, 0x3\n@P1 BRA `(a)\nSTG.E [R2.64], R8\nEXIT\n"
      "b:\nMOV R11, 0x4\nSTG.E [R4.64], R8\nEXIT");
  REQUIRE(p.blocks.size() == 4);
  return p;
}
reaching_difference after(void (*change)(ww::program&)) {
  const ww::program p = named_blocks();
  ww::program q = p;
  change(q);
  return same_reaching(p, q);
}

}  // namespace

TEST_CASE("reaching: what branches, tables, leaders and entries name leads to the same block") {
  CHECK(after([](ww::program&) {}).ok());
  // R9 is read nowhere: no value tells that the loop begins elsewhere now.
  reaching_difference d = after([](ww::program& p) { move(p, 1, 0, 0, 0); });
  CHECK(d.fault == reaching_fault::target);
  CHECK(d.use == instr_id{4});
  CHECK(d.def == instr_id{2});
  // Inside its block it may go anywhere, and another may leave.
  CHECK(after([](ww::program& p) { move(p, 1, 0, 1, 1); }).ok());
  CHECK(after([](ww::program& p) { move(p, 1, 1, 0, 0); }).ok());
  // A name that was changed, to another place of the same block and to another block.
  CHECK(after([](ww::program& p) { p.instructions[4].target = instr_id{3}; }).ok());
  d = after([](ww::program& p) { p.instructions[4].target = instr_id{5}; });
  CHECK(d.fault == reaching_fault::target);
  CHECK(d.use == instr_id{4});
  CHECK(d.def == instr_id{5});
  d = after([](ww::program& p) { p.instructions[1].target = {}; });
  CHECK(d.fault == reaching_fault::target);
  CHECK(d.use == instr_id{1});
  CHECK_FALSE(d.def.valid());
}

TEST_CASE("reaching: branch tables, leaders and entries have names too") {
  ww::program p = named_blocks();
  p.tables.push_back({instr_id{6}, 0, 2});
  p.table_targets = {instr_id{2}, instr_id{7}};
  p.leaders.push_back(instr_id{5});
  p.functions.push_back({});
  p.functions.push_back({});
  p.functions[1].entry = instr_id{7};
  const auto changed = [&p](auto change) {
    ww::program q = p;
    change(q);
    const reaching_difference d = same_reaching(p, q);
    return d.fault == reaching_fault::target ? d.use : instr_id{};
  };
  CHECK(same_reaching(p, p).ok());
  CHECK(changed([](ww::program& q) { q.table_targets[1] = instr_id{5}; }) == instr_id{6});
  CHECK(changed([](ww::program& q) { q.tables[0].count = 1; }) == instr_id{6});
  CHECK(changed([](ww::program& q) { q.tables.clear(); }) == instr_id{6});
  CHECK(changed([](ww::program& q) { q.tables.push_back({instr_id{9}, 0, 1}); }) == instr_id{9});
  CHECK(changed([](ww::program& q) { q.leaders[0] = instr_id{7}; }) == instr_id{5});
  CHECK(changed([](ww::program& q) { q.leaders.push_back(instr_id{2}); }) == instr_id{});
  CHECK_FALSE(same_reaching(p,
                            [&p] {
                              ww::program q = p;
                              q.leaders.push_back(instr_id{2});
                              return q;
                            }())
                  .ok());
  CHECK(changed([](ww::program& q) { q.functions[1].entry = instr_id{5}; }) == instr_id{7});
  CHECK_FALSE(same_reaching(p,
                            [&p] {
                              ww::program q = p;
                              q.functions.clear();
                              return q;
                            }())
                  .ok());
  CHECK(same_reaching(p,
                      [&p] {  // cuobjdump prints no labels
                        ww::program q = p;
                        q.leaders.clear();
                        return q;
                      }())
            .ok());
  // Another instruction of the same block is as good.
  CHECK(same_reaching(p,
                      [&p] {
                        ww::program q = p;
                        q.table_targets[1] = instr_id{8};
                        q.leaders[0] = instr_id{6};
                        return q;
                      }())
            .ok());
}

TEST_CASE("reaching: blocks that a layouter moved are known by their instructions") {
  const ww::program p = named_blocks();
  // The last block in front of the one before it: numbers change, instructions do not.
  ww::program q = p;
  std::swap(q.blocks[2], q.blocks[3]);
  for (ww::cfg_edge& e : q.edges) {
    for (ww::block_id* b : {&e.from, &e.to}) *b = b->index() < 2 ? *b : ww::block_id{5 - b->index()};
  }
  std::rotate(q.order.begin() + 5, q.order.begin() + 7, q.order.end());
  q.blocks[2].first = 5;
  q.blocks[3].first = 8;
  CHECK(same_reaching(p, q).ok());
  q.instructions[4].target = instr_id{7};
  CHECK(same_reaching(p, q).fault == reaching_fault::target);
  q.instructions[4].target = instr_id{2};
  std::swap(q.order[2], q.order[5]);  // MOV R9 and MOV R11 change places, and each is named
  CHECK(same_reaching(p, q).use == instr_id{1});
}
