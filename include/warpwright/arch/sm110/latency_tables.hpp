// SPDX-License-Identifier: BSL-1.0
//
// Distances of sm_110: those of sm_103, but integer matrix operations are timed, as on sm_100.
//
// The cells of sm_103 were derived from the code of both SMs. Counted operations have no distance there, so that the rows of
// integer matrix operations come from sm_100. Observed on sm_110: accumulator to accumulator 20 (427 dependences, 420 of them
// at 20), to vector arithmetic 19 (75 and 46; by moves 213 and 185), no case closer.
#pragma once

#include "../sm100/latency_tables.hpp"
#include "../sm103/latency_tables.hpp"

namespace ww::detail {

// A table with the rows of integer matrix operations of another.
template <class Column>
consteval latency_matrix<r_writer, Column> with_integer_matrix_rows(latency_matrix<r_writer, Column> to,
                                                                    const latency_matrix<r_writer, Column>& from) {
  for (const r_writer w :
       {r_writer::imma_small, r_writer::imma_medium, r_writer::imma_large, r_writer::bmma_small, r_writer::bmma_large}) {
    for (std::size_t c = 0; c < size_of_enum<Column>; ++c) {
      const std::size_t at = static_cast<std::size_t>(w) * size_of_enum<Column> + c;
      to.cells[at] = from.cells[at];
      const unsigned emit = unpack(from.cells[at]).emit;
      to.longest = emit > to.longest ? emit : to.longest;
    }
  }
  return to;
}

// same: observed, as said above. A template only so that the two tables are made when the SM is used.
template <class Base = sm103_tables, class Matrices = sm100_tables>
struct sm110_cells : latency_cells<Base> {
  static constexpr latency_matrix<r_writer, r_reader> r_raw =
      with_integer_matrix_rows(latency_cells<Base>::r_raw, latency_cells<Matrices>::r_raw);
  static constexpr latency_matrix<r_writer, second_writer> r_waw =
      with_integer_matrix_rows(latency_cells<Base>::r_waw, latency_cells<Matrices>::r_waw);
};

}  // namespace ww::detail
