// SPDX-License-Identifier: BSL-1.0
//
// Register numbers in encoding words: words of listings, hand-checked ones, and what is refused.
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <warpwright/arch/dialect.hpp>
#include <warpwright/isa/decode.hpp>
#include <warpwright/isa/instruction_text.hpp>
#include <warpwright/isa/register_words.hpp>
#include <warpwright/sass/listing.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/random_registers.hpp"

namespace {

namespace corpus = ww_test::corpus;
using ww::isa::register_words_fault;

struct decoded_text {
  ww::instruction ins;
  ww::vec<ww::operand> operands;

  [[nodiscard]] ww::span<const ww::operand> all() const { return {operands.data(), operands.size()}; }
};

decoded_text from_text(std::string_view body, std::uint64_t low, std::uint64_t high, ww::sm_id sm) {
  decoded_text r;
  ww::isa::asm_instruction form;
  REQUIRE(ww::isa::parse_instruction(body, form).ok);
  const std::uint64_t word[2] = {low, high};
  r.ins = ww::isa::decode(form, word, (low | high) != 0, ww::dialect_of(sm), r.operands);
  return r;
}

// The same instruction as `to` says, by the words of `from`.
struct renamed_words {
  const char* from;
  std::uint64_t low, high;
  const char* to;
  std::uint64_t new_low, new_high;
  unsigned sm;
};

// Both sides as disassemblers print them: the second one is what nvdisasm 13.5 makes of the new words.
constexpr renamed_words renamed_pairs[] = {
    {"UFADD UR14, UR10, UR10", 0xa0e7254, 0xfe2000800000a, "UFADD UR14, UR10, UR11", 0xa0e7254, 0xfe2000800000b, 1200},
    {"BAR.SYNC.DEFER_BLOCKING R9, R9", 0x90000731d, 0x1e20000010000, "BAR.SYNC.DEFER_BLOCKING R137, R137", 0x890000731d,
     0x1e20000010000, 800},
    {"@!UP0 UGETNEXTWORKID.SELFCAST [UR6], [UR7]", 0x60083ca, 0xfd80008000000, "@!UP0 UGETNEXTWORKID.SELFCAST [UR7], [UR8]",
     0x70083ca, 0xfd80008000000, 1000},
    {"STG.E.ENL2.256 desc[UR4][R26.64], R8, R4", 0xf80000081a04797f, 0x1e8000f121804,
     "STG.E.ENL2.256 desc[UR5][R27.64], R9, R5", 0xf80000091b05797f, 0x1e8000f121805, 1000},
    {"@UP0 UTCBAR [UR4], URZ", 0xff040003e9, 0x1d800080000ff, "@UP1 UTCBAR [UR5], URZ", 0xff050013e9, 0x1d800080000ff, 1000},
    {"UTCATOMSWS.FIND_AND_SET.ALIGN UP0, UR4, UR4", 0x4000475e3, 0xe240008000800,
     "UTCATOMSWS.FIND_AND_SET.ALIGN UP0, UR5, UR6", 0x6000575e3, 0xe240008000800, 1000},
    {"UTCIMMA.2CTA tmem[UR7], gdesc[UR16], tmem[UR6], tmem[UR4], idesc[UR5], UR8, UP0", 0x80410070079ea, 0x1d80008200106,
     "UTCIMMA.2CTA tmem[UR3], gdesc[UR48], tmem[UR2], tmem[UR20], idesc[UR21], UR24, UP1", 0x181430030079ea, 0x1d80008a00102,
     1000},
    {"UTCQMMA.2CTA gdesc[UR10], gdesc[UR14], tmem[UR44], tmem[UR50], idesc[UR51], tmem[UR68], UPT", 0x44320e0a007dea,
     0x5e2000ba0032c, "UTCQMMA.2CTA gdesc[UR11], gdesc[UR15], tmem[UR45], tmem[UR51], idesc[UR52], tmem[UR69], UPT",
     0x45330f0b007dea, 0x5e2000ba0032d, 1000},
    {"QMMA.SF.SP.16864.F32.E4M3.E2M1.E8 R8, R8, R12, R16, R2, R0, URZ, 0x0", 0x7000020c0808747a, 0x4fe2000021be10,
     "QMMA.SF.SP.16864.F32.E4M3.E2M1.E8 R24, R40, R44, R48, R18, R4, URZ, 0x0", 0x7040122c2818747a, 0x4fe2000021be30, 1200},
    {"OMMA.SF.16864.F32.E2M1.E2M1.UE4M3.4X R44, R12, R2, R44, R53, R52, UR5", 0x534035020c2c747f, 0xfe2000004002c,
     "OMMA.SF.16864.F32.E2M1.E2M1.UE4M3.4X R60, R28, R18, R92, R54, R21, UR5", 0x515036121c3c747f, 0xfe2000004005c, 1200},
    {"HGMMA.64x8x16.F32 R28, R32, gdesc[UR8], R28, gsb0", 0x8201c7df0, 0xfe2000800081c,
     "HGMMA.64x8x16.F32 R60, R160, gdesc[UR40], R92, gsb0", 0x28a03c7df0, 0xfe2000800085c, 901},
    {"IGMMA.64x8x32.S8.S8 R24, gdesc[UR8], R24, UP0", 0x81879f1, 0xfe2000bf41018,
     "IGMMA.64x8x32.S8.S8 R32, gdesc[UR16], R40, UP1", 0x102079f1, 0xfe2000b741028, 901},
    {"BGMMA.64x8x256.AND.POPC R24, gdesc[UR8], R24, UP0", 0x81879f2, 0xfe2000bf14018,
     "BGMMA.64x8x256.AND.POPC R32, gdesc[UR16], R40, UP1", 0x102079f2, 0xfe2000b714028, 901},
    {"HGMMA.64x32x16.F32 R24, gdesc[UR16].tnspB, R24, UP0", 0x40600000101879f0, 0xfe2000bf00818,
     "HGMMA.64x32x16.F32 R24, gdesc[UR16].tnspB, R24, UP2", 0x40600000101879f0, 0xfe2000af00818, 901},
    {"HMMA.SP.16816.F32 R16, R8, R12, R16, !UP2, R2, 0x0", 0x20c0810723c, 0x8fe20006801a10,
     "HMMA.SP.16816.F32 R16, R8, R12, R16, !UP5, R2, 0x0", 0x20c0810723c, 0x8fe20005001a10, 860},
    {"IMMA.16832.U8.S8.SAT R20, R12.ROW, R4.COL, R20, UP2", 0x40c147237, 0xfec0002c44c14,
     "IMMA.16832.U8.S8.SAT R20, R12.ROW, R4.COL, R20, UP5", 0x40c147237, 0xfec0001444c14, 900},
    {"BMMA.168256.XOR.POPC R20, R8.reuse.ROW, R12.reuse.COL, R16, UP2", 0xc0814723d, 0xc0ff60002811410,
     "BMMA.168256.XOR.POPC R20, R8.reuse.ROW, R12.reuse.COL, R16, UP5", 0xc0814723d, 0xc0ff60001011410, 860},
    {"DMMA.8x8x4 R4, R26, R20, R4, !UP2", 0x141a04723f, 0x41240006800004, "DMMA.8x8x4 R4, R26, R20, R4, !UP5", 0x141a04723f,
     0x41240005000004, 900},
    {"QMMA.16832.F32.E4M3.E5M2 R8, R4.ROW, R16.COL, R8, !UP2", 0x100408727a, 0xff6000680ac08,
     "QMMA.16832.F32.E4M3.E5M2 R8, R4.ROW, R16.COL, R8, !UP5", 0x100408727a, 0xff6000500ac08, 890},
    {"HMMA.16816.F32 R4, R136.reuse, R134, R4, UP4", 0x868804723c, 0x4efe20001801804,
     "HMMA.16816.F32 R4, R136.reuse, R134, R4, UP5", 0x868804723c, 0x4efe20001001804, 860},
    {"ELECT P0, URZ, ~UR8", 0x83f782f, 0x000fe40008000100, "ELECT P0, URZ, ~UR9", 0x93f782f, 0x000fe40008000100, 900},
    {"SULD.D.BA.2D.128.STRONG.SM.TRAP R12, [R14], R34", 0x700000000e0c799a, 0x00321e00001ead22,
     "SULD.D.BA.2D.128.STRONG.SM.TRAP R12, [R14], R36", 0x700000000e0c799a, 0x00321e00001ead24, 800},
    {"ARRIVES.LDGSTSBAR.64.ARVCNT [UR25]", 0xff0079b0, 0x000fe20008000a59, "ARRIVES.LDGSTSBAR.64.ARVCNT [UR5]", 0xff0079b0,
     0x000fe20008000a45, 900},
    {"QGMMA.SP.64x64x64.F32.E4M3.E4M3 R24, gdesc[UR8], R24, UP0, R56, gsb0", 0x4e03800081879f3, 0xfe2000b800a18,
     "QGMMA.SP.64x64x64.F32.E4M3.E4M3 R24, gdesc[UR24], R24, UP0, R40, gsb0", 0x4e02800181879f3, 0xfe2000b800a18, 901},
    {"HGMMA.SP.64x8x16.F32.TF32 R24, R28, gdesc[UR4], R24, UP0, R33, 0x0, gsb0", 0x21041c187df0, 0xfe2000b802a18,
     "HGMMA.SP.64x8x16.F32.TF32 R24, R12, gdesc[UR20], R24, UP0, R49, 0x0, gsb0", 0x31140c187df0, 0xfe2000b802a18, 901},
    {"QMMA.SP.16864.F16.E4M3.E2M1 R18, R8, R4, R16, R0, 0x0", 0x40812727a, 0x20fe20000219410,
     "QMMA.SP.16864.F16.E4M3.E2M1 R2, R24, R20, R0, R16, 0x0", 0x10141802727a, 0x20fe20000219400, 1200},
    {"F2FP.RELU.BF16.F32.MERGE_C.RZ R5, UR6, RZ", 0x6ff057c3e, 0x4fc4000801d8ff,
     "F2FP.RELU.BF16.F32.MERGE_C.RZ R21, UR22, RZ", 0x16ff157c3e, 0x4fc4000801d8ff, 1200},
    {"F2FP.RELU.BF16.E3M2.UNPACK_B R43, R2, R3.H0", 0x2002b763e, 0xfe20002041e03,
     "F2FP.RELU.BF16.E3M2.UNPACK_B R59, R18, R19.H0", 0x12003b763e, 0xfe20002041e13, 1200},
    {"UBLKPF.L2 [UR8], UR4, desc[UR6]", 0x600080073bc, 0x41ea0008001004, "UBLKPF.L2 [UR24], UR20, desc[UR22]",
     0x1600180073bc, 0x41ea0008001014, 1200},
    {"@!P0 NANOSLEEP.SYNCS !P1, R8", 0x80000835d, 0x8fea0004900000, "@!P0 NANOSLEEP.SYNCS !P1, R24", 0x180000835d,
     0x8fea0004900000, 900},
    {"TLD.LZ.MS R10, R2, R4, R7, UR6, ARRAY_2D", 0xa0ff060704027f66, 0xff6200081e2f0a,
     "TLD.LZ.MS R26, R18, R20, R23, UR22, ARRAY_2D", 0xa0ff161714127f66, 0xff6200081e2f1a, 1000},
    {"LDGSTS.E.LTC256B.64.ZFILL [UR4], desc[UR5][R2.64], P0", 0x2ff7dae, 0xfe200081e1704,
     "LDGSTS.E.LTC256B.64.ZFILL [UR20], desc[UR21][R18.64], P0", 0x12ff7dae, 0xfe200081e1714, 1030},
    {"@!P1 TLD4.G R12, R10, R8, UR8, 2D", 0x20ff08ff080a9f63, 0x2016200089e0f0c, "@!P1 TLD4.G R28, R26, R24, UR24, 2D",
     0x20ff18ff181a9f63, 0x2016200089e0f1c, 1000},
    {"USTGR.E.NA.STRONG.GPU [UR8+0x10], UR10", 0x100a08007377, 0x11e4000808e800, "USTGR.E.NA.STRONG.GPU [UR24+0x10], UR44",
     0x102c18007377, 0x11e4000808e800, 1000},
    {"UTMAL2CCTL.PF.3D.W128 [UR12], [UR16], UR10, desc[UR8]", 0x80c100073b8, 0x1f0000809100a,
     "UTMAL2CCTL.PF.3D.W128 [UR28], [UR20], UR14, desc[UR10]", 0xa1c140073b8, 0x1f0000809100e, 1070},
    {"UBLKL2CCTL.PF [UR12], UR10, desc[UR8]", 0x8000c0073bc, 0x1f0000800100a, "UBLKL2CCTL.PF [UR22], UR11, desc[UR30]",
     0x1e00160073bc, 0x1f0000800100b, 1070},
    {"UTMALDG.2D.GATHER4.MULTICAST [UR8], [UR6], UR4, desc[UR16]", 0x1008060073b4, 0x1d80008109804,
     "UTMALDG.2D.GATHER4.MULTICAST [UR24], [UR14], UR12, desc[UR48]", 0x30180e0073b4, 0x1d8000810980c, 1000},
};

}  // namespace

TEST_CASE("register words: hand-checked instructions in other registers") {
  for (const renamed_words& x : renamed_pairs) {
    INFO(x.from);
    const decoded_text a = from_text(x.from, x.low, x.high, static_cast<ww::sm_id>(x.sm));
    const decoded_text b = from_text(x.to, x.new_low, x.new_high, static_cast<ww::sm_id>(x.sm));
    std::uint64_t word[2] = {x.low, x.high};
    const ww::isa::dialect d = ww::dialect_of(static_cast<ww::sm_id>(x.sm));
    REQUIRE(ww::isa::set_registers(word, a.ins, a.all(), b.all(), d).ok());
    CHECK(word[0] == x.new_low);
    CHECK(word[1] == x.new_high);
  }
}

TEST_CASE("register words: every register of every listing stands in its place, and comes back after it was another one") {
  std::size_t registers = 0;
  std::size_t without = 0;  // operands that have no place: masks of predicates
  std::vector<std::string> paths = corpus::listings();
  for (const char* folder : {"isa", "listings_rare", "listings_versions", "demo"}) {
    for (const std::string& path : corpus::files(corpus::bundled(folder))) {
      if (corpus::ends_with(path, ".sass")) paths.push_back(path);
    }
  }
  for (const std::string& path : paths) {
    const std::string text = corpus::text(path);
    const ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = corpus::sm_of(path), .file = path});
    REQUIRE(r);
    INFO(path);
    for (std::size_t s = 0; s < r.mod.sections.size(); ++s) {
      const ww::program& p = r.mod.sections[s];
      if (!p.has_encoding || r.mod.infos[s].word64) continue;
      const ww::isa::dialect d = ww::dialect_of(p.sm);
      ww::program q = p;
      ww_test::draw_registers(q, static_cast<std::uint32_t>(s) + 3);
      bool fine = true;
      for (std::size_t k = 0; k < p.instructions.size() && fine; ++k) {
        const ww::instruction& i = p.instructions[k];
        INFO(r.mod.body_of(i));
        std::uint64_t word[2] = {i.word[0], i.word[1]};
        fine = ww::isa::set_registers(word, i, p.operands_of(i), q.operands_of(i), d).ok();
        fine = fine && ww::isa::set_registers(word, i, q.operands_of(i), p.operands_of(i), d).ok();
        fine = fine && word[0] == i.word[0] && word[1] == i.word[1];
        for (const ww::operand& o : p.operands_of(i)) {
          registers += ww_test::may_be_drawn(i, o) ? 1u : 0u;
          without += o.is_register() && !ww_test::may_be_drawn(i, o) && !o.is_hidden() ? 1u : 0u;
        }
        REQUIRE(fine);
      }
    }
  }
  WARN(registers << " registers, each found and written");
  CHECK(registers > 20000);
  CHECK(without > 0);
}

TEST_CASE("register words: bits outside the fields of registers stay") {
  // LDG.E R5, desc[UR4][R4.64]: everything but 16..31 and 32..37
  const decoded_text a =
      from_text("LDG.E R5, desc[UR4][R4.64]", 0x0000000404057981, 0x000ea8000c1e1900, static_cast<ww::sm_id>(900));
  const decoded_text b = from_text("LDG.E R254, desc[UR60][R252.64]", 0, 0, static_cast<ww::sm_id>(900));
  std::uint64_t word[2] = {a.ins.word[0], a.ins.word[1]};
  REQUIRE(ww::isa::set_registers(word, a.ins, a.all(), b.all(), ww::dialect_of(static_cast<ww::sm_id>(900))).ok());
  CHECK(word[0] == 0x0000003cfcfe7981);
  CHECK(word[1] == 0x000ea8000c1e1900);
}

TEST_CASE("register words: all or nothing, and the fault says which operand") {
  const auto sm = static_cast<ww::sm_id>(900);
  const ww::isa::dialect d = ww::dialect_of(sm);
  const std::uint64_t low = 0x0000000404057981, high = 0x000ea8000c1e1900;
  const decoded_text a = from_text("LDG.E R5, desc[UR4][R4.64]", low, high, sm);
  REQUIRE(a.operands.size() == 3);  // R5, R4, UR4
  std::uint64_t word[2] = {low, high};
  const auto fault_of = [&](const ww::instruction& i, ww::vec<ww::operand> before, ww::vec<ww::operand> after,
                            register_words_fault wanted, std::uint32_t operand) {
    std::uint64_t kept[2] = {word[0], word[1]};
    const auto r = ww::isa::set_registers(word, i, {before.data(), before.size()}, {after.data(), after.size()}, d);
    CHECK(r.fault == wanted);
    CHECK(r.operand == operand);
    CHECK(word[0] == kept[0]);
    CHECK(word[1] == kept[1]);
  };
  const auto with = [](ww::vec<ww::operand> v, std::size_t k, std::uint32_t number) {
    v[k].low = (v[k].low & ~ww::reg::number_mask) | number;
    return v;
  };
  const auto moved = with(a.operands, 0, 9);
  fault_of(a.ins, a.operands, a.operands, register_words_fault::none, 0);
  fault_of(a.ins, a.operands, with(a.operands, 0, 255), register_words_fault::too_high, 0);
  fault_of(a.ins, a.operands, with(a.operands, 1, 254), register_words_fault::too_high, 1);  // a pair
  fault_of(a.ins, a.operands, with(moved, 2, 62), register_words_fault::too_high, 2);        // a pair, UR62 and UR63
  fault_of(a.ins, a.operands, with(a.operands, 0, 2000), register_words_fault::too_high, 0);
  fault_of(a.ins, a.operands, with(a.operands, 0, ww::reg::zero_number), register_words_fault::other_operands, 0);
  fault_of(a.ins, with(a.operands, 0, 6), moved, register_words_fault::other_number, 0);
  fault_of(a.ins, with(a.operands, 2, 6), with(moved, 2, 6), register_words_fault::other_number, 2);  // one that stays
  auto wide = moved;
  wide[0].high = (wide[0].high & ~0xffu) | 2u;
  fault_of(a.ins, a.operands, wide, register_words_fault::other_operands, 0);
  auto fewer = moved;
  fewer.pop_back();
  fault_of(a.ins, a.operands, fewer, register_words_fault::other_operands, 0);
  ww::instruction odd = a.ins;
  odd.add(ww::iflag::unknown);
  fault_of(odd, a.operands, moved, register_words_fault::unknown_place, 0);
  word[0] = word[1] = 0;
  fault_of(a.ins, a.operands, moved, register_words_fault::no_words, 0);
  word[0] = low;
  fault_of(a.ins, a.operands, moved, register_words_fault::word64, 0);
}

TEST_CASE("register words: operands of one field agree, hidden ones are compared, masks have no place") {
  const auto sm = static_cast<ww::sm_id>(800);
  const ww::isa::dialect d = ww::dialect_of(sm);
  const decoded_text bar = from_text("BAR.SYNC.DEFER_BLOCKING R9, R9", 0x90000731d, 0x1e20000010000, sm);
  const decoded_text odd = from_text("BAR.SYNC.DEFER_BLOCKING R9, R8", 0, 0, sm);
  std::uint64_t word[2] = {bar.ins.word[0], bar.ins.word[1]};
  auto r = ww::isa::set_registers(word, bar.ins, bar.all(), odd.all(), d);
  CHECK(r.fault == register_words_fault::shared_field);
  CHECK(r.operand == 1);
  CHECK(word[0] == bar.ins.word[0]);
  // LDG.E.128 R12, [R20.64+0x200] with the pair UR4 in the words
  const decoded_text load = from_text("LDG.E.128 R12, [R20.64+0x200]", 0x00020004140c981, 0x000ea2000c1e1d00, sm);
  ww::vec<ww::operand> before = load.operands, after = load.operands;
  bool hidden = false;
  for (ww::operand& o : before) {
    if (!o.is_hidden()) continue;
    hidden = true;
    o.low += 2;
  }
  REQUIRE(hidden);
  word[0] = load.ins.word[0];
  word[1] = load.ins.word[1];
  after = before;
  after[0].low += 4;
  CHECK(ww::isa::set_registers(word, load.ins, {before.data(), before.size()}, {after.data(), after.size()}, d).fault ==
        register_words_fault::other_number);
  // P2R R9, PR, RZ, 0x40 names P6 by a bit
  const decoded_text mask = from_text("P2R R9, PR, RZ, 0x40", 0x00000040ff097803, 0x000fe20000000000, sm);
  after = mask.operands;
  for (ww::operand& o : after) {
    if (o.file() == ww::reg_file::p && o.where() == ww::slot::psrc) o.low -= 1;
  }
  word[0] = mask.ins.word[0];
  word[1] = mask.ins.word[1];
  CHECK(ww::isa::set_registers(word, mask.ins, mask.all(), {after.data(), after.size()}, d).fault ==
        register_words_fault::unknown_place);
  after = mask.operands;
  after[0].low += 1;
  CHECK(ww::isa::set_registers(word, mask.ins, mask.all(), {after.data(), after.size()}, d).ok());
  CHECK(word[0] == 0x00000040ff0a7803);
}

TEST_CASE("register words: random words and operands never do more than a fault") {
  std::mt19937_64 random(5);
  std::size_t written = 0;
  for (unsigned n = 0; n < 20000; ++n) {
    ww::instruction i;
    std::uint64_t word[2] = {random(), random() % 5 == 0 ? 0 : random()};
    ww::vec<ww::operand> before, after;
    const unsigned count = static_cast<unsigned>(random() % 6);
    for (unsigned k = 0; k < count; ++k) {
      ww::operand o;
      o.low = static_cast<std::uint32_t>(random());
      o.high = static_cast<std::uint32_t>(random());
      before.push_back(o);
      if (random() % 3 != 0) o.low ^= static_cast<std::uint32_t>(random() & 255u);
      after.push_back(o);
    }
    const std::uint64_t kept[2] = {word[0], word[1]};
    const auto sm = static_cast<ww::sm_id>(random() % 2 != 0 ? 900 : 1000);
    const auto r =
        ww::isa::set_registers(word, i, {before.data(), before.size()}, {after.data(), after.size()}, ww::dialect_of(sm));
    written += r.ok() ? 1u : 0u;
    if (!r.ok()) {
      CHECK((word[0] == kept[0] && word[1] == kept[1]));
      CHECK((r.operand < count || r.fault == register_words_fault::other_operands));
    }
  }
  CHECK(written > 0);
}
