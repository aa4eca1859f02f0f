// SPDX-License-Identifier: BSL-1.0
//
// Which registers share one place: those that coalescing tied together (FPA-4, FPA-6).
//
//   root(r)      the register that speaks for r's set: the last of its chain of alias parents
//   members(r)   all of the set of root r, in source order
// A link counts between registers of the same class, width, alignment, phase and pair mode. A set is all that hangs together by
// links, not only one chain, because every one of them gets the place. Links in a circle make a set like any other.
// Linear but for the search of roots, which shortens its paths.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "problem.hpp"

namespace ww::regalloc {

class alias_sets {
 public:
  void build(const problem& p) {
    const std::uint32_t n = static_cast<std::uint32_t>(p.registers.size());
    root_.resize(n);
    first_.resize(n + 1);
    members_.resize(n);
    bool linked = false;
    for (std::uint32_t r = 0; r < n; ++r) root_[r] = r;
    for (std::uint32_t r = 0; r < n; ++r) {
      const std::uint32_t parent = p.registers[r].alias_parent;
      if (parent >= n || parent == r || !alike(p.registers[r], p.registers[parent])) continue;
      const std::uint32_t above = find(parent);
      if (above != r) root_[r] = above;  // r is a root still: only its own link ties it
      linked = true;
    }
    if (!linked) {
      for (std::uint32_t r = 0; r < n; ++r) members_[r] = first_[r] = r;
      first_[n] = n;
      return;
    }
    for (std::uint32_t r = 0; r <= n; ++r) first_[r] = 0;
    for (std::uint32_t r = 0; r < n; ++r) ++first_[root_[r] = find(r)];
    std::uint32_t sum = 0;
    for (std::uint32_t r = 0; r <= n; ++r) {
      const std::uint32_t count = first_[r];
      first_[r] = sum;
      sum += count;
    }
    for (std::uint32_t r = 0; r < n; ++r) members_[first_[root_[r]]++] = r;
    for (std::uint32_t r = n; r > 0; --r) first_[r] = first_[r - 1];
    first_[0] = 0;
  }
  [[nodiscard]] std::uint32_t root(std::uint32_t r) const { return root_[r]; }
  [[nodiscard]] span<const std::uint32_t> members(std::uint32_t root) const {
    return {members_.data() + first_[root], static_cast<std::size_t>(first_[root + 1] - first_[root])};
  }

 private:
  [[nodiscard]] static bool alike(const allocatable& a, const allocatable& b) {
    return a.reg_class == b.reg_class && a.width == b.width && a.alignment_log2 == b.alignment_log2 &&
           a.pairing == b.pairing && a.phase == b.phase &&
           a.has(register_flag::exact_width) == b.has(register_flag::exact_width);
  }
  [[nodiscard]] std::uint32_t find(std::uint32_t r) {
    while (root_[r] != r) r = root_[r] = root_[root_[r]];
    return r;
  }

  vec<std::uint32_t> root_;
  vec<std::uint32_t> first_;
  vec<std::uint32_t> members_;
};

}  // namespace ww::regalloc
