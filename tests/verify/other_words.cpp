// SPDX-License-Identifier: BSL-1.0
//
// The encoding beside the text: compilers write the registers, numbers and distances that the text names; words that stand
// beside the wrong text are noted. Every register and number of the text is changed, one at a time, and every bit of a register
// field of the words.
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/arch/dialect.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/decode.hpp"
#include "warpwright/isa/instruction_text.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/verify/hazards.hpp"

using namespace ww;

namespace {

using archs = meta::type_list<sm70, sm75, sm80, sm86, sm89, sm90, sm90a, sm100, sm103, sm107, sm110, sm120>;

std::size_t notes_of(const program& p) {
  verify::options o;
  o.dependences = false;
  o.lints = false;
  o.notes = true;
  std::size_t count = 0;
  detail::visit_arch_in(archs{}, nearest_sm(p.sm), [&]<class Arch>() {
    for (const verify::finding& f : verify::check<Arch>(p, o).findings) {
      if (f.kind != verify::finding_kind::other_words) continue;
      CHECK(f.level == verify::severity::note);
      ++count;
    }
  });
  return count;
}

std::vector<std::string> bundled() {
  std::vector<std::string> paths;
  for (const char* folder : {"listings", "listings_blackwell", "listings_versions", "listings_rare"}) {
    for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled(folder))) paths.push_back(path);
  }
  return paths;
}

// Calls `use` with every bundled program of 128-bit instructions, and its module.
template <class Use>
void for_each_program(const Use& use) {
  for (const std::string& path : bundled()) {
    const std::string text = ww_test::corpus::text(path);
    sass::listing_result r = sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
    REQUIRE(bool(r));
    for (program& p : r.mod.sections) {
      if (p.has_encoding && !p.instructions.empty() && p.instructions[0].word[1] != 0) use(r.mod, p);
    }
  }
}

bool differs(const program& p, const instruction& i) {
  bool found = false;
  detail::visit_arch_in(archs{}, nearest_sm(p.sm), [&]<class Arch>() {
    reg unused;
    found = verify::has_other_words<Arch>(p, i, unused);
  });
  return found;
}

// A word of an instruction's text that names a register or is a number, and another one in its place.
struct edit {
  std::string kind;  // R, UR, P, UP, B, SB, {} for a counter of a list, ! for a negation, #, c[] or [+] for numbers
  std::size_t at, length;
  std::string other;
};

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Registers and hexadecimal numbers of one text, each with a legal other one.
std::vector<edit> edits_of(std::string_view text) {
  std::vector<edit> out;
  const std::size_t table = text.find("(*");
  const std::size_t label = text.find('`');
  const std::size_t end = std::min({text.size(), table, label});
  std::size_t operands = text[0] == '@' ? text.find(' ') + 1 : 0;
  while (operands < end && text[operands] != ' ') ++operands;
  for (std::size_t i = 0; i < end;) {
    if (!in_word(text[i])) {
      if (text[i] == '!') out.push_back({"!", i, 1, ""});
      ++i;
      continue;
    }
    std::size_t stop = i;
    while (stop < end && in_word(text[stop])) ++stop;
    const std::string word(text.substr(i, stop - i));
    const bool suffix = i != 0 && text[i - 1] == '.';
    const std::size_t from = i;
    i = stop;
    if (suffix || (from > 1 && from < operands)) continue;
    for (const char* file : {"R", "UR", "P", "UP", "B", "SB"}) {
      const std::string f = file;
      const std::string rest = word.substr(0, f.size()) == f ? word.substr(f.size()) : std::string();
      const bool number = !rest.empty() && rest.find_first_not_of("0123456789") == std::string::npos;
      const bool zero = rest == (f.back() == 'P' ? "T" : "Z") && f.back() != 'B';
      if (!number && !zero) continue;
      const unsigned n = zero ? 1u : static_cast<unsigned>(std::stoul(rest));
      const unsigned most = f == "R" ? 200u : f == "UR" ? 60u : f == "B" ? 15u : f == "SB" ? 5u : 6u;
      out.push_back({f, from, stop - from, f + std::to_string((n + 3) % most)});
    }
    const std::size_t list = text.rfind('{', from);
    if (word.size() == 1 && list != std::string_view::npos && text.find('}', list) > from) {  // of DEPBAR
      out.push_back({"{}", from, 1, std::string(1, word[0] > '2' ? '0' : '5')});
    }
    if (word.substr(0, 2) == "0x") {
      const std::size_t open = text.rfind('[', from);
      const bool inside = open != std::string_view::npos && text.find(']', open) > from;
      const bool constant = inside &&
                            (text.substr(0, open).rfind("c[") == open - 1 || text[open - 1] == ']' ||
                             text[open - 1] == 'c' || text[open - 1] == ' ') &&
                            text.rfind('c', open) != std::string_view::npos &&
                            text.rfind("desc", open) == std::string_view::npos;
      char number[32];
      std::snprintf(number, sizeof number, "0x%llx", std::stoull(word, nullptr, 16) ^ 4u);
      out.push_back({!inside ? "#" : constant ? "c[]" : "[+]", from, stop - from, number});
    }
  }
  return out;
}

void exchange_words(instruction& a, instruction& b) {
  std::swap(a.word[0], b.word[0]);
  std::swap(a.word[1], b.word[1]);
}

}  // namespace

TEST_CASE("verify words: registers and numbers of the encoding are those of the text in all compiled code") {
  std::vector<std::string> paths = ww_test::corpus::listings();
  for (const char* folder : {"listings_blackwell", "listings_versions", "listings_rare"}) {
    for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled(folder))) paths.push_back(path);
  }
  std::size_t instructions = 0;
  std::size_t exchanged = 0;
  std::size_t seen = 0;
  for (const std::string& path : paths) {
    sass::listing_result r = sass::read_listing(ww_test::corpus::text(path), {ww_test::corpus::sm_of(path), path});
    REQUIRE(bool(r));
    INFO(path);
    for (program& p : r.mod.sections) {
      if (!p.has_encoding || p.instructions.empty() || p.instructions[0].word[1] == 0 || !build_cfg(p).ok) continue;
      instructions += p.order.size();
      REQUIRE(notes_of(p) == 0);
      if (p.order.size() > 400) continue;
      for (std::size_t k = 0; k + 1 < p.order.size(); k += 7) {
        instruction& a = p.instructions[p.order[k].index()];
        instruction& b = p.instructions[p.order[k + 1].index()];
        if (a.has(iflag::padding) || b.has(iflag::padding)) continue;
        exchange_words(a, b);
        seen += notes_of(p) != 0 ? 1 : 0;
        exchange_words(a, b);
        ++exchanged;
      }
    }
  }
  CHECK(instructions > 10000);
  CHECK(exchanged > 1000);
  CHECK(seen * 100 > exchanged * 97);
}

TEST_CASE("verify words: each field that is compared, and a note for each that differs") {
  constexpr const char* text =
      "\t.headerflags\t@\"EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)\"\n"
      "\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n"
      "        /*0000*/              @!P0 FFMA R8, R4, R5, R6 ;            /* 0x0000000504088223 */\n"
      "                                                                  /* 0x000fe20000000006 */\n"
      "        /*0010*/                   ISETP.GT.AND P1, PT, R4, R5, PT ; /* 0x000000050400720c */\n"
      "                                                                  /* 0x000fe20003f24270 */\n"
      "        /*0020*/                   EXIT ;                           /* 0x000000000000794d */\n"
      "                                                                  /* 0x000fea0003800000 */\n";
  sass::listing_result r = sass::read_listing(text, {.file = "text"});
  INFO((r ? std::string() : r.err.message()));
  REQUIRE(bool(r));
  program& p = r.mod.sections[0];
  REQUIRE(build_cfg(p).ok);
  REQUIRE(notes_of(p) == 0);
  const auto noted_with = [&](std::size_t at, unsigned word, unsigned bit) {
    std::uint64_t& w = p.instructions[at].word[word];
    w ^= std::uint64_t{1} << bit;
    const std::size_t n = notes_of(p);
    w ^= std::uint64_t{1} << bit;
    return n;
  };
  for (const unsigned bit : {12u, 13u, 14u, 15u, 16u, 23u, 24u, 31u}) CHECK(noted_with(0, 0, bit) == 1);
  for (const unsigned bit : {0u, 7u}) CHECK(noted_with(0, 1, bit) == 1);
  for (const unsigned bit : {12u, 14u, 24u}) CHECK(noted_with(1, 0, bit) == 1);
  for (const unsigned bit : {17u, 18u, 19u}) CHECK(noted_with(1, 1, bit) == 1);
  for (const unsigned bit : {32u, 39u}) CHECK(noted_with(0, 0, bit) == 1);
  for (const unsigned bit : {20u, 22u, 23u, 26u})
    CHECK(noted_with(1, 1, bit) == 1);  // the second result and the source, negated too
  CHECK(noted_with(0, 0, 40) == 0);     // no register
  CHECK(noted_with(2, 0, 13) == 1);     // nothing stands before EXIT
}

TEST_CASE("verify words: of all registers and numbers of the text, changed one at a time, nearly all are noted") {
  struct counts {
    std::size_t edits = 0, noted = 0;
  };
  // What is passed over, with the reason in verify/word_fields.hpp; of numbers also what arithmetic does not take: masks, places
  // of textures and of code, counts of cycles.
  const std::set<std::string> rare = {"QMMA", "UTCIMMA"};
  const std::set<std::string> no_sources = {"BAR",  "BMOV",      "BPT",       "BRX",     "HMMA", "IMMA",   "LDG",
                                            "MOV",  "NANOSLEEP", "PLOP3",     "QMMA",    "RET",  "SULD",   "SURED",
                                            "SUST", "TEX",       "TLD4",      "TXD",     "TXQ",  "UPLOP3", "USETMAXREG",
                                            "LD",   "LDTM",      "WARPGROUP", "WARPSYNC"};
  std::map<std::string, counts> of_kind;
  std::size_t registers = 0, numbers = 0, passed_over = 0;
  for_each_program([&](const sass::module& m, program& p) {
    for (const instruction& i : p.instructions) {
      if (i.has(iflag::padding) || i.has(iflag::unknown)) continue;
      REQUIRE(!differs(p, i));
      const std::string body(m.body_of(i));
      for (const edit& e : edits_of(body)) {
        const std::string changed = body.substr(0, e.at) + e.other + body.substr(e.at + e.length);
        isa::asm_instruction form;
        if (!isa::parse_instruction(changed, form).ok) continue;
        const std::size_t first = p.operands.size();
        instruction x = isa::decode(form, i.word, true, dialect_of(p.sm), p.operands);
        x.address = i.address;
        x.target = i.target;
        const bool noted = differs(p, x);
        p.operands.resize(first);
        counts& n = of_kind[e.kind];
        ++n.edits;
        n.noted += noted ? 1u : 0u;
        const bool number = e.kind == "#" || e.kind == "c[]" || e.kind == "[+]";
        (number ? numbers : registers) += 1;
        if (noted) continue;
        ++passed_over;
        INFO(body << " -> " << changed);
        CHECK((number ? no_sources : rare).count(std::string(form.mnemonic.data(), form.mnemonic.size())) == 1);
      }
    }
  });
  for (const auto& [kind, n] : of_kind) WARN(kind << ": noted " << n.noted << " of " << n.edits);
  const auto least = [&](const char* kind, std::size_t edits, std::size_t all_but) {
    INFO(kind);
    CHECK(of_kind[kind].edits > edits);
    CHECK(of_kind[kind].noted + all_but >= of_kind[kind].edits);
  };
  least("R", 50000, 4);
  least("UR", 7000, 2);
  least("P", 10000, 0);
  least("UP", 500, 1);
  least("B", 600, 0);
  least("SB", 20, 0);
  least("!", 2500, 0);
  least("{}", 5, 0);
  least("c[]", 5000, 0);
  least("[+]", 2400, 3);
  CHECK(of_kind["#"].noted * 100 > of_kind["#"].edits * 93);
  CHECK(registers > 70000);
  CHECK(numbers > 15000);
}

TEST_CASE("verify words: each bit of a register field of the words") {
  std::size_t flips = 0;
  std::map<unsigned, std::size_t> of_place;
  for_each_program([&](const sass::module&, program& p) {
    for (const instruction& i : p.instructions) {
      if (i.has(iflag::padding) || i.has(iflag::unknown)) continue;
      if (i.op == opcode::qmma) continue;
      for (const operand& o : p.operands_of(i)) {
        if (o.file() != reg_file::r || o.base().is_zero() || o.is_hidden()) continue;
        // A register whose number stands in one of the four bytes, and in no other.
        unsigned place = 0, places = 0;
        for (const unsigned at : {16u, 24u, 32u, 64u}) {
          if (((at < 64 ? i.word[0] >> at : i.word[1]) & 0xffu) != o.base().number()) continue;
          place = at;
          ++places;
        }
        if (places != 1) continue;
        for (unsigned bit = place; bit < place + 8; ++bit) {
          instruction x = i;
          x.word[bit / 64] ^= std::uint64_t{1} << bit % 64;
          if (!differs(p, x)) {
            INFO("bit " << bit);
            CHECK(false);
          }
          ++flips;
        }
        ++of_place[place];
      }
    }
  });
  WARN("bits " << flips << ", all noted");
  CHECK(flips > 200000);
  for (const unsigned at : {16u, 24u, 32u, 64u}) CHECK(of_place[at] > 2500);
}

TEST_CASE("verify words: each bit of the registers of rare instructions, by themselves") {
  struct rare_words {
    const char* text;
    std::uint64_t low, high;
    unsigned sm;
    std::vector<std::pair<unsigned, unsigned>> fields;  // first bit and bits of each register, or of an offset
  };
  // Out of compiled code; the disassembler prints the number that stands in the field, in each of them.
  const rare_words list[] = {
      {"UFADD UR4, UR6, UR7", 0x0000000006047254, 0x001fe20008000007, 1200, {{16, 8}, {24, 8}, {64, 8}}},
      {"UFADD UR7, UR4, -UR8", 0x0000000004077254, 0x000fe40008000808, 1200, {{16, 8}, {24, 8}, {64, 8}}},
      {"OMMA.SF.16864.F32.E2M1.E2M1.UE4M3.4X R44, R12, R2, R44, R53, R52, UR5",
       0x534035020c2c747f,
       0x000fe2000004002c,
       1200,
       {{16, 8}, {24, 8}, {32, 8}, {40, 8}, {52, 8}, {64, 8}}},
      {"OMMA.SF.SP.168128.F32.E2M1.E2M1.UE4M3.4X R20, R4, R8, R20, R24, R0, UR7, 0x0",
       0x700018080414747f,
       0x000fde0000050014,
       1200,
       {{16, 8}, {24, 8}, {32, 8}, {40, 8}, {52, 8}, {64, 8}}},
      {"QMMA.SF.16832.F32.E4M3.E2M1.E8 R20, R4, R8, R20, R25, R0, UR6",
       0x600019080414747a,
       0x000fe20000208014,
       1200,
       {{16, 8}, {24, 8}, {32, 8}, {40, 8}, {52, 8}, {64, 8}}},
      {"IGMMA.64x8x32.S8.U8 R40, gdesc[UR16], RZ, !UPT",
       0x00000000102879f1,
       0x000fe2000c7010ff,
       901,
       {{16, 8}, {24, 6}, {64, 8}}},
      {"IGMMA.64x8x32.U8.U8 R24, R28, gdesc[UR8], R24, UP0, gsb0",
       0x000000081c187df1,
       0x000fe6000b800018,
       901,
       {{16, 8}, {24, 8}, {32, 6}, {64, 8}}},
      {"BGMMA.64x8x256.AND.POPC R24, gdesc[UR8], R24, UP0",
       0x00000000081879f2,
       0x000fe2000bf14018,
       901,
       {{16, 8}, {24, 6}, {64, 8}, {87, 4}}},
      {"LEPC R20, 0x420", 0x000000001014794e, 0x000fce0000000000, 1200, {{16, 8}}},
      {"STG.E.ENL2.256 desc[UR4][R26.64], R8, R4",
       0xf80000081a04797f,
       0x0001e8000f121804,
       1000,
       {{16, 8}, {24, 8}, {32, 8}, {64, 8}}},
      {"STG.E.ENL2.256 desc[UR26][R124.64], R88, R208",
       0xf80000587cd0797f,
       0x0001e8000f12181a,
       1000,
       {{16, 8}, {24, 8}, {32, 8}, {64, 8}}},
      {"UTCQMMA.2CTA gdesc[UR32], gdesc[UR30], tmem[UR4], tmem[UR28], idesc[UR29], UP4",
       0x00ff1c1e200075ea,
       0x0007e2000a200304,
       1000,
       {{24, 8}, {32, 8}, {40, 8}, {64, 8}, {87, 3}}},
      {"@UP2 UTCHMMA tmem[UR18], gdesc[UR8], tmem[UR17], tmem[UR4], idesc[UR5], UP0",
       0x00ff0408120029ea,
       0x0001d80008000011,
       1000,
       {{24, 8}, {32, 8}, {40, 8}, {64, 8}, {87, 3}}},
      {"LDGMC.E.ADD.F32x4.RN.STRONG.SYS R12, [R14.64+UR5]",
       0x000000000e0c79a5,
       0x000ee20008035d05,
       1200,
       {{16, 8}, {24, 8}, {64, 8}}},
      {"ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R24, desc[UR10][R14.64], R24",
       0x800000180e1879a3,
       0x008ee8000c1ef30a,
       1200,
       {{16, 8}, {24, 8}, {32, 8}, {64, 8}}},
      {"USYNCS.PHASECHK.TRANS64.TRYWAIT UP0, [UR4], UR5", 0x00000000040075bf, 0x000ee40008001100, 1070, {{24, 8}, {81, 3}}},
      {"USYNCS.CCTL.IV [UR4+0x8]", 0x0000080004007db2, 0x000e240008000000, 1070, {{24, 8}}},
      {"UREDGR.E.ADD.NA.STRONG.GPU [UR10+0x10], UR12",
       0x0000100c0a007378,
       0x0011e4000808e000,
       1000,
       {{24, 8}, {32, 8}, {40, 24}}},
      {"QGMMA.SP.64x64x64.F32.E4M3.E4M3 R24, gdesc[UR8], R24, UP0, R56, gsb0",
       0x04e03800081879f3,
       0x000fe2000b800a18,
       901,
       {{24, 6}, {40, 8}}},
      {"HGMMA.SP.64x8x16.F32.TF32 R24, R28, gdesc[UR4], R24, UP0, R33, 0x0, gsb0",
       0x000021041c187df0,
       0x000fe2000b802a18,
       901,
       {{24, 8}, {32, 6}, {40, 8}}},
      {"QMMA.SP.16864.F16.E4M3.E2M1 R18, R8, R4, R16, R0, 0x0",
       0x000000040812727a,
       0x020fe20000219410,
       1200,
       {{16, 8}, {24, 8}, {32, 8}, {40, 8}, {64, 8}}},
      {"HMMA.SP.16816.F32 R16, R8, R12, R16, !UP2, R2, 0x0",
       0x20c0810723c,
       0x8fe20006801a10,
       860,
       {{16, 8}, {24, 8}, {32, 8}, {64, 8}, {87, 4}}},
      {"IMMA.16832.U8.S8.SAT R20, R12.ROW, R4.COL, R20, UP2",
       0x40c147237,
       0xfec0002c44c14,
       900,
       {{16, 8}, {24, 8}, {32, 8}, {64, 8}, {87, 4}}},
      {"BMMA.168256.XOR.POPC R20, R8.reuse.ROW, R12.reuse.COL, R16, UP2",
       0xc0814723d,
       0xc0ff60002811410,
       860,
       {{16, 8}, {24, 8}, {32, 8}, {64, 8}, {87, 4}}},
      {"DMMA.8x8x4 R4, R26, R20, R4, !UP2",
       0x141a04723f,
       0x41240006800004,
       900,
       {{16, 8}, {24, 8}, {32, 8}, {64, 8}, {87, 4}}},
      {"QMMA.16832.F32.E4M3.E5M2 R8, R4.ROW, R16.COL, R8, !UP2",
       0x100408727a,
       0xff6000680ac08,
       890,
       {{16, 8}, {24, 8}, {32, 8}, {64, 8}, {87, 4}}},
      {"HMMA.16816.F32 R4, R136.reuse, R134, R4, UP4",
       0x868804723c,
       0x4efe20001801804,
       860,
       {{16, 8}, {24, 8}, {32, 8}, {64, 8}, {87, 4}}},
      {"F2FP.RELU.BF16.F32.MERGE_C.RZ R5, UR6, RZ", 0x00000006ff057c3e, 0x004fc4000801d8ff, 1200, {{16, 8}, {32, 8}}},
      {"F2FP.RELU.BF16.E3M2.UNPACK_B R43, R2, R3.H0",
       0x00000002002b763e,
       0x000fe20002041e03,
       1200,
       {{16, 8}, {32, 8}, {64, 8}}},
      {"UBLKPF.L2 [UR8], UR4, desc[UR6]", 0x00000600080073bc, 0x0041ea0008001004, 1200, {{24, 8}, {40, 8}, {64, 8}}},
      {"@!P0 NANOSLEEP.SYNCS !P1, R8", 0x000000080000835d, 0x008fea0004900000, 900, {{32, 8}, {87, 4}}},
      {"TLD.LZ.MS R10, R2, R4, R7, UR6, ARRAY_2D",
       0xa0ff060704027f66,
       0x00ff6200081e2f0a,
       1000,
       {{16, 8}, {24, 8}, {32, 8}, {40, 8}, {64, 8}}},
      {"LDGSTS.E.LTC256B.64.ZFILL [UR4], desc[UR5][R2.64], P0",
       0x0000000002ff7dae,
       0x000fe200081e1704,
       1030,
       {{24, 8}, {64, 8}}},
      {"@!P1 TLD4.G R12, R10, R8, UR8, 2D",
       0x20ff08ff080a9f63,
       0x02016200089e0f0c,
       1000,
       {{16, 8}, {24, 8}, {40, 8}, {64, 8}}},
      {"USTGR.E.NA.STRONG.GPU [UR8+0x10], UR10", 0x0000100a08007377, 0x0011e4000808e800, 1000, {{24, 8}, {32, 8}, {40, 24}}},
      {"UTMAL2CCTL.PF.3D.W128 [UR12], [UR16], UR10, desc[UR8]",
       0x0000080c100073b8,
       0x0001f0000809100a,
       1070,
       {{24, 8}, {32, 8}, {40, 8}, {64, 8}}},
      {"UTMAL2CCTL.PF.5D [UR8], [UR14]", 0x000000080e0075b8, 0x0001f00008020000, 1070, {{24, 8}, {32, 8}}},
      {"UBLKL2CCTL.PF [UR12], UR10, desc[UR8]", 0x000008000c0073bc, 0x0001f0000800100a, 1070, {{24, 8}, {40, 8}, {64, 8}}},
      {"SYNCS.CCTL.IV [UR4]", 0x00000000ff0079b1, 0x000fe20008000004, 1200, {{64, 8}}},
      {"STAS [R6.64], R18", 0x0000001206007dbd, 0x0003e2000c0008ff, 1200, {{24, 8}, {32, 8}}},
      {"REDAS.ADD [R28.64], R25", 0x000000191c007dbe, 0x0003e800080001ff, 1200, {{24, 8}, {32, 8}}},
  };
  for (const rare_words& x : list) {
    isa::asm_instruction form;
    REQUIRE(isa::parse_instruction(x.text, form).ok);
    program p;
    p.sm = static_cast<sm_id>(x.sm);
    p.has_encoding = true;
    const std::uint64_t word[2] = {x.low, x.high};
    instruction i = isa::decode(form, word, true, dialect_of(p.sm), p.operands);
    INFO(x.text);
    CHECK(!differs(p, i));
    for (const auto& [at, width] : x.fields) {
      for (unsigned bit = at; bit < at + width; ++bit) {
        i.word[bit / 64] ^= std::uint64_t{1} << bit % 64;
        INFO("bit " << bit);
        CHECK(differs(p, i));
        i.word[bit / 64] ^= std::uint64_t{1} << bit % 64;
      }
    }
  }
}

TEST_CASE("verify words: a distance that leads to another place than the label") {
  std::map<opcode, std::size_t> seen;
  for_each_program([&](const sass::module&, program& p) {
    for (const instruction& i : p.instructions) {
      if (!i.target.valid() || i.has(iflag::padding)) continue;
      if (i.op == opcode::warpsync && static_cast<unsigned>(p.sm) < 900) continue;
      instruction x = i;
      x.target = instr_id{i.target.index() == 0 ? 1u : static_cast<std::uint32_t>(i.target.index()) - 1u};
      CHECK(differs(p, x));
      ++seen[i.op];
    }
  });
  for (const opcode op : {opcode::bra, opcode::call, opcode::bssy, opcode::warpsync}) CHECK(seen[op] > 5);
}

TEST_CASE("verify words: values that the words do not hold as the text has them") {
  const auto value_of = [](const char* text, std::uint64_t low, std::uint64_t high, bool word64) {
    isa::asm_instruction form;
    REQUIRE(isa::parse_instruction(text, form).ok);
    vec<operand> operands;
    isa::dialect d;
    d.word64 = word64;
    const std::uint64_t word[2] = {low, high};
    return isa::decode(form, word, true, d, operands).other_value;
  };
  CHECK(value_of("MOV R2, 0x8", 0x0000000800027802, 0x000fe20000000f00, false) == 0);
  CHECK(value_of("MOV R2, 0x9", 0x0000000800027802, 0x000fe20000000f00, false) == 1);
  CHECK(value_of("MOV R2, 0x9", 0x0000000800027802, 0, true) == 0);  // words of 64 bits hold it elsewhere
  CHECK(value_of("MOV.64 R8, 0x3fd8000000000001", 0x0000000001087402, 0x000fe400003fd800, false) == 0);
  CHECK(value_of("MOV.64 R8, 0x3fd8000000000001", 0x0000000001087402, 0x000fe400003fd000, false) == 1);
  CHECK(value_of("MOV R1, c[0x0][0x28]", 0x00000a0000017a02, 0x000fe20000000f00, false) == 0);
  CHECK(value_of("MOV R1, c[0x0][0x2c]", 0x00000a0000017a02, 0x000fe20000000f00, false) == 1);
  CHECK(value_of("MOV R1, c[0x0][0x28]", 0x00000a0000017a02, 0, true) == 0);
  CHECK(value_of("MOV R1, c[0x4][0x28]", 0x00000a0000017a02, 0x000fe20000000f00, false) == 1);
  CHECK(value_of("MOV R1, c[`(symbol)]", 0x00000a0000017a02, 0x000fe20000000f00, false) == 0);  // the linker knows it
}
