// SPDX-License-Identifier: BSL-1.0
//
// Judging and keeping one choice of counters out of several rounds (counters.hpp).
//
// The estimate is the weighted sum over the blocks of the time at which their last instruction would issue: pipes and two
// cycles per instruction (workspace::estimate), plus the waits that the masks ask for. It only compares choices for the
// same order; what an order costs is the cycle model's business (model/).
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/bits.hpp"
#include "../meta/rounded.hpp"
#include "workspace.hpp"

namespace ww::scoreboard {

inline constexpr std::int32_t entry_done = 20;  // estimate for a counter that comes in busy

constexpr double judge_choice(const program& p, const workspace& ws) {
  double total = 0;
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {
    const block& k = p.blocks[b];
    if (k.count == 0) continue;
    array<std::int32_t, control::barrier_count> done{};
    for (unsigned c = 0; c < done.size(); ++c)
      done[c] = (ws.flow[b].busy_in >> c & 1u) != 0 ? entry_done + detail::far_of(ws, ws.flow[b].far_in, c) : 0;
    std::int32_t late = 0;  // waits so far
    for (std::uint32_t pos = k.first; pos < k.first + k.count; ++pos) {
      const site& s = ws.sites[pos];
      if (s.leave()) continue;
      const control& ctl = s.ctl;
      std::int32_t t = ws.estimate[pos] + late;
      for (unsigned m = ctl.wait_mask; m != 0; m &= m - 1) {
        const std::int32_t d = done[static_cast<unsigned>(meta::countr_zero(m))];
        if (d > t) {
          late += d - t;
          t = d;
        }
      }
      if (ctl.sets_write()) {
        auto& d = done[ctl.write_barrier];
        d = meta::max(d, t + s.result_cycles + detail::far_of(ws, s));
      }
      if (ctl.sets_read()) {
        auto& d = done[ctl.read_barrier];
        d = meta::max(d, t + s.read_cycles);
      }
    }
    total += meta::rounded(k.weight * late);
  }
  return total;
}

constexpr void keep_choice(const program& p, workspace& ws) {
  ws.kept.resize(p.order.size());
  for (std::size_t pos = 0; pos < p.order.size(); ++pos) {
    const control& c = ws.sites[pos].ctl;
    ws.kept[pos] = {c.write_barrier, c.read_barrier, c.wait_mask};
  }
}

constexpr void restore_choice(const program& p, workspace& ws) {
  for (std::size_t pos = 0; pos < p.order.size(); ++pos) {
    control& c = ws.sites[pos].ctl;
    c.write_barrier = ws.kept[pos].write;
    c.read_barrier = ws.kept[pos].read;
    c.wait_mask = ws.kept[pos].wait;
  }
}

}  // namespace ww::scoreboard
