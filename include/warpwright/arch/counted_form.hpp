// SPDX-License-Identifier: BSL-1.0
//
// Code for one SM in two forms. Until CUDA 13.1 compilers timed double precision and integer matrix operations of sm_100 by
// stalls; from 13.3 on they raise a counter for every one of them, as they always did on sm_103, where the same binaries run
// (observed: all 253 double-precision and 80 IMMA instructions of 44 kernels by each of 13.3 and 13.5, none by 13.1; 12.9 none
// of 164). They go on keeping the times of sm_100 beside the counter, where sm_103 keeps 2 (observed by 13.3 and 13.5: double precision
// to arithmetic 10, 354 of 399 exactly so, to itself 8, 2,711 of 3,455, to memory 7, to the special unit 6, DSETP to a guard 14, 185 of
// 192, IMMA to itself 20; none sooner).
//
//   counted_form_t<Arch>     the counted form as an SM of its own; Arch itself where there is one form only
//   in_counted_form<Arch>(p) more than one in 33 of the instructions in question raises a counter; false where there are none or no
//                            words. Of compiled code all do or none; new words leave a counter out where a later result of the
//                            same in-order queue is waited for
//
// New words for a program in the counted form must be those of counted_form_t: ww::scheduler<ww::sm100> on its own times by
// stalls, which is right on sm_100 and was never seen on sm_103, where the same binaries run.
#pragma once

#include <cstddef>

#include "../ir/known_control.hpp"
#include "../meta/traits.hpp"
#include "sm100.hpp"
#include "sm103.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm100_counted_page : sm100_latency_page<Sets> {
  static constexpr typename Sets::set variable_classes = sm103_latency_page<Sets>::variable_classes;
  static constexpr typename Sets::set late_classes = sm103_latency_page<Sets>::late_classes;
  static constexpr bool matrix_in_order = sm103_latency_page<Sets>::matrix_in_order;
  [[nodiscard]] static constexpr queue_id completion_queue(sched_class c) {
    return sm103_latency_page<Sets>::completion_queue(c);
  }
  [[nodiscard]] static constexpr queue_id read_queue(sched_class c) { return sm103_latency_page<Sets>::read_queue(c); }
};

struct sm100_counted_latency : detail::latency_table<sm100_counted_page<>> {
  using counted = detail::latency_table<sm100_counted_page<>>;
  [[nodiscard]] static constexpr bool timed_elsewhere(sched_class c) {
    return counted::variable(c) && !sm100_latency::variable(c);
  }
  [[nodiscard]] static constexpr distance raw(const access_point& w, const access_point& r) {
    const distance d = counted::raw(w, r);
    if (!timed_elsewhere(w.iclass) || (w.file != reg_file::r && w.file != reg_file::p)) return d;
    return {d.check, sm100_latency::raw(w, r).emit, provenance::observed};
  }
  // The longest of them: what is not seen to the end by code behind a block.
  [[nodiscard]] static constexpr unsigned kept_beside(sched_class c) {
    return timed_elsewhere(c) ? sm100_latency::max_fixed : 0;
  }
};

// Code for sm_100 in its counted form: the counters of sm_103, the times of sm_100.
struct sm100_counted : sm100 {
  using latency = sm100_counted_latency;
};

template <class Arch>
struct counted_form {
  using type = Arch;
};
template <>
struct counted_form<sm100> {
  using type = sm100_counted;
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
