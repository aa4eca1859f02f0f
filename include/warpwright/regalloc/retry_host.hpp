// SPDX-License-Identifier: BSL-1.0
//
// What the retry driver asks of the one that owns the program (FPA-8).
//
//   build(of, p)             makes the problem of a class as the program now is, with its file; false: the class has no registers.
//                            What spilling has made is must_not_spill. Called again after every spill
//   spill(of, p, victims)    puts registers of that problem into memory, or has them computed again where they are read, and says
//                            how many it could; 0 ends the spilling. Sets of aliases come together
// The rest has defaults:
//   adjusted(of, n)          how many registers n are on this SM: rounded up, with those that it keeps for itself (n)
//   demand(of)               most registers live at one time (0): tells low pressure from high
//   may_spill(of)            (true)
//   recomputes(of, r)        can register r of the problem be computed again? (false) Decides the queue of the guidance only
//   uses_shared(of)          spill code goes to shared memory, and is set up before the first attempt (false)
//   weighted(of)             values have a second weight: the other spill strategy (false)
//   begin_spill(of, s)       spill code is set up: once, with the strategy of the frame
//   extra_registers(of, n)   further registers that the SM has for spilled values (0); where there are any, before_spill(of), then
//                            all registers of the class are marked; viable(of) = false takes that back
//   clean_up(of)             behind every round
//   done(of, p, outcome)     behind every class of run_all(): take the places
// A host may be asked in this order only: build; then anything; spill; build.
#pragma once

#include <cstdint>

#include "../meta/span.hpp"
#include "problem.hpp"
#include "retry_mode.hpp"
#include "spill_space.hpp"

namespace ww::regalloc {

template <class H>
concept retry_host = requires(H& h, register_class of, problem& p, const problem& q, span<const std::uint32_t> victims) {
  {h.build(of, p)};
  {h.spill(of, q, victims)};
};

template <class H>
[[nodiscard]] std::uint32_t host_adjusted(H& h, register_class of, std::uint32_t n) {
  if constexpr (requires { h.adjusted(of, n); }) return h.adjusted(of, n);
  return n;
}
template <class H>
[[nodiscard]] std::uint32_t host_demand(H& h, register_class of) {
  if constexpr (requires { h.demand(of); }) return h.demand(of);
  return 0;
}
template <class H>
[[nodiscard]] bool host_may_spill(H& h, register_class of) {
  if constexpr (requires { h.may_spill(of); }) return h.may_spill(of);
  return true;
}
template <class H>
[[nodiscard]] bool host_recomputes(H& h, register_class of, std::uint32_t r) {
  if constexpr (requires { h.recomputes(of, r); }) return h.recomputes(of, r);
  return false;
}
template <class H>
[[nodiscard]] bool host_uses_shared(H& h, register_class of) {
  if constexpr (requires { h.uses_shared(of); }) return h.uses_shared(of);
  return false;
}
template <class H>
[[nodiscard]] bool host_weighted(H& h, register_class of) {
  if constexpr (requires { h.weighted(of); }) return h.weighted(of);
  return false;
}

}  // namespace ww::regalloc
