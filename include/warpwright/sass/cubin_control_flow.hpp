// SPDX-License-Identifier: BSL-1.0
//
// Which 128-bit instruction words must stay where they are, because their meaning depends on their own address.
//
//   pinned  branches, calls, returns, BSSY, WARPSYNC with a target, LEPC: the encoding holds a distance, or the
//           instruction ends its block
//   target  the code offset to which a direct branch, call or BSSY leads
// This is a second line of defence behind the scheduler: it needs only the twelve opcode bits (0..11) and the distance
// field, and a patcher refuses a permutation that moves such an instruction or moves anything across its target.
// Opcode bits: facts, hardware 5.2, and all listings of the corpus (every instruction printed with a code address).
// The distance counts 4-byte words from the next instruction: bits 34..81, BSSY 34..63 (facts: hardware 5.3). From
// sm_90 on bits 34..81 are its upper part and bits 16..23 its lowest 8 bits, BSSY apart; checked on all 4,500 direct
// branches and calls of the corpus listings.
#pragma once

#include <cstdint>

#include "elf_bytes.hpp"
#include "section_move.hpp"

namespace ww::sass::detail {

[[nodiscard]] constexpr bool pinned_word(std::uint64_t low) {
  switch (low & 0xfffu) {
    case 0x343:  // CALL.ABS by register
    case 0x344:  // CALL.REL by register
    case 0x348:  // WARPSYNC with a target
    case 0x34e:  // LEPC
    case 0x941:  // BSYNC
    case 0x943:  // CALL.ABS
    case 0x944:  // CALL.REL
    case 0x945:  // BSSY
    case 0x947:  // BRA
    case 0x949:  // BRX
    case 0x94a:  // JMP
    case 0x94c:  // JMX
    case 0x94e:  // LEPC with a target
    case 0x950:  // RET
    case 0x958:  // BRX by uniform register
    case 0x959:  // JMX by uniform register
      return true;
    default:
      return false;
  }
}

// True if the code branches to an address in a register (BRX, JMX and their uniform forms): it may use a jump table.
[[nodiscard]] inline bool branches_indirectly(byte_span code) {
  for (std::uint64_t at = 0; holds(code.size(), at, 16); at += 16) {
    const std::uint64_t op = load_le<std::uint64_t>(code, at) & 0xfffu;
    if (op == 0x949 || op == 0x94c || op == 0x958 || op == 0x959) {
      return true;
    }
  }
  return false;
}

// How a file writes the distance of a branch or call. `split`: the low 8 bits of the distance stand in bits 16..23.
enum class branch_form : std::uint8_t { whole, split };

// The form of one code section: only the split form has a branch or call with anything in bits 16..23, and the
// closing branch to itself (distance -4) always has. Empty sections and sections without branches count as whole.
[[nodiscard]] inline branch_form branch_form_of(byte_span code) {
  for (std::uint64_t at = 0; holds(code.size(), at, 16); at += 16) {
    const auto low = load_le<std::uint64_t>(code, at);
    const std::uint64_t op = low & 0xfffu;
    if ((op == 0x947 || op == 0x944) && (low & 0xff0000u) != 0) {
      return branch_form::split;
    }
  }
  return branch_form::whole;
}

// The target of a direct branch, call, WARPSYNC or BSSY at `offset` of its section. False when the word has none.
[[nodiscard]] constexpr bool direct_target(branch_form form, std::uint64_t low, std::uint64_t high, std::uint64_t offset,
                                           std::uint64_t& out) {
  const std::uint64_t next = offset + section_move::instruction_bytes;
  const std::uint64_t op = low & 0xfffu;
  if (op == 0x945) {
    const std::uint64_t sign = std::uint64_t{1} << 29;
    out = next + (((low >> 34) ^ sign) - sign) * 4;
    return true;
  }
  if (op != 0x944 && op != 0x947 && (op != 0x348 || form != branch_form::split)) {
    return false;
  }
  const std::uint64_t sign = std::uint64_t{1} << 47;
  std::uint64_t field = ((((low >> 34) | ((high & 0x3ffffu) << 30)) ^ sign) - sign);
  if (form == branch_form::split) {
    field = (field << 8) | ((low >> 16) & 0xffu);
  }
  out = next + field * 4;
  return true;
}

}  // namespace ww::sass::detail
