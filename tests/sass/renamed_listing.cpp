// SPDX-License-Identifier: BSL-1.0
//
// Listings written with other registers: each register drawn by itself, read again, and taken back to the bytes that were read.
// Beside these tests the same was done with cubins: words of renamed programs put into .text, and a disassembler (nvdisasm 13.5)
// asked what they say. Bodies and words are those of write_renamed() in 596,616 of 596,616 instructions of 476 cubins (sm_75, 80, 86,
// 87, 89, 90, 90a, 100, 110, 120), and in the words of all bundled listings that it can read but for symbols, which raw words lack.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <warpwright/sass/listing.hpp>
#include <warpwright/sass/renamed_listing.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/random_registers.hpp"

namespace {

namespace corpus = ww_test::corpus;

ww::span<const ww::program> view(const std::vector<ww::program>& v) { return {v.data(), v.size()}; }

std::vector<ww::program> copy_of(const ww::sass::module& m) { return {m.sections.begin(), m.sections.end()}; }

// The operands of both, but for what is assumed where no words tell it: that depends on what the program writes.
bool same_operands(const ww::program& a, const ww::program& b) {
  if (a.operands.size() != b.operands.size()) return false;
  for (std::size_t k = 0; k < a.operands.size(); ++k) {
    if (a.operands[k] != b.operands[k] && !a.operands[k].is_assumed()) return false;
  }
  return true;
}

// One line each way: what is in `from` with the numbers of the operands changed is `to`.
struct renamed_text {
  const char* from;
  std::vector<std::uint32_t> numbers;  // of the operands, in their order
  const char* to;
};

std::string listing_of(std::string_view body) {
  return "\t.target\tsm_80\n\n\t.section\t.text.k,\"ax\",@progbits\n        /*0000*/                   " +
         std::string(body) + " ;\n        /*0010*/                   EXIT ;\n";
}

}  // namespace

TEST_CASE("renamed listing: names are matched by place, and everything else of a text stays") {
  const renamed_text texts[] = {
      {"IMAD R4, R4, R5, R6", {10, 11, 12, 13}, "IMAD R10, R11, R12, R13"},
      {"@!P0 IADD3 R4, P1, R4.reuse, -R5, R6", {10, 2, 14, 15, 16, 3}, "@!P3 IADD3 R10, P2, R14.reuse, -R15, R16"},
      {"@UP0 UIADD3 UR4, UR4, -UR5, UR6", {7, 8, 9, 10, 1}, "@UP1 UIADD3 UR7, UR8, -UR9, UR10"},
      {"FADD R4, -|R4|, |R5|.reuse", {0, 100, 200}, "FADD R0, -|R100|, |R200|.reuse"},
      {"FADD R4, |R4.reuse|, c[0x0][0x160]", {1, 2}, "FADD R1, |R2.reuse|, c[0x0][0x160]"},
      {"HADD2.F32 R4, -RZ, R4.H0_H0", {5, 0xfffff, 6}, "HADD2.F32 R5, -RZ, R6.H0_H0"},
      {"LDG.E.64 R2, desc[UR4][R2.64+0x10]", {8, 10, 6}, "LDG.E.64 R8, desc[UR6][R10.64+0x10]"},
      {"LDG.E R2, [R2.U32+UR4+-0x10]", {3, 4, 6}, "LDG.E R3, [R4.U32+UR6+-0x10]"},
      {"LDS.128 R4, [R4.X16+UR4+0x8]", {8, 3, 5}, "LDS.128 R8, [R3.X16+UR5+0x8]"},
      {"ULDC UR4, c[0x0][UR4+0x160]", {5, 9}, "ULDC UR5, c[0x0][UR9+0x160]"},
      {"ISETP.GE.AND P0, PT, R0, c[0x0][0x170], P0", {1, 0xfffff, 7, 2}, "ISETP.GE.AND P1, PT, R7, c[0x0][0x170], P2"},
      {"PLOP3.LUT P0, P1, P0, P1, UP2, 0x80, 0x8", {2, 3, 4, 5, 6}, "PLOP3.LUT P2, P3, P4, P5, UP6, 0x80, 0x8"},
      {"SHFL.BFLY PT, R3, R3, 0x10, 0x1f", {0xfffff, 4, 5}, "SHFL.BFLY PT, R4, R5, 0x10, 0x1f"},
      {"P2R R9, PR, R9, 0x7f", {1}, "P2R R1, PR, R9, 0x7f"},
      {"HMMA.16816.F32 R4, R8.reuse, R4, R4", {12, 16, 20, 24}, "HMMA.16816.F32 R12, R16.reuse, R20, R24"},
      {"TEX.LL R0, R4, R4, R8, 0x0, 0x54, 2D", {1, 2, 3, 4}, "TEX.LL R1, R2, R3, R4, 0x0, 0x54, 2D"},
      {"STS [R4+0x4], R4", {5, 6}, "STS [R5+0x4], R6"},
      {"USYNCS.ARRIVE.TRANS64.ACT0 UR4, [UR6], UR7", {8, 10}, "USYNCS.ARRIVE.TRANS64.ACT0 UR8, [UR10], UR11"},
      {"MOV R4, 32@lo(R5)", {7}, "MOV R7, 32@lo(R5)"},
      {"MOV R4, `(R5)", {7}, "MOV R7, `(R5)"},
      {"MOV R4, 32@lo(R05)", {7}, "MOV R7, 32@lo(R05)"},  // a symbol keeps its letters
      {"BMOV.32.CLEAR R4, B4", {6}, "BMOV.32.CLEAR R6, B4"},
      {"STL [R1+0x10], R7                  (*\"SpillRefill\"*)",
       {1, 100},
       "STL [R1+0x10], R100                (*\"SpillRefill\"*)"},
  };
  for (const renamed_text& x : texts) {
    INFO(x.from);
    const std::string text = listing_of(x.from);
    const ww::sass::listing_result r = ww::sass::read_listing(text);
    REQUIRE(r);
    std::vector<ww::program> code = copy_of(r.mod);
    std::size_t next = 0;
    const ww::instruction& i = code[0].instructions[0];
    for (std::uint32_t k = i.first_operand; k < i.first_operand + i.operand_count && next < x.numbers.size(); ++k) {
      ww::operand& o = code[0].operands[k];
      const ww::reg_file f = o.file();
      if (f != ww::reg_file::r && f != ww::reg_file::ur && f != ww::reg_file::p && f != ww::reg_file::up) continue;
      if (o.is_hidden() || (i.op == ww::opcode::p2r && f == ww::reg_file::p)) continue;
      o.low = (o.low & ~ww::reg::number_mask) | x.numbers[next++];
    }
    CHECK(next == x.numbers.size());
    std::string out;
    const ww::sass::error e = ww::sass::write_renamed(r.mod, view(code), out);
    CHECK(e.message() == "input: expected nothing");
    CHECK(out == listing_of(x.to));
  }
}

TEST_CASE("renamed listing: any registers for any operand, read again, and back to the same bytes") {
  std::vector<std::string> paths = corpus::listings();
  for (const char* folder : {"isa", "listings_rare", "listings_versions", "demo", "listings_blackwell"}) {
    for (const std::string& path : corpus::files(corpus::bundled(folder))) paths.push_back(path);
  }
  for (const std::string& path : corpus::other_forms()) paths.push_back(path);
  for (const std::string& path : corpus::files(corpus::bundled("cli"))) paths.push_back(path);
  std::size_t listings = 0;
  std::size_t changed = 0;
  for (const std::string& path : paths) {
    const std::string text = corpus::text(path);
    const ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = corpus::sm_of(path), .file = path});
    if (!r) continue;  // the register tables beside the listings
    INFO(path);
    std::vector<ww::program> code = copy_of(r.mod);
    std::string out;
    REQUIRE_FALSE(ww::sass::write_renamed(r.mod, view(code), out));
    REQUIRE(out == text);
    std::size_t here = 0;
    for (std::size_t s = 0; s < code.size(); ++s) here += ww_test::draw_registers(code[s], static_cast<std::uint32_t>(s));
    const ww::sass::error e = ww::sass::write_renamed(r.mod, view(code), out);
    const bool refused = r.mod.infos[0].live_range_columns || (r.mod.infos[0].word64 && r.mod.has_hex);
    REQUIRE(static_cast<bool>(e) == (refused && here != 0));
    if (e) {
      CHECK(out.empty());
      CHECK(e.line != 0);
      continue;
    }
    ++listings;
    changed += here;
    const ww::sass::listing_result again = ww::sass::read_listing(out, {.sm = code[0].sm});
    REQUIRE(again);
    REQUIRE(again.mod.sections.size() == code.size());
    for (std::size_t s = 0; s < code.size(); ++s) {
      REQUIRE(same_operands(again.mod.sections[s], code[s]));
      bool same_control = true;
      for (std::size_t k = 0; k < code[s].instructions.size(); ++k) {
        same_control = same_control && again.mod.sections[s].instructions[k].ctl == code[s].instructions[k].ctl;
      }
      REQUIRE(same_control);
    }
    std::string back;
    REQUIRE_FALSE(ww::sass::write_renamed(again.mod, view(copy_of(r.mod)), back));
    REQUIRE(back == text);
  }
  WARN(listings << " listings, " << changed << " registers changed and taken back");
  CHECK(listings > 100);
}

TEST_CASE("renamed listing: hex keeps its column, and one blank stands where a line has grown beyond it") {
  const std::string head = "\t.target\tsm_80\n\n\t.section\t.text.k,\"ax\",@progbits\n";
  const std::string text = head +
                           "        /*0000*/                   IADD3 R9, R9, R9, RZ ;   /* 0x0000000909097210 */\n"
                           "                                                            /* 0x000fca0007ffe0ff */\n";
  const std::string wanted = head +
                             "        /*0000*/                   IADD3 R10, R10, R100, RZ ; /* 0x000000640a0a7210 */\n"
                             "                                                            /* 0x000fca0007ffe0ff */\n";
  const ww::sass::listing_result r = ww::sass::read_listing(text);
  REQUIRE(r);
  std::vector<ww::program> code = copy_of(r.mod);
  const std::uint32_t numbers[] = {10, 10, 100};
  for (std::size_t k = 0; k < 3; ++k)
    code[0].operands[k].low = (code[0].operands[k].low & ~ww::reg::number_mask) | numbers[k];
  std::string out;
  REQUIRE_FALSE(ww::sass::write_renamed(r.mod, view(code), out));
  CHECK(out == wanted);
  const ww::sass::listing_result again = ww::sass::read_listing(out);
  REQUIRE(again);
  std::string back;
  REQUIRE_FALSE(ww::sass::write_renamed(again.mod, view(copy_of(r.mod)), back));
  CHECK(back == text);
}

TEST_CASE("renamed listing: refused as a whole, with the line") {
  const std::string path = corpus::bundled("listings/saxpy.sm80.sass");
  const std::string text = corpus::text(path);
  const ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = corpus::sm_of(path)});
  REQUIRE(r);
  std::string out = "old";
  const std::vector<ww::program> none;
  CHECK(ww::sass::write_renamed(r.mod, view(none), out).expected == std::string("a program for each section that was read"));
  CHECK(out.empty());
  const auto first_vector = [](ww::program& p) -> ww::operand& {
    for (ww::operand& o : p.operands) {
      if (o.file() == ww::reg_file::r && o.is_register() && o.width() == 1) return o;
    }
    return p.operands[0];
  };
  std::vector<ww::program> code = copy_of(r.mod);
  code[0].instructions.pop_back();
  CHECK(ww::sass::write_renamed(r.mod, view(code), out).expected == std::string("the instructions that were read"));
  code = copy_of(r.mod);
  first_vector(code.back()).low = (first_vector(code.back()).low & ~ww::reg::number_mask) | 255u;
  ww::sass::error e = ww::sass::write_renamed(r.mod, view(code), out);
  CHECK(e.expected == std::string("a register that the SM has"));
  CHECK(e.line > 15);
  CHECK(out.empty());
  code = copy_of(r.mod);
  first_vector(code[0]).high += 1;  // another width
  CHECK(ww::sass::write_renamed(r.mod, view(code), out).expected == std::string("the same operands in other registers"));
  // a hidden descriptor pair has no name in the text
  code = copy_of(r.mod);
  for (ww::program& p : code) {
    for (ww::operand& o : p.operands) {
      if (o.is_hidden()) o.low += 2;
    }
  }
  e = ww::sass::write_renamed(r.mod, view(code), out);
  CHECK(e.expected == std::string("a register that the text names"));
  // words that are not those of the text
  std::string wrong = text;
  const std::size_t at = wrong.find("/* 0x", wrong.find("S2R R"));
  REQUIRE(at != std::string::npos);
  wrong.replace(at + 15, 2, "7f");  // bits 16..31 of the low word
  const ww::sass::listing_result w = ww::sass::read_listing(wrong, {.sm = corpus::sm_of(path)});
  REQUIRE(w);
  code = copy_of(w.mod);
  std::size_t changed = 0;
  for (ww::program& p : code) changed += ww_test::draw_registers(p, 1);
  REQUIRE(changed != 0);
  CHECK(ww::sass::write_renamed(w.mod, view(code), out).expected ==
        std::string("an encoding that holds the registers of the text"));
  // another instruction
  code = copy_of(r.mod);
  code[0].instructions[1].op = code[0].instructions[1].op == ww::opcode::mov ? ww::opcode::imad : ww::opcode::mov;
  CHECK(ww::sass::write_renamed(r.mod, view(code), out).expected == std::string("the instructions that were read"));
  // a program of other operands, and slices that lead nowhere
  code = copy_of(r.mod);
  code[0].operands.clear();
  CHECK(ww::sass::write_renamed(r.mod, view(code), out).expected == std::string("the instructions that were read"));
}

TEST_CASE("renamed listing: operands that come from one name agree, and the name is that of the operand") {
  const std::string text = listing_of("FROBNICATE R4, R5");  // of no known opcode: each name is read and partly written
  ww::sass::listing_result r = ww::sass::read_listing(text);
  REQUIRE(r);
  const auto renamed = [&](std::vector<std::uint32_t> numbers, std::string& out) {
    std::vector<ww::program> code = copy_of(r.mod);
    for (std::size_t k = 0; k < numbers.size(); ++k)
      code[0].operands[k].low = (code[0].operands[k].low & ~ww::reg::number_mask) | numbers[k];
    return ww::sass::write_renamed(r.mod, view(code), out);
  };
  std::string out;
  REQUIRE(r.mod.sections[0].operands.size() == 4);  // R4, R5 written, then read
  CHECK_FALSE(renamed({6, 7, 6, 7}, out));
  CHECK(out == listing_of("FROBNICATE R6, R7"));
  CHECK(renamed({6, 5, 4, 5}, out).expected == std::string("one register for one name"));
  CHECK(renamed({4, 5, 6, 5}, out).expected == std::string("one register for one name"));
  CHECK(renamed({6, 7, 8, 7}, out).expected == std::string("one register for one name"));
  r.mod.sections[0].instructions[0].op = ww::opcode::mov;  // is not what its text says
  CHECK(renamed({6, 7, 6, 7}, out).expected == std::string("an instruction that can be read with other registers"));
  r.mod.sections[0].instructions[0].op = ww::opcode::unknown;
  r.mod.sections[0].operands[1].low += 3;  // says R8 where the text says R5
  CHECK(renamed({4, 9, 4, 9}, out).expected == std::string("a register that the text names"));
}

TEST_CASE("renamed listing: an empty module gives back its text") {
  const ww::sass::module m{};
  std::string out = "old";
  CHECK_FALSE(ww::sass::write_renamed(m, {}, out));
  CHECK(out.empty());
}
