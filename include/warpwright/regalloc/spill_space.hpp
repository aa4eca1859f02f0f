// SPDX-License-Identifier: BSL-1.0
//
// Where values go that find no register: which memory, how it is addressed, and what has become of each web (FPA-8).
//
//   local    STL and LDL at [R1 + offset]: every thread has its own
//   shared   STS and LDS at [base + offset], the base a register that the program keeps for it, or none where the area of one
//            thread begins at an absolute address. Faster, but shared memory is few kilobytes and belongs to all threads of a
//            block; which area is whose, the caller decides and guarantees
//   frame    the bytes from `frame_base` on, up to `frame_limit` of them. The base register stays as it is: whoever gives the
//            frame knows that these bytes are free at every place of the program. They may lie below the stack pointer
//   state    of a web: whole; short_lived, made by spilling for one instruction, never spilled again; in_memory or recomputed,
//            named by no operand any more
// The frame limit and the strategy behind it (bucket, alignment, limit) are the text's: (8, 4, 0x100000), and (16, 16, 0x100000)
// where values have a second weight.
#pragma once

#include <cstdint>

#include "../ir/instruction.hpp"
#include "../ir/reg.hpp"

namespace ww::regalloc {

// What the strategy of the spill code begins with: sizes of buckets, alignment of slots, the largest frame, in bytes.
struct spill_strategy {
  std::uint32_t bucket = 8;
  std::uint32_t alignment = 4;
  std::uint32_t limit = 0x100000;

  [[nodiscard]] static constexpr spill_strategy of(bool weighted) {
    return weighted ? spill_strategy{16, 16, 0x100000} : spill_strategy{};
  }
};

struct spill_space {
  mem_space space = mem_space::local;  // local or shared
  reg base = R(1);                     // a physical general register; RZ: none
  std::int32_t frame_base = 0;         // bytes from the base register
  std::uint32_t frame_limit = spill_strategy{}.limit;
  std::uint32_t base_alignment = 16;  // assumed: what the base register is a multiple of, bytes; no access is wider
};

enum class web_state : std::uint8_t { whole, short_lived, in_memory, recomputed };

// Why a web was not spilled, or not computed again.
enum class spill_refusal : std::uint8_t {
  none,
  no_such_web,
  fixed,           // it keeps its registers
  not_general,     // predicates and uniform registers have no loads and stores of their own
  not_whole,       // spilled already, or made by spilling
  never_read,      // nothing to be gained
  at_block_end,    // written by the last instruction of a block, and a successor has other predecessors, or is empty
  base_differs,    // the base register does not hold one value at all its accesses
  behind_barrier,  // code would come between a barrier and the instruction that takes what it found
  frame_full,
  not_constant,  // it is not the whole result of one instruction that reads no register and can be done again
};

[[nodiscard]] constexpr const char* name_of(spill_refusal r) {
  constexpr const char* names[] = {"none",           "no_such_web", "fixed",        "not_general",
                                   "not_whole",      "never_read",  "at_block_end", "base_differs",
                                   "behind_barrier", "frame_full",  "not_constant"};
  const auto k = static_cast<unsigned>(r);
  return k < sizeof names / sizeof *names ? names[k] : "?";
}

}  // namespace ww::regalloc
