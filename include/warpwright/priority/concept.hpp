// SPDX-License-Identifier: BSL-1.0
//
// The priority page. A priority policy decides which of two ready instructions goes first. It is one of two kinds:
//
//   fixed key   `fixed_key = true` and `key(const candidate&)`: a number of at most 48 bits that does not change while the
//               instruction waits. The engine keeps such candidates in a queue per pipe, so a pick costs
//               O(pipes + log n) and the whole block O(n log n).
//   per pick    `fixed_key = false` and `compare(a, b, state)`: looks at the state of the block, so the engine compares all
//               ready instructions at each pick. `needs_pressure = true` asks for live registers and register deltas;
//               without the member they are all zero.
// Laws: `compare` is a strict total order over distinct candidates for a given state (the last resort is source order, index
// ascending); `reason_name(r)` is defined for every r that a verdict holds; the policy is an empty type.
//
//   struct mine {
//     using role = ww::role::priority;
//     static constexpr bool fixed_key = true;
//     static constexpr std::uint64_t key(const ww::priority::candidate& c) { return c.height; }
//     static constexpr unsigned explain(std::uint64_t, std::uint64_t) { return 0; }
//     static constexpr const char* reason_name(unsigned) { return "height"; }
//   };
#pragma once

#include <cstdint>

#include "../meta/role.hpp"
#include "../meta/traits.hpp"
#include "candidate.hpp"

namespace ww::priority {

// Outcome of one comparison: does the first win, and which field decided.
struct verdict {
  bool first_wins = false;
  std::uint8_t reason = 0;
};

namespace detail {
// A `value`, whatever its signature: a bit that has one is a field of its `width`, and a `test` beside it is not asked.
template <class B>
concept names_value = requires {
  &B::value;
}
|| requires(const candidate& c, const pick_state& s) { B::value(c, s); };
template <class B>
concept tests = requires(const candidate& c, const pick_state& s) {
  { B::test(c, s) } -> meta::same_as<bool>;
};
template <class B>
concept has_value = requires(const candidate& c, const pick_state& s) {
  { B::value(c, s) } -> meta::unsigned_integral;
  typename meta::holds<(unsigned{B::width} >= 1 && unsigned{B::width} <= 64)>;
};
}  // namespace detail

template <class B>
concept priority_bit = requires {
  { B::name } -> meta::convertible_to<const char*>;
}
&&(detail::names_value<B> ? detail::has_value<B> : detail::tests<B>);

namespace detail {
// Does a per-pick priority, or a bit, read register deltas?
template <class P>
inline constexpr bool needs_pressure = requires {
  typename meta::holds<bool{P::needs_pressure}>;
};
}  // namespace detail

}  // namespace ww::priority

namespace ww {

template <class P>
concept fixed_key_priority = requires(const priority::candidate& c, std::uint64_t k) {
  typename meta::holds<bool{P::fixed_key}>;
  { P::key(c) } -> meta::same_as<std::uint64_t>;
  { P::explain(k, k) } -> meta::convertible_to<unsigned>;
  { P::reason_name(0u) } -> meta::convertible_to<const char*>;
};

template <class P>
concept per_pick_priority = requires(const priority::candidate& c, const priority::pick_state& s) {
  typename meta::holds<!bool{P::fixed_key}>;
  { P::compare(c, c, s) } -> meta::same_as<priority::verdict>;
  { P::reason_name(0u) } -> meta::convertible_to<const char*>;
};

template <class P>
concept priority_policy = fixed_key_priority<P> || per_pick_priority<P>;

}  // namespace ww
