// SPDX-License-Identifier: BSL-1.0
#include <warpwright/model/profile.hpp>

#include "support/catch.hpp"

using namespace ww;

TEST_CASE("model profile: lines, comments and numbers") {
  ww::vec<model::profile_entry> e;
  CHECK_FALSE(model::read_profile("# head\n\n.text.a 0 1\n.text.a\t2 512.5 # hot\r\n.text.b 1 1e3", e).failed);
  REQUIRE(e.size() == 3);
  CHECK(e[1].block == 2);
  CHECK(e[1].count == ww_test::Approx(512.5));
  CHECK(e[2].count == ww_test::Approx(1000));
  program p;
  p.blocks.resize(2);
  const auto r = model::apply_profile(p, ".text.a", e);
  CHECK(r.applied == 1);
  CHECK(r.unknown == 1);
  CHECK(p.blocks[0].weight == ww_test::Approx(1));
  CHECK(p.blocks[1].weight == ww_test::Approx(0));
}

TEST_CASE("model profile: errors have a place and apply nothing") {
  struct bad {
    const char* text;
    unsigned line;
    unsigned column;
  };
  for (const bad& b : {bad{"a 0 1\nb x 1\n", 2, 3}, bad{"a 0 -1\n", 1, 5}, bad{"a 0\n", 1, 4}, bad{"a 0 1 2\n", 1, 7},
                       bad{"a 0 1e999\n", 1, 5}, bad{"a 99999999999 1\n", 1, 3}}) {
    ww::vec<model::profile_entry> e(1);
    const model::profile_error r = model::read_profile(b.text, e);
    INFO(b.text);
    CHECK(r.failed);
    CHECK(r.line == b.line);
    CHECK(r.column == b.column);
    CHECK(e.size() == 1);
  }
}
