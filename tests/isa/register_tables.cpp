// SPDX-License-Identifier: BSL-1.0
//
// Defs and uses against the vendor's own register tables.

#include <string>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "compare.hpp"

namespace {

ww::isa::dialect dialect_for(const std::string& name) {
  ww::isa::dialect d;
  d.hidden_descriptor = name.find(".sm8") != std::string::npos;
  return d;
}

void report(const ww_test::comparison& c) {
  for (std::size_t i = 0; i < c.differences.size() && i < 10; ++i) {
    INFO(c.differences[i]);
    CHECK(false);
  }
  CHECK(c.differences.empty());
  CHECK(c.equal + c.calls + c.known == c.lines);
}

}  // namespace

TEST_CASE("register tables: bundled listings decode to the registers that nvdisasm lists") {
  ww_test::comparison c;
  for (const char* name : {"reduce_shfl.sm80", "cas_atomics.sm80", "texsample.sm80", "mma_zoo.sm90", "tma_pipeline.sm90",
                           "texsample.sm100", "dpx_int.sm120"}) {
    const std::string base = std::string("isa/") + name;
    const std::string listing = ww_test::corpus::text(ww_test::corpus::bundled(base + ".sass"));
    const std::string table = ww_test::corpus::text(ww_test::corpus::bundled(base + ".registers.txt"));
    REQUIRE(!listing.empty());
    REQUIRE(!table.empty());
    ww_test::compare(name, listing, table, dialect_for(name), c);
  }
  report(c);
  INFO("lines " << c.lines << ", equal " << c.equal << ", calls " << c.calls << ", known " << c.known);
  CHECK(c.lines > 1500);
  CHECK(c.known <= 2);
}

TEST_CASE("register tables: the whole corpus decodes to the registers that nvdisasm lists") {
  const std::string root = ww_test::corpus::root();
  if (root.empty()) return;
  ww_test::comparison c;
  for (const std::string& path : ww_test::corpus::files(root + "/plr_registers")) {
    const std::size_t slash = path.rfind('/');
    const std::string name = path.substr(slash + 1, path.rfind(".txt") - slash - 1);
    std::string listing = ww_test::corpus::text(root + "/listings/" + name + ".sass");
    if (listing.empty()) listing = ww_test::corpus::text(root + "/listings/" + name + ".sass.xz");
    ww_test::compare(name, listing, ww_test::corpus::text(path), dialect_for(name), c);
  }
  report(c);
  WARN("register tables: lines " << c.lines << ", equal " << c.equal << ", calls (callee summary) " << c.calls
                                 << ", known differences " << c.known);
  CHECK(c.known * 1000 <= c.lines);
  if (!ww_test::corpus::reference()) return;
  CHECK(c.lines > 48000);
  CHECK(c.known == 6);
}
