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
// Each bucket is a binary heap; an entry that has moved or gone is dropped when it comes to the top. The heads stand in one
// array without gaps, kept right as instructions come (put) and go (left).
#pragma once

#include <cstddef>
#include <cstdint>
#include "../../meta/vec.hpp"

#include "record.hpp"

namespace ww::unified {

class ready_index {
 public:
  static constexpr std::uint32_t none = no_record;

  // A head with what a quick comparison needs of it.
  struct top {
    std::uint32_t bucket = 0;
    std::uint32_t index = 0;
    std::uint64_t fixed = 0;     // barrier group from bit 48 on, bit 24 where it is no yield boundary
    std::uint32_t earliest = 0;  // cycle
    std::uint16_t flags = 0;
    std::int16_t delta = 0;  // of the general registers, units
    std::uint8_t pipe = 0;
    bool target = false;
  };

  void start() {
    for (const top& t : tops_) place_[t.bucket] = none;
    for (const std::uint32_t b : touched_) heaps_[b].clear();
    tops_.clear();
    touched_.clear();
    keys_.clear();
    table_.assign(table_.empty() ? 64 : table_.size(), none);
  }

  // The bucket of a record in a state. Grows tables when a new class appears.
  template <class Mode>
  std::uint32_t bucket_of(const record& r, bool free, bool critical) {
    return class_of(key_of<Mode>(r)) * 4 + (free ? 2u : 0u) + (critical ? 1u : 0u);
  }
  [[nodiscard]] static constexpr bool is_free(std::uint32_t bucket) { return (bucket & 2u) != 0; }
  [[nodiscard]] static constexpr bool is_critical(std::uint32_t bucket) { return (bucket & 1u) != 0; }
  // The bucket of the same class in another state.
  [[nodiscard]] static constexpr std::uint32_t freed(std::uint32_t bucket) { return bucket | 2u; }
  [[nodiscard]] static constexpr std::uint32_t made_critical(std::uint32_t bucket) { return bucket | 1u; }

  template <class Records>
  void put(std::uint32_t bucket, const record& r, std::uint32_t index, const Records& records) {
    vec<entry>& h = heaps_[bucket];
    if (h.empty()) touched_.push_back(bucket);
    const entry e{(std::uint64_t{r.earliest} << 32) | r.dependence_cycle,
                  (std::uint64_t{r.deadline} << 32) | static_cast<std::uint32_t>(r.slot), index};
    std::size_t at = h.size();
    h.push_back(e);
    while (at > 0 && before(e, h[(at - 1) / 2])) {
      h[at] = h[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    h[at] = e;
    if (place_[bucket] == none) {
      place_[bucket] = static_cast<std::uint32_t>(tops_.size());
      tops_.push_back(top_of(bucket, h.front().index, records[h.front().index]));
    } else if (top& t = tops_[place_[bucket]]; t.index != h.front().index) {
      t = top_of(bucket, h.front().index, records[h.front().index]);
    }
  }

  // `index` is in `bucket` no more: `records` say so already.
  template <class Records>
  void left(std::uint32_t bucket, std::uint32_t index, const Records& records) {
    const std::uint32_t at = place_[bucket];
    if (tops_[at].index != index) return;
    vec<entry>& h = heaps_[bucket];
    while (!h.empty() && records[h.front().index].bucket != bucket) pop(h);
    if (!h.empty()) {
      tops_[at] = top_of(bucket, h.front().index, records[h.front().index]);
      return;
    }
    place_[bucket] = none;
    tops_[at] = tops_.back();
    tops_.pop_back();
    if (at < tops_.size()) place_[tops_[at].bucket] = at;
  }

  // The head of a bucket, none if it is empty.
  [[nodiscard]] std::uint32_t head(std::uint32_t bucket) const {
    return place_[bucket] == none ? none : tops_[place_[bucket]].index;
  }

  [[nodiscard]] static constexpr top top_of(std::uint32_t bucket, std::uint32_t index, const record& r) {
    return {bucket,
            index,
            std::uint64_t{r.barrier_group} << 48 | (r.has(record_flag::yield_boundary) ? 0u : std::uint64_t{1} << 24),
            r.earliest,
            r.flags,
            r.delta[0],
            r.pipe,
            r.has(record_flag::barrier_target)};
  }

  [[nodiscard]] bool in_use(std::uint32_t bucket) const { return place_[bucket] != none; }

  // The heads of all buckets in use; their order is not meaningful.
  [[nodiscard]] const vec<top>& heads() const { return tops_; }

  // Calls f(index) for every instruction of the buckets that accept(bucket) names.
  template <class Records, class Accept, class F>
  void each_in(const Records& records, Accept&& accept, F&& f) const {
    for (const top& t : tops_) {
      if (!accept(t.bucket)) continue;
      for (const entry& e : heaps_[t.bucket]) {
        if (records[e.index].bucket == t.bucket) f(e.index);
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

  // What the comparison of a mode looks at; without pressure that is the general delta alone.
  template <class Mode>
  [[nodiscard]] static constexpr key key_of(const record& r) {
    constexpr unsigned told = static_cast<unsigned>(record_flag::barrier_target) | static_cast<unsigned>(record_flag::hot) |
                              static_cast<unsigned>(record_flag::cold) | static_cast<unsigned>(record_flag::yield_boundary) |
                              static_cast<unsigned>(record_flag::control) | static_cast<unsigned>(record_flag::imported) |
                              static_cast<unsigned>(record_flag::batched);
    std::uint64_t deltas = static_cast<std::uint16_t>(r.delta[0]);
    std::uint64_t latency = 0;
    if constexpr (Mode::tracks_pressure) {
      for (unsigned g = 1; g < 4; ++g) deltas = deltas << 16 | static_cast<std::uint16_t>(r.delta[g]);
      if (r.delta[0] > 0) latency = r.latency;
    }
    const std::uint64_t kind =
        Mode::batch_cap != 0 && r.has(record_flag::batched) ? static_cast<std::uint64_t>(r.iclass) + 1 : 0;
    return {deltas,
            kind << 48 | latency << 32 | std::uint64_t{r.flags & told} << 16 | std::uint64_t{r.pipe} << 8 | r.barrier_group};
  }

  std::uint32_t class_of(const key& k) {
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
      while (place_.size() < heaps_.size()) place_.push_back(none);
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

  vec<vec<entry>> heaps_;       // four per class, kept from block to block
  vec<top> tops_;               // the heads
  vec<std::uint32_t> place_;    // per bucket: place of its head, or none
  vec<std::uint32_t> touched_;  // buckets that hold entries, gone ones among them
  vec<key> keys_;               // per class
  vec<std::uint32_t> table_;    // open addressing over keys_
};

}  // namespace ww::unified
