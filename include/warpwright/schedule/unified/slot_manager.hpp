// SPDX-License-Identifier: BSL-1.0
//
// The slot manager (PLS-7): the issue-cycle budget of a block.
//
//   cursor    cycle of the next issue slot          limit    cycles that the block should take: its critical path
//   epoch     a run of instructions that issued without waiting for a slot; the anchor is its first instruction
//   pending   instructions of the epoch so far      stride   cycles by which the cursor jumps when an epoch ends
// An instruction's cost is the cycle at which its pipe can take it; contention is how far that lies beyond the cursor. One
// that costs nothing is compared with the anchor: sharing its pipe counts as contention of one.
#pragma once

#include <cstdint>

#include "../../arch/vocabulary.hpp"
#include "record.hpp"

namespace ww::unified {

struct slot_manager {
  std::uint32_t cursor = 0;  // cycle
  std::uint32_t stride = 0;  // cycles
  std::uint32_t limit = 0;   // cycles
  std::uint32_t pending = 0;
  std::uint32_t anchor = no_record;
  std::uint8_t anchor_pipe = 0;
  bool advance_ready = false;
  std::uint32_t pipe_free[pipe_count] = {};  // cycle from which a pipe takes the next instruction

  [[nodiscard]] constexpr std::uint32_t cost(const record& r) const { return pipe_free[r.pipe]; }
  [[nodiscard]] constexpr std::int32_t contention(const record& r) const {
    const std::uint32_t c = cost(r);
    return c > cursor ? static_cast<std::int32_t>(c - cursor) : 0;
  }
  [[nodiscard]] constexpr bool shares_anchor(const record& r) const { return anchor != no_record && anchor_pipe == r.pipe; }
  [[nodiscard]] constexpr bool within_limit(std::int32_t more) const {
    return static_cast<std::int64_t>(cursor) + more + stride <= limit;
  }
  [[nodiscard]] constexpr std::int32_t left() const {
    return static_cast<std::int32_t>(limit) - static_cast<std::int32_t>(cursor);
  }
  [[nodiscard]] constexpr std::uint32_t issue(const record& r) const {
    std::uint32_t at = cost(r) > cursor ? cost(r) : cursor;
    return r.earliest > at ? r.earliest : at;
  }

  // Books an instruction and returns its issue cycle. A wait ends the epoch: the cursor jumps, the anchor is forgotten.
  constexpr std::uint32_t place(const record& r, std::uint32_t index) {
    const std::uint32_t at = issue(r);
    stride = at - cursor;
    advance_ready = stride != 0;
    if (advance_ready) {
      cursor += stride;
      pending = 0;
      anchor = no_record;
    }
    if (pending == 0) {
      anchor = index;
      anchor_pipe = r.pipe;
    }
    ++pending;
    pipe_free[r.pipe] = at + r.interval;
    cursor = at + r.min_stall;
    return at;
  }
};

}  // namespace ww::unified
