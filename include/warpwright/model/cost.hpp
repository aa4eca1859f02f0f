// SPDX-License-Identifier: BSL-1.0
//
// What an order and its control words cost.
//
//   cycles        sum over blocks of weight x cycles of one execution, per warp (for N warps: sub-core cycles divided by N)
//   block_cycles  cycles of one execution of each block: from the earliest issue of its first instruction to the earliest
//                 issue of the first one behind it
//   reasons       weighted cycles in which nothing of the warp was issued, by cause:
//                   dependence   the stall that a fixed-latency result needs
//                   barrier      a wait mask or DEPBAR
//                   pipe         the pipe was taken
//                   bank         register bank ports
//                   stall_count  an encoded stall that nothing of the above asks for, or behind a block's last instruction
//                   drain        raw stall code 0
//                 With N warps: cycles of the sub-core without an issue, by N. Of stalls it is not asked what they are for, so that
//                 dependence, bank and drain are stall_count there
//   operands      register reads, reuse hits and conflict cycles; of the conflict cycles some may be hidden by stalls, the
//                 ones that are not are the reason `bank`
//   instructions  the same per instruction, unweighted: cycles lost before it issued, for the last one of a block behind it too.
//                 With N warps those of all warps and of all times that a warp runs it
// Reasons are for those who ask (options::reasons); nothing here decides by them.
// The spans point into the workspace and stay good until its next use.
#pragma once

#include <cstdint>

#include "../meta/array.hpp"
#include "../meta/span.hpp"
#include "operand_reads.hpp"

namespace ww::model {

enum class stall_reason : std::uint8_t { dependence, barrier, pipe, bank, stall_count, drain, count };

inline constexpr unsigned reason_count = static_cast<unsigned>(stall_reason::count);

[[nodiscard]] constexpr const char* name(stall_reason r) {
  constexpr const char* names[reason_count] = {"dependence", "barrier", "pipe", "bank", "stall_count", "drain"};
  return static_cast<unsigned>(r) < reason_count ? names[static_cast<unsigned>(r)] : "?";
}

struct instruction_cost {
  array<std::uint32_t, reason_count> lost{};
};

struct cost {
  double cycles = 0;
  double issues = 0;  // weighted instructions
  unsigned warps = 1;
  array<double, reason_count> reasons{};
  operand_reads operands;
  span<const double> block_cycles;
  span<const instruction_cost> instructions;  // by instr_id; empty unless options::reasons
};

}  // namespace ww::model
