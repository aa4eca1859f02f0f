// SPDX-License-Identifier: BSL-1.0
//
// The per-opcode dispatch in front of the field encoders (SB-4, "Per-Opcode Dispatch").
//
//   standard    arithmetic and plain memory: all fields with the full analysis
//   wait_only   memory order and explicit barriers: the wait mask is what they are about
//   extended    several operands and uniform registers: texture, surface, bulk copies, warp-group matrices
//   chain       everything else: the encoders one after the other
// `text_handler` is the text's switch over its own opcode numbers, masked as there. Those numbers belong to a representation
// that no file shows, so `handler` says the same by scheduling class. The encoder chain runs every encoder on
// every instruction and asks neither; `is_texture` is what passes ask.
#pragma once

#include <cstdint>

#include "../../isa/sched_class.hpp"

namespace ww::scoreboard {

enum class field_handler : std::uint8_t { standard, wait_only, extended, chain };

[[nodiscard]] constexpr field_handler text_handler(std::uint32_t opcode_word) {
  switch (opcode_word & 0xffffcfffu) {
    case 2:
    case 3:
    case 5:
    case 7:
      return field_handler::standard;
    case 6:
      return field_handler::wait_only;
    case 10:
    case 149:
    case 151:
    case 290:
      return field_handler::extended;
    default:
      return field_handler::chain;
  }
}

[[nodiscard]] constexpr field_handler handler(sched_class c) {
  switch (c) {
    case sched_class::membar:
    case sched_class::fence:
    case sched_class::errbar:
    case sched_class::tensor_shift:
    case sched_class::cctl:
    case sched_class::depbar:
    case sched_class::ldgdepbar:
      return field_handler::wait_only;
    case sched_class::tex:
    case sched_class::tld:
    case sched_class::txq:
    case sched_class::suld:
    case sched_class::sust:
    case sched_class::suatom:
    case sched_class::tma:
    case sched_class::hgmma:
      return field_handler::extended;
    case sched_class::alu:
    case sched_class::alu_dual:
    case sched_class::setp:
    case sched_class::setp_64:
    case sched_class::fma:
    case sched_class::imad:
    case sched_class::imad_wide:
    case sched_class::half:
    case sched_class::ldg:
    case sched_class::stg:
    case sched_class::lds:
    case sched_class::sts:
    case sched_class::ldc:
      return field_handler::standard;
    default:
      return field_handler::chain;
  }
}

// Texture and surface operations: opcodes 60, 62, 78 and 79 of the text.
[[nodiscard]] constexpr bool is_texture(sched_class c) {
  return handler(c) == field_handler::extended && c != sched_class::tma && c != sched_class::hgmma;
}

}  // namespace ww::scoreboard
