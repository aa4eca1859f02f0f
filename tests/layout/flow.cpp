// SPDX-License-Identifier: BSL-1.0
//
// HC-3, HC-4, HC-6: which block stands where, and what becomes of the branches, on small programs.
#include <string>
#include <vector>

#include "../region/support.hpp"
#include "../support/catch.hpp"
#include "warpwright/arch/sm120.hpp"
#include "warpwright/arch/sm75.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/isa/opcode_id.hpp"
#include "warpwright/layout/layouter.hpp"

using namespace ww;
using ww_test::from_text;

namespace {

layout::cold_marks cold(const program& p, std::vector<std::uint32_t> blocks) {
  layout::cold_marks marks;
  marks.reasons.assign(p.blocks.size(), 0);
  for (const std::uint32_t b : blocks) marks.add(block_id{b}, layout::cold_reason::seldom);
  return marks;
}

// The program in layout order: `3` stands for instruction 3 of the old one, `!3>5` for it under the opposite guard and going to 5,
// `3>5` for a branch, `+>5` for an inserted one.
std::string text_of(const program& p, const program& q, const layout::rearrangement& r) {
  std::string out;
  for (const instr_id id : q.order) {
    const instruction& i = q[id];
    const instr_id old = r.came_from[id.index()];
    if (!out.empty()) out += ' ';
    if (!old.valid()) {
      out += '+';
    } else {
      if (i.guard_negated != p[old].guard_negated) out += '!';
      out += std::to_string(old.index());
    }
    if (i.has(iflag::branch)) {
      const instr_id to = r.came_from[i.target.index()];
      out += '>' + (to.valid() ? std::to_string(to.index()) : std::string("+"));
    }
  }
  return out;
}

template <class... Policies>
std::string laid_out(const program& p, std::vector<std::uint32_t> blocks, layout::layout_result* result = nullptr,
                     unsigned level = 2) {
  const layout::layouter<sm90, Policies...> lay;
  typename layout::layouter<sm90, Policies...>::workspace ws;
  program q;
  const layout::layout_result r = lay.run(p, cold(p, std::move(blocks)), q, ws, level);
  REQUIRE(r.ok);
  if (result != nullptr) *result = r;
  if (!r.changed) return "same";
  CHECK(q.instructions.size() == ws.changes.came_from.size());
  for (std::uint32_t k = 0; k < q.instructions.size(); ++k) CHECK(q.instructions[k].address == 16 * k);
  return text_of(p, q, ws.changes);
}

using beside = layout::hot_cold_flow<layout::cold_place::beside>;
using disabled = layout::hot_cold_flow<layout::cold_place::behind_function, false>;

constexpr std::string_view triangle =
    "ISETP.GE.AND P0, PT, R0, R1, PT\n@P0 BRA `(join)\nMOV R2, R3\nMOV R4, R5\njoin:\nMOV R6, R7\nEXIT";

// Blocks: 0 condition, 1 then (falls out by a branch), 2 else, 3 join.
constexpr std::string_view diamond =
    "ISETP.GE.AND P0, PT, R0, R1, PT\n@!P0 BRA `(other)\nMOV R2, R3\nBRA `(join)\nother:\nMOV R4, R5\njoin:\nMOV R6, "
    "R7\nEXIT";

}  // namespace

TEST_CASE("HC-4 flow: the cold arm of a triangle goes behind the function, its condition turns round") {
  const program p = from_text(triangle);
  layout::layout_result r;
  CHECK(laid_out<>(p, {1}, &r) == "0 !1>2 4 5 2 3 +>4");
  CHECK(r.flow.patterns == 1);
  CHECK(r.flow.reordered == 1);
  CHECK(r.inserted == 1);
  CHECK(r.inverted == 1);
  CHECK(r.removed == 0);
}

TEST_CASE("HC-4 flow: a hot arm that is fallen into stays, and nothing is a pattern without one cold arm") {
  const program p = from_text(triangle);
  layout::layout_result r;
  CHECK(laid_out<>(p, {2}, &r) == "same");  // the join is cold and stands last
  CHECK(r.flow.patterns == 1);
  CHECK(r.flow.reordered == 0);
  CHECK(laid_out<>(p, {}, &r) == "same");
  CHECK(r.flow.patterns == 0);
  CHECK(laid_out<>(p, {1, 2}, &r) == "same");
  CHECK(r.flow.patterns == 0);
}

TEST_CASE("HC-4 flow: of a diamond the cold arm leaves, and the branch over it with it") {
  const program p = from_text(diamond);
  layout::layout_result r;
  // Hot then: it falls into the join now.
  CHECK(laid_out<>(p, {2}, &r) == "0 1>4 2 5 6 4 +>5");
  CHECK(r.removed == 1);
  CHECK(r.inserted == 1);
  CHECK(r.inverted == 0);
  // Hot else: it stands behind its condition, and falls into the join as before.
  CHECK(laid_out<>(p, {1}, &r) == "0 !1>2 4 5 6 2 3>5");
  CHECK(r.removed == 0);
  CHECK(r.inserted == 0);
  CHECK(r.inverted == 1);
}

TEST_CASE("HC-4 flow: beside the hot arm the order changes only where the cold one was fallen into") {
  const program p = from_text(diamond);
  CHECK(laid_out<beside>(p, {2}) == "same");
  CHECK(laid_out<beside>(p, {1}) == "0 !1>2 4 5 6 2 3>5");
  // A join that two fall into ends the hot chain only where the chain ends.
  const program t = from_text(triangle);
  CHECK(laid_out<beside>(t, {1}) == "0 !1>2 4 5 2 3 +>4");
}

TEST_CASE("HC-4 flow: the switch disables the phase, and so does level 0") {
  const program p = from_text(triangle);
  layout::layout_result r;
  CHECK(laid_out<disabled>(p, {1}, &r) == "same");
  CHECK(r.flow.patterns == 0);
  CHECK(laid_out<>(p, {1}, &r, 0) == "same");
  CHECK(laid_out<>(p, {1}, &r, 1) != "same");
}

TEST_CASE("HC-4 flow: cold blocks leave the loop that they stand in") {
  // Blocks: 0 entry, 1 head, 2 cold, 3 latch, 4 behind.
  const program p = from_text(
      "MOV R0, RZ\nhead:\nIADD3 R0, R0, 0x1, RZ\n@P0 BRA `(latch)\nMOV R2, R3\nlatch:\nISETP.GE.AND P1, PT, R0, R1, PT\n"
      "@!P1 BRA `(head)\nMOV R6, R7\nEXIT");
  CHECK(laid_out<>(p, {2}) == "0 1 !2>3 4 5>1 6 7 3 +>4");
}

TEST_CASE("HC-4 flow: neighbouring cold blocks move together, and two patterns in the order in which they stand") {
  // Blocks: 0, 1 cold, 2 cold (reached from 1 and by a branch of 1), 3 hot, 4 cold, 5 end.
  const program p = from_text(
      "@P0 BRA `(hot)\nMOV R2, R3\n@P1 BRA `(hot)\nMOV R4, R5\nhot:\nMOV R6, R7\n@P2 BRA `(end)\nMOV R8, R9\nend:\nEXIT");
  layout::layout_result r;
  CHECK(laid_out<>(p, {1, 2, 4}, &r) == "!0>1 4 !5>6 7 1 2>4 3 +>4 6 +>7");
  CHECK(r.flow.patterns == 3);  // the condition among the cold blocks is one, and stays where it is
  CHECK(r.flow.reordered == 2);
}

TEST_CASE("HC-4 flow: a back edge is no arm, and a cold block in front of its condition stays") {
  const program p = from_text("MOV R0, RZ\nhead:\nIADD3 R0, R0, 0x1, RZ\n@P0 BRA `(head)\nMOV R2, R3\nEXIT");
  layout::layout_result r;
  CHECK(laid_out<>(p, {2}, &r) == "same");
  CHECK(r.flow.patterns == 1);
  const program q = from_text("BRA `(begin)\nbad:\nMOV R2, R3\nEXIT\nbegin:\n@P0 BRA `(bad)\nMOV R4, R5\nEXIT");
  CHECK(laid_out<>(q, {1}) == "3>1 4 5 1 2");  // the branch over it is not needed any more
}

TEST_CASE("HC-4 flow: what no guard alone decides keeps its branch and gets one behind it") {
  const program p = from_text("MOV R0, RZ\nBRA P0, `(join)\nMOV R2, R3\njoin:\nMOV R6, R7\nEXIT");
  CHECK(laid_out<>(p, {1}) == "0 1>3 +>2 3 4 2 +>3");
  const program u = from_text("MOV R0, RZ\nBRA.U UP0, `(join)\nMOV R2, R3\njoin:\nMOV R6, R7\nEXIT");
  CHECK(laid_out<>(u, {1}) == "0 1>3 +>2 3 4 2 +>3");
  // One thread decides for all: under the opposite guard it would be another branch.
  const program any = from_text("MOV R0, RZ\n@P0 BRA.U.ANY `(join)\nMOV R2, R3\njoin:\nMOV R6, R7\nEXIT");
  CHECK(laid_out<>(any, {1}) == "0 1>3 +>2 3 4 2 +>3");
}

TEST_CASE("HC-4 flow: a cold block of two conditions moves once, and behind a loop it stays") {
  // Blocks: 0 condition, 1 hot, 2 cold of two conditions, 3 condition, 4 cold, 5 condition, 6 end.
  const program p = from_text(
      "@P0 BRA `(bad)\nMOV R0, R1\nBRA `(mid)\nbad:\nMOV R2, R3\nEXIT\nmid:\n@P1 BRA `(two)\nMOV R4, R5\nBRA `(end)\ntwo:\n"
      "@P2 BRA `(bad)\nend:\nEXIT");
  layout::layout_result r;
  CHECK(p.blocks.size() == 7);
  CHECK(laid_out<>(p, {2, 4}, &r) == "0>3 1 !5>6 8>3 9 3 4 6 7>9");
  CHECK(r.flow.patterns == 3);
  CHECK(r.flow.reordered == 2);
  // A loop goes back to its hot head and leaves for a cold block: no if/else.
  const program l = from_text(
      "MOV R0, RZ\nhead:\nIADD3 R0, R0, 0x1, RZ\n@P0 BRA `(head)\nMOV R2, R3\n@P1 BRA `(end)\nMOV R4, R5\nend:\nEXIT");
  CHECK(laid_out<>(l, {2}) == "same");
}

TEST_CASE("HC-4 flow: a call keeps what it comes back to behind it") {
  // Blocks: 0 condition, 1 cold call, 2 cold return point, 3 join; 4 the callee.
  const program p = from_text(
      "@P0 BRA `(join)\nCALL.REL.NOINC `(callee)\nMOV R4, R5\njoin:\nEXIT\n.function callee\nMOV R7, R8\nRET.REL.NODEC R2 "
      "0x0");
  REQUIRE(p.blocks.size() == 5);
  CHECK(laid_out<>(p, {1, 2}) == "!0>1 3 1 2 +>3 4 5");
  CHECK(laid_out<>(p, {1}) == "same");  // alone it cannot go
}

TEST_CASE("HC-4 flow: blocks stay in their function, and the closing branch stays last") {
  const program p = from_text(
      "@P0 BRA `(join)\nMOV R4, R5\njoin:\nEXIT\n.function next\n@P0 BRA `(after)\nMOV R4, R5\nafter:\nRET.REL.NODEC R2 "
      "0x0\n"
      "stop:\nBRA `(stop)");
  CHECK(laid_out<>(p, {1, 4}) == "!0>1 2 1 +>2 !3>4 5 4 +>5 6>6");
}

TEST_CASE("HC-3 in loops: multiply-accumulate blocks stand in front of the residue, and by default nothing happens") {
  // Blocks: 0, 1 head, 2 residue, 3 mac, 4 latch, 5 behind.
  const program p = from_text(
      "MOV R0, RZ\nhead:\nIADD3 R0, R0, 0x1, RZ\n@P0 BRA `(mac)\nIADD3 R2, R3, R4, RZ\nBRA `(latch)\n"
      "mac:\nFFMA R8, R9, R10, R8\nFFMA R11, R12, R13, R11\nlatch:\nISETP.GE.AND P1, PT, R0, R1, PT\n@!P1 BRA "
      "`(head)\nEXIT");
  layout::layout_result r;
  CHECK(laid_out<>(p, {}, &r) == "same");
  CHECK(r.loops.loops == 0);
  CHECK(laid_out<layout::in_loop::mac_first<>>(p, {}, &r) == "0 1 !2>3 5 6 +>7 3 7 8>1 9");
  CHECK(r.loops.loops == 1);
  CHECK(r.loops.reordered == 1);
  // A cold block is residue whatever it does.
  CHECK(laid_out<disabled, layout::in_loop::mac_first<>>(p, {3}, &r) == "same");
  CHECK(laid_out<layout::in_loop::mac_first<>>(p, {}, &r, 0) == "same");
}

TEST_CASE("HC-3 in loops: the share of multiply-accumulate work decides, control flow apart") {
  const std::string_view text =
      "MOV R0, RZ\nhead:\n@P0 BRA `(mac)\nIADD3 R2, R3, R4, RZ\nBRA `(latch)\n"
      "mac:\nFFMA R8, R9, R10, R8\nIADD3 R11, R12, R13, RZ\nBRA `(latch)\nlatch:\n@!P1 BRA `(head)\nEXIT";
  const program p = from_text(text);
  CHECK(laid_out<layout::in_loop::mac_first<50>>(p, {}) != "same");
  CHECK(laid_out<layout::in_loop::mac_first<51>>(p, {}) == "same");
}

TEST_CASE("HC-3 in loops: a loop inside is one unit") {
  // Blocks: 0, 1 outer head, 2 residue, 3 inner loop (mac), 4 latch, 5 behind.
  const program p = from_text(
      "MOV R0, RZ\nhead:\nIADD3 R0, R0, 0x1, RZ\n@P0 BRA `(inner)\nIADD3 R2, R3, R4, RZ\nBRA `(latch)\n"
      "inner:\nFFMA R8, R9, R10, R8\n@P2 BRA `(body)\nIADD3 R20, R21, R22, RZ\nbody:\nFFMA R11, R12, R13, R11\n@P3 BRA "
      "`(inner)\n"
      "latch:\nISETP.GE.AND P1, PT, R0, R1, PT\n@!P1 BRA `(head)\nEXIT");
  CHECK(laid_out<layout::in_loop::mac_first<>>(p, {}) == "0 1 !2>3 5 !6>7 8 9>5 +>10 7 +>8 3 10 11>1 12");
}

TEST_CASE("HC-3 multiply-accumulate: products alone and moves are none") {
  const auto is = [](std::string_view text) {
    const program p = from_text(std::string(text) + "\nEXIT");
    return layout::is_math(p.instructions[0], p.operands_of(p.instructions[0]));
  };
  CHECK(is("FFMA R0, R1, R2, R3"));
  CHECK(is("FFMA R0, R1, 2, R3"));
  CHECK(is("IMAD R0, R1, R2, R0"));
  CHECK_FALSE(is("IMAD R0, R1, 0x3, R0"));
  CHECK_FALSE(is("IMAD R0, R1, R2, R3"));
  CHECK(is("HFMA2 R0, R1, R2, R3"));
  CHECK(is("DFMA R0, R2, R4, R6"));
  CHECK(is("HMMA.16816.F32 R0, R4, R8, RZ"));
  CHECK_FALSE(is("FFMA R0, R1, R2, RZ"));
  CHECK_FALSE(is("FMUL R0, R1, R2"));
  CHECK_FALSE(is("FADD R0, R1, R2"));
  CHECK_FALSE(is("IMAD R0, R1, R2, RZ"));
  CHECK_FALSE(is("IMAD.MOV.U32 R0, RZ, RZ, R2"));
  CHECK_FALSE(is("IMAD.SHL.U32 R0, R1, 0x4, RZ"));
  CHECK_FALSE(is("LDG.E R0, [R2.64]"));
}

TEST_CASE("HC-6 placement: a chain goes along a branch that nobody else needs, once") {
  // Blocks: 0 -> 3 by a branch; 1 and 2 are reached from 3.
  const program p = from_text("BRA `(d)\nb:\nMOV R1, R2\nEXIT\nc:\nMOV R3, R4\nEXIT\nd:\n@P0 BRA `(b)\nBRA `(c)");
  layout::layout_result r;
  CHECK(laid_out<layout::placement::always>(p, {}, &r) == "5>1 3 4 1 2");
  CHECK(r.followed == 2);
  CHECK(r.removed == 2);
  CHECK(laid_out<>(p, {}, &r) == "same");  // sm_90: the phase does not act
  CHECK(r.followed == 0);
  // Chains that meet: whoever comes first has it.
  const program m = from_text("@P0 BRA `(b)\nMOV R1, R2\nBRA `(end)\nb:\nMOV R3, R4\nBRA `(end)\nother:\nEXIT\nend:\nEXIT");
  CHECK(laid_out<layout::placement::always>(m, {}) == "0>3 1 6 3 4>6 5");
}

TEST_CASE("HC-6 placement: acts by itself on the SMs of the phase band, and keeps hot and cold apart") {
  const program p = from_text("BRA `(d)\nb:\nMOV R1, R2\nEXIT\nd:\n@P0 BRA `(b)\nEXIT");
  const layout::layouter<sm75> lay;
  program q;
  CHECK(lay.run(p, cold(p, {}), q).followed == 1);
  CHECK(q.order.size() == p.order.size() - 1);
  // No chain leads from a hot block to a cold one.
  using never = layout::hot_cold_flow<layout::cold_place::beside, false>;
  const layout::layouter<sm75, never> apart;
  CHECK(apart.run(p, cold(p, {2}), q).followed == 0);
}

TEST_CASE("HC-6 placement: loops stay together, and nobody is torn from who falls into it") {
  // Blocks: 0 falls into 1 (a loop of its own), 2 goes back to nobody: its target is fallen into.
  const program p = from_text("BRA `(three)\none:\nMOV R1, R2\ntwo:\nMOV R3, R4\nEXIT\nthree:\n@P0 BRA `(one)\nBRA `(two)");
  CHECK(laid_out<layout::placement::always>(p, {}) == "4>1 5>2 1 2 3");
  const program l = from_text("BRA `(loop)\nEXIT\nloop:\n@P0 BRA `(loop)\nEXIT");
  CHECK(laid_out<layout::placement::always>(l, {}) == "same");
}

TEST_CASE("HC-6 placement: every block has one place with its weight, and the extended path keeps addresses") {
  program p = from_text("@P0 BRA `(join)\nMOV R4, R5\njoin:\nEXIT\nstop:\nBRA `(stop)");
  p.leaders.push_back(instr_id{2});
  REQUIRE(build_cfg(p).ok);
  layout::block_order order;
  layout::placement_space ws;
  order.start(p);
  layout::place_blocks<true, 5, 6>::run(p, cold(p, {1, 3}), order, ws);
  REQUIRE(ws.places.size() == 4);
  CHECK(ws.table.entries() == 4);
  for (std::uint32_t k = 0; k < 4; ++k) {
    CHECK(*ws.table.find(ws.places[k].block.index()) == k);
    CHECK(ws.places[k].weight == p[ws.places[k].block].weight);
  }
  CHECK(ws.places[0].mode == 2u << 28);  // the entry
  CHECK(ws.places[0].address == 0);
  CHECK(ws.places[1].mode == 6u << 28);  // cold, in no loop: the second knob
  CHECK(ws.places[1].address == layout::placed_block::no_address);
  CHECK(ws.places[2].mode == 3u << 28);  // its address is taken
  CHECK(ws.places[2].address == 32);
  CHECK(ws.places[3].mode == 1u << 28);  // padding has all three type bits: no knob is asked
  CHECK(ws.places[3].address == layout::placed_block::no_address);
  order.start(p);
  layout::place_blocks<>::run(p, cold(p, {1}), order, ws);
  CHECK(ws.places[1].mode == 1u << 28);
  CHECK(ws.places[2].address == layout::placed_block::no_address);
}

TEST_CASE("HC-6 placement: the extended path is that of sm_120, where the phase acts if it is told to") {
  static_assert(meta::is_same_v<layout::layouter<sm120>::place_policy, layout::place_blocks<true>>);
  static_assert(meta::is_same_v<layout::layouter<sm90>::place_policy, layout::place_blocks<false>>);
  static_assert(meta::is_same_v<layout::layouter<sm75>::place_policy, layout::place_blocks<false>>);
  static_assert(!layout::layouter<sm120>::places && layout::layouter<sm75>::places);
  using always = layout::layouter<sm120, layout::placement::always>;
  const program p = from_text("@P0 BRA `(join)\nMOV R4, R5\njoin:\nEXIT");
  always::workspace ws;
  program q;
  CHECK(always{}.run(p, cold(p, {}), q, ws).ok);
  REQUIRE(ws.places.places.size() == 3);
  CHECK(ws.places.places[0].address == 0);  // the entry keeps its address
  CHECK(ws.places.places[1].address == layout::placed_block::no_address);
}

TEST_CASE("HC-4 layouter: nothing of nothing, and programs that cannot be laid out stay") {
  program p;
  CHECK(laid_out<>(p, {}) == "same");
  // A jump whose targets are not known goes to whatever nothing else reaches.
  const program jump = from_text("@P0 BRA `(join)\nMOV R2, R3\njoin:\nBRX R4 0x0\nMOV R6, R7\nEXIT");
  CHECK(laid_out<>(jump, {1}) == "same");
}
