// SPDX-License-Identifier: BSL-1.0
//
// The ready instructions of a block, kept so that a pick need not look at all of them (PLS-4: the text walks the whole
// list).
//
//   class    instructions that no score, bit or class-wide tie-breaker can tell apart: equal deltas, flags, pipe, group,
//            latency and kind
//   bucket   one class in one state: waiting or free (its operands are there), relaxed or critical (its deadline is reached)
//   head     the best of a bucket by what is left: earliest cycle, dependence cycle, deadline, slot
// The best of all instructions is the best of the heads, so a pick costs as many comparisons as there are buckets in use.
// Each bucket is a binary heap; an entry that has moved or gone is dropped when it comes to the top.
#pragma once

#include <cstddef>
#include <cstdint>
#include "../../meta/vec.hpp"

#include "record.hpp"

namespace ww::unified {

class ready_index {
 public:
  static constexpr std::uint32_t none = no_record;

  void start() {
    for (const std::uint32_t b : used_) {
      heaps_[b].clear();
      in_use_[b] = 0;
    }
    used_.clear();
    keys_.clear();
    table_.assign(table_.empty() ? 64 : table_.size(), none);
  }

  // The bucket of a record in a state. Grows tables when a new class appears.
  std::uint32_t bucket_of(const record& r, bool free, bool critical) {
    return class_of(r) * 4 + (free ? 2u : 0u) + (critical ? 1u : 0u);
  }
  [[nodiscard]] static constexpr bool is_free(std::uint32_t bucket) { return (bucket & 2u) != 0; }
  [[nodiscard]] static constexpr bool is_critical(std::uint32_t bucket) { return (bucket & 1u) != 0; }

  void put(std::uint32_t bucket, const record& r, std::uint32_t index) {
    vec<entry>& h = heaps_[bucket];
    if (in_use_[bucket] == 0) {
      in_use_[bucket] = 1;
      used_.push_back(bucket);
    }
    const entry e{(std::uint64_t{r.earliest} << 32) | r.dependence_cycle,
                  (std::uint64_t{r.deadline} << 32) | static_cast<std::uint32_t>(r.slot), index};
    std::size_t at = h.size();
    h.push_back(e);
    while (at > 0 && before(e, h[(at - 1) / 2])) {
      h[at] = h[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    h[at] = e;
  }

  // The head of a bucket, none if no entry is left that `records` still has there.
  template <class Records>
  std::uint32_t head(std::uint32_t bucket, const Records& records) {
    vec<entry>& h = heaps_[bucket];
    while (!h.empty() && records[h.front().index].bucket != bucket) pop(h);
    return h.empty() ? none : h.front().index;
  }

  // Calls f(bucket, head index) for every bucket in use; forgets the empty ones. The order is not meaningful.
  template <class Records, class F>
  void each_head(const Records& records, F&& f) {
    for (std::size_t i = 0; i < used_.size();) {
      const std::uint32_t index = head(used_[i], records);
      if (index == none) {
        in_use_[used_[i]] = 0;
        used_[i] = used_.back();
        used_.pop_back();
      } else {
        f(used_[i], index);
        ++i;
      }
    }
  }

  // Calls f(index) for every instruction of the buckets that accept(bucket) names.
  template <class Records, class Accept, class F>
  void each_in(const Records& records, Accept&& accept, F&& f) const {
    for (const std::uint32_t b : used_) {
      if (!accept(b)) continue;
      for (const entry& e : heaps_[b]) {
        if (records[e.index].bucket == b) f(e.index);
      }
    }
  }

 private:
  struct entry {
    std::uint64_t high;  // earliest, dependence
    std::uint64_t low;   // deadline, slot
    std::uint32_t index;
  };
  struct key {
    std::uint64_t deltas;
    std::uint64_t rest;
    friend constexpr bool operator==(const key&, const key&) = default;
  };

  static constexpr bool before(const entry& a, const entry& b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }

  static void pop(vec<entry>& h) {
    const entry e = h.back();
    h.pop_back();
    const std::size_t n = h.size();
    if (n == 0) return;
    std::size_t at = 0;
    for (std::size_t child = 1; child < n; child = 2 * at + 1) {
      if (child + 1 < n && before(h[child + 1], h[child])) ++child;
      if (!before(h[child], e)) break;
      h[at] = h[child];
      at = child;
    }
    h[at] = e;
  }

  [[nodiscard]] static constexpr key key_of(const record& r) {
    std::uint64_t deltas = 0;
    for (const std::int16_t d : r.delta) deltas = deltas << 16 | static_cast<std::uint16_t>(d);
    const std::uint64_t kind = r.has(record_flag::batched) ? static_cast<std::uint64_t>(r.iclass) + 1 : 0;
    return {deltas, kind << 48 | std::uint64_t{r.latency} << 32 | std::uint64_t{r.flags} << 16 | std::uint64_t{r.pipe} << 8 |
                        r.barrier_group};
  }

  std::uint32_t class_of(const record& r) {
    const key k = key_of(r);
    std::size_t at = slot_of(k);
    if (table_[at] != none) return table_[at];
    if (keys_.size() * 2 >= table_.size()) {
      table_.assign(table_.size() * 2, none);
      for (std::uint32_t c = 0; c < keys_.size(); ++c) table_[slot_of(keys_[c])] = c;
      at = slot_of(k);
    }
    const auto c = static_cast<std::uint32_t>(keys_.size());
    keys_.push_back(k);
    table_[at] = c;
    if (heaps_.size() < std::size_t{c} * 4 + 4) {
      heaps_.resize(std::size_t{c} * 4 + 4);
      in_use_.resize(heaps_.size());
    }
    return c;
  }
  [[nodiscard]] std::size_t slot_of(const key& k) const {
    std::uint64_t h = (k.deltas ^ (k.rest * 0x9e3779b97f4a7c15ull)) * 0xff51afd7ed558ccdull;
    h ^= h >> 32;
    std::size_t at = static_cast<std::size_t>(h) & (table_.size() - 1);
    while (table_[at] != none && !(keys_[table_[at]] == k)) at = (at + 1) & (table_.size() - 1);
    return at;
  }

  vec<vec<entry>> heaps_;     // four per class, kept from block to block
  vec<std::uint32_t> used_;   // buckets that may hold something
  vec<std::uint8_t> in_use_;  // per bucket
  vec<key> keys_;             // per class
  vec<std::uint32_t> table_;  // open addressing over keys_
};

}  // namespace ww::unified
