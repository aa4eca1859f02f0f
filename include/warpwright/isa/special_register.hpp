// SPDX-License-Identifier: BSL-1.0
//
// Names of the special registers that S2R, S2UR, CS2R and CS2UR read.
//
// A special register is reg_file::special with a number that only identifies it: a hash of the name below
// reg::first_virtual is not needed, so the number is an index into a fixed list, 0 for names not in it. Registers
// that change while the kernel runs (clocks, timers, performance counters) keep their place in the order of a program.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/reg.hpp"
#include "../meta/string_view.hpp"

namespace ww::isa {
namespace detail {

// clang-format off
inline constexpr string_view special_names[] = {
    "", "SR_LANEID", "SR_VIRTCFG", "SR_VIRTID", "SR_TID", "SR_TID.X", "SR_TID.Y", "SR_TID.Z", "SR_CTAID.X", "SR_CTAID.Y",
    "SR_CTAID.Z", "SR_NTID", "SR_EQMASK", "SR_LTMASK", "SR_LEMASK", "SR_GTMASK", "SR_GEMASK", "SR_CgaCtaId",
    "SR_CgaSize", "SR_SWINLO", "SR_SWINHI", "SR_SLMEMLO", "SR_LMEMLOSZ", "SR_LMEMHIOFF", "SR_SMEMSZ", "SR_REGALLOC",
    "SR_CTXADDR", "SR_BARRIERALLOC", "SR_AFFINITY", "SR_WARPID", "SR_NWARPID", "SR_SMID", "SR_NSMID", "SR_GRIDID",
    "SR_CLOCKLO", "SR_CLOCKHI", "SR_CLOCK", "SR_GLOBALTIMERLO", "SR_GLOBALTIMERHI", "SRZ", "SR_INVOCATION_ID",
    "SR_Y_DIRECTION", "SR_THREAD_KILL", "SR_SHADER_TYPE", "SR_ACTIVEMASK", "SR_CirQueueIncrMinusOne", "SR_NCTAID.X",
    "SR_NCTAID.Y", "SR_NCTAID.Z", "SR_VARIABLE_RATE", "SR_ERRORSTATUS", "SR_ORDERING_TICKET", "gsb0"};
// clang-format on

}  // namespace detail

constexpr bool is_special_name(string_view s) { return s.substr(0, 2) == "SR" || s == "gsb0"; }

constexpr reg special_register(string_view s) {
  if (s == "SRZ") return {reg_file::special, reg::zero_number};
  for (std::uint32_t i = 1; i < sizeof(detail::special_names) / sizeof(detail::special_names[0]); ++i) {
    if (detail::special_names[i] == s) return {reg_file::special, i};
  }
  return {reg_file::special, 0};
}

// True for registers whose value changes while the kernel runs. Names that are not known count as such.
constexpr bool is_time_varying(string_view s) {
  return s.substr(0, 8) == "SR_CLOCK" || s.substr(0, 14) == "SR_GLOBALTIMER" || s.substr(0, 5) == "SR_PM" ||
         s.substr(0, 7) == "SR_SNAP" || s == "SR_ERRORSTATUS" || s == "SR_THREAD_KILL" ||
         (s != "SRZ" && special_register(s).number() == 0);
}
// The same of a register that an operand names; numbers beyond the list count as not known.
constexpr bool is_time_varying(reg r) {
  if (r.is_zero()) return false;
  const std::uint32_t n = r.number();
  return n >= sizeof(detail::special_names) / sizeof(detail::special_names[0]) || is_time_varying(detail::special_names[n]);
}

}  // namespace ww::isa
