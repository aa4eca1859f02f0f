// SPDX-License-Identifier: BSL-1.0
//
// The resource model of a block (PLS-9): ten functional units, usage and change vectors, three costs.
//
//   usage     cycles of each unit that the placed instructions take         delta   what the last step changed
//   own       cost of an instruction by itself: its unit for its issue interval
//   release   what its last-used operands give back: the units of the instructions that made them stop waiting
//   combined  own and release on top of the usage of the block
//   pending   cycles until overwriting a register of a late reader is free (WAR), per unit
//
// The text keeps ten 32-bit counters; here they are padded to sixteen, so that every vector width runs without a tail. The
// elements behind the tenth stay 0. Unit numbers are those of the text's pipe table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../isa/sched_class.hpp"
#include "../meta/array.hpp"
#include "../meta/span.hpp"
#include "../simd/scalar.hpp"

namespace ww {

enum class functional_unit : std::uint8_t {
  integer,
  fp32,
  fp64,
  tensor,
  load_store,
  texture,
  control,
  shared_atomic,
  special,
  uniform,
  count
};

inline constexpr std::size_t functional_unit_count = static_cast<std::size_t>(functional_unit::count);
inline constexpr std::size_t resource_lanes = 16;

using resource_lanes_array = array<std::int32_t, resource_lanes>;

constexpr functional_unit unit_of(sched_class c) {
  using s = sched_class;
  if (c >= s::hmma_small && c <= s::hgmma && c != s::dmma) return functional_unit::tensor;
  if (c >= s::ualu && c <= s::ufp) return functional_unit::uniform;
  if (c >= s::bar && c <= s::exit) return functional_unit::control;
  switch (c) {
    case s::fma:
    case s::half:
    case s::half_f32:
    case s::half_alu:
    case s::hfma2_mma:
      return functional_unit::fp32;
    case s::fp64:
    case s::dsetp:
    case s::dmma:
      return functional_unit::fp64;
    case s::atoms:
      return functional_unit::shared_atomic;
    case s::mufu:
    case s::conv:
    case s::conv_64:
    case s::popc:
    case s::flo:
    case s::brev:
    case s::rro:
      return functional_unit::special;
    case s::tex:
    case s::tld:
    case s::txq:
    case s::suld:
    case s::sust:
    case s::suatom:
    case s::texdepbar:
      return functional_unit::texture;
    case s::nop:
    case s::depbar:
    case s::ssy:
    case s::sync:
      return functional_unit::control;
    default:
      break;
  }
  if ((c >= s::ld && c <= s::syncs) || c == s::shfl || c == s::ipa || c == s::ald || c == s::ast) {
    return functional_unit::load_store;
  }
  return functional_unit::integer;
}

struct resource_vector {
  alignas(64) resource_lanes_array usage{};
  alignas(64) resource_lanes_array delta{};
  alignas(64) resource_lanes_array pending{};
  bool entered = false;  // the block has been entered

  template <class V = simd::scalar>
  constexpr void clear() {
    V::zero(usage.data(), resource_lanes);
    V::zero(delta.data(), resource_lanes);
    V::zero(pending.data(), resource_lanes);
    entered = false;
  }
  // Books a cost: it becomes the change of this step and is added to the usage.
  template <class V = simd::scalar>
  constexpr void accumulate(const resource_lanes_array& cost) {
    delta = cost;
    V::add(usage.data(), cost.data(), resource_lanes);
    entered = true;
  }
  // A late reader of class `c` was placed; its sources are read `cycles` from now.
  constexpr void read_late(sched_class c, std::int32_t cycles) {
    std::int32_t& p = pending[static_cast<std::size_t>(unit_of(c))];
    p = cycles > p ? cycles : p;
  }
  // Time passes: pending reads come closer, none below 0.
  template <class V = simd::scalar>
  constexpr void advance(std::int32_t cycles) {
    V::broadcast_add(pending.data(), -cycles, resource_lanes);
    for (std::int32_t& p : pending) p = p < 0 ? 0 : p;
  }
  // The unit with the largest usage, the lowest number among equals.
  template <class V = simd::scalar>
  [[nodiscard]] constexpr functional_unit busiest() const {
    return static_cast<functional_unit>(V::max_scan(usage.data(), functional_unit_count));
  }
};

// The three costs of placing an instruction of class `c`. Pipes gives interval(c) in cycles.
template <class Pipes>
struct resource_cost {
  static constexpr resource_lanes_array own(sched_class c) {
    resource_lanes_array cost{};
    cost[static_cast<std::size_t>(unit_of(c))] = static_cast<std::int32_t>(Pipes::interval(c));
    return cost;
  }
  // `producers`: classes of the instructions whose results are read here for the last time.
  static constexpr resource_lanes_array release(span<const sched_class> producers) {
    resource_lanes_array cost{};
    for (const sched_class c : producers) {
      cost[static_cast<std::size_t>(unit_of(c))] -= static_cast<std::int32_t>(Pipes::interval(c));
    }
    return cost;
  }
  template <class V = simd::scalar>
  static constexpr resource_lanes_array combined(const resource_vector& block, sched_class c,
                                                 span<const sched_class> producers) {
    resource_lanes_array cost = block.usage;
    V::add(cost.data(), own(c).data(), resource_lanes);
    V::add(cost.data(), release(producers).data(), resource_lanes);
    return cost;
  }
};

}  // namespace ww
