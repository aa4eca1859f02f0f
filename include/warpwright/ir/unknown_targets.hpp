// SPDX-License-Identifier: BSL-1.0
//
// Indirect branches that may go anywhere.
//
//   table     the targets of an indirect branch, as a listing names them (BRANCH_TARGETS)
//   unknown   an indirect branch, no call and no return, without a table: any instruction of its function may be its target,
//             so nothing may move and no control word can be made anew. Text of `cuobjdump -sass` has no tables
#pragma once

#include "program.hpp"

namespace ww {

[[nodiscard]] constexpr bool has_table(const program& p, instr_id branch) {
  for (const branch_table& t : p.tables) {
    if (t.branch == branch && t.count != 0) return true;
  }
  return false;
}

// Is there a branch whose targets are not known?
[[nodiscard]] constexpr bool has_unknown_targets(const program& p) {
  for (std::uint32_t k = 0; k < p.instructions.size(); ++k) {
    const instruction& i = p.instructions[k];
    if (!i.has(iflag::branch) || !i.has(iflag::indirect) || i.has(iflag::call) || i.has(iflag::ret)) continue;
    if (!has_table(p, instr_id{k})) return true;
  }
  return false;
}

}  // namespace ww
