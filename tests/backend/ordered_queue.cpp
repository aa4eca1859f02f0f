// SPDX-License-Identifier: BSL-1.0
//
// The ordered queue of three keys: its order, and that the balanced tree and the fast heap give the same one.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "../support/catch.hpp"
#include "warpwright/schedule/ready_list/concept.hpp"
#include "warpwright/schedule/ready_list/heap.hpp"
#include "warpwright/schedule/ready_list/ordered3.hpp"
#include "warpwright/schedule/ready_list/red_black_tree.hpp"
#include "warpwright/schedule/ready_list/sorted_list.hpp"
#include "warpwright/schedule/ready_list/three_key.hpp"

namespace {

using ww::ready_list::three_key;
using ww::ready_list::three_rank;
using tree = ww::ready_list::red_black_queue<three_key>;
using fast = ww::ready_list::ordered_queue<three_rank>;

static_assert(ww::ready_list_policy<ww::ready_list::red_black_tree<>>);
static_assert(ww::ready_list_policy<ww::ready_list::ordered3<>>);

// Scores that meet often, and the awkward ones.
double score_of(std::mt19937& rng) {
  constexpr double odd[] = {0.0, -0.0, -1.5, 1e-310, -1e-310, 1e300, std::numeric_limits<double>::infinity(), 0.1};
  const unsigned k = static_cast<unsigned>(rng() % 16);
  return k < 8 ? odd[k] : static_cast<double>(k % 3);
}

}  // namespace

TEST_CASE("PLS-2: three keys: priority descending, then latency descending, then number ascending") {
  const three_key low_priority{9.0, 1, 0};
  const three_key high_priority{0.0, 2, 9};
  CHECK(before(high_priority, low_priority));
  CHECK_FALSE(before(low_priority, high_priority));
  CHECK(before(three_key{3.5, 1, 9}, three_key{3.25, 1, 0}));
  CHECK(before(three_key{3.5, 1, 4}, three_key{3.5, 1, 5}));
  CHECK_FALSE(before(three_key{3.5, 1, 5}, three_key{3.5, 1, 5}));
  CHECK(before(three_key{0.0, -1, 5}, three_key{9.0, -2, 0}));
}

TEST_CASE("PLS-2: packed ranks compare as the three keys do") {
  std::mt19937 rng(3);
  const auto any = [&] {
    return three_key{score_of(rng), static_cast<std::int32_t>(rng() % 5) - 2, static_cast<std::uint32_t>(rng() % 3)};
  };
  for (unsigned i = 0; i < 20000; ++i) {
    const three_key a = any();
    const three_key b = any();
    REQUIRE(before(a, b) == before(three_rank(a), three_rank(b)));
    REQUIRE(three_rank(a).number() == a.number);
  }
  const three_key smallest{-std::numeric_limits<double>::infinity(), std::numeric_limits<std::int32_t>::min(), 0xffffffffu};
  const three_key largest{std::numeric_limits<double>::infinity(), std::numeric_limits<std::int32_t>::max(), 0};
  CHECK(before(three_rank(largest), three_rank(smallest)));
}

TEST_CASE("PLS-2: red_black_tree and ordered3 extract in the same order, whatever is inserted when") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 rng(seed);
    tree a;
    fast b;
    std::vector<three_key> model;
    const unsigned steps = seed < 50 ? 400 : 6000;
    const unsigned grow = 30 + seed % 50;  // per cent of insertions
    for (unsigned step = 0; step < steps; ++step) {
      if (model.empty() || rng() % 100 < grow) {
        const three_key k{score_of(rng), static_cast<std::int32_t>(rng() % 4), seed % 2 == 0 ? step : step / 3};
        a.push(k);
        b.push(k);
        model.push_back(k);
      } else {
        const auto best =
            std::min_element(model.begin(), model.end(), [](const auto& x, const auto& y) { return before(x, y); });
        REQUIRE(a.top() == *best);
        REQUIRE(b.top() == three_rank(*best));
        a.pop();
        b.pop();
        model.erase(best);
      }
      REQUIRE(a.size() == model.size());
      REQUIRE(b.size() == model.size());
      if (step % 16 == 0) REQUIRE(a.balanced());
      if (model.size() > 1) REQUIRE(three_rank(a.second()) == b.second());
    }
    while (!a.empty()) {
      REQUIRE(three_rank(a.top()) == b.top());
      a.pop();
      b.pop();
    }
    REQUIRE(a.balanced());
    REQUIRE(b.empty());
  }
}

TEST_CASE("PLS-2: as ready-list policies all structures give one order") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 rng(seed);
    ww::ready_list::red_black_tree<>::queue a;
    ww::ready_list::ordered3<>::queue b;
    ww::ready_list::heap<>::queue c;
    ww::ready_list::sorted_list<>::queue d;
    for (std::uint32_t i = 0; i < 500; ++i) {
      const auto e = ww::ready_list::entry::of(rng() % 20, i);
      a.push(e);
      b.push(e);
      c.push(e);
      d.push(e);
      if (rng() % 3 != 0) continue;
      REQUIRE(a.top() == b.top());
      REQUIRE(a.top() == c.top());
      REQUIRE(a.top() == d.top());
      a.pop();
      b.pop();
      c.pop();
      d.pop();
    }
  }
}

TEST_CASE("PLS-2: the tree keeps its pool when it is cleared") {
  tree t;
  for (unsigned round = 0; round < 3; ++round) {
    for (std::uint32_t i = 0; i < 100; ++i) t.push({0.0, static_cast<std::int32_t>(i), i});
    CHECK(t.top().number == 99);
    t.clear();
    CHECK(t.empty());
    CHECK(t.balanced());
  }
}
