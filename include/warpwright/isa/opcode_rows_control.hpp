// SPDX-License-Identifier: BSL-1.0
//
// Rows of the opcode table: branches, calls, convergence, barriers and everything that fences.
//
// A row is the mnemonic, its enumerator, the scheduling class it has when no modifier says otherwise
// (isa/classify.hpp refines it), the form that tells decoding how the operands are placed (isa/opcode_row.hpp), and
// traits: reuse (bits 122..125 mean operand reuse), fence, effect, sync, convergence, ends (a block), pc (result or
// target depends on the address). Sources: facts/hardware.md 2.1 and 5.2, corpus listings.
#pragma once

#include "opcode_row.hpp"

namespace ww::isa::detail {

// clang-format off
inline constexpr opcode_row control_rows[] = {
    {"NOP", opcode::nop, sched_class::nop, form::ctl, trait::none},
    {"BAR", opcode::bar, sched_class::bar, form::ctl, trait::fence | trait::sync | trait::effect},
    {"UCGABAR_ARV", opcode::ucgabar_arv, sched_class::bar, form::ctl, trait::fence | trait::sync | trait::effect},
    {"UCGABAR_WAIT", opcode::ucgabar_wait, sched_class::bar, form::ctl, trait::fence | trait::sync | trait::effect},
    {"UCGABAR_GET", opcode::ucgabar_get, sched_class::bar, form::ctl, trait::fence | trait::sync | trait::effect},
    {"UCGABAR_SET", opcode::ucgabar_set, sched_class::bar, form::ctl, trait::fence | trait::sync | trait::effect},
    {"BARCP", opcode::barcp, sched_class::bar, form::ctl, trait::fence | trait::sync | trait::effect},
    {"NANOSLEEP", opcode::nanosleep, sched_class::nanosleep, form::ctl, trait::fence | trait::effect},
    {"USETMAXREG", opcode::usetmaxreg, sched_class::nanosleep, form::ctl, trait::fence | trait::effect},
    {"SETMAXREG", opcode::setmaxreg, sched_class::nanosleep, form::ctl, trait::fence | trait::effect},
    {"WARPSYNC", opcode::warpsync, sched_class::warpsync, form::warpsync, trait::fence | trait::sync | trait::effect},
    {"ENDCOLLECTIVE", opcode::endcollective, sched_class::collective, form::ctl, trait::fence | trait::sync | trait::effect},
    {"WARPGROUP", opcode::warpgroup, sched_class::warpgroup, form::ctl, trait::fence | trait::sync | trait::effect},
    {"WARPGROUPSET", opcode::warpgroupset, sched_class::warpgroup, form::ctl, trait::fence | trait::sync | trait::effect},
    {"BMOV", opcode::bmov, sched_class::bmov_from_b, form::bmov, trait::convergence | trait::fence | trait::effect},
    {"BSSY", opcode::bssy, sched_class::bssy, form::bssy, trait::convergence | trait::fence | trait::effect},
    {"BSYNC", opcode::bsync, sched_class::bsync, form::bsync, trait::convergence | trait::fence | trait::effect | trait::ends},
    {"BREAK", opcode::break_, sched_class::brk, form::brk, trait::convergence | trait::fence | trait::effect | trait::ends},
    {"BCLEAR", opcode::bclear, sched_class::bssy, form::bclear, trait::convergence | trait::fence | trait::effect},
    {"YIELD", opcode::yield, sched_class::yield, form::ctl, trait::fence},
    {"BPT", opcode::bpt, sched_class::bpt, form::ctl, trait::fence | trait::effect},
    {"PMTRIG", opcode::pmtrig, sched_class::bpt, form::ctl, trait::fence | trait::effect},
    {"KILL", opcode::kill, sched_class::kill, form::ctl, trait::fence | trait::effect | trait::ends},
    {"BRA", opcode::bra, sched_class::branch, form::branch, trait::fence | trait::effect | trait::ends},
    {"JMP", opcode::jmp, sched_class::branch, form::branch, trait::fence | trait::effect | trait::ends},
    {"BRX", opcode::brx, sched_class::branch_indirect, form::branchi, trait::fence | trait::effect | trait::ends},
    {"JMX", opcode::jmx, sched_class::branch_indirect, form::branchi, trait::fence | trait::effect | trait::ends},
    {"BRXU", opcode::brxu, sched_class::branch_indirect, form::branchi, trait::fence | trait::effect | trait::ends},
    {"JMXU", opcode::jmxu, sched_class::branch_indirect, form::branchi, trait::fence | trait::effect | trait::ends},
    {"CALL", opcode::call, sched_class::call, form::call, trait::fence | trait::effect | trait::ends | trait::pc},
    {"CAL", opcode::cal, sched_class::call, form::call, trait::fence | trait::effect | trait::ends | trait::pc},
    {"JCAL", opcode::jcal, sched_class::call, form::call, trait::fence | trait::effect | trait::ends | trait::pc},
    {"PRET", opcode::pret, sched_class::call, form::call, trait::fence | trait::effect | trait::ends | trait::pc},
    {"RET", opcode::ret, sched_class::ret, form::ret, trait::fence | trait::effect | trait::ends | trait::pc},
    {"EXIT", opcode::exit, sched_class::exit, form::exit_, trait::fence | trait::effect | trait::ends},
    {"PREEXIT", opcode::preexit, sched_class::exit, form::ctl, trait::fence | trait::effect},
    {"ACQBULK", opcode::acqbulk, sched_class::exit, form::ctl, trait::fence | trait::effect},
    {"ACQSHMINIT", opcode::acqshminit, sched_class::exit, form::ctl, trait::fence | trait::effect},
    {"RTT", opcode::rtt, sched_class::exit, form::ctl, trait::fence | trait::effect | trait::ends},
    {"RAM", opcode::ram, sched_class::exit, form::ctl, trait::fence | trait::effect | trait::ends},
    {"SAM", opcode::sam, sched_class::exit, form::ctl, trait::fence | trait::effect | trait::ends},
    {"SETCTAID", opcode::setctaid, sched_class::exit, form::ctl, trait::fence | trait::effect},
    {"SETSMEMSIZE", opcode::setsmemsize, sched_class::exit, form::ctl, trait::fence | trait::effect},
    {"UVIRTCOUNT", opcode::uvirtcount, sched_class::exit, form::ctl, trait::fence | trait::effect},
    {"SSY", opcode::ssy, sched_class::ssy, form::ssy, trait::fence | trait::effect},
    {"PBK", opcode::pbk, sched_class::ssy, form::ssy, trait::fence | trait::effect},
    {"PCNT", opcode::pcnt, sched_class::ssy, form::ssy, trait::fence | trait::effect},
    {"PLONGJMP", opcode::plongjmp, sched_class::ssy, form::ssy, trait::fence | trait::effect},
    {"SYNC", opcode::sync, sched_class::sync, form::stack, trait::fence | trait::effect | trait::ends},
    {"BRK", opcode::brk, sched_class::sync, form::stack, trait::fence | trait::effect | trait::ends},
    {"CONT", opcode::cont, sched_class::sync, form::stack, trait::fence | trait::effect | trait::ends},
    {"LONGJMP", opcode::longjmp, sched_class::sync, form::stack, trait::fence | trait::effect | trait::ends},
};
// clang-format on

}  // namespace ww::isa::detail
