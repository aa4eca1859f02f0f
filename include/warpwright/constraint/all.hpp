// SPDX-License-Identifier: BSL-1.0
//
// The constraints that the kit ships, and how the engine asks a list of them.
//
//   shipped          every constraint as a list, for tests, documents and `warpwright list constraints`
//   admits_all<L>    true when every constraint of the list L admits the instruction or has run out of patience with it
// An empty list costs nothing: the question disappears at compile time.
#pragma once

#include <cstdint>

#include "../meta/type_list.hpp"
#include "bank_limit.hpp"
#include "concept.hpp"
#include "counters.hpp"
#include "issue_window.hpp"
#include "reuse_limit.hpp"
#include "write_distance.hpp"

namespace ww::constraint {

using shipped = meta::type_list<bank_limit<>, reuse_limit<>, write_distance, counters<>>;

namespace detail {
template <class Arch, class... Cs>
constexpr bool admits_all(meta::type_list<Cs...>, const issue_view& next, const issue_window& placed, unsigned refused) {
  return ((refused >= Cs::patience || Cs::template admits<Arch>(next, placed)) && ...);
}
}  // namespace detail

// `refused` counts how often the instruction has been refused already.
template <class Arch, class ConstraintList>
[[nodiscard]] constexpr bool admits_all(const issue_view& next, const issue_window& placed, unsigned refused) {
  return detail::admits_all<Arch>(ConstraintList{}, next, placed, refused);
}

}  // namespace ww::constraint
