// SPDX-License-Identifier: BSL-1.0
//
// Register files and occupancy limits of sm_70 (Volta). Source: facts: hardware 3.
//
// general_registers counts the R registers that a kernel can name; the declared count adds reserved_registers,
// which hardware holds for the program counter. Uniform registers are 0 where the SM has none.
// warps_for(r) is the number of warps resident on one SM when each thread is declared to use r registers.
#pragma once

#include "../detail/occupancy.hpp"

namespace ww {

struct sm70_limits {
  static constexpr unsigned general_registers = 253;
  static constexpr unsigned reserved_registers = 2;
  static constexpr unsigned predicates = 7;
  static constexpr unsigned uniform_registers = 0;
  static constexpr unsigned uniform_predicates = 0;
  static constexpr unsigned uniform_zero = 63;
  static constexpr unsigned max_warps = 64;
  static constexpr unsigned max_blocks = 32;
  static constexpr unsigned sub_cores = 4;
  static constexpr unsigned register_granule = 8;
  static constexpr unsigned register_units = 2;  // pressure counts components (PLS-4)
  static constexpr unsigned register_banks = 2;
  // Widest matrix source that may carry a reuse flag (assumed: as sm_75).
  static constexpr unsigned matrix_reuse_registers = 1;
  static constexpr unsigned shared_bytes = 96u * 1024u;            // per SM
  static constexpr unsigned shared_bytes_per_block = 96u * 1024u;  // largest of one block

  [[nodiscard]] static constexpr unsigned warps_for(unsigned registers_per_thread) {
    return detail::resident_warps<max_warps, sub_cores>(registers_per_thread);
  }
  [[nodiscard]] static constexpr unsigned registers_for(unsigned warps) {
    return detail::registers_for_warps<max_warps, sub_cores>(warps);
  }
};

}  // namespace ww
