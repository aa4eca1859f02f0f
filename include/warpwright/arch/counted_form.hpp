// SPDX-License-Identifier: BSL-1.0
//
// Code for one SM in two forms. Until CUDA 13.1 compilers timed double precision and integer matrix operations of sm_100 by
// stalls; from 13.3 on they raise a counter for every one of them, as they always did on sm_103, where the same binaries run
// (observed: all 253 double-precision and 80 IMMA instructions of 44 kernels by each of 13.3 and 13.5, none by 13.1; 12.9 none
// of 164).
//
//   counted_form_t<Arch>     the SM whose rules the counted form obeys; Arch itself where there is one form only
//   in_counted_form<Arch>(p) more than one in 33 of the instructions in question raises a counter; false where there are none or no
//                            words. Of compiled code all do or none; new words leave a counter out where a later result of the
//                            same in-order queue is waited for
//
// New words for a program in the counted form must be those of counted_form_t: ww::scheduler<ww::sm100> on its own times by
// stalls, which is right on sm_100 and was never seen on sm_103.
#pragma once

#include <cstddef>

#include "../ir/known_control.hpp"
#include "../meta/traits.hpp"
#include "sm100.hpp"
#include "sm103.hpp"

namespace ww {

template <class Arch>
struct counted_form {
  using type = Arch;
};
template <>
struct counted_form<sm100> {
  using type = sm103;
};
template <class Arch>
using counted_form_t = typename counted_form<Arch>::type;

template <class Arch>
[[nodiscard]] constexpr bool in_counted_form(const program& p) {
  using form = counted_form_t<Arch>;
  if constexpr (meta::is_same_v<form, Arch>) {
    return false;
  } else {
    std::size_t counted = 0;
    std::size_t timed = 0;
    if (!control_is_known(p)) return false;
    for (const instruction& i : p.instructions) {
      if (i.has(iflag::unknown) || Arch::latency::variable(i.iclass) || !form::latency::variable(i.iclass)) continue;
      ++(i.ctl.sets_write() ? counted : timed);
    }
    return counted * 32 > timed;
  }
}

}  // namespace ww
