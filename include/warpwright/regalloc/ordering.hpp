// SPDX-License-Identifier: BSL-1.0
//
// In which order registers get their places (FPA-1): simplify, and an assignment stack.
//
//   degree    of a register: how many of the starts it could take its neighbours can spoil at worst. A neighbour that is wider,
//             or that covers several starts, counts for more than one
//   lists     unconstrained (degree 0), low and low_wide (degree below the number of starts: a place is certain, whatever the
//             neighbours get), normal and normal_wide, high (must not be spilled, dear to spill, or bound to certain places)
//   simplify  takes the first register of the first list that has any, pushes it, and takes it out of its neighbours' degrees,
//             which may move them to an earlier list
//   stack     the last pushed gets its place first: those that were hardest to fit. A register that was pushed from normal or
//             high without a certain place is coloured optimistically: the search may still find one
// wide: more than one slot. In a list the push order policy decides. Registers with a place already stay in degrees for good. An
// alias set counts as one register, and two registers that meet at many points as neighbours once. n log n for sorting by cost,
// else linear in registers and constraints.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/sort.hpp"
#include "alias_sets.hpp"
#include "constraint_kinds.hpp"
#include "push_order.hpp"
#include "rank_set.hpp"
#include "search_geometry.hpp"

namespace ww::regalloc {

enum class membership : std::uint8_t { unconstrained, low, low_wide, normal, normal_wide, high };
inline constexpr std::size_t membership_lists = 6;

struct ordering_space {
  vec<std::uint32_t> stack;      // roots of alias sets, first pushed first
  vec<membership> pushed_from;   // by place on the stack
  std::uint32_t optimistic = 0;  // pushed without a certain place

  vec<std::uint32_t> by_rank;
  vec<std::uint32_t> rank;    // by register; no_register: not to be placed
  vec<std::uint64_t> degree;  // by register
  vec<std::uint32_t> starts;
  vec<std::uint8_t> bound;  // by register: belongs to `high`
  vec<membership> list;
  vec<std::uint32_t> seen;  // by register: the walk that saw it last
  std::uint32_t walk = 0;
  vec<search_geometry> geometry;
  rank_set members[membership_lists];
};

// How many starts of a register of geometry v one of geometry u can spoil at worst.
[[nodiscard]] constexpr std::uint32_t starts_spoilt(const search_geometry& v, const search_geometry& u) {
  std::uint64_t extent = u.footprint;
  std::uint64_t step = u.step;
  if (v.paired && !u.paired) {
    extent *= 2;
    step *= 2;
  } else if (!v.paired && u.paired) {
    extent = step > 1 ? (extent + 1) / 2 : extent / 2 + 1;
    step = step > 1 ? step / 2 : 1;
  }
  const std::uint64_t width = v.footprint;
  if (step >= v.step) return static_cast<std::uint32_t>((width - 1) / v.step + (extent - 1) / v.step + 1);
  return static_cast<std::uint32_t>((extent + width - 2) / v.step + 1);
}

namespace ordering {

// From this cost on a register is dear. The text has the number in the allocator's state and does not give it: none is assumed.
struct never_dear {
  static constexpr double cost = 1e300;
};

template <class PushOrder = push_order::by_spill_cost, class Dear = never_dear>
struct simplify {
  using role = regalloc::role::ordering;
  static constexpr const char* name = "simplify";

  // `placed(r)`: register r has its place. `starts_of(geometry)`: starts that a register of this geometry can take.
  template <class Kinds, class Placed, class Starts>
  static void run(const problem& p, const alias_sets& sets, ordering_space& s, Placed&& placed, Starts&& starts_of) {
    prepare(p, sets, s, placed);
    const std::uint32_t count = static_cast<std::uint32_t>(s.by_rank.size());
    for (rank_set& list : s.members) list.reset(count);
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t r = s.by_rank[k];
      s.starts[r] = starts_of(s.geometry[r]);
      measure<Kinds>(p, sets, s, r);
      s.list[r] = list_of(s, r);
      s.members[static_cast<std::size_t>(s.list[r])].insert(k);
    }
    for (std::uint32_t left = count; left > 0; --left) {
      std::size_t at = 0;
      while (s.members[at].empty()) ++at;
      const std::uint32_t k = s.members[at].lowest();
      const std::uint32_t r = s.by_rank[k];
      s.members[at].erase(k);
      s.rank[r] = no_register;
      s.stack.push_back(r);
      s.pushed_from.push_back(static_cast<membership>(at));
      if (s.degree[r] >= s.starts[r]) ++s.optimistic;
      take_out<Kinds>(p, sets, s, r);
    }
  }

 private:
  template <class Placed>
  static void prepare(const problem& p, const alias_sets& sets, ordering_space& s, Placed& placed) {
    const std::uint32_t n = static_cast<std::uint32_t>(p.registers.size());
    s.stack.clear();
    s.pushed_from.clear();
    s.optimistic = 0;
    s.by_rank.clear();
    s.rank.assign(n, no_register);
    s.degree.assign(n, 0);
    s.starts.assign(n, 0);
    s.bound.assign(n, 0);
    s.list.assign(n, membership::unconstrained);
    s.seen.assign(n, 0);
    s.walk = 0;
    s.geometry.resize(n);
    for (std::uint32_t r = n; r-- > 0;) {
      if (sets.root(r) != r || p.registers[r].reg_class != p.file.reg_class) continue;
      s.geometry[r] = search_geometry_of(p.file, p.registers[r]);
      if (!placed(r)) s.by_rank.push_back(r);
    }
    if constexpr (PushOrder::sorted) {
      ww::detail::sort(s.by_rank.begin(), s.by_rank.end(), [&](std::uint32_t a, std::uint32_t b) {
        const std::uint64_t x = PushOrder::key(p.registers[a]);
        const std::uint64_t y = PushOrder::key(p.registers[b]);
        return x != y ? x < y : a > b;
      });
    }
    for (std::uint32_t k = 0; k < s.by_rank.size(); ++k) s.rank[s.by_rank[k]] = k;
  }

  // Calls f(root) once for every neighbour of the set of r in this class.
  template <class Kinds, class F>
  static void each_neighbour(const problem& p, const alias_sets& sets, ordering_space& s, std::uint32_t r, F&& f) {
    const std::uint32_t walk = ++s.walk;
    s.seen[r] = walk;
    for (const std::uint32_t member : sets.members(r)) {
      for (const constraint& c : p.constraints_of(member)) {
        if (c.soft || c.physical || c.target >= p.registers.size() || !Kinds::interferes(c.kind)) continue;
        const std::uint32_t other = sets.root(c.target);
        if (s.seen[other] == walk || p.registers[other].reg_class != p.file.reg_class) continue;
        s.seen[other] = walk;
        f(other);
      }
    }
  }
  template <class Kinds>
  static void measure(const problem& p, const alias_sets& sets, ordering_space& s, std::uint32_t r) {
    each_neighbour<Kinds>(p, sets, s, r,
                          [&](std::uint32_t other) { s.degree[r] += starts_spoilt(s.geometry[r], s.geometry[other]); });
    search_geometry one;
    one.footprint = one.step = 1;
    for (const std::uint32_t member : sets.members(r)) {
      const allocatable& m = p.registers[member];
      if (m.has(register_flag::must_not_spill) || m.spill_cost > Dear::cost) s.bound[r] = 1;
      for (const constraint& c : p.constraints_of(member)) {
        if (c.soft || c.kind == phi::type || c.kind == range::type) continue;
        if (!Kinds::interferes(c.kind) && c.kind != exclude_one::type) {
          s.bound[r] = 1;
        } else if (c.physical) {
          s.degree[r] += starts_spoilt(s.geometry[r], one);
        }
      }
    }
  }
  [[nodiscard]] static membership list_of(const ordering_space& s, std::uint32_t r) {
    if (s.bound[r] != 0) return membership::high;
    const bool wide = s.geometry[r].footprint > 1;
    if (s.degree[r] == 0) return membership::unconstrained;
    if (s.degree[r] < s.starts[r]) return wide ? membership::low_wide : membership::low;
    return wide ? membership::normal_wide : membership::normal;
  }
  template <class Kinds>
  static void take_out(const problem& p, const alias_sets& sets, ordering_space& s, std::uint32_t r) {
    each_neighbour<Kinds>(p, sets, s, r, [&](std::uint32_t other) {
      const std::uint32_t k = s.rank[other];
      if (k == no_register) return;
      const std::uint32_t spoilt = starts_spoilt(s.geometry[other], s.geometry[r]);
      s.degree[other] = s.degree[other] > spoilt ? s.degree[other] - spoilt : 0;
      const membership now = list_of(s, other);
      if (now == s.list[other]) return;
      s.members[static_cast<std::size_t>(s.list[other])].erase(k);
      s.members[static_cast<std::size_t>(now)].insert(k);
      s.list[other] = now;
    });
  }
};

// No graph: the stack gives places in source order, or as the push order says.
template <class PushOrder = push_order::by_source>
struct straight {
  using role = regalloc::role::ordering;
  static constexpr const char* name = "straight";
  template <class Kinds, class Placed, class Starts>
  static void run(const problem& p, const alias_sets& sets, ordering_space& s, Placed&& placed, Starts&&) {
    s.stack.clear();
    s.pushed_from.clear();
    s.optimistic = 0;
    for (std::uint32_t r = static_cast<std::uint32_t>(p.registers.size()); r-- > 0;) {
      if (sets.root(r) == r && p.registers[r].reg_class == p.file.reg_class && !placed(r)) s.stack.push_back(r);
    }
    if constexpr (PushOrder::sorted) {
      ww::detail::sort(s.stack.begin(), s.stack.end(), [&](std::uint32_t a, std::uint32_t b) {
        const std::uint64_t x = PushOrder::key(p.registers[a]);
        const std::uint64_t y = PushOrder::key(p.registers[b]);
        return x != y ? x < y : a > b;
      });
    }
    s.pushed_from.assign(s.stack.size(), membership::unconstrained);
  }
};

}  // namespace ordering

}  // namespace ww::regalloc
