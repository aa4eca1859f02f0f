// SPDX-License-Identifier: BSL-1.0
//
// Remembers the best attempt of register allocation, with its assignment (FPA-8).
//
//   ranking   fewer registers; on a tie lower cost; on a tie fewer spills; on a tie the narrower class. An attempt that is equal
//             in all four is no improvement: the earlier one stays
//   density   128 / registers, in whole numbers: how many times the registers of a warp go into a file of 128
//   attempt   the number of the attempt; spill_attempt for those made while spilling
// offer() copies the places of all registers when the attempt is better, and restore() writes them back, into a problem of the same
// registers. Nothing allocates once the largest problem was seen.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/vec.hpp"
#include "problem.hpp"

namespace ww::regalloc {

inline constexpr std::uint32_t spill_attempt = 99;  // the text's sentinel
inline constexpr std::uint32_t density_scale = 128;

struct attempt_score {
  std::uint32_t registers = 0;
  double cost = 0;
  std::uint32_t spills = 0;
  std::uint32_t class_width = 0;
  // Not compared:
  std::int64_t pressure = 0;
  std::uint32_t attempt = 0;

  [[nodiscard]] constexpr std::uint32_t density() const { return density_scale / (registers == 0 ? 1 : registers); }
  [[nodiscard]] constexpr bool better_than(const attempt_score& o) const {
    if (registers != o.registers) return registers < o.registers;
    if (cost != o.cost) return cost < o.cost;
    if (spills != o.spills) return spills < o.spills;
    return class_width < o.class_width;
  }
};

class best_result {
 public:
  void clear() {
    valid_ = false;
    score_ = {};
    places_.clear();
  }
  [[nodiscard]] bool has_valid() const { return valid_; }
  [[nodiscard]] const attempt_score& score() const { return score_; }

  // True if this attempt is the best now.
  bool offer(const problem& p, const attempt_score& s) {
    if (valid_ && !s.better_than(score_)) return false;
    valid_ = true;
    score_ = s;
    places_.resize(p.registers.size());
    for (std::size_t r = 0; r < p.registers.size(); ++r) places_[r] = {p.registers[r].physical, p.registers[r].flags};
    return true;
  }
  // False, and nothing changes, if there is none, or if it was of another number of registers.
  bool restore(problem& p) const {
    if (!valid_ || places_.size() != p.registers.size()) return false;
    for (std::size_t r = 0; r < places_.size(); ++r) {
      p.registers[r].physical = places_[r].physical;
      p.registers[r].flags = places_[r].flags;
    }
    return true;
  }

 private:
  struct place {
    std::int32_t physical;
    std::uint32_t flags;
  };
  bool valid_ = false;
  attempt_score score_;
  vec<place> places_;  // by register
};

}  // namespace ww::regalloc
