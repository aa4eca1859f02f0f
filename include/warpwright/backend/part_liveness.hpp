// SPDX-License-Identifier: BSL-1.0
//
// Registers live at the borders of what a backend orders at one time: a block, or a part of a block above the size limit.
//
//   program   liveness of all blocks, computed once per program; moves inside blocks do not change it
//   in, out   bit vectors of the part: the block's own when the part is the whole block, else stepped back from its end
//   through   live at both ends and not touched in between: values of the surrounding code that only pass
//
// Bits are those of the register layout, classes R, P, UR and UP one behind the other.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../pressure/liveness.hpp"
#include "../schedule/workspace.hpp"

namespace ww::backend {

class part_liveness {
 public:
  liveness of_blocks;
  vec<std::uint64_t> in;
  vec<std::uint64_t> out;
  vec<std::uint64_t> through;

  template <class Vectors>
  void prepare(const program& p) {
    of_blocks.template compute<Vectors>(p);
  }

  // `order` is the whole of block `b` or a run of it, as a span into p.order.
  void start(const program& p, block_id b, span<const instr_id> order) {
    start_end(p, b, order);
    in.assign(out.begin(), out.end());
    for (std::size_t k = order.size(); k-- > 0;) of_blocks.step(p, p[order[k]], in.data());
    through.assign(in.begin(), in.end());
    for (std::size_t w = 0; w < through.size(); ++w) through[w] &= out[w];
    for (const instr_id id : order) {
      for (const operand o : p.operands_of(id)) {
        if (!o.is_register()) continue;
        of_blocks.each_bit(o, [&](std::uint32_t bit) { through[bit >> 6] &= ~(std::uint64_t{1} << (bit & 63u)); });
      }
    }
  }
  // Only `out`.
  void start_end(const program& p, block_id b, span<const instr_id> order) {
    const span<const instr_id> whole = p.order_of(p[b]);
    const span<const std::uint64_t> end = of_blocks.live_out(b);
    out.assign(end.begin(), end.end());
    const instr_id* const past = order.data() + order.size();
    for (const instr_id* i = whole.data() + whole.size(); i != past;) of_blocks.step(p, p[*--i], out.data());
  }

  // General registers in a bit vector.
  [[nodiscard]] std::uint32_t general(const vec<std::uint64_t>& bits) const {
    return of_blocks.layout.template population<simd::scalar>(bits.data())[pressure_class::r];
  }
};

}  // namespace ww::backend
