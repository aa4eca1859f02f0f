// SPDX-License-Identifier: BSL-1.0
//
// The winner of a pick among the heads of the ready list, without the second best (PLS-6): the same that evaluating and
// comparing all candidates gives, in a few operations for each head.
//
//   key     scores and scanned bits (quick_key.hpp); without scores a number of five bits
//   rest    barrier group, latency counter, yield bit, contention score: one number, compared where the keys are equal
//   tail    slot cycles, earliest cycle, dependence cycle, deadline, register delta, place: compared where that is equal too
//   plain   where no narrow class is near its limit, no batch is open and nothing yields, key and rest are one number, worked
//           out from what the head carries (ready_index::top) with few jumps: which head wins cannot be guessed
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
  // `busy`: cycles until each pipe takes the next instruction; `most`: the largest delta of any instruction that has been
  // ready, by class.
  winner_search(const state& s, const ready_index& ready, const record* records, const std::int32_t* busy,
                const std::int32_t* most, std::uint64_t& evaluations)
      : s_(s), ready_(ready), records_(records), busy_(busy), most_(most), evaluations_(evaluations) {}

  // `no_record` where a number does not fit: then the candidates have to be compared one by one.
  [[nodiscard]] std::uint32_t find(const pick_view& v) const {
    const bool batch = Mode::batch_cap != 0 && s_.batch.length != 0;
    return pressed() || batch || s_.yield ? winner(v) : plain_winner(v);
  }

 private:
  // Could a ready instruction bring the predicates or uniform registers to their limit, or is spill mode on?
  [[nodiscard]] bool pressed() const {
    if (s_.spill.active()) return true;
    if constexpr (Mode::tracks_pressure) {
      return s_.live[1] + most_[1] >= s_.budget.predicate || s_.live[2] + most_[2] >= s_.budget.address ||
             (s_.budget.uniform != 0 && s_.live[3] + most_[3] >= s_.budget.uniform);
    }
    return false;
  }
  // The winner alone, without the second best: the same as look_at() and first_wins() would find. Barrier group, latency
  // counter, yield bit and contention are one number, compared where the keys are equal; what comes behind is in
  // tail_wins(). `no_record` where a number does not fit, or nothing is ready.
  [[nodiscard]] std::uint32_t winner(const pick_view& v) const {
    const std::int32_t left = s_.slots.left();
    const std::int32_t stalled = s_.ready.any_stall_free ? 0 : 100;
    // By pipe: of barrier targets, and of others.
    std::int32_t contention_of[2][pipe_count];
    for (unsigned k = 0; k < pipe_count; ++k) {
      const std::int32_t busy = busy_[k];
      contention_of[1][k] = busy > left ? busy : left;
      contention_of[0][k] = busy + stalled;
    }
    if (s_.slots.anchor != no_record && busy_[s_.slots.anchor_pipe] == 0) ++contention_of[0][s_.slots.anchor_pipe];
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
      std::int32_t contention = contention_of[target][r.pipe];
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
    const auto& heads = ready_.heads();
    for (const ready_index::top& h : heads) {
      // One of its class and criticality that does not have to wait is at least as good in everything, and better in one.
      if (!ready_index::is_free(h.bucket) && ready_.in_use(ready_index::freed(h.bucket))) continue;
      if constexpr (Mode::tracks_pressure) {
        const std::int32_t sum = h.delta + v.over;  // the general score is at least that less one
        if (sum > 1 && static_cast<std::uint64_t>(sum - 1) << 35 > best_key) continue;
      }
      ++evaluations_;
      offer(h.index);
    }
    if (preferred != no_record && preferred != best) {  // counts as free whether it is or not
      ++evaluations_;
      offer(preferred);
    }
    return fits == 0 ? best : no_record;
  }
  // The same once more where no narrow class, open batch or yield plays a part: a head is compared by a handful of
  // operations. Only general registers may be above their budget.
  [[nodiscard]] std::uint32_t plain_winner(const pick_view& v) const {
    const std::int32_t left = s_.slots.left();
    const std::int32_t stalled = s_.ready.any_stall_free ? 0 : 100;
    std::uint32_t contention_of[2][pipe_count];  // by pipe: of others, and of barrier targets
    std::uint32_t fits = 0;
    for (unsigned k = 0; k < pipe_count; ++k) {
      const std::int32_t busy = busy_[k];
      contention_of[1][k] = static_cast<std::uint32_t>(busy > left ? busy : left);
      contention_of[0][k] = static_cast<std::uint32_t>(busy + stalled);
    }
    if (s_.slots.anchor != no_record && busy_[s_.slots.anchor_pipe] == 0) ++contention_of[0][s_.slots.anchor_pipe];
    std::uint64_t lost[4];  // by state: the bits of the key, but for hot and cold
    for (unsigned state = 0; state < 4; ++state) {
      const bool critical = v.all_critical || (Mode::critical_by_height && ready_index::is_critical(state));
      lost[state] = std::uint64_t{16u | 8u | (critical ? 0u : 4u) | (ready_index::is_free(state) ? 0u : 2u) | 1u} << 56;
    }
    const unsigned hot_bit = v.temperature ? static_cast<unsigned>(record_flag::hot) : 0u;
    const unsigned cold_bit = v.temperature ? static_cast<unsigned>(record_flag::cold) : 0u;
    const std::uint64_t told = s_.ready.shared_memory_count > 0 ? ~std::uint64_t{0} : ~(std::uint64_t{1} << 24);
    const std::int32_t room = s_.budget.reduced - s_.live[0];
    const bool crowded = most_[0] > room;
    std::uint32_t best = no_record;
    std::uint64_t best_key = ~std::uint64_t{0};
    constexpr bool scored = Mode::tracks_pressure;
    std::int32_t best_score = 0x7fffffff;
    const auto offer = [&](const ready_index::top& h, std::uint64_t key) __attribute__((always_inline)) {
      const std::uint32_t wanted = h.earliest > v.cycle ? h.earliest - v.cycle : 0u;
      const std::uint32_t ahead = h.target ? wanted : 0u;
      std::int32_t score = 0;
      if constexpr (scored) {
        const std::int32_t sum = h.delta + v.over;
        if (sum > 0) {
          if (sum - 1 > best_score) return;
          score = general_score(records_[h.index], s_);
          const bool cold = (h.flags & static_cast<unsigned>(record_flag::cold)) != 0;
          const bool waits =
              h.target && (v.target_headroom || static_cast<std::int32_t>(ahead) > s_.ready.min_barrier_latency + 9);
          if (!cold && !waits && (Mode::literal_overflow || h.delta <= 0)) key &= ~(std::uint64_t{16} << 56);
        }
        if (score > best_score) return;
      }
      std::uint32_t contention = contention_of[h.target ? 1 : 0][h.pipe];
      if (crowded) {
        const std::int32_t over = h.delta > room ? h.delta - room : 0;
        const bool falls = over != 0 && s_.ready.positive_pressure + h.delta <= 0;
        contention += static_cast<std::uint32_t>(2 * to_registers<Arch>(over)) - (falls ? 1u : 0u);
      }
      key ^= static_cast<std::uint64_t>((h.flags & hot_bit) != 0) << 56;
      key |= static_cast<std::uint64_t>((h.flags & cold_bit) != 0) << 58;
      fits |= ahead >> 20 | contention >> 24;
      key |= (h.fixed & told) | std::uint64_t{ahead} << 28 | contention;
      bool wins = key < best_key;
      if constexpr (scored) wins = score < best_score || wins;
      if (key == best_key && (!scored || score == best_score)) wins = tail_wins(records_[h.index], records_[best]);
      best = wins ? h.index : best;
      best_key = wins ? key : best_key;
      best_score = wins ? score : best_score;
    };
    for (const ready_index::top& h : ready_.heads()) {
      offer(h, lost[h.bucket & 3u]);
    }
    evaluations_ += ready_.heads().size();
    const std::uint32_t preferred = s_.ready.preferred;
    if (preferred != no_record && preferred != best) {  // counts as free whether it is or not
      const record& r = records_[preferred];
      offer(ready_index::top_of(r.bucket, preferred, r), lost[ready_index::freed(r.bucket) & 3u]);
    }
    return fits == 0 ? best : no_record;
  }
  // The tie-breakers behind the contention.
  [[nodiscard]] bool tail_wins(const record& a, const record& b) const {
    if (busy_[a.pipe] != busy_[b.pipe]) return busy_[a.pipe] < busy_[b.pipe];
    if (a.earliest != b.earliest) return a.earliest < b.earliest;
    if (a.dependence_cycle != b.dependence_cycle) return a.dependence_cycle < b.dependence_cycle;
    if (a.deadline != b.deadline) return a.deadline < b.deadline;
    if (a.delta[0] != b.delta[0]) return a.delta[0] < b.delta[0];
    return a.slot < b.slot;
  }

  const state& s_;
  const ready_index& ready_;
  const record* records_;
  const std::int32_t* busy_;
  const std::int32_t* most_;
  std::uint64_t& evaluations_;
};

}  // namespace ww::unified
