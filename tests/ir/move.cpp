// SPDX-License-Identifier: BSL-1.0
//
// PLS-19: the placement primitive against lists of lists.
#include "warpwright/ir/move.hpp"

#include <random>
#include <vector>

#include "../support/catch.hpp"

namespace {

ww::program blocks_of(const std::vector<std::vector<std::uint32_t>>& lists) {
  ww::program p;
  for (const auto& list : lists) {
    ww::block b;
    b.first = static_cast<std::uint32_t>(p.order.size());
    b.count = static_cast<std::uint32_t>(list.size());
    for (const std::uint32_t i : list) p.order.push_back(ww::instr_id(i));
    p.blocks.push_back(b);
  }
  p.instructions.resize(p.order.size());
  return p;
}

std::vector<std::vector<std::uint32_t>> lists_of(const ww::program& p) {
  std::vector<std::vector<std::uint32_t>> lists;
  for (const ww::block& b : p.blocks) {
    lists.emplace_back();
    for (const ww::instr_id i : p.order_of(b)) lists.back().push_back(i.index());
  }
  return lists;
}

}  // namespace

TEST_CASE("PLS-19: moving an instruction keeps block bounds and tells who changed") {
  std::mt19937 rng(7);
  for (unsigned round = 0; round < 3000; ++round) {
    std::vector<std::vector<std::uint32_t>> lists(1 + rng() % 5);
    std::uint32_t next = 0;
    for (auto& list : lists) {
      for (auto n = rng() % 6; n-- > 0;) list.push_back(next++);
    }
    ww::program p = blocks_of(lists);
    const auto s = static_cast<std::uint32_t>(rng() % lists.size());
    const auto t = static_cast<std::uint32_t>(rng() % lists.size());
    if (lists[s].empty()) continue;
    const auto k = static_cast<std::uint32_t>(rng() % lists[s].size());
    const std::uint32_t what = lists[s][k];
    lists[s].erase(lists[s].begin() + k);
    const auto at = static_cast<std::uint32_t>(rng() % (lists[t].size() + 1));
    lists[t].insert(lists[t].begin() + at, what);
    std::vector<std::uint32_t> told;
    REQUIRE(ww::move_instruction(p, ww::block_id(s), p.blocks[s].first + k, ww::block_id(t), at,
                                 [&](ww::block_id b) { told.push_back(b.index()); }));
    REQUIRE(lists_of(p) == lists);
    REQUIRE(told == (s == t ? std::vector<std::uint32_t>{t} : std::vector<std::uint32_t>{s, t}));
  }
}

TEST_CASE("PLS-19: places that do not exist are refused") {
  ww::program p = blocks_of({{0, 1}, {}, {2}});
  const auto before = lists_of(p);
  const auto nobody = [](ww::block_id) { FAIL("nothing changed"); };
  CHECK_FALSE(ww::move_instruction(p, ww::block_id(0), 2, ww::block_id(2), 0, nobody));
  CHECK_FALSE(ww::move_instruction(p, ww::block_id(0), 0, ww::block_id(0), 2, nobody));
  CHECK_FALSE(ww::move_instruction(p, ww::block_id(0), 0, ww::block_id(3), 0, nobody));
  CHECK_FALSE(ww::move_instruction(p, ww::block_id(1), 2, ww::block_id(0), 0, nobody));
  CHECK(lists_of(p) == before);
  CHECK(ww::block_at(p, 2).index() == 2);
  CHECK_FALSE(ww::block_at(p, 3).valid());
}
