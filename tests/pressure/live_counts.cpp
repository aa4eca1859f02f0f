// SPDX-License-Identifier: BSL-1.0
//
// PLS-10: live counts equal the tables of NVIDIA's disassembler, line by line, over bundled listings (sm_75 to sm_90) and the corpus
// (sm_80 and sm_90), and one small program for each rule.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/pressure/listing_liveness.hpp>
#include <warpwright/sass/listing.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/live_table.hpp"
#include "../support/program_text.hpp"

namespace {

namespace corpus = ww_test::corpus;

struct tally {
  std::size_t lines = 0;
  std::size_t different = 0;
  std::size_t missing = 0;
  std::map<std::string, std::size_t> by_unit;
};

// The number behind `key` at the beginning of a line; 0 where there is none.
std::uint32_t number_behind(const std::string& csv, const std::string& key) {
  const std::size_t at = ("\n" + csv).find("\n" + key);
  return at == std::string::npos ? 0u : static_cast<std::uint32_t>(std::atoi(csv.c_str() + at + key.size()));
}

// General registers that a kernel declares: the listings of sm_90 do not say, resources.csv of the corpus does.
std::uint32_t declared_in_corpus(const std::string& listing_path, const std::string& kernel) {
  static const std::string csv = corpus::text(corpus::root() + "/resources.csv");
  const std::string file = listing_path.substr(listing_path.rfind('/') + 1);
  const std::size_t dot = file.find(".sm");
  return number_behind(
      csv, file.substr(0, dot) + "," + kernel + ",sm_" + file.substr(dot + 3, file.find('.', dot + 1) - dot - 3) + ",");
}

template <class Declared>
void compare(const std::string& listing_path, const std::string& table_path, Declared declared, tally& t) {
  const std::string text = corpus::text(listing_path);
  const std::string table = corpus::text(table_path);
  auto r = ww::sass::read_listing(text, {corpus::sm_of(listing_path), listing_path});
  INFO(listing_path << ": " << r.err.message());
  REQUIRE(r);
  const std::vector<ww_test::live_row> rows = ww_test::read_live_table(table);
  REQUIRE(!rows.empty());
  const auto kernel = [&](std::size_t s) { return std::string(r.mod.name_of(r.mod.infos[s])); };
  ww::listing_liveness::numbers in_file{};
  for (std::size_t s = 0; s < r.mod.sections.size(); ++s) {
    const auto own = ww::listing_liveness::named(r.mod.sections[s], declared(kernel(s)));
    for (std::size_t c = 0; c < in_file.size(); ++c) in_file[c] = std::max(in_file[c], own[c]);
  }
  for (std::size_t s = 0; s < r.mod.sections.size(); ++s) {
    ww::program& p = r.mod.sections[s];
    REQUIRE(ww::build_cfg(p).ok);
    const std::string name = kernel(s);
    ww::listing_liveness rules;
    ww::vec<ww::live_count> counts;
    rules.compute(p, counts, in_file, declared(name));
    std::map<std::uint32_t, std::size_t> place;
    for (std::size_t k = 0; k < p.order.size(); ++k) place[p[p.order[k]].address] = k;
    for (const ww_test::live_row& row : rows) {
      if (row.section != name && row.section.substr(6) != name) continue;
      const auto found = place.find(row.address);
      ++t.lines;
      if (found == place.end()) {
        ++t.missing;
      } else if (!(counts[found->second] == row.count)) {
        ++t.different;
        ++t.by_unit[corpus::unit_of(listing_path) + " " + name];
        if (std::getenv("WARPWRIGHT_VERBOSE") != nullptr) {
          const ww::live_count& c = counts[found->second];
          std::printf("%s %s %04x %s: R %u/%u P %u/%u UR %u/%u UP %u/%u\n", listing_path.c_str(), name.c_str(), row.address,
                      std::string(r.mod.body_of(p[p.order[found->second]])).c_str(), c.of[0], row.count.of[0], c.of[1],
                      row.count.of[1], c.of[2], row.count.of[2], c.of[3], row.count.of[3]);
        }
      }
    }
  }
}

// Live registers of one class, line by line, of a program that declares 64.
std::vector<std::uint32_t> counted(const char* lines, ww::pressure_class c) {
  const ww::program p = ww_test::text(lines);
  ww::listing_liveness rules;
  ww::vec<ww::live_count> counts;
  rules.compute(p, counts, {}, 64);
  std::vector<std::uint32_t> result;
  for (const ww::live_count& one : counts) result.push_back(one[c]);
  return result;
}
using list = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("PLS-10 live counts equal the disassembler's tables on bundled listings") {
  const std::string folder = corpus::bundled("live");
  const std::string csv = corpus::text(folder + "/registers.csv");
  tally t;
  std::size_t tables = 0;
  for (const std::string& table : corpus::files(folder)) {
    if (table.size() < 4 || table.substr(table.size() - 4) != ".txt") continue;
    ++tables;
    const std::string stem = std::string(corpus::file_name(table)).substr(0, corpus::file_name(table).size() - 4);
    std::string listing = folder + "/" + stem + ".sass";
    if (corpus::text(listing).empty()) listing = corpus::bundled("listings") + "/" + stem + ".sass";
    compare(
        listing, table, [&](const std::string& kernel) { return number_behind(csv, stem + "," + kernel + ","); }, t);
  }
  std::string where;
  for (const auto& [unit, count] : t.by_unit) where += "\n  " + unit + ": " + std::to_string(count);
  INFO(t.lines << " lines, " << t.different << " different" << where);
  CHECK(tables == 11);
  CHECK(t.lines > 2200);
  CHECK(t.missing == 0);
  CHECK(t.different == 6);  // UR2 of live_rules-O1.sm87, twice in each kernel: docs/deviations.md
}

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
    compare(
        listing, table, [&](const std::string& kernel) { return declared_in_corpus(listing, kernel); }, t);
  }
  std::string where;
  for (const auto& [unit, count] : t.by_unit) where += "\n  " + unit + ": " + std::to_string(count);
  INFO(t.lines << " lines, " << t.different << " different, " << t.missing << " without instruction" << where);
  std::printf("live counts: %zu lines, %zu different, %zu without instruction%s\n", t.lines, t.different, t.missing,
              where.c_str());
  CHECK(t.lines > 40000);
  CHECK(t.missing == 0);
  // The rest is code behind BPT.TRAP in switch_trap, see docs/deviations.md.
  CHECK(t.different * 4000 < t.lines);
}

TEST_CASE("PLS-10 live counts: which writes end a live range") {
  // Inside a region a guarded write ends nothing, whoever reads it; without a guard it does, and under a uniform predicate.
  const char* const guarded =
      "ISETP.GE.AND P0, PT, R1, R1, PT\n"
      "@P0 MOV R4, 0x1\n"
      "@P0 STG.E [R2.64], R4\n"
      "EXIT\n";
  CHECK(counted(guarded, ww::pressure_class::r) == list{4, 4, 4, 1});
  const char* const uniform =
      "UISETP.GE.AND UP0, UPT, UR4, UR5, UPT\n"
      "@UP0 UMOV UR6, 0x1\n"
      "MOV R4, UR6\n"
      "STG.E [R2.64], R4\n"
      "EXIT\n";
  CHECK(counted(uniform, ww::pressure_class::ur) == list{2, 1, 1, 0, 0});
  // What the next region needs is not needed before a guarded write of it, for the regions before that; inside it is.
  const char* const behind =
      "ISETP.GE.AND P0, PT, R1, R1, PT\n"
      "ISETP.GE.AND P1, PT, R1, R1, PT\n"
      "@P1 BRA `(second)\n"
      "second:\n"
      "NOP\n"
      "@P0 MOV R4, 0x1\n"
      "@P1 BRA `(third)\n"
      "third:\n"
      "@P0 STG.E [R2.64], R4\n"
      "EXIT\n";
  CHECK(counted(behind, ww::pressure_class::r) == list{3, 3, 3, 4, 4, 4, 4, 1});
}

TEST_CASE("PLS-10 live counts: R1, predicates in masks, calls and returns") {
  // R1 is needed at the end of any region, also of a loop that does not end.
  const char* const loop =
      "again:\n"
      "STG.E [R2.64], R4\n"
      "BRA `(again)\n";
  CHECK(counted(loop, ww::pressure_class::r) == list{4, 4});
  // P2R and R2P leave predicates alone.
  const char* const masks =
      "ISETP.GE.AND P1, PT, R1, R1, PT\n"
      "P2R R4, PR, RZ, 0x7f\n"
      "R2P PR, R4, 0x2\n"
      "@P1 STG.E [R2.64], R4\n"
      "EXIT\n";
  CHECK(counted(masks, ww::pressure_class::p) == list{1, 1, 1, 1, 0});
  // A call clobbers the general registers that are both declared and named: here 0 and 3 to 15 of 16, R1 and R2 being kept.
  const char* const call =
      "CALL.REL.NOINC `(callee)\n"
      "STG.E [R2.64], R15\n"
      "EXIT\n"
      "callee:\n"
      "EXIT\n";
  CHECK(counted(call, ww::pressure_class::r) == list{16, 4, 1, 1});
  // A return reads what is kept of the 64 that the kernel declares: R1, R2, 16 to 31, 36 to 39, .. 60 to 63, and where it goes.
  // With that all of them count as named.
  const char* const returning =
      "CALL.REL.NOINC `(callee)\n"
      "STG.E [R2.64], R15\n"
      "EXIT\n"
      "callee:\n"
      "RET.REL.NODEC R10 `(callee)\n";
  CHECK(counted(returning, ww::pressure_class::r) == list{16 + 16, 4, 1, 2 + 16 + 16 + 2});
}
