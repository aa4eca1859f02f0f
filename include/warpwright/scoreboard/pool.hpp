// SPDX-License-Identifier: BSL-1.0
//
// The barrier pool (SB-2): the dependency counters of one warp as a small resource pool.
//
//   free        nothing outstanding
//   pending     set by a producer that is not known to be done
//   completed   done according to the cycle estimate, but no instruction has waited yet
//   affinity    prefer a free counter whose last producer used the same queue
//   stale       last set at least `barrier_latency` cycles ago (56, SB-2 distance freeing)
// A counter that is waited for becomes free. The text frees a stale counter without a wait; here the age only decides
// which counter is taken when all are busy (docs/deviations.md): a later reader is still made to wait.
// The pool also keeps what sharing needs: when the counter will be zero and when its first consumer wants it.
// Records change by reset(), advance(), release() and set() only, `reserved` aside: `busy` and `next_done` sum them up.
#pragma once

#include <cstdint>

#include "../ir/control.hpp"
#include "../ir/ids.hpp"
#include "../meta/array.hpp"
#include "../meta/bits.hpp"

namespace ww::scoreboard {

enum class barrier_status : std::uint8_t { free, pending, completed };

struct barrier_record {
  barrier_status status = barrier_status::free;
  std::uint8_t last_queue = 0;  // queue code of the last producer, kept when freed
  bool writes = false;          // protects at least one result
  bool reserved = false;        // named by an operand (DEPBAR): only pinned producers use it
  instr_id producer;            // newest producer
  std::int32_t set_cycle = 0;   // of the newest producer: who takes a busy counter makes it young
  std::int32_t done_cycle = 0;  // estimate: the counter is zero
  std::int32_t first_need = 0;  // estimate: first consumer could issue
  std::int32_t landed = 0;      // in crowded blocks (slack.hpp): when the counter is zero, and when its first consumer
  std::int32_t latest = 0;      // has to issue
  std::uint32_t need_pos = 0;   // position of the first consumer
  std::uint32_t producers = 0;  // outstanding producers (at most 63 by the counter's width)
};

struct barrier_request {
  instr_id producer;
  std::uint8_t queue = 0;
  bool write = true;
  std::int32_t cycle = 0;
  std::int32_t done_cycle = 0;
  std::int32_t need_cycle = 0;
  std::uint32_t need_pos = 0;
  bool crowded = false;     // counters run out before the result is needed (slack.hpp); of crowded blocks:
  std::int32_t landed = 0;  // done, in the time of slack.hpp
  std::int32_t latest = 0;  // the first consumer has to issue; `never` if it is not in the block
  std::int32_t behind = 0;  // cycles by which the block is later than it had to be
};

struct barrier_choice {
  std::uint8_t index = control::no_barrier;
  bool wait_first = false;  // the producer itself must wait for the counter (eviction)
  bool shared = false;
};

template <class Barriers>
struct barrier_pool {
  static constexpr unsigned size = Barriers::count;
  static constexpr std::int32_t never = 0x7fffffff / 2;

  array<barrier_record, size> records{};
  std::uint32_t busy = 0;          // bit i: counter i is not free
  std::int32_t next_done = never;  // no pending counter is done before

  constexpr void reset() { *this = {}; }

  // Whether fewer than three counters are free.
  [[nodiscard]] constexpr bool crowded() const {
    unsigned free = 0;
    for (const barrier_record& r : records) free += r.status == barrier_status::free && !r.reserved ? 1u : 0u;
    return free < 3;
  }
  [[nodiscard]] constexpr bool is_free(unsigned i) const { return records[i].status == barrier_status::free; }
  [[nodiscard]] constexpr bool is_stale(unsigned i, std::int32_t cycle) const {
    return !is_free(i) && cycle - records[i].set_cycle >= static_cast<std::int32_t>(Barriers::barrier_latency);
  }

  // pending -> completed for every counter that the estimate says is zero.
  constexpr void advance(std::int32_t cycle) {
    if (cycle < next_done) return;
    next_done = never;
    for (unsigned m = busy; m != 0; m &= m - 1) {
      barrier_record& r = records[static_cast<unsigned>(meta::countr_zero(m))];
      if (r.status == barrier_status::completed) continue;
      if (r.done_cycle <= cycle) {
        r.status = barrier_status::completed;
      } else {
        next_done = r.done_cycle < next_done ? r.done_cycle : next_done;
      }
    }
  }

  // Some instruction waits for the counter: completed -> free, pending -> free.
  constexpr void release(unsigned i) {
    barrier_record& r = records[i];
    r.status = barrier_status::free;
    r.producer = instr_id{};
    r.producers = 0;
    r.writes = false;
    busy &= ~(1u << i);
  }

  // free -> pending, or one more producer on a busy counter.
  constexpr void set(unsigned i, const barrier_request& q) {
    barrier_record& r = records[i];
    r.set_cycle = q.cycle;
    if (r.status == barrier_status::free) {
      r.done_cycle = q.done_cycle;
      r.first_need = q.need_cycle;
      r.landed = q.landed;
      r.latest = q.latest;
      r.need_pos = q.need_pos;
    } else {
      if (q.done_cycle > r.done_cycle) r.done_cycle = q.done_cycle;
      if (q.need_cycle < r.first_need) r.first_need = q.need_cycle;
      if (q.landed > r.landed) r.landed = q.landed;
      if (q.latest < r.latest) r.latest = q.latest;
      if (q.need_pos < r.need_pos) r.need_pos = q.need_pos;
    }
    r.status = barrier_status::pending;
    r.producer = q.producer;
    r.last_queue = q.queue;
    r.writes = r.writes || q.write;
    ++r.producers;
    busy |= 1u << i;
    next_done = r.done_cycle < next_done ? r.done_cycle : next_done;
  }

  // Free counter with affinity, else the first free one; `size` if none is free.
  [[nodiscard]] constexpr unsigned find_free(std::uint8_t queue) const {
    unsigned best = size;
    for (unsigned i = 0; i < size; ++i) {
      if (!is_free(i) || records[i].reserved) continue;
      if (records[i].last_queue == queue) return i;
      if (best == size) best = i;
    }
    return best;
  }

  // Oldest busy counter that is not reserved; a stale or completed one first if `prefer_done`.
  [[nodiscard]] constexpr unsigned find_oldest(std::int32_t cycle, bool prefer_done) const {
    unsigned best = size;
    bool best_done = false;
    for (unsigned i = 0; i < size; ++i) {
      if (is_free(i) || records[i].reserved) continue;
      const bool done = prefer_done && (records[i].status == barrier_status::completed || is_stale(i, cycle));
      if (best == size || (done && !best_done) || (done == best_done && records[i].set_cycle < records[best].set_cycle)) {
        best = i;
        best_done = done;
      }
    }
    return best;
  }
};

}  // namespace ww::scoreboard
