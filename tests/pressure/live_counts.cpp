// SPDX-License-Identifier: BSL-1.0
//
// PLS-10: live counts equal the tables of NVIDIA's disassembler, line by line, over the corpus (sm_80 and sm_90).
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/pressure/listing_liveness.hpp>
#include <warpwright/sass/listing.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/live_table.hpp"

namespace {

namespace corpus = ww_test::corpus;

struct tally {
  std::size_t lines = 0;
  std::size_t different = 0;
  std::size_t missing = 0;
  std::map<std::string, std::size_t> by_unit;
};

// General registers that a kernel declares: the listings of sm_90 do not say, resources.csv of the corpus does.
std::uint32_t declared_registers(const std::string& listing_path, const std::string& kernel) {
  static const std::string csv = corpus::text(corpus::root() + "/resources.csv");
  const std::string file = listing_path.substr(listing_path.rfind('/') + 1);
  const std::size_t dot = file.find(".sm");
  const std::string sm = file.substr(dot + 3, file.find('.', dot + 1) - dot - 3);
  const std::string key = "\n" + file.substr(0, dot) + "," + kernel + ",sm_" + sm + ",";
  const std::size_t at = csv.find(key);
  return at == std::string::npos ? 0u : static_cast<std::uint32_t>(std::atoi(csv.c_str() + at + key.size()));
}

void compare(const std::string& listing_path, const std::string& table_path, tally& t) {
  const std::string text = corpus::text(listing_path);
  const std::string table = corpus::text(table_path);
  auto r = ww::sass::read_listing(text, {corpus::sm_of(listing_path), listing_path});
  INFO(listing_path << ": " << r.err.message());
  REQUIRE(r);
  const std::vector<ww_test::live_row> rows = ww_test::read_live_table(table);
  REQUIRE(!rows.empty());
  ww::array<std::uint32_t, ww::pressure_class_count> in_file{};
  for (const ww::program& p : r.mod.sections) {
    ww::register_layout own;
    own.compute(p);
    for (std::size_t c = 1; c < in_file.size(); ++c) in_file[c] = std::max(in_file[c], own.count[c]);
  }
  for (std::size_t s = 0; s < r.mod.sections.size(); ++s) {
    ww::program& p = r.mod.sections[s];
    in_file[0] = declared_registers(listing_path, std::string(r.mod.name_of(r.mod.infos[s])));
    REQUIRE(ww::build_cfg(p).ok);
    ww::listing_liveness rules;
    ww::vec<ww::live_count> counts;
    rules.compute(p, counts, in_file);
    std::map<std::uint32_t, std::size_t> place;
    for (std::size_t k = 0; k < p.order.size(); ++k) place[p[p.order[k]].address] = k;
    const std::string_view name = r.mod.name_of(r.mod.infos[s]);
    for (const ww_test::live_row& row : rows) {
      if (row.section != name && row.section.substr(6) != name) continue;
      const auto found = place.find(row.address);
      ++t.lines;
      if (found == place.end()) {
        ++t.missing;
      } else if (!(counts[found->second] == row.count)) {
        ++t.different;
        ++t.by_unit[corpus::unit_of(listing_path) + " " + std::string(name)];
        if (std::getenv("WARPWRIGHT_VERBOSE") != nullptr) {
          const ww::live_count& c = counts[found->second];
          std::printf("%s %s %04x %s: R %u/%u P %u/%u UR %u/%u UP %u/%u\n", listing_path.c_str(), std::string(name).c_str(),
                      row.address, std::string(r.mod.body_of(p[p.order[found->second]])).c_str(), c.of[0], row.count.of[0],
                      c.of[1], row.count.of[1], c.of[2], row.count.of[2], c.of[3], row.count.of[3]);
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("PLS-10 live counts equal the disassembler's tables on the corpus") {
  const std::string root = corpus::root();
  if (root.empty()) {
    WARN("WARPWRIGHT_CORPUS is not set: corpus part not run");
    return;
  }
  tally t;
  for (const std::string& table : corpus::files(root + "/plr")) {
    std::string stem = table.substr(table.rfind('/') + 1);
    stem = stem.substr(0, stem.find(".txt"));
    std::string listing = root + "/listings/" + stem + ".sass";
    if (corpus::text(listing).empty()) listing += ".xz";
    compare(listing, table, t);
  }
  std::string where;
  for (const auto& [unit, count] : t.by_unit) where += "\n  " + unit + ": " + std::to_string(count);
  INFO(t.lines << " lines, " << t.different << " different, " << t.missing << " without instruction" << where);
  std::printf("live counts: %zu lines, %zu different, %zu without instruction%s\n", t.lines, t.different, t.missing,
              where.c_str());
  CHECK(t.lines > 40000);
  CHECK(t.missing == 0);
  // The rest is code behind BPT.TRAP in switch_trap, see docs/deviations.md.
  CHECK(t.different * 1000 < t.lines);
}
