// SPDX-License-Identifier: BSL-1.0
//
// A set of small numbers that gives its lowest: the membership lists of the ordering (FPA-1).
//
//   insert, erase   of a number below the size that reset() was told
//   lowest          the lowest number in the set, or the size if it is empty
// Words of 64 bits, above each 64 of them a word that says which are not empty, and so on up to one word. Each operation
// touches one word of each level: four levels hold sixteen million numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/bits.hpp"
#include "../meta/vec.hpp"

namespace ww::regalloc {

class rank_set {
 public:
  void reset(std::uint32_t size) {
    size_ = size;
    levels_ = 0;
    std::uint32_t total = 0;
    std::uint32_t words = size;
    do {
      words = (words >> 6) + ((words & 63u) != 0 ? 1u : 0u);
      from_[levels_++] = total;
      total += words;
    } while (words > 1);
    words_.assign(total, 0);
  }
  void insert(std::uint32_t x) {
    for (std::uint32_t level = 0; level < levels_; ++level, x >>= 6) {
      std::uint64_t& word = words_[from_[level] + (x >> 6)];
      const bool was_empty = word == 0;
      word |= std::uint64_t{1} << (x & 63u);
      if (!was_empty) break;
    }
  }
  void erase(std::uint32_t x) {
    for (std::uint32_t level = 0; level < levels_; ++level, x >>= 6) {
      std::uint64_t& word = words_[from_[level] + (x >> 6)];
      word &= ~(std::uint64_t{1} << (x & 63u));
      if (word != 0) break;
    }
  }
  [[nodiscard]] bool empty() const { return words_.empty() || words_.back() == 0; }
  [[nodiscard]] std::uint32_t lowest() const {
    if (empty()) return size_;
    std::uint32_t x = 0;
    for (std::uint32_t level = levels_; level-- > 0;) {
      x = x << 6 | static_cast<std::uint32_t>(meta::countr_zero(words_[from_[level] + x]));
    }
    return x;
  }

 private:
  static constexpr std::uint32_t most_levels = 6;  // 64 to the sixth is more than 32 bits count

  vec<std::uint64_t> words_;  // lowest level first; the top word last
  std::uint32_t from_[most_levels] = {};
  std::uint32_t levels_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace ww::regalloc
