// SPDX-License-Identifier: BSL-1.0
//
// One row of the opcode table.
//
// `form` says how the operands of the text are placed: which come first as results, which are addresses, data,
// descriptors or predicates. Position decides (facts: format.md traps 10 and 11); the register widths are a matter of
// isa/widths.hpp. `traits` are properties that hold for every modifier of the opcode.
#pragma once

#include <cstdint>

#include "opcode_id.hpp"
#include "sched_class.hpp"

namespace ww::isa::detail {

enum class form : std::uint8_t {
  alu,       // [predicate results,] result, [predicate results,] sources, [predicate sources]
  setp,      // predicate results, sources, [predicate sources]
  plop,      // two predicate results, then predicate sources
  vote,      // [result,] one predicate result, then sources
  elect,     // one predicate result, result, then sources
  p2r,       // result, PR, source, mask
  r2p,       // PR (written under the mask), source, mask
  src,       // sources only
  mma,       // result, a, b, c, [sparsity data or scale]
  hgmma,     // result, a or descriptor, descriptor, c, group scoreboard
  umma,      // uniform descriptors only
  load,      // [predicate results,] results, address, [predicate sources]
  store,     // address, data
  atomic,    // [predicate results,] result, address, data, [data]
  red,       // address, data
  ldgsts,    // shared address, global address, [predicate sources]
  tex,       // results, coordinates, [parameters,] descriptor or bank and offset, shape, channel mask
  texq,      // results, sources
  suld,      // result, coordinates, descriptor
  sust,      // coordinates, data, descriptor
  suatom,    // [predicate result, result,] coordinates, data, descriptor
  qspc,      // predicate result, result, address
  order,     // cache control and memory fences
  tma,       // groups of uniform registers
  syncs,     // barrier objects in shared memory
  depbar,    // scoreboards
  ctl,       // sources only, control
  setmax,    // [uniform predicate result,] number of registers
  bmov,      // convergence register to general or back
  bssy,      // convergence register (written), label
  bsync,     // convergence register
  brk,       // convergence register, modified
  bclear,    // convergence register, written
  warpsync,  // mask or register, label of a collective
  branch,    // [predicate or uniform condition,] label
  branchi,   // register pair, offset
  call,      // [register,] label
  ret,       // register pair, label
  exit_,     // nothing, or a predicate
  ssy,       // stack push: label (sm_50..62)
  stack,     // stack pop and jump (sm_50..62)
};

// Bits of opcode_row::traits.
namespace trait {
inline constexpr std::uint8_t none = 0, reuse = 1, fence = 2, effect = 4, sync = 8, ends = 16, pc = 32, convergence = 64;
}

struct opcode_row {
  char name[16];  // zero-ended
  opcode op = opcode::unknown;
  sched_class iclass = sched_class::unknown;
  form shape = form::ctl;
  std::uint8_t traits = trait::none;

  [[nodiscard]] constexpr bool has(std::uint8_t bits) const { return (traits & bits) != 0; }
};

}  // namespace ww::isa::detail
