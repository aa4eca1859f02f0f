// SPDX-License-Identifier: BSL-1.0
//
// Sets of definitions for reaching.hpp, each kept once, so that sets are compared by one number.
//
//   key    equal sets have equal keys, also when they come from two programs. A set of one element is its own key; the others
//          are numbered in the order in which they are met
//   trie   a set is a binary trie over its elements with the common bits of each part left out; such a trie is the same
//          whatever the order in which elements came, and equal parts of all sets are one node
//   leaf   the elements with the same upper 26 bits, one bit each
// Hence a set that differs from another by one element takes some ten nodes more, not a copy, and what two large sets have in
// common is united at once. A hash table with open addressing finds a node again. Elements are any 32-bit numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/vec.hpp"

namespace ww::verify::detail {

class definition_sets {
 public:
  using key = std::uint64_t;
  static constexpr key empty = ~0ull;

  [[nodiscard]] key with(key set, std::uint32_t element) { return unite(set, element); }
  [[nodiscard]] key unite(key a, key b) {
    if (a == b || b == empty) return a;
    return a == empty ? b : numbered | unite_nodes(node_of(a), node_of(b));
  }
  // In rising order.
  [[nodiscard]] vec<std::uint32_t> elements(key k) const {
    vec<std::uint32_t> all;
    if (k == empty) return all;
    if ((k & numbered) == 0) {
      all.push_back(static_cast<std::uint32_t>(k));
    } else {
      list(static_cast<std::uint32_t>(k), all);
    }
    return all;
  }
  // The least element; of no set that is empty.
  [[nodiscard]] std::uint32_t least(key k) const {
    if ((k & numbered) == 0) return static_cast<std::uint32_t>(k);
    std::uint32_t n = static_cast<std::uint32_t>(k);
    while (!nodes_[n].leaf()) n = nodes_[n].left();
    return nodes_[n].prefix << 6 | static_cast<std::uint32_t>(std::countr_zero(nodes_[n].content));
  }

 private:
  static constexpr key numbered = 1ull << 32;

  struct node {
    std::uint32_t prefix = 0;   // upper bits that all elements share; of a leaf the upper 26
    std::uint32_t branch = 0;   // the highest bit of the upper 26 in which they differ; 0 = leaf
    std::uint64_t content = 0;  // elements of a leaf; else nodes without and with that bit

    [[nodiscard]] bool leaf() const { return branch == 0; }
    [[nodiscard]] std::uint32_t left() const { return static_cast<std::uint32_t>(content); }
    [[nodiscard]] std::uint32_t right() const { return static_cast<std::uint32_t>(content >> 32); }
    // Do elements with these upper bits belong below this branch?
    [[nodiscard]] bool covers(std::uint32_t upper) const { return (upper & ~(2 * branch - 1)) == prefix; }
    friend bool operator==(const node&, const node&) = default;
  };

  [[nodiscard]] std::uint32_t node_of(key k) {
    if ((k & numbered) != 0) return static_cast<std::uint32_t>(k);
    const auto element = static_cast<std::uint32_t>(k);
    return find({element >> 6, 0, 1ull << (element & 63u)});
  }
  std::uint32_t fork(std::uint32_t branch, std::uint32_t upper, std::uint32_t left, std::uint32_t right) {
    return find({upper & ~(2 * branch - 1), branch, std::uint64_t{right} << 32 | left});
  }
  std::uint32_t unite_nodes(std::uint32_t a, std::uint32_t b) {
    if (a == b) return a;
    if (nodes_[a].branch < nodes_[b].branch) std::swap(a, b);
    const node x = nodes_[a], y = nodes_[b];
    if (x.leaf() && x.prefix == y.prefix) return find({x.prefix, 0, x.content | y.content});
    if (!x.leaf() && x.covers(y.prefix)) {
      memo& known = memo_[hash({a, b, 0}) & (memos - 1)];
      if (known.a == a && known.b == b) return known.both;
      std::uint32_t left = x.left(), right = x.right();
      if (x.branch == y.branch) {
        left = unite_nodes(left, y.left());
        right = unite_nodes(right, y.right());
      } else if ((y.prefix & x.branch) == 0) {
        left = unite_nodes(left, b);
      } else {
        right = unite_nodes(right, b);
      }
      const std::uint32_t both = fork(x.branch, x.prefix, left, right);
      known = {a, b, both};
      return both;
    }
    const std::uint32_t branch = std::bit_floor(x.prefix ^ y.prefix);
    return (x.prefix & branch) == 0 ? fork(branch, x.prefix, a, b) : fork(branch, x.prefix, b, a);
  }
  void list(std::uint32_t n, vec<std::uint32_t>& all) const {
    const node& k = nodes_[n];
    if (!k.leaf()) {
      list(k.left(), all);
      list(k.right(), all);
      return;
    }
    for (std::uint64_t bits = k.content; bits != 0; bits &= bits - 1) {
      all.push_back(k.prefix << 6 | static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }

  // The number of the node that is like this one.
  std::uint32_t find(const node& like) {
    if (2 * (nodes_.size() + 1) > table_.size()) grow();
    std::size_t at = hash(like) & (table_.size() - 1);
    for (; table_[at] != 0; at = (at + 1) & (table_.size() - 1)) {
      if (nodes_[table_[at] - 1] == like) return table_[at] - 1;
    }
    nodes_.push_back(like);
    table_[at] = static_cast<std::uint32_t>(nodes_.size());
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  static std::size_t hash(const node& n) {
    const std::uint64_t h =
        ((std::uint64_t{n.prefix} << 32 | n.branch) * 0x9e3779b97f4a7c15ull ^ n.content) * 0x2545f4914f6cdd1dull;
    return meta::to_size(h ^ h >> 29);
  }
  void grow() {
    table_.assign(table_.empty() ? 64 : table_.size() * 2, 0);
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      std::size_t at = hash(nodes_[n]) & (table_.size() - 1);
      while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
      table_[at] = n + 1;
    }
  }

  // Unions that were made lately.
  struct memo {
    std::uint32_t a = 0, b = 0, both = 0;  // a and b differ in every entry that is used
  };
  static constexpr std::size_t memos = 1024;

  vec<node> nodes_;
  vec<std::uint32_t> table_;  // number of a node + 1, 0 = free; the size is a power of two
  array<memo, memos> memo_{};
};

}  // namespace ww::verify::detail
