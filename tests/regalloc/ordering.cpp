// SPDX-License-Identifier: BSL-1.0
//
// FPA-1: membership lists, simplify order and the assignment stack, by hand and against an oracle that counts anew each time.
#include <algorithm>
#include <map>
#include <set>

#include "support.hpp"

using namespace ww_test::regalloc;

namespace {

template <class Ordering = ra::ordering::simplify<>>
struct ordered {
  ra::alias_sets sets;
  ra::ordering_space space;

  explicit ordered(const ra::problem& p) {
    sets.build(p);
    ra::occupancy_bits blocked;
    Ordering::template run<ra::constraint_kinds>(
        p, sets, space, [&](std::uint32_t r) { return p.registers[r].has(ra::register_flag::pre_assigned); },
        [&](const ra::search_geometry& g) {
          blocked.reset(g.end);
          blocked.widen(g.footprint);
          return ra::free_starts(g, blocked);
        });
  }
  std::vector<std::uint32_t> stack() const { return {space.stack.begin(), space.stack.end()}; }
  std::vector<ra::membership> lists() const { return {space.pushed_from.begin(), space.pushed_from.end()}; }
};

struct dear_from_two {
  static constexpr double cost = 2;
};

// Width-1 registers of one class: degrees are numbers of neighbours.
std::vector<std::uint32_t> simplify_slowly(const ra::problem& p, std::uint32_t available) {
  std::map<std::uint32_t, std::set<std::uint32_t>> graph;
  for (std::uint32_t r = 0; r < p.registers.size(); ++r) {
    graph[r];
    for (const ra::constraint& c : p.constraints_of(r)) {
      if (c.kind == 0 && !c.soft && !c.physical && c.target != r) graph[r].insert(c.target);
    }
  }
  std::vector<std::uint32_t> stack;
  while (!graph.empty()) {
    std::uint32_t best = 0;
    int best_list = 9;
    for (const auto& [r, near] : graph) {
      const int list = p.registers[r].has(ra::register_flag::must_not_spill) ? 5
                       : near.empty()                                        ? 0
                       : near.size() < available                             ? 1
                                                                             : 3;
      const bool cheaper = list == best_list && p.registers[r].spill_cost < p.registers[best].spill_cost;
      const bool equal = list == best_list && p.registers[r].spill_cost == p.registers[best].spill_cost;
      if (list < best_list || cheaper || (equal && r > best)) {
        best = r;
        best_list = list;
      }
    }
    stack.push_back(best);
    for (const std::uint32_t other : graph[best]) {
      if (graph.count(other) != 0) graph[other].erase(best);
    }
    graph.erase(best);
  }
  return stack;
}

}  // namespace

TEST_CASE("FPA-1 rank set: gives its lowest, whatever goes in and out") {
  dice rng(3);
  for (const std::uint32_t size : {1u, 63u, 64u, 65u, 4096u, 4097u, 300000u}) {
    ra::rank_set set;
    set.reset(size);
    std::set<std::uint32_t> oracle;
    CHECK(set.empty());
    CHECK(set.lowest() == size);
    for (int k = 0; k < 2000; ++k) {
      const std::uint32_t x = rng() % size;
      if (rng() % 2 == 0) {
        set.insert(x);
        oracle.insert(x);
      } else {
        const std::uint32_t out = !oracle.empty() && rng() % 2 == 0 ? *oracle.begin() : x;
        set.erase(out);
        oracle.erase(out);
      }
      REQUIRE(set.lowest() == (oracle.empty() ? size : *oracle.begin()));
    }
  }
  ra::rank_set none;
  none.reset(0);
  CHECK((none.empty() && none.lowest() == 0));
}

TEST_CASE("FPA-1 degree: how many starts a neighbour can spoil") {
  const auto node = [](const ra::search_geometry& g) {
    ra::ordering_node n;
    n.footprint = g.footprint;
    while (g.step >> n.step_log2 > 1) ++n.step_log2;
    n.paired = g.paired;
    return n;
  };
  const auto starts_spoilt = [&](const ra::search_geometry& v, const ra::search_geometry& u) {
    return ra::starts_spoilt(node(v), node(u));
  };
  const auto geometry = [](std::uint32_t width, std::uint32_t log2, ra::pair_mode mode = ra::pair_mode::single) {
    return ra::search_geometry_of(
        {},
        {.width = static_cast<std::uint16_t>(width), .alignment_log2 = static_cast<std::uint8_t>(log2), .pairing = mode});
  };
  CHECK(starts_spoilt(geometry(1, 0), geometry(1, 0)) == 1);
  CHECK(starts_spoilt(geometry(1, 0), geometry(4, 2)) == 4);
  CHECK(starts_spoilt(geometry(4, 2), geometry(1, 0)) == 1);
  CHECK(starts_spoilt(geometry(2, 1), geometry(2, 1)) == 1);
  CHECK(starts_spoilt(geometry(2, 1), geometry(2, 0)) == 2);
  CHECK(starts_spoilt(geometry(2, 0), geometry(1, 0)) == 2);
  CHECK(starts_spoilt(geometry(2, 0), geometry(2, 0)) == 3);
  CHECK(starts_spoilt(geometry(1, 0, ra::pair_mode::paired), geometry(1, 0)) == 2);
  CHECK(starts_spoilt(geometry(1, 0), geometry(1, 0, ra::pair_mode::paired)) == 1);
  // Where starts lie between the steps of the other one more is spoilt than if they lay on them: never too few, tried.
  for (unsigned a = 0; a < 1000; ++a) {
    const std::uint32_t log2_v = a % 3, log2_u = a / 3 % 3;
    const std::uint32_t phase_v = a / 9 % 4 & ((1u << log2_v) - 1), phase_u = a / 36 % 4 & ((1u << log2_u) - 1);
    const std::uint32_t width_v = 1 + a / 144 % 3, width_u = 1 + a / 432 % 3;
    const auto of = [](std::uint32_t width, std::uint32_t log2, std::uint32_t phase) {
      ra::ordering_node n;
      n.footprint = width;
      n.step_log2 = static_cast<std::uint8_t>(log2);
      n.shifted = phase != 0;
      return n;
    };
    std::uint32_t most = 0;
    for (std::uint32_t at = 16 + phase_u; at < 32; at += 1u << log2_u) {
      std::uint32_t hit = 0;
      for (std::uint32_t s = phase_v; s < 64; s += 1u << log2_v) hit += s < at + width_u && at < s + width_v ? 1u : 0u;
      most = std::max(most, hit);
    }
    INFO(width_v << " " << log2_v << " " << phase_v << ", " << width_u << " " << log2_u << " " << phase_u);
    CHECK(ra::starts_spoilt(of(width_v, log2_v, phase_v), of(width_u, log2_u, phase_u)) >= most);
  }
  // never too few: all placements of both, tried
  const ra::pair_mode modes[] = {ra::pair_mode::single, ra::pair_mode::paired, ra::pair_mode::doubled};
  for (const ra::pair_mode mv : modes) {
    for (const ra::pair_mode mu : modes) {
      for (std::uint32_t wv = 1; wv <= 5; ++wv) {
        for (std::uint32_t wu = 1; wu <= 5; ++wu) {
          for (std::uint32_t a = 0; a < 9; ++a) {
            const ra::search_geometry v = geometry(wv, a % 3, mv);
            const ra::search_geometry u = geometry(wu, a / 3, mu);
            const std::uint32_t unit_v = v.paired ? 1 : 2;
            const std::uint32_t unit_u = u.paired ? 1 : 2;
            std::uint32_t most = 0;
            for (std::uint32_t at = 0; at < 40; at += u.step) {
              const std::uint32_t from = (at + 24 / unit_u * 2) * unit_u;
              if (from / unit_u % u.step != 0) continue;
              std::uint32_t hit = 0;
              for (std::uint32_t s = 0; s < 400; s += v.step) {
                hit += s * unit_v < from + u.footprint * unit_u && from < (s + v.footprint) * unit_v ? 1u : 0u;
              }
              most = std::max(most, hit);
            }
            INFO(wv << " " << wu << " " << a << " " << int(mv) << " " << int(mu));
            CHECK(starts_spoilt(v, u) >= most);
          }
        }
      }
    }
  }
}

TEST_CASE("FPA-1 lists: unconstrained, low, normal, high, by hand") {
  // two registers; 0, 1, 2 interfere with each other, 3 with 0, 4 with none
  ra::problem_builder b;
  for (int k = 0; k < 5; ++k) (void)b.add({});
  b.interfere(0, 1);
  b.interfere(1, 2);
  b.interfere(0, 2);
  b.interfere(3, 0);
  ra::problem p;
  p.file = file_of(2);
  b.build(p);
  using m = ra::membership;
  {
    // 4 has no neighbour, 3 has one of two places certain; then 2, the later of the equals, without certainty; then the rest
    const ordered<> o(p);
    CHECK(o.stack() == std::vector<std::uint32_t>{4, 3, 2, 1, 0});
    CHECK(o.lists() == std::vector<m>{m::unconstrained, m::low, m::normal, m::low, m::unconstrained});
    CHECK(o.space.optimistic == 1);
  }
  p.registers[1].spill_cost = -1;  // cheapest to spill
  CHECK(ordered<>(p).stack() == std::vector<std::uint32_t>{4, 3, 1, 2, 0});
  CHECK(ordered<ra::ordering::simplify<ra::push_order::by_source>>(p).stack() == std::vector<std::uint32_t>{4, 3, 2, 1, 0});
  p.registers[4].set(ra::register_flag::must_not_spill);  // goes last, and so gets its place first
  {
    const ordered<> o(p);
    CHECK(o.stack() == std::vector<std::uint32_t>{3, 1, 2, 0, 4});
    CHECK(o.lists().back() == m::high);
  }
  p.registers[0].set(ra::register_flag::pre_assigned);  // has its place, and is in the degrees for good
  p.registers[0].physical = 0;
  {
    const ordered<> o(p);
    CHECK(o.stack() == std::vector<std::uint32_t>{3, 1, 2, 4});
    CHECK(o.lists() == std::vector<m>{m::low, m::normal, m::low, m::high});
  }
  p.registers[3].spill_cost = 3;
  CHECK(ordered<ra::ordering::simplify<ra::push_order::by_spill_cost, dear_from_two>>(p).stack() ==
        std::vector<std::uint32_t>{1, 2, 4, 3});
  CHECK(ordered<ra::ordering::straight<>>(p).stack() == std::vector<std::uint32_t>{4, 3, 2, 1});
  CHECK(ordered<ra::ordering::straight<ra::push_order::by_spill_cost>>(p).stack() == std::vector<std::uint32_t>{1, 4, 2, 3});
}

TEST_CASE("FPA-1 lists: wide registers have lists of their own, bound ones are high") {
  ra::problem_builder b;
  const auto pair = b.add({.width = 2, .alignment_log2 = 1});
  const auto single = b.add({});
  const auto bound = b.add({});
  const auto kept_off = b.add({});
  b.interfere(pair, single);
  b.constrain(bound, {5, 1, 2, false, true});
  b.constrain(kept_off, {5, 1, 1, false, true});
  ra::problem p;
  p.file = file_of(8);
  b.build(p);
  const ordered<> o(p);
  using m = ra::membership;
  CHECK(o.stack() == std::vector<std::uint32_t>{kept_off, single, pair, bound});
  CHECK(o.lists() == std::vector<m>{m::low, m::low, m::unconstrained, m::high});
  // soft ones bind nobody
  p.constraints[p.first_constraint[bound]].soft = true;
  p.file = file_of(2);
  const ordered<> soft(p);
  CHECK(soft.stack() == std::vector<std::uint32_t>{bound, kept_off, single, pair});
  ra::problem_builder two;
  (void)two.add({.width = 2, .alignment_log2 = 1});
  (void)two.add({.width = 2, .alignment_log2 = 1});
  two.interfere(0, 1);
  two.build(p);
  CHECK(ordered<>(p).lists() == std::vector<m>{m::normal_wide, m::unconstrained});
}

TEST_CASE("FPA-1 simplify: against an oracle over random graphs") {
  dice rng(23);
  for (int run = 0; run < 400; ++run) {
    const std::uint32_t n = 1 + rng() % 40;
    ra::problem_builder b;
    for (std::uint32_t k = 0; k < n; ++k) {
      ra::allocatable r;
      r.spill_cost = run % 3 == 0 ? 0 : rng() % 4;
      r.set(ra::register_flag::must_not_spill, rng() % 12 == 0);
      (void)b.add(r);
    }
    const unsigned edges = rng() % (n * 5);
    for (unsigned k = 0; k < edges; ++k) b.interfere(rng() % n, rng() % n);  // some twice, some with themselves
    ra::problem p;
    const std::uint32_t available = 1 + rng() % 8;
    p.file = file_of(available);
    b.build(p);
    INFO("run " << run);
    REQUIRE(ordered<>(p).stack() == simplify_slowly(p, available));
  }
}

TEST_CASE("FPA-1 simplify: an alias set is one register, registers of other classes are none") {
  ra::problem_builder b;
  for (int k = 0; k < 6; ++k) (void)b.add({});
  b[0].alias_parent = 2;
  b[2].alias_parent = 4;
  b[1].reg_class = 3;
  b.interfere(0, 3);
  b.interfere(2, 3);
  b.interfere(4, 3);
  b.interfere(1, 3);
  ra::problem p;
  p.file = file_of(2);
  b.build(p);
  const ordered<> o(p);
  CHECK(o.stack() == std::vector<std::uint32_t>{5, 4, 3});
  CHECK(o.lists() ==
        std::vector<ra::membership>{ra::membership::unconstrained, ra::membership::low, ra::membership::unconstrained});
  // and no neighbours of wide ones either
  ra::problem_builder wide;
  (void)wide.add({.width = 2, .alignment_log2 = 1});
  (void)wide.add({.reg_class = 3});
  wide.interfere(0, 1);
  wide.build(p);
  CHECK(ordered<>(p).lists() == std::vector<ra::membership>{ra::membership::unconstrained});
}

TEST_CASE("FPA-1 alias sets: chains, trees and circles") {
  ra::problem p;
  p.registers.assign(9, ra::allocatable{});
  p.registers[0].alias_parent = 1;
  p.registers[1].alias_parent = 2;
  p.registers[3].alias_parent = 1;  // a second child
  p.registers[4].alias_parent = 5;  // a circle
  p.registers[5].alias_parent = 4;
  p.registers[6].alias_parent = 6;   // itself
  p.registers[7].alias_parent = 99;  // nobody
  p.registers[8].alias_parent = 2;   // of another width: no alias
  p.registers[8].width = 2;
  p.registers.push_back({.alias_parent = 10, .phase = 1});  // 9, of another phase
  p.registers.push_back({});
  ra::alias_sets sets;
  sets.build(p);
  const auto members = [&](std::uint32_t r) {
    const auto m = sets.members(sets.root(r));
    return std::vector<std::uint32_t>(m.begin(), m.end());
  };
  for (const std::uint32_t r : {0u, 1u, 2u, 3u}) {
    CHECK(sets.root(r) == 2);
    CHECK(members(r) == std::vector<std::uint32_t>{0, 1, 2, 3});
  }
  CHECK(members(4) == std::vector<std::uint32_t>{4, 5});
  CHECK(members(5) == std::vector<std::uint32_t>{4, 5});
  for (const std::uint32_t r : {6u, 7u, 8u, 9u, 10u}) CHECK(members(r) == std::vector<std::uint32_t>{r});
  p.registers.clear();
  sets.build(p);
}
