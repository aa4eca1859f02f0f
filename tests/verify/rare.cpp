// SPDX-License-Identifier: BSL-1.0
//
// Instructions that the corpus has seldom or never: sparse, binary and 8-bit matrices, textures and surfaces waited for with
// DEPBAR, half-precision comparisons, sums of mixed precision, the least of what tensor memory gives, lines of L2, grown stacks, strong
// loads and atomics in front of one that acquires, atomics short of registers, chains of wide products, shared memory that is cleared, or set to
// another size. Listings of small kernels that a compiler translated: nothing to find in them, also with control words of ours.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/decode.hpp"
#include "warpwright/isa/instruction_text.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/sass/writer.hpp"
#include "warpwright/scoreboard/assign.hpp"
#include "warpwright/verify/hazards.hpp"

using namespace ww;

namespace {

template <class F>
void each_rare(F&& f) {
  unsigned listings = 0;
  for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled("listings_rare"))) {
    const std::string text = ww_test::corpus::text(path);
    sass::listing_result r = sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
    INFO(path);
    REQUIRE(bool(r));
    ++listings;
    for (program& p : r.mod.sections) {
      REQUIRE(build_cfg(p).ok);
      bool known = false;
      detail::visit_arch_in(meta::type_list<sm75, sm80, sm86, sm89, sm90, sm90a, sm100, sm103, sm107, sm110, sm120>{},
                            nearest_sm(p.sm), [&]<class Arch>() {
                              known = true;
                              f.template operator()<Arch>(p);
                            });
      CHECK(known);
    }
  }
  CHECK(listings >= 65);
}

}  // namespace

TEST_CASE("verify rare: HMMA.884 may keep what it adds to, other matrix operations may not") {
  isa::asm_instruction form;
  const std::uint64_t word[2] = {0, std::uint64_t{4} << 58};
  program p;
  p.sm = sm70::id;
  const auto flags = [&](const char* text) {
    REQUIRE(isa::parse_instruction(text, form).ok);
    return verify::detail::flaggable<sm70>(isa::decode(form, word, true, dialect_of(p.sm), p.operands));
  };
  CHECK(flags("HMMA.884.F32.F16.STEP0 R8, R16.reuse.COL, R2.reuse.COL, R4.reuse") == 7);
  CHECK(flags("HMMA.1688.F32 R8, R16, R2, R4") == 11);
}

TEST_CASE("rare instructions: compiled code has no finding, and every opcode is known") {
  each_rare([]<class Arch>(const program& p) {
    for (const instruction& i : p.instructions) CHECK(!i.has(iflag::unknown));
    const verify::report r = verify::check<Arch>(p);
    for (const verify::finding& f : r.findings) {
      if (f.level != verify::severity::finding) continue;
      INFO(verify::name(f.kind) << " at " << p[f.second].address);
      CHECK(f.level != verify::severity::finding);
    }
    CHECK(r.errors() == 0);
  });
}

TEST_CASE("rare instructions: what textures, matrices and copies are given they take") {
  unsigned programs = 0;
  each_rare([&]<class Arch>(const program& p) {
    const bool takes = std::any_of(p.instructions.begin(), p.instructions.end(), [](const instruction& i) {
      return i.op == opcode::tex || i.op == opcode::txd || i.op == opcode::qmma || i.op == opcode::omma ||
             i.op == opcode::utmaldg || i.op == opcode::utcimma;
    });
    if (!takes) return;
    ++programs;
    constexpr reg stack{reg_file::r, 1};
    verify::options o;
    o.notes = true;
    for (const verify::finding& f : verify::check<Arch>(p, o).findings) {
      INFO("at " << p[f.second].address);
      CHECK((f.kind != verify::finding_kind::dead_result || f.target == stack));
    }
  });
  CHECK(programs >= 8);
}

TEST_CASE("rare instructions: new control words are right") {
  scoreboard::workspace ws;
  each_rare([&]<class Arch>(const program& original) {
    program p = original;
    for (instruction& i : p.instructions) {
      const std::uint8_t fixed = i.has(iflag::reuse_legal) ? std::uint8_t{0} : i.ctl.reuse;
      i.ctl = {};
      i.ctl.reuse = fixed;
    }
    scoreboard::assign_control<Arch>(p, ws);
    CHECK(verify::check<Arch>(p).errors() == 0);
  });
}

TEST_CASE("rare instructions: what is in front of the load that acquires may still be on its way") {
  // ld.relaxed, ld.acquire; and a maximum that returns nothing, ld.acquire
  scoreboard::workspace ws;
  unsigned acquired = 0;
  each_rare([&]<class Arch>(const program& original) {
    if (Arch::id != sm80::id && Arch::id != sm120::id) return;
    program p = original;
    for (instruction& i : p.instructions) i.ctl = {};
    scoreboard::assign_control<Arch>(p, ws);
    for (const program* words : {&original, static_cast<const program*>(&p)}) {
      instr_id last;
      unsigned strong = 0;
      for (const instr_id id : words->order) {
        const instruction& i = (*words)[id];
        if (i.has(iflag::volatile_mem) && i.dir != mem_dir::store) {
          last = id;
          ++strong;
        }
        if (i.iclass != sched_class::cctl || !i.has(iflag::fence) || strong < 2) continue;
        ++acquired;
        CHECK(i.ctl.wait_mask == 1u << (*words)[last].ctl.write_barrier);
        program broken = *words;
        broken[id].ctl.wait_mask = 0;
        unsigned found = 0;
        for (const verify::finding& f : verify::check<Arch>(broken).findings) {
          if (f.kind != verify::finding_kind::fence_wait) continue;
          CHECK(f.first == last);
          ++found;
        }
        CHECK(found == 1);
      }
    }
  });
  CHECK(acquired == 4);
}

TEST_CASE("rare instructions: the predicate of an atomic is there when its registers have been read") {
  scoreboard::workspace ws;
  unsigned atomics = 0;
  each_rare([&]<class Arch>(const program& original) {
    if (Arch::id != sm120::id) return;
    program p = original;
    for (instruction& i : p.instructions) i.ctl = {};
    scoreboard::assign_control<Arch>(p, ws);
    for (const program* words : {&original, static_cast<const program*>(&p)}) {
      for (const instr_id id : words->order) {
        if ((*words)[id].iclass != sched_class::atom) continue;
        ++atomics;
        CHECK((*words)[id].ctl.sets_read());
        if (words == &original) CHECK_FALSE((*words)[id].ctl.sets_write());  // ours for the CCTL behind it
        const auto asks = std::find_if(std::find(words->order.begin(), words->order.end(), id), words->order.end(),
                                       [&](instr_id i) { return (*words)[i].has(iflag::branch); });
        REQUIRE(asks != words->order.end());
        CHECK((*words)[*asks].ctl.wait_mask == 1u << (*words)[id].ctl.read_barrier);
        // whoever asks for it waits for that counter
        program broken = *words;
        for (instruction& i : broken.instructions) {
          if (i.has(iflag::branch)) i.ctl.wait_mask = 0;
        }
        CHECK(verify::check<Arch>(broken).errors() != 0);
      }
    }
  });
  CHECK(atomics == 2);
}

TEST_CASE("rare instructions: a shorter stall behind a sparse, binary or 8-bit matrix instruction is found") {
  unsigned planted = 0;
  each_rare([&]<class Arch>(const program& original) {
    for (const block& b : original.blocks) {
      const auto order = original.order_of(b);
      for (std::size_t k = 0; k + 1 < order.size(); ++k) {
        const opcode op = original[order[k]].op;
        if (op != opcode::hmma && op != opcode::imma && op != opcode::bmma && op != opcode::qmma) continue;
        if (Arch::latency::variable(original[order[k]].iclass)) continue;  // a counter, not a distance
        // all stalls up to the first reader one cycle
        program p = original;
        bool reader = false;
        for (std::size_t j = k; j + 1 < order.size() && !reader; ++j) {
          p.instructions[order[j].index()].ctl.stall = 1;
          p.instructions[order[j].index()].ctl.yield = false;
          for (const operand& d : p.operands_of(p[order[k]])) {
            for (const operand& u : p.operands_of(p[order[j + 1]])) {
              reader = reader || (d.is_def() && d.is_register() && u.is_use() && u.is_register() && u.file() == d.file() &&
                                  u.base().number() < d.base().number() + d.width() &&
                                  d.base().number() < u.base().number() + u.width());
            }
          }
        }
        if (!reader) continue;
        ++planted;
        // where the distance is assumed it may be a note
        const verify::options all{.notes = true};
        CHECK(verify::check<Arch>(p, all).findings.size() > verify::check<Arch>(original, all).findings.size());
      }
    }
  });
  CHECK(planted >= 8);
}

TEST_CASE("rare instructions: a later memory operation that is waited for covers the registers of a barrier") {
  // BAR.SYNC R6, R6 without a counter, then something that is waited for, then R6 overwritten; fields as a compiler gives them.
  const auto alleged = [](const char* between, std::uint8_t reads, std::uint8_t writes) {
    const std::string text =
        std::string(
            "        /*0000*/                   BAR.SYNC.DEFER_BLOCKING R6, R6 ;\n        /*0010*/                   ") +
        between +
        " ;\n        /*0020*/                   IADD3 R6, R8, R9, RZ ;\n        /*0030*/                   EXIT ;\n";
    sass::listing_result r = sass::read_listing(text, {sm80::id, "barrier"});
    REQUIRE(bool(r));
    program& p = r.mod.sections.front();
    REQUIRE(build_cfg(p).ok);
    for (instruction& i : p.instructions) i.ctl.stall = 5;
    instruction& middle = p.instructions[1];
    middle.ctl.read_barrier = reads;
    middle.ctl.write_barrier = writes;
    for (const std::uint8_t c : {reads, writes}) {
      if (c != control::no_barrier) p.instructions[2].ctl.wait_mask = static_cast<std::uint8_t>(1u << c);
    }
    verify::options o;
    o.lints = false;
    bool found = false;
    for (const verify::finding& f : verify::check<sm80>(p, o).findings) found = found || f.first == instr_id{0};
    return found;
  };
  constexpr std::uint8_t none = control::no_barrier;
  CHECK_FALSE(alleged("STL [R1+0x8], R4", 0, none));
  CHECK_FALSE(alleged("LDL R8, [R1+0x8]", none, 2));
  CHECK(alleged("STL [R1+0x8], R4", none, none));
  CHECK(alleged("MUFU.RCP R8, R4", none, 2));
  // What lands behind the reads of memory operations lands behind those of the barrier.
  CHECK_FALSE(alleged("LDS R6, [R8]", none, 2));
  CHECK(alleged("LDG.E R6, [R8.64]", none, 2));
}

TEST_CASE("rare instructions: DMMA.8x8x4 gives its result some time after its sources were read") {
  // As a compiler leaves it (matrix factors of doubles, cuDSS, ptxas 12.9): the read counter is awaited, then only time passes.
  const auto alleged = []<class Arch>(const char* product, unsigned cycles, bool reads_awaited = true) {
    std::string text = std::string("        /*0000*/                   ") + product + " ;\n";
    unsigned stalls = (cycles + 14) / 15;
    char place[16];
    for (unsigned k = 0; k < stalls; ++k) {
      std::snprintf(place, sizeof place, "/*%04x*/", 0x10 * (k + 1));
      text += std::string("        ") + place + "                   NOP ;\n";
    }
    std::snprintf(place, sizeof place, "/*%04x*/", 0x10 * (stalls + 1));
    text += std::string("        ") + place + "                   STL [R1], R11 ;\n";
    std::snprintf(place, sizeof place, "/*%04x*/", 0x10 * (stalls + 2));
    text += std::string("        ") + place + "                   EXIT ;\n";
    sass::listing_result r = sass::read_listing(text, {Arch::id, "dmma"});
    REQUIRE(bool(r));
    program& p = r.mod.sections.front();
    REQUIRE(build_cfg(p).ok);
    p.instructions[0].ctl.stall = 2;
    p.instructions[0].ctl.write_barrier = 5;
    p.instructions[0].ctl.read_barrier = 1;
    if (reads_awaited) p.instructions[1].ctl.wait_mask = 1u << 1;
    for (unsigned k = 0; k < stalls; ++k) {
      p.instructions[k + 1].ctl.stall = static_cast<std::uint8_t>(k + 1 < stalls ? 15u : cycles - 15u * (stalls - 1));
    }
    p.instructions[stalls + 2].ctl.stall = 5;
    verify::options o;
    o.lints = false;
    unsigned found = 0;
    for (const verify::finding& f : verify::check<Arch>(p, o).findings) {
      found += f.kind == verify::finding_kind::raw_counter && f.first == instr_id{0} ? 1u : 0u;
    }
    return found;
  };
  const char* small = "DMMA.8x8x4 R8, R2, R4, R8";
  CHECK(alleged.operator()<sm90>(small, 105) == 0);
  CHECK(alleged.operator()<sm90>(small, 104) == 1);
  CHECK(alleged.operator()<sm100>(small, 54) == 0);
  CHECK(alleged.operator()<sm100>(small, 53) == 1);
  CHECK(alleged.operator()<sm90>(small, 300, false) == 1);
  // Nothing is known of other shapes and SMs: compilers wait there.
  CHECK(alleged.operator()<sm90>("DMMA.16x8x4 R8, R16, R4, R8", 300) == 1);
  CHECK(alleged.operator()<sm80>("DMMA.884 R8, R2, R4, R8", 300) == 1);
  CHECK(alleged.operator()<sm103>(small, 300) == 1);
  CHECK(alleged.operator()<sm107>(small, 300) == 1);
  CHECK(alleged.operator()<sm120>(small, 300) == 1);
}
