// SPDX-License-Identifier: BSL-1.0
//
// Which two instructions may issue together (PLS-13, "Dual-Issue Scheduling"), and where that exists at all.
//
//   dual_issues<Arch>   the control format of the SM defines the code "stall 0, stay" (16): sm_50..62. Later formats leave
//                       it undefined, so nothing here ever acts there
//   can_be_dual         may be half of a pair (the text's first question): simple arithmetic, or a memory, texture or
//                       special-function instruction; nothing that fences, synchronises, branches, moves predicates in bulk
//                       or reads another thread
//   can_pair            the two together (its second question): one simple arithmetic instruction and one of the other kind,
//                       on different pipes; no register that one writes and the other touches; not both a constant bank
// Source: facts, hardware 1.4 (documented by maxas): different resources, not two constant reads, a memory or
// special-function instruction beside a simple arithmetic one, never R2P or P2R. That the second one must not wait for a
// counter is assumed.
#pragma once

#include "../arch/concept.hpp"
#include "../ir/program.hpp"

namespace ww::strategy {

template <class Arch>
inline constexpr bool dual_issues = Arch::control_format::valid(Arch::control_format::encode(control{.stall = 0}));

enum class pair_side : std::uint8_t { neither, arithmetic, other };

template <class Arch>
[[nodiscard]] constexpr pair_side can_be_dual(const instruction& i) {
  for (const iflag f : {iflag::fence, iflag::sync, iflag::convergence, iflag::unknown, iflag::never, iflag::ends_block,
                        iflag::branch, iflag::call, iflag::ret, iflag::exit, iflag::pc_relative, iflag::padding,
                        iflag::reads_clock, iflag::volatile_mem, iflag::behind_barrier}) {
    if (i.has(f)) return pair_side::neither;
  }
  switch (i.iclass) {
    case sched_class::r2p:
    case sched_class::p2r:
    case sched_class::vote:
    case sched_class::cs2r:
    case sched_class::cs2r_32:
    case sched_class::lepc:
      return pair_side::neither;
    default:
      break;
  }
  switch (Arch::pipes::pipe_of(i.iclass)) {
    case pipe_id::alu:
    case pipe_id::fma:
    case pipe_id::half:
      return Arch::latency::variable(i.iclass) ? pair_side::neither : pair_side::arithmetic;
    case pipe_id::lsu:
    case pipe_id::tex:
    case pipe_id::xu:
      return i.dir == mem_dir::order ? pair_side::neither : pair_side::other;
    default:
      return pair_side::neither;
  }
}

// A register that one of the two writes and the other one touches.
[[nodiscard]] inline bool registers_meet(const program& p, const instruction& a, const instruction& b) {
  for (const operand x : p.operands_of(a)) {
    if (!x.is_register()) continue;
    for (const operand y : p.operands_of(b)) {
      if (!y.is_register() || x.file() != y.file() || (!x.is_def() && !y.is_def())) continue;
      const std::uint32_t m = x.base().number();
      const std::uint32_t n = y.base().number();
      if (m < n + y.width() && n < m + x.width()) return true;
    }
  }
  return false;
}

template <class Arch>
[[nodiscard]] bool can_pair(const program& p, const instruction& a, const instruction& b) {
  const pair_side x = can_be_dual<Arch>(a);
  const pair_side y = can_be_dual<Arch>(b);
  if (x == pair_side::neither || y == pair_side::neither || x == y) return false;
  if (a.has(iflag::reads_constant) && b.has(iflag::reads_constant)) return false;
  return !registers_meet(p, a, b);
}

}  // namespace ww::strategy
