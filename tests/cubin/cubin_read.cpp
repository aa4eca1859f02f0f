// SPDX-License-Identifier: BSL-1.0
//
// Cubins without a listing: the SM, the code sections, control words, register counts and attribute records.
#include <fstream>
#include <map>
#include <sstream>

#include "cubin/cubin_support.hpp"
#include "warpwright/arch/control_format.hpp"
#include "warpwright/sass/cubin_listing.hpp"

using namespace ww_test;
using ww::sass::read_cubin;

TEST_CASE("cubin: SM from both header layouts, and sm_90a told from sm_90") {
  CHECK(read_cubin(bundled("saxpy.sm75")).value.target.id() == ww::sm_id{750});
  CHECK(read_cubin(bundled("saxpy.sm80")).value.target.id() == ww::sm_id{800});
  CHECK(read_cubin(bundled("saxpy.sm120")).value.target.id() == ww::sm_id{1200});
  CHECK(read_cubin(bundled("tma_pipeline.sm90")).value.target.id() == ww::sm_id{900});
  CHECK(read_cubin(bundled("tma_pipeline.sm90a")).value.target.id() == ww::sm_id{901});
  bytes b = bundled("saxpy.sm90");
  b[7] = 0x33;  // the header of CUDA 12: ABI version 7, SM in the low byte, 0x800 for "a"
  b[8] = 7;
  put<std::uint32_t>(b, 48, 90u << 16 | 0x500u | 90u);
  CHECK(read_cubin(b).value.target.id() == ww::sm_id{900});
  put<std::uint32_t>(b, 48, 90u << 16 | 0xd00u | 90u);
  CHECK(read_cubin(b).value.target.id() == ww::sm_id{901});
}

TEST_CASE("cubin: wrong machine and missing SM are named") {
  bytes b = bundled("saxpy.sm90");
  put<std::uint16_t>(b, 18, 62);
  auto r = read_cubin(b);
  CHECK(r.error);
  CHECK(r.error.offset == 18);
  b = bundled("saxpy.sm90");
  put<std::uint32_t>(b, 48, 0);
  r = read_cubin(b);
  CHECK(r.error);
  CHECK(r.error.offset == 48);
}

TEST_CASE("cubin: code sections as programs with words and control") {
  const bytes b = bundled("saxpy.sm90");
  const auto r = read_cubin(b);
  REQUIRE(!r.error);
  REQUIRE(r.value.texts.size() == 2);
  const auto& t = r.value.texts[1];
  CHECK(t.name == "saxpy");
  CHECK(t.code.register_count == 14);
  CHECK(t.code.has_encoding);
  CHECK(t.code.has_control);
  REQUIRE(t.code.instructions.size() == 0x280 / 16);
  REQUIRE(t.functions.size() == 1);
  CHECK(t.functions[0].name == "saxpy");
  CHECK(t.functions[0].global);
  for (const auto& i : t.code.instructions) {
    CHECK(i.word[0] == get<std::uint64_t>(b, t.offset + i.address));
    CHECK(i.has(ww::iflag::unknown));
    CHECK(ww::sm70_128::encode(i.ctl) == ww::sm70_128::extract(i.word));
  }
  CHECK(read_cubin(bundled("saxpy.sm80")).value.texts[1].code.register_count == 12);
}

TEST_CASE("cubin: 64-bit instructions come with the control word of their group") {
  bytes b = bundled("saxpy.sm80");
  b[7] = 0x33;
  b[8] = 7;
  put<std::uint32_t>(b, 48, 52u << 16 | 0x500u | 52u);
  const auto r = read_cubin(b);
  INFO(r.error.text());
  REQUIRE(!r.error);
  const auto& t = r.value.texts[0];
  REQUIRE(t.code.instructions.size() % 3 == 0);
  CHECK(t.code.instructions[0].address == 8);
  CHECK(t.code.instructions[3].address == 40);
  const auto group = get<std::uint64_t>(b, t.offset + 32);
  CHECK(ww::sm50_group::encode(t.code.instructions[4].ctl) == ((group >> 21) & 0x1fffff));
  const std::vector<ww::sass::text_patch> none;
  const auto p = ww::sass::patch_cubin(b, none);
  CHECK(p.error);
  CHECK(p.error.text().find("64-bit") != std::string::npos);
}

TEST_CASE("cubin: attribute kinds have the names and layouts that are known") {
  using ww::sass::attribute_layout;
  CHECK(ww::sass::attribute_of(0x1c).name == "EXIT_INSTR_OFFSETS");
  CHECK(ww::sass::attribute_of(0x28).layout == attribute_layout::offsets);
  CHECK(ww::sass::attribute_of(0x34).layout == attribute_layout::branches);
  CHECK(ww::sass::attribute_of(0x39).layout == attribute_layout::mbarriers);
  CHECK(ww::sass::attribute_of(0x40).layout == attribute_layout::registers);
  CHECK(ww::sass::attribute_of(0x62).layout == attribute_layout::flag);
  CHECK(ww::sass::attribute_of(0x65).layout == attribute_layout::offsets);
  CHECK(ww::sass::attribute_of(0x68).layout == attribute_layout::flag);
  CHECK(ww::sass::attribute_of(0xfe).name == "unknown");
}

TEST_CASE("cubin: recorded offsets lead to instructions of the kind that the attribute names") {
  std::map<unsigned, unsigned> seen;
  auto files = bundled_cubins();
  for (const auto& p : corpus_cubins()) {
    files.push_back(p);
  }
  for (const auto& p : files) {
    const loaded l(read_bytes(p));
    for (const auto& r : l.cubin.value.infos) {
      ++seen[r.attribute];
      CHECK(ww::sass::attribute_of(r.attribute).layout != ww::sass::attribute_layout::unsupported);
      const auto& owner = l.elf.file.sections[l.elf.file.sections[r.section].info];
      const auto opcode = [&](std::uint32_t at) {
        const auto offset = get<std::uint32_t>(l.data, r.value_place + at);
        INFO(p << " attribute " << unsigned{r.attribute} << " offset " << offset << " in " << owner.name);
        REQUIRE(offset % 16 == 0);
        REQUIRE(offset < owner.size);
        return static_cast<unsigned>(get<std::uint64_t>(l.data, owner.offset + offset) & 0xfff);
      };
      if (r.attribute == 0x1c) {
        for (std::uint32_t k = 0; k < r.value_size; k += 4) {
          CHECK(opcode(k) == 0x94d);
        }
      } else if (r.attribute == 0x34) {
        for (std::uint32_t k = 0; k < r.value_size; k += 12 + 4 * get<std::uint32_t>(l.data, r.value_place + k + 8)) {
          CHECK(opcode(k) == 0x949);
        }
      } else if (r.attribute == 0x55) {  // spilled registers: LDL or STL
        for (std::uint32_t k = 0; k < r.value_size; k += 8) {
          CHECK((opcode(k + 4) == 0x983 || opcode(k + 4) == 0x387));
        }
      } else if (r.attribute == 0x46) {  // calls of system functions
        for (std::uint32_t k = 0; k < r.value_size; k += 4) {
          CHECK(opcode(k) == 0x343);
        }
      } else if (r.attribute == 0x44) {  // loads of which some bytes are not used
        for (std::uint32_t k = 0; k < r.value_size; k += 8) {
          CHECK((opcode(k) == 0x981 || opcode(k) == 0x381 || opcode(k) == 0x984));  // LDG, LDS
        }
      } else if (r.attribute == 0x39) {  // SYNCS
        for (std::uint32_t k = 0; k < r.value_size; k += 16) {
          CHECK((opcode(k) == 0x5b2 || opcode(k) == 0x5a7 || opcode(k) == 0x9a7));
        }
      } else if (r.attribute == 0x2e) {  // 16-bit atomics made of 32-bit ones: instruction, register
        for (std::uint32_t k = 0; k < r.value_size; k += 8) {
          (void)opcode(k);
          CHECK(get<std::uint32_t>(l.data, r.value_place + k + 4) < 255);
        }
      } else if (r.attribute == 0x28 || r.attribute == 0x31) {
        for (std::uint32_t k = 0; k < r.value_size; k += 4) {
          (void)opcode(k);
        }
      }
    }
  }
  CHECK(seen[0x1c] > 0);
  CHECK(seen[0x28] > 0);
  CHECK(seen[0x31] > 0);
  CHECK(seen[0x34] > 0);
  CHECK(seen[0x39] > 0);
  CHECK(seen[0x44] > 0);
  CHECK(seen[0x46] > 0);
  CHECK(seen[0x55] > 0);
}

TEST_CASE("SB-1 cubin: every control word of the corpus survives decode and encode, and is a defined one") {
  auto files = corpus_cubins();
  if (files.empty()) {
    files = bundled_cubins();
  }
  std::size_t words = 0;
  for (const auto& p : files) {
    const loaded l(read_bytes(p));
    for (const auto& t : l.cubin.value.texts) {
      INFO(p << " " << t.name);
      CHECK(t.code.register_count > 0);
      std::size_t bad = 0;
      for (const auto& i : t.code.instructions) {
        bad += ww::sm70_128::encode(i.ctl) != ww::sm70_128::extract(i.word) ? 1u : 0u;
        bad += ww::sm70_128::valid(ww::sm70_128::extract(i.word)) ? 0u : 1u;
        ++words;
      }
      CHECK(bad == 0);
    }
  }
  WARN("control words: " << words);
}

TEST_CASE("cubin: code of 64-bit instructions is matched with nothing, for the reason why it is not patched") {
  bytes b = bundled("saxpy.sm90");
  b[7] = 0x33;  // the header of CUDA 12
  b[8] = 7;
  put<std::uint32_t>(b, 48, 52u << 16 | 0x500u | 52u);
  const auto r = read_cubin(b);
  REQUIRE(!r.error);
  REQUIRE(ww::dialect_of(r.value.target.id()).word64);
  const ww::sass::text_match m = ww::sass::match_text(r.value, "saxpy", r.value.texts[1].code);
  CHECK(m.text == nullptr);
  CHECK(m.error.text() == ww::sass::patch_cubin(b, {}).error.text());
}

TEST_CASE("cubin: a listing's program is matched with the code of its section") {
  const loaded l(bundled("saxpy.sm90"));
  const auto& text = l.cubin.value.texts[1];
  ww::program p = text.code;
  REQUIRE(text.name == "saxpy");
  CHECK(ww::sass::match_text(l.cubin.value, "saxpy", p).text == &text);
  CHECK(!ww::sass::match_text(l.cubin.value, ".text.saxpy", p).error);
  CHECK(ww::sass::match_text(l.cubin.value, "other", p).error);
  CHECK(ww::sass::match_text(l.cubin.value, "saxpy_vec4", p).error);
  p.instructions[5].word[1] ^= 1;
  const auto m = ww::sass::match_text(l.cubin.value, "saxpy", p);
  CHECK(m.error);
  CHECK(m.error.offset == text.offset + 80);
  p = text.code;
  p.instructions[7].address += 0x10000;
  CHECK(ww::sass::match_text(l.cubin.value, "saxpy", p).error);

  // a listing without the last instruction, two instructions exchanged, one control word changed
  p = text.code;
  p.instructions.pop_back();
  p.order.pop_back();
  std::swap(p.order[1], p.order[2]);
  p.instructions[2].ctl.stall = 9;
  p.instructions[2].ctl.yield = true;
  const auto t = ww::sass::program_patch(text, p);
  REQUIRE(t.old_index.size() == text.code.instructions.size());
  CHECK(t.old_index[1] == 2);
  CHECK(t.old_index[2] == 1);
  CHECK(t.old_index.back() == t.old_index.size() - 1);
  CHECK((t.control[1] & 31) == 9);
  const std::vector<ww::sass::text_patch> patches = {t};
  const auto r = ww::sass::patch_cubin(l.data, patches);
  INFO(r.error.text());
  REQUIRE(!r.error);
  CHECK(get<std::uint64_t>(r.bytes, text.offset + 16) == text.code.instructions[2].word[0]);
  CHECK(get<std::uint64_t>(r.bytes, text.offset + 32) == text.code.instructions[1].word[0]);
}
