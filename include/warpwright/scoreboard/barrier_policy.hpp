// SPDX-License-Identifier: BSL-1.0
//
// How a producer gets a counter when it needs one. Each policy is an empty type of role barrier_policy.
//
//   barriers::share         (default) a counter whose first consumer is the same instruction is shared at once, for that
//                           costs nothing; else a free one; when all are busy the one whose sharing delays the two
//                           consumers least (counters count: facts, hardware 1.4)
//   barriers::evict_oldest  SB-2 as the hardware allows it: affinity, first free, else the oldest (a stale or completed one
//                           first) is waited for by the producer and taken
//   barriers::evict_done_first  the same, but the counter goes that is zero first by the estimates, not the oldest
//   barriers::literal_text  SB-2 to the letter: a counter older than 56 cycles counts as free. The wait analysis still makes
//                           every consumer wait, so that the result is right; only the choice of index follows the text
//   barriers::literal_distance  as well, waits for counters set 56 cycles ago are dropped (old_waits.hpp). Wrong code
//                           wherever something takes longer: it is here to show what the rule breaks (verify/ finds it)
//   barriers::avoid_conflicts<P>     P, and the producer waits for every pending counter whose registers are its own
//                           (conflict_waits.hpp): the text's conflict avoidance, off in every other policy
// Users write their own with the same `choose`.
#pragma once

#include "../meta/bits.hpp"
#include "../meta/pick.hpp"
#include "../meta/role.hpp"
#include "../meta/traits.hpp"
#include "../meta/type_list.hpp"
#include "pool.hpp"

namespace ww::scoreboard {

inline constexpr unsigned most_raised = 48;  // producers of a counter: stay well below its largest count (63)

// The oldest counter, waited for; one that is done first if `prefer_done`.
template <class Pool>
constexpr barrier_choice oldest_counter(const Pool& pool, const barrier_request& q, bool prefer_done = true) {
  const unsigned old = pool.find_oldest(q.cycle, prefer_done);
  return {static_cast<std::uint8_t>(old == Pool::size ? 0 : old), true, false};
}

// The counter that `price(record, is it free, index)` finds cheapest, the lowest on a tie; the oldest when none may be
// taken.
template <class Pool, class Price>
constexpr barrier_choice cheapest_counter(const Pool& pool, const barrier_request& q, Price&& price) {
  unsigned best = Pool::size;
  std::int64_t best_cost = 0;
  for (unsigned i = 0; i < Pool::size; ++i) {
    const barrier_record& r = pool.records[i];
    if (r.reserved || r.producers >= most_raised) continue;
    const std::int64_t cost = price(r, pool.is_free(i), i);
    if (best == Pool::size || cost < best_cost) {
      best = i;
      best_cost = cost;
    }
  }
  if (best != Pool::size) return {static_cast<std::uint8_t>(best), false, !pool.is_free(best)};
  return oldest_counter(pool, q);
}

// What a policy chooses. Where that is a counter which does not exist or is reserved, the oldest one, waited for; and a counter
// that would overflow is waited for whatever the policy says.
template <class Policy, class Pool>
constexpr barrier_choice chosen_counter(const Pool& pool, const barrier_request& q) {
  barrier_choice c = Policy::choose(pool, q);
  if (c.index >= Pool::size || pool.records[c.index].reserved) {
    return oldest_counter(pool, q);
  }
  c.wait_first = c.wait_first || pool.records[c.index].producers >= most_raised;
  return c;
}

// `choose` of a policy for an SM with that page of barriers.
template <class B, class Barriers>
concept barrier_chooser = requires(const barrier_pool<Barriers>& pool, const barrier_request& q) {
  { B::name } -> meta::convertible_to<const char*>;
  { B::choose(pool, q) } -> meta::same_as<barrier_choice>;
};

}  // namespace ww::scoreboard

template <>
struct ww::meta::role_page<ww::role::barrier_policy> {
  template <class P, class Arch>
  static constexpr bool filled = ww::scoreboard::barrier_chooser<P, typename Arch::barriers>;
};

namespace ww::barriers {

struct share {
  using role = ww::role::barrier_policy;
  static constexpr const char* name = "share";

  template <class Pool>
  static constexpr scoreboard::barrier_choice choose(const Pool& pool, const scoreboard::barrier_request& q) {
    if (q.crowded) return choose_crowded(pool, q);
    // what costs nothing, or less than any counter that is busy with something else
    const bool inside = q.need_cycle < Pool::never;
    for (unsigned m = pool.busy; m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(meta::countr_zero(m));
      const scoreboard::barrier_record& r = pool.records[i];
      if (shares_consumer(r, q, inside) && !r.reserved && r.producers < scoreboard::most_raised) {
        return {static_cast<std::uint8_t>(i), false, true};
      }
    }
    unsigned near = Pool::size;
    unsigned free = Pool::size;
    for (unsigned m = ~pool.busy & ((1u << Pool::size) - 1); m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(meta::countr_zero(m));
      const scoreboard::barrier_record& r = pool.records[i];
      if (r.reserved) continue;
      if (r.last_queue == q.queue) {
        near = i;
        break;
      }
      free = free == Pool::size ? i : free;
    }
    if (near != Pool::size) return {static_cast<std::uint8_t>(near), false, false};
    if (free != Pool::size) return {static_cast<std::uint8_t>(free), false, false};
    return scoreboard::cheapest_counter(pool, q,
                                        [&](const scoreboard::barrier_record& r, bool, unsigned) { return price(r, q); });
  }

 private:
  // Counters run out before the result is needed. Of the counters that can be joined without delaying anybody it joins the
  // one whose consumer has to issue first, for the others stay open to what is done later; else it takes a free one, else
  // one that is done by the estimate, else the one that loses least.
  template <class Pool>
  static constexpr scoreboard::barrier_choice choose_crowded(const Pool& pool, const scoreboard::barrier_request& q) {
    unsigned join = Pool::size;
    unsigned free = Pool::size;
    unsigned done = Pool::size;
    unsigned least = Pool::size;
    std::int64_t least_lost = 0;
    for (unsigned i = 0; i < Pool::size; ++i) {
      const auto& r = pool.records[i];
      if (r.reserved) continue;
      if (pool.is_free(i)) {
        if (free == Pool::size || (r.last_queue == q.queue && pool.records[free].last_queue != q.queue)) free = i;
        continue;
      }
      if (r.producers >= scoreboard::most_raised) continue;
      const bool apart_blocks = q.latest == Pool::never && r.latest == Pool::never && (q.write || r.writes);
      const std::int64_t lost = positive(std::int64_t{q.landed} - q.behind - r.latest) +
                                positive(std::int64_t{r.landed} - q.behind - q.latest) + (apart_blocks ? 4 : 0);
      if (lost == 0 && (join == Pool::size || r.latest < pool.records[join].latest)) join = i;
      if (r.status == scoreboard::barrier_status::completed && done == Pool::size) done = i;
      if (least == Pool::size || lost < least_lost) {
        least = i;
        least_lost = lost;
      }
    }
    if (join != Pool::size) return {static_cast<std::uint8_t>(join), false, true};
    if (free != Pool::size) return {static_cast<std::uint8_t>(free), false, false};
    if (done != Pool::size) return {static_cast<std::uint8_t>(done), true, false};
    if (least != Pool::size) return {static_cast<std::uint8_t>(least), false, true};
    return oldest_counter(pool, q);
  }

  // Is the first consumer of both the same instruction? `inside`: that of the request is in the block.
  static constexpr bool shares_consumer(const scoreboard::barrier_record& r, const scoreboard::barrier_request& q,
                                        bool inside) {
    return r.need_pos == q.need_pos && (inside || (!q.write && !r.writes));
  }

  // Cycles lost by putting the request on a busy counter, times four, with small preferences to settle ties.
  static constexpr std::int64_t price(const scoreboard::barrier_record& r, const scoreboard::barrier_request& q) {
    const std::int64_t mine = positive(std::int64_t{r.done_cycle} - max(q.done_cycle, q.need_cycle));
    const std::int64_t theirs = positive(std::int64_t{q.done_cycle} - max(r.done_cycle, r.first_need));
    const std::int64_t base = r.status == scoreboard::barrier_status::completed ? 4 : 16;
    return base + 4 * (mine + theirs) + r.producers;
  }
  static constexpr std::int64_t positive(std::int64_t v) { return v > 0 ? v : 0; }
  static constexpr std::int64_t max(std::int32_t a, std::int32_t b) { return a > b ? a : b; }
};

struct evict_oldest {
  using role = ww::role::barrier_policy;
  static constexpr const char* name = "evict_oldest";

  template <class Pool>
  static constexpr scoreboard::barrier_choice choose(const Pool& pool, const scoreboard::barrier_request& q) {
    const unsigned free = pool.find_free(q.queue);
    if (free != Pool::size) return {static_cast<std::uint8_t>(free), false, false};
    return oldest_counter(pool, q);
  }
};

struct evict_done_first {
  using role = ww::role::barrier_policy;
  static constexpr const char* name = "evict_done_first";

  template <class Pool>
  static constexpr scoreboard::barrier_choice choose(const Pool& pool, const scoreboard::barrier_request& q) {
    const unsigned free = pool.find_free(q.queue);
    if (free != Pool::size) return {static_cast<std::uint8_t>(free), false, false};
    unsigned first = Pool::size;
    for (unsigned i = 0; i < Pool::size; ++i) {
      if (pool.records[i].reserved) continue;
      if (first == Pool::size || pool.records[i].done_cycle < pool.records[first].done_cycle) first = i;
    }
    return {static_cast<std::uint8_t>(first == Pool::size ? 0 : first), true, false};
  }
};

struct literal_text {
  using role = ww::role::barrier_policy;
  static constexpr const char* name = "literal_text";

  template <class Pool>
  static constexpr scoreboard::barrier_choice choose(const Pool& pool, const scoreboard::barrier_request& q) {
    unsigned best = Pool::size;
    for (unsigned i = 0; i < Pool::size; ++i) {
      if (pool.records[i].reserved || (!pool.is_free(i) && !pool.is_stale(i, q.cycle))) continue;
      if (pool.records[i].last_queue == q.queue) {
        best = i;
        break;
      }
      if (best == Pool::size) best = i;
    }
    if (best != Pool::size) return {static_cast<std::uint8_t>(best), false, !pool.is_free(best)};
    return scoreboard::oldest_counter(pool, q, false);
  }
};

struct literal_distance : literal_text {
  static constexpr const char* name = "literal_distance";
  static constexpr bool drops_old_waits = true;
};

template <class Choice = share>
struct avoid_conflicts : Choice {
  static constexpr const char* name = "avoid_conflicts";
  static constexpr bool waits_at_conflicts = true;
};

// The policies that leave every wait in place.
using shipped = meta::type_list<share, evict_oldest, evict_done_first, literal_text, avoid_conflicts<>>;

}  // namespace ww::barriers
