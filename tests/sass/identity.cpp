// SPDX-License-Identifier: BSL-1.0
// Every listing, of every form, is read and written back byte for byte; counts agree with the corpus statistics.
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/sass/listing_counts.hpp>
#include <warpwright/sass/writer.hpp>

#include "support/catch.hpp"
#include "support/corpus.hpp"

namespace {

namespace corpus = ww_test::corpus;
namespace sass = ww::sass;

std::string written(const sass::module& m) {
  std::string out;
  const sass::error e = sass::write_listing(m, [&](std::string_view piece) { out += piece; });
  return e ? e.message() : out;
}

// Instruction lines counted by their looks alone.
std::size_t address_lines(std::string_view text) {
  std::size_t n = 0;
  bool data = false;
  while (!text.empty()) {
    const std::size_t stop = text.find('\n');
    std::string_view line = text.substr(0, stop);
    text.remove_prefix(stop == std::string_view::npos ? text.size() : stop + 1);
    const std::size_t head = line.find(".section");
    if (head != std::string_view::npos && head + 8 < line.size() && (line[head + 8] == '\t' || line[head + 8] == ' ')) {
      data = line.find(".text") == std::string_view::npos;
    }
    const std::size_t at = line.find_first_not_of(" \t");
    n += !data && at != std::string_view::npos && line.substr(at, 2) == "/*" && line[at + 2] != ' ';
  }
  return n;
}

// The listing of a file, which must be given back unchanged; the module refers to `text`.
sass::module read_unchanged(const std::string& path, const std::string& text) {
  const sass::listing_result r = sass::read_listing(text, {corpus::sm_of(path), path});
  INFO(r.err.message());
  REQUIRE(r);
  CHECK((written(r.mod) == text));
  return r.mod;
}

}  // namespace

TEST_CASE("listing: unchanged modules give back the same bytes") {
  std::size_t listings = 0;
  std::size_t instructions = 0;
  for (const std::string& path : corpus::listings()) {
    INFO(path);
    const std::string text = corpus::text(path);
    const sass::module m = read_unchanged(path, text);
    REQUIRE(m.has_hex);
    std::size_t here = 0;
    for (const ww::program& p : m.sections) {
      here += p.instructions.size();
      CHECK(p.sm == corpus::sm_of(path));
      CHECK(p.has_control);
    }
    CHECK(here == address_lines(text));
    instructions += here;
    ++listings;
  }
  CHECK(listings >= 80);
  if (corpus::reference()) CHECK(instructions >= 165720);
}

TEST_CASE("listing: other forms of the text give back the same bytes") {
  for (const std::string& path : corpus::other_forms()) {
    INFO(path);
    const std::string text = corpus::text(path);
    const sass::module m = read_unchanged(path, text);
    std::size_t here = 0;
    for (const ww::program& p : m.sections) here += p.instructions.size();
    CHECK(here == address_lines(text));
  }
}

TEST_CASE("listing: rare forms give back the same bytes") {
  std::size_t listings = 0;
  for (const std::string& path : corpus::files(corpus::bundled("listings_rare"))) {
    INFO(path);
    read_unchanged(path, corpus::text(path));
    ++listings;
  }
  CHECK(listings >= 60);
}

TEST_CASE("listing: a module that owns its text survives copies and moves") {
  const std::string text = corpus::text(corpus::bundled("listings/saxpy.sm80.sass"));
  sass::module kept;
  {
    sass::listing_result r = sass::read_listing(std::vector<char>(text.begin(), text.end()), {ww::sm_id{800}, "x"});
    REQUIRE(r);
    const sass::module copy = r.mod;
    kept = copy;
  }
  CHECK((written(kept) == text));
}

TEST_CASE("listing: counts equal the corpus statistics") {
  if (corpus::root().empty()) return;
  // unit, function, sm -> instructions, padding, blocks, largest block
  std::map<std::tuple<std::string, std::string, std::string>, sass::listing_counts> want;
  const std::string csv = corpus::text(corpus::root() + "/stats.csv");
  if (csv.empty()) return;
  std::size_t at = csv.find('\n') + 1;
  while (at < csv.size()) {
    const std::size_t stop = csv.find('\n', at);
    std::string field[8];
    std::size_t from = at;
    for (std::string& f : field) {
      std::size_t comma = csv.find(',', from);
      if (comma == std::string::npos || comma > stop) comma = stop;
      f = csv.substr(from, comma - from);
      from = comma + 1;
    }
    const auto number = [](const std::string& s) {
      return static_cast<std::uint32_t>(std::strtoul(s.c_str(), nullptr, 10));
    };
    want[{field[0], field[1], field[2]}] = {number(field[3]), number(field[4]), number(field[5]), number(field[6])};
    at = stop + 1;
  }
  if (corpus::reference()) REQUIRE(want.size() > 300);
  std::size_t compared = 0;
  for (const std::string& path : corpus::files(corpus::root() + "/listings")) {
    const std::string text = corpus::text(path);
    sass::listing_result r = sass::read_listing(text, {corpus::sm_of(path), path});
    REQUIRE(r);
    const unsigned sm = static_cast<unsigned>(corpus::sm_of(path));
    const std::string sm_name = "sm_" + std::to_string(sm / 10) + (sm % 10 == 1 ? "a" : "");
    for (std::size_t s = 0; s < r.mod.sections.size(); ++s) {
      const std::string name(r.mod.name_of(r.mod.infos[s]));
      INFO(path << " " << name);
      const auto found = want.find({corpus::unit_of(path), name, sm_name});
      REQUIRE((found != want.end()));
      REQUIRE(ww::build_cfg(r.mod.sections[s]).ok);
      const sass::listing_counts have = sass::count_listing(r.mod.sections[s]);
      CHECK(have.instructions == found->second.instructions);
      CHECK(have.padding == found->second.padding);
      CHECK(have.blocks == found->second.blocks);
      CHECK(have.max_block == found->second.max_block);
      ++compared;
    }
  }
  CHECK(compared == want.size());
}
