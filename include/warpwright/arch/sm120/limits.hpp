// SPDX-License-Identifier: BSL-1.0
//
// Register files and occupancy limits of sm_120 (Blackwell, RTX). Source: facts: hardware 3.
//
// general_registers counts the R registers that a kernel can name; the declared count adds reserved_registers,
// which hardware holds for the program counter. 80 uniform registers are known to be usable; the field has 8 bits.
// warps_for(r) is the number of warps resident on one SM when each thread is declared to use r registers.
#pragma once

#include "../detail/occupancy.hpp"

namespace ww {

struct sm120_limits {
  static constexpr unsigned general_registers = 253;
  static constexpr unsigned reserved_registers = 2;
  static constexpr unsigned predicates = 7;
  static constexpr unsigned uniform_registers = 80;
  static constexpr unsigned uniform_predicates = 7;
  static constexpr unsigned uniform_zero = 255;
  static constexpr unsigned max_warps = 48;
  static constexpr unsigned max_blocks = 24;
  static constexpr unsigned sub_cores = 4;
  static constexpr unsigned register_granule = 8;
  static constexpr unsigned register_units = 2;  // pressure counts components (PLS-4)
  static constexpr unsigned register_banks = 2;
  // Ports of matrix sources that may carry a reuse flag, bit p for port p + 1: observed, 156 flags on the second of 15,028 HMMA, none on
  // another; a disassembler refuses those on the first and third. Elsewhere the first two (scoreboard/reuse_class.hpp).
  static constexpr unsigned matrix_reuse_ports = 2;
  // Ports of double-precision sources that may carry a reuse flag: none. Observed: 0 of 10,926 DADD, DFMA, DMUL and DSETP of public
  // libraries (sm_121 among them), where 503 of 12,014 for sm_100 have one; 0 of 48 DMMA of tiles that share factors, 6 for sm_100.
  static constexpr unsigned double_reuse_ports = 0;
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
