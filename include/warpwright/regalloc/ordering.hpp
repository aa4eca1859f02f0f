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

// What the ordering knows of a register.
struct ordering_node {
  std::uint32_t rank = no_register;  // place in its lists
  std::uint32_t degree = 0;
  std::uint32_t starts = 0;
  std::uint32_t seen = 0;       // the walk that saw it last
  std::uint32_t footprint = 1;  // 0: not of this class
  std::uint32_t near = 0;       // its neighbours, from here to near_end
  std::uint32_t near_end = 0;
  std::uint8_t step_log2 = 0;
  bool paired = false;
  bool shifted = false;  // its starts are not multiples of its step
  bool bound = false;    // belongs to `high`
  membership list = membership::unconstrained;

  // It is in no list any more, and changes of its degree move it to none.
  void settle() {
    bound = true;
    list = membership::high;
  }
};

struct ordering_space {
  vec<std::uint32_t> stack;      // roots of alias sets, first pushed first
  vec<membership> pushed_from;   // by place on the stack
  std::uint32_t optimistic = 0;  // pushed without a certain place

  vec<std::uint32_t> by_rank;
  vec<ordering_node> nodes;  // by register
  vec<std::uint32_t> near;   // the neighbours of all
  std::uint32_t walk = 0;
  rank_set members[membership_lists];
};

// How many starts of register v register u can spoil at worst.
[[nodiscard]] constexpr std::uint32_t starts_spoilt(const ordering_node& v, const ordering_node& u) {
  if (v.footprint == 1 && u.footprint == 1 && v.paired == u.paired) return 1;
  std::uint32_t extent = u.footprint;
  std::uint32_t step = u.step_log2;
  if (v.paired && !u.paired) {
    extent *= 2;
    ++step;
  } else if (!v.paired && u.paired) {
    extent = step > 0 ? (extent + 1) / 2 : extent / 2 + 1;
    step -= step > 0 ? 1 : 0;
  }
  if (step >= v.step_log2 && !v.shifted && !u.shifted)
    return ((v.footprint - 1) >> v.step_log2) + ((extent - 1) >> v.step_log2) + 1;
  return ((extent + v.footprint - 2) >> v.step_log2) + 1;
}

namespace detail {

// By key, and from the last register of the source to the first where keys are equal: the order in which they come.
template <class PushOrder>
void sort_by_key(const problem& p, vec<std::uint32_t>& list) {
  if constexpr (PushOrder::sorted) {
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
      const std::uint64_t x = PushOrder::key(p.registers[a]);
      const std::uint64_t y = PushOrder::key(p.registers[b]);
      return x != y ? x < y : a > b;
    };
    std::size_t k = 1;
    while (k < list.size() && !before(list[k], list[k - 1])) ++k;
    if (k < list.size()) ww::detail::sort(list.begin(), list.end(), before);
  }
}

}  // namespace detail

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
    prepare(p, sets, s, placed, starts_of);
    const std::uint32_t count = static_cast<std::uint32_t>(s.by_rank.size());
    for (rank_set& list : s.members) list.reset(count);
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t r = s.by_rank[k];
      measure<Kinds>(p, sets, s, r);
      s.nodes[r].list = list_of(s.nodes[r]);
      s.members[static_cast<std::size_t>(s.nodes[r].list)].insert(k);
    }
    for (std::uint32_t left = count; left > 0; --left) {
      std::size_t at = 0;
      while (s.members[at].empty()) ++at;
      const std::uint32_t k = s.members[at].lowest();
      const std::uint32_t r = s.by_rank[k];
      s.members[at].erase(k);
      s.stack.push_back(r);
      s.pushed_from.push_back(static_cast<membership>(at));
      if (s.nodes[r].degree >= s.nodes[r].starts) ++s.optimistic;
      s.nodes[r].settle();
      take_out(s, s.nodes[r]);
    }
  }

 private:
  template <class Placed, class Starts>
  static void prepare(const problem& p, const alias_sets& sets, ordering_space& s, Placed& placed, Starts& starts_of) {
    const std::uint32_t n = static_cast<std::uint32_t>(p.registers.size());
    s.stack.clear();
    s.pushed_from.clear();
    s.optimistic = 0;
    s.walk = 0;
    s.by_rank.clear();
    s.near.clear();
    s.nodes.assign(n, ordering_node{});
    for (std::uint32_t r = n; r-- > 0;) {
      if (p.registers[r].reg_class != p.file.reg_class) s.nodes[r].footprint = 0;
      if (sets.root(r) != r || s.nodes[r].footprint == 0) continue;
      const search_geometry g = search_geometry_of(p.file, p.registers[r]);
      ordering_node& node = s.nodes[r];
      node.footprint = g.footprint;
      node.step_log2 = static_cast<std::uint8_t>(meta::countr_zero(g.step));
      node.paired = g.paired;
      node.shifted = g.phase != 0;
      if (placed(r)) {
        node.settle();
        continue;
      }
      node.starts = starts_of(g);
      s.by_rank.push_back(r);
    }
    detail::sort_by_key<PushOrder>(p, s.by_rank);
    for (std::uint32_t k = 0; k < s.by_rank.size(); ++k) s.nodes[s.by_rank[k]].rank = k;
  }

  // The neighbours of the set of r, each once, and what they and physical registers can spoil.
  template <class Kinds>
  static void measure(const problem& p, const alias_sets& sets, ordering_space& s, std::uint32_t r) {
    ordering_node& own = s.nodes[r];
    const std::uint32_t walk = ++s.walk;
    own.seen = walk;
    own.near = static_cast<std::uint32_t>(s.near.size());
    std::uint64_t degree = 0;
    for (const std::uint32_t member : sets.members(r)) {
      const allocatable& m = p.registers[member];
      if (m.has(register_flag::must_not_spill) || m.spill_cost > Dear::cost) own.bound = true;
      for (const constraint& c : p.constraints_of(member)) {
        if (c.soft) continue;
        if (!Kinds::interferes(c.kind)) {
          if (c.kind == exclude_one::type && c.physical) degree += starts_spoilt(own, ordering_node{});
          if (c.kind != exclude_one::type && c.kind != phi::type && c.kind != range::type) own.bound = true;
        } else if (c.physical) {
          degree += starts_spoilt(own, ordering_node{});
        } else if (c.target < p.registers.size()) {
          const std::uint32_t other = sets.root(c.target);
          ordering_node& node = s.nodes[other];
          if (node.seen == walk || node.footprint == 0) continue;
          node.seen = walk;
          degree += starts_spoilt(own, node);
          s.near.push_back(other);
        }
      }
    }
    own.near_end = static_cast<std::uint32_t>(s.near.size());
    own.degree = degree < no_register ? static_cast<std::uint32_t>(degree) : no_register;
  }
  [[nodiscard]] static membership list_of(const ordering_node& node) {
    if (node.bound) return membership::high;
    const bool wide = node.footprint > 1;
    if (node.degree == 0) return membership::unconstrained;
    if (node.degree < node.starts) return wide ? membership::low_wide : membership::low;
    return wide ? membership::normal_wide : membership::normal;
  }
  static void take_out(ordering_space& s, const ordering_node& own) {
    for (std::uint32_t k = own.near; k < own.near_end; ++k) {
      ordering_node& other = s.nodes[s.near[k]];
      const std::uint32_t spoilt = starts_spoilt(other, own);
      other.degree = other.degree > spoilt ? other.degree - spoilt : 0;
      const membership now = list_of(other);
      if (now == other.list) continue;
      s.members[static_cast<std::size_t>(other.list)].erase(other.rank);
      s.members[static_cast<std::size_t>(now)].insert(other.rank);
      other.list = now;
    }
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
    detail::sort_by_key<PushOrder>(p, s.stack);
    s.pushed_from.assign(s.stack.size(), membership::unconstrained);
  }
};

}  // namespace ordering

}  // namespace ww::regalloc
