// SPDX-License-Identifier: BSL-1.0
//
// The default priority: critical-path list scheduling. The key never changes while an instruction waits, so it is
// computed once per instruction and kept in a queue.
//
//   field 0  height        cycles to the end of the block along the longest path below; latencies of the graph's edges
//   field 1  occupancy     cycles that it holds its pipe: of two equal heights the one that blocks more goes first
//   field 2  fanout        successors that it lets go
//   last     source order
// The engine fills cycle after cycle: only instructions whose producers are done and whose pipe is free compete, so the
// earliest possible issue decides before any field here.
#pragma once

#include <cstdint>

#include "../meta/role.hpp"
#include "candidate.hpp"

namespace ww::priority {

struct critical_path {
  using role = ww::role::priority;
  static constexpr const char* name = "critical_path";
  static constexpr bool fixed_key = true;

  [[nodiscard]] static constexpr std::uint64_t key(const candidate& c) {
    const std::uint64_t height = c.height < 0xffffffu ? c.height : 0xffffffu;
    const std::uint64_t fanout = c.fanout < 0xffu ? c.fanout : 0xffu;
    return (height << 16) | (static_cast<std::uint64_t>(c.interval) << 8) | fanout;
  }
  [[nodiscard]] static constexpr unsigned explain(std::uint64_t x, std::uint64_t y) {
    const std::uint64_t differ = x ^ y;
    return (differ >> 16) != 0 ? 0u : (differ >> 8) != 0 ? 1u : differ != 0 ? 2u : 3u;
  }
  [[nodiscard]] static constexpr const char* reason_name(unsigned reason) {
    constexpr const char* names[] = {"height", "pipe_occupancy", "fanout", "source_order"};
    return names[reason < 3 ? reason : 3];
  }
};

}  // namespace ww::priority
