// SPDX-License-Identifier: BSL-1.0
//
// Rows of the opcode table: the uniform datapath.
//
// A row is the mnemonic, its enumerator, the scheduling class it has when no modifier says otherwise
// (isa/classify.hpp refines it), the form that tells decoding how the operands are placed (isa/opcode_row.hpp), and
// traits: reuse (bits 122..125 mean operand reuse), fence, effect, sync, convergence, ends (a block), pc (result or
// target depends on the address). Sources: facts/hardware.md 2.1 and 5.2, corpus listings.
#pragma once

#include "opcode_row.hpp"

namespace ww::isa::detail {

// clang-format off
inline constexpr opcode_row uniform_rows[] = {
    {"UIADD3", opcode::uiadd3, sched_class::ualu, form::alu, trait::none},
    {"ULOP3", opcode::ulop3, sched_class::ualu, form::alu, trait::none},
    {"USHF", opcode::ushf, sched_class::ualu, form::alu, trait::none},
    {"ULEA", opcode::ulea, sched_class::ualu, form::alu, trait::none},
    {"UPRMT", opcode::uprmt, sched_class::ualu, form::alu, trait::none},
    {"UIABS", opcode::uiabs, sched_class::ualu, form::alu, trait::none},
    {"USGXT", opcode::usgxt, sched_class::ualu, form::alu, trait::none},
    {"UBMSK", opcode::ubmsk, sched_class::ualu, form::alu, trait::none},
    {"ULOP", opcode::ulop, sched_class::ualu, form::alu, trait::none},
    {"USHL", opcode::ushl, sched_class::ualu, form::alu, trait::none},
    {"USHR", opcode::ushr, sched_class::ualu, form::alu, trait::none},
    {"UVIADD", opcode::uviadd, sched_class::ualu, form::alu, trait::none},
    {"UIMNMX", opcode::uimnmx, sched_class::ualu, form::alu, trait::none},
    {"UVIMNMX", opcode::uvimnmx, sched_class::ualu, form::alu, trait::none},
    {"UVIMNMX3", opcode::uvimnmx3, sched_class::ualu, form::alu, trait::none},
    {"UVIADDMNMX", opcode::uviaddmnmx, sched_class::ualu, form::alu, trait::none},
    {"UIADD", opcode::uiadd, sched_class::ualu, form::alu, trait::none},
    {"UF2FP", opcode::uf2fp, sched_class::ualu, form::alu, trait::none},
    {"UI2FP", opcode::ui2fp, sched_class::ualu, form::alu, trait::none},
    {"UI2I", opcode::ui2i, sched_class::ualu, form::alu, trait::none},
    {"UMOV", opcode::umov, sched_class::umov, form::alu, trait::none},
    {"UMOV32I", opcode::umov32i, sched_class::umov, form::alu, trait::none},
    {"USEL", opcode::usel, sched_class::usel, form::alu, trait::none},
    {"UIMAD", opcode::uimad, sched_class::uimad, form::alu, trait::none},
    {"UFADD", opcode::ufadd, sched_class::ufp, form::alu, trait::none},
    {"UFMUL", opcode::ufmul, sched_class::ufp, form::alu, trait::none},
    {"UFFMA", opcode::uffma, sched_class::ufp, form::alu, trait::none},
    {"UFMNMX", opcode::ufmnmx, sched_class::ufp, form::alu, trait::none},
    {"UFSEL", opcode::ufsel, sched_class::ufp, form::alu, trait::none},
    {"UFSET", opcode::ufset, sched_class::ufp, form::alu, trait::none},
    {"UF2F", opcode::uf2f, sched_class::ufp, form::alu, trait::none},
    {"UF2I", opcode::uf2i, sched_class::ufp, form::alu, trait::none},
    {"UI2F", opcode::ui2f, sched_class::ufp, form::alu, trait::none},
    {"UFRND", opcode::ufrnd, sched_class::ufp, form::alu, trait::none},
    {"UI2IP", opcode::ui2ip, sched_class::ufp, form::alu, trait::none},
    {"UF2IP", opcode::uf2ip, sched_class::ufp, form::alu, trait::none},
    {"UFMNMX3", opcode::ufmnmx3, sched_class::ufp, form::alu, trait::none},
    {"UISETP", opcode::uisetp, sched_class::usetp, form::setp, trait::none},
    {"UFSETP", opcode::ufsetp, sched_class::usetp, form::setp, trait::none},
    {"UPLOP3", opcode::uplop3, sched_class::uplop3, form::plop, trait::none},
    {"UPSETP", opcode::upsetp, sched_class::uplop3, form::plop, trait::none},
    {"VOTEU", opcode::voteu, sched_class::voteu, form::vote, trait::none},
    {"UFLO", opcode::uflo, sched_class::ubit, form::alu, trait::none},
    {"UPOPC", opcode::upopc, sched_class::ubit, form::alu, trait::none},
    {"UBREV", opcode::ubrev, sched_class::ubit, form::alu, trait::none},
    {"UR2UR", opcode::ur2ur, sched_class::r2ur, form::alu, trait::none},
    {"P2UR", opcode::p2ur, sched_class::ualu, form::alu, trait::none},
    {"UP2UR", opcode::up2ur, sched_class::ualu, form::alu, trait::none},
    {"UR2UP", opcode::ur2up, sched_class::ualu, form::r2p, trait::none},
    {"R2UP", opcode::r2up, sched_class::ualu, form::r2p, trait::none},
};
// clang-format on

}  // namespace ww::isa::detail
