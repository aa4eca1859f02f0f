// SPDX-License-Identifier: BSL-1.0
//
// Register counts in the text of listings: what notes there are, and that nothing else changes.
#include <string>
#include <vector>

#include <warpwright/sass/listing.hpp>
#include <warpwright/sass/register_notes.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"

namespace {

std::string noted(std::string_view text, std::vector<ww::sass::register_note_count> counts) {
  return ww::sass::set_register_notes(text, {counts.data(), counts.size()});
}

}  // namespace

TEST_CASE("register notes: the line in front of the code, of the section that was named") {
  const std::string text =
      "\t.section\t.text.one,\"ax\",@progbits\n\t.sectioninfo\t@\"SHI_REGISTERS=14\"\n\t.align 128\n"
      "\t.section\t.text.two,\"ax\",@progbits\n\t.sectioninfo\t@\"SHI_REGISTERS=255\"\n\t.align 128\n";
  REQUIRE(noted(text, {}) == text);
  REQUIRE(noted(text, {{"none", 5}}) == text);
  const std::string one = noted(text, {{"one", 9}});
  REQUIRE(one.find("SHI_REGISTERS=9\"\n") != std::string::npos);
  REQUIRE(one.find("SHI_REGISTERS=255\"\n") != std::string::npos);
  REQUIRE(one.size() == text.size() - 1);
  const std::string both = noted(text, {{"two", 24}, {"one", 240}});
  REQUIRE(both.find("SHI_REGISTERS=240\"\n") < both.find("SHI_REGISTERS=24\"\n"));
}

TEST_CASE("register notes: the count of a function in .nv.info, with as many digits") {
  const std::string text =
      "\t.section\t.nv.info,\"\",@\"SHT_CUDA_INFO\"\n"
      "\t//----- nvinfo : EIATTR_FRAME_SIZE\n\t.word index@(one)\n\t.word 0x0000000e\n"
      "\t//----- nvinfo : EIATTR_REGCOUNT\n\t.align 4\n\t.word index@(one)\n\t.word 0x0000000e\n"
      "\t//----- nvinfo : EIATTR_REGCOUNT\n\t.align 4\n\t.word index@(two)\n\t.word 0x00000020\n";
  const std::string out = noted(text, {{"one", 0xab}});
  REQUIRE(out.size() == text.size());
  REQUIRE(out.find("0x0000000e") < out.find("REGCOUNT"));
  REQUIRE(out.find("0x000000ab") > out.find("REGCOUNT"));
  REQUIRE(out.find("0x00000020") != std::string::npos);
}

TEST_CASE("register notes: real listings read again with the new counts, and back to their bytes") {
  std::size_t changed = 0;
  for (const std::string& path : ww_test::corpus::listings()) {
    const std::string text = ww_test::corpus::text(path);
    const auto read = ww::sass::read_listing(text, {.sm = ww_test::corpus::sm_of(path), .file = path});
    INFO(path);
    REQUIRE(read);
    std::vector<ww::sass::register_note_count> other, same;
    for (std::size_t s = 0; s < read.mod.sections.size(); ++s) {
      const std::uint32_t count = read.mod.sections[s].register_count;
      if (count == 0) continue;
      other.push_back({read.mod.name_of(read.mod.infos[s]), count + 3});
      same.push_back({read.mod.name_of(read.mod.infos[s]), count});
    }
    const std::string now = noted(text, other);
    const auto again = ww::sass::read_listing(now, {.sm = ww_test::corpus::sm_of(path), .file = path});
    REQUIRE(again);
    for (std::size_t s = 0; s < read.mod.sections.size(); ++s) {
      const std::uint32_t count = read.mod.sections[s].register_count;
      REQUIRE(again.mod.sections[s].register_count == (count == 0 ? 0 : count + 3));
      changed += count != 0 ? 1u : 0u;
    }
    REQUIRE(noted(now, same) == text);
  }
  REQUIRE(changed > 20);
}
