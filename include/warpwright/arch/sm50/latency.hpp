// SPDX-License-Identifier: BSL-1.0
//
// Latencies of sm_50.
//
// All fixed arithmetic takes 6 cycles and predicates 13; memory and the special unit read their sources late, so a
// fixed result may feed them after 2. Half and double precision, IMUL and IMAD, I2I and conversions are counted. The carry flag takes
// 6. All memory operations but those of shared memory are one queue.
// Distances: latency_tables.hpp. Sets: facts: variable_latency and observed.
#pragma once

#include "../detail/class_sets.hpp"
#include "../detail/latency_table.hpp"
#include "latency_tables.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm50_latency_page : detail::sm50_tables {
  // sm_60 and later have half precision; all of it raises counters (observed, sm_60 and sm_61, every one of some 220).
  static constexpr typename Sets::set own_classes{sched_class::half, sched_class::half_f32, sched_class::half_alu};
  static constexpr typename Sets::set variable_classes =
      Sets::always_counted | own_classes | Sets::double_classes | Sets::matrix_classes;
  static constexpr typename Sets::set late_classes =
      Sets::always_late | own_classes | Sets::double_classes | Sets::matrix_classes;
  static constexpr bool barrier_behind_memory = true;  // assumed, as sm_75
  static constexpr typename Sets::set load_classes = Sets::load_classes_of_all;
  static constexpr typename Sets::set store_classes = Sets::store_classes_of_all;
  static constexpr typename Sets::map result_base = Sets::common_result_estimate.with({{sched_class::mufu, 20},
                                                                                       {sched_class::conv, 20},
                                                                                       {sched_class::fp64, 128},
                                                                                       {sched_class::dsetp, 128},
                                                                                       {sched_class::s2r, 25},
                                                                                       {sched_class::lds, 30},
                                                                                       {sched_class::ldg, 200}});
  static constexpr typename Sets::map read_base = Sets::common_read_estimate;

  // Overwriting a source: of a fixed reader by a fixed writer, and by a counted or matrix writer.
  static constexpr distance r_war = detail::doc(1, 1);
  static constexpr distance r_war_slow = detail::doc(1, 2);
  static constexpr distance u_war = detail::doc(1, 1);
  static constexpr distance u_war_direct = detail::doc(1, 1);
  static constexpr distance up_war_direct = detail::doc(1, 1);
  static constexpr distance up_waw = detail::doc(1, 1);
  static constexpr distance up_waw_direct = detail::doc(1, 1);
  // The carry flag, which only sm_50..62 have.
  static constexpr distance cc_raw = detail::obs(6, 6);
  static constexpr distance cc_waw = detail::doc(1, 1);

  static constexpr bool loads_in_order = true;  // observed: sm_50 to sm_61, LDG without a counter, awaited by a later one's

  // All but shared memory goes down one path (observed: LDG covered by a later LDL, LDL by ATOM, LDG by TEX).
  [[nodiscard]] static constexpr queue_id completion_queue(sched_class c) {
    if (c == sched_class::ld || c == sched_class::st || c == sched_class::atom) return queue_id::global;
    const queue_id q = detail::common_completion_queue(c, variable_classes.has(c));
    return q == queue_id::local || q == queue_id::texture ? queue_id::global : q;
  }
  // Half precision reads its sources in no order. Observed (sm_60, sm_61): one such operation never overwrites a source of another
  // unawaited, 125 of 125.
  [[nodiscard]] static constexpr queue_id read_queue(sched_class c) {
    if (own_classes.has(c)) return queue_id::none;
    return detail::one_memory_read_queue(c, completion_queue(c));
  }
};

using sm50_latency = detail::latency_table<sm50_latency_page<>>;

}  // namespace ww
