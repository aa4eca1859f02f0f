// SPDX-License-Identifier: BSL-1.0
//
// The tensor-core variants that the guidance lines after allocation name (PLS-18), and which of them an instruction is.
//
// The text has the names alone. A program knows the class of an instruction (the bits of one row of its factors) and the widths of
// its operands, so that an instruction counts as the variant that does the same work:
//   hmma16816, hmma1688        dense, by class: 16816 and 1688.TF32 move the same bits, so do 1688 and 1684.TF32
//   ..f16                      the result has two registers: it is accumulated in half precision
//   hmmaSp1688                 every sparse one: the text has one depth for them
//   imma16832, imma16816       dense, by class; four-bit factors of depth 64 work as eight-bit ones of depth 32
//   immaSp16832, immaSp8832    sparse, with 16 rows or with 8 (a factor of one register)
//   dmma                       every one
// HMMA.884, IMMA.8816, binary, group and byte-float forms have no name there and count in none; nor does anything count as
// fma64, of which the text does not say what it is beside fma2x, its name for double precision. All of this is assumed.
#pragma once

#include <cstdint>

#include "../ir/instruction.hpp"
#include "../ir/operand.hpp"
#include "../isa/opcode_id.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/span.hpp"

namespace ww::model {

enum class matrix_pipe : std::uint8_t {
  imma16816,
  imma16832,
  imma_sp8832,
  imma_sp16832,
  dmma,
  fma64,
  hmma16816,
  hmma16816f16,
  hmma1688,
  hmma1688f16,
  hmma_sp1688,
  hmma_sp1688f16,
  none
};

inline constexpr unsigned matrix_pipe_count = static_cast<unsigned>(matrix_pipe::none);

[[nodiscard]] constexpr matrix_pipe matrix_pipe_of(const instruction& ins, span<const operand> operands) {
  using m = matrix_pipe;
  if (ins.op == opcode::dmma) return m::dmma;
  if (ins.op != opcode::hmma && ins.op != opcode::imma) return m::none;
  unsigned result = 0;
  unsigned rows = 0;  // registers of factor a
  bool sparse = false;
  for (const operand& o : operands) {
    if (o.is_def() && o.where() == slot::dst) result = o.width();
    if (o.is_use() && o.where() == slot::a) rows = o.width();
    sparse = sparse || (o.is_use() && o.where() == slot::data);  // the selector
  }
  const bool half = result <= 2;
  if (ins.op == opcode::imma) {
    if (sparse) return rows <= 1 ? m::imma_sp8832 : m::imma_sp16832;
    if (ins.iclass == sched_class::imma_medium) return m::imma16816;
    return ins.iclass == sched_class::imma_large ? m::imma16832 : m::none;
  }
  if (sparse) return half ? m::hmma_sp1688f16 : m::hmma_sp1688;
  if (ins.iclass == sched_class::hmma_large) return half ? m::hmma16816f16 : m::hmma16816;
  if (ins.iclass == sched_class::hmma_medium) return half ? m::hmma1688f16 : m::hmma1688;
  return m::none;
}

}  // namespace ww::model
