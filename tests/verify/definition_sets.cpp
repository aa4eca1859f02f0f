// SPDX-License-Identifier: BSL-1.0
//
// Sets of definitions against std::set, their size where they differ by one element, and the order in which a data flow
// hands on what leaves blocks.
#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <warpwright/ir/program.hpp>
#include <warpwright/verify/block_sweep.hpp>
#include <warpwright/verify/definition_sets.hpp>

#include "../support/catch.hpp"

namespace {

using ww::verify::detail::block_sweep;
using ww::verify::detail::definition_sets;

std::vector<std::uint32_t> elements(const definition_sets& pool, definition_sets::key k) {
  const auto list = pool.elements(k);
  return {list.begin(), list.end()};
}

// A chain of blocks, of which the first to run stands where `place` says.
ww::program chain(std::uint32_t count, std::uint32_t (*place)(std::uint32_t, std::uint32_t)) {
  ww::program p;
  p.blocks.resize(count);
  std::vector<std::uint32_t> next(count, count);
  for (std::uint32_t k = 0; k + 1 < count; ++k) next[place(k, count)] = place(k + 1, count);
  for (std::uint32_t b = 0; b < count; ++b) {
    p.blocks[b].first_edge = static_cast<std::uint32_t>(p.edges.size());
    if (next[b] == count) continue;
    p.blocks[b].edge_count = 1;
    p.edges.push_back({ww::block_id{b}, ww::block_id{next[b]}});
  }
  p.blocks[place(0, count)].entry = true;
  return p;
}

// How often something is handed on until all know the least number of the blocks that lead to them.
std::size_t hand_overs(const ww::program& p) {
  const std::vector<std::uint8_t> follows(p.edges.size(), 1);
  block_sweep sweep;
  sweep.start(p, {follows.data(), follows.size()});
  std::vector<std::uint32_t> least(p.blocks.size());
  for (std::uint32_t b = 0; b < least.size(); ++b) {
    least[b] = b;
    sweep.add(b);
  }
  std::size_t count = 0;
  sweep.run([&](std::uint32_t from, std::uint32_t to) {
    ++count;
    if (least[to] <= least[from]) return false;
    least[to] = least[from];
    return true;
  });
  for (const ww::cfg_edge& e : p.edges) CHECK(least[e.to.index()] <= least[e.from.index()]);
  return count;
}

}  // namespace

TEST_CASE("verify definition sets: equal sets have equal keys, however they came about") {
  std::mt19937 random(5);
  for (const std::uint32_t range : {40u, 300u, 100000u, 0xffffffffu}) {
    definition_sets pool;
    std::vector<std::set<std::uint32_t>> sets(1);
    std::vector<definition_sets::key> keys = {definition_sets::empty};
    for (int step = 0; step < 3000; ++step) {
      const std::size_t a = random() % sets.size(), b = random() % sets.size();
      std::set<std::uint32_t> made = sets[a];
      definition_sets::key key = keys[a];
      if (random() % 2 == 0) {
        const auto e = static_cast<std::uint32_t>(random() % range);
        made.insert(e);
        key = pool.with(key, e);
      } else {
        made.insert(sets[b].begin(), sets[b].end());
        key = pool.unite(key, keys[b]);
      }
      if (made.size() > 60) continue;
      sets.push_back(made);
      keys.push_back(key);
    }
    std::map<std::set<std::uint32_t>, definition_sets::key> known;
    std::set<definition_sets::key> different;
    for (std::size_t k = 0; k < sets.size(); ++k) {
      const auto [at, fresh] = known.emplace(sets[k], keys[k]);
      REQUIRE(at->second == keys[k]);
      if (fresh) REQUIRE(different.insert(keys[k]).second);
      REQUIRE(elements(pool, keys[k]) == std::vector<std::uint32_t>(sets[k].begin(), sets[k].end()));
      if (!sets[k].empty()) REQUIRE(pool.least(keys[k]) == *sets[k].begin());
      if (sets[k].size() == 1) REQUIRE(keys[k] == *sets[k].begin());
    }
    CHECK(different.size() > 30);
  }
}

// Copies of these would take 20 GB.
TEST_CASE("verify definition sets: a hundred thousand that grow by one, forth and back, share what they have in common") {
  definition_sets pool;
  constexpr std::uint32_t count = 100000;
  definition_sets::key up = definition_sets::empty, down = definition_sets::empty, both = definition_sets::empty;
  for (std::uint32_t k = 0; k < count; ++k) {
    up = pool.with(up, k);
    down = pool.with(down, count - 1 - k);
    if (k % 1000 == 0) both = pool.unite(up, down);
    CHECK((k + 1 < count) == (up != down));
  }
  CHECK(elements(pool, up).size() == count);
  CHECK(pool.unite(both, up) == up);
}

TEST_CASE("verify block sweep: each block of a chain hands on once, in whatever order the blocks stand") {
  constexpr std::uint32_t n = 1009;
  CHECK(hand_overs(chain(n, [](std::uint32_t k, std::uint32_t) { return k; })) == n - 1);
  CHECK(hand_overs(chain(n, [](std::uint32_t k, std::uint32_t count) { return count - 1 - k; })) == n - 1);
  CHECK(hand_overs(chain(n, [](std::uint32_t k, std::uint32_t count) { return 37 * k % count; })) == n - 1);
  SECTION("a loop takes one sweep more") {
    ww::program p = chain(n, [](std::uint32_t k, std::uint32_t count) { return count - 1 - k; });
    p.blocks[0].first_edge = static_cast<std::uint32_t>(p.edges.size());
    p.blocks[0].edge_count = 1;
    p.edges.push_back({ww::block_id{0}, ww::block_id{n - 1}});
    CHECK(hand_overs(p) == n + n - 1);
  }
  SECTION("what no entry reaches is visited too") {
    ww::program p = chain(n, [](std::uint32_t k, std::uint32_t) { return k; });
    p.blocks[0].entry = false;
    p.blocks[n - 1].entry = true;
    CHECK(hand_overs(p) == n - 1);
  }
}
