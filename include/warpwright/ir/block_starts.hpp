// SPDX-License-Identifier: BSL-1.0
//
// Where a branch goes once blocks have been reordered.
//
// `instruction::target`, the targets of branch tables and the leaders of a program name instructions as they were read: the
// first of a block at that time. A scheduler permutes blocks and leaves these names alone, so that afterwards the named
// instruction may stand in the middle of its block, while control still goes to the block's beginning.
//
//   block_starts starts(p);                    // after the run; blocks as build_cfg made them
//   instr_id first = starts(branch.target);    // encode the distance to this one
// Linear; one number per instruction is kept. Made anew when an order has changed again.
#pragma once

#include <cstdint>

#include "../meta/vec.hpp"
#include "ids.hpp"
#include "program.hpp"

namespace ww {

class block_starts {
 public:
  constexpr explicit block_starts(const program& p) {
    first_.resize(p.instructions.size());
    for (std::uint32_t i = 0; i < first_.size(); ++i) first_[i] = instr_id(i);
    for (const block& b : p.blocks) {
      const auto order = p.order_of(b);
      for (const instr_id id : order) first_[id.index()] = order[0];
    }
  }

  // The first instruction, in issue order, of the block that holds `target`; `target` itself where no block does.
  [[nodiscard]] constexpr instr_id operator()(instr_id target) const {
    return target.valid() && target.index() < first_.size() ? first_[target.index()] : target;
  }

 private:
  vec<instr_id> first_;
};

}  // namespace ww
