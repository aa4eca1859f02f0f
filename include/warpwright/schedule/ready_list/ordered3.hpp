// SPDX-License-Identifier: BSL-1.0
//
// A ready list as a binary tree ordered by three keys (PLS-2): priority descending, latency descending, instruction
// number ascending.
//
// The upper bits of the entry's key are the priority, its lower bits the latency, the rest of its rank the number, so that
// one comparison of ranks is the three-key comparison. The tree is a skew heap over a pool of nodes: insertion and removal
// of the best are merges, O(log n) amortised, without rotations or colours. Nodes are reused through a free list; nothing is
// allocated once the pool has grown to the largest block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "../../meta/vec.hpp"
#include "concept.hpp"

namespace ww::ready_list {

template <class Hook = no_hook>
struct ordered3 {
  static_assert(insertion_hook<Hook>,
                "ww::ready_list::ordered3<Hook>: a hook has `static std::uint64_t insert(key, index)`");
  using role = ww::role::ready_list;
  static constexpr const char* name = "ordered3";
  static constexpr bool iterable = false;

  class queue {
    static constexpr std::uint32_t none = 0xffffffffu;

   public:
    void clear() {
      pool_.clear();
      free_ = none;
      root_ = none;
      size_ = 0;
    }
    void reserve(std::size_t n) { pool_.reserve(n); }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] entry top() const { return pool_[root_].value; }

    void push(entry e) {
      e = hooked<Hook>(e);
      std::uint32_t n = free_;
      if (n != none) {
        free_ = pool_[n].left;
      } else {
        n = static_cast<std::uint32_t>(pool_.size());
        pool_.emplace_back();
      }
      pool_[n] = {e, none, none};
      root_ = merge(root_, n);
      ++size_;
    }
    void pop() {
      const std::uint32_t gone = root_;
      root_ = merge(pool_[gone].left, pool_[gone].right);
      pool_[gone].left = free_;
      free_ = gone;
      --size_;
    }
    // The best entry other than the top; the top itself when it is alone.
    [[nodiscard]] entry second() const {
      const std::uint32_t l = pool_[root_].left;
      const std::uint32_t r = pool_[root_].right;
      if (l == none && r == none) return top();
      if (l == none) return pool_[r].value;
      if (r == none) return pool_[l].value;
      return before(pool_[l].value, pool_[r].value) ? pool_[l].value : pool_[r].value;
    }

   private:
    struct node {
      entry value;
      std::uint32_t left;
      std::uint32_t right;
    };

    // Merges two trees top down: the right spine is the merged one, and children swap sides on the way.
    std::uint32_t merge(std::uint32_t a, std::uint32_t b) {
      std::uint32_t result = none;
      std::uint32_t parent = none;
      while (a != none && b != none) {
        if (before(pool_[b].value, pool_[a].value)) std::swap(a, b);
        attach(result, parent, a);
        parent = a;
        const std::uint32_t rest = pool_[a].right;
        pool_[a].right = pool_[a].left;
        pool_[a].left = none;
        a = rest;
      }
      attach(result, parent, a != none ? a : b);
      return result;
    }
    void attach(std::uint32_t& result, std::uint32_t parent, std::uint32_t child) {
      if (parent == none) {
        result = child;
      } else {
        pool_[parent].left = child;
      }
    }

    vec<node> pool_;
    std::uint32_t free_ = none;
    std::uint32_t root_ = none;
    std::size_t size_ = 0;
  };
};

}  // namespace ww::ready_list
