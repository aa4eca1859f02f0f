// SPDX-License-Identifier: BSL-1.0
//
// Where the instructions of an allocated program come from: what an allocator says of its work, for verify/allocation.hpp.
//
//   original      the instruction `of` of the program before, on other registers
//   copy          moves a value from one register to another, of the same file or of another one (MOV, UMOV, MOV.SPILL,
//                 R2UR.FILL)
//   spill         stores a register to a stack slot (STL [R1+n], STS), from where a refill loads it again
//   refill        the load (LDL, LDS)
//   p2r, r2p      predicates into bits of a general register and back: predicate n is bit `first_bit` + n (P2R PR, mask; R2P
//                 PR, mask; `first_bit` 8, 16 and 24 for the forms .B1, .B2 and .B3)
//   bit_out       one predicate into the bit `first_bit` of a register that is zero elsewhere: SEL Rd, RZ, 1 << bit, !P
//   bit_merge     bits of two registers, or of three, into one: LOP3 with "or"
//   bit_in        the bit `first_bit` of a register into a predicate: LOP3 or ISETP with a predicate as result
//   remat         computes again what the instruction `of` of the program before computes
// The map has one entry per instruction of the program after, by id; entries of instructions that stand in no block do not
// count. It is not believed further than the instructions themselves bear it out.
#pragma once

#include <cstdint>

#include "../ir/ids.hpp"

namespace ww::verify {

enum class allocated_as : std::uint8_t { original, copy, spill, refill, p2r, r2p, bit_out, bit_merge, bit_in, remat, count };

[[nodiscard]] constexpr const char* name_of(allocated_as a) {
  constexpr const char* names[] = {"original", "copy",    "spill",     "refill", "p2r",
                                   "r2p",      "bit_out", "bit_merge", "bit_in", "remat"};
  static_assert(sizeof names / sizeof *names == static_cast<unsigned>(allocated_as::count));
  return a < allocated_as::count ? names[static_cast<unsigned>(a)] : "?";
}

struct allocated_from {
  allocated_as what = allocated_as::original;
  std::uint8_t first_bit = 0;
  instr_id of;  // of the program before; original and remat only
};

}  // namespace ww::verify
