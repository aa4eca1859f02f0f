// SPDX-License-Identifier: BSL-1.0
//
// The chained hash table of the reference texts, by 32-bit numbers: the entry last accepted for each scheduling class (PLS-17,
// "solution table"), and the blocks that have their place already (HC-6).
//
//   hash     FNV-1a over the four bytes of the key, lowest first: offset 0x811C9DC5, prime 16777619
//   bucket   hash & (capacity - 1); a new node goes to the front of its chain, a known key only gets the new value
//   counts   `entries`: keys. `chain_length`: at every insertion the length that the chain then has is added
//   growth   starts with 8 buckets; when chain_length > entries and entries > capacity / 2, there are four times as many,
//            and the counts are taken anew
// All nodes live in one array; clearing keeps the memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vec.hpp"

namespace ww::meta {

[[nodiscard]] constexpr std::uint32_t fnv1a(std::uint32_t key) {
  std::uint32_t hash = 0x811C9DC5u;
  for (unsigned byte = 0; byte < 4; ++byte) hash = (hash ^ (key >> (8 * byte) & 0xffu)) * 16777619u;
  return hash;
}

template <class Value>
class fnv_table {
 public:
  static constexpr std::size_t initial_capacity = 8;
  static constexpr std::size_t growth = 4;

  void clear() {
    nodes_.clear();
    buckets_.clear();
    chain_length_ = 0;
  }
  [[nodiscard]] std::size_t entries() const { return nodes_.size(); }
  [[nodiscard]] std::size_t chain_length() const { return chain_length_; }
  [[nodiscard]] std::size_t capacity() const { return buckets_.size(); }

  // Puts the value under the key, in place of an older one.
  void insert(std::uint32_t key, const Value& value) {
    if (buckets_.empty()) buckets_.assign(initial_capacity, bucket{});
    const std::uint32_t hash = fnv1a(key);
    if (node* known = find_node(key, hash)) {
      known->value = value;
      return;
    }
    nodes_.push_back({none, key, hash, value});
    link(static_cast<std::uint32_t>(nodes_.size() - 1));
    if (chain_length_ > nodes_.size() && nodes_.size() > buckets_.size() / 2) grow();
  }
  [[nodiscard]] const Value* find(std::uint32_t key) const {
    if (buckets_.empty()) return nullptr;
    const node* known = find_node(key, fnv1a(key));
    return known == nullptr ? nullptr : &known->value;
  }
  // Calls f(key, value) for every key, in the order of first insertion.
  template <class F>
  void each(F&& f) const {
    for (const node& n : nodes_) f(n.key, n.value);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  struct node {
    std::uint32_t next;
    std::uint32_t key;
    std::uint32_t hash;
    Value value;
  };
  struct bucket {
    std::uint32_t head = none;
    std::uint32_t count = 0;
  };

  [[nodiscard]] const node* find_node(std::uint32_t key, std::uint32_t hash) const {
    for (std::uint32_t n = buckets_[hash & (buckets_.size() - 1)].head; n != none; n = nodes_[n].next) {
      if (nodes_[n].key == key) return &nodes_[n];
    }
    return nullptr;
  }
  [[nodiscard]] node* find_node(std::uint32_t key, std::uint32_t hash) {
    return const_cast<node*>(static_cast<const fnv_table*>(this)->find_node(key, hash));
  }
  void link(std::uint32_t n) {
    bucket& b = buckets_[nodes_[n].hash & (buckets_.size() - 1)];
    nodes_[n].next = b.head;
    b.head = n;
    chain_length_ += ++b.count;
  }
  void grow() {
    buckets_.assign(buckets_.size() * growth, bucket{});
    chain_length_ = 0;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) link(n);
  }

  vec<node> nodes_;
  vec<bucket> buckets_;
  std::size_t chain_length_ = 0;
};

}  // namespace ww::meta
