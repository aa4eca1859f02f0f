// SPDX-License-Identifier: BSL-1.0
//
// The core of the fat-point register allocator: one attempt to give every register of a problem its place (FPA-1 to FPA-6).
//
//   using allocator = ww::regalloc::fat_point_allocator<>;              // the defaults of the text
//   allocator::workspace ws;
//   ww::regalloc::round_result r = allocator::run(p, ws);               // p.registers[k].physical
//   fat_point_allocator<ww::simd::avx2, select_register<>, ordering::straight<>, constraint_kinds_by_loop>
// For each register of the assignment stack: its geometry; the arrays zeroed; what the constraints of it and of its aliases
// add; a slot; the commit. Policies come in any order: a vector policy, kinds, a selection, an ordering, a relaxation.
// Whatever the policies say, no register gets a slot that a constraint forbids, or that is reserved. `attempt` counts from 0;
// later ones look at first costs and relax soft constraints. Nothing allocates once the workspace has seen the largest problem.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/pick.hpp"
#include "../simd/scalar.hpp"
#include "alias_sets.hpp"
#include "commit.hpp"
#include "constraint_kinds.hpp"
#include "fat_point.hpp"
#include "ordering.hpp"
#include "relaxation.hpp"
#include "role.hpp"

namespace ww::regalloc {

enum class round_error : std::uint8_t { none, too_many_registers };

// What the text's allocator says of it; the number is error_count.
inline constexpr const char* too_many_registers_message =
    "Register allocation failed with register count of '%d'. Compile the program with a higher register target";

struct round_options {
  std::uint32_t attempt = 0;
  bool banks = false;  // keep consecutive registers in different banks
};

struct round_result {
  round_account account;
  std::uint32_t registers = 0;   // used: one more than the peak
  std::uint32_t optimistic = 0;  // pushed without a certain place
  std::uint32_t candidates = 0;  // places taken from those chosen before
  std::uint32_t relaxed = 0;     // soft constraints left out
  round_error error = round_error::none;
  std::uint32_t error_count = 0;  // registers there were, for the message
};

namespace detail {

template <class P>
concept allocator_policy = meta::is_same_v<typename P::role, role::kinds> ||
    meta::is_same_v<typename P::role, role::selection> || meta::is_same_v<typename P::role, role::ordering> ||
    meta::is_same_v<typename P::role, role::relaxation> || meta::is_same_v<typename P::role, ww::role::vector_width>;

template <class Role, class... Policies>
inline constexpr unsigned count_of = (0u + ... + (meta::is_same_v<typename Policies::role, Role> ? 1u : 0u));

template <class S>
inline constexpr bool reads_blocked = true;
template <class S>
requires requires { S::reads_blocked; }
inline constexpr bool reads_blocked<S> = S::reads_blocked;

}  // namespace detail

struct allocator_workspace {
  alias_sets sets;
  ordering_space order;
  place_table places;
  pressure_arrays arrays;
  occupancy_bits blocked;
  occupancy_bits free_file[2];  // reserved registers, by whole registers and by halves
  occupancy_bits fresh;         // the same, as a register of geometry `fresh_for` sees them
  search_geometry fresh_for;
  std::int64_t high_water = -1;  // the highest peak of all rounds so far
};

template <class... Policies>
struct fat_point_allocator {
  static_assert((detail::allocator_policy<Policies> && ...),
                "ww::regalloc::fat_point_allocator<...>: a policy has no role of the allocator (regalloc/role.hpp).");
  static_assert(detail::count_of<role::kinds, Policies...> <= 1 && detail::count_of<role::selection, Policies...> <= 1 &&
                    detail::count_of<role::ordering, Policies...> <= 1 &&
                    detail::count_of<role::relaxation, Policies...> <= 1 &&
                    detail::count_of<ww::role::vector_width, Policies...> <= 1,
                "ww::regalloc::fat_point_allocator<...>: two policies of the same role; keep one.");
  using vector = meta::pick_t<ww::role::vector_width, simd::scalar, Policies...>;
  using kinds_policy = meta::pick_t<role::kinds, constraint_kinds, Policies...>;
  using selection_policy = meta::pick_t<role::selection, fat_point<>, Policies...>;
  using ordering_policy = meta::pick_t<role::ordering, ordering::simplify<>, Policies...>;
  using relaxation_policy = meta::pick_t<role::relaxation, relaxation::progressive<>, Policies...>;
  static_assert(slot_width_policy<vector>,
                "ww::regalloc::fat_point_allocator<...>: the vector policy lacks the slot operations.");
  using view = pressure_view<vector, detail::reads_blocked<selection_policy>>;
  using workspace = allocator_workspace;

  static round_result run(problem& p, workspace& ws, const round_options& options = {}) {
    round_result result;
    start(p, ws, result.account);
    search_geometry counted;  // of the register asked about last; of none at first
    counted.footprint = 0;
    std::uint32_t starts = 0;
    ordering_policy::template run<kinds_policy>(
        p, ws.sets, ws.order, [&](std::uint32_t r) { return ws.places.has(r); },
        [&](const search_geometry& g) {
          if (!(g == counted)) {
            starts = free_starts(g, fresh(ws, g));
            counted = g;
          }
          return starts;
        });
    result.optimistic = ws.order.optimistic;
    std::int64_t previous = -1;  // in halves
    for (std::size_t k = ws.order.stack.size(); k-- > 0;) {
      const std::uint32_t root = ws.order.stack[k];
      const allocatable& r = p.registers[root];
      const search_geometry g = search_geometry_of(p.file, r);
      const span<const std::uint32_t> members = ws.sets.members(root);
      ws.arrays.template zero<vector>();
      ws.blocked.copy(fresh(ws, g));
      view v{&ws.arrays, &ws.blocked, g.entries, g.footprint, r.pairing};
      walk(p, ws, members, g, options, v, result.relaxed);
      v.finish();
      slot_choice choice = candidate(p, ws, members, g);
      if (choice.slot >= 0) {
        ++result.candidates;
      } else {
        slot_scan s{ws.arrays.primary.cost, ws.arrays.secondary.cost, &ws.blocked, g, r.pairing, p.file.pair_shift};
        s.previous = previous < 0 ? -1 : g.paired ? previous : previous >> 1;
        s.first_attempt = options.attempt == 0;
        s.banks = options.banks;
        s.primary_clear = ws.arrays.primary.used == 0;
        s.secondary_clear = ws.arrays.secondary.used == 0;
        choice = selection_policy::template select<vector>(s);
        if (choice.slot >= g.end || (choice.slot >= 0 && ws.blocked[static_cast<std::uint32_t>(choice.slot)])) choice = {};
      }
      result.account.cumulative_pressure += choice.slot >= 0 ? choice.primary : 0;
      commit(p, members, root, g, choice.slot, ws.places, result.account);
      if (choice.slot >= 0) previous = g.paired ? choice.slot : choice.slot * 2;
    }
    const std::int64_t peak = result.account.peak;
    if (peak > ws.high_water) ws.high_water = peak;
    result.registers = static_cast<std::uint32_t>(peak + 1);
    if (peak > sanity_peak) {
      result.error = round_error::too_many_registers;
      result.error_count = p.file.max_slot < 0xffffffffu ? p.file.max_slot + 1 : p.file.max_slot;
    }
    return result;
  }

 private:
  // Takes old answers back, and puts registers with a given place where they are.
  static void start(problem& p, workspace& ws, round_account& account) {
    const std::uint32_t n = static_cast<std::uint32_t>(p.registers.size());
    ws.sets.build(p);
    ws.places.reset(n);
    const std::uint32_t searched = p.file.searched();
    for (std::uint32_t halves = 0; halves < 2; ++halves) {
      ws.free_file[halves].reset(searched << halves);
      for (const std::uint32_t number : p.file.reserved) {
        const std::int64_t at = std::int64_t{number} - p.file.base;
        ws.free_file[halves].set_range(at * (1 + halves), (at + 1) * (1 + halves));
      }
    }
    ws.fresh_for.footprint = 0;  // of no register
    for (std::uint32_t r = 0; r < n; ++r) {
      allocatable& a = p.registers[r];
      if (a.reg_class != p.file.reg_class) continue;
      if (a.has(register_flag::pre_assigned)) {
        const search_geometry g = search_geometry_of(p.file, a);
        if (!put_given(p.file, a, r, g, ws.places)) continue;
        target_place t;
        if (ws.places.find(r, false, t)) account.raise(t.slot + t.extent - 1);
      } else {
        a.physical = -1;
        a.set(register_flag::needs_spill, false);
        a.set(register_flag::high_half, false);
      }
    }
    // The first of a set that has its place gives it to the others.
    for (std::uint32_t r = 0; r < n; ++r) {
      const std::uint32_t root = ws.sets.root(r);
      if (p.registers[r].reg_class != p.file.reg_class || !p.registers[r].has(register_flag::pre_assigned) ||
          !ws.places.has(r) || ws.sets.members(root).size() == 1) {
        continue;
      }
      for (const std::uint32_t other : ws.sets.members(root)) {
        allocatable& o = p.registers[other];
        if (ws.places.has(other) || o.has(register_flag::pre_assigned)) continue;
        o.physical = p.registers[r].physical;
        o.set(register_flag::high_half, p.registers[r].has(register_flag::high_half));
        (void)put_given(p.file, o, other, search_geometry_of(p.file, o), ws.places);
      }
    }
  }

  // What is occupied for a register of this geometry before any constraint.
  static const occupancy_bits& fresh(workspace& ws, const search_geometry& g) {
    if (ws.fresh_for.footprint != g.footprint || ws.fresh_for.paired != g.paired) {
      ws.fresh.copy(ws.free_file[g.paired ? 1 : 0]);
      ws.fresh.widen(g.footprint);
      ws.fresh_for = g;
    }
    return ws.fresh;
  }

  [[nodiscard]] static bool locate(const problem& p, const workspace& ws, const constraint& c, bool halves,
                                   target_place& t) {
    if (c.physical) {
      const std::int64_t at = std::int64_t{c.target} - p.file.base;
      if (at < 0) return false;
      t.slot = halves ? at * 2 : at;
      t.extent = t.unit;
      return true;
    }
    return c.target < p.registers.size() && ws.places.find(c.target, halves, t);
  }

  static void walk(const problem& p, const workspace& ws, span<const std::uint32_t> members, const search_geometry& g,
                   const round_options& options, view& v, std::uint32_t& relaxed) {
    std::uint64_t total = 0;
    std::uint64_t nth = 0;
    if (options.attempt > 0 && relaxation_policy::counts && options.banks) {
      for (const std::uint32_t r : members) {
        for (const constraint& c : p.constraints_of(r)) total += c.soft ? 1u : 0u;
      }
    }
    target_place t;
    t.unit = g.paired ? 2 : 1;
    for (const std::uint32_t r : members) {
      for (const constraint& c : p.constraints_of(r)) {
        if (c.soft && options.attempt > 0 && relaxation_policy::skip(++nth, total, options.attempt, options.banks)) {
          ++relaxed;
          continue;
        }
        if (!locate(p, ws, c, g.paired, t)) continue;
        t.weight = c.weight;
        t.hard = !c.soft;
        t.low = c.low;
        t.high = c.high;
        (void)kinds_policy::accumulate(c.kind, v, t);
      }
    }
  }

  // A place that was chosen before for one of the set, if it is free.
  [[nodiscard]] static slot_choice candidate(const problem& p, const workspace& ws, span<const std::uint32_t> members,
                                             const search_geometry& g) {
    if (p.candidates.entries() == 0) return {};
    for (const std::uint32_t r : members) {
      const std::uint32_t* number = p.candidates.find(r);
      if (number == nullptr || *number < p.file.base) continue;
      const std::int64_t at = std::int64_t{*number} - p.file.base;
      const std::int64_t slot = g.paired ? at * 2 : at;
      if (slot > g.last || slot >= g.end || slot % g.step != g.phase || ws.blocked[static_cast<std::uint32_t>(slot)])
        continue;
      const bool known = slot < g.entries;
      return {slot, known ? ws.arrays.primary.cost[slot] : 0, known ? ws.arrays.secondary.cost[slot] : 0};
    }
    return {};
  }
};

}  // namespace ww::regalloc
