// SPDX-License-Identifier: BSL-1.0
//
// Webs: what a register allocator would have had one virtual register for.
//
//   unit     one 32-bit register, or one predicate
//   web      the definitions and uses of a unit that belong to one value: the closure of "this definition reaches this use"
//   tuple    webs of neighbouring units that some operand names together (64, 96, 128 bits, matrix fragments). They are kept
//            together and count as one web of `width` units. Webs of one unit that meet in a tuple become one
//   fixed    a web that must keep its physical registers, and the reasons why
// Alignment is that of the listing: for each wide operand the largest power of two up to its width that divides its number.
// It is sufficient for the instruction (observed there) and may be more than the hardware needs.
#pragma once

#include <cstdint>

#include "../ir/reg.hpp"

namespace ww {

// Why a web keeps its physical registers. A web can have several reasons; the first in this order is its `reason`.
enum class fixed_reason : std::uint8_t {
  none,
  stack_pointer,   // R1
  entry,           // live where a kernel or function starts: somebody else wrote it, or nobody on some path
  open_exit,       // may be read where control leaves to code that is not known (a call, return or branch without targets)
  call,            // live across a call or return edge: the call convention names it (pressure/call_convention.hpp)
  unreachable,     // live at the start of a block that no path reaches
  unknown_opcode,  // live around an instruction that is not understood
  branch_operand,  // operand of an indirect branch, a call or a return
  hidden,          // in the encoding and not in the text (uniform descriptor pairs of sm_80..sm_89)
  predicate_mask,  // a predicate named by its place in a mask (P2R, R2P and their uniform forms)
  async_list,      // register list that an asynchronous matrix instruction works on (HGMMA and its like)
  count,
};

inline constexpr unsigned fixed_reason_count = static_cast<unsigned>(fixed_reason::count);

constexpr const char* name_of(fixed_reason r) {
  constexpr const char* names[] = {"none",   "stack_pointer",  "entry",          "open_exit",
                                   "call",   "unreachable",    "unknown_opcode", "branch_operand",
                                   "hidden", "predicate_mask", "async_list"};
  static_assert(sizeof names / sizeof *names == fixed_reason_count);
  return r < fixed_reason::count ? names[static_cast<unsigned>(r)] : "?";
}

struct web {
  reg_file file = reg_file::none;  // r, p, ur or up
  fixed_reason reason = fixed_reason::none;
  std::uint16_t reasons = 0;    // bit per fixed_reason
  std::uint16_t width = 1;      // units
  std::uint16_t alignment = 1;  // power of two, in units
  std::uint16_t phase = 0;      // every number of the web is `phase` modulo `alignment`
  std::uint32_t original = 0;   // first physical register in the program that was lifted
  std::uint32_t number = 0;     // first register in the lifted program; `original` when fixed
  std::uint32_t defs = 0;       // operands that write it (or a part of it)
  std::uint32_t uses = 0;       // operands that read it
  double weight = 0;            // sum over both of the block's weight: accesses per warp

  [[nodiscard]] constexpr bool is_fixed() const { return reason != fixed_reason::none; }
  [[nodiscard]] constexpr bool has(fixed_reason r) const { return (reasons >> static_cast<unsigned>(r) & 1u) != 0; }
};

}  // namespace ww
