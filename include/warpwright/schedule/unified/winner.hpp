// SPDX-License-Identifier: BSL-1.0
//
// The winner of a pick among the heads of the ready list, without the second best (PLS-6): the same that evaluating and
// comparing all candidates gives, in a few operations for each head.
//
//   key     scores and scanned bits (quick_key.hpp); without scores a number of five bits
//   rest    barrier group, latency counter, yield bit, contention score: one number, compared where the keys are equal
//   tail    slot cycles, earliest cycle, dependence cycle, deadline, register delta, place: compared where that is equal too
//   plain   where no narrow class is near its limit, no batch is open and nothing yields, key and rest are one number, worked
//           out from what the head carries (ready_index::top) with few jumps: which head wins cannot be guessed. In spill mode
//           (PLS-5) only the critical bit is another
// Held against the walk over the whole list in tests/schedule/unified_test.cpp.
#pragma once

#include <cstdint>

#include "compare.hpp"
#include "quick_key.hpp"
#include "ready_index.hpp"

namespace ww::unified {

template <class Arch, class Mode>
class winner_search {
 public:
  // `most`: the largest delta of any instruction that has been ready, by class.
  constexpr winner_search(const state& s, const ready_index& ready, const record* records, const std::int32_t* most,
                          std::uint64_t& evaluations)
      : s_(s), ready_(ready), records_(records), most_(most), evaluations_(evaluations) {}

  // `no_record` where a number does not fit: then the candidates have to be compared one by one.
  [[nodiscard]] constexpr std::uint32_t find(const pick_view& v) const {
    const bool batch = Mode::batch_cap != 0 && s_.batch.length != 0;
    const bool near = pressed();
    if (near && !narrow_scores_fit(s_, most_)) return no_record;
    if (near || batch || s_.yield) return winner(v);
    const bool crowded = most_[0] > s_.budget.reduced - s_.live[0];
    if (v.spilling) return crowded ? plain_winner<true, true>(v) : plain_winner<true, false>(v);
    return crowded ? plain_winner<false, true>(v) : plain_winner<false, false>(v);
  }

 private:
  // By pipe and lane (ready_index::top), for all heads of a pick at once and without jumps: the cycles until the pipe takes the
  // next instruction, and the contention score but for registers (PLS-7). Of barrier targets that is the larger of the wait
  // for the pipe and what is left of the block; of others the wait, one more on the pipe of the anchor, and much more where
  // everything would stall.
  struct contention_table {
    constexpr explicit contention_table(const state& s) {
      const auto cursor = static_cast<std::int32_t>(s.slots.cursor);
      const std::int32_t left = s.slots.left();
      const std::int32_t stalled = s.ready.any_stall_free ? 0 : 100;
      for (unsigned k = 0; k < pipe_count; ++k) {
        const std::int32_t ahead = static_cast<std::int32_t>(s.slots.pipe_free[k]) - cursor;
        const std::int32_t wait = ahead & ~(ahead >> 31);
        const std::int32_t less = wait - left;
        busy[k] = static_cast<std::uint32_t>(wait);
        base[2 * k] = wait + stalled;
        base[2 * k + 1] = left + (less & ~(less >> 31));
      }
      if (s.slots.anchor != no_record && busy[s.slots.anchor_pipe] == 0) ++base[2 * s.slots.anchor_pipe];
    }
    std::uint32_t busy[pipe_count];
    std::int32_t base[2 * pipe_count];
  };

  // Could a ready instruction bring the predicates or uniform registers to their limit?
  [[nodiscard]] constexpr bool pressed() const {
    if constexpr (Mode::tracks_pressure) {
      return s_.live[1] + most_[1] >= s_.budget.predicate || s_.live[2] + most_[2] >= s_.budget.address ||
             (s_.budget.uniform != 0 && s_.live[3] + most_[3] >= s_.budget.uniform);
    }
    return false;
  }
  // The winner alone, without the second best: the same as look_at() and first_wins() would find. Barrier group, latency
  // counter, yield bit and contention are one number, compared where the keys are equal; what comes behind is in
  // tail_wins(). `no_record` where a number does not fit, or nothing is ready.
  [[nodiscard]] constexpr std::uint32_t winner(const pick_view& v) const {
    const contention_table table(s_);
    const unsigned no_yield = s_.ready.shared_memory_count > 0 ? static_cast<unsigned>(record_flag::yield_boundary) : 0u;
    const std::int32_t room = s_.budget.reduced - s_.live[0];
    const bool crowded = most_[0] > room;
    const std::uint32_t preferred = s_.ready.preferred;
    std::uint64_t fits = 0;
    std::uint32_t best = no_record;
    std::uint64_t best_key = ~std::uint64_t{0};
    std::uint64_t best_rest = ~std::uint64_t{0};
    const auto offer = [&](std::uint32_t i) {
      const record& r = records_[i];
      const std::uint64_t key = quick_key<Arch, Mode>(r, s_, v, i == preferred);
      if (key > best_key) return;
      const unsigned flags = r.flags;
      const unsigned target = flags & static_cast<unsigned>(record_flag::barrier_target);
      static_assert(static_cast<unsigned>(record_flag::barrier_target) == 1);
      const std::uint32_t ahead = r.earliest > v.cycle ? r.earliest - v.cycle : 0u;
      const std::uint32_t wait = target != 0 ? ahead : 0u;
      std::int32_t contention = table.base[2 * r.pipe + target];
      if (crowded && r.delta[0] > room) {
        contention += 2 * to_registers<Arch>(r.delta[0] - room) -
                      static_cast<std::int32_t>(s_.ready.positive_pressure + r.delta[0] <= 0);
      }
      fits |= wait >> 20 | static_cast<std::uint32_t>(contention) >> 24;
      const std::uint64_t rest = std::uint64_t{r.barrier_group} << 48 | std::uint64_t{wait} << 28 |
                                 (no_yield != 0 && (flags & no_yield) == 0 ? std::uint64_t{1} << 24 : 0u) |
                                 static_cast<std::uint32_t>(contention);
      if (key == best_key && (rest > best_rest || (rest == best_rest && !tail_wins(r, records_[best])))) return;
      best = i;
      best_key = key;
      best_rest = rest;
    };
    for (const unsigned set : ready_index::likely_first) {
      for (const ready_index::top& h : ready_.heads(set)) {
        // One of its class and criticality that does not have to wait is at least as good in everything, and better in one.
        if (!ready_index::is_free(h.bucket) && ready_.in_use(ready_index::freed(h.bucket))) continue;
        if constexpr (Mode::tracks_pressure) {
          const std::int32_t sum = h.delta + v.over;  // the general score is at least that less one
          if (sum > 1 && static_cast<std::uint64_t>(sum - 1) << 35 > best_key) continue;
        }
        ++evaluations_;
        offer(h.index);
      }
    }
    if (preferred != no_record && preferred != best) {  // counts as free whether it is or not
      ++evaluations_;
      offer(preferred);
    }
    return fits == 0 ? best : no_record;
  }
  // The same once more where no narrow class, open batch or yield plays a part: only general registers may be above their
  // budget. All that decides before the tail is one number, made of what the head carries:
  //   score 16 bits, the five scanned bits, barrier group 4, latency counter 16, yield bit, contention score 22
  // First the numbers of all heads, 32 at a time, then the least of them, then the tail where several have it.
  // `Crowded`: some candidate may need more registers than there is room for.
  template <bool Spilling, bool Crowded>
  [[nodiscard]] constexpr std::uint32_t plain_winner(const pick_view& v) const {
    using top = ready_index::top;
    constexpr bool scored = Mode::tracks_pressure;
    const std::int32_t room = s_.budget.reduced - s_.live[0];
    // What does not fit into its place: candidates are compared one by one. A latency has 16 bits, so the counter fits.
    if (s_.slots.left() >= 1 << 20 || (Crowded && most_[0] - room >= 1 << 18)) return no_record;
    if (scored && most_[0] + v.over >= 1 << 15) return no_record;
    const contention_table table(s_);
    std::uint64_t lost[ready_index::states];  // by state: the scanned bits, but for hot and cold
    for (unsigned state = 0; state < ready_index::states; ++state) {
      const bool critical = !Spilling && (v.all_critical || (Mode::critical_by_height && ready_index::is_critical(state)));
      lost[state] = std::uint64_t{16u | 8u | (critical ? 0u : 4u) | (ready_index::is_free(state) ? 0u : 2u) |
                                  (v.temperature ? 0u : 1u)}
                    << top::bits_at;
    }
    const std::uint64_t told =
        ~((s_.ready.shared_memory_count > 0 ? 0u : top::no_yield) | (v.temperature ? 0u : top::not_hot | top::cold));
    const std::int32_t spare = s_.slots.left() - static_cast<std::int32_t>(s_.slots.stride);  // cycles
    const std::int32_t far_from = v.target_headroom ? -1 : s_.ready.min_barrier_latency + 9;
    const std::int32_t pressure = s_.ready.positive_pressure;
    const std::int32_t late_below = v.over > 0 ? s_.ready.max_predecessor_cycle : 0;  // cycles of latency
    const std::int32_t over_budget = v.over;
    const std::uint32_t cycle = v.cycle;
    // Deltas above `room` up to that of the pressure falling, counted from the first.
    const auto falling = static_cast<std::uint32_t>(room < -pressure ? -pressure - room : 0);
    const auto key_of = [&](const top& h, unsigned state) __attribute__((always_inline)) {
      const auto waits = static_cast<std::int32_t>(h.earliest - cycle);
      const std::uint32_t ahead = static_cast<std::uint32_t>(waits & ~(waits >> 31)) & h.target_mask;
      auto contention = static_cast<std::uint32_t>(table.base[h.lane]);
      if constexpr (Crowded) {
        const std::int32_t above = h.delta - room;
        const std::int32_t over = above & ~(above >> 31);
        contention += 2 * to_registers<Arch>(static_cast<std::uint32_t>(over)) -
                      static_cast<std::uint32_t>(static_cast<std::uint32_t>(above) - 1u < falling);
      }
      std::uint64_t key = lost[state] | (h.fixed & told) | std::uint64_t{ahead} << top::ahead_at | contention;
      if constexpr (scored) {
        const std::int32_t sum = h.delta + over_budget;
        if (sum > 0) {
          const bool late = h.delta > 0 && h.latency < late_below;
          const bool far = h.target() && static_cast<std::int32_t>(ahead) > far_from;
          const auto score = static_cast<std::uint64_t>(sum - 1 + (late ? 1 : 0) + (h.has(record_flag::control) ? 1 : 0));
          key |= score << top::score_at;
          if (!h.has(record_flag::cold) && !far && (Mode::literal_overflow || h.delta <= 0)) {
            key ^= std::uint64_t{16} << top::bits_at;
          }
        }
      }
      if constexpr (Spilling) {  // critical is what adds to the pressure or runs out of the block's time, but for targets
        const auto adds = static_cast<unsigned>(pressure + h.delta > 0);
        const auto outside = static_cast<unsigned>(static_cast<std::int32_t>(table.busy[h.pipe]) > spare);
        const auto scores = static_cast<unsigned>(key >> top::score_at != 0);
        const unsigned critical = (adds | outside | scores) & ~h.target_mask & 1u;
        key ^= std::uint64_t{critical & static_cast<unsigned>((h.fixed & told & top::cold) == 0)} << (top::bits_at + 2);
      }
      return key;
    };
    std::uint32_t best = no_record;
    std::uint64_t best_key = ~std::uint64_t{0};
    const auto settle = [&](std::uint32_t i, std::uint64_t key) {
      if (best == no_record || key < best_key || tail_wins(records_[i], records_[best])) best = i;
      best_key = key;
    };
    constexpr std::size_t most = 32;
    std::uint64_t keys[most];
    std::uint32_t index[most];
    std::size_t count = 0;
    std::uint64_t least = best_key;
    const auto flush = [&]() __attribute__((always_inline)) {
      std::uint32_t winners = 0;
      for (std::size_t k = 0; k < count; ++k) winners |= std::uint32_t{keys[k] == least} << k;
      for (; winners != 0; winners &= winners - 1) settle(index[__builtin_ctz(winners)], least);
      evaluations_ += count;
      count = 0;
    };
    // A set is left out where none of it can come before the best one so far.
    const bool keys_decide = !scored || most_[0] + v.over <= 0;
    for (const unsigned set : ready_index::likely_first) {
      const unsigned relaxed = (set & 1u) != 0 ? 2u : 0u;
      std::uint64_t bound = lost[relaxed + (ready_.head_count(relaxed + 1) != 0 ? 1u : 0u)];
      if (Spilling) bound &= ~(std::uint64_t{4} << top::bits_at);
      if (keys_decide && least < (bound | (set >= 2 ? std::uint64_t{1} << top::group_at : 0u))) continue;
      for (const top& h : ready_.heads(set)) {
        if constexpr (scored) {
          const std::int32_t sum = h.delta + over_budget;  // the score is at least that less one
          if (sum > 1 && static_cast<std::uint64_t>(sum - 1) << top::score_at > least) continue;
        }
        if (count == most) flush();
        const std::uint64_t key = key_of(h, h.bucket % ready_index::states);
        keys[count] = key;
        index[count++] = h.index;
        least = key < least ? key : least;
      }
    }
    flush();
    const std::uint32_t preferred = s_.ready.preferred;
    if (preferred != no_record && preferred != best) {  // counts as free whether it is or not
      const record& r = records_[preferred];
      const std::uint64_t key =
          key_of(ready_index::top_of(r.bucket, preferred, r), ready_index::freed(r.bucket) % ready_index::states);
      if (key <= best_key) settle(preferred, key);
    }
    return best;
  }
  // The tie-breakers behind the contention.
  [[nodiscard]] constexpr bool tail_wins(const record& a, const record& b) const {
    const std::int32_t busy_a = s_.slots.contention(a);
    const std::int32_t busy_b = s_.slots.contention(b);
    if (busy_a != busy_b) return busy_a < busy_b;
    if (a.earliest != b.earliest) return a.earliest < b.earliest;
    if (a.dependence_cycle != b.dependence_cycle) return a.dependence_cycle < b.dependence_cycle;
    if (a.deadline != b.deadline) return a.deadline < b.deadline;
    if (a.delta[0] != b.delta[0]) return a.delta[0] < b.delta[0];
    return a.slot < b.slot;
  }

  const state& s_;
  const ready_index& ready_;
  const record* records_;
  const std::int32_t* most_;
  std::uint64_t& evaluations_;
};

}  // namespace ww::unified
