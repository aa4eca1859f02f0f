// SPDX-License-Identifier: BSL-1.0
//
// Whether a single source of an instruction is read late, so that overwriting it needs a counter.
//
// arch_latency says it per class; per source it is narrower: a memory instruction reads its general registers late, but
// its guard, its predicates and its uniform registers at issue (facts: observed, WAR rows of P and UR: 1 cycle). Only
// bulk copies read uniform registers late. A latency page that says it itself (late_source) is asked; of any other page the
// class answer is taken for general registers.
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

}  // namespace ww
