// SPDX-License-Identifier: BSL-1.0
//
// A safety margin: generated code keeps every fixed distance longer by N cycles.
//
// Documented numbers have been too small before (facts: hardware 9, item 8), so that a user can ask for room without
// touching a table. `safety_margin<N>` is the policy; `with_margin<Arch, Margin>` is the architecture that it makes: every
// emit distance above 1 grows by N (a distance of 1 orders nothing but issue), checks stay as they are, and max_fixed grows
// with them. with_margin<Arch, safety_margin<0>> is Arch itself. A margin is 0 to 128 cycles, so that the longest fixed
// distance and its margin fit the byte of a distance together.
#pragma once

#include "../meta/role.hpp"
#include "../meta/traits.hpp"
#include "concept.hpp"

namespace ww {

inline constexpr unsigned most_margin = 128;  // cycles

template <class M>
concept margin_policy = requires {
  typename meta::holds<(unsigned{M::cycles} <= most_margin)>;
};

// N is wide and signed, so that a margin below zero reaches the composer and its sentence.
template <long long N>
struct safety_margin {
  using role = ww::role::margin;
  static constexpr unsigned cycles = N < 0 || N > most_margin ? most_margin + 1 : static_cast<unsigned>(N);
};

namespace detail {

template <class Latency, unsigned N>
struct padded_latency : Latency {
  static constexpr unsigned max_fixed = Latency::max_fixed + N;

  [[nodiscard]] static constexpr distance raw(const access_point& w, const access_point& r) {
    return pad(Latency::raw(w, r));
  }
  [[nodiscard]] static constexpr distance war(const access_point& r, const access_point& w) {
    return pad(Latency::war(r, w));
  }
  [[nodiscard]] static constexpr distance waw(const access_point& a, const access_point& b) {
    return pad(Latency::waw(a, b));
  }

 private:
  [[nodiscard]] static constexpr distance pad(distance d) {
    if (d.emit > 1u) {
      const unsigned wide = d.emit + N;
      d.emit = static_cast<std::uint8_t>(wide < 255u ? wide : 255u);
    }
    return d;
  }
};

template <class Arch, unsigned N>
struct padded_arch : Arch {
  using latency = padded_latency<typename Arch::latency, N>;
};

}  // namespace detail

template <class Arch, class Margin>
using with_margin = meta::conditional_t<Margin::cycles == 0, Arch, detail::padded_arch<Arch, Margin::cycles>>;

}  // namespace ww
