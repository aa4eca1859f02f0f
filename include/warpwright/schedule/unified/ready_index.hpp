// SPDX-License-Identifier: BSL-1.0
//
// The ready instructions of a block, kept so that a pick need not look at all of them (PLS-4: the text walks the whole
// list).
//
//   class    instructions that no score, bit or class-wide tie-breaker can tell apart: equal deltas, flags, pipe, group,
//            latency and kind
//   bucket   one class in one state: waiting or free (its operands are there), relaxed or critical (its deadline is reached)
//   head     the best of a bucket by what is left: earliest cycle, dependence cycle, deadline, slot
// The best of all instructions is the best of the heads, so a pick costs at most as many comparisons as there are buckets in
// use. Instructions come nearly in the order in which they leave: a bucket is a run in order, of which the front is taken,
// and a binary heap of those that did not fit behind the run. An entry that has moved or gone is dropped when it comes to the
// front. The heads stand in arrays without gaps, kept right as instructions come (put) and go (left).
#pragma once

#include <cstddef>
#include <cstdint>
#include "../../meta/algorithm.hpp"
#include "../../meta/binary_heap.hpp"
#include "../../meta/vec.hpp"

#include "record.hpp"

namespace ww::unified {

class ready_index {
 public:
  static constexpr std::uint32_t none = no_record;
  static constexpr unsigned states = 4;  // waiting 0, waiting and critical 1, free 2, free and critical 3
  static constexpr unsigned sets = 4;    // of heads: waiting 0, free 1, the same with a barrier group 2 and 3

  // The sets, likely winners first, and those of waiting instructions.
  static constexpr unsigned char likely_first[sets] = {1, 3, 0, 2};
  static constexpr unsigned char waiting_sets[sets / 2] = {0, 2};

  // A head with what a quick comparison needs of it.
  struct top {
    // Places of a quick key (winner.hpp), and what of it is the same as long as the instruction waits.
    static constexpr unsigned score_at = 48, bits_at = 43, group_at = 39, ahead_at = 23, yield_at = 22;
    static constexpr std::uint64_t no_yield = std::uint64_t{1} << yield_at;  // is no yield boundary
    static constexpr std::uint64_t not_hot = std::uint64_t{1} << bits_at;
    static constexpr std::uint64_t cold = std::uint64_t{4} << bits_at;
    static_assert(static_cast<unsigned>(queue_id::count) <= 16, "a barrier group has four bits");

    std::uint32_t bucket = 0;
    std::uint32_t index = 0;
    std::uint64_t fixed = 0;
    std::uint32_t earliest = 0;     // cycle
    std::uint32_t target_mask = 0;  // all bits for a barrier target
    std::uint16_t flags = 0;
    std::uint16_t latency = 0;  // cycles
    std::int16_t delta = 0;     // of the general registers, units
    std::uint8_t pipe = 0;
    std::uint8_t lane = 0;  // twice the pipe, and one for a barrier target

    [[nodiscard]] constexpr bool target() const { return target_mask != 0; }
    [[nodiscard]] constexpr bool has(record_flag f) const { return (flags & static_cast<std::uint16_t>(f)) != 0; }
  };

  constexpr void start() {
    for (vec<top>& tops : tops_) {
      for (const top& t : tops) place_[t.bucket] = none;
      tops.clear();
    }
    for (std::uint32_t& n : count_) n = 0;
    for (const std::uint32_t b : touched_) lists_[b].clear();
    touched_.clear();
    keys_.clear();
    table_.assign(table_.empty() ? 64 : table_.size(), none);
  }

  // The bucket of a record in a state. Grows tables when a new class appears.
  template <class Mode>
  constexpr std::uint32_t bucket_of(const record& r, bool free, bool critical) {
    return class_of(key_of<Mode>(r)) * states + (free ? 2u : 0u) + (critical ? 1u : 0u);
  }
  [[nodiscard]] static constexpr bool is_free(std::uint32_t bucket) { return (bucket & 2u) != 0; }
  [[nodiscard]] static constexpr bool is_critical(std::uint32_t bucket) { return (bucket & 1u) != 0; }
  // The bucket of the same class in another state.
  [[nodiscard]] static constexpr std::uint32_t freed(std::uint32_t bucket) { return bucket | 2u; }
  [[nodiscard]] static constexpr std::uint32_t made_critical(std::uint32_t bucket) { return bucket | 1u; }

  template <class Records>
  constexpr void put(std::uint32_t bucket, const record& r, std::uint32_t index, const Records& records) {
    list& l = lists_[bucket];
    if (l.empty()) touched_.push_back(bucket);
    l.put({(std::uint64_t{r.earliest} << 32) | r.dependence_cycle,
           (std::uint64_t{r.deadline} << 32) | static_cast<std::uint32_t>(r.slot), index});
    vec<top>& tops = tops_[set_of(bucket, r.barrier_group != 0)];
    std::uint32_t& at = place_[bucket];
    if (at == none) {
      at = static_cast<std::uint32_t>(tops.size());
      ++count_[state_of(bucket)];
      tops.push_back(top_of(bucket, l.first().index, records[l.first().index]));
    } else if (l.first().index == index) {
      tops[at] = top_of(bucket, index, r);
    }
  }

  // `index` is in `bucket` no more: `records` say so already.
  template <class Records>
  constexpr void left(std::uint32_t bucket, std::uint32_t index, const Records& records) {
    const bool grouped = records[index].barrier_group != 0;
    vec<top>& tops = tops_[set_of(bucket, grouped)];
    const std::uint32_t at = place_[bucket];
    if (tops[at].index != index) return;
    list& l = lists_[bucket];
    while (!l.empty() && records[l.first().index].bucket != bucket) l.drop_first();
    if (!l.empty()) {
      tops[at] = top_of(bucket, l.first().index, records[l.first().index]);
      return;
    }
    place_[bucket] = none;
    tops[at] = tops.back();
    tops.pop_back();
    if (at < tops.size()) place_[tops[at].bucket] = at;
    --count_[state_of(bucket)];
  }

  // Could any instruction issue before `late`, by its operands and by the pipes?
  template <class Cycles>
  [[nodiscard]] constexpr bool any_issues_before(std::uint32_t late, const Cycles& pipe_free) const {
    for (const unsigned set : likely_first) {
      for (const top& h : tops_[set]) {
        if (h.earliest < late && pipe_free[h.pipe] < late) return true;
      }
    }
    return false;
  }
  // Cycles until the operands of the first waiting barrier target are there, `most` if none waits.
  [[nodiscard]] constexpr std::int32_t least_wait_of_targets(std::uint32_t cycle, std::int32_t most) const {
    for (const unsigned set : waiting_sets) {
      for (const top& h : tops_[set]) {
        const auto wait = static_cast<std::int32_t>(h.earliest - cycle);
        if (h.target() && wait < most) most = wait;
      }
    }
    return most;
  }

  // The head of the bucket of a record, none if it is empty.
  [[nodiscard]] constexpr std::uint32_t head(std::uint32_t bucket, const record& r) const {
    return place_[bucket] == none ? none : tops_[set_of(bucket, r.barrier_group != 0)][place_[bucket]].index;
  }

  [[nodiscard]] static constexpr top top_of(std::uint32_t bucket, std::uint32_t index, const record& r) {
    const bool target = r.has(record_flag::barrier_target);
    return {bucket,
            index,
            std::uint64_t{r.barrier_group} << top::group_at | (r.has(record_flag::yield_boundary) ? 0u : top::no_yield) |
                (r.has(record_flag::hot) ? 0u : top::not_hot) | (r.has(record_flag::cold) ? top::cold : 0u),
            r.earliest,
            target ? ~0u : 0u,
            r.flags,
            r.latency,
            r.delta[0],
            r.pipe,
            static_cast<std::uint8_t>(2u * r.pipe + (target ? 1u : 0u))};
  }

  [[nodiscard]] constexpr bool in_use(std::uint32_t bucket) const { return place_[bucket] != none; }

  // The heads of one set; their order is not meaningful.
  [[nodiscard]] constexpr const vec<top>& heads(unsigned set) const { return tops_[set]; }
  [[nodiscard]] constexpr bool any_free() const { return count_[2] + count_[3] != 0; }
  [[nodiscard]] constexpr bool empty() const { return count_[0] + count_[1] == 0 && !any_free(); }
  [[nodiscard]] constexpr std::uint32_t head_count(unsigned state) const { return count_[state]; }

  // Calls f(index) for every waiting instruction; one may come more than once.
  template <class Records, class F>
  constexpr void each_waiting(const Records& records, F&& f) const {
    for (const unsigned set : waiting_sets) {
      for (const top& t : tops_[set]) {
        lists_[t.bucket].each([&](std::uint32_t index) {
          if (records[index].bucket == t.bucket) f(index);
        });
      }
    }
  }

 private:
  struct entry {
    std::uint64_t high;  // earliest, dependence
    std::uint64_t low;   // deadline, slot
    std::uint32_t index;
    static constexpr bool before(const entry& a, const entry& b) {
      return a.high != b.high ? a.high < b.high : a.low < b.low;
    }
  };
  struct key {
    std::uint64_t deltas;
    std::uint64_t rest;
    friend constexpr bool operator==(const key&, const key&) = default;
  };

  // The entries of one bucket.
  struct list {
    vec<entry> run;  // in order, from `front` on
    std::size_t front = 0;
    meta::binary_heap<entry, entry> heap;

    [[nodiscard]] constexpr bool empty() const { return front == run.size() && heap.empty(); }
    constexpr void clear() {
      run.clear();
      front = 0;
      heap.clear();
    }
    [[nodiscard]] constexpr bool first_in_run() const {
      return front != run.size() && (heap.empty() || !entry::before(heap.top(), run[front]));
    }
    [[nodiscard]] constexpr const entry& first() const { return first_in_run() ? run[front] : heap.top(); }
    constexpr void put(const entry& e) {
      if (front == run.size()) {
        run.clear();
        front = 0;
      } else if (entry::before(e, run.back())) {
        heap.push(e);
        return;
      }
      run.push_back(e);
    }
    constexpr void drop_first() {
      if (first_in_run()) {
        ++front;
        return;
      }
      heap.pop();
    }
    template <class F>
    constexpr void each(F&& f) const {
      for (std::size_t k = front; k < run.size(); ++k) f(run[k].index);
      for (const entry& e : heap) f(e.index);
    }
  };

  [[nodiscard]] static constexpr unsigned set_of(std::uint32_t bucket, bool grouped) {
    return (is_free(bucket) ? 1u : 0u) + (grouped ? 2u : 0u);
  }
  [[nodiscard]] static constexpr unsigned state_of(std::uint32_t bucket) { return bucket & (states - 1); }
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

  constexpr std::uint32_t class_of(const key& k) {
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
    if (lists_.size() < std::size_t{c} * states + states) {
      lists_.resize(std::size_t{c} * states + states);
      while (place_.size() < lists_.size()) place_.push_back(none);
    }
    return c;
  }
  [[nodiscard]] constexpr std::size_t slot_of(const key& k) const {
    std::uint64_t h = (k.deltas ^ (k.rest * 0x9e3779b97f4a7c15ull)) * 0xff51afd7ed558ccdull;
    h ^= h >> 32;
    std::size_t at = meta::to_size(h) & (table_.size() - 1);
    while (table_[at] != none && !(keys_[table_[at]] == k)) at = (at + 1) & (table_.size() - 1);
    return at;
  }

  vec<list> lists_;                   // `states` per class, kept from block to block
  vec<top> tops_[sets];               // the heads
  std::uint32_t count_[states] = {};  // heads, by state
  vec<std::uint32_t> place_;          // per bucket: place of its head, or none
  vec<std::uint32_t> touched_;        // buckets that hold entries, gone ones among them
  vec<key> keys_;                     // per class
  vec<std::uint32_t> table_;          // open addressing over keys_
};

}  // namespace ww::unified
