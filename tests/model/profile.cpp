// SPDX-License-Identifier: BSL-1.0
#include <warpwright/model/profile.hpp>

#include <cstdlib>
#include <random>
#include <string>

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

TEST_CASE("model profile: a count of up to 15 digits is the nearest number, a longer one close to it") {
  const auto count = [](const std::string& t) {
    double v = -1;
    REQUIRE(model::detail::read_count(t, v));
    return v;
  };
  CHECK(count("0.3") == 0.3);
  CHECK(count("512.1e-1") == 51.21);
  CHECK(count("1e30") == 1e30);
  CHECK(count("0.000000000000000000000000000000000000012") == ww_test::Approx(1.2e-38));
  CHECK(count("00000000000000000000000000025.5") == 25.5);
  CHECK(count("7.") == 7);
  CHECK(count(".5") == 0.5);
  std::mt19937_64 random(20261130);
  for (unsigned k = 0; k < 20'000; ++k) {
    const std::string digits = std::to_string(random() % 1'000'000'000'000'000u);
    std::string t = digits;
    t.insert(random() % (digits.size() + 1), ".");
    if (k % 3 == 0) t += "e" + std::to_string(static_cast<int>(random() % 15) - 7);
    INFO(t);
    REQUIRE(count(t) == std::strtod(t.c_str(), nullptr));
    const std::string longer = std::to_string(random()) + "." + std::to_string(random());
    INFO(longer);
    REQUIRE(std::abs(count(longer) / std::strtod(longer.c_str(), nullptr) - 1) < 1e-15);
  }
  CHECK(count("12345678901234567890123") == ww_test::Approx(1.2345678901234567e22));
  double v = 0;
  CHECK_FALSE(model::detail::read_count("1e31", v));
  CHECK_FALSE(model::detail::read_count("1.2.3", v));
  CHECK_FALSE(model::detail::read_count(".", v));
}

TEST_CASE("model profile: entries add up, name sections with and without .text., and the first unknown block is told") {
  ww::vec<model::profile_entry> e;
  REQUIRE_FALSE(model::read_profile("a 0 1\n.text.a 0 2\nb 0 9\na 7 1\n.text.a 8 1\n", e).failed);
  program p;
  p.blocks.resize(2);
  const model::profile_result r = model::apply_profile(p, "a", e);
  CHECK(r.applied == 2);
  CHECK(p.blocks[0].weight == 3);
  CHECK(r.unknown == 2);
  CHECK(r.line == 4);
  CHECK(r.column == 3);
  CHECK_FALSE(model::names_section(".text.a", ".text"));
  CHECK_FALSE(model::names_section("xtext.a", "a"));
}
