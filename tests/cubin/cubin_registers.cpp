// SPDX-License-Identifier: BSL-1.0
//
// Other registers in the code of a cubin: the words that a renamed listing has, alone or with a new order behind.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cubin_support.hpp"
#include "support/catch.hpp"
#include "support/corpus.hpp"
#include "support/random_registers.hpp"
#include "warpwright/sass/cubin_patch.hpp"
#include "warpwright/sass/cubin_registers.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/sass/register_count.hpp"
#include "warpwright/sass/renamed_listing.hpp"

namespace {

using ww_test::bytes;
namespace sass = ww::sass;
namespace corpus = ww_test::corpus;

struct kernel_file {
  std::string listing;
  std::filesystem::path cubin;
};

std::vector<kernel_file> kernel_files() {
  std::vector<kernel_file> all = {
      {corpus::bundled("demo/sgemm_tiled.sm80.sass"), corpus::bundled("demo/sgemm_tiled.sm80.cubin")}};
  std::vector<std::filesystem::path> cubins = ww_test::bundled_cubins();
  for (const std::filesystem::path& p : ww_test::corpus_cubins()) cubins.push_back(p);
  for (const std::string& l : corpus::listings()) {
    const std::string_view name = corpus::file_name(l);
    for (const std::filesystem::path& c : cubins) {
      if (name.substr(0, name.find(".sass")) != c.stem().string()) continue;
      all.push_back({l, c});
      break;
    }
  }
  return all;
}

}  // namespace

TEST_CASE("cubin registers: the words of a cubin are those of the renamed listing, and come back") {
  std::size_t sections = 0;
  for (const kernel_file& k : kernel_files()) {
    INFO(k.listing);
    const std::string text = corpus::text(k.listing);
    const sass::listing_result r = sass::read_listing(text, {.sm = corpus::sm_of(k.listing)});
    REQUIRE(r);
    const bytes original = ww_test::read_bytes(k.cubin);
    const sass::elf_result e = sass::read_elf({original.data(), original.size()});
    const sass::cubin_result c = sass::read_cubin(e.file);
    REQUIRE_FALSE(c.error);
    std::vector<ww::program> code(r.mod.sections.begin(), r.mod.sections.end());
    for (ww::program& p : code) ww_test::draw_registers(p, 4);
    std::string out;
    REQUIRE_FALSE(sass::write_renamed(r.mod, {code.data(), code.size()}, out));
    const sass::listing_result again = sass::read_listing(out, {.sm = corpus::sm_of(k.listing)});
    REQUIRE(again);
    for (std::size_t s = 0; s < code.size(); ++s) {
      const std::uint32_t section = e.file.find(".text." + std::string(r.mod.name_of(r.mod.infos[s])));
      if (section == sass::elf_file::none) continue;
      bytes b = original;
      const ww::instruction& first = r.mod.sections[s].instructions[0];
      const sass::elf_section& x = e.file.sections[section];
      if (ww_test::get<std::uint64_t>(original, x.offset) != first.word[0]) continue;  // by another compiler
      if (c.value.mercury) {
        CHECK(sass::set_code_registers({b.data(), b.size()}, section, r.mod.sections[s], code[s])
                  .expected.find("internal form") != std::string::npos);
        CHECK((b == original));
      }
      const sass::elf_error bad = sass::set_code_registers({b.data(), b.size()}, section, r.mod.sections[s], code[s], true);
      INFO(bad.text());
      REQUIRE_FALSE(bad);
      bool same = true;
      for (const ww::instruction& i : again.mod.sections[s].instructions) {
        same = same && ww_test::get<std::uint64_t>(b, x.offset + i.address) == i.word[0] &&
               ww_test::get<std::uint64_t>(b, x.offset + i.address + 8) == i.word[1];
      }
      CHECK(same);
      REQUIRE_FALSE(sass::set_code_registers({b.data(), b.size()}, section, again.mod.sections[s], r.mod.sections[s], true));
      CHECK((b == original));
      ++sections;
    }
  }
  WARN(sections << " sections");
  CHECK(sections >= 10);
}

TEST_CASE("cubin registers: a new order and a new count work on the result") {
  const bytes original = ww_test::bundled("saxpy.sm80");
  const std::string text = corpus::text(corpus::bundled("listings/saxpy.sm80.sass"));
  const sass::listing_result r = sass::read_listing(text, {.sm = static_cast<ww::sm_id>(800)});
  REQUIRE(r);
  const sass::elf_result e = sass::read_elf({original.data(), original.size()});
  const std::uint32_t section = e.file.find(".text." + std::string(r.mod.name_of(r.mod.infos[0])));
  REQUIRE(section != sass::elf_file::none);
  ww::program code = r.mod.sections[0];
  REQUIRE(ww_test::draw_registers(code, 8) != 0);
  bytes b = original;
  REQUIRE_FALSE(sass::set_code_registers({b.data(), b.size()}, section, r.mod.sections[0], code));
  const std::vector<sass::register_request> most = {{section, 255}};
  REQUIRE_FALSE(sass::set_register_counts({b.data(), b.size()}, {most.data(), most.size()}).error);
  const sass::cubin_result c = sass::read_cubin({b.data(), b.size()});
  REQUIRE_FALSE(c.error);
  for (const sass::cubin_text& t : c.value.texts) {
    if (t.section != section) continue;
    CHECK(t.code.register_count == 255);
    std::vector<sass::text_patch> patches = {sass::make_text_patch(t.code, section)};
    std::swap(patches[0].old_index[1], patches[0].old_index[2]);
    const sass::patch_result p = sass::patch_cubin({b.data(), b.size()}, {patches.data(), patches.size()});
    INFO(p.error.text());
    REQUIRE_FALSE(p.error);
    const std::uint64_t at = e.file.sections[section].offset;
    CHECK(ww_test::get<std::uint64_t>(p.bytes, at + 16) == ww_test::get<std::uint64_t>(b, at + 32));
  }
}

TEST_CASE("cubin registers: refused as a whole") {
  const bytes original = ww_test::bundled("saxpy.sm80");
  const std::string text = corpus::text(corpus::bundled("listings/saxpy.sm80.sass"));
  const sass::listing_result r = sass::read_listing(text, {.sm = static_cast<ww::sm_id>(800)});
  REQUIRE(r);
  const sass::elf_result e = sass::read_elf({original.data(), original.size()});
  const std::uint32_t section = e.file.find(".text." + std::string(r.mod.name_of(r.mod.infos[0])));
  const ww::program& before = r.mod.sections[0];
  ww::program good = before;
  ww_test::draw_registers(good, 8);
  bytes b = original;
  const auto refused = [&](std::uint32_t at, const ww::program& old, const ww::program& now, const char* why) {
    const bytes kept = b;
    const sass::elf_error bad = sass::set_code_registers({b.data(), b.size()}, at, old, now);
    INFO(bad.text());
    CHECK(bad.expected.find(why) != std::string::npos);
    CHECK((b == kept));
  };
  refused(0, before, good, "the index of a .text section");
  refused(9999, before, good, "the index of a .text section");
  ww::program fewer = good;
  fewer.instructions.pop_back();
  refused(section, before, fewer, "two programs of its instructions");
  ww::program moved = good;
  std::swap(moved.instructions[0].address, moved.instructions[1].address);
  refused(section, before, moved, "two programs of its instructions");
  ww::program empty = good;
  empty.operands.clear();
  refused(section, before, empty, "two programs of its instructions");
  ww::program high = good;
  for (std::size_t k = high.operands.size(); k-- > 0;) {  // the last one: nothing in front of it may be written either
    if (high.operands[k].file() != ww::reg_file::r || !high.operands[k].is_register()) continue;
    high.operands[k].low |= 255u;
    break;
  }
  refused(section, before, high, "a register that the SM has");
  b[e.file.sections[section].offset + 16 + 3] ^= 1;  // another register in the cubin
  refused(section, before, good, "the instruction of the listing");
  b = original;
  for (unsigned at = 0; at < 13; ++at) {  // nor one other bit of its first 104
    b[e.file.sections[section].offset + 32 + at] ^= 4;
    refused(section, before, good, "the instruction of the listing");
    b = original;
  }
  b[e.file.sections[section].offset + 16 + 14] ^= 2;  // other control bits: not looked at
  CHECK_FALSE(sass::set_code_registers({b.data(), b.size()}, section, before, good));
}
