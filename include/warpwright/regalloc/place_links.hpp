// SPDX-License-Identifier: BSL-1.0
//
// Ties registers of one problem together, so that they get one place (FPA-7: coalescing, pair linkage; FPA-6: alias chains).
//
//   tie(a, b)   both in one set, written as alias_parent. Refused where they differ in width, alignment, phase or pair mode,
//               where a member of one set must not meet a member of the other, and where a set would have registers of two given places
//   a register with a given place (a fixed web) is never tied; the other gets that place as its candidate, if no constraint
//               speaks against it
// The answer says which. Sets are only those that were tied here; links that the problem had before are kept as they are and
// count as ties. Time: constraints of the smaller set, for each tie.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/vec.hpp"
#include "constraint_kinds.hpp"
#include "problem.hpp"

namespace ww::regalloc {

enum class tie_result : std::uint8_t { refused, known, tied, candidate };

class place_links {
 public:
  void start(const problem& p) {
    const std::uint32_t n = static_cast<std::uint32_t>(p.registers.size());
    root_.resize(n);
    next_.resize(n);
    load_.resize(n);
    for (std::uint32_t r = 0; r < n; ++r) {
      root_[r] = next_[r] = r;
      load_[r] = p.constraints_of(r).size() + 1;
    }
    for (std::uint32_t r = 0; r < n; ++r) {
      const std::uint32_t parent = p.registers[r].alias_parent;
      if (parent < n && root(r) != root(parent)) unite(root(r), root(parent));
    }
  }

  tie_result tie(problem& p, std::uint32_t a, std::uint32_t b) {
    if (a >= root_.size() || b >= root_.size() || a == b) return tie_result::refused;
    const bool a_given = p.registers[a].has(register_flag::pre_assigned);
    const bool b_given = p.registers[b].has(register_flag::pre_assigned);
    if (a_given || b_given) {
      if (a_given && b_given) return tie_result::refused;
      return a_given ? propose(p, b, a) : propose(p, a, b);
    }
    if (!alike(p.registers[a], p.registers[b])) return tie_result::refused;
    std::uint32_t x = root(a);
    std::uint32_t y = root(b);
    if (x == y) return tie_result::known;
    if (load_[x] > load_[y]) {
      const std::uint32_t t = x;
      x = y;
      y = t;
    }
    if (meet(p, x, y)) return tie_result::refused;
    p.registers[x].alias_parent = y;
    unite(x, y);
    return tie_result::tied;
  }

 private:
  [[nodiscard]] static bool alike(const allocatable& a, const allocatable& b) {
    return a.reg_class == b.reg_class && a.width == b.width && a.alignment_log2 == b.alignment_log2 &&
           a.pairing == b.pairing && a.phase == b.phase &&
           a.has(register_flag::exact_width) == b.has(register_flag::exact_width);
  }
  [[nodiscard]] std::uint32_t root(std::uint32_t r) {
    while (root_[r] != r) r = root_[r] = root_[root_[r]];
    return r;
  }
  // x under y; members are kept in rings.
  void unite(std::uint32_t x, std::uint32_t y) {
    root_[x] = y;
    load_[y] += load_[x];
    const std::uint32_t t = next_[x];
    next_[x] = next_[y];
    next_[y] = t;
  }
  // A constraint between the two sets that is not a wish.
  [[nodiscard]] bool meet(const problem& p, std::uint32_t x, std::uint32_t y) {
    std::uint32_t r = x;
    do {
      for (const constraint& c : p.constraints_of(r)) {
        if (!c.soft && !c.physical && c.target < root_.size() && root(c.target) == y && forbids_same(c)) return true;
      }
      r = next_[r];
    } while (r != x);
    return false;
  }
  [[nodiscard]] static bool forbids_same(const constraint& c) {
    return c.kind != part_point::type || (c.low <= 0 && c.high >= 0);
  }
  // The place of `given` for r.
  tie_result propose(problem& p, std::uint32_t r, std::uint32_t given) {
    const allocatable& at = p.registers[given];
    const allocatable& own = p.registers[r];
    if (at.physical < 0 || at.width != own.width || at.reg_class != own.reg_class) return tie_result::refused;
    const std::int64_t place = at.physical;
    if ((static_cast<std::uint32_t>(at.physical) & ((1u << own.alignment_log2) - 1u)) != own.phase)
      return tie_result::refused;
    for (const constraint& c : p.constraints_of(r)) {
      if (c.soft || !c.physical) continue;
      const std::int64_t target = c.target;
      const bool spoilt = c.kind == part_point::type    ? place >= target + c.low && place <= target + c.high
                          : c.kind == exclude_one::type ? place <= target && target < place + own.width
                                                        : false;
      if (spoilt) return tie_result::refused;
    }
    const std::uint32_t* const before = p.candidates.find(r);
    if (before != nullptr)
      return *before == static_cast<std::uint32_t>(at.physical) ? tie_result::known : tie_result::refused;
    p.candidates.insert(r, static_cast<std::uint32_t>(at.physical));
    return tie_result::candidate;
  }

  vec<std::uint32_t> root_;
  vec<std::uint32_t> next_;  // ring of the members
  vec<std::size_t> load_;    // by root: constraints
};

}  // namespace ww::regalloc
