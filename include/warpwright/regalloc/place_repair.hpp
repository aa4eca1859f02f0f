// SPDX-License-Identifier: BSL-1.0
//
// Makes room for registers that an attempt left without a place, by moving others (an addition to the text's attempts, whose
// choices are final).
//
//   place_repair repair;
//   if (repair.run(p, steps)) ... every register has a place within the budget; else p is as it was
//
//   step      takes a register without a place, gives it the start that costs least, and takes the places of those that are in the
//             way. These come back into the line
//   cost      of a start: for each that would lose its place, one more than how often it was placed already. What was moved often
//             is dear, so that two registers do not push each other out for ever
//   limit     steps; when they are spent the answer is no
// Starts with a physical register, a given place or a reserved number in the way are never taken. Known kinds: 0 point, 1
// exclude_one, 32 part_point; with any other that is not soft, and with paired or doubled registers, the answer is no. Tied registers move
// together. The lowest start of the lowest cost; the line is first in, first out: equal input, equal output. A step costs the
// constraints of its register and the slots of the file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/vec.hpp"
#include "alias_sets.hpp"
#include "constraint_kinds.hpp"
#include "problem.hpp"
#include "search_geometry.hpp"

namespace ww::regalloc {

class place_repair {
 public:
  // Steps of the last run.
  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  // One more than the highest register taken, where the answer was yes.
  [[nodiscard]] std::uint32_t registers() const { return registers_; }

  bool run(problem& p, std::uint32_t limit) {
    steps_ = 0;
    p_ = &p;
    if (!start()) return false;
    for (std::size_t at = 0; at < line_.size(); ++at) {
      if (steps_++ == limit || !settle(line_[at])) return false;
    }
    finish();
    return true;
  }

 private:
  static constexpr std::int64_t never = std::int64_t{1} << 40;

  struct range_of_starts {
    std::int64_t low;
    std::int64_t high;
    std::uint32_t other;  // root; no_register = cannot be moved
  };

  bool start() {
    sets_.build(*p_);
    const std::uint32_t n = static_cast<std::uint32_t>(p_->registers.size());
    place_.assign(n, -1);
    hits_.assign(n, 0);
    line_.clear();
    for (std::uint32_t r = 0; r < n; ++r) {
      const allocatable& a = p_->registers[r];
      if (a.reg_class != p_->file.reg_class) continue;
      if (a.pairing != pair_mode::single) return false;
      const bool given = a.has(register_flag::pre_assigned);
      if (given && sets_.members(sets_.root(r)).size() > 1) return false;
      if (a.physical >= 0 && (given || !a.has(register_flag::needs_spill)))
        place_[sets_.root(r)] = a.physical - std::int64_t{p_->file.base};
      for (const constraint& c : p_->constraints_of(r)) {
        const bool known = c.kind == point::type || c.kind == exclude_one::type || c.kind == part_point::type;
        if (!known && !c.soft && !given) return false;
      }
    }
    for (std::uint32_t r = 0; r < n; ++r) {
      if (sets_.root(r) == r && p_->registers[r].reg_class == p_->file.reg_class && place_[r] < 0) line_.push_back(r);
    }
    return true;
  }

  // Calls f(range_of_starts) for all that speaks against a start of the set of root r.
  template <class F>
  void each_against(std::uint32_t r, std::int64_t width, F&& f) const {
    for (const std::uint32_t member : sets_.members(r)) {
      for (const constraint& c : p_->constraints_of(member)) {
        if (c.soft) continue;
        std::uint32_t other = no_register;
        std::int64_t at = std::int64_t{c.target} - p_->file.base;
        std::int64_t extent = 1;
        if (!c.physical) {
          if (c.target >= place_.size() || p_->registers[c.target].reg_class != p_->file.reg_class) continue;
          const std::uint32_t root = sets_.root(c.target);
          at = place_[root];
          if (root == r || at < 0) continue;
          extent = search_geometry_of(p_->file, p_->registers[root]).footprint;
          if (!p_->registers[root].has(register_flag::pre_assigned)) other = root;
        }
        if (c.kind == part_point::type) {
          f(range_of_starts{at + c.low, at + c.high, other});
        } else {
          f(range_of_starts{at - width + 1, at + (c.kind == point::type ? extent : 1) - 1, other});
        }
      }
    }
  }

  bool settle(std::uint32_t r) {
    const search_geometry g = search_geometry_of(p_->file, p_->registers[r]);
    if (g.last < 0) return false;
    const std::int64_t width = g.footprint;
    cost_.assign(static_cast<std::size_t>(g.last) + 1, 0);
    const auto add = [&](std::int64_t low, std::int64_t high, std::int64_t cost) {
      for (std::int64_t s = low < 0 ? 0 : low; s <= high && s <= g.last; ++s) cost_[static_cast<std::size_t>(s)] += cost;
    };
    for (const std::uint32_t number : p_->file.reserved) {
      const std::int64_t at = std::int64_t{number} - p_->file.base;
      add(at - width + 1, at, never);
    }
    each_against(r, width, [&](const range_of_starts& x) {
      add(x.low, x.high, x.other == no_register ? never : std::int64_t{1} + hits_[x.other]);
    });
    std::int64_t best = -1;
    for (std::int64_t s = 0; s <= g.last; ++s) {
      if (s < g.start || (s & (std::int64_t{g.step} - 1)) != g.phase) continue;
      const std::int64_t cost = cost_[static_cast<std::size_t>(s)];
      if (cost < never && (best < 0 || cost < cost_[static_cast<std::size_t>(best)])) best = s;
    }
    if (best < 0) return false;
    each_against(r, width, [&](const range_of_starts& x) {
      if (x.other == no_register || best < x.low || best > x.high) return;
      moved_.push_back(x.other);
    });
    for (const std::uint32_t other : moved_) {
      if (place_[other] < 0) continue;
      place_[other] = -1;
      line_.push_back(other);
    }
    moved_.clear();
    place_[r] = best;
    ++hits_[r];
    return true;
  }

  void finish() {
    registers_ = 0;
    for (std::uint32_t r = 0; r < place_.size(); ++r) {
      allocatable& a = p_->registers[r];
      if (a.reg_class != p_->file.reg_class) continue;
      if (place_[sets_.root(r)] >= 0) {
        const std::int64_t end = place_[sets_.root(r)] + search_geometry_of(p_->file, a).footprint;
        if (end > registers_) registers_ = static_cast<std::uint32_t>(end);
      }
      if (a.has(register_flag::pre_assigned)) continue;
      a.physical = static_cast<std::int32_t>(place_[sets_.root(r)] + p_->file.base);
      a.set(register_flag::needs_spill, false);
    }
  }

  problem* p_ = nullptr;
  alias_sets sets_;
  vec<std::int64_t> place_;  // by root: first slot, -1 = none
  vec<std::uint32_t> hits_;  // by root: how often it was placed here
  vec<std::uint32_t> line_;
  vec<std::uint32_t> moved_;
  vec<std::int64_t> cost_;  // by start
  std::uint32_t steps_ = 0;
  std::uint32_t registers_ = 0;
};

}  // namespace ww::regalloc
