// SPDX-License-Identifier: BSL-1.0
//
// Reconciliation (SB-9): the preliminary words of scheduling against the order and the registers that came out.
//
//   draft     what schedule/unified/preliminary.hpp wrote, one word for each instruction, by instruction index
//   tracked   instructions that the draft knows (the text's tracking bit); all others are new: spills, reloads, moves
//   release   a counter whose producer is 56 cycles back: the text frees it; here it is reported and still waited for
//   reclassify   each result again: a fixed latency becomes a stall, any other takes a counter of a fresh pool
//   conflict  a live counter whose registers meet those of an instruction, and for whose producer the draft did not wait there: what
//             allocation brought about, invisible before it
// The draft's counter indices do not survive, as the text says: the final order decides which are free. What changed is a
// list of values; the words are those of the encoder chain, legal for the program as a whole.
#pragma once

#include <cstdint>

#include "../meta/sort.hpp"
#include "../meta/span.hpp"
#include "fields/chain.hpp"

namespace ww::scoreboard {

enum class reconcile_kind : std::uint8_t {
  released,        // position raised counter `old_value`, which the text would free by age
  downgraded,      // a counter in the draft, cycles now: `old_value` counter, `new_value` stall behind the instruction
  upgraded,        // cycles in the draft, counter `new_value` now
  reindexed,       // counter `old_value` is `new_value` now
  read_dropped,    // the draft had counter `old_value` for late sources, and nobody asks for one
  read_given,      // the draft had none for late sources, which have counter `new_value`
  read_reindexed,  // for late sources counter `old_value` is `new_value` now
  conflict,        // the instruction waits for counter `new_value` because registers meet, and its draft did not
  evicted,         // the instruction waits for counter `new_value` and takes it
  waits,           // wait mask `old_value` is `new_value` now
  stall,           // `old_value` cycles are `new_value` now
  created,         // an instruction that the draft does not know
};

struct reconcile_event {
  std::uint32_t position = 0;
  reconcile_kind kind = reconcile_kind::released;
  std::uint32_t old_value = 0;
  std::uint32_t new_value = 0;

  friend constexpr bool operator==(const reconcile_event&, const reconcile_event&) = default;
  [[nodiscard]] constexpr bool before(const reconcile_event& o) const {
    if (position != o.position) return position < o.position;
    if (kind != o.kind) return kind < o.kind;
    if (old_value != o.old_value) return old_value < o.old_value;
    return new_value < o.new_value;
  }
};

// Events by position, then kind.
using reconcile_report = vec<reconcile_event>;

namespace detail {

struct reconcile_listener {
  reconcile_report& out;
  const program& p;
  span<const control> draft;
  span<const std::uint8_t> tracked;

  [[nodiscard]] bool knows(std::uint32_t k) const { return k < draft.size() && k < tracked.size() && tracked[k] != 0; }
  bool evicted(std::uint32_t pos, unsigned counter) {
    out.push_back({pos, reconcile_kind::evicted, 0, counter});
    return false;
  }
  void conflict(std::uint32_t pos, unsigned counter, std::uint32_t owner) {
    const std::uint32_t k = p.order[pos].index();
    const std::uint32_t o = p.order[owner].index();
    if (!knows(k)) return;
    if (knows(o)) {
      const std::uint8_t had =
          p.instructions[o].ctl.write_barrier == counter ? draft[o].write_barrier : draft[o].read_barrier;
      if (had < control::barrier_count && (draft[k].wait_mask >> had & 1u) != 0) return;
    }
    out.push_back({pos, reconcile_kind::conflict, 0, counter});
  }
  void released(std::uint32_t pos, unsigned counter) {
    const reconcile_event e{pos, reconcile_kind::released, counter, 0};
    for (std::size_t k = out.size(); k-- > 0;) {
      if (out[k] == e) return;
      if (out[k].position + 256 < pos) break;
    }
    out.push_back(e);
  }
};

inline void compare_words(std::uint32_t pos, const control& was, const control& is, reconcile_report& out) {
  const auto add = [&](reconcile_kind k, unsigned a, unsigned b) { out.push_back({pos, k, a, b}); };
  if (was.sets_write() && !is.sets_write()) {
    add(reconcile_kind::downgraded, was.write_barrier, is.stall);
  } else if (!was.sets_write() && is.sets_write()) {
    add(reconcile_kind::upgraded, 0, is.write_barrier);
  } else if (was.write_barrier != is.write_barrier) {
    add(reconcile_kind::reindexed, was.write_barrier, is.write_barrier);
  }
  if (was.sets_read() && !is.sets_read()) {
    add(reconcile_kind::read_dropped, was.read_barrier, 0);
  } else if (!was.sets_read() && is.sets_read()) {
    add(reconcile_kind::read_given, 0, is.read_barrier);
  } else if (was.read_barrier != is.read_barrier) {
    add(reconcile_kind::read_reindexed, was.read_barrier, is.read_barrier);
  }
  if (was.wait_mask != is.wait_mask) add(reconcile_kind::waits, was.wait_mask, is.wait_mask);
  if (was.stall != is.stall) add(reconcile_kind::stall, was.stall, is.stall);
}

}  // namespace detail

// Puts final words into `p` and says what became of the draft. `draft` and `tracked` are by instruction index; instructions
// beyond their end are not tracked.
template <class Arch>
reconcile_report reconcile(program& p, span<const control> draft, span<const std::uint8_t> tracked,
                           const field_config& config = config_of<Arch>()) {
  reconcile_report out;
  encoder_chain<Arch> chain(config);
  detail::reconcile_listener listener{out, p, draft, tracked};
  chain.run(p, {}, listener);
  for (std::uint32_t pos = 0; pos < p.order.size(); ++pos) {
    const std::uint32_t k = p.order[pos].index();
    if (p.instructions[k].has(iflag::padding)) continue;
    if (!listener.knows(k)) {
      out.push_back({pos, reconcile_kind::created, 0, 0});
    } else {
      detail::compare_words(pos, draft[k], p.instructions[k].ctl, out);
    }
  }
  ww::detail::sort(out.begin(), out.end(), [](const reconcile_event& a, const reconcile_event& b) { return a.before(b); });
  return out;
}

}  // namespace ww::scoreboard
