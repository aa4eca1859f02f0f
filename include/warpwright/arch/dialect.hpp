// SPDX-License-Identifier: BSL-1.0
//
// The reading dialect of an SM: how isa/ must understand the text and the words of its listings.
//
// Facts: on sm_80, 86, 87, 88 and 89 a global access with the 64-bit form also reads a uniform descriptor pair that the text
// does not print (observed, "More rules": all 4,896 cases agree); URZ is encoded as 63 up to sm_90 and as 255 from sm_100 on
// (hardware 3); sm_50..62 have 64-bit instructions (hardware 1.2); distances are split from sm_90 on (docs/cubin.md, "Branch distances").
// An id that is not shipped gets the dialect of the SM that serves it; an unknown id that of sm_80 and later without
// hidden operands.
#pragma once

#include "../isa/dialect.hpp"
#include "all.hpp"

namespace ww {

// The dialect of an architecture type.
template <class Arch>
[[nodiscard]] constexpr isa::dialect dialect_of_arch() {
  constexpr unsigned number = static_cast<unsigned>(static_cast<sm_id>(Arch::id)) / 10u;
  isa::dialect d;
  d.hidden_descriptor = number >= 80u && number < 90u;
  d.word64 = number < 70u;
  d.split_distance = number >= 90u;
  d.uniform_zero = Arch::limits::uniform_zero;
  return d;
}

template <class Archs = all_archs>
[[nodiscard]] constexpr isa::dialect dialect_of(sm_id id) {
  isa::dialect d;
  detail::visit_arch_in(Archs{}, nearest_sm(id), [&]<class Arch>() { d = dialect_of_arch<Arch>(); });
  return d;
}

}  // namespace ww
