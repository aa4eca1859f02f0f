// SPDX-License-Identifier: BSL-1.0
//
// How many warps an order is made for. What is best for one warp alone (every latency hidden inside it) is not what is best
// when eight warps hide each other's, so that the number is a policy of role occupancy:
//
//   occupancy::kernel     (default) the resident warps that the kernel's register count allows
//   occupancy::warps<N>   N warps, whatever the kernel is
//
// `per_sub_core<Arch>(program)` gives warps of one sub-core (one warp scheduler), at least one: an SM shares its resident
// warps evenly between its sub-cores, and only those of one sub-core compete for its pipes.
#pragma once

#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/pick.hpp"
#include "../meta/role.hpp"
#include "../meta/traits.hpp"

namespace ww {

namespace detail {

// General registers per thread: the declared count, or one more than the highest number that an operand names.
template <class Arch>
unsigned registers_of(const program& p) {
  if (p.register_count != 0) return p.register_count;
  unsigned highest = 0;
  for (const operand& o : p.operands) {
    if (o.is_register() && o.file() == reg_file::r && !o.base().is_virtual()) {
      highest = meta::max(highest, o.base().number() + meta::max(1u, o.width()));
    }
  }
  return meta::max(1u, highest + static_cast<unsigned>(Arch::limits::reserved_registers));
}

}  // namespace detail

template <class O, class Arch>
concept occupancy_policy = requires(const program& p) {
  { O::name } -> meta::convertible_to<const char*>;
  { O::template per_sub_core<Arch>(p) } -> meta::convertible_to<unsigned>;
};

template <>
struct meta::role_page<role::occupancy> {
  template <class P, class Arch>
  static constexpr bool filled = occupancy_policy<P, Arch>;
};

namespace occupancy {

struct kernel {
  using role = ww::role::occupancy;
  static constexpr const char* name = "kernel";
  template <class Arch>
  [[nodiscard]] static unsigned per_sub_core(const program& p) {
    const unsigned resident = Arch::limits::warps_for(ww::detail::registers_of<Arch>(p));
    return meta::max(1u, resident / static_cast<unsigned>(Arch::limits::sub_cores));
  }
};

template <long long N>
struct warps {
  using role = ww::role::occupancy;
  static constexpr const char* name = "warps";
  static constexpr bool arguments_fit = N >= 1 && N <= 64;
  template <class Arch>
  [[nodiscard]] static unsigned per_sub_core(const program&) {
    return static_cast<unsigned>(N);
  }
};

}  // namespace occupancy
}  // namespace ww
