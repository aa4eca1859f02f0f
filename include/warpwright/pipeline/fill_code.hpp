// SPDX-License-Identifier: BSL-1.0
//
// The NOPs behind code that has grown, as many as compilers put there.
//
//   fill_code(p, x)   `x` was made of `p` (spilled_code.hpp) and has its order and control words
// Compilers fill a section up to whole lines of eight instructions, with NOPs behind the closing branch to itself. The code gets as many
// instructions as it had, or whole lines where it is longer, so that its listing and a cubin that grew with it (sass/spilled_patch.hpp) are
// of one length. NOPs that are put in are copies of the last that is there; without one nothing is done.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "spilled_code.hpp"

namespace ww {

inline constexpr std::uint32_t line_instructions = 8;  // observed: sections of code are multiples of 128 bytes

inline void fill_code(const program& p, spilled_code& x) {
  program& c = x.code;
  const auto is_filling = [&c](instr_id id) { return c[id].has(iflag::padding) && c[id].has(iflag::nop); };
  const auto now = static_cast<std::uint32_t>(c.order.size());
  if (now == 0 || c.blocks.empty() || !is_filling(c.order[now - 1]) || c.instructions.size() != now) return;
  std::uint32_t filling = 0;  // that can go: the last of all, in the last block
  while (filling < c.blocks.back().count && is_filling(c.order[now - 1 - filling]) &&
         c.order[now - 1 - filling].index() == now - 1 - filling) {
    ++filling;
  }
  const std::uint32_t code = now - filling;
  const std::uint32_t lines = (code + line_instructions - 1) / line_instructions * line_instructions;
  const auto before = static_cast<std::uint32_t>(p.instructions.size());
  const std::uint32_t wanted = lines > before ? lines : before;
  const instruction last = c[c.order[now - 1]];
  for (std::uint32_t k = now; k < wanted; ++k) {
    c.instructions.push_back(last);
    c.instructions.back().address = k * 16;
    c.instructions.back().source = 0xffffffffu;
    c.order.push_back(instr_id{k});
    x.came_from.push_back({});
    x.computes.push_back({});
    ++c.blocks.back().count;
  }
  for (std::uint32_t k = now; k > wanted; --k) {
    c.instructions.pop_back();
    c.order.pop_back();
    x.came_from.pop_back();
    x.computes.pop_back();
    --c.blocks.back().count;
  }
  if (c.blocks.back().count == 0) c.blocks.pop_back();
}

}  // namespace ww
