// SPDX-License-Identifier: BSL-1.0
//
// What callers ask for when code gets other registers: as many as what they call, and never fewer than somebody unseen may need.
#include <cstdint>
#include <string>
#include <vector>

#include <warpwright/sass/called_registers.hpp>
#include <warpwright/sass/listing.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"

namespace {

using counts = std::vector<std::uint32_t>;  // of the function, of the kernel that calls it

counts raised(const ww::sass::module& m, const counts& before, counts now) {
  ww::sass::raise_register_counts(m, {before.data(), before.size()}, {now.data(), now.size()});
  return now;
}

}  // namespace

TEST_CASE("called registers: a caller asks for as many as what it calls, where either changes") {
  const std::string text = ww_test::corpus::text(ww_test::corpus::bundled("listings/relocatable.sm80.sass"));
  const ww::sass::listing_result r = ww::sass::read_listing(text);
  REQUIRE(r);
  REQUIRE(r.mod.sections.size() == 2);
  CHECK(r.mod.name_of(r.mod.infos[0]) == "_Z3locf");
  for (const ww::program& p : r.mod.sections) CHECK(ww::sass::own_registers(p) == p.register_count);
  CHECK((raised(r.mod, {24, 26}, {24, 26}) == counts{24, 26}));
  CHECK((raised(r.mod, {24, 26}, {40, 26}) == counts{40, 40}));  // the function needs more
  CHECK((raised(r.mod, {24, 26}, {40, 20}) == counts{40, 40}));
  CHECK((raised(r.mod, {24, 26}, {24, 20}) == counts{24, 24}));  // the kernel needs fewer
  CHECK((raised(r.mod, {24, 26}, {10, 50}) == counts{10, 50}));
  CHECK((raised(r.mod, {24, 20}, {24, 20}) == counts{24, 20}));  // as it was, whoever raises it later
  CHECK((raised(r.mod, {24, 20}, {22, 20}) == counts{22, 20}));
  CHECK((raised(r.mod, {0, 26}, {0, 20}) == counts{0, 20}));  // not known, and stays out
  CHECK((raised(r.mod, {24, 0}, {40, 0}) == counts{40, 0}));
}

TEST_CASE("called registers: what was asked for beyond the own code stays, unless a call is seen that explains it") {
  std::string text = ww_test::corpus::text(ww_test::corpus::bundled("listings/relocatable.sm80.sass"));
  const ww::sass::listing_result r = ww::sass::read_listing(text);
  REQUIRE(r);
  CHECK((raised(r.mod, {30, 26}, {22, 26}) == counts{30, 26}));  // the function calls nothing that is seen
  CHECK((raised(r.mod, {30, 26}, {32, 26}) == counts{32, 32}));
  CHECK((raised(r.mod, {24, 40}, {24, 20}) == counts{24, 40}));  // what the kernel calls does not need so many
  // with a function that names R37 itself
  std::string::size_type at = text.find("FADD R4");
  at = at == std::string::npos ? text.find(" R4,") : at + 4;
  REQUIRE(at < text.find(".text._Z1kPf"));
  text.replace(at, 3, " R37");
  const ww::sass::listing_result wide = ww::sass::read_listing(text);
  REQUIRE(wide);
  REQUIRE(ww::sass::own_registers(wide.mod.sections[0]) == 40);
  CHECK((raised(wide.mod, {40, 40}, {20, 22}) == counts{20, 22}));
  CHECK((raised(wide.mod, {40, 40}, {30, 22}) == counts{30, 30}));
  CHECK((raised(wide.mod, {40, 44}, {30, 22}) == counts{30, 44}));
}
