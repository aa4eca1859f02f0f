// SPDX-License-Identifier: BSL-1.0
//
// What same_flow.hpp answers: the first place where two programs do not go on alike.
//
//   malformed        the arrays of a program contradict each other: ids out of range, blocks that do not tile the order
//   graph            an edge is not what the last instruction of its block says, or control leaves in the middle of a block
//   shape            functions, kernels, further entries, leaders, SM or register count differ
//   owner            an instruction has moved to another function
//   instruction      the next instruction is another one: opcode, class, flags, memory facts, number of operands
//   operands, word   it is the same one with other operands, or with another encoding where both programs have one
//   exits            one can fall, go to a target, come back from a call or leave to unknown code, and the other cannot
//   table            the branch tables have different lengths
//   empty_loop       one runs for ever in branches alone, and the other does not
//   duplicated       an instruction stands for two of the other program
//   unknown_targets  an indirect branch without a table, in a function that was laid out anew: nothing tells where it goes
// `malformed` and `graph` speak of one program only; the id of the other one is none. So are both ids of `shape`.
#pragma once

#include <cstdint>

#include "../ir/ids.hpp"

namespace ww::verify {

enum class flow_fault : std::uint8_t {
  none,
  malformed,
  graph,
  shape,
  owner,
  instruction,
  operands,
  word,
  exits,
  table,
  empty_loop,
  duplicated,
  unknown_targets,
  count
};

[[nodiscard]] constexpr const char* name(flow_fault f) {
  constexpr const char* names[] = {"none", "malformed", "graph", "shape",      "owner",      "instruction",    "operands",
                                   "word", "exits",     "table", "empty_loop", "duplicated", "unknown_targets"};
  return f < flow_fault::count ? names[static_cast<unsigned>(f)] : "?";
}

struct same_flow_difference {
  flow_fault fault = flow_fault::none;
  instr_id before;       // the next instruction of the one, as its program numbers it
  instr_id after;        // and of the other
  instr_id from_before;  // the pair from which control came there; none at an entry or a leader
  instr_id from_after;
  std::uint32_t pairs = 0;          // instructions that were compared, the faulty pair among them
  std::uint32_t passed_before = 0;  // plain branches that were followed and not compared
  std::uint32_t passed_after = 0;

  [[nodiscard]] constexpr bool ok() const { return fault == flow_fault::none; }
  friend constexpr bool operator==(const same_flow_difference&, const same_flow_difference&) = default;
};

}  // namespace ww::verify
