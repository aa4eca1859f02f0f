// SPDX-License-Identifier: BSL-1.0
//
// Sets of definitions for reaching.hpp, each kept once, so that sets are compared by one number.
//
//   key   equal sets have equal keys, also when they come from two programs. A set of one element is its own key; the others
//         are numbered in the order in which they are met
// A hash table with open addressing finds a set again. Elements are any 32-bit numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../meta/algorithm.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"

namespace ww::verify::detail {

// Sets of definitions, kept once: equal sets have equal keys, also between programs. A set of one element is its own key,
// the others are numbered; a hash table with open addressing finds them again.
class definition_sets {
 public:
  using key = std::uint64_t;
  static constexpr key empty = ~0ull;

  key of(vec<std::uint32_t>& elements) {
    std::sort(elements.begin(), elements.end());
    if (elements.empty()) return empty;
    if (elements.size() == 1) return elements[0];
    if (2 * (first_.size() + 1) > table_.size()) grow();
    std::size_t at = hash(elements) & (table_.size() - 1);
    for (; table_[at] != 0; at = (at + 1) & (table_.size() - 1)) {
      const span<const std::uint32_t> known = set(table_[at] - 1);
      if (std::equal(known.begin(), known.end(), elements.begin(), elements.end())) return numbered | (table_[at] - 1);
    }
    const auto number = static_cast<std::uint32_t>(first_.size() - 1);
    table_[at] = number + 1;
    data_.insert(data_.end(), elements.begin(), elements.end());
    first_.push_back(data_.size());
    return numbered | number;
  }
  [[nodiscard]] vec<std::uint32_t> elements(key k) const {
    if (k == empty) return {};
    if ((k & numbered) == 0) return {static_cast<std::uint32_t>(k)};
    const span<const std::uint32_t> known = set(static_cast<std::uint32_t>(k));
    return {known.begin(), known.end()};
  }

 private:
  static constexpr key numbered = 1ull << 32;

  [[nodiscard]] span<const std::uint32_t> set(std::uint32_t number) const {
    return {data_.data() + first_[number], first_[number + 1] - first_[number]};
  }
  static std::size_t hash(span<const std::uint32_t> elements) {
    std::uint64_t h = 0x9e3779b97f4a7c15ull;
    for (const std::uint32_t e : elements) h = (h ^ e) * 0x2545f4914f6cdd1dull;
    return meta::to_size(h ^ h >> 29);
  }
  void grow() {
    table_.assign(table_.empty() ? 64 : table_.size() * 2, 0);
    for (std::uint32_t k = 0; k + 1 < first_.size(); ++k) {
      std::size_t at = hash(set(k)) & (table_.size() - 1);
      while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
      table_[at] = k + 1;
    }
  }

  vec<std::uint32_t> data_;
  vec<std::size_t> first_ = {0};
  vec<std::uint32_t> table_;  // number + 1, 0 = free; the size is a power of two
};

}  // namespace ww::verify::detail
