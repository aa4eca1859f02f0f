// SPDX-License-Identifier: BSL-1.0
//
// Operands that one field of the encoding tells: their webs are one, and the words of real code hold whatever registers a lift's
// webs are given.
#include <random>
#include <string>
#include <vector>

#include <warpwright/arch/dialect.hpp>
#include <warpwright/arch/sm100.hpp>
#include <warpwright/isa/register_words.hpp>
#include <warpwright/lift/field_pair.hpp>
#include <warpwright/lift/lift.hpp>
#include <warpwright/lift/lower.hpp>
#include <warpwright/sass/listing.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/program_of.hpp"
#include "support.hpp"

namespace {

namespace corpus = ww_test::corpus;
using ww::lifted_program;

std::uint32_t web_at(const lifted_program& l, unsigned i, unsigned k) {
  return l.web_of_operand[l.code.instructions[i].first_operand + k];
}

std::vector<std::string> all_listings() {
  std::vector<std::string> paths = corpus::listings();
  for (const char* folder : {"listings_blackwell", "listings_versions", "listings_rare"}) {
    for (const std::string& path : corpus::files(corpus::bundled(folder))) paths.push_back(path);
  }
  return paths;
}

// The pair of one instruction on a line of its own.
ww::field_pair pair_of(const char* text) {
  const ww::program p = ww_test::program_of<ww::sm100>(std::string(text) + " ;\nEXIT ;\n");
  return ww::field_pair_of(p.instructions[0], p.operands_of(p.instructions[0]));
}

}  // namespace

TEST_CASE("lift: the instruction descriptor of a matrix in tensor memory is the register behind its addend's address") {
  const ww::program p = ww_test::program_of<ww::sm100>(R"(
    UMOV UR4, 0x1 ;
    UMOV UR8, 0x2 ;
    UMOV UR9, 0x3 ;
    UMOV UR10, 0x4 ;
    UMOV UR11, 0x5 ;
    UMOV UR12, 0x6 ;
    UMOV UR5, 0x7 ;
    UTCHMMA gdesc[UR8], gdesc[UR10], tmem[UR12], tmem[UR4], idesc[UR5], !UPT ;
    UMOV UR5, 0x8 ;
    R2UR UR13, R2 ;
    STG.E desc[UR4][R2.64], R5 ;
    EXIT ;
  )");
  const lifted_program l = ww::lift(p);
  REQUIRE(l.ok());
  const ww::web& pair = l.webs[web_at(l, 0, 0)];
  CHECK(web_at(l, 0, 0) == web_at(l, 6, 0));
  CHECK(web_at(l, 1, 0) != web_at(l, 0, 0));
  CHECK((pair.original == 4 && pair.width == 2 && pair.alignment == 2 && pair.phase == 0));
  CHECK(l.webs[web_at(l, 5, 0)].width == 1);
  const ww::span<const ww::operand> ops = l.code.operands_of(l.code.instructions[7]);
  const ww::field_pair f = ww::field_pair_of(p.instructions[7], p.operands_of(p.instructions[7]));
  REQUIRE(f.found);
  CHECK(ops[f.second].base().number() == ops[f.first].base().number() + 1);
}

TEST_CASE("lift: which operands share a field") {
  const auto found = [](const char* text, std::uint32_t first) {
    const ww::program p = ww_test::program_of<ww::sm100>(std::string(text) + " ;\nEXIT ;\n");
    const ww::span<const ww::operand> ops = p.operands_of(p.instructions[0]);
    const ww::field_pair f = ww::field_pair_of(p.instructions[0], ops);
    return f.found && ops[f.first].base() == ww::UR(first) && ops[f.second].base() == ww::UR(first + 1);
  };
  CHECK(found("UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR10], tmem[UR8], idesc[UR9], UR12, UP0", 8));
  CHECK(found("UTCIMMA.2CTA tmem[UR7], gdesc[UR16], tmem[UR6], tmem[UR4], idesc[UR5], UR8, UP0", 4));
  CHECK(
      found("UTCIMMA.2CTA tmem[UR7], gdesc[UR8], tmem[UR6], tmem[UR4], idesc[UR5], UR8, UP0", 4));  // gdesc is a pair itself
  CHECK(found("UTCQMMA gdesc[UR10], gdesc[UR14], tmem[UR44], tmem[UR50], idesc[UR51], tmem[UR52], UPT", 50));
  CHECK(found("UTCOMMA gdesc[UR38], gdesc[UR40], tmem[UR12], tmem[UR26], idesc[UR27], tmem[UR4], UPT", 26));
  CHECK(found("UGETNEXTWORKID.BROADCAST [UR4], [UR5]", 4));
  CHECK(found("LDGSTS.E.LTC256B.64.ZFILL [UR4], desc[UR5][R2.64], P0", 4));
  CHECK(found("LDGSTS.E.64 [R9+UR6], desc[UR7][R2.64]", 6));
  CHECK(!pair_of("LDGSTS.E.64 [R9], desc[UR6][R2.64]").found);     // a descriptor of its own
  CHECK(!pair_of("UGETNEXTWORKID.BROADCAST [UR4], [UR6]").found);  // no compiler writes it
  CHECK(!pair_of("UGETNEXTWORKID.BROADCAST [UR5], [UR4]").found);
  CHECK(!pair_of("UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR10], tmem[UR8], idesc[UR12], UP0").found);
  CHECK(!pair_of("UTCBAR [UR4], UR5").found);
  CHECK(!pair_of("UTMALDG.2D [UR12], [UR14]").found);
  CHECK(!ww::field_pair_of(ww::instruction(), {}).found);
}

TEST_CASE("lift: both addresses of UGETNEXTWORKID are one web, and fixed together") {
  const ww::program p = ww_test::program_of<ww::sm100>(R"(
    UMOV UR6, 0x1 ;
    UMOV UR7, 0x2 ;
    UGETNEXTWORKID.BROADCAST [UR6], [UR7] ;
    UMOV UR8, 0x3 ;
    UGETNEXTWORKID.BROADCAST [UR8], [UR9] ;
    EXIT ;
  )");
  const lifted_program l = ww::lift(p);
  REQUIRE(l.ok());
  CHECK(web_at(l, 0, 0) == web_at(l, 1, 0));
  CHECK(!l.webs[web_at(l, 0, 0)].is_fixed());
  CHECK((l.webs[web_at(l, 0, 0)].width == 2 && l.webs[web_at(l, 0, 0)].alignment == 2));
  CHECK(l.webs[web_at(l, 3, 0)].reason == ww::fixed_reason::entry);  // UR9 was there before
  CHECK(web_at(l, 3, 0) == web_at(l, 4, 1));
}

TEST_CASE("lift: the words of every listing hold the webs wherever they go") {
  std::mt19937 rng(7);
  std::size_t pairs = 0;
  std::size_t lifted_pairs = 0;
  std::size_t barriers = 0;
  std::size_t moved = 0;
  std::size_t refused = 0;
  for (const std::string& path : all_listings()) {
    const std::string text = corpus::text(path);
    const ww::sass::listing_result r = ww::sass::read_listing(text, {corpus::sm_of(path), path});
    INFO(path << ": " << r.err.message());
    REQUIRE(bool(r));
    for (const ww::program& section : r.mod.sections) {
      ww::program p = section;
      if (!p.has_encoding || ww::dialect_of(p.sm).word64 || p.order.size() > 4000 || !ww::build_cfg(p).ok) continue;
      lifted_program l = ww::lift(p);
      REQUIRE(l.ok());
      l.has_encoding = false;
      ww::vec<std::uint32_t> where = ww::identity_assignment(l);
      for (std::size_t w = 0; w < l.webs.size(); ++w) {
        const ww::web& one = l.webs[w];
        if (one.is_fixed()) continue;
        const std::uint32_t room = one.file == ww::reg_file::r ? 255 : one.file == ww::reg_file::ur ? 63 : 7;
        where[w] = one.phase;
        if (room < one.width + one.phase) continue;
        where[w] +=
            (static_cast<std::uint32_t>(rng()) % ((room - one.width - one.phase) / one.alignment + 1)) * one.alignment;
      }
      const ww::lower_result low = ww::lower(l, {where.data(), where.size()});
      REQUIRE(low.ok());
      for (const ww::instr_id i : p.order) {
        const ww::instruction& ins = p[i];
        const ww::field_pair f = ww::field_pair_of(ins, p.operands_of(ins));
        if (f.found) {
          ++pairs;
          REQUIRE(p.operands_of(ins)[f.first].base().number() % 2 == 0);
          lifted_pairs += l.webs[l.web_of_operand[ins.first_operand + f.first]].is_fixed() ? 0u : 1u;
        }
        if (ins.op == ww::opcode::bar && ins.operand_count > 1) ++barriers;
        std::uint64_t word[2] = {ins.word[0], ins.word[1]};
        const auto done =
            ww::isa::set_registers(word, ins, p.operands_of(ins), low.code.operands_of(low.code[i]), ww::dialect_of(p.sm));
        INFO("/*" << std::hex << ins.address << "*/ " << r.mod.body_of(ins) << ": " << ww::isa::name_of(done.fault));
        REQUIRE(done.fault != ww::isa::register_words_fault::shared_field);
        REQUIRE(done.fault != ww::isa::register_words_fault::too_high);
        moved += word[0] != ins.word[0] || word[1] != ins.word[1] ? 1u : 0u;
        refused += done.ok() ? 0u : 1u;
      }
    }
  }
  WARN(pairs << " pairs, " << lifted_pairs << " of them lifted; " << barriers << " BAR with registers; " << moved
             << " instructions in other registers, " << refused << " refused");
  CHECK(pairs > 0);
  CHECK(lifted_pairs > 0);
  CHECK(barriers > 10);
  CHECK(moved > 10000);
}
