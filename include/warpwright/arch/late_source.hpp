// SPDX-License-Identifier: BSL-1.0
//
// Whether a single source of an instruction is read late, so that overwriting it needs a counter.
//
// arch_latency says it per class; per source it is narrower: a memory instruction reads its general registers late, but
// its guard, its predicates and its uniform registers at issue (facts: observed, WAR rows of P and UR: 1 cycle). Only
// bulk copies read uniform registers late, SYNCS its data, and surface instructions their handles from sm_100 on. A latency page that says
// it itself (late_source) is asked; of any other page the class answer is taken for general registers.
#pragma once

#include "vocabulary.hpp"

namespace ww {

template <class Latency>
[[nodiscard]] constexpr bool late_source(const access_point& a) {
  if constexpr (requires { Latency::late_source(a); }) {
    return Latency::late_source(a);
  } else {
    return a.file == reg_file::r && Latency::late_reader(a.iclass);
  }
}

// What generated code takes for late beside that: all uniform registers of SYNCS. Compilers wait for the data alone; addresses are
// overwritten without a wait, one cycle behind (observed: 247 places, sm_90 to sm_121). So a checker does not ask for those.
template <class Latency>
[[nodiscard]] constexpr bool taken_for_late(const access_point& a) {
  return late_source<Latency>(a) ||
         (a.iclass == sched_class::syncs && a.file == reg_file::ur && Latency::late_reader(a.iclass));
}

}  // namespace ww
