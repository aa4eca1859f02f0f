// SPDX-License-Identifier: BSL-1.0
//
// A ready list as a red-black tree over a pool of nodes (PLS-2, PLS-17): the ordered queue as the reference text has it.
//
//   node     item, two children, parent and colour; whatever goes before its parent is a left child
//   insert   walks down by the item's comparison, then rotates and recolours on the way up
//   pop      takes the leftmost node, gives it back to the pool and restores the black heights
//
// `red_black_queue<Item>` holds any item with a `before(a, b)`; `red_black_tree` is the ready-list policy over it. The pool
// keeps its nodes: nothing is allocated once it has grown to the largest block. bench/ready_list.cpp compares it with
// ordered3, which gives the same order and is faster.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../meta/vec.hpp"
#include "concept.hpp"

namespace ww::ready_list {

template <class Item>
class red_black_queue {
 public:
  constexpr red_black_queue() { clear(); }

  constexpr void clear() {
    pool_.resize(1);  // node 0 is the black leaf that all nodes share
    pool_[0] = node{};
    root_ = first_ = free_ = leaf;
    size_ = 0;
  }
  constexpr void reserve(std::size_t n) { pool_.reserve(n + 1); }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr Item top() const { return pool_[first_].item; }
  // The best item other than the top; the top itself when it is alone.
  [[nodiscard]] constexpr Item second() const { return size_ > 1 ? pool_[next(first_)].item : top(); }

  constexpr void push(const Item& item) {
    const std::uint32_t fresh = take_node(item);
    std::uint32_t parent = leaf;
    bool leftmost = true;
    bool left = false;
    for (std::uint32_t at = root_; at != leaf;) {
      parent = at;
      left = before(item, pool_[at].item);
      leftmost = leftmost && left;
      at = left ? pool_[at].left : pool_[at].right;
    }
    pool_[fresh].parent = parent;
    if (parent == leaf) {
      root_ = fresh;
    } else if (left) {
      pool_[parent].left = fresh;
    } else {
      pool_[parent].right = fresh;
    }
    if (leftmost) first_ = fresh;
    ++size_;
    restore_after_push(fresh);
  }

  constexpr void pop() {
    const std::uint32_t gone = first_;
    first_ = next(gone);
    const std::uint32_t child = pool_[gone].right;  // the leftmost node has no left child
    const std::uint32_t parent = pool_[gone].parent;
    if (parent == leaf) {
      root_ = child;
    } else {
      pool_[parent].left = child;
    }
    pool_[child].parent = parent;
    if (!pool_[gone].red) restore_after_pop(child);
    pool_[leaf] = node{};
    pool_[gone].left = free_;
    free_ = gone;
    --size_;
  }

  // The laws of the tree: order, no red child of a red node, equal black heights. For tests; O(n).
  [[nodiscard]] constexpr bool balanced() const {
    return root_ == leaf ? size_ == 0 : !pool_[root_].red && black_height(root_) > 0;
  }

 private:
  static constexpr std::uint32_t leaf = 0;

  struct node {
    Item item{};
    std::uint32_t left = leaf;
    std::uint32_t right = leaf;
    std::uint32_t parent = leaf;
    bool red = false;
  };

  constexpr std::uint32_t take_node(const Item& item) {
    std::uint32_t n = free_;
    if (n != leaf) {
      free_ = pool_[n].left;
    } else {
      n = static_cast<std::uint32_t>(pool_.size());
      pool_.emplace_back();
    }
    pool_[n] = {item, leaf, leaf, leaf, true};
    return n;
  }

  // The node behind `at`; only asked for the leftmost one.
  [[nodiscard]] constexpr std::uint32_t next(std::uint32_t at) const {
    if (pool_[at].right == leaf) return pool_[at].parent;
    at = pool_[at].right;
    while (pool_[at].left != leaf) at = pool_[at].left;
    return at;
  }

  template <bool Left>
  [[nodiscard]] constexpr std::uint32_t& child(std::uint32_t of) {
    return Left ? pool_[of].left : pool_[of].right;
  }

  // Left: the right child of `at` takes its place, and `at` becomes that one's left child. Otherwise mirrored.
  template <bool Left>
  constexpr void rotate(std::uint32_t at) {
    const std::uint32_t up = child<!Left>(at);
    const std::uint32_t between = child<Left>(up);
    const std::uint32_t parent = pool_[at].parent;
    child<!Left>(at) = between;
    if (between != leaf) pool_[between].parent = at;
    pool_[up].parent = parent;
    if (parent == leaf) {
      root_ = up;
    } else if (pool_[parent].left == at) {
      pool_[parent].left = up;
    } else {
      pool_[parent].right = up;
    }
    child<Left>(up) = at;
    pool_[at].parent = up;
  }

  constexpr void restore_after_push(std::uint32_t at) {
    while (pool_[pool_[at].parent].red) {
      const std::uint32_t grandparent = pool_[pool_[at].parent].parent;
      at = pool_[grandparent].left == pool_[at].parent ? recolour<true>(at) : recolour<false>(at);
    }
    pool_[root_].red = false;
  }
  template <bool Left>  // the parent is a left child
  constexpr std::uint32_t recolour(std::uint32_t at) {
    std::uint32_t parent = pool_[at].parent;
    const std::uint32_t grandparent = pool_[parent].parent;
    const std::uint32_t uncle = child<!Left>(grandparent);
    if (pool_[uncle].red) {
      pool_[parent].red = false;
      pool_[uncle].red = false;
      pool_[grandparent].red = true;
      return grandparent;
    }
    if (child<!Left>(parent) == at) {
      at = parent;
      rotate<Left>(at);
      parent = pool_[at].parent;
    }
    pool_[parent].red = false;
    pool_[grandparent].red = true;
    rotate<!Left>(grandparent);
    return at;
  }

  constexpr void restore_after_pop(std::uint32_t at) {
    while (at != root_ && !pool_[at].red) {
      at = pool_[pool_[at].parent].left == at ? refill<true>(at) : refill<false>(at);
    }
    pool_[at].red = false;
  }
  template <bool Left>  // the subtree that lacks a black node is a left child
  constexpr std::uint32_t refill(std::uint32_t at) {
    const std::uint32_t parent = pool_[at].parent;
    std::uint32_t sibling = child<!Left>(parent);
    if (pool_[sibling].red) {
      pool_[sibling].red = false;
      pool_[parent].red = true;
      rotate<Left>(parent);
      sibling = child<!Left>(parent);
    }
    if (!pool_[pool_[sibling].left].red && !pool_[pool_[sibling].right].red) {
      pool_[sibling].red = true;
      return parent;
    }
    if (!pool_[child<!Left>(sibling)].red) {
      pool_[child<Left>(sibling)].red = false;
      pool_[sibling].red = true;
      rotate<!Left>(sibling);
      sibling = child<!Left>(parent);
    }
    pool_[sibling].red = pool_[parent].red;
    pool_[parent].red = false;
    pool_[child<!Left>(sibling)].red = false;
    rotate<Left>(parent);
    return root_;
  }

  // Black nodes on every way down, 0 where the ways differ or a law is broken.
  [[nodiscard]] constexpr std::uint32_t black_height(std::uint32_t at) const {
    if (at == leaf) return 1;
    const node& n = pool_[at];
    if (n.red && (pool_[n.left].red || pool_[n.right].red)) return 0;
    if (n.left != leaf && before(n.item, pool_[n.left].item)) return 0;
    if (n.right != leaf && before(pool_[n.right].item, n.item)) return 0;
    const std::uint32_t l = black_height(n.left);
    const std::uint32_t r = black_height(n.right);
    return l == 0 || l != r ? 0 : l + (n.red ? 0u : 1u);
  }

  vec<node> pool_;
  std::uint32_t root_ = leaf;
  std::uint32_t first_ = leaf;  // leftmost node
  std::uint32_t free_ = leaf;
  std::size_t size_ = 0;
};

template <class Hook = no_hook>
struct red_black_tree {
  using role = ww::role::ready_list;
  static constexpr const char* name = "red_black_tree";
  static constexpr bool arguments_fit = insertion_hook<Hook>;
  static constexpr bool iterable = false;

  struct queue : red_black_queue<entry> {
    constexpr void push(entry e) { red_black_queue<entry>::push(hooked<Hook>(e)); }
  };
};

}  // namespace ww::ready_list
