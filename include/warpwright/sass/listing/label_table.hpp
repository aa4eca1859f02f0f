// SPDX-License-Identifier: BSL-1.0
//
// The labels of one file by name: open addressing over module::labels, grown by doubling.
//
// Names are views into the text; the table stores indices only. insert() tells whether the name is new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../../meta/algorithm.hpp"
#include "../module.hpp"

namespace ww::sass::detail {

class label_table {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  // The index of the label with that name, or none.
  [[nodiscard]] std::uint32_t find(const sass::module& m, std::string_view name) const {
    if (slots_.empty()) return none;
    for (std::size_t i = hash(name) & mask_;; i = (i + 1) & mask_) {
      if (slots_[i] == none) return none;
      if (m.name_of(m.labels[slots_[i]]) == name) return slots_[i];
    }
  }

  // Adds m.labels[index]; false if its name is there already.
  [[nodiscard]] bool insert(const sass::module& m, std::uint32_t index) {
    if ((used_ + 1) * 2 > slots_.size()) grow(m);
    const std::string_view name = m.name_of(m.labels[index]);
    for (std::size_t i = hash(name) & mask_;; i = (i + 1) & mask_) {
      if (slots_[i] == none) {
        slots_[i] = index;
        ++used_;
        return true;
      }
      if (m.name_of(m.labels[slots_[i]]) == name) return false;
    }
  }

 private:
  static std::size_t hash(std::string_view s) {
    std::uint64_t h = 0xcbf29ce484222325ull;
    for (const char c : s) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    return meta::to_size(h ^ (h >> 29));
  }

  void grow(const sass::module& m) {
    const std::size_t size = slots_.empty() ? 256 : slots_.size() * 2;
    std::vector<std::uint32_t> old;
    old.swap(slots_);
    slots_.assign(size, none);
    mask_ = size - 1;
    for (const std::uint32_t index : old) {
      if (index == none) continue;
      std::size_t i = hash(m.name_of(m.labels[index])) & mask_;
      while (slots_[i] != none) i = (i + 1) & mask_;
      slots_[i] = index;
    }
  }

  std::vector<std::uint32_t> slots_;
  std::size_t mask_ = 0;
  std::size_t used_ = 0;
};

}  // namespace ww::sass::detail
