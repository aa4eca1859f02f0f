// SPDX-License-Identifier: BSL-1.0
//
// Basic blocks, control-flow edges and functions, all plain values in flat arrays.
//
// A block is a run of positions [first, first + count) of program::order with one entry and one exit.
// Its successor edges are the slice [first_edge, first_edge + edge_count) of program::edges; predecessor
// lists are built by ir/cfg.hpp into program::pred_edges (slices of edge indices).
// `weight` is the estimated number of executions per warp (10 to the power of the loop depth, or from a profile).
#pragma once

#include <cstdint>

#include "ids.hpp"

namespace ww {

enum class edge_kind : std::uint8_t {
  fall,         // next block in layout order
  branch,       // direct branch
  indirect,     // one of the listed targets of an indirect branch
  call,         // into a known callee
  call_return,  // from a CALL to the instruction after it, when the callee is not known or returns there
  ret,          // from a RET to the block after a call of this function
};

struct cfg_edge {
  block_id from;
  block_id to;
  edge_kind kind = edge_kind::fall;
};

struct block {
  std::uint32_t first = 0;  // position of the first instruction
  std::uint32_t count = 0;  // instructions
  std::uint32_t first_edge = 0;
  std::uint32_t edge_count = 0;
  std::uint32_t first_pred = 0;
  std::uint32_t pred_count = 0;
  function_id function;
  std::uint16_t loop_depth = 0;
  bool entry = false;  // kernel or function entry
  bool reachable = false;
  bool padding = false;    // closing self-branch and NOPs
  bool open_exit = false;  // control can leave to code that is not known (indirect call or branch without targets)
  double weight = 1.0;
};

struct function {
  std::uint32_t name = 0;  // index into the module's names, 0xffffffff if none
  block_id first_block;
  std::uint32_t block_count = 0;
  bool kernel = false;  // a kernel entry, as opposed to a local function
  instr_id entry;       // first instruction as read; none = the first of the program
};

// The targets of one indirect branch: a slice of program::table_targets.
struct branch_table {
  instr_id branch;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

}  // namespace ww
