// SPDX-License-Identifier: BSL-1.0
//
// Two neighbours X and Y, of which X reads what Y writes: do the stalls around them say that Y was meant to stand first?
//
//   idle        a stall of three cycles or more that nothing needs (stall_reason.hpp)
//   meant       an idle stall of X or Y as long as the way from Y to X has to be, in the opposite order
//   explained   one stall in the neighbourhood made shorter gives a reason to all that is idle there
// Schedulers give no cycle away (observed: 59 idle stalls in 59,412 instructions), so an idle stall that is meant is evidence. But
// code with one stall made longer is as legal as before and runs past all pairs across that stall, so nothing is alleged that one
// longer stall explains. Compilers let go of the warp where they wait for three cycles or more and never where they wait for one
// (observed: all but 27 of 49,000 stalls of arithmetic in the sm_80 and sm_90 listings), so a stall that lets go of the warp has not
// been made longer from one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/algorithm.hpp"
#include "stall_reason.hpp"

namespace ww::verify::detail {

// Does the k-th instruction of `b` keep a distance that nothing needs?
template <class Arch>
[[nodiscard]] bool idles(const program& p, const block& b, std::size_t k, const supposed& other = {}) {
  const instruction& i = other.get(p, b, k);
  if (other.of(p, b, k) < 3 || Arch::latency::variable(i.iclass) || Arch::latency::late_reader(i.iclass)) return false;
  return !other.fields(p, b, k).sets_write() && !reasoned<Arch>(p, b, k, other);
}

// The k-th instruction and the one behind it: does one of them, or the one before, keep a distance that nothing needs, and none of
// the three in the opposite order?
template <class Arch>
[[nodiscard]] bool meant_stall(const program& p, const block& b, std::size_t k) {
  const std::size_t begin = k == 0 ? 0 : k - 1;
  const auto any = [&](const supposed& other) {
    for (std::size_t at = begin; at < k + 2; ++at) {
      if (idles<Arch>(p, b, at, other)) return true;
    }
    return false;
  };
  return any({}) && (!any({nullptr, 0, &b, k, false}) || !any({nullptr, 0, &b, k, true}));
}

// Arithmetic that lets go of the warp though it stalls for two cycles only: compilers do that once ten cycles have passed since the
// last one that let go (observed on sm_80: all of 5,156 such stalls with another one before them in their block).
template <class Arch>
[[nodiscard]] bool may_release_at_two(const program& p, const block& b, std::size_t k) {
  constexpr unsigned quiet = 10;  // cycles
  const auto order = p.order_of(b);
  unsigned since = 0;
  for (std::size_t at = k; at-- > 0 && since < quiet;) {
    const control& c = p[order[at]].ctl;
    if (c.yield) return false;
    since += c.stall;
  }
  return true;
}

// Is there one stall whose length alone makes idle whatever is idle among the instructions [begin, end) of `b`?
template <class Arch>
[[nodiscard]] bool one_stall_explains(const program& p, const block& b, std::size_t begin, std::size_t end) {
  constexpr std::size_t near = 12;   // instructions of the block looked at on either side
  constexpr std::size_t beyond = 6;  // and of each neighbour, where the block ends before
  const auto explains = [&](const block& in, std::size_t position) {
    const instruction& i = p[p.order_of(in)[position]];
    const bool released = i.ctl.yield && i.ctl.stall <= 11;
    const unsigned least = !released ? 1u : (may_release_at_two<Arch>(p, in, position) ? 2u : 3u);
    const unsigned most = i.ctl.yield || i.ctl.stall > 11 ? 15u : 2u;
    for (unsigned shorter = least; shorter < i.ctl.stall && shorter <= most; ++shorter) {
      const supposed other{&i, shorter};
      bool rest = shorter == 2 && released ? !reasoned<Arch>(p, in, position, other) : idles<Arch>(p, in, position, other);
      for (std::size_t at = begin; at < end && !rest; ++at) rest = idles<Arch>(p, b, at, other);
      if (!rest) return true;
    }
    return false;
  };
  const auto any = [&](const block& in, std::size_t from, std::size_t to) {
    for (; from < to && from < in.count; ++from) {
      if (explains(in, from)) return true;
    }
    return false;
  };
  if (any(b, begin < near ? 0 : begin - near, end + near)) return true;
  if (begin < near) {
    for (const std::uint32_t e : p.pred_edges_of(b)) {
      const block& from = p[p.edges[e].from];
      if (any(from, from.count < beyond ? 0 : from.count - beyond, from.count)) return true;
    }
  }
  if (end + near > b.count) {
    for (const cfg_edge& e : p.edges_of(b)) {
      if (any(p[e.to], 0, beyond)) return true;
    }
  }
  return false;
}

// The k-th instruction of `b` is X, the one behind it Y. Who is before them counts if it stands as far from X as it would have to
// from Y. Asked of few pairs only: it tries every shorter stall nearby.
template <class Arch>
[[nodiscard]] bool unexplained(const program& p, const block& b, std::size_t k) {
  std::size_t begin = k;
  if (k > 0) {
    const auto order = p.order_of(b);
    const instruction& before = p[order[k - 1]];
    const wanted need = needed<Arch>(p, before, p[order[k + 1]]);
    if (before.ctl.stall <= meta::max(need.least, need.safe)) begin = k - 1;
  }
  return !one_stall_explains<Arch>(p, b, begin, k + 2);
}

}  // namespace ww::verify::detail
