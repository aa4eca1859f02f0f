// SPDX-License-Identifier: BSL-1.0
//
// Latency groups: the rows (who writes) and columns (who reads) of the latency tables, one pair per register file.
//
// A group is a set of classes that no source distinguishes, per register file. A writer group depends on the class and, for
// IMAD.WIDE, on the half of the result; a reader group depends on class and slot: an address is read at another time
// than stored data, the addend of a wide multiply later than its factors, a predicate as guard earlier than as an
// operand. The groups are the same on every SM (an SM that treats two of them alike has two equal rows), so that a table of
// one SM can be compared line by line with that of another. Source of the split: facts: observed "Model", hardware 2.3
// to 2.7.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "../../meta/array.hpp"
#include "../../meta/bits.hpp"
#include "../vocabulary.hpp"
#include "class_set.hpp"

namespace ww::detail {

// Writers of general registers. `counted` = the result is covered by a counter on every SM.
enum class r_writer : std::uint8_t {
  none,
  counted,
  alu,
  dual,
  viadd,
  vote,
  cs2r,
  cs2r_32,
  fma,
  wide_low,
  wide_high,
  imad_hi,
  half,
  half_alu,
  hfma2_mma,
  fp64,
  hmma_small,
  hmma_medium,
  hmma_large,
  hmma_sparse,
  imma_small,
  imma_medium,
  imma_large,
  bmma_small,
  bmma_large,
  dmma,
  qmma,
  hgmma,
  alu_64,
  count
};

// Readers of general registers.
enum class r_reader : std::uint8_t {
  none,
  alu,
  dual,
  setp,
  viadd,
  fma,
  wide_ab,
  wide_c_low,
  wide_c_high,
  imad_hi,
  imad_hi_c,
  half,
  half_alu,
  hfma2_mma,
  fp64,
  mma_ab,
  mma_c,
  dmma,
  xu,
  tex,
  mem_address,
  mem_data,
  control,
  r2ur,
  alu_64,
  conv_64,
  count
};

// Writers of predicates.
enum class p_writer : std::uint8_t {
  none,
  counted,
  alu,
  dual,
  setp,
  setp_64,
  plop3,
  vote,
  r2p,
  fma,
  wide,
  imad_hi,
  half,
  fp64,
  elect,
  r2ur,
  count
};

// Readers of predicates; `guard` is a guard of any instruction.
enum class p_reader : std::uint8_t {
  none,
  guard,
  alu,
  dual,
  setp,
  plop3,
  fma,
  wide,
  half,
  fp64,
  vote,
  control,
  late,
  uniform,
  count
};

// Writers of uniform registers.
enum class u_writer : std::uint8_t { none, counted, ualu, ualu_x, uimad, uimad_wide, uldc, umov, voteu, r2ur, count };

// Readers of uniform registers.
enum class u_reader : std::uint8_t {
  none,
  ualu,
  ualu_x,
  usel,
  umov,
  uldc,
  vector,
  xu,
  memory,
  descriptor,
  tma,
  branch,
  bank,
  count
};

// Writers and readers of uniform predicates.
enum class up_writer : std::uint8_t { none, counted, ualu, usetp, uplop3, voteu, count };
enum class up_reader : std::uint8_t { none, guard, ualu, ualu_x, vector, branch, uldc, count };

template <class E>
inline constexpr std::size_t size_of_enum = static_cast<std::size_t>(E::count);

// One sentence of a map: these classes are in that group.
template <class E>
struct group_entry {
  E group;
  class_set classes;
};

// A map from class to group, written by group; classes that are not named get `rest`.
template <class E>
struct class_map {
  E group[sched_class_count + 1];  // one more, or g++ 12 at -O3 sees a class behind the last in its inlined copies

  constexpr class_map(E rest, std::initializer_list<group_entry<E>> entries) : group{} {
    for (E& g : group) g = rest;
    for (const group_entry<E>& e : entries) {
      for (std::size_t w = 0; w < class_set::words; ++w) {
        for (std::uint64_t m = e.classes.bits[w]; m != 0; m &= m - 1) {
          group[64 * w + static_cast<std::size_t>(meta::countr_zero(m))] = e.group;
        }
      }
    }
  }
};

}  // namespace ww::detail
