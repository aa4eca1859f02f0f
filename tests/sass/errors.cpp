// SPDX-License-Identifier: BSL-1.0
// Bad listings: each gives an error with its place, none is accepted in part.
#include <chrono>
#include <string>
#include <string_view>

#include <warpwright/sass/listing.hpp>
#include <warpwright/sass/writer.hpp>

#include "support/catch.hpp"
#include "support/corpus.hpp"

namespace {

namespace corpus = ww_test::corpus;
namespace sass = ww::sass;

const std::string& saxpy() {
  static const std::string text = corpus::text(corpus::bundled("listings/saxpy.sm80.sass"));
  return text;
}

// A small listing: line numbers are easy to see.
const std::string small =
    "\t.headerflags\t@\"EF_CUDA_SW_1729687_v2\"\n"                                          // 1
    "\t.elftype\t@\"ET_EXEC\"\n"                                                            // 2
    "\n"                                                                                    // 3
    "\n"                                                                                    // 4
    "//--------------------- .text.k          --------------------------\n"                 // 5
    "\t.section\t.text.k,\"ax\",@progbits\n"                                                // 6
    "\t.sectioninfo\t@\"SHI_REGISTERS=12\"\n"                                               // 7
    "        .type           k,@function\n"                                                 // 8
    "        .size           k,(.L_x_1 - k)\n"                                              // 9
    "        .other          k,@\"STO_CUDA_ENTRY STV_DEFAULT\"\n"                           // 10
    "k:\n"                                                                                  // 11
    ".text.k:\n"                                                                            // 12
    "        /*0000*/              @!P0 BRA `(.L_x_0) ;        /* 0x0000001000008947 */\n"  // 13
    "                                                          /* 0x000fea0003800000 */\n"  // 14
    "        /*0010*/                   EXIT ;                 /* 0x000000000000794d */\n"  // 15
    "                                                          /* 0x000fea0003800000 */\n"  // 16
    ".L_x_0:\n"                                                                             // 17
    "        /*0020*/                   BRA `(.L_x_0);         /* 0xfffffff000007947 */\n"  // 18
    "                                                          /* 0x000fc0000383ffff */\n"  // 19
    ".L_x_1:\n";                                                                            // 20

std::string replaced(std::string text, std::string_view from, std::string_view to, int which = 0) {
  std::size_t at = text.find(from);
  while (which-- > 0) at = text.find(from, at + 1);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  return text;
}

void expect(const std::string& text, std::uint64_t line, std::uint64_t column, std::string_view words,
            ww::sm_id sm = ww::sm_id{800}) {
  const sass::listing_result r = sass::read_listing(text, {sm, "bad.sass"});
  INFO(r.err.message());
  REQUIRE(!r);
  CHECK(r.err.file == "bad.sass");
  CHECK(r.err.line == line);
  CHECK(r.err.column == column);
  CHECK(std::string(r.err.expected).find(words) != std::string::npos);
  CHECK(r.mod.sections.empty());
  CHECK(r.mod.records.empty());
}

}  // namespace

TEST_CASE("listing: the small example is good") {
  const sass::listing_result r = sass::read_listing(small, {ww::sm_id{800}, "small.sass"});
  INFO(r.err.message());
  REQUIRE(r);
  REQUIRE(r.mod.sections.size() == 1);
  const ww::program& p = r.mod.sections[0];
  CHECK(p.instructions.size() == 3);
  CHECK(p.register_count == 12);
  CHECK(p.instructions[0].target == ww::instr_id{2});
  REQUIRE(p.functions.size() == 1);
  CHECK(p.functions[0].kernel);
  CHECK(r.mod.name_of(p.functions[0]) == "k");
  CHECK(p.instructions[0].ctl.stall == 5);
}

TEST_CASE("listing error: 0 bytes, and text that is no listing") {
  expect("", 0, 0, "empty");
  expect("\n\n\n", 4, 1, "at least one code section");
  expect("hello world\n", 1, 1, "a section, a label or a directive");
}

TEST_CASE("listing error: a line without an end") {
  std::string text = small;
  text.append(std::size_t{64} << 20, 'x');
  expect(text, 21, sass::line_scanner::max_line + 1, "end of the line");
}

TEST_CASE("listing error: a gigabyte of one line takes no time and no memory") {
  const std::vector<char> text(std::size_t{1} << 30, ' ');
  const auto start = std::chrono::steady_clock::now();
  const sass::listing_result r = sass::read_listing(std::string_view(text.data(), text.size()), {});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  CHECK(!r);
  CHECK(r.err.line == 1);
  CHECK(took.count() < 1.0);
}

TEST_CASE("listing error: bytes that are not text") {
  expect(replaced(small, "SHI_REG", "SHI\xff_REG"), 7, 20, "UTF-8");
  expect(replaced(small, "SHI_REG", "SHI\xc3_REG"), 7, 20, "UTF-8");
  expect(replaced(small, "SHI_REG", std::string_view("SHI\0_REG", 8)), 7, 20, "NUL");
  CHECK(sass::read_listing(replaced(small, "SHI_REG", "SHI\xc3\xa4_REG"), {ww::sm_id{800}, ""}));
}

TEST_CASE("listing error: missing label") {
  expect(replaced(small, "BRA `(.L_x_0) ;", "BRA `(.L_x_7) ;"), 13, 42, "a label that is defined");
}

TEST_CASE("listing error: a symbol without its label") {
  expect(replaced(small, "k:\n.text", ".text"), 8, 1, "a label for the symbol");
  expect(replaced(small, "(.L_x_1 -", "(.L_x_3 -"), 9, 1, "a label for the symbol");
}

TEST_CASE("listing error: branch out of the section") {
  expect(replaced(small, "BRA `(.L_x_0) ;", "BRA `(.L_x_1) ;"), 13, 42, "a label with an instruction behind it");
  std::string two =
      small + replaced(replaced(small.substr(small.find("//----")), ".L_x_0:", ".L_x_8:"), ".L_x_1:", ".L_x_9:");
  two = replaced(two, "(.L_x_1 - k)", "(.L_x_9 - k)", 1);
  two = replaced(two, "\nk:\n.text.k:", "\nj:\n.text.j:", 1);
  two = replaced(two, "k,(.L_x_9 - k)", "j,(.L_x_9 - j)");
  two = replaced(two, "k,@function", "j,@function", 1);
  two = replaced(two, "k,@\"STO", "j,@\"STO", 1);
  expect(two, 29, 42, "a label of the same section");
  const std::string raw = "        /*0000*/                   BRA 0x40 ;\n        /*0010*/                   EXIT ;\n";
  expect(raw, 1, 40, "a branch target inside the section");
  expect(replaced(raw, "0x40", "0x18"), 1, 40, "a branch target inside the section");
}

TEST_CASE("listing error: duplicate and cyclic label names") {
  expect(replaced(small, ".L_x_1:", ".L_x_0:"), 20, 1, "a label that is not defined above");
  expect(replaced(small, "k:\n", "\t.set a,b\n\t.set b,a\nk:\n"), 11, 2, "no alias");
}

TEST_CASE("listing: comments may stand between the name of a label and its colon") {
  const std::string comment = "/*      (* \"instr/R-regs: 3 instructions, 12 R-regs\" *)*/";
  for (const std::string& more : {"  " + comment + "  :\n", comment + ":\n", comment + " /* */ : \n"}) {
    const std::string text = replaced(small, "k:\n", "k" + more);
    const sass::listing_result r = sass::read_listing(text, {ww::sm_id{800}, "annotated.sass"});
    INFO(r.err.message());
    REQUIRE(r);
    REQUIRE(r.mod.sections[0].functions.size() == 1);
    CHECK(r.mod.name_of(r.mod.sections[0].functions[0]) == "k");
    CHECK(r.mod.sections[0].functions[0].kernel);
    std::string out;
    CHECK_FALSE(bool(sass::write_listing(r.mod, [&](std::string_view piece) { out += piece; })));
    CHECK((out == text));
  }
  expect(replaced(small, "k:\n", "k :\n"), 11, 1, "a label");
  expect(replaced(small, "k:\n", "k /* :\n"), 11, 1, "a label");
  expect(replaced(small, "k:\n", "k " + comment + "\n"), 11, 1, "a label");
  expect(replaced(small, "k:\n", "k " + comment + " : x\n"), 11, 63, "the end of the line");
}

TEST_CASE("listing error: mixed hex") {
  const std::string first =
      "        /* 0x000000000000794d */\n                                                          /* 0x000fea0003800000 */";
  expect(replaced(small, first, "\n", 0), 15, 42, "hex, as behind");
  std::string none = small;
  for (int k = 0; k < 2; ++k) {
    std::size_t at = none.find("/* 0x");
    none.erase(at, 24);
  }
  expect(none, 15, 59, "no hex");
}

TEST_CASE("listing error: hex of the wrong length or spelling") {
  expect(replaced(small, "0x000000000000794d", "0x00000000000794d"), 15, 79, "16 lower-case hex digits");
  expect(replaced(small, "0x000000000000794d", "0x0000000000000794d"), 15, 80, "' */'");
  expect(replaced(small, "0x000000000000794d", "0x000000000000794D"), 15, 79, "16 lower-case hex digits");
  expect(replaced(small, "0x000000000000794d", "0x00000000000g794d"), 15, 75, "16 lower-case hex digits");
}

TEST_CASE("listing error: words that are missing or too many") {
  const std::string second = "                                                          /* 0x000fea0003800000 */\n";
  expect(replaced(small, second, "", 1), 16, 1, "the second word");
  expect(replaced(small, second, "", 0), 14, 9, "the second word");
  expect(replaced(small, second, second + second, 1), 17, 64, "an instruction in front of a further word");
}

TEST_CASE("listing error: addresses that do not step") {
  expect(replaced(small, "/*0010*/", "/*0020*/"), 15, 11, "the next address");
  expect(replaced(small, "/*0000*/", "/*0010*/"), 13, 11, "the next address");
  expect(replaced(small, "/*0010*/", "/*0018*/"), 15, 11, "the next address");
  expect(replaced(small, "/*0010*/", "/*10*/"), 15, 11, "4 to 8 hex digits");
  expect(replaced(small, "/*0010*/", "/*0010 /"), 15, 15, "'*/'");
}

TEST_CASE("listing error: wrong SM") {
  expect(small, 13, 11, "64-bit instructions", ww::sm_id{520});
  expect("\t.target\tsm_90\n" + small, 1, 10, "the SM that the caller named");
  expect("\n\tcode for sm_90\n", 2, 11, "the SM that the caller named");
  const std::string pair = corpus::text(corpus::bundled("listings/formats/maxwell.sm52.vliw.txt"));
  expect(pair, 1, 15, "flags of the SM", ww::sm_id{800});
  const std::string unnamed = replaced(replaced(pair, "EF_CUDA_SM52", "EF_CUDA_XX52"), "EF_CUDA_SM52", "EF_CUDA_XX52");
  expect(unnamed, 3, 11, "128-bit instructions", ww::sm_id{800});
  // The letter: .target has it, cuobjdump and flags may lack it. Where both are served by one set of rules it is no matter.
  expect("\t.target\tsm_90a\n" + small, 1, 10, "the SM that the caller named", ww::sm_id{900});
  expect("\t.target\tsm_90\n" + small, 1, 10, "the SM that the caller named", ww::sm_id{901});
  expect("\n\tcode for sm_90a\n" + small, 2, 11, "the SM that the caller named", ww::sm_id{900});
  const std::string headless = small.substr(small.find("\t.section"));
  CHECK(sass::read_listing("\t.target\tsm_90\n" + headless, {ww::sm_id{900}, ""}));
  CHECK(sass::read_listing("\t.target\tsm_100a\n" + headless, {ww::sm_id{1000}, ""}));
  CHECK(sass::read_listing("\t.target\tsm_100\n" + headless, {ww::sm_id{1002}, ""}));
  const auto named = sass::read_listing("\t.target\tsm_90a\n" + headless, {ww::sm_id{900}, "k.sass"});
  CHECK(named.err.message() == "k.sass:1:10: expected the SM that the caller named (sm_90), found 'sm_90a'");
  // and with a flag by others
  const std::string flags =
      "\t.headerflags\t@\"EF_CUDA_64BIT_ADDRESS EF_CUDA_ACCELERATORS EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM75)\"\n";
  const auto flagged = sass::read_listing(flags + headless, {ww::sm_id::unknown, ""});
  REQUIRE(bool(flagged));
  CHECK(flagged.mod.sections.at(0).sm == ww::sm_id{901});
  expect(flags + headless, 1, 15, "flags of the SM that the caller named", ww::sm_id{900});
  CHECK(sass::read_listing(replaced(flags, " EF_CUDA_ACCELERATORS", "") + headless, {ww::sm_id{901}, ""}));
  CHECK(sass::read_listing("\tcode for sm_90\n\t\tFunction : k\n        /*0000*/                   EXIT ;\n\t\t..........\n",
                           {ww::sm_id{901}, ""}));
}

TEST_CASE("listing error: instructions that are not") {
  expect(replaced(small, "EXIT ;", "EXIT  "), 15, 83, "';'");
  expect(replaced(small, "                   EXIT ;", "                        ;"), 15, 41, "an instruction");
  expect(replaced(small, "EXIT ;", "exit ;"), 15, 36, "a mnemonic");
  expect(replaced(small, "        /*0010*/", "   rubbish /*0010*/"), 15, 4, "an instruction, a label or a directive");
  expect(replaced(small, "BRA `(.L_x_0) ;", "BRA ;          "), 13, 39, "a code address");
}

TEST_CASE("listing error: registers that no word can hold, and operands in parentheses") {
  const auto with = [](std::string_view body) { return replaced(small, "EXIT ;", std::string(body) + " ;"); };
  CHECK(sass::read_listing(with("FADD R4, R4, R254"), {ww::sm_id{800}, ""}));
  for (const char* const body : {"FADD R4, R4, R255", "FADD R4, R4, R1023", "FADD R4, R4, R1024", "FADD R4, R4, R65536",
                                 "FADD R4, R4, R999999", "FADD R4, R4, R1048576", "FADD R4, R4, UR1024"})
    expect(with(body), 15, 49, "a register that exists");
  expect(with("@P1024 FADD R4, R4, R5"), 15, 37, "a register that exists");
  expect(with("FADD.FTZ R1025, R1024.reuse, -R5"), 15, 45, "a register that exists");
  expect(with("LDG.E R4, [R2.64+UR1024+0x1024]"), 15, 53, "a register that exists");
  expect(with("LDG.E R4, desc[UR1024][R2.64]"), 15, 51, "a register that exists");
  expect(with("FADD R4, c[0x0][R1024+0x4], R4"), 15, 52, "a register that exists");
  expect(with("FADD R4, (R4), R5"), 15, 45, "an operand");
  expect(with("FADD R4, R5, (((R4)))"), 15, 49, "an operand");
}

TEST_CASE("listing error: sm_52 groups and pairs") {
  const std::string text = corpus::text(corpus::bundled("listings/formats/maxwell.sm52.vliw.txt"));
  expect(replaced(text, "                                                              /* 0x001f9800fe0007e6 */\n", ""), 2,
         11, "a control word", ww::sm_id{520});
  expect(replaced(text, "FADD R3, R1, R2         }", "FADD R3, R1, R2 ;        "), 5, 52, "'}'", ww::sm_id{520});
  expect(replaced(text, "{         FFMA", "          FFMA"), 5, 60, "';'", ww::sm_id{520});
}

TEST_CASE("listing error: cuobjdump text cut inside a function") {
  const std::string text = corpus::text(corpus::bundled("listings/formats/cuobjdump-saxpy.sm80.txt"));
  const std::size_t dots = text.rfind("\t\t....");
  const sass::listing_result r = sass::read_listing(text.substr(0, dots), {ww::sm_id{800}, ""});
  CHECK(!r);
  CHECK(std::string(r.err.expected).find("dots") != std::string::npos);
  CHECK(r.err.line > 10);
}

TEST_CASE("listing error: a file cut anywhere is refused or holds whole sections only") {
  const std::string& text = saxpy();
  const sass::listing_result whole = sass::read_listing(text, {ww::sm_id{800}, ""});
  REQUIRE(whole);
  std::size_t accepted = 0;
  for (std::size_t n = 0; n < text.size(); n += n % 61 == 0 ? 1 : 7) {
    const sass::listing_result r = sass::read_listing(std::string_view(text).substr(0, n), {ww::sm_id{800}, ""});
    if (!r) {
      CHECK(r.mod.sections.empty());
      continue;
    }
    ++accepted;
    REQUIRE(r.mod.sections.size() <= whole.mod.sections.size());
    for (std::size_t s = 0; s < r.mod.sections.size(); ++s) {
      CHECK(r.mod.sections[s].instructions.size() == whole.mod.sections[s].instructions.size());
    }
  }
  CHECK(accepted < 40);
}

TEST_CASE("listing: the SM is taken from what can be trusted") {
  const auto sm = [](const std::string& text, ww::sm_id hint) {
    const sass::listing_result r = sass::read_listing(text, {hint, ""});
    REQUIRE(r);
    REQUIRE(r.mod.sm_source != nullptr);
    return static_cast<unsigned>(r.mod.sections[0].sm);
  };
  CHECK(sm(small, ww::sm_id::unknown) == 0);
  CHECK(sm(small, ww::sm_id{860}) == 860);
  CHECK(sm("\t.target\tsm_100a\n" + small, ww::sm_id::unknown) == 1001);
  CHECK(sm(corpus::text(corpus::bundled("listings/saxpy.sm120.sass")), ww::sm_id::unknown) == 1200);
  CHECK(sm(corpus::text(corpus::bundled("listings/formats/saxpy.sm90.cuda12-header.txt")), ww::sm_id::unknown) == 900);
  CHECK(sm(corpus::text(corpus::bundled("listings/formats/cuobjdump-saxpy.sm75.txt")), ww::sm_id::unknown) == 750);
  CHECK(sm(corpus::text(corpus::bundled("listings/formats/maxwell.sm52.vliw-nohex.txt")), ww::sm_id::unknown) == 520);
}

TEST_CASE("listing: register counts from .sectioninfo and from .nv.info") {
  const std::string text = corpus::text(corpus::bundled("listings/formats/saxpy.sm80.whole.txt"));
  for (const bool strip : {false, true}) {
    std::string t = text;
    while (strip && t.find("SHI_REGISTERS") != std::string::npos) t = replaced(t, "SHI_REGISTERS", "SHI_RESERVED_");
    const sass::listing_result r = sass::read_listing(t, {ww::sm_id{800}, ""});
    REQUIRE(r);
    for (std::size_t s = 0; s < r.mod.sections.size(); ++s) {
      CHECK(r.mod.sections[s].register_count == (r.mod.name_of(r.mod.infos[s]) == "saxpy" ? 12u : 32u));
    }
  }
}
