// SPDX-License-Identifier: BSL-1.0
//
// HC-8: the question that predication puts about cold regions, and a caller that goes by the answer.
#include <string>
#include <vector>

#include "../region/support.hpp"
#include "../support/random_flow.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/layout/cold_region.hpp"
#include "warpwright/layout/mark_cold.hpp"

namespace {

namespace region = ww::layout::cold_region;
using region::mode;
using ww::block_id;

const char* const triangle = R"(
  @P0 BRA `(join)
  FADD R1, R1, R2
join:
  STG.E desc[UR4][R2.64], R1
  EXIT
)";

// Would this caller turn the triangle at `head` into guarded instructions?
template <class Query>
bool converts(const ww::program& p, block_id head, const ww::layout::cold_marks& marks, const Query& cold) {
  ww::vec<block_id> arms;
  ww::vec<std::uint8_t> seen;
  const ww::span<const ww::cfg_edge> on = p.edges_of(p[head]);
  if (on.size() != 2) return false;
  for (const ww::cfg_edge& e : on) {
    if (region::arms_between(p, head, e.to, arms, seen) && arms.size() == 1) {
      return !cold(marks, head, {arms.data(), arms.size()});
    }
  }
  return false;
}

ww::layout::cold_marks marks_of(const ww::program& p, const std::vector<unsigned>& cold) {
  ww::layout::cold_marks m;
  m.reasons.assign(p.blocks.size(), 0);
  for (const unsigned b : cold) m.add(block_id{b}, ww::layout::cold_reason::trap);
  return m;
}

}  // namespace

TEST_CASE("HC-8 cold region: a caller converts a triangle, unless the policy says that it is cold") {
  const ww::program p = ww_test::from_text(triangle);
  const block_id head{0};
  const auto hot = marks_of(p, {});
  const auto arm = marks_of(p, {1});
  const auto both = marks_of(p, {0, 1});
  const auto only_head = marks_of(p, {0});
  CHECK(converts(p, head, both, region::query<mode::off>{}));
  for (const auto* m : {&hot, &arm}) CHECK(converts(p, head, *m, region::query<mode::block>{}));
  for (const auto* m : {&only_head, &both}) CHECK_FALSE(converts(p, head, *m, region::query<mode::block>{}));
  for (const auto* m : {&hot, &only_head}) CHECK(converts(p, head, *m, region::query<>{}));
  for (const auto* m : {&arm, &both}) CHECK_FALSE(converts(p, head, *m, region::query<>{}));
  for (const auto* m : {&hot, &arm, &only_head}) CHECK(converts(p, head, *m, region::query<mode::region>{}));
  CHECK_FALSE(converts(p, head, both, region::query<mode::region>{}));
  STATIC_REQUIRE(region::query<>::knob == mode::arms);
}

TEST_CASE("HC-8 cold region: the answer follows phase 41 and a profile") {
  const ww::program p = ww_test::from_text(triangle);
  ww::layout::cold_workspace ws;
  ww::layout::cold_marks m;
  using phase = ww::layout::mark_cold<ww::sm90>;
  REQUIRE(phase::run(p, {}, ws, m));
  CHECK(converts(p, block_id{0}, m, region::query<>{}));
  ww::flow_profile f;
  f.reset(p);
  f.count[0] = 100;
  f.count[1] = 1;
  REQUIRE(phase::run(p, {.profile = &f}, ws, m));
  CHECK_FALSE(converts(p, block_id{0}, m, region::query<>{}));
  CHECK(region::query<>{}(m, block_id{1}));
  CHECK_FALSE(region::query<>{}(m, block_id{0}));
  CHECK_FALSE(region::query<mode::off>{}(m, block_id{1}));
  CHECK_FALSE(region::query<>{}(m, block_id{}));
}

TEST_CASE("HC-8 cold region: one hot arm, or none, is not cold") {
  const auto p = ww_test::from_text(
      "@P0 BRA `(b)\nFADD R1, R1, R2\n@P1 BRA `(c)\nFADD R1, R1, R2\nBRA `(j)\nc:\nFADD R1, R1, R3\nBRA `(j)\nb:\nFADD R1, "
      "R1, R4\nj:\nSTG.E desc[UR4][R2.64], R1\nEXIT\n");
  ww::vec<block_id> arms;
  ww::vec<std::uint8_t> seen;
  const block_id join = ww_test::block_of(p, 8);
  REQUIRE(region::arms_between(p, block_id{0}, join, arms, seen));
  REQUIRE(arms.size() == 4);
  const region::query<> q;
  CHECK(q(marks_of(p, {1, 2, 3, 4}), block_id{0}, {arms.data(), arms.size()}));
  for (unsigned hot = 1; hot <= 4; ++hot) {
    std::vector<unsigned> cold;
    for (unsigned b = 1; b <= 4; ++b) {
      if (b != hot) cold.push_back(b);
    }
    CHECK_FALSE(q(marks_of(p, cold), block_id{0}, {arms.data(), arms.size()}));
  }
  CHECK_FALSE(q(marks_of(p, {0}), block_id{0}, {arms.data(), 0}));
  CHECK_FALSE(region::query<mode::region>{}(marks_of(p, {0}), block_id{0}, {arms.data(), 0}));
}

TEST_CASE("HC-8 cold region: arms are closed") {
  ww::vec<block_id> arms;
  ww::vec<std::uint8_t> seen;
  const auto closed = [&](const ww::program& p, unsigned head, unsigned join) {
    return region::arms_between(p, ww_test::block_of(p, head), ww_test::block_of(p, join), arms, seen);
  };
  // Left by an exit, entered from elsewhere, around a loop back to the head, ends before the join.
  CHECK_FALSE(closed(ww_test::from_text("@P0 BRA `(j)\nFADD R1, R1, R2\nEXIT\nj:\nEXIT\n"), 0, 3));
  CHECK_FALSE(closed(ww_test::from_text("@P1 BRA `(a)\n@P0 BRA `(j)\na:\nFADD R1, R1, R2\nj:\nEXIT\n"), 1, 3));
  CHECK_FALSE(closed(ww_test::from_text("h:\n@P0 BRA `(j)\nFADD R1, R1, R2\n@P1 BRA `(h)\nj:\nEXIT\n"), 0, 3));
  CHECK_FALSE(closed(ww_test::from_text("@P0 BRA `(j)\nFADD R1, R1, R2\nBRX R2 -0x10\nj:\nEXIT\n"), 0, 3));
  CHECK_FALSE(closed(ww_test::from_text("@P0 BRA `(j)\nFADD R1, R1, R2\n@P1 EXIT\nj:\nEXIT\n"), 0, 3));
  CHECK_FALSE(closed(ww_test::from_text("@P0 BRA `(j)\nCALL.ABS.NOINC R2\nj:\nEXIT\n"), 0, 2));
  // Never at the join; entered by another kernel.
  CHECK_FALSE(closed(
      ww_test::from_text("@P0 BRA `(a)\nb:\nFADD R1, R1, R2\nBRA `(b)\na:\nFADD R1, R1, R2\nBRA `(a)\nEXIT\n"), 0, 5));
  CHECK_FALSE(closed(ww_test::from_text(".kernel k\n@P0 BRA `(j)\n.kernel f\nFADD R1, R1, R2\nj:\nEXIT\n"), 0, 2));
  CHECK(arms.empty());
  CHECK(closed(ww_test::from_text(triangle), 0, 2));
  const ww::program p = ww_test::from_text(triangle);
  CHECK_FALSE(region::arms_between(p, block_id{}, block_id{1}, arms, seen));
  CHECK_FALSE(region::arms_between(p, block_id{0}, block_id{77}, arms, seen));
  CHECK_FALSE(region::arms_between(p, block_id{0}, block_id{0}, arms, seen));
  CHECK_FALSE(region::arms_between(p, block_id{2}, block_id{0}, arms, seen));
  // On random programs: what is found is left to the join alone, and entered from the head alone.
  unsigned found = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const ww::program r = ww_test::random_flow(seed, {.count = 20, .registers = 4, .open = seed % 2 == 0});
    for (std::uint32_t h = 0; h < r.blocks.size(); ++h) {
      for (std::uint32_t j = 0; j < r.blocks.size(); ++j) {
        if (!region::arms_between(r, block_id{h}, block_id{j}, arms, seen)) continue;
        const auto is_arm = [&](block_id b) {
          for (const block_id a : arms) {
            if (a == b) return true;
          }
          return false;
        };
        found += arms.empty() ? 0u : 1u;
        REQUIRE_FALSE(is_arm(block_id{h}));
        REQUIRE_FALSE(is_arm(block_id{j}));
        for (const ww::cfg_edge& e : r.edges) {
          if (is_arm(e.to)) REQUIRE((is_arm(e.from) || e.from == block_id{h}));
          if (is_arm(e.from)) REQUIRE((is_arm(e.to) || e.to == block_id{j}));
        }
      }
    }
  }
  CHECK(found > 100);
}
