// SPDX-License-Identifier: BSL-1.0
//
// Where a listing says that control may go: in the words of other disassemblers, or not at all.
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/ir/unknown_targets.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/verify/hazards.hpp"

using namespace ww;

namespace {

sass::listing_result read(const std::string& text, sm_id sm) {
  sass::listing_result r = sass::read_listing(text, {sm, "text"});
  REQUIRE(bool(r));
  for (program& p : r.mod.sections) REQUIRE(build_cfg(p).ok);
  return r;
}

std::string bundled(const char* name) { return ww_test::corpus::text(ww_test::corpus::bundled(name)); }

std::size_t edges(const sass::listing_result& r) {
  std::size_t n = 0;
  for (const program& p : r.mod.sections) n += p.edges.size();
  return n;
}

}  // namespace

TEST_CASE("sass targets: SYNC with a TARGET is SYNC with a table of one") {
  for (const char* name :
       {"listings_short/rmsnorm_h2.sm61.sass", "listings_short/scan.sm60.sass", "listings_short/saxpy.sm52.sass"}) {
    INFO(name);
    const std::string text = bundled(name);
    std::string other = text;
    constexpr std::string_view table = "(*\"BRANCH_TARGETS ";
    unsigned changed = 0;
    for (std::size_t at = other.find(table); at != std::string::npos; at = other.find(table, at + 1)) {
      const std::size_t end = other.find("\"*)", at);
      REQUIRE(end != std::string::npos);
      const std::string label = other.substr(at + table.size(), end - at - table.size());
      if (label.find(',') != std::string::npos) continue;
      other.replace(at, end + 3 - at, "(*\"TARGET= " + label + " \"*)");
      ++changed;
    }
    CHECK(changed > 0);
    const sass::listing_result a = read(text, ww_test::corpus::sm_of(name));
    const sass::listing_result b = read(other, ww_test::corpus::sm_of(name));
    CHECK(edges(a) == edges(b));
    for (std::size_t s = 0; s < a.mod.sections.size(); ++s) {
      CHECK(a.mod.sections[s].table_targets.size() == b.mod.sections[s].table_targets.size());
    }
  }
}

TEST_CASE("sass targets: where SYNC and BRK go on is found without the tables as well") {
  unsigned left = 0;
  for (const char* name : {"listings_short/rmsnorm_h2.sm61.sass", "listings_short/scan.sm60.sass",
                           "listings_short/saxpy.sm52.sass", "listings_short/jumptable.sm52.sass",
                           "listings_short/noinline_call.sm52.sass", "listings_short/texsample.sm52.sass"}) {
    INFO(name);
    sass::listing_result r = read(bundled(name), ww_test::corpus::sm_of(name));
    for (program& p : r.mod.sections) {
      const auto ways = [&p] {
        std::set<std::pair<std::uint32_t, std::uint32_t>> s;
        for (const cfg_edge& e : p.edges) s.emplace(e.from.index(), e.to.index());
        return s;
      };
      const auto told = ways();
      for (branch_table& t : p.tables) {
        if (p[t.branch].region == region_kind::none) continue;
        t.count = 0;
        ++left;
      }
      REQUIRE(build_cfg(p).ok);
      CHECK((ways() == told));
    }
  }
  CHECK(left == 69);
}

TEST_CASE("sass targets: PRET calls nobody, and BRX behind it comes back to what it names") {
  const std::string text = bundled("listings_short/noinline_call.sm52.sass");
  const sass::listing_result r = read(text, sm_id{520});
  unsigned calls = 0;
  for (const program& p : r.mod.sections) {
    for (std::size_t k = 0; k + 1 < p.order.size(); ++k) {
      const instruction& pushes = p[p.order[k]];
      if (pushes.op != opcode::pret) continue;
      ++calls;
      CHECK_FALSE(pushes.has(iflag::call));
      REQUIRE(pushes.target.valid());
      REQUIRE(p[p.order[k + 1]].op == opcode::brx);
      for (const cfg_edge& e : p.edges) {
        const block& from = p[e.from];
        if (from.first + from.count != k + 2) continue;
        CHECK(e.kind == edge_kind::call_return);
        CHECK(p.order[p[e.to].first] == pushes.target);
        ++calls;
      }
    }
  }
  CHECK(calls == 2);
}

TEST_CASE("sass targets: which half of a pair an instruction is stands behind its operands") {
  const std::string text = bundled("listings_short/saxpy.sm52.sass");
  std::string other = text;
  unsigned changed = 0;
  for (std::size_t at = other.find(" }"); at != std::string::npos; at = other.find(" }", at + 9)) {
    std::size_t from = at;
    while (from > 0 && other[from - 1] == ' ') --from;
    other.insert(from, " SLOT 1");
    ++changed;
  }
  CHECK(changed > 0);
  const sass::listing_result a = read(text, sm_id{520});
  const sass::listing_result b = read(other, sm_id{520});
  for (std::size_t s = 0; s < a.mod.sections.size(); ++s) {
    const program& p = a.mod.sections[s];
    const program& q = b.mod.sections[s];
    REQUIRE(p.operands.size() == q.operands.size());
    for (std::size_t i = 0; i < p.operands.size(); ++i) CHECK(p.operands[i] == q.operands[i]);
  }
}

TEST_CASE("sass targets: a table that names its own section knows none") {
  const std::string text = bundled("listings/jumptable.sm90.sass");
  const sass::listing_result known = read(text, sm90::id);
  std::string other = text;
  constexpr std::string_view table = "(*\"BRANCH_TARGETS ";
  std::size_t line = other.find(table);
  REQUIRE(line != std::string::npos);
  while (line != std::string::npos) {
    const std::size_t section = other.rfind("\n.text.", line);
    REQUIRE(section != std::string::npos);
    const std::string name = other.substr(section + 1, other.find(':', section) - section - 1);
    const std::size_t end = other.find("\"*)", line);
    other.replace(line + table.size(), end - line - table.size(), name);
    line = other.find(table, line + 1);
  }
  const sass::listing_result r = read(other, sm90::id);
  bool unknown = false;
  for (const program& p : known.mod.sections) CHECK_FALSE(has_unknown_targets(p));
  for (const program& p : r.mod.sections) {
    unknown = unknown || has_unknown_targets(p);
    CHECK(p.table_targets.empty());
  }
  CHECK(unknown);
  CHECK(edges(r) < edges(known));
}
