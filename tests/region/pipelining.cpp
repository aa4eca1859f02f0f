// SPDX-License-Identifier: BSL-1.0
//
// Software pipelining against an interpreter: the same program before and after, for many trip counts, must leave the same
// registers and the same memory and run the same loads and stores; and what cannot be pipelined is refused by name.
#include <map>
#include <random>
#include <string>
#include <vector>

#include "../schedule/test_arch.hpp"
#include "support.hpp"
#include "warpwright/region/software_pipeline.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"

namespace {

using pipeline = ww::strategy::software_pipeline<>;
using ww::region::pipelining_refusal;
using ww_test::from_text;
using config = ww::config_of<ww_test::tiny_arch>;
using exact_config = ww::config_of<ww_test::tiny_arch, ww::base_offset>;

// Runs a program with toy meanings: IADD3 adds its registers (and 1 for an immediate), ISETP compares a < b, MOV copies,
// loads and stores use [base + offset], everything else mixes its sources. Guards, branches and exits as usual.
struct machine {
  std::map<std::uint32_t, std::uint64_t> registers;  // by packed name
  std::map<std::int64_t, std::uint64_t> memory;
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  std::uint64_t executed = 0;
  bool ended = false;

  std::uint64_t& at(ww::operand o) { return registers[o.base().packed]; }
  std::uint64_t value(ww::operand o) { return o.is_register() ? at(o) : 0; }

  void run(const ww::program& p, std::uint64_t limit = 100000) {
    ww::block_id b{0};
    while (executed < limit) {
      ww::block_id to = b.index() + 1 < p.blocks.size() ? ww::block_id{b.index() + 1} : ww::block_id{};
      for (const ww::instr_id id : p.order_of(p[b])) {
        const ww::instruction& i = p[id];
        ++executed;
        bool acts = true;
        for (const ww::operand o : p.operands_of(i)) {
          if (o.where() == ww::slot::guard && o.is_register()) acts = (at(o) & 1u) != (i.guard_negated != 0 ? 1u : 0u);
        }
        if (!acts) continue;
        if (i.has(ww::iflag::exit)) {
          ended = true;
          return;
        }
        if (i.has(ww::iflag::branch)) {
          for (const ww::cfg_edge& e : p.edges_of(p[b])) {
            if (e.kind == ww::edge_kind::branch) to = e.to;
          }
          continue;
        }
        step(p, i);
      }
      b = to;
    }
  }

  void step(const ww::program& p, const ww::instruction& i) {
    std::vector<std::uint64_t> sources;
    std::int64_t address = i.mem_offset;
    for (const ww::operand o : p.operands_of(i)) {
      if (!o.is_use() || o.where() == ww::slot::guard) continue;
      if (o.where() == ww::slot::address) {
        address += static_cast<std::int64_t>(value(o));
      } else if (i.op == ww::opcode::iadd3 && o.type() == ww::operand_type::immediate) {
        sources.push_back(1);
      } else {
        sources.push_back(value(o));
      }
    }
    std::uint64_t result = static_cast<std::uint64_t>(i.op) * 77;
    if (i.dir == ww::mem_dir::load) {
      ++loads;
      const auto found = memory.find(address);
      result = found == memory.end() ? static_cast<std::uint64_t>(address) * 0x9e3779b97f4a7c15ull : found->second;
    } else if (i.dir == ww::mem_dir::store) {
      ++stores;
      memory[address] = sources.at(0);
    } else if (i.op == ww::opcode::isetp) {
      result = sources.at(0) < sources.at(1) ? 1 : 0;
    } else if (i.op == ww::opcode::iadd3) {
      result = 0;
      for (const std::uint64_t s : sources) result += s;
    } else if (i.op == ww::opcode::mov) {
      result = sources.at(0);
    } else {
      for (const std::uint64_t s : sources) result = (result ^ s) * 0xff51afd7ed558ccdull + 11;
    }
    for (const ww::operand o : p.operands_of(i)) {
      if (o.is_def() && o.is_register()) at(o) = result;
    }
  }
};

// R9 is the trip count. Runs both and compares memory, counts of accesses and the registers that the test names.
void compare(const ww::program& before, const ww::program& after, std::uint64_t trips) {
  machine a;
  machine b;
  for (machine* m : {&a, &b}) {
    for (std::uint32_t r = 0; r < 64; ++r) m->registers[ww::R(r).packed] = r * 1000;
    m->registers[ww::R(9).packed] = trips;
  }
  a.run(before);
  b.run(after);
  INFO("trips " << trips);
  REQUIRE(a.ended);
  REQUIRE(b.ended);
  REQUIRE(a.loads == b.loads);
  REQUIRE(a.stores == b.stores);
  REQUIRE(a.memory == b.memory);
}

// y[i] = f(x[i], R30), z += x[i]; counters and pointers are virtual registers.
constexpr const char* streaming =
    "MOV R1024, RZ\nMOV R1026, R20\nMOV R1028, R21\nMOV R1030, RZ\n"
    "loop:\nLDG.E.CONSTANT R1032, [R1026]\nIADD3 R1034, R1032, R1030, RZ\nFMUL R1036, R1032, R30\nFFMA R1036, R1036, R30, "
    "R1034\n"
    "STG.E [R1028], R1036\nIADD3 R1030, R1030, R1032, RZ\nIADD3 R1026, R1026, 0x1, RZ\nIADD3 R1028, R1028, 0x1, RZ\n"
    "IADD3 R1024, R1024, 0x1, RZ\nISETP.LT.AND P0, PT, R1024, R9, PT\n@P0 BRA `(loop)\n"
    "STG.E [R40], R1030\nEXIT";

pipelining_refusal refused(const char* body, bool encoded = false) {
  ww::program p = from_text("MOV R1024, RZ\nloop:\n" + std::string(body) + "\nEXIT");
  p.has_encoding = encoded;
  pipeline::space space;
  CHECK(pipeline::transform<config>(p, space) == 0);
  REQUIRE(space.loops.size() == 1);
  return space.loops[0].refusal;
}

}  // namespace

TEST_CASE("PLS-13 pipelining: a streaming loop overlaps its iterations and computes the same") {
  const ww::program before = from_text(streaming);
  ww::program p = before;
  pipeline::space space;
  REQUIRE(pipeline::transform<exact_config>(p, space) == 1);
  const ww::strategy::pipelined_report& r = space.loops[0];
  INFO("II " << r.interval << " stages " << r.stages << " copies " << r.copies << " iteration " << r.iteration << " res "
             << r.res_mii << " rec " << r.rec_mii);
  CHECK(r.interval < r.iteration / 4);
  CHECK(r.interval >= r.res_mii);
  CHECK(r.interval >= r.rec_mii);
  CHECK(r.stages >= 2);
  CHECK(r.copies >= 2);
  for (std::uint64_t trips = 0; trips < 24; ++trips) compare(before, p, trips);
  // The inner strategy may order the new blocks as it likes.
  ww::schedule_workspace<exact_config> ws;
  ww::schedule_blocks<exact_config>(p, ws);
  for (std::uint64_t trips = 0; trips < 24; ++trips) compare(before, p, trips);
}

TEST_CASE("PLS-13 pipelining: the oracle sees planted faults") {
  const ww::program before = from_text(streaming);
  ww::program p = before;
  pipeline::space space;
  REQUIRE(pipeline::transform<exact_config>(p, space) == 1);
  const auto differs = [&](const ww::program& q) {
    for (std::uint64_t trips = 1; trips < 12; ++trips) {
      machine a;
      machine b;
      a.registers[ww::R(9).packed] = b.registers[ww::R(9).packed] = trips;
      a.registers[ww::R(21).packed] = b.registers[ww::R(21).packed] = 500;
      a.registers[ww::R(40).packed] = b.registers[ww::R(40).packed] = 900;
      a.run(before);
      b.run(q);
      if (!b.ended || a.memory != b.memory || a.loads != b.loads) return true;
    }
    return false;
  };
  CHECK_FALSE(differs(p));
  // One name instead of several: values of other iterations are overwritten.
  ww::program one = p;
  std::size_t seen = 0;
  for (ww::operand& o : one.operands) {
    if (!o.is_register() || !o.base().is_virtual()) continue;
    const std::uint32_t n = 1024 + (o.base().number() - 1024) % 16;
    seen += n != o.base().number() ? 1 : 0;
    o.low = (o.low & ~0xffffffu) | ww::reg(o.file(), n).packed;
  }
  CHECK(seen != 0);
  CHECK(differs(one));
  // An epilogue without its first instruction.
  ww::program shorter = p;
  for (std::uint32_t b = 0; b < shorter.blocks.size(); ++b) {
    ww::block& last = shorter.blocks[shorter.blocks.size() - 1 - b];
    bool store = false;
    for (const ww::instr_id i : shorter.order_of(last)) store = store || shorter[i].dir == ww::mem_dir::store;
    if (!store || b == 0) continue;
    for (const ww::instr_id i : shorter.order_of(last)) {
      if (shorter[i].dir == ww::mem_dir::store) shorter[i].dir = ww::mem_dir::none;
    }
    break;
  }
  CHECK(differs(shorter));
}

TEST_CASE("PLS-13 pipelining: the interval respects pipes, recurrences and memory order") {
  pipeline::space space;
  // Sixteen multiplications on a half-rate pipe: the resource bound is what decides.
  std::string many = "MOV R1024, RZ\nMOV R1026, R20\nMOV R1028, R21\nloop:\nLDG.E.CONSTANT R1032, [R1026]\n";
  for (int k = 0; k < 16; ++k) many += "LOP3.LUT R" + std::to_string(1040 + k) + ", R1032, R30, RZ, 0x3c, !PT\n";
  many +=
      "STG.E [R1028], R1050\nIADD3 R1026, R1026, 0x1, RZ\nIADD3 R1028, R1028, 0x1, RZ\nIADD3 R1024, R1024, 0x1, RZ\n"
      "ISETP.LT.AND P0, PT, R1024, R9, PT\n@P0 BRA `(loop)\nEXIT";
  ww::program p = from_text(many);
  REQUIRE(pipeline::transform<exact_config>(p, space) == 1);
  CHECK(space.loops[0].res_mii == 2 * 20);  // two cycles each for 16 + 3 + 1 instructions of that pipe
  CHECK(space.loops[0].interval >= 40);
  // A pointer chase has its own latency as the bound.
  p = from_text(
      "MOV R1024, RZ\nMOV R1026, R20\nloop:\nLDG.E R1026, [R1026]\nIADD3 R1024, R1024, 0x1, RZ\n"
      "ISETP.LT.AND P0, PT, R1024, R9, PT\n@P0 BRA `(loop)\nEXIT");
  CHECK(pipeline::transform<config>(p, space) == 0);
  CHECK(space.loops[0].rec_mii >= 200);
  // A store that may write what the next iteration loads: under the conservative policy the two take turns.
  p = from_text(streaming);
  pipeline::space conservative;
  const unsigned changed = pipeline::transform<config>(p, conservative);
  CHECK(changed == 0);
  CHECK(conservative.loops[0].refusal == pipelining_refusal::memory_unknown);
}

TEST_CASE("PLS-13 pipelining: the next iteration starts when the branch of this one is known") {
  // The condition is made by a chain that is longer than what pipes and recurrences ask for.
  std::string text =
      "MOV R1024, RZ\nMOV R1026, R20\nMOV R1028, R21\nloop:\nLDG.E.CONSTANT R1032, [R1026]\nFMUL R1036, R1032, R30\n"
      "STG.E [R1028], R1036\nIADD3 R1026, R1026, 0x1, RZ\nIADD3 R1028, R1028, 0x1, RZ\nIADD3 R1024, R1024, 0x1, RZ\n"
      "IADD3 R1040, R1024, RZ, RZ\n";
  for (int k = 1; k < 8; ++k) {
    text += "IADD3 R" + std::to_string(1040 + k) + ", R" + std::to_string(1039 + k) + ", RZ, RZ\n";
  }
  text += "ISETP.LT.AND P0, PT, R1047, R9, PT\n@P0 BRA `(loop)\nEXIT";
  const ww::program before = from_text(text);
  ww::program p = before;
  pipeline::space space;
  REQUIRE(pipeline::transform<exact_config>(p, space) == 1);
  CHECK(space.loops[0].interval > 9 * 4);
  for (std::uint64_t trips = 0; trips < 12; ++trips) compare(before, p, trips);
}

TEST_CASE("PLS-13 pipelining: what cannot be pipelined is refused by name") {
  const std::string count = "\nIADD3 R1024, R1024, 0x1, RZ\nISETP.LT.AND P0, PT, R1024, R9, PT\n@P0 BRA `(loop)";
  const auto with = [&](const char* line) { return refused((line + count).c_str()); };
  CHECK(with("BAR.SYNC 0x0") == pipelining_refusal::fence);
  CHECK(with("MEMBAR.SC.GPU") == pipelining_refusal::fence);
  CHECK(with("CS2R R1030, SR_CLOCKLO") == pipelining_refusal::clock);
  CHECK(with("SHFL.IDX PT, R1030, R1032, R6, 0x1f") == pipelining_refusal::lanes);
  CHECK(with("UIADD3 UR4, UR4, UR6, URZ") == pipelining_refusal::warp_register);
  CHECK(with("@P1 EXIT") == pipelining_refusal::not_innermost);
  CHECK(refused(("MOV R1040, R1041" + count).c_str(), true) == pipelining_refusal::placed);
  CHECK(refused("LDG.E R1030, [R1032]\nISETP.LT.AND P0, PT, R1030, R9, PT\n@P0 BRA `(loop)") ==
        pipelining_refusal::not_counted);
  CHECK(refused("MOV R1030, R1032\n@P0 BRA `(loop)") == pipelining_refusal::not_counted);
  CHECK(with("MOV R1040, R1041") == pipelining_refusal::no_gain);
  std::string large;
  for (unsigned k = 0; k < ww::region::max_body; ++k) large += "MOV R1040, R1041\n";
  CHECK(with(large.c_str()) == pipelining_refusal::too_large);
  ww::program p = from_text(streaming);
  pipeline::space space;
  space.trip_count = 1;
  CHECK(pipeline::transform<exact_config>(p, space) == 0);
  CHECK(space.loops[0].refusal == pipelining_refusal::trip_too_small);
}

TEST_CASE("PLS-13 pipelining: random loops compute the same for every trip count") {
  pipeline::space space;
  std::size_t done = 0;
  std::size_t expanded = 0;
  std::map<pipelining_refusal, std::size_t> seen;
  for (unsigned seed = 0; seed < 250; ++seed) {
    std::mt19937 rng(seed);
    const auto roll = [&rng](unsigned n) { return static_cast<unsigned>(rng() % n); };
    std::string text = "MOV R1024, RZ\n";
    for (unsigned k = 0; k < 6; ++k) text += "MOV R" + std::to_string(1026 + 2 * k) + ", R" + std::to_string(20 + k) + "\n";
    text += "MOV R12, R13\nloop:\n";
    const auto any = [&] {
      return (roll(9) == 0 ? "R1" + std::to_string(roll(4)) : "R" + std::to_string(1026 + 2 * roll(12)));
    };
    const auto address = [&] {  // a pair
      return "R" + std::to_string(roll(9) == 0 ? 10 + 2 * roll(2) : 1026 + 2 * roll(12));
    };
    const unsigned length = 4 + roll(14);
    const unsigned count_at = roll(length);
    for (unsigned k = 0; k < length; ++k) {
      const std::string guard = roll(8) == 0 ? "@P1 " : "";
      switch (roll(7)) {
        case 0:
          text += guard + "LDG.E " + any() + ", [" + address() + (roll(2) == 0 ? "" : "+0x4") + "]\n";
          break;
        case 1:
          text += guard + "STG.E [" + address() + (roll(2) == 0 ? "" : "+0x4") + "], " + any() + "\n";
          break;
        case 2: {
          const std::string r = any();
          text += "IADD3 " + r + ", " + r + ", 0x1, RZ\n";
          break;
        }
        case 3:
          text += guard + "IADD3 " + any() + ", " + any() + ", " + any() + ", RZ\n";
          break;
        case 4:
          text += "ISETP.LT.AND P1, PT, " + any() + ", " + any() + ", PT\n";
          break;
        default:
          text += guard + "FFMA " + any() + ", " + any() + ", " + any() + ", " + any() + "\n";
          break;
      }
      if (k == count_at) text += "IADD3 R1024, R1024, 0x1, RZ\n";
    }
    text += "ISETP.LT.AND P0, PT, R1024, R9, PT\n@P0 BRA `(loop)\n";
    for (unsigned k = 0; k < 3; ++k) text += "STG.E [R" + std::to_string(50 + 2 * k) + "], " + any() + "\n";
    text += "STG.E [R56], R12\nEXIT";
    INFO("seed " << seed << "\n" << text);
    const ww::program before = from_text(text);
    for (const bool exact : {false, true}) {
      ww::program p = before;
      const unsigned changed = exact ? pipeline::transform<exact_config>(p, space) : pipeline::transform<config>(p, space);
      ++seen[space.loops[0].refusal];
      if (changed == 0) continue;
      ++done;
      expanded += space.loops[0].copies > 1 ? 1 : 0;
      for (std::uint64_t trips = 0; trips < 11; ++trips) compare(before, p, trips);
      ww::program again = before;
      exact ? pipeline::transform<exact_config>(again, space) : pipeline::transform<config>(again, space);
      REQUIRE(again.order == p.order);
      REQUIRE(again.operands == p.operands);
    }
  }
  INFO(done << " pipelined, " << expanded << " expanded");
  CHECK(done > 50);  // loops differ by compiler, in which order numbers are drawn
  CHECK(expanded > 20);
}

TEST_CASE("PLS-13 pipelining: by the weights every instruction of a loop runs as often as before") {
  // two loops, the second one in front of an outer loop's end, so that both are entered several times
  const std::string body =
      "IADD3 R1024, R1024, 0x1, RZ\nISETP.LT.AND P0, PT, R1024, R9, PT\nLDG.E.CONSTANT R1032, [R1026]\nFMUL R1036, R1032, "
      "R30\n"
      "FFMA R1036, R1036, R30, R1034\nSTG.E [R1028], R1036\nIADD3 R1026, R1026, 0x1, RZ\nIADD3 R1028, R1028, 0x1, RZ\n";
  const std::string text = "MOV R1060, RZ\nouter:\nMOV R1024, RZ\nfirst:\n" + body +
                           "@P0 BRA `(first)\nMOV R1024, RZ\nsecond:\n" + body +
                           "@P0 BRA `(second)\nIADD3 R1060, R1060, 0x1, RZ\nISETP.LT.AND P0, PT, R1060, R9, PT\n"
                           "@P0 BRA `(outer)\nSTG.E [R40], R1030\nEXIT";
  unsigned pipelined = 0;
  for (const double trips : {1.0, 2.0, 3.0, 10.0, 25.5, 1000.0}) {
    ww::program p = from_text(text);
    REQUIRE(p.blocks.size() == 7);
    for (const std::uint32_t b : {1u, 3u, 5u}) p.blocks[b].weight = 7;
    p.blocks[2].weight = p.blocks[1].weight * trips;
    p.blocks[4].weight = p.blocks[3].weight * trips;
    p.blocks[6].weight = 3;
    for (std::uint32_t i = 0; i < p.instructions.size(); ++i) p.instructions[i].source = i;
    std::vector<double> before(p.instructions.size());
    std::vector<double> after(p.instructions.size());
    const auto add = [](const ww::program& q, std::vector<double>& sums) {
      for (const ww::block& b : q.blocks) {
        for (const ww::instr_id id : q.order_of(b)) sums[q[id].source] += b.weight;
      }
    };
    add(p, before);
    pipeline::space space;
    pipelined += pipeline::transform<exact_config>(p, space);
    add(p, after);
    INFO("trips " << trips);
    for (std::size_t i = 0; i < before.size(); ++i) {
      bool branch = false;
      for (const ww::instruction& x : p.instructions) branch = branch || (x.source == i && x.has(ww::iflag::branch));
      INFO("instruction " << i);
      if (!branch) CHECK(after[i] == ww_test::Approx(before[i]));
    }
  }
  CHECK(pipelined == 12);
}
