// SPDX-License-Identifier: BSL-1.0
//
// Chooses which registers are spilled after a round that did not fit (FPA-8).
//
//   needy      a register without a place within the budget, as the round left it
//   option     a way to help it: spill it itself, or all those that stand in its way at one start of its search. The options of a
//              needy register go into the seven queues (guidance_queues.hpp), and the cheapest is taken
//   blocker    a neighbour with a place that covers one of the slots. A register that must not be spilled, has its place from
//              outside, or is in memory already cannot be moved, and closes the start
//   trigger    others than the needy register itself are looked at only when the occupancy model says that registers are short
//              (spilled, waiting and used together are more than the threshold), or when all of the class are marked
// What was chosen for one needy register is gone for the next, and that register is taken to be where room was made. Where every
// start is closed, the cheapest neighbour that can be spilled goes, if there is any: the next round sees further. A set of aliases
// is spilled as one. Linear in constraints of needy registers times their footprints, n log n in starts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/vec.hpp"
#include "core.hpp"
#include "guidance_queues.hpp"
#include "occupancy_budget.hpp"

namespace ww::regalloc {

struct guidance_counts {
  std::uint32_t spilled = 0;    // already, of this class
  std::uint32_t registers = 0;  // used by the round
  std::uint32_t class_budget = 0;
  std::uint32_t class_floor = 0;
  bool paired = false;
  bool marked = false;  // all registers of the class are candidates
  occupancy_span span;
};

struct guidance_workspace {
  vec<std::uint32_t> victims;  // the answer: registers, sets of aliases together
  guidance_queues queues;
  place_table places;
  pressure_arrays arrays;
  occupancy_bits blocked;
  struct neighbour {
    std::uint32_t root;
    std::int64_t slot;
    std::int64_t extent;
  };
  vec<neighbour> near;
  struct start {
    double cost = 0;
    std::uint32_t blockers = 0;
    std::uint32_t computed = 0;  // blockers that can be computed again
    bool wide = false;
    bool closed = false;
  };
  vec<start> starts;
  vec<std::uint32_t> seen;   // by register: the walk that saw it last
  vec<std::uint8_t> chosen;  // by root of a set: is a victim
};

// `Allocator` is the fat_point_allocator<...> that made the round, `sets` are its workspace's. `recomputes(r)`: can register r be
// computed again?
template <class Allocator, class Budget = occupancy_budget<>>
class spill_guidance {
 public:
  template <class Recomputes>
  static void run(const problem& p, const alias_sets& sets, const guidance_counts& counts, guidance_workspace& ws,
                  Recomputes&& recomputes) {
    spill_guidance g(p, sets, ws);
    g.prepare();
    const double threshold =
        Budget::spill_threshold(counts.registers, counts.paired, counts.class_budget, counts.class_floor, counts.span);
    std::uint32_t waiting = 0;
    for (std::uint32_t r = 0; r < p.registers.size(); ++r) waiting += g.is_needy(r) ? 1u : 0u;
    for (std::uint32_t r = 0; r < p.registers.size(); ++r) {
      if (!g.is_needy(r) || ws.chosen[r] != 0) continue;
      const bool tight = Budget::triggers_spill(counts.spilled, waiting, counts.registers, threshold);
      g.help(r, tight || counts.marked, recomputes);
    }
    for (std::uint32_t r = 0; r < p.registers.size() && ws.victims.empty(); ++r) {
      if (g.is_needy(r) && g.can_go(r)) g.choose(r);
    }
  }

 private:
  using kinds = typename Allocator::kinds_policy;
  using view = pressure_view<typename Allocator::vector, true>;

  spill_guidance(const problem& p, const alias_sets& sets, guidance_workspace& ws) : p_(p), sets_(sets), ws_(ws) {}

  // Roots of sets of this class speak for them.
  [[nodiscard]] bool is_needy(std::uint32_t r) const {
    if (sets_.root(r) != r || p_.registers[r].reg_class != p_.file.reg_class) return false;
    for (const std::uint32_t m : sets_.members(r)) {
      if (p_.registers[m].has(register_flag::needs_spill)) return true;
    }
    return false;
  }
  [[nodiscard]] bool can_go(std::uint32_t root) const {
    for (const std::uint32_t m : sets_.members(root)) {
      const allocatable& a = p_.registers[m];
      if (a.has(register_flag::pre_assigned) || a.has(register_flag::must_not_spill) || a.has(register_flag::spilled))
        return false;
    }
    return true;
  }
  [[nodiscard]] double cost_of(std::uint32_t root) const {
    double cost = 0;
    for (const std::uint32_t m : sets_.members(root)) cost += p_.registers[m].spill_cost;
    return cost;
  }

  void prepare() {
    const std::size_t n = p_.registers.size();
    ws_.victims.clear();
    ws_.places.reset(n);
    ws_.seen.assign(n, 0);
    ws_.chosen.assign(n, 0);
    walk_ = 0;
    for (std::uint32_t r = 0; r < n; ++r) {
      const allocatable& a = p_.registers[r];
      if (a.reg_class != p_.file.reg_class || a.physical < 0 || a.has(register_flag::needs_spill)) continue;
      (void)put_given(p_.file, a, r, search_geometry_of(p_.file, a), ws_.places);
    }
  }

  template <class Recomputes>
  [[nodiscard]] bool computed(std::uint32_t root, Recomputes& recomputes) const {
    for (const std::uint32_t m : sets_.members(root)) {
      if (!recomputes(m)) return false;
    }
    return true;
  }

  template <class Recomputes>
  void help(std::uint32_t r, bool look_around, Recomputes& recomputes) {
    const allocatable& own = p_.registers[r];
    const search_geometry g = search_geometry_of(p_.file, own);
    const bool wide = g.footprint > 1;
    const auto count = static_cast<std::uint32_t>(g.last < g.start ? 0 : (g.last - g.start) / g.step + 1);
    ws_.queues.reset(std::size_t{count} + 1);
    ws_.starts.assign(count, {});
    find_near(r, g);
    if (can_go(r)) {
      const guidance to = computed(r, recomputes) ? guidance::recompute : wide ? guidance::self_wide : guidance::self;
      ws_.queues.push(to, count, cost_of(r));
    }
    if (look_around || ws_.queues.empty()) push_starts(g, wide, recomputes);
    const guidance_queues::option best = ws_.queues.pop();
    if (best.queue == guidance::count) return choose_any();
    if (best.number == count) return choose(r);
    const std::int64_t slot = first_ + std::int64_t{best.number} * g.step;
    for (const guidance_workspace::neighbour& n : ws_.near) {
      if (n.slot < slot + g.footprint && slot < n.slot + n.extent) choose(n.root);
    }
    ws_.places.put(r, slot, g);
  }

  // The neighbours that have places, each once, and what is forbidden whoever moves.
  void find_near(std::uint32_t r, const search_geometry& g) {
    const std::uint32_t walk = ++walk_;
    ws_.near.clear();
    ws_.blocked.reset(g.end);
    for (const std::uint32_t number : p_.file.reserved) {
      const std::int64_t at = std::int64_t{number} - p_.file.base;
      ws_.blocked.set_range(at << (g.paired ? 1 : 0), (at + 1) << (g.paired ? 1 : 0));
    }
    ws_.blocked.widen(g.footprint);
    ws_.arrays.template zero<typename Allocator::vector>();
    view v{&ws_.arrays, &ws_.blocked, g.entries, g.footprint, p_.registers[r].pairing};
    ws_.seen[r] = walk;
    target_place t;
    t.unit = g.paired ? 2 : 1;
    for (const std::uint32_t m : sets_.members(r)) {
      for (const constraint& c : p_.constraints_of(m)) {
        if (c.soft || (!c.physical && c.target >= p_.registers.size())) continue;
        if (c.physical || !kinds::interferes(c.kind)) {
          if (!locate(c, g, t)) continue;
          t.weight = c.weight;
          t.hard = true;
          (void)kinds::accumulate(c.kind, v, t);
          continue;
        }
        const std::uint32_t other = sets_.root(c.target);
        if (ws_.seen[other] == walk || ws_.chosen[other] != 0) continue;
        if (!ws_.places.find(c.target, g.paired, t)) continue;
        ws_.seen[other] = walk;
        if (c.kind != point::type && t.extent < 2) {  // of a pair
          t.slot = t.pair();
          t.extent = 2;
        }
        ws_.near.push_back({other, t.slot, t.extent});
      }
    }
    v.finish();
    first_ = (g.start + std::int64_t{g.step} - 1) / g.step * g.step;
  }
  [[nodiscard]] bool locate(const constraint& c, const search_geometry& g, target_place& t) const {
    if (!c.physical) return ws_.places.find(c.target, g.paired, t);
    const std::int64_t at = std::int64_t{c.target} - p_.file.base;
    t.slot = g.paired ? at * 2 : at;
    t.extent = t.unit;
    return at >= 0;
  }

  template <class Recomputes>
  void push_starts(const search_geometry& g, bool wide, Recomputes& recomputes) {
    const auto count = static_cast<std::int64_t>(ws_.starts.size());
    for (const guidance_workspace::neighbour& n : ws_.near) {
      const bool goes = can_go(n.root);
      const double cost = cost_of(n.root);
      const bool again = goes && computed(n.root, recomputes);
      std::int64_t k = (n.slot - g.footprint + 1 - first_ + g.step - 1) / g.step;
      if (n.slot - std::int64_t{g.footprint} + 1 <= first_) k = 0;
      for (; k < count && first_ + k * g.step < n.slot + n.extent; ++k) {
        guidance_workspace::start& s = ws_.starts[static_cast<std::size_t>(k)];
        s.cost += cost;
        ++s.blockers;
        s.computed += again ? 1u : 0u;
        s.wide = s.wide || n.extent > (g.paired ? 2 : 1);
        s.closed = s.closed || !goes;
      }
    }
    for (std::int64_t k = 0; k < count; ++k) {
      const guidance_workspace::start& s = ws_.starts[static_cast<std::size_t>(k)];
      const std::int64_t slot = first_ + k * g.step;
      if (s.closed || slot > g.last || slot >= g.end || ws_.blocked[static_cast<std::uint32_t>(slot)]) continue;
      const guidance to = s.computed == s.blockers ? guidance::recompute
                          : s.blockers == 1        ? (s.wide ? guidance::one_other_wide : guidance::one_other)
                          : wide                   ? guidance::others_wide
                                                   : guidance::others;
      ws_.queues.push(to, static_cast<std::uint32_t>(k), s.cost);
    }
  }

  void choose(std::uint32_t root) {
    ws_.chosen[root] = 1;
    for (const std::uint32_t m : sets_.members(root)) ws_.victims.push_back(m);
  }
  void choose_any() {
    const guidance_workspace::neighbour* best = nullptr;
    double least = 0;
    for (const guidance_workspace::neighbour& n : ws_.near) {
      if (!can_go(n.root)) continue;
      const double cost = cost_of(n.root);
      if (best != nullptr && cost >= least) continue;
      best = &n;
      least = cost;
    }
    if (best != nullptr) choose(best->root);
  }

  const problem& p_;
  const alias_sets& sets_;
  guidance_workspace& ws_;
  std::uint32_t walk_ = 0;
  std::int64_t first_ = 0;
};

}  // namespace ww::regalloc
