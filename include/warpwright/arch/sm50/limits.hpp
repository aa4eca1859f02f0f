// SPDX-License-Identifier: BSL-1.0
//
// Register files and occupancy limits of sm_50 (Maxwell). Source: facts: hardware 3.
//
// general_registers counts the R registers that a kernel can name; the declared count adds reserved_registers,
// which hardware holds for the program counter. Uniform registers are 0 where the SM has none.
// warps_for(r) is the number of warps resident on one SM when each thread is declared to use r registers.
#pragma once

#include "../detail/occupancy.hpp"

namespace ww {

struct sm50_limits {
  static constexpr unsigned general_registers = 255;
  static constexpr unsigned reserved_registers = 0;
  static constexpr unsigned predicates = 7;
  static constexpr unsigned uniform_registers = 0;
  static constexpr unsigned uniform_predicates = 0;
  static constexpr unsigned uniform_zero = 63;
  static constexpr unsigned max_warps = 64;
  static constexpr unsigned max_blocks = 32;
  static constexpr unsigned sub_cores = 4;
  static constexpr unsigned register_granule = 8;
  static constexpr unsigned register_banks = 4;
  // Ports of compared doubles that may carry a reuse flag: none. Observed: 0 of 1,065 DSETP of sm_50 to sm_53, where disassemblers print
  // none either; 142 of 1,489 of sm_60 to sm_62.
  static constexpr unsigned double_compare_reuse_ports = 0;
  static constexpr unsigned shared_bytes = 64u * 1024u;            // per SM
  static constexpr unsigned shared_bytes_per_block = 48u * 1024u;  // largest of one block

  [[nodiscard]] static constexpr unsigned warps_for(unsigned registers_per_thread) {
    return detail::resident_warps<max_warps, sub_cores>(registers_per_thread);
  }
  [[nodiscard]] static constexpr unsigned registers_for(unsigned warps) {
    return detail::registers_for_warps<max_warps, sub_cores>(warps);
  }
};

}  // namespace ww
