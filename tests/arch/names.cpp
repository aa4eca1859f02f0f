// SPDX-License-Identifier: BSL-1.0
//
// Names, ids, the nearest shipped SM, visiting by id and the reading dialects.
#include <warpwright/arch/all.hpp>
#include <warpwright/arch/dialect.hpp>

#include <string_view>

#include "../support/catch.hpp"

using namespace ww;

TEST_CASE("arch names: every accepted spelling") {
  for (const char* s : {"sm_90a", "sm90a", "90a", "SM_90A", "SM90a"}) {
    CHECK(parse_sm(s) == sm90a::id);
  }
  CHECK(parse_sm("80") == sm80::id);
  CHECK(parse_sm("sm_120") == sm120::id);
  CHECK(static_cast<unsigned>(parse_sm("sm_100f")) == 1002);
  for (const char* s : {"", "sm", "sm_", "9", "sm_9x", "sm_90ab", "sm_12345", "compute_80", " sm_80", "90b"}) {
    INFO(s);
    CHECK(parse_sm(s) == sm_id::unknown);
  }
  meta::for_each<all_archs>([]<class Arch>() { CHECK(parse_sm(Arch::name) == Arch::id); });
}

TEST_CASE("arch names: the shipped SM that serves an id") {
  const unsigned served[][2] = {{52, 50}, {53, 50}, {61, 60},   {62, 60},  {72, 70},
                                {87, 86}, {88, 86}, {101, 110}, {121, 120}};
  for (const auto& s : served) {
    INFO(s[0]);
    CHECK(nearest_sm(static_cast<sm_id>(s[0] * 10)) == static_cast<sm_id>(s[1] * 10));
  }
  CHECK(nearest_sm(sm90a::id) == sm90a::id);
  CHECK(nearest_sm(parse_sm("sm_100a")) == sm100::id);
  CHECK(nearest_sm(parse_sm("sm_120f")) == sm120::id);
  CHECK(nearest_sm(sm_id::unknown) == sm_id::unknown);
  CHECK(nearest_sm(parse_sm("35")) == sm_id::unknown);
  meta::for_each<all_archs>([]<class Arch>() { CHECK(nearest_sm(Arch::id) == Arch::id); });
}

TEST_CASE("arch names: visiting calls one architecture, once") {
  meta::for_each<all_archs>([]<class Wanted>() {
    unsigned calls = 0;
    bool same = false;
    CHECK(visit_arch(Wanted::id, [&]<class Arch>() {
      ++calls;
      same = std::is_same_v<Arch, Wanted>;
    }));
    CHECK(calls == 1);
    CHECK(same);
  });
  CHECK_FALSE(visit_arch(sm_id::unknown, []<class>() { FAIL("called"); }));
}

TEST_CASE("arch dialect: hidden descriptors, words and the uniform zero") {
  for (const char* s : {"80", "86", "87", "88", "89"}) {
    CHECK(dialect_of(parse_sm(s)).hidden_descriptor);
  }
  for (const char* s : {"50", "61", "70", "75", "90", "90a", "100", "120"}) {
    CHECK_FALSE(dialect_of(parse_sm(s)).hidden_descriptor);
  }
  for (const char* s : {"50", "52", "60", "62"}) {
    CHECK(dialect_of(parse_sm(s)).word64);
  }
  CHECK_FALSE(dialect_of(parse_sm("70")).word64);
  CHECK(dialect_of(parse_sm("90a")).uniform_zero == 63);
  CHECK(dialect_of(parse_sm("100")).uniform_zero == 255);
  CHECK(dialect_of(sm_id::unknown) == isa::dialect{});
}
