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
  static constexpr std::int32_t nowhere =
      -(std::int32_t{1} << 24);  // so far below the file that nothing there is in the way

  // What speaks against a start: `low` to `high` from the place of the root `other`, or from slot 0 where it cannot be moved.
  struct against {
    std::uint32_t other;  // no_register = a fixed place
    std::int32_t low;
    std::int32_t high;
  };

  bool start() {
    sets_.build(*p_);
    const std::uint32_t n = static_cast<std::uint32_t>(p_->registers.size());
    place_.assign(n, nowhere);
    hits_.assign(n, 0);
    line_.clear();
    for (std::uint32_t r = 0; r < n; ++r) {
      const allocatable& a = p_->registers[r];
      if (a.reg_class != p_->file.reg_class) continue;
      if (a.pairing != pair_mode::single) return false;
      const bool given = a.has(register_flag::pre_assigned);
      if (given && sets_.members(sets_.root(r)).size() > 1) return false;
      if (a.physical >= 0 && (given || !a.has(register_flag::needs_spill)))
        place_[sets_.root(r)] = slot_of(static_cast<std::uint32_t>(a.physical));
      for (const constraint& c : p_->constraints_of(r)) {
        const bool known = c.kind == point::type || c.kind == exclude_one::type || c.kind == part_point::type;
        if (!known && !c.soft && !given) return false;
      }
    }
    for (std::uint32_t r = 0; r < n; ++r) {
      if (sets_.root(r) == r && p_->registers[r].reg_class == p_->file.reg_class && place_[r] == nowhere) line_.push_back(r);
    }
    if (line_.empty()) return true;
    geometry_.resize(n);
    for (std::uint32_t r = 0; r < n; ++r) {
      if (sets_.root(r) == r) geometry_[r] = search_geometry_of(p_->file, p_->registers[r]);
    }
    against_.clear();
    first_against_.resize(n + 1);
    for (std::uint32_t r = 0; r < n; ++r) {
      first_against_[r] = static_cast<std::uint32_t>(against_.size());
      if (sets_.root(r) == r && p_->registers[r].reg_class == p_->file.reg_class) list_against(r);
    }
    first_against_[n] = static_cast<std::uint32_t>(against_.size());
    return true;
  }

  // Of a physical register; beyond any file there is no difference.
  [[nodiscard]] std::int32_t slot_of(std::uint32_t number) const {
    const std::int64_t slot = std::int64_t{number} - p_->file.base;
    return slot < 0 ? nowhere : slot < -nowhere ? static_cast<std::int32_t>(slot) : -nowhere;
  }

  // All that speaks against a start of the set of root r.
  void list_against(std::uint32_t r) {
    const std::int32_t width = static_cast<std::int32_t>(geometry_[r].footprint);
    for (const std::uint32_t number : p_->file.reserved) {
      const std::int32_t at = slot_of(number);
      against_.push_back({no_register, at - width + 1, at});
    }
    for (const std::uint32_t member : sets_.members(r)) {
      for (const constraint& c : p_->constraints_of(member)) {
        if (c.soft) continue;
        std::uint32_t other = no_register;
        std::int32_t at = 0;
        std::int32_t extent = 1;
        if (!c.physical) {
          if (c.target >= place_.size() || p_->registers[c.target].reg_class != p_->file.reg_class) continue;
          const std::uint32_t root = sets_.root(c.target);
          if (root == r) continue;
          extent = static_cast<std::int32_t>(geometry_[root].footprint);
          if (!p_->registers[root].has(register_flag::pre_assigned)) {
            other = root;
          } else if ((at = place_[root]) == nowhere) {
            continue;
          }
        } else if ((at = slot_of(c.target)) == nowhere) {
          continue;
        }
        const bool part = c.kind == part_point::type;
        const std::int32_t low = part ? c.low : 1 - width;
        const std::int32_t high = part ? c.high : c.kind == point::type ? extent - 1 : 0;
        if (low <= high) against_.push_back({other, at + low, at + high});
      }
    }
  }

  [[nodiscard]] span<const against> against_of(std::uint32_t r) const {
    return {against_.data() + first_against_[r], static_cast<std::size_t>(first_against_[r + 1] - first_against_[r])};
  }

  bool settle(std::uint32_t r) {
    const search_geometry& g = geometry_[r];
    if (g.last < 0) return false;
    const std::int32_t starts = static_cast<std::int32_t>(g.last) + 1;
    // Sums over the starts up to each are the costs.
    cost_.assign(static_cast<std::size_t>(starts) + 1, 0);
    for (const against& x : against_of(r)) {
      const bool fixed = x.other == no_register;
      const std::int32_t at = fixed ? 0 : place_[x.other];
      const std::int64_t cost = fixed ? never : std::int64_t{1} + hits_[x.other];
      cost_[within(at + x.low, starts)] += cost;
      cost_[within(at + x.high + 1, starts)] -= cost;
    }
    std::int32_t best = -1;
    std::int64_t least = never;
    std::int64_t cost = 0;
    for (std::int32_t s = 0; s < starts; ++s) {
      cost += cost_[static_cast<std::size_t>(s)];
      const std::uint32_t slot = static_cast<std::uint32_t>(s);
      if (cost >= least || slot < g.start || (slot & (g.step - 1)) != g.phase) continue;
      best = s;
      least = cost;
    }
    if (best < 0) return false;
    for (const against& x : against_of(r)) {
      if (x.other == no_register || best < place_[x.other] + x.low || best > place_[x.other] + x.high) continue;
      moved_.push_back(x.other);
    }
    for (const std::uint32_t other : moved_) {
      if (place_[other] == nowhere) continue;
      place_[other] = nowhere;
      line_.push_back(other);
    }
    moved_.clear();
    place_[r] = best;
    ++hits_[r];
    return true;
  }
  [[nodiscard]] static std::size_t within(std::int32_t slot, std::int32_t starts) {
    return static_cast<std::size_t>(slot < 0 ? 0 : slot < starts ? slot : starts);
  }

  void finish() {
    registers_ = 0;
    for (std::uint32_t r = 0; r < place_.size(); ++r) {
      allocatable& a = p_->registers[r];
      if (a.reg_class != p_->file.reg_class) continue;
      const std::int32_t place = place_[sets_.root(r)];
      if (place >= 0) {
        const std::int64_t end = std::int64_t{place} + search_geometry_of(p_->file, a).footprint;
        if (end > registers_) registers_ = static_cast<std::uint32_t>(end);
      }
      if (a.has(register_flag::pre_assigned)) continue;
      a.physical = place + static_cast<std::int32_t>(p_->file.base);
      a.set(register_flag::needs_spill, false);
    }
  }

  problem* p_ = nullptr;
  alias_sets sets_;
  vec<std::int32_t> place_;  // by root: first slot
  vec<std::uint32_t> hits_;  // by root: how often it was placed here
  vec<std::uint32_t> line_;
  vec<std::uint32_t> moved_;
  vec<std::int64_t> cost_;  // by start: beyond that of the start before it
  vec<search_geometry> geometry_;
  vec<against> against_;
  vec<std::uint32_t> first_against_;  // by root, one more than registers
  std::uint32_t steps_ = 0;
  std::uint32_t registers_ = 0;
};

}  // namespace ww::regalloc
