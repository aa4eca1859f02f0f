// SPDX-License-Identifier: BSL-1.0
//
// Makes an allocation problem: takes registers and constraints in any order, and groups the constraints by register.
//
//   regalloc::problem_builder b;
//   const auto x = b.add({.width = 2, .alignment_log2 = 1});
//   const auto y = b.add({});
//   b.interfere(x, y);
//   b.build(p);                         // p.constraints_of(x): those of x in the order of adding
// Grouping is stable and linear. A negative weight counts as none; constraints of registers that do not exist are left out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/vec.hpp"
#include "problem.hpp"

namespace ww::regalloc {

class problem_builder {
 public:
  void clear() {
    registers_.clear();
    constraints_.clear();
    owners_.clear();
  }
  std::uint32_t add(const allocatable& r) {
    registers_.push_back(r);
    return static_cast<std::uint32_t>(registers_.size() - 1);
  }
  [[nodiscard]] allocatable& operator[](std::uint32_t r) { return registers_[r]; }
  [[nodiscard]] std::size_t size() const { return registers_.size(); }

  void constrain(std::uint32_t owner, constraint c) {
    if (c.weight < 0) c.weight = 0;
    constraints_.push_back(c);
    owners_.push_back(owner);
  }
  // Both are live at one point: kind 0, with each of them.
  void interfere(std::uint32_t a, std::uint32_t b, std::int32_t weight = 1) {
    constrain(a, {b, weight});
    constrain(b, {a, weight});
  }

  // Fills all of `p` but its file and its candidates.
  void build(problem& p) const {
    p.registers = registers_;
    p.first_constraint.assign(registers_.size() + 1, 0);
    for (const std::uint32_t owner : owners_) {
      if (owner < registers_.size()) ++p.first_constraint[owner + 1];
    }
    for (std::size_t r = 0; r < registers_.size(); ++r) p.first_constraint[r + 1] += p.first_constraint[r];
    p.constraints.assign(p.first_constraint.back(), constraint{});
    for (std::size_t k = 0; k < owners_.size(); ++k) {
      if (owners_[k] < registers_.size()) p.constraints[p.first_constraint[owners_[k]]++] = constraints_[k];
    }
    for (std::size_t r = registers_.size(); r > 0; --r) p.first_constraint[r] = p.first_constraint[r - 1];
    p.first_constraint[0] = 0;
  }

 private:
  vec<allocatable> registers_;
  vec<constraint> constraints_;
  vec<std::uint32_t> owners_;
};

}  // namespace ww::regalloc
