// SPDX-License-Identifier: BSL-1.0
//
// Registers of the four groups that a block-local liveness walk needs to remember, one bit each.
//
//   group   R, P, UP, UR, in the order of priority/candidate.hpp
//   bits    256 physical registers per group in place; virtual ones in vectors that grow to the largest number seen and are
//           kept from block to block. Numbers between 256 and reg::first_virtual do not exist and are never set
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/reg.hpp"
#include "../meta/vec.hpp"

namespace ww::detail {

class group_bits {
 public:
  constexpr void clear() {
    for (std::uint64_t& w : bits_) w = 0;
    for (vec<std::uint64_t>& v : above_) v.assign(v.size(), 0);
  }
  // Sets the bit and tells whether it was clear.
  constexpr bool set(reg_file file, std::uint32_t number) {
    std::uint64_t* w = word(file, number);
    if (w == nullptr) return false;
    const std::uint64_t bit = std::uint64_t{1} << (number & 63u);
    const bool was = (*w & bit) != 0;
    *w |= bit;
    return !was;
  }
  // Clears the bit and tells whether it was set.
  constexpr bool clear(reg_file file, std::uint32_t number) {
    std::uint64_t* w = word(file, number);
    if (w == nullptr) return false;
    const std::uint64_t bit = std::uint64_t{1} << (number & 63u);
    const bool was = (*w & bit) != 0;
    *w &= ~bit;
    return was;
  }

 private:
  constexpr std::uint64_t* word(reg_file file, std::uint32_t number) {
    const unsigned group = file == reg_file::r ? 0 : file == reg_file::p ? 1 : file == reg_file::up ? 2 : 3;
    if (number < 256) return &bits_[group * 4 + (number >> 6)];
    if (number < reg::first_virtual) return nullptr;
    vec<std::uint64_t>& v = above_[group];
    const std::size_t at = (number - reg::first_virtual) >> 6;
    if (at >= v.size()) v.resize(at + 16, 0);
    return &v[at];
  }
  std::uint64_t bits_[16] = {};
  vec<std::uint64_t> above_[4];
};

}  // namespace ww::detail
