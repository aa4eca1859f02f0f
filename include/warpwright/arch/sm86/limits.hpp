// SPDX-License-Identifier: BSL-1.0
//
// Register files and occupancy limits of sm_86 (Ampere, RTX). Source: facts: hardware 3.
//
// general_registers counts the R registers that a kernel can name; the declared count adds reserved_registers,
// which hardware holds for the program counter. Uniform registers are 0 where the SM has none.
// warps_for(r) is the number of warps resident on one SM when each thread is declared to use r registers.
#pragma once

#include "../detail/occupancy.hpp"

namespace ww {

struct sm86_limits {
  static constexpr unsigned general_registers = 253;
  static constexpr unsigned reserved_registers = 2;
  static constexpr unsigned predicates = 7;
  static constexpr unsigned uniform_registers = 63;
  static constexpr unsigned uniform_predicates = 7;
  static constexpr unsigned uniform_zero = 63;
  static constexpr unsigned max_warps = 48;
  static constexpr unsigned max_blocks = 16;
  static constexpr unsigned sub_cores = 4;
  static constexpr unsigned register_granule = 8;
  static constexpr unsigned register_units = 2;  // pressure counts components (PLS-4)
  static constexpr unsigned register_banks = 2;
  // Bit of the lower word that is the reuse flag of what selects elements of a sparse factor (observed: 312 HMMA.SP of sm_80 to sm_89; from
  // sm_90 on it is the fourth reuse bit of the control word).
  static constexpr unsigned selector_reuse_bit = 50;
  static constexpr unsigned shared_bytes = 100u * 1024u;           // per SM
  static constexpr unsigned shared_bytes_per_block = 99u * 1024u;  // largest of one block

  [[nodiscard]] static constexpr unsigned warps_for(unsigned registers_per_thread) {
    return detail::resident_warps<max_warps, sub_cores>(registers_per_thread);
  }
  [[nodiscard]] static constexpr unsigned registers_for(unsigned warps) {
    return detail::registers_for_warps<max_warps, sub_cores>(warps);
  }
};

}  // namespace ww
