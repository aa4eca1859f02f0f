// SPDX-License-Identifier: BSL-1.0
//
// How many warps an order is made for. What is best for one warp alone (every latency hidden inside it) is not what is best
// when eight warps hide each other's, so that the number is a policy of role occupancy:
//
//   occupancy::kernel     (default) the resident warps per SM that the kernel's register count allows
//   occupancy::warps<N>   N resident warps per SM, whatever the kernel is
//
// `resident<Arch>(program)` gives warps per SM; the model shares them evenly between the sub-cores (at least one each).
#pragma once

#include <algorithm>

#include "../ir/program.hpp"
#include "../meta/role.hpp"

namespace ww {

namespace detail {

// General registers per thread: the declared count, or one more than the highest number that an operand names.
template <class Arch>
unsigned registers_of(const program& p) {
  if (p.register_count != 0) return p.register_count;
  unsigned highest = 0;
  for (const operand& o : p.operands) {
    if (o.is_register() && o.file() == reg_file::r && !o.base().is_virtual()) {
      highest = std::max(highest, o.base().number() + std::max(1u, o.width()));
    }
  }
  return std::max(1u, highest + static_cast<unsigned>(Arch::limits::reserved_registers));
}

}  // namespace detail

namespace occupancy {

struct kernel {
  using role = ww::role::occupancy;
  static constexpr const char* name = "kernel";
  template <class Arch>
  [[nodiscard]] static unsigned resident(const program& p) {
    const unsigned n = Arch::limits::warps_for(ww::detail::registers_of<Arch>(p));
    return std::max(1u, n);
  }
};

template <unsigned N>
struct warps {
  static_assert(N >= 1 && N <= 64, "ww::occupancy::warps<N>: N is the number of resident warps per SM, 1 to 64.");
  using role = ww::role::occupancy;
  static constexpr const char* name = "warps";
  template <class Arch>
  [[nodiscard]] static unsigned resident(const program&) {
    return N;
  }
};

}  // namespace occupancy
}  // namespace ww
