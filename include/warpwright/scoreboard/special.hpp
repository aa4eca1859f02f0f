// SPDX-License-Identifier: BSL-1.0
//
// Instructions whose counters mean more than a register.
//
//   wait_all      control leaves to code that is not known, the opcode is not known, threads of a warp come together for one
//                 operation, or a NOP is a fence (ir/cfg.hpp): everything outstanding must have landed
//   acquire       a cache is thrown away (CCTL.IVALL): what strong loads and atomics bring must have come, or it would not be
//                 acquired, even where nobody reads it; compilers leave other loads on their way (observed)
//   order_write   a fence or asynchronous operation that raises a write counter without a register result
//   order_read    the same with a read counter: both are "completion of the operation", kept on the order unit
//   order_wait    barriers, fences and other asynchronous operations wait for such completions
//   pin_write     the counter is named elsewhere (LDGDEPBAR with DEPBAR.LE SBx): it keeps its index
//   pin_read      the same for a read counter (UTMACMDFLUSH with DEPBAR.LE SBx)
//   force_next    an unknown opcode that raised counters, a change of the warp's registers, or a fence of the scope of a
//                 block: the next instruction waits. With a pin it keeps its index, with order_read any counter will do
//   at_once       UCGABAR_ARV and UCGABAR_WAIT: unlike behind BAR, anything may issue a cycle later (22 of 22 in compiled code)
//   never_waits   its word has no room for a wait mask (WARPGROUP.DEPBAR): who comes behind it waits instead
//   leave         padding: its control word is not touched
// Sources: facts, hardware 1.4 and 2.11 of the public notes; compiler output for sm_80 and sm_90.
#pragma once

#include <cstdint>

#include "../ir/known_control.hpp"
#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../isa/sched_class.hpp"

namespace ww::scoreboard {

struct special_role {
  static constexpr std::uint16_t wait_all = 1u << 0;
  static constexpr std::uint16_t order_write = 1u << 1;
  static constexpr std::uint16_t order_read = 1u << 2;
  static constexpr std::uint16_t order_wait = 1u << 3;
  static constexpr std::uint16_t pin_write = 1u << 4;
  static constexpr std::uint16_t pin_read = 1u << 5;
  static constexpr std::uint16_t force_next = 1u << 6;
  static constexpr std::uint16_t leave = 1u << 7;
  static constexpr std::uint16_t acquire = 1u << 8;
  static constexpr std::uint16_t at_once = 1u << 9;
  static constexpr std::uint16_t never_waits = 1u << 10;

  std::uint16_t bits = 0;
  std::uint8_t write_pin = control::no_barrier;
  std::uint8_t read_pin = control::no_barrier;

  [[nodiscard]] constexpr bool has(std::uint16_t b) const { return (bits & b) != 0; }
};

// Classes whose members complete something that other threads or the asynchronous proxy can see.
constexpr bool is_order_class(sched_class c) {
  return c == sched_class::membar || c == sched_class::fence || c == sched_class::syncs || c == sched_class::tma;
}
// Classes that must not start before such completions. Generic accesses are among them: they may reach what a barrier object
// has just been written to (observed: ST.STRONG.SM waits for SYNCS.EXCH before it, 64 of 64).
constexpr bool waits_for_order(sched_class c) {
  return is_order_class(c) || c == sched_class::ld || c == sched_class::st || c == sched_class::atom ||
         c == sched_class::bar || c == sched_class::errbar || c == sched_class::cctl || c == sched_class::collective ||
         c == sched_class::depbar || c == sched_class::exit || c == sched_class::warpgroup;
}

// Can what the instruction brings be acquired by a CCTL.IVALL behind it? Of strong accesses it is the last one: what is in front of
// it may still be on its way (compiled code: ld.relaxed before ld.acquire; behind a fence all has drained). On shared memory
// nothing tells a load that acquires from another (sm_90 and later: LDS or ATOMS raises a counter, CCTL.IVALL waits for it).
// Surfaces are not in that cache (observed: SULD.STRONG on its way over a CCTL.IVALL, sm_80 to sm_120).
constexpr bool is_strong(const instruction& i) {
  return i.has(iflag::volatile_mem) && (i.dir == mem_dir::load || i.dir == mem_dir::atomic) && !is_order_class(i.iclass) &&
         i.space != mem_space::surface && !i.has(iflag::never);
}
constexpr bool may_acquire(const instruction& i) {
  return is_strong(i) || ((i.op == opcode::lds || i.op == opcode::atoms) && !i.has(iflag::never));
}

// Counters that DEPBAR instructions of the program name, as a mask.
constexpr std::uint8_t named_counters(const program& p) {
  std::uint8_t mask = 0;
  for (const instruction& i : p.instructions) {
    if (i.iclass != sched_class::depbar) continue;
    for (const operand o : p.operands_of(i)) {
      const reg r = o.base();
      if (r.file() == reg_file::sb && r.number() < control::barrier_count) {
        mask = static_cast<std::uint8_t>(mask | (1u << r.number()));
      }
    }
  }
  return mask;
}

// CCTL.E.C.LDCU.IV.DEEP [UR6] throws a descriptor out of the cache of constants. Compilers raise a write counter for it, and UTMACCTL.IV
// behind it waits (49 of 49, sm_100 to sm_121).
constexpr bool empties_constants(const instruction& i) {
  return i.iclass == sched_class::cctl && i.has(iflag::fence) && i.space == mem_space::constant;
}

// Matrix instructions of sm_100 and what belongs to them. They run in order by themselves, and their completion is told to a
// barrier object: counters are for their uniform registers only.
constexpr bool is_tensor_memory_operation(opcode o) {
  switch (o) {
    case opcode::utchmma:
    case opcode::utcimma:
    case opcode::utcqmma:
    case opcode::utcomma:
    case opcode::utcmxqmma:
    case opcode::utccp:
    case opcode::utcshift:
    case opcode::utcbar:
      return true;
    default:
      return false;
  }
}

// USETMAXREG and SETMAXREG move the end of the warp's registers: nothing may be on its way, and nobody may go on before it is
// done. Compilers put a NOP of eight cycles in front of it, give it a counter, and let the next instruction wait for that; what
// gives registers back drains too (17 of 17 in GEMM kernels for sm_90a and sm_120a).
constexpr bool resizes_registers(const instruction& i) { return i.op == opcode::usetmaxreg || i.op == opcode::setmaxreg; }
inline constexpr unsigned before_resize = 8;  // cycles of the instruction in front of it

// USETSHMSZ 0x3980 gives the block another amount of shared memory. Compilers raise a write counter for it, and EXIT waits where it
// comes in the same piece of code (at least 62 of some 186 in a published library for sm_90a; in loops EXIT does not). What orders
// memory waits too: a house rule. USETSHMSZ.FLUSH, without a number, stands in front of EXIT and has no counter.
constexpr bool sets_shared_size(const instruction& i) {
  return i.op == opcode::usetshmsz && i.operand_count > (i.has(iflag::guarded) ? 1 : 0);
}

// Of the transfer engine, what DEPBAR counts. Copies may keep the counter beside it, but only where those who overwrite their registers
// wait for it.
constexpr bool counted_by_depbar(const instruction& i) { return i.op == opcode::utmacmdflush || i.op == opcode::uredgr; }

// WARPGROUP.DEPBAR.LE gsb0, 0x0 waits for matrix operations and, as DEPBAR, for nothing else: compilers never give it a wait mask
// (451 of 451), and a disassembler refuses one. Of the WARPGROUP forms it alone has operands.
constexpr bool waits_for_matrices(const instruction& i) { return i.op == opcode::warpgroup && i.operand_count >= 2; }
// RPCMOV keeps 6 cycles to whoever comes next where it writes the return address (observed: 36 of 36, sm_90 to sm_120).
inline constexpr unsigned behind_rpcmov = 6;

// BMOV MACTIVE, Bn: which threads are active, for all four of a quad (.PQUAD) and as before. Observed on sm_75 to sm_89: 2 cycles to
// whoever comes next (1,400 of 1,400); whatever has a fixed latency has landed before the mask is saved or made narrower, and the
// instruction in front stalls 6 cycles on sm_75 and 5 on the others (860 of 860).
constexpr bool sets_active_mask(const instruction& i) {
  return i.has(iflag::active_mask) && i.iclass != sched_class::bmov_to_b;
}
inline constexpr unsigned behind_active_mask = 2;
inline constexpr unsigned before_active_mask = 6;

// BMOV of a convergence register from a number or from another one; from a general register or MACTIVE it is another matter.
constexpr bool moves_convergence(const program& p, const instruction& i) {
  if (i.iclass != sched_class::bmov_to_b || i.has(iflag::active_mask)) return false;
  for (const operand& o : p.operands_of(i)) {
    if (o.is_use() && o.file() == reg_file::r) return false;
  }
  return true;
}

// Own stall of the instruction in front of `i`, 0 = as it comes.
constexpr unsigned stall_in_front(const instruction& i) {
  if (resizes_registers(i)) return before_resize;
  return sets_active_mask(i) && !i.has(iflag::quad) ? before_active_mask : 0;
}

// Own stall that an instruction keeps, if it is more than that of its class.
//   BAR.ARV     as many cycles to anybody as BAR.SYNC to what is not arithmetic (observed: 600 of 600, sm_80 to sm_120), and so
//               does BAR.SYNC without .DEFER_BLOCKING (observed: 1,809 of 1,809, sm_80 to sm_89)
//   WARPSYNC    with its mask in a register, where the page says so
//   BMOV        of a convergence register from a number or another one, where the page says so
//   matrices    around matrix operations of warp groups, so that each keeps its distance from the one in front of it in every
//               block (pipes page of sm_90). Between the operation and DEPBAR others may stand: two cycles too many there
template <class Pipes>
constexpr unsigned own_stall([[maybe_unused]] const program& p, const instruction& i) {
  if constexpr (requires { Pipes::behind_barrier; }) {
    if (i.has(iflag::arrives) || i.has(iflag::blocks)) return Pipes::behind_barrier;
  }
  if constexpr (requires { Pipes::behind_mask; }) {
    if (i.op == opcode::warpsync && i.operand_count > (i.has(iflag::guarded) ? 1 : 0)) return Pipes::behind_mask;
  }
  if constexpr (requires { Pipes::behind_convergence_move; }) {
    if (moves_convergence(p, i)) return Pipes::behind_convergence_move;
  }
  if (i.op == opcode::rpcmov) return behind_rpcmov;
  if (sets_active_mask(i)) return behind_active_mask;
  if constexpr (requires { Pipes::behind_group; }) {
    if (i.iclass == sched_class::hgmma) return Pipes::behind_group;
    if (i.op == opcode::warpgroup) return waits_for_matrices(i) ? Pipes::behind_group_wait : Pipes::behind_arrival;
  }
  return 1;
}
// With a guard, which no compiler gives it, it has to wait for that all the same.
constexpr bool cannot_wait(const instruction& i) { return waits_for_matrices(i) && !i.has(iflag::guarded); }

// WARPSYNC.COLLECTIVE goes to its label as a branch does (17 of 17), and every result of fixed latency has landed before it
// (observed: 7 cycles behind arithmetic and 13 behind comparisons at least, 23,000 of 23,000).
constexpr bool goes_collectively(const instruction& i) {
  return i.op == opcode::warpsync && i.iclass == sched_class::collective;
}

// So it is before CALL, before LEPC, which makes the address that the callee returns to, and before BSYNC, where the page of the
// pipes says so.
template <class Pipes>
constexpr bool lands_before(const instruction& i) {
  if constexpr (requires { requires Pipes::lands_before_calls; }) {
    return i.iclass == sched_class::call || i.iclass == sched_class::lepc || i.iclass == sched_class::bsync;
  }
  return false;
}

// The role of an instruction that may have one. `had` is the control word that the instruction came with; `known` says
// whether it means anything, and `fence_counted` whether fences of the scope of a block raise a counter if it does not.
constexpr special_role role_of_special(const instruction& i, const control& had, bool known, bool has_result,
                                       std::uint8_t named, bool fence_counted) {
  special_role r;
  // a field that names no counter says nothing (bad input; the checker reports it)
  const std::uint8_t had_write = had.write_barrier < control::barrier_count ? had.write_barrier : control::no_barrier;
  const std::uint8_t had_read = had.read_barrier < control::barrier_count ? had.read_barrier : control::no_barrier;
  const auto lowest = [](std::uint8_t mask) {
    for (std::uint8_t k = 0; k < control::barrier_count; ++k) {
      if ((mask >> k & 1u) != 0) return k;
    }
    return std::uint8_t{0};
  };
  if (i.has(iflag::padding)) {
    r.bits = special_role::leave;
    return r;
  }
  if (i.has(iflag::unknown)) {
    r.bits = special_role::wait_all | special_role::order_wait;
    if (known && (had_write != control::no_barrier || had_read != control::no_barrier)) {
      r.bits = static_cast<std::uint16_t>(r.bits | special_role::force_next);
      r.write_pin = had_write;
      r.read_pin = had_read;
    }
    return r;
  }
  if (i.iclass == sched_class::nop) {
    if (i.has(iflag::fence)) r.bits = special_role::wait_all | special_role::order_wait;
    return r;
  }
  if (i.iclass == sched_class::cctl && i.has(iflag::fence)) {
    r.bits = special_role::acquire | special_role::order_wait;
    if (empties_constants(i)) r.bits |= special_role::order_write;
    return r;
  }
  if (resizes_registers(i)) {
    r.bits = special_role::wait_all | special_role::order_wait | special_role::force_next;
    r.write_pin = !known || had_write == control::no_barrier ? lowest(named) : had_write;
    r.read_pin = control::no_barrier;
    return r;
  }
  if (i.iclass == sched_class::ldgdepbar) {
    // What arrives on a barrier object counts nothing (compilers: no counter at 55 of 55 ARRIVES; a disassembler refuses words with one).
    if (i.op == opcode::arrives || (known && !had.sets_write())) return r;
    r.bits = special_role::pin_write;
    r.write_pin = known && had_write != control::no_barrier ? had_write : lowest(named);
    return r;
  }
  // Threads go on at the label of WARPSYNC.COLLECTIVE and behind ENDCOLLECTIVE in any order: what has been asked for has come by then
  // (observed: general registers in flight at none of 219 each, all that counters stand for).
  if (i.iclass == sched_class::collective) {
    r.bits = special_role::wait_all | special_role::order_wait;
    return r;
  }
  if (cannot_wait(i)) r.bits |= special_role::never_waits;
  if (is_tensor_memory_operation(i.op) || waits_for_matrices(i)) return r;
  if (i.has(iflag::block_fence) && (known ? had.sets_write() || had.sets_read() : fence_counted)) {
    r.bits = special_role::order_wait | special_role::order_read | special_role::force_next;
    return r;
  }
  if (waits_for_order(i.iclass)) r.bits = special_role::order_wait;
  if (i.op == opcode::ucgabar_arv || i.op == opcode::ucgabar_wait) r.bits |= special_role::at_once;
  if (is_order_class(i.iclass)) {
    const bool pin = known && had_read != control::no_barrier && !had.sets_write() && (named >> had_read & 1u) != 0 &&
                     i.iclass == sched_class::tma;
    if (pin) {
      r.bits = static_cast<std::uint16_t>(r.bits | special_role::pin_read);
      r.read_pin = had_read;
    } else if (known) {
      if (had.sets_write() && !has_result) r.bits = static_cast<std::uint16_t>(r.bits | special_role::order_write);
      if (had.sets_read()) r.bits = static_cast<std::uint16_t>(r.bits | special_role::order_read);
    } else if (i.iclass == sched_class::fence && !has_result) {
      r.bits = static_cast<std::uint16_t>(r.bits | special_role::order_write);
    } else if (i.op == opcode::usetshmsz) {
      if (sets_shared_size(i)) r.bits = static_cast<std::uint16_t>(r.bits | special_role::order_write);
    } else if (i.iclass == sched_class::syncs) {  // observed: 9 of 16 without a result both, 7 the reads alone
      if (!has_result) r.bits = static_cast<std::uint16_t>(r.bits | special_role::order_write | special_role::order_read);
    } else if (i.iclass != sched_class::membar) {
      r.bits = static_cast<std::uint16_t>(r.bits | special_role::order_read);
    }
  }
  return r;
}

// Classes whose instructions may have a role.
constexpr bool may_be_special(sched_class c) {
  return c == sched_class::ldgdepbar || c == sched_class::nop || waits_for_order(c);
}

template <class Arch>
constexpr special_role role_of(const instruction& i, const control& had, bool known, bool has_result, std::uint8_t named) {
  constexpr bool fence_counted = requires { Arch::barriers::block_fence_counted; };
  constexpr auto rare = static_cast<std::uint32_t>(iflag::padding) | static_cast<std::uint32_t>(iflag::unknown);
  if ((i.flags & rare) == 0 && !may_be_special(i.iclass) && !resizes_registers(i)) return {};
  return role_of_special(i, had, known, has_result, named, fence_counted);
}

}  // namespace ww::scoreboard
