// SPDX-License-Identifier: BSL-1.0
//
// How long a result of fixed latency concerns anybody.
//
//   landed<Latency>(w)  cycles behind the writer from which on no reader and no second writer of any class comes too early: the
//                       longest distance that Latency::raw and waw may ask (`emit`) behind `w`
// For the pages of the kit it comes from their tables, and a safety margin is added. A latency page that somebody wrote, or
// derived from one of them, may ask anything up to its max_fixed: that is its answer.
#pragma once

#include "detail/latency_table.hpp"
#include "margin.hpp"
#include "vocabulary.hpp"

namespace ww {

namespace detail {

template <class Row, class Column>
constexpr unsigned longest_in_row(const latency_matrix<Row, Column>& m, Row r) {
  unsigned most = 1;
  for (unsigned c = 0; c < size_of_enum<Column>; ++c) {
    const unsigned d = cell(m, r, static_cast<Column>(c)).emit;
    if (d > most) most = d;
  }
  return most;
}

template <class Latency>
struct landing_of {
  static constexpr unsigned cycles(const access_point&) { return Latency::max_fixed; }
};

template <class Latency, unsigned N>
struct landing_of<padded_latency<Latency, N>> {
  static constexpr unsigned cycles(const access_point& w) { return landing_of<Latency>::cycles(w) + N; }
};

template <class Tables>
struct landing_of<latency_table<Tables>> {
  using latency = latency_table<Tables>;
  using cells = typename latency::cells;
  using maps = typename latency::maps;

  static constexpr unsigned most(unsigned a, unsigned b) { return a > b ? a : b; }
  static constexpr unsigned cycles(const access_point& w) {
    if (const unsigned kept = latency::kept_beside(w.iclass); kept != 0) return kept;
    switch (w.file) {
      case reg_file::r: {
        const r_writer g = r_writer_of<maps>(w);
        unsigned longest = most(longest_in_row(cells::r_raw, g), longest_in_row(cells::r_waw, g));
        if constexpr (requires { Tables::r_waw_fma_over_alu; }) longest = most(longest, Tables::r_waw_fma_over_alu.emit);
        return longest;
      }
      case reg_file::p: {
        const p_writer g = p_writer_of<maps>(w);
        return most(longest_in_row(cells::p_raw, g), longest_in_row(cells::p_waw, g));
      }
      case reg_file::ur: {
        const u_writer g = u_writer_of<maps>(w);
        return most(longest_in_row(cells::u_raw, g), longest_in_row(cells::u_waw, g));
      }
      case reg_file::up:
        return most(longest_in_row(cells::up_raw, up_writer_of<maps>(w)),
                    most(Tables::up_waw.emit, Tables::up_waw_direct.emit));
      default:
        return latency::max_fixed;
    }
  }
};

}  // namespace detail

// `w`: class, register file and part of a result of fixed latency.
template <class Latency>
[[nodiscard]] constexpr unsigned landed(const access_point& w) {
  return detail::landing_of<Latency>::cycles(w);
}

}  // namespace ww
