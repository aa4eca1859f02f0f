// SPDX-License-Identifier: BSL-1.0
//
// The NOPs behind code that has grown, as many as compilers put there.
//
//   fill_code(p, x)                 `x` was made of `p` (spilled_code.hpp) and has its order and control words
//   fill_code(p, code, came_from)   `code` is `p` laid out anew (layout/)
// Compilers fill a section up to whole lines of eight instructions, with NOPs behind the closing branch to itself. The code gets as many
// instructions as it had, or whole lines where it is longer, so that its listing and the cubin (sass/spilled_patch.hpp, laid_out_patch.hpp) are
// of one length. NOPs that are put in are copies of the last that is there; without one nothing is done.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "spilled_code.hpp"

namespace ww {

inline constexpr std::uint32_t line_instructions = 8;  // observed: sections of code are multiples of 128 bytes

namespace detail {

// `before`: instructions of the program that was there. put(): behind each NOP that is put in, taken(): behind each that is taken out.
template <class Put, class Taken>
void fill_code(std::size_t before, program& c, Put put, Taken taken) {
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
  const std::uint32_t wanted = lines > before ? lines : static_cast<std::uint32_t>(before);
  const instruction last = c[c.order[now - 1]];
  for (std::uint32_t k = now; k < wanted; ++k) {
    c.instructions.push_back(last);
    c.instructions.back().address = k * 16;
    c.instructions.back().source = 0xffffffffu;
    c.order.push_back(instr_id{k});
    ++c.blocks.back().count;
    put();
  }
  for (std::uint32_t k = now; k > wanted; --k) {
    c.instructions.pop_back();
    c.order.pop_back();
    --c.blocks.back().count;
    taken();
  }
  if (c.blocks.back().count == 0) c.blocks.pop_back();
}

}  // namespace detail

inline void fill_code(const program& p, spilled_code& x) {
  detail::fill_code(
      p.instructions.size(), x.code,
      [&x] {
        x.came_from.push_back({});
        x.computes.push_back({});
      },
      [&x] {
        x.came_from.pop_back();
        x.computes.pop_back();
      });
}

// `came_from` by instruction of `code`: that of `p`, none for what was put in.
inline void fill_code(const program& p, program& code, vec<instr_id>& came_from) {
  detail::fill_code(
      p.instructions.size(), code, [&came_from] { came_from.push_back({}); }, [&came_from] { came_from.pop_back(); });
}

}  // namespace ww
