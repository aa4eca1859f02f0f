// SPDX-License-Identifier: BSL-1.0
//
// The ten ways in which an operand can read something else after register allocation than before (FPA-10).
//
//   number    1 to 10, as reports print it; 0 is no error
//   message   what is printed below the lists of definitions; that of `rematerialization` is followed by the two
//             instructions
// Where several apply to one operand the lowest number is given, and the lost definitions (10) only if nothing else is
// wrong. The words "spill", "refill", "base" and so on are those of verify/allocation_map.hpp.
#pragma once

#include <cstdint>

namespace ww::verify {

enum class allocation_error : std::uint8_t {
  none = 0,
  spill_refill = 1,          // a refill, and no spill that fits it
  refill_uninitialised = 2,  // a refill of a slot that is not written on some path
  p2r_r2p = 3,               // R2P, and no P2R that put this predicate into the register
  bit_spill_refill = 4,      // the same for single bits
  uninitialised = 5,         // what stood in the register at an entry can be read
  extra_definitions = 6,     // definitions that did not reach this operand before
  rematerialization = 7,     // computed again, and not the same
  p2r_r2p_base = 8,          // the register between P2R and R2P is written by somebody else
  bit_spill_base = 9,        // the same for single bits
  lost_definitions = 10,     // definitions that reached this operand before and do not any more
};

inline constexpr unsigned allocation_error_count = 11;  // with `none`

[[nodiscard]] constexpr const char* name_of(allocation_error e) {
  switch (e) {
    case allocation_error::none:
      return "none";
    case allocation_error::spill_refill:
      return "Spill-refill mismatch";
    case allocation_error::refill_uninitialised:
      return "Refill reads uninitialized";
    case allocation_error::p2r_r2p:
      return "P2R-R2P pattern failure";
    case allocation_error::bit_spill_refill:
      return "Bit-spill-refill failure";
    case allocation_error::uninitialised:
      return "Uninitialized value introduced";
    case allocation_error::extra_definitions:
      return "Extra defs introduced";
    case allocation_error::rematerialization:
      return "Rematerialization mismatch";
    case allocation_error::p2r_r2p_base:
      return "P2R-R2P base destroyed";
    case allocation_error::bit_spill_base:
      return "Bit-spill base destroyed";
    case allocation_error::lost_definitions:
      return "Definitions disappeared";
  }
  return "?";
}

[[nodiscard]] constexpr const char* message_of(allocation_error e) {
  switch (e) {
    case allocation_error::none:
      return "";
    case allocation_error::spill_refill:
      return "Failed to find matching spill for refilling load that is involved in this operand computation";
    case allocation_error::refill_uninitialised:
      return "This operand was fully defined before register allocation, however refill that is involved in this operand "
             "computation reads potentially uninitialized memory";
    case allocation_error::p2r_r2p:
      return "Failed to establish match for P2R-R2P pattern involved in this operand computation";
    case allocation_error::bit_spill_refill:
      return "Failed to establish match for bit-spill-refill pattern involved in this operand computation";
    case allocation_error::uninitialised:
      return "Before register allocation this operand was fully defined, now an uninitialized value can reach it";
    case allocation_error::extra_definitions:
      return "After reg-alloc there are some extra def(s) that participate in this operand computation. They were not used "
             "this way before the allocation.";
    case allocation_error::rematerialization:
      return "Rematerialization problem:";
    case allocation_error::p2r_r2p_base:
      return "Some instruction(s) are destroying the base of P2R-R2P pattern involved in this operand computation";
    case allocation_error::bit_spill_base:
      return "Some instruction(s) are destroying the base of bit-spill-refill pattern involved in this operand computation";
    case allocation_error::lost_definitions:
      return "During register allocation we did not add any new definitions for this operand and yet some original old ones "
             "disappeared";
  }
  return "?";
}

}  // namespace ww::verify
