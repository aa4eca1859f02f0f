// SPDX-License-Identifier: BSL-1.0
//
// How often register allocation tries before it spills, and the classes that it goes through (FPA-8).
//
//   fast       one attempt, or as many as `count` says, where it is set; with `special` none: straight to spilling
//   standard   two attempts where the pressure is low, none where it is high
//   pressure   low while the most registers that are live at one time are no more than there are. The text has the two words and
//              no number: assumed
//   classes    1 to 6, one after the other. Class 0 is for what holds between classes and has no round of its own
#pragma once

#include <cstdint>

namespace ww::regalloc {

struct retry_mode {
  bool fast = false;
  bool special = false;         // of the fast mode
  std::uint32_t count = unset;  // of the fast mode
  static constexpr std::uint32_t unset = 0xffffffffu;
  static constexpr std::uint32_t standard_attempts = 2;

  [[nodiscard]] constexpr std::uint32_t attempts(bool pressure_is_low) const {
    if (fast) return special ? 0 : count != unset ? count : 1;
    return pressure_is_low ? standard_attempts : 0;
  }
};

enum class register_class : std::uint8_t { unified, r, r_other, ur, ur_extended, p, tensor, count };

inline constexpr unsigned first_class = static_cast<unsigned>(register_class::r);
inline constexpr unsigned last_class = static_cast<unsigned>(register_class::tensor);

[[nodiscard]] constexpr const char* name_of(register_class c) {
  constexpr const char* names[] = {"all", "R", "R (alt)", "UR", "UR (ext)", "P / UP", "Tensor/Acc"};
  return c < register_class::count ? names[static_cast<unsigned>(c)] : "?";
}

// What the hardware has of each class; the tensor class depends on the SM.
[[nodiscard]] constexpr std::uint32_t hardware_limit_of(register_class c) {
  switch (c) {
    case register_class::r:
    case register_class::r_other:
      return 255;
    case register_class::ur:
    case register_class::ur_extended:
      return 63;
    case register_class::p:
      return 7;
    default:
      return 0;
  }
}

static_assert(retry_mode{}.attempts(true) == 2 && retry_mode{}.attempts(false) == 0);
static_assert(retry_mode{true}.attempts(false) == 1 && retry_mode{true, false, 5}.attempts(true) == 5);
static_assert(retry_mode{true, true, 5}.attempts(true) == 0);

}  // namespace ww::regalloc
