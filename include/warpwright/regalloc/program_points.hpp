// SPDX-License-Identifier: BSL-1.0
//
// Program points (FPA-3): each block counts its instructions in their present order, from 0; points are not addresses.
//
//   program_points at;
//   at.assign(p);
//   at[i]             the point of instruction i in its block; none for an instruction that stands in no block
//   at.count(b)       instructions of block b, one more than its last point
// The text keeps a counter in each block, which begins at -1 and goes up before it is given out.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/vec.hpp"

namespace ww::regalloc {

class program_points {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  void assign(const program& p) {
    point_.assign(p.instructions.size(), none);
    count_.assign(p.blocks.size(), 0);
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      std::int64_t counter = -1;
      for (const instr_id i : p.order_of(p.blocks[b])) point_[i.index()] = static_cast<std::uint32_t>(++counter);
      count_[b] = static_cast<std::uint32_t>(counter + 1);
    }
  }
  [[nodiscard]] std::uint32_t operator[](instr_id i) const { return i.index() < point_.size() ? point_[i.index()] : none; }
  [[nodiscard]] std::uint32_t count(block_id b) const { return b.index() < count_.size() ? count_[b.index()] : 0; }

 private:
  vec<std::uint32_t> point_;  // by instruction
  vec<std::uint32_t> count_;  // by block
};

}  // namespace ww::regalloc
