// SPDX-License-Identifier: BSL-1.0
//
// A set of places in a block with its largest member at hand.
//
//   word      64 places       summary   64 words; one bit per word that is not empty
// A block has at most 4095 instructions (PLS-14), so the summary is one word and finding the largest member takes three
// steps. A larger set walks its summary words.
#pragma once

#include <cstddef>
#include <cstdint>
#include "../../meta/vec.hpp"

namespace ww::unified {

class slot_set {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  constexpr void start(std::uint32_t count) {
    words_.assign((std::size_t{count} + 63) / 64, 0);
    summary_.assign((words_.size() + 63) / 64, 0);
  }
  constexpr void insert(std::uint32_t i) {
    words_[i >> 6] |= std::uint64_t{1} << (i & 63u);
    summary_[i >> 12] |= std::uint64_t{1} << ((i >> 6) & 63u);
  }
  [[nodiscard]] constexpr bool has(std::uint32_t i) const { return (words_[i >> 6] >> (i & 63u) & 1u) != 0; }
  constexpr void erase(std::uint32_t i) {
    words_[i >> 6] &= ~(std::uint64_t{1} << (i & 63u));
    if (words_[i >> 6] == 0) summary_[i >> 12] &= ~(std::uint64_t{1} << ((i >> 6) & 63u));
  }
  [[nodiscard]] constexpr std::uint32_t largest() const {
    for (std::size_t s = summary_.size(); s-- > 0;) {
      if (summary_[s] == 0) continue;
      const auto w = static_cast<std::uint32_t>(s * 64 + 63) - static_cast<std::uint32_t>(__builtin_clzll(summary_[s]));
      return w * 64 + 63 - static_cast<std::uint32_t>(__builtin_clzll(words_[w]));
    }
    return none;
  }
  // Calls f(i) for the members in ascending order until it returns false.
  template <class F>
  constexpr void each(F&& f) const {
    for (std::size_t s = 0; s < summary_.size(); ++s) {
      for (std::uint64_t full = summary_[s]; full != 0; full &= full - 1) {
        const std::size_t w = s * 64 + static_cast<std::size_t>(__builtin_ctzll(full));
        for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) {
          if (!f(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(__builtin_ctzll(left)))) return;
        }
      }
    }
  }

 private:
  vec<std::uint64_t> words_;
  vec<std::uint64_t> summary_;
};

}  // namespace ww::unified
