// SPDX-License-Identifier: BSL-1.0
//
// Shapes and fragment sizes of tensor-core instructions.
//
//   HMMA.16816.F32.BF16   m 16, n 8, k 16; accumulates F32, factors of 16 bits
//   DMMA.8x8x4, HGMMA.64x128x16.F32   the same with 'x' between the numbers
// A warp holds a fragment of rows * columns elements in 32 lanes; a warpgroup (HGMMA) in 128. The registers
// named by one operand are rows * columns * bits / (lanes * 32), at least one. A sparse factor A holds half of its
// elements. Checked against the register tables of the corpus for every shape that occurs there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/string_view.hpp"
#include "element_type.hpp"
#include "modifier_text.hpp"
#include "opcode_id.hpp"

namespace ww::isa {

struct mma_shape {
  unsigned m = 0, n = 0, k = 0;  // 0 = no shape written
  unsigned a_bits = 16, b_bits = 16, c_bits = 32;
  bool sparse = false;
};

struct mma_widths {
  std::uint8_t d = 1, a = 1, b = 1, c = 1;  // 32-bit registers
};

namespace detail {

constexpr bool read_shape(string_view w, mma_shape& s) {
  if (w.size() < 3 || w[0] < '0' || w[0] > '9') return false;
  unsigned v[3] = {0, 0, 0};
  unsigned n = 0;
  bool cross = false;
  for (char c : w) {
    if (c == 'x') {
      cross = true;
      if (++n > 2) return false;
    } else if (c >= '0' && c <= '9') {
      v[n] = v[n] * 10 + static_cast<unsigned>(c - '0');
      if (v[n] > 1000000) return false;
    } else {
      return false;
    }
  }
  if (cross) {
    if (n != 2) return false;
    s.m = v[0];
    s.n = v[1];
    s.k = v[2];
    return true;
  }
  const bool tall = w.substr(0, 3) == "168";
  if (!tall && w.substr(0, 2) != "88") return false;
  const std::size_t skip = tall ? 3 : 2;
  if (w.size() == skip) return false;
  s.m = tall ? 16 : 8;
  s.n = 8;
  s.k = 0;
  for (char c : w.substr(skip)) s.k = s.k * 10 + static_cast<unsigned>(c - '0');
  return true;
}

constexpr unsigned factor_bits(string_view w) {
  if (w == "TF32") return 32;
  if (w == "F16" || w == "BF16") return 16;
  if (w == "S8" || w == "U8" || w == "E4M3" || w == "E5M2" || w == "E3M2" || w == "E2M3" || w == "E2M1") return 8;
  if (w == "S4" || w == "U4") return 4;
  return 0;
}

constexpr std::uint8_t fragment(unsigned rows, unsigned columns, unsigned bits, unsigned lanes) {
  const unsigned r = rows * columns * bits / (lanes * 32u);
  return static_cast<std::uint8_t>(r == 0 ? 1u : (r > 255u ? 255u : r));
}

}  // namespace detail

constexpr mma_shape shape_of(opcode op, string_view modifiers) {
  mma_shape s;
  unsigned accumulators = 0, factors = 0;
  switch (op) {
    case opcode::imma:
    case opcode::igmma:
    case opcode::qmma:
    case opcode::qgmma:
      s.a_bits = s.b_bits = 8;
      break;
    case opcode::omma:
      s.a_bits = s.b_bits = 4;
      break;
    case opcode::bmma:
    case opcode::bgmma:
      s.a_bits = s.b_bits = 1;
      break;
    case opcode::dmma:
      s.a_bits = s.b_bits = s.c_bits = 64;
      break;
    default:
      break;
  }
  const bool floating =
      op == opcode::hmma || op == opcode::hgmma || op == opcode::qmma || op == opcode::qgmma || op == opcode::omma;
  for_each_modifier(modifiers, [&](string_view w) {
    if (w == "SP") {
      s.sparse = true;
    } else if (s.m == 0 && detail::read_shape(w, s)) {
      return true;
    } else if (floating && accumulators == 0 && (w == "F32" || w == "F16")) {
      s.c_bits = w == "F16" ? 16 : 32;
      ++accumulators;
    } else if (op != opcode::omma && op != opcode::bmma && op != opcode::dmma) {
      const unsigned b = detail::factor_bits(w);
      if (b != 0) {
        if (factors++ == 0) {
          s.a_bits = s.b_bits = b;
        } else {
          s.b_bits = b;
        }
      }
    }
    return true;
  });
  return s;
}

constexpr mma_widths widths_of(opcode op, const mma_shape& s) {
  mma_widths w;
  if (s.m == 0) return w;
  const bool group = op == opcode::hgmma || op == opcode::igmma || op == opcode::qgmma || op == opcode::bgmma;
  const unsigned lanes = group ? 128 : 32;
  if (op == opcode::hmma && s.m == 8) {  // HMMA.884 works in steps on pairs (sm_70)
    w.d = w.a = w.b = w.c = 2;
    return w;
  }
  w.a = detail::fragment(s.m, s.sparse ? s.k / 2 : s.k, s.a_bits, lanes);
  w.b = detail::fragment(s.k, s.n, s.b_bits, lanes);
  w.c = w.d = detail::fragment(s.m, s.n, s.c_bits, lanes);
  return w;
}

}  // namespace ww::isa
