// SPDX-License-Identifier: BSL-1.0
//
// The guard of an instruction as a value that can be compared inside one block.
//
//   key            guard predicate, its newest writer before the instruction, and the sign
//   same           both act for the same threads: a write under one replaces a write under the other
//   complementary  no thread runs both (@P0 and @!P0 of one value of P0): for per-thread registers they do not conflict
//                  (facts: more rules seen in clean compiler output), but for the guard, which every thread reads
//
// Instructions that read other threads' registers (shuffles, votes, matrix operations) and registers that a warp shares
// (uniform files under a per-thread guard) are never complementary.
#pragma once

#include <cstdint>

#include "../ir/instruction.hpp"
#include "../ir/operand.hpp"
#include "../isa/sched_class.hpp"

namespace ww::detail {

struct guard_key {
  std::uint32_t reg = 0;      // packed guard register, 0 = none (reg_file::none)
  std::uint32_t version = 0;  // 2 * (newest writer + 1) + negated
  bool lane_local = true;     // touches only its own thread's registers

  [[nodiscard]] constexpr bool guarded() const { return reg != 0; }
  [[nodiscard]] constexpr bool same(const guard_key& o) const { return reg == o.reg && version == o.version; }
  // True when no later access can meet `older` without meeting a full write under this guard first.
  [[nodiscard]] constexpr bool replaces(const guard_key& older) const {
    return !guarded() || (same(older) && (older.lane_local || !lane_local));
  }
  // This is the guard of the earlier instruction, `where` it names the register in which the two meet, `file` the register's.
  // Every thread reads the guard itself: who gives it a new value comes behind all that are guarded by the old one.
  [[nodiscard]] constexpr bool complementary(const guard_key& o, slot where, reg_file file) const {
    if (reg == 0 || reg != o.reg || version != (o.version ^ 1u) || !lane_local || !o.lane_local) return false;
    if (where == slot::guard) return false;
    return file == reg_file::r || file == reg_file::p || ww::reg::from_packed(reg).file() == reg_file::up;
  }
};

constexpr bool crosses_lanes(sched_class c) {
  switch (c) {
    case sched_class::unknown:
    case sched_class::vote:
    case sched_class::voteu:
    case sched_class::match:
    case sched_class::redux:
    case sched_class::shfl:
    case sched_class::movm:
    case sched_class::ldsm:
    case sched_class::stsm:
    case sched_class::hmma_small:
    case sched_class::hmma_medium:
    case sched_class::hmma_large:
    case sched_class::hmma_sparse:
    case sched_class::imma_small:
    case sched_class::imma_medium:
    case sched_class::imma_large:
    case sched_class::bmma_small:
    case sched_class::bmma_large:
    case sched_class::dmma:
    case sched_class::qmma:
    case sched_class::hgmma:
    case sched_class::r2ur:
    case sched_class::elect:
    case sched_class::collective:
    case sched_class::warpsync:
    case sched_class::warpgroup:
    case sched_class::bar:
    case sched_class::tex:
    case sched_class::tld:
      return true;
    default:
      return false;
  }
}

// True where a guarded or partial definition leaves nothing of the old value for the threads that run it. Of a guarded one that
// leaves something for another reason (some threads only, some predicates) that is not known: a later reader stands behind the
// earlier writers through this one all the same.
constexpr bool writes_fully(const instruction& ins, operand o) {
  if (ins.has(iflag::guarded)) return !o.is_half();
  return !o.is_partial();
}

}  // namespace ww::detail
