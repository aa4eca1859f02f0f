// SPDX-License-Identifier: BSL-1.0
//
// The distances of an SM as numbers, read at compile time from the text of its tables (smNN/latency_tables.hpp).
//
//   cell     one distance: two numbers of cycles and where they come from
//   row, column   writer and reader group (groups.hpp), or writer and second writer
//
// A table is text because it is read by people, and numbers because those cost the compiler least.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../meta/array.hpp"
#include "../vocabulary.hpp"
#include "groups.hpp"

namespace ww::detail {

// Cells of a table: documented, observed (shipped by a compiler at least ten times), assumed.
constexpr distance doc(unsigned check, unsigned emit) {
  return {static_cast<std::uint8_t>(check), static_cast<std::uint8_t>(emit), provenance::documented};
}
constexpr distance obs(unsigned check, unsigned emit) {
  return {static_cast<std::uint8_t>(check), static_cast<std::uint8_t>(emit), provenance::observed};
}
constexpr distance assume(unsigned check, unsigned emit) {
  return {static_cast<std::uint8_t>(check), static_cast<std::uint8_t>(emit), provenance::assumed};
}

// Second writer of the same register, as far as WAW and WAR rules tell them apart.
enum class second_writer : std::uint8_t { fixed, fma, wide_low, dispatch64, half, slow, mma, late, count };

// A distance as one number, 65536 source + 256 check + emit, because tables of numbers cost the compiler least.
using packed_distance = std::uint32_t;

template <class Row, class Column>
struct latency_matrix {
  packed_distance cells[size_of_enum<Row> * size_of_enum<Column>] = {};
  unsigned longest = 1;  // largest `emit`
};

constexpr distance unpack(packed_distance v) {
  return {static_cast<std::uint8_t>(v >> 8), static_cast<std::uint8_t>(v), static_cast<provenance>(v >> 16)};
}

template <class Row, class Column>
constexpr distance cell(const latency_matrix<Row, Column>& m, Row r, Column c) {
  return unpack(m.cells[static_cast<std::size_t>(r) * size_of_enum<Column> + static_cast<std::size_t>(c)]);
}

// Not constexpr: who calls it at compile time, does not compile.
inline void the_text_of_a_latency_table_is_malformed() {}

// Reads the text of a table (smNN/latency_tables.hpp): a row ends with a bar, a cell is a source (documented, observed,
// assumed) and twice two decimal digits, d0406. Written for compilers to run: indices, few steps, no calls.
template <class Row, class Column, std::size_t N>
consteval latency_matrix<Row, Column> read_matrix(const char (&text)[N]) {
  latency_matrix<Row, Column> m;
  std::size_t at = 0, n = 0;
  unsigned longest = 1;
  for (std::size_t r = 0; r < size_of_enum<Row>; ++r) {
    for (std::size_t c = 0; c < size_of_enum<Column>; ++c) {
      while (text[at] == ' ') ++at;
      const char source = text[at];
      const int a = text[at + 1] - '0', b = text[at + 2] - '0', d = text[at + 3] - '0', e = text[at + 4] - '0';
      if ((source != 'd' && source != 'o' && source != 'a') || (a | b | d | e) < 0 || a > 9 || b > 9 || d > 9 || e > 9) {
        the_text_of_a_latency_table_is_malformed();
      }
      const auto emit = static_cast<unsigned>(d * 10 + e);
      if (emit > longest) longest = emit;
      m.cells[n++] = static_cast<unsigned>(a * 10 + b) * 256u + emit +
                     65536u * static_cast<unsigned>(source == 'd'   ? provenance::documented
                                                    : source == 'o' ? provenance::observed
                                                                    : provenance::assumed);
      at += 5;
    }
    if (text[at++] != '|') the_text_of_a_latency_table_is_malformed();
  }
  if (at + 1 != N) the_text_of_a_latency_table_is_malformed();
  m.longest = longest;
  return m;
}

// The tables of an SM as numbers. An SM that takes the tables of another shares them.
template <class Texts>
struct latency_cells {
  static constexpr latency_matrix<r_writer, r_reader> r_raw = read_matrix<r_writer, r_reader>(Texts::r_raw);
  static constexpr latency_matrix<p_writer, p_reader> p_raw = read_matrix<p_writer, p_reader>(Texts::p_raw);
  static constexpr latency_matrix<u_writer, u_reader> u_raw = read_matrix<u_writer, u_reader>(Texts::u_raw);
  static constexpr latency_matrix<up_writer, up_reader> up_raw = read_matrix<up_writer, up_reader>(Texts::up_raw);
  static constexpr latency_matrix<r_writer, second_writer> r_waw = read_matrix<r_writer, second_writer>(Texts::r_waw);
  static constexpr latency_matrix<p_writer, second_writer> p_waw = read_matrix<p_writer, second_writer>(Texts::p_waw);
  static constexpr latency_matrix<u_writer, second_writer> u_waw = read_matrix<u_writer, second_writer>(Texts::u_waw);
};

}  // namespace ww::detail
