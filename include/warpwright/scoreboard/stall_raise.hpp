// SPDX-License-Identifier: BSL-1.0
//
// Where one stall is not enough, for stalls.hpp.
//
//   floor    the least stall of an instruction that is known so far
//   binding  the producer of the newest distance that the walk has found
//   raised   the first instruction whose floor grew: everything in front of it is as it was, so that the walk goes on from there and
//            a long block costs its length, and not its square (9,000 matrix operations, each waiting for the one before it)
#pragma once

#include <cstdint>

#include "../meta/algorithm.hpp"
#include "stall_entry.hpp"
#include "workspace.hpp"

namespace ww::scoreboard {

template <class Arch, class YieldPolicy>
struct stall_raise : stall_entry<Arch, YieldPolicy> {
  using base = stall_entry<Arch, YieldPolicy>;
  using base::drain_floor;
  using base::max_stall;
  using base::no_record;
  using base::window;

  constexpr stall_raise(const program& program, workspace& memory) : base(program, memory) {}

 protected:
  using base::issued;
  using base::make_drain;
  using base::own_stall;
  using base::ws;

  std::uint32_t binding = 0;         // position
  std::uint32_t raised = no_record;  // position; no_record: the whole block is to be walked again
  std::int32_t horizon = 0;          // what ended before is of another walk

  // Time at which every recent fixed result of this block's paths could be read by anything.
  constexpr std::int32_t all_landed(std::int32_t now) {
    std::int32_t need = now;
    const auto look = [&](const write_record& w) {
      if (w.time + window < need || w.time + window <= now) return;
      const std::int32_t t =
          w.time + static_cast<std::int32_t>(worst_distance<Arch>(w.what & write_record::place, ws.worst));
      if (t <= now || t < need || (t == need && w.pos >= binding)) return;  // of several the first
      need = t;
      binding = w.pos;
    };
    for (std::uint32_t k = 0; k < ws.touched_count; ++k) {
      unit_heads& h = ws.heads[ws.touched[k]];
      if (h.write_until < horizon) continue;
      for (write_record* w = &h.write;; w = &ws.records[w->next]) {
        look(*w);
        if (w->time + 2 * window < issued) w->next = no_record;  // nor does anything older bind
        if (w->next == no_record) break;
      }
    }
    return need;
  }

  // In front of the first raised floor everything is as it was, and what issued `reach` cycles before it binds nobody any
  // more: the position from which a walk has to know what issued; none if that may be in front of the block.
  static constexpr std::int32_t reach = 2 * window + 256;  // no pipe is busy for longer
  [[nodiscard]] constexpr std::uint32_t recent(const block& b) const {
    std::int32_t cycles = 0;
    for (std::uint32_t pos = raised; pos-- > b.first;) {
      if (!ws.sites[pos].leave()) cycles += own_stall(pos);
      if (cycles >= reach) return pos;
    }
    return no_record;
  }

  // More than 15 cycles are missing: raise the floors of the instructions from the producer on, nearest first.
  constexpr void spread(std::uint32_t prev, std::int32_t missing) {
    for (std::uint32_t q = prev; q-- > binding && missing > 0;) {
      site& s = ws.sites[q];
      if (s.leave() || s.floor == drain_floor) continue;
      const std::int32_t add = meta::min(max_stall - s.floor, missing);
      if (add <= 0) continue;
      s.floor = static_cast<std::uint8_t>(s.floor + add);
      s.add(site::data_bound);
      missing -= add;
      raised = q;
    }
    if (missing > 0) make_drain(prev);
    if (raised == no_record) raised = prev;
  }
};

}  // namespace ww::scoreboard
