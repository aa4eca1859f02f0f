// SPDX-License-Identifier: BSL-1.0
//
// A set of scheduling classes as a constexpr value, and small maps from class to number.
//
// The pages of an SM are mostly sentences of the form "these classes are so": a class_set is such a sentence.
// Sets are combined with | (both) and - (without), so that an SM page states only how it differs from another one that it
// names. number_map is the same with a number per class: a default and the classes that differ from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "../../isa/sched_class.hpp"

namespace ww::detail {

struct class_set {
  static constexpr std::size_t words = (sched_class_count + 63u) / 64u;
  std::uint64_t bits[words] = {};

  constexpr class_set() = default;
  constexpr class_set(std::initializer_list<sched_class> list) {
    for (const sched_class c : list) {
      const auto i = static_cast<std::size_t>(c);
      bits[i / 64u] |= 1ull << (i % 64u);
    }
  }
  [[nodiscard]] constexpr bool has(sched_class c) const {
    const auto i = static_cast<std::size_t>(c);
    return i < sched_class_count && ((bits[i / 64u] >> (i % 64u)) & 1u) != 0;
  }
  friend constexpr class_set operator|(class_set a, const class_set& b) {
    for (std::size_t i = 0; i < words; ++i) {
      a.bits[i] |= b.bits[i];
    }
    return a;
  }
  friend constexpr class_set operator-(class_set a, const class_set& b) {
    for (std::size_t i = 0; i < words; ++i) {
      a.bits[i] &= ~b.bits[i];
    }
    return a;
  }
};

// One entry of a number_map.
struct class_number {
  sched_class iclass;
  unsigned number;
};

struct number_map {
  std::uint8_t value[sched_class_count] = {};

  constexpr number_map(unsigned rest, std::initializer_list<class_number> entries) {
    for (std::uint8_t& v : value) {
      v = static_cast<std::uint8_t>(rest);
    }
    set(entries);
  }
  [[nodiscard]] constexpr unsigned operator()(sched_class c) const {
    const auto i = static_cast<std::size_t>(c);
    return value[i < sched_class_count ? i : 0u];
  }
  // This map with some classes changed.
  [[nodiscard]] constexpr number_map with(std::initializer_list<class_number> entries) const {
    number_map m = *this;
    m.set(entries);
    return m;
  }

 private:
  constexpr void set(std::initializer_list<class_number> entries) {
    for (const class_number& e : entries) {
      value[static_cast<std::size_t>(e.iclass)] = static_cast<std::uint8_t>(e.number);
    }
  }
};

}  // namespace ww::detail
