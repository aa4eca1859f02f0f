// SPDX-License-Identifier: BSL-1.0
//
// Calls in text without labels: which come back, and what is lost where one is taken for a jump.
#include <cstddef>
#include <string>
#include <string_view>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/verify/hazards.hpp"

namespace {

constexpr std::uint32_t call = 0x70 / 16, behind = 0x80 / 16, entry = 0x2a0 / 16, ret = 0xa80 / 16;

// cuobjdump's text of a kernel that calls pow() once: the function makes its return address itself, in front of its RET.
std::string called_once() { return ww_test::corpus::text(ww_test::corpus::bundled("cli/called_once.sm75.cuobjdump.txt")); }

void replace(std::string& text, std::string_view old, std::string_view now) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  REQUIRE(text.find(old, at + 1) == std::string::npos);
  text.replace(at, old.size(), now);
}

// How many functions the section has, and whether control comes from the RET to the instruction behind the call.
struct seen {
  std::size_t functions = 0;
  bool kernel = false;
  bool returns = false;
  std::size_t findings = 0;
};
seen look(const std::string& text) {
  ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = ww::sm75::id, .file = ""});
  REQUIRE(r);
  REQUIRE(r.mod.sections.size() == 1);
  ww::program& p = r.mod.sections[0];
  REQUIRE(ww::build_cfg(p).ok);
  seen s;
  s.functions = p.functions.size();
  s.kernel = p.functions.front().kernel;
  if (s.functions == 2) CHECK(p.functions[1].entry.index() == entry);
  REQUIRE(p.instructions[call].has(ww::iflag::call));
  REQUIRE(p.instructions[ret].has(ww::iflag::ret));
  for (const ww::block& b : p.blocks) {
    if (b.count == 0 || p.order[b.first + b.count - 1].index() != ret) continue;
    for (const ww::cfg_edge& e : p.edges_of(b))
      s.returns = s.returns || p.order[p.blocks[e.to.index()].first].index() == behind;
  }
  s.findings = ww::verify::check<ww::sm75>(p).errors();
  return s;
}

}  // namespace

TEST_CASE("sass return points: a function with one caller that makes the address itself is called, not jumped to") {
  const seen s = look(called_once());
  CHECK(s.functions == 2);
  CHECK(s.kernel);
  CHECK(s.returns);
  CHECK(s.findings == 0);
}

TEST_CASE("sass return points: where nothing but a return leads behind a call it comes back, wherever the address is from") {
  std::string text = called_once();
  replace(text, "/* 0x0000008000007802", "/* 0x0000099000007802");  // the move of the address
  const seen s = look(text);
  CHECK(s.functions == 2);
  CHECK(s.returns);
  CHECK(s.findings == 0);
}

TEST_CASE("sass return points: a call that nobody hands an address, with other ways to what is behind it, is a jump") {
  std::string text = called_once();
  replace(text, "/* 0x0000008000007802", "/* 0x0000099000007802");
  replace(text, "BSSY B0, 0x160 ;", "BSSY B0, 0x80 ; ");
  const seen s = look(text);
  CHECK(s.functions == 1);
  CHECK_FALSE(s.returns);
}
