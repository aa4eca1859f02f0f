// SPDX-License-Identifier: BSL-1.0
//
// The field encoders of SB-4 one by one, and the chain of them on real programs.
#include "support.hpp"

#include <warpwright/sass/listing.hpp>
#include <warpwright/scoreboard/fields/chain.hpp>
#include <warpwright/scoreboard/fields/dispatch.hpp>

#include "support/corpus.hpp"

using namespace ww;
using namespace ww::scoreboard;

namespace {

constexpr field_config text = text_config_of<sm80>();
constexpr field_config plain = scoreboard::config_of<sm80>();

}  // namespace

TEST_CASE("SB-4 configuration: the text's floor and cap, and what the architecture says") {
  static_assert(text.floor == 3 && text.cap == 16 && text.field_limit == 15);
  static_assert(plain.floor == 1 && plain.cap == 15 && plain.counters == 6 && plain.barrier_latency == 56);
  static_assert(!scoreboard::config_of<sm80>().extended && scoreboard::config_of<sm100>().extended);
  static_assert(text_config_of<sm80>(9).cap == 9);
  static_assert(text_config_of<sm80>(40).cap == 16 && text_config_of<sm80>(0).cap == 1);
  CHECK(plain.stay_limit == 11);
}

TEST_CASE("SB-4 stall: the longest wait that is left, cut to the field, raised to the floor") {
  const stall_source sources[] = {{10, 4}, {2, 23}, {0, 5}};
  CHECK(required_stall(sources, 12) == 13);
  CHECK(required_stall(sources, 40) == 0);
  CHECK(encode_stall(13, text).stall == 13);
  CHECK(encode_stall(1, text).stall == 3);
  CHECK(encode_stall(1, plain).stall == 1);
  const stall_field cut = encode_stall(39, text);
  CHECK(cut.stall == 15);
  CHECK(cut.short_by == 24);
  CHECK(encode_stall(12, text_config_of<sm80>(9)) == stall_field{9, false, 3});
  CHECK(encode_stall(20, text_config_of<sm80>(40, 20)) == stall_field{15, false, 5});
  CHECK(encode_stall(2, text_config_of<sm80>(16, 16)) == stall_field{15, false, 0});
}

TEST_CASE("SB-4 yield: EncodeYieldField caps at four and yields from three on") {
  CHECK(encode_yield(2, text) == stall_field{2, false, 0});
  CHECK(encode_yield(3, text) == stall_field{3, true, 0});
  CHECK(encode_yield(4, text) == stall_field{4, true, 0});
  CHECK(encode_yield(9, text) == stall_field{4, true, 5});
  CHECK(encode_yield(9, text, 2) == stall_field{2, false, 7});
  CHECK(encode_yield(9, text, 0) == stall_field{0, false, 9});
  field_config late = plain;  // yields from eight cycles on, were it not for those that must
  late.yield_threshold = 15;
  CHECK_FALSE(encode_stall_and_yield(11, late).yield);
  CHECK(encode_stall_and_yield(12, late).yield);
  CHECK_FALSE(encode_stall_and_yield(3, plain).yield);
  CHECK(encode_stall_and_yield(4, plain).yield);
}

TEST_CASE("SB-4 read mask: results under way that the sources name; the wait mask adds what is overwritten") {
  const program p = ww_test::program_of<sm90>(
      "IADD3 R8, R5, R4, RZ\n"
      "MOV R6, R7\n"
      "EXIT\n");
  register_counters c;
  c.start(p);
  c.set_result(operand::def(R(4), slot::dst), 2);
  c.set_result(operand::def(R(8), slot::dst), 3);
  c.set_source(operand::use(R(5), slot::a), 1);
  c.set_source(operand::use(R(8), slot::a), 5);
  CHECK(encode_read_mask(p, p.instructions[0], c) == 1u << 2);
  CHECK(encode_wait_mask(p, p.instructions[0], c) == (1u << 2 | 1u << 3 | 1u << 5));
  CHECK(encode_wait_mask(p, p.instructions[1], c) == 0);
  c.clear(1u << 3 | 1u << 2);
  CHECK(encode_wait_mask(p, p.instructions[0], c) == 1u << 5);
}

TEST_CASE("SB-4 write barrier: a free counter with affinity, else the oldest with a wait") {
  barrier_pool<sm80_barriers> pool;
  barrier_request q;
  for (unsigned k = 0; k < 6; ++k) {
    q.cycle = static_cast<std::int32_t>(k == 3 ? 0 : 10 + k);
    q.done_cycle = 1000;
    const barrier_choice c = encode_write_barrier(pool, q);
    CHECK(c.index == k);
    CHECK_FALSE(c.wait_first);
  }
  q.cycle = 20;
  const barrier_choice c = encode_write_barrier(pool, q);
  CHECK(c.index == 3);
  CHECK(c.wait_first);
}

TEST_CASE("SB-4 conflict: result over result, result over source, source over result; banks never force a wait") {
  const auto make = [](operand r, operand s) { return barrier_operands{{r, operand{}}, {s, operand{}}}; };
  const barrier_operands live = make(operand::def(R(4), slot::dst, 2), operand::use(R(10), slot::a));
  using four = ww::array<std::uint8_t, 4>;
  CHECK(conflict_vector(make(operand::def(R(5), slot::dst), operand::use(R(3), slot::a)), live, 4) == four{1, 0, 0, 0});
  CHECK(conflict_vector(make(operand::def(R(10), slot::dst), operand::use(R(3), slot::a)), live, 4) == four{0, 1, 0, 0});
  CHECK(conflict_vector(make(operand::def(R(0), slot::dst), operand::use(R(4), slot::a, 2)), live, 4) == four{0, 0, 2, 0});
  const four bank = conflict_vector(make(operand::def(R(0), slot::dst), operand::use(R(14), slot::a)), live, 4);
  CHECK(bank == four{0, 0, 0, 1});
  CHECK_FALSE(conflicting(bank));
  CHECK(conflicting(four{0, 1, 0, 0}));
}

TEST_CASE("SB-4 dispatch: the text's switch, with its mask, and the same by class") {
  CHECK(text_handler(3) == field_handler::standard);
  CHECK(text_handler(0x1000 | 3) == field_handler::standard);
  CHECK(text_handler(0x3000 | 6) == field_handler::wait_only);
  CHECK(text_handler(290) == field_handler::extended);
  CHECK(text_handler(4) == field_handler::chain);
  CHECK(handler(sched_class::ldg) == field_handler::standard);
  CHECK(handler(sched_class::depbar) == field_handler::wait_only);
  CHECK(handler(sched_class::tex) == field_handler::extended);
  CHECK(handler(sched_class::mufu) == field_handler::chain);
  CHECK(is_texture(sched_class::suld));
  CHECK_FALSE(is_texture(sched_class::hgmma));
}

TEST_CASE("SB-4 reuse: a flag where the next read of slot and bank is the same register, none before a wait") {
  program p = ww_test::program_of<sm90>(
      "FFMA R4, R2, R3, R5\n"
      "FFMA R6, R2, R9, R7\n"
      "FFMA R8, R2, R9, R7\n"
      "EXIT\n");
  CHECK(encode_reuse_flags<sm90>(p, p.blocks[0], 0) == 1);
  CHECK(encode_reuse_flags<sm90>(p, p.blocks[0], 1) == 7);
  CHECK(encode_reuse_flags<sm90>(p, p.blocks[0], 2) == 0);
  p.instructions[1].ctl.wait_mask = 1;
  CHECK(encode_reuse_flags<sm90>(p, p.blocks[0], 0) == 0);
}

TEST_CASE("SB-4 chain: a load takes a counter, its reader waits, a sum keeps its distance") {
  program p = ww_test::program_of<sm90>(
      "LDG.E R4, desc[UR4][R2.64]\n"
      "IADD3 R5, R6, R7, RZ\n"
      "IADD3 R8, R5, R4, RZ\n"
      "STG.E desc[UR4][R2.64], R8\n"
      "MOV R8, R9\n"
      "EXIT\n");
  encoder_chain<sm90> chain;
  chain.run(p);
  REQUIRE(p.instructions[0].ctl.sets_write());
  CHECK(p.instructions[2].ctl.wait_mask == 1u << p.instructions[0].ctl.write_barrier);
  CHECK(p.instructions[1].ctl.stall == 4);
  REQUIRE(p.instructions[3].ctl.sets_read());
  CHECK(p.instructions[4].ctl.wait_mask == 1u << p.instructions[3].ctl.read_barrier);
  CHECK(ww_test::first_finding<sm90>(p).empty());
}

TEST_CASE("SB-4 chain: a counter raised at the end of a block is waited for in the next") {
  program p = ww_test::program_of<sm90>(
      "LDG.E R4, desc[UR4][R2.64]\n"
      "LDG.E R6, desc[UR4][R2.64+8]\n"
      "next:\n"
      "IADD3 R8, R6, R4, RZ\n"
      "@P0 BRA `(next)\n"
      "EXIT\n");
  encoder_chain<sm90> chain;
  chain.run(p);
  CHECK(p.instructions[1].ctl.wait_mask == 1u << p.instructions[0].ctl.write_barrier);
  CHECK(p.instructions[2].ctl.wait_mask == 1u << p.instructions[1].ctl.write_barrier);
  CHECK(ww_test::first_finding<sm90>(p).empty());
}

TEST_CASE("SB-4 chain: a seventh load waits for the oldest of six") {
  std::string lines;
  for (int k = 0; k < 7; ++k) lines += "LDG.E R" + std::to_string(10 + k) + ", desc[UR4][R2.64]\n";
  program p = ww_test::program_of<sm90>(lines + "EXIT\n");
  encoder_chain<sm90> chain;
  chain.run(p);
  CHECK(p.instructions[5].ctl.wait_mask == 0);
  CHECK(p.instructions[6].ctl.wait_mask == 1u << p.instructions[0].ctl.write_barrier);
  CHECK(p.instructions[6].ctl.write_barrier == p.instructions[0].ctl.write_barrier);
}

namespace {

template <class Arch>
std::string chain_corpus(std::size_t& programs) {
  encoder_chain<Arch> chain;
  std::string first;
  for (const std::string& path : ww_test::corpus::listings()) {
    if (ww_test::corpus::sm_of(path) != Arch::id) continue;
    const auto r = sass::read_listing(ww_test::corpus::text(path), {.sm = Arch::id, .file = path});
    if (!r) continue;
    for (const program& s : r.mod.sections) {
      if (s.sm != Arch::id || s.order.empty()) continue;
      program p = s;
      if (!build_cfg(p).ok) continue;
      chain.run(p);
      ++programs;
      const std::string f = ww_test::first_finding<Arch>(p);
      if (first.empty() && !f.empty()) first = path + ": " + f;
    }
  }
  return first;
}

}  // namespace

TEST_CASE("SB-4 corpus: the chain leaves no hazard in real programs") {
  std::size_t programs = 0;
  CHECK(chain_corpus<sm80>(programs) == "");
  CHECK(chain_corpus<sm90>(programs) == "");
  CHECK(programs > 0);
}
