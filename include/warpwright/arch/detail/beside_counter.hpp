// SPDX-License-Identifier: BSL-1.0
//
// Cycles that a counted result keeps to its readers besides its counter.
//
// Double precision and matrix operations that raise counters (sm_70 to sm_89) take both: the reader waits for the counter and is
// a fixed distance behind as well (facts: hardware 2.1, "delay and counter"; the numbers are those of 2.3, 2.4 and 2.6).
// Compilers always keep it, and put instructions that do nothing in between where stalls do not reach so far: DMMA to DMMA 26
// on sm_80, 18 to an accumulator, 24 to a store; DFMA to DFMA 8 on sm_70 and sm_75. Nothing shorter was seen (observed,
// CUDA 12.4 and 13.0: some 2,100 pairs of sm_75 to sm_89, more than half exactly so). Whether the counter alone would do is not
// known; generated words keep both, the checker asks for the counter.
#pragma once

#include <cstdint>

#include "group_of.hpp"

namespace ww::detail {

// By reader: vector arithmetic; the high half of the addend of a wide product; double precision; the factors of a matrix
// operation; the accumulator of one of the same class; what goes to the special unit; what goes to memory. 0: no writer of it.
struct beside_row {
  std::uint8_t arithmetic = 0, wide_c_high = 0, fp64 = 0, matrix = 0, accumulator = 0, special = 0, memory = 0;
};
// Predicates of DSETP: as operands of arithmetic, of double precision, as guards and whatever else.
struct beside_predicate {
  std::uint8_t arithmetic = 0, fp64 = 0, guard = 0;
};
struct beside_rows {
  beside_row fp64, dmma, half_small, half_medium, half_large, integer;
  beside_predicate predicate;
};

// By value: g++ takes no address of a constant for one with -fsanitize=null.
constexpr beside_row beside_row_of(const beside_rows& rows, sched_class c) {
  switch (c) {
    case sched_class::fp64:
      return rows.fp64;
    case sched_class::dmma:
      return rows.dmma;
    case sched_class::hmma_small:
      return rows.half_small;
    case sched_class::hmma_medium:
      return rows.half_medium;
    case sched_class::hmma_large:
    case sched_class::hmma_sparse:
      return rows.half_large;
    case sched_class::imma_small:
    case sched_class::imma_medium:
    case sched_class::imma_large:
    case sched_class::bmma_small:
    case sched_class::bmma_large:
      return rows.integer;
    default:
      return {};
  }
}

// 0 where nothing is kept.
template <class Maps>
constexpr std::uint8_t beside_counter(const beside_rows& rows, const access_point& w, const access_point& r) {
  if (w.file == reg_file::p && w.iclass == sched_class::dsetp) {
    const beside_predicate& p = rows.predicate;
    switch (p_reader_of<Maps>(r)) {
      case p_reader::alu:
      case p_reader::dual:
      case p_reader::setp:
      case p_reader::plop3:
      case p_reader::fma:
      case p_reader::wide:
        return p.arithmetic;
      case p_reader::fp64:
        return p.fp64;
      default:
        return p.guard;
    }
  }
  const beside_row row = w.file == reg_file::r ? beside_row_of(rows, w.iclass) : beside_row{};
  switch (r_reader_of<Maps>(r)) {
    case r_reader::wide_c_high:
      return row.wide_c_high;
    case r_reader::fp64:
    case r_reader::hfma2_mma:
      return row.fp64;
    case r_reader::mma_ab:
      return row.matrix;
    case r_reader::mma_c:
    case r_reader::dmma:
      return r.where == slot::c && r.iclass == w.iclass ? row.accumulator : row.matrix;
    case r_reader::none:
    case r_reader::xu:
    case r_reader::tex:
    case r_reader::control:
    case r_reader::r2ur:
    case r_reader::conv_64:
      return row.special;
    case r_reader::mem_address:
    case r_reader::mem_data:
      return row.memory;
    default:
      return row.arithmetic;
  }
}

// The longest that a result of the class keeps.
constexpr std::uint8_t beside_longest(const beside_rows& rows, sched_class c) {
  const auto most = [](std::uint8_t a, std::uint8_t b) { return a > b ? a : b; };
  if (c == sched_class::dsetp) return most(rows.predicate.guard, most(rows.predicate.arithmetic, rows.predicate.fp64));
  const beside_row row = beside_row_of(rows, c);
  return most(most(row.arithmetic, row.fp64), most(most(row.matrix, row.accumulator), most(row.special, row.memory)));
}

// sm_70 (double precision only: of its matrix operations nothing was seen) and sm_75.
inline constexpr beside_rows beside_sm70{{9, 7, 8, 9, 9, 9, 9}, {}, {}, {}, {}, {}, {9, 8, 15}};
inline constexpr beside_rows beside_sm75{{9, 7, 8, 9, 9, 9, 9},
                                         {},
                                         {13, 11, 13, 13, 13, 13, 13},
                                         {14, 12, 14, 14, 14, 14, 14},
                                         {22, 20, 22, 22, 22, 22, 22},
                                         {10, 8, 10, 10, 10, 10, 10},
                                         {9, 8, 15}};
// sm_80 to sm_89, where other matrix operations are fixed.
inline constexpr beside_rows beside_sm80{{10, 8, 6, 11, 11, 6, 7}, {25, 23, 25, 26, 18, 23, 24}, {}, {}, {}, {}, {6, 6, 14}};

}  // namespace ww::detail
