// SPDX-License-Identifier: BSL-1.0
//
// Many short lists in one array: the items of group g are items[first[g] .. first[g + 1]).
//
// Made by two passes over the same sequence: pass 0 counts, turn(0) lays the groups out, pass 1 puts the items, turn(1)
// closes. Before it, `first` has one entry per group and one more, all zero.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../meta/vec.hpp"

namespace ww::detail {

struct grouped_list {
  vec<std::uint32_t> first;
  vec<std::uint32_t> items;
  void put(std::uint32_t group, std::uint32_t item, unsigned pass) {
    if (pass == 0) {
      ++first[group + 1];
    } else {
      items[first[group]++] = item;
    }
  }
  void turn(unsigned pass) {
    if (pass == 0) {
      for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
      items.assign(first.back(), 0);
    } else {  // every start has moved to its end: move back
      for (std::size_t i = first.size() - 1; i > 0; --i) first[i] = first[i - 1];
      first[0] = 0;
    }
  }
  [[nodiscard]] std::uint32_t size(std::uint32_t group) const { return first[group + 1] - first[group]; }
  [[nodiscard]] std::uint32_t item(std::uint32_t group, std::uint32_t k) const { return items[first[group] + k]; }
};

}  // namespace ww::detail
