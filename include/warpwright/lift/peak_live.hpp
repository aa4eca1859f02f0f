// SPDX-License-Identifier: BSL-1.0
//
// The most registers that are live at one place, by class: what register reduction (ReduceReg) is measured by.
//
//   peak_live(program)          over all lines of all blocks, in the program's present order
//   block_peak(..., order)      of one block in an order of the caller's; live-in and live-out do not depend on it
// An instruction needs the larger of two sets: what is live before it, and what is live behind it or written by it. A result
// may take the register of a source that dies, so the figure is the same before and after a lift. (The rows of count_live()
// are the union of both sets; on virtual registers they also count a source beside the result that had its register.)
// Wide operands count all their registers. On virtual registers no allocation gets along with fewer; alignment and gaps can
// cost more. Units: registers (predicates for the predicate files).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/array.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../pressure/liveness.hpp"
#include "../simd/scalar.hpp"
#include "lifted.hpp"

namespace ww {

struct peak_workspace {
  liveness live;
  vec<std::uint64_t> row;
  vec<std::uint32_t> added;
};

// `l` must belong to the program; `row` and `added` are scratch.
template <class V = simd::scalar>
[[nodiscard]] live_count block_peak(const program& p, block_id b, span<const instr_id> order, const liveness& l,
                                    vec<std::uint64_t>& row, vec<std::uint32_t>& added) {
  const span<const std::uint64_t> out = l.live_out(b);
  row.assign(out.begin(), out.end());
  live_count now = l.layout.template population<V>(row.data());
  live_count peak;
  const auto set = [&](std::uint32_t bit) {
    const std::uint64_t mask = 1ull << (bit & 63u);
    const bool fresh = (row[bit >> 6] & mask) == 0;
    row[bit >> 6] |= mask;
    return fresh;
  };
  for (std::size_t k = order.size(); k-- > 0;) {
    const instruction& ins = p[order[k]];
    const span<const operand> ops = p.operands_of(ins);
    live_count behind = now;
    added.clear();
    for (const operand o : ops) {  // written and dead, or not written for all threads
      if (!o.is_def()) break;
      if (!o.is_register()) continue;
      const auto c = static_cast<std::size_t>(pressure_class_of(o.file()));
      l.each_bit(o, [&](std::uint32_t bit) {
        if (!set(bit)) return;
        added.push_back(bit);
        ++behind.of[c];
      });
    }
    for (const std::uint32_t bit : added) row[bit >> 6] &= ~(1ull << (bit & 63u));
    for (const operand o : ops) {
      if (!o.is_def()) break;
      if (!o.is_register() || ins.has(iflag::guarded) || o.is_partial()) continue;
      const auto c = static_cast<std::size_t>(pressure_class_of(o.file()));
      l.each_bit(o, [&](std::uint32_t bit) {
        now.of[c] -= static_cast<std::uint32_t>(row[bit >> 6] >> (bit & 63u) & 1u);
        row[bit >> 6] &= ~(1ull << (bit & 63u));
      });
    }
    for (const operand o : ops) {
      if (!o.is_use() || !o.is_register()) continue;
      const auto c = static_cast<std::size_t>(pressure_class_of(o.file()));
      l.each_bit(o, [&](std::uint32_t bit) { now.of[c] += set(bit) ? 1u : 0u; });
    }
    if (ins.has(iflag::unknown)) {
      l.step(p, ins, row.data());
      now = l.layout.template population<V>(row.data());
    }
    for (std::size_t c = 0; c < pressure_class_count; ++c) {
      peak.of[c] = std::max({peak.of[c], now.of[c], behind.of[c]});
    }
  }
  return peak;
}

// `at_least`: physical registers that exist beside those named; lifted_program::physical for lifted code.
template <class V = simd::scalar>
[[nodiscard]] live_count peak_live(const program& p, peak_workspace& ws,
                                   const array<std::uint32_t, pressure_class_count>& at_least = {}) {
  ws.live.compute<V>(p, at_least);
  live_count peak;
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    const live_count one = block_peak<V>(p, block_id{b}, p.order_of(p.blocks[b]), ws.live, ws.row, ws.added);
    for (std::size_t c = 0; c < pressure_class_count; ++c) peak.of[c] = std::max(peak.of[c], one.of[c]);
  }
  return peak;
}

[[nodiscard]] inline live_count peak_live(const program& p) {
  peak_workspace ws;
  return peak_live(p, ws);
}
[[nodiscard]] inline live_count peak_live(const lifted_program& l) {
  peak_workspace ws;
  return peak_live(l.code, ws, l.physical);
}

}  // namespace ww
