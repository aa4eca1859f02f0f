// SPDX-License-Identifier: BSL-1.0
//
// Where the operands that pre-allocation calls read end, and those that it calls write begin (FPA-7, the boundary table).
//
//   boundary_of(instruction)   index into its operands, as program::operands has them: results first, then sources. -1: the
//                              instruction is not pre-assigned
//   priority                   what pre-allocation may do with an operand: read 1, write 2, both 3
// The table goes by names. Numbers in it are the text's; where the text asks a function, its last argument stands for the
// answer (R2P 3, TEX 3, UFMUL 3, SEL 3, EXIT 2). The packed numbers of ATOM are not given: 3 is assumed, an address of two
// registers and an offset before the data. "AL2P..SUATOM" stands for AL2P, SUATOM, SUST and SURED. Opcodes of the text that
// machine code does not have under that name are left out: FENCE_T (6) is FENCE here, and QFMA4 has no counterpart.
#pragma once

#include <cstdint>

#include "../ir/instruction.hpp"
#include "../isa/opcode.hpp"

namespace ww::regalloc {

enum class pre_priority : std::uint8_t { none = 0, read = 1, write = 2, both = 3 };

inline constexpr std::int32_t assumed_atom_boundary = 3;

[[nodiscard]] constexpr std::int32_t boundary_of(opcode op) {
  switch (op) {
    case opcode::atom:
    case opcode::atomg:
      return assumed_atom_boundary;
    case opcode::exit:
      return 2;
    case opcode::r2p:
    case opcode::al2p:
    case opcode::suatom:
    case opcode::sust:
    case opcode::sured:
    case opcode::uisetp:
    case opcode::tex:
    case opcode::ufmul:
    case opcode::sel:
      return 3;
    case opcode::suld:
      return 4;
    case opcode::fence:
      return 6;
    default:
      return -1;
  }
}

// The instructions that the scan under the uniform gate takes: assumed to be those of the table on the uniform pipe.
[[nodiscard]] constexpr bool is_uniform_candidate(opcode op) { return op == opcode::uisetp || op == opcode::ufmul; }

// Writes its result over one of its sources, and gains from one place for both: the matrix instructions (result and addend),
// and the two that the text names beside the table (HSET2; UTCSTSWS).
[[nodiscard]] constexpr bool links_result(opcode op) {
  switch (op) {
    case opcode::hmma:
    case opcode::imma:
    case opcode::bmma:
    case opcode::dmma:
    case opcode::qmma:
    case opcode::omma:
    case opcode::hset2:
    case opcode::utcstsws:
      return true;
    default:
      return false;
  }
}

}  // namespace ww::regalloc
