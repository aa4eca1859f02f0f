// SPDX-License-Identifier: BSL-1.0
//
// The check of a register allocation, one thing at a time: every fact of an instruction, an operand, a block and an edge that an
// allocation must leave alone is changed by itself, in code that is right otherwise, and is told.
#include <cstdint>
#include <string>

#include <warpwright/isa/opcode.hpp>
#include <warpwright/isa/sched_class.hpp>

#include "allocation_support.hpp"

namespace {

using f = ww::verify::allocation_fault;
using ww_test::allocated;
using ww_test::allocated_pair;

// A guarded branch, a load and a store with an offset, a modifier, a constant and an immediate.
const std::string before =
    "S2R R1024, SR_TID.X\n"
    "ISETP.GE.AND P1024, PT, R1024, c[0x0][0x160], PT\n"
    "LDG.E R1025, [R2.64+0x10]\n"
    "@P1024 BRA `(other)\n"
    "IADD3 R1025, -R1024, R1025, RZ\n"
    "BRA `(join)\n"
    "other:\n"
    "IADD3 R1025, R1024, 0x7, RZ\n"
    "join:\n"
    "STG.E [R2.64], R1025\n"
    "EXIT\n";
const std::string after =
    "= S2R R4, SR_TID.X\n"
    "= ISETP.GE.AND P0, PT, R4, c[0x0][0x160], PT\n"
    "= LDG.E R5, [R2.64+0x10]\n"
    "= @P0 BRA `(other)\n"
    "= IADD3 R5, -R4, R5, RZ\n"
    "= BRA `(join)\n"
    "other:\n"
    "= IADD3 R5, R4, 0x7, RZ\n"
    "join:\n"
    "= STG.E [R2.64], R5\n"
    "= EXIT\n";
constexpr std::uint32_t load = 2, guarded = 3, sum = 4, with_immediate = 6;

template <class Change>
f changed(Change change) {
  allocated_pair bad = allocated(before, after);
  REQUIRE(bad.check().clean());
  change(bad.after);
  return bad.check().fault;
}
template <class Change>
f changed(std::uint32_t at, Change change) {
  return changed([&](ww::program& p) { change(p.instructions[at]); });
}
template <class Change>
f changed_operand(std::uint32_t at, std::uint32_t k, Change change) {
  return changed([&](ww::program& p) { change(p.operands[p.instructions[at].first_operand + k]); });
}

}  // namespace

TEST_CASE("FPA-10 fields: what an instruction is") {
  using i = ww::instruction;
  CHECK(changed(sum, [](i& x) { x.op = ww::opcode::lop3; }) == f::instruction);
  CHECK(changed(sum, [](i& x) { x.iclass = ww::sched_class::fma; }) == f::instruction);
  CHECK(changed(sum, [](i& x) { x.add(ww::iflag::reads_constant); }) == f::instruction);
  CHECK(changed(load, [](i& x) { x.space = ww::mem_space::shared; }) == f::instruction);
  CHECK(changed(sum, [](i& x) { x.dir = ww::mem_dir::load; }) == f::instruction);
  CHECK(changed(load, [](i& x) { x.mem_bytes = 8; }) == f::instruction);
  CHECK(changed(load, [](i& x) { x.mem_offset = 0x14; }) == f::instruction);
  CHECK(changed(sum, [](i& x) { x.region = ww::region_kind::sync; }) == f::instruction);
  CHECK(changed(sum, [](i& x) { x.other_value = 1; }) == f::instruction);
  CHECK(changed(guarded, [](i& x) { x.guard_negated = 1; }) == f::instruction);
  CHECK(changed(sum, [](i& x) { --x.operand_count; }) == f::instruction);
  CHECK(changed(sum, [](i& x) { x.target = ww::instr_id{0}; }) == f::instruction);
  CHECK(changed(guarded, [](i& x) { x.target = ww::instr_id{}; }) == f::instruction);
  // Where a block ends, an effect, an instruction that comes from nowhere.
  CHECK(changed(sum, [](i& x) { x.add(ww::iflag::ends_block); }) == f::flow);
}

TEST_CASE("FPA-10 fields: what an operand is") {
  using o = ww::operand;
  const auto retyped = [](ww::operand_type t) {
    return [t](o& x) { x.low = (x.low & ~(7u << 28)) | static_cast<std::uint32_t>(t) << 28; };
  };
  const auto renamed = [](ww::reg r) { return [r](o& x) { x.low = (x.low & ~0xffffffu) | r.packed; }; };
  const allocated_pair good = allocated(before, after);
  const auto ops = good.after.operands_of(good.after.instructions[with_immediate]);
  std::uint32_t immediate = 0;
  while (ops[immediate].type() != ww::operand_type::immediate) ++immediate;
  CHECK(changed_operand(sum, 1, [](o& x) { x.low ^= o::bit_negate; }) == f::instruction);
  CHECK(changed_operand(sum, 1, [](o& x) { x.high ^= o::bit_not; }) == f::instruction);
  CHECK(changed_operand(sum, 1, [](o& x) { x.high ^= o::bit_high_half; }) == f::instruction);
  CHECK(changed_operand(sum, 1, [](o& x) { ++x.high; }) == f::instruction);  // its width
  CHECK(changed_operand(sum, 1, [](o& x) { x.high ^= o::bit_reuse; }) == f::none);
  CHECK(changed_operand(sum, 1, retyped(ww::operand_type::immediate)) == f::instruction);
  CHECK(changed_operand(sum, 1, renamed(ww::reg{ww::reg_file::ur, 4})) == f::instruction);
  CHECK(changed_operand(with_immediate, immediate, retyped(ww::operand_type::constant)) == f::instruction);
  CHECK(changed_operand(with_immediate, immediate, renamed(ww::reg{ww::reg_file::r, 4})) == f::instruction);
  CHECK(changed_operand(0, 1, renamed(ww::reg{ww::reg_file::special, 200})) == f::instruction);  // another special register
}

TEST_CASE("FPA-10 fields: where blocks and edges stand") {
  CHECK(changed([](ww::program& p) { p.blocks[1].entry = !p.blocks[1].entry; }) == f::flow);
  CHECK(changed([](ww::program& p) { p.blocks[1].open_exit = !p.blocks[1].open_exit; }) == f::flow);
  CHECK(changed([](ww::program& p) { --p.blocks[0].edge_count; }) == f::flow);
  CHECK(changed([](ww::program& p) { p.edges[0].kind = ww::edge_kind::call; }) == f::flow);
  CHECK(changed([](ww::program& p) {
          p.edges[0].to = ww::block_id{3};
          p.edges[1].to = ww::block_id{3};
        }) == f::flow);
  CHECK(changed([](ww::program& p) { p.edges.push_back(p.edges[0]); }) == f::flow);
  // A block without edges may begin its list anywhere: elsewhere is another list all the same.
  CHECK(changed([](ww::program& p) { p.blocks.back().first_edge = 0; }) == f::flow);
  // Lists that contradict themselves.
  CHECK(changed([](ww::program& p) { p.edges[0].from = ww::block_id{1}; }) == f::program_after);
  CHECK(changed([](ww::program& p) { p.edges[0].to = ww::block_id{99}; }) == f::program_after);
  CHECK(changed_operand(sum, 1, [](ww::operand& x) {
          x = ww::operand::use(ww::reg{ww::reg_file::r, ww::reg::zero_number - 1}, ww::slot::a, 2);
        }) == f::program_after);
}
