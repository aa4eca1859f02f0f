// SPDX-License-Identifier: BSL-1.0
//
// One machine instruction: a plain 64-byte value. Its operands are a slice of program::operands.
//
// Words used here:
//   opcode       the mnemonic without modifiers (isa/opcode.hpp); `iclass` its scheduling class with the
//                modifiers taken into account (isa/sched_class.hpp), which is what all latency and pipe tables index
//   guard        the predicate that decides whether the instruction acts
//   fence        nothing may move across it
//   ends block   control may leave here; the instruction stays last in its block
// Facts about meaning are set once by isa/ (or by a builder) and never changed by a pass; a pass changes only
// program::order and `ctl`.
#pragma once

#include <cstdint>

#include "control.hpp"
#include "ids.hpp"
#include "reg.hpp"

namespace ww {

enum class opcode : std::uint16_t;      // enumerators: isa/opcode.hpp
enum class sched_class : std::uint8_t;  // enumerators: isa/sched_class.hpp

// Memory spaces, named after what the instruction can touch. `generic` may be any of global, shared, local.
enum class mem_space : std::uint8_t { none, generic, global, shared, local, constant, texture, surface, cluster_shared };

// What a memory instruction does. `order` = a fence or a cache control: ordered against every access.
enum class mem_dir : std::uint8_t { none, load, store, atomic, order };

// Which entries of the convergence stack (sm_50..62) an instruction pushes (SSY, PBK, PCNT) or takes (SYNC, BRK, CONT). PRET
// pushes where a callee comes back to.
enum class region_kind : std::uint8_t { none, sync, loop, next, call };

enum class iflag : std::uint32_t {
  guarded = 1u << 0,   // has a guard other than PT / UPT
  never = 1u << 1,     // guarded by !PT: never acts, but deliberate; is a fence
  branch = 1u << 2,    // transfers control to `target` (or to a table when `indirect`)
  indirect = 1u << 3,  // target comes from a register
  call = 1u << 4,
  ret = 1u << 5,
  exit = 1u << 6,             // ends the thread
  ends_block = 1u << 7,       // last instruction of its block
  fence = 1u << 8,            // nothing moves across
  unknown = 1u << 9,          // opcode not known: a full fence that reads and writes everything
  padding = 1u << 10,         // NOP padding and the closing self-branch: belongs to no path
  sync = 1u << 11,            // CTA, cluster or warp synchronisation (BAR, WARPSYNC, ...)
  convergence = 1u << 12,     // BSSY, BSYNC, BREAK, BMOV
  reads_constant = 1u << 13,  // one source is a constant bank
  reads_immediate = 1u << 14,
  volatile_mem = 1u << 15,    // volatile, strong or scoped access: ordered against all of its space
  readonly_mem = 1u << 16,    // .CONSTANT load: never written while the kernel runs
  pc_relative = 1u << 17,     // result depends on its own address (LEPC, CALL/RET idioms): pinned
  reads_clock = 1u << 18,     // CS2R/S2R of a clock or other time-varying register: pinned in order
  reuse_legal = 1u << 19,     // bits 122..125 mean operand reuse on this opcode
  side_effect = 1u << 20,     // must not be removed or duplicated
  reconverge = 1u << 21,      // BSYNC, SYNC, BRK, CONT: goes on at the target of the region opened by BSSY, SSY, PBK, PCNT
  conditional = 1u << 22,     // a branch that can fall through although it has no guard (BRA.DIV, BRA P2)
  symbolic_mem = 1u << 23,    // part of the address is not known: a symbol of the linker, a scale without encoding
  nop = 1u << 25,             // does nothing by itself; what it waits for may still mean something (cfg.hpp)
  block_fence = 1u << 24,     // a memory fence of the scope of a block (MEMBAR.SC.CTA, MEMBAR.ALL.CTA)
  arrives = 1u << 27,         // BAR.ARV: tells a barrier that the warp has come, and goes on
  blocks = 1u << 30,          // BAR.SYNC without .DEFER_BLOCKING, which barrier.sync becomes before sm_90
  active_mask = 1u << 28,     // BMOV of MACTIVE: reads or writes which threads are active (sm_75 to sm_89)
  quad = 1u << 29,            // the same of all threads of a quad
  behind_barrier = 1u << 31,  // B2R: takes what a barrier has found; stays where it is, right behind BAR.RED
  spill = 1u << 26,           // puts a register aside in one of another file, or takes it back (MOV.SPILL, R2UR.FILL)
};

struct instruction {
  std::uint64_t word[2] = {0, 0};  // encoding, low word first; zero when the program has none
  control ctl;                     // decoded control information
  opcode op{};
  std::uint32_t flags = 0;          // iflag bits
  std::uint32_t first_operand = 0;  // index into program::operands
  std::uint8_t operand_count = 0;
  sched_class iclass{};
  mem_space space = mem_space::none;
  mem_dir dir = mem_dir::none;
  std::uint8_t mem_bytes = 0;      // bytes accessed by one thread, 0 = unknown
  std::uint8_t guard_negated = 0;  // 1 for @!P
  region_kind region = region_kind::none;
  std::uint8_t other_value : 1 = 0;    // 1 where an immediate or a constant of the text is not that of the words
  std::uint8_t short_word : 1 = 0;     // 1 where the encoding is one word of 64 bits, as on sm_50..62
  std::int32_t mem_offset = 0;         // constant byte offset of the address
  std::uint32_t address = 0;           // byte offset in its section as read
  std::uint32_t source = 0xffffffffu;  // index of its text record in the listing it came from
  instr_id target;                     // branch target, if `branch` or `call` and not `indirect`

  [[nodiscard]] constexpr bool has(iflag f) const { return (flags & static_cast<std::uint32_t>(f)) != 0; }
  constexpr void add(iflag f) { flags |= static_cast<std::uint32_t>(f); }
  constexpr void remove(iflag f) { flags &= ~static_cast<std::uint32_t>(f); }
};
static_assert(sizeof(instruction) <= 64);

// Is its encoding one word (sm_50..62)? The reader knows it from the SM. The words do not tell: in front of the encoder the control bits
// of two may be zero, and with them all of the upper one (DEPBAR, BAR).
[[nodiscard]] constexpr bool has_short_word(const instruction& i) { return i.short_word != 0; }

// The count of a DEPBAR: bits 38..43 of its encoding, in a short word bits 20..25 (observed: DEPBAR.LE SB5, 0x2 is
// 0xf0f0000034270000), or mem_offset of an instruction without words, where text and builder put it.
[[nodiscard]] constexpr unsigned depbar_count(const instruction& i) {
  if ((i.word[0] | i.word[1]) == 0) return static_cast<unsigned>(i.mem_offset) & 63u;
  return static_cast<unsigned>(i.word[0] >> (has_short_word(i) ? 20u : 38u)) & 63u;
}

// Does what it loads come from beyond the first-level cache where that misses? Global and generic memory, textures, surfaces.
[[nodiscard]] constexpr bool leaves_core(const instruction& i) {
  return (i.space == mem_space::global || i.space == mem_space::generic || i.space == mem_space::texture ||
          i.space == mem_space::surface) &&
         (i.dir == mem_dir::load || i.dir == mem_dir::atomic);
}

}  // namespace ww
