// SPDX-License-Identifier: BSL-1.0
//
// What a number of registers per thread means for occupancy on an SM.
//
//   warps      resident warps of the whole SM (Arch::limits::warps_for)
//   budget     the largest number of registers per thread that keeps this many warps: pressure below it is free
//   slack      registers between the number asked about and the budget
//   cliff      the smallest number of registers that costs a warp, 0 if none does
//
// Units: registers per thread as declared, reserved ones included. For the number of warps that a schedule is made for, see
// the policies of role occupancy in pipeline/.
#pragma once

#include <cstdint>

namespace ww {

struct register_occupancy {
  unsigned warps = 0;
  unsigned budget = 0;
  unsigned slack = 0;
  unsigned cliff = 0;
};

template <class Arch>
[[nodiscard]] constexpr register_occupancy occupancy_of(unsigned registers) {
  using limits = typename Arch::limits;
  constexpr unsigned most = static_cast<unsigned>(limits::general_registers);
  register_occupancy o;
  o.warps = static_cast<unsigned>(limits::warps_for(registers));
  o.budget = registers < most ? registers : most;
  while (o.budget < most && static_cast<unsigned>(limits::warps_for(o.budget + 1)) >= o.warps) ++o.budget;
  o.slack = o.budget > registers ? o.budget - registers : 0;
  o.cliff = o.budget < most ? o.budget + 1 : 0;
  return o;
}

}  // namespace ww
