// SPDX-License-Identifier: BSL-1.0
//
// The threshold gate of backend C (PLS-17): which evaluated entries are committed to the solution table.
//
//   inactive   the initial state: the ceiling is 0 and every entry is rejected, as the text has it
//   active     entries with a score at or below the ceiling pass: lower is better
//   refine     what switches the gate on from outside, and tightens it: the ceiling never rises
#pragma once

namespace ww::backend::c {

class threshold {
 public:
  [[nodiscard]] constexpr bool active() const { return active_; }
  [[nodiscard]] constexpr double ceiling() const { return ceiling_; }

  [[nodiscard]] constexpr bool rejects(double score) const { return !active_ || score > ceiling_; }

  // Switches the gate on, or lowers its ceiling. False when that changes nothing.
  constexpr bool refine(double ceiling) {
    if (active_ && ceiling >= ceiling_) return false;
    active_ = true;
    ceiling_ = ceiling;
    return true;
  }
  constexpr void reset() { *this = threshold{}; }

 private:
  double ceiling_ = 0.0;
  bool active_ = false;
};

}  // namespace ww::backend::c
