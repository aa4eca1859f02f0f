// SPDX-License-Identifier: BSL-1.0
//
// Orders a lifted program before registers are allocated: each block as cheap as the register files allow.
//
//   lifted_order<sm90, Configs...>::workspace ws;
//   lifted_order<sm90, Configs...>::price(l, options, ws);        // the order read and one of each composition, priced
//   lifted_order<sm90, Configs...>::choose(l.code, limits, ws);   // the cheapest that fits, block by block
//
//   order    what a composition of the engine makes of the program on virtual registers; the order read is the first of all
//   price    cycles of a block by the model with control words of their own, times those of the far view (model/far_view.hpp)
//   peak     the most registers of a file that are live at one place of a block (lift/peak_live.hpp)
//   limits   registers that an allocation may use, by class. Of orders that need more the one that needs the fewest more is taken
// The order read needs no more registers than the program came with. choose() can be asked again with other limits: alignment and
// tuples may cost an allocation more registers than are live. Ties go to the first order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../lift/lifted.hpp"
#include "../lift/peak_live.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/vec.hpp"
#include "../model/far_view.hpp"
#include "../model/simulate.hpp"
#include "../pressure/register_layout.hpp"
#include "../schedule/engine.hpp"
#include "../scoreboard/assign.hpp"

namespace ww {

using register_limits = array<std::uint32_t, pressure_class_count>;

struct lifted_order_options {
  unsigned warps = 1;  // of one sub-core
  bool far = true;     // price the far view too, where something goes far
};

namespace detail {

struct priced_order {
  vec<instr_id> order;
  vec<double> price;      // by block
  vec<live_count> peaks;  // by block
};

template <class Config>
struct lifted_engine {
  schedule_workspace<Config> space;
};

}  // namespace detail

template <class Arch, class... Configs>
struct lifted_order {
  static constexpr std::size_t orders = 1 + sizeof...(Configs);

  struct workspace : detail::lifted_engine<Configs>... {
    array<detail::priced_order, orders> made;
    scoreboard::workspace words;
    model::workspace model;
    peak_workspace peaks;
    program scratch;
  };

  // Leaves `l` as it is. `registers`: what the engines may reckon with, 0 = nothing said.
  static void price(const lifted_program& l, const lifted_order_options& how, std::uint32_t registers, workspace& ws) {
    program& p = ws.scratch;
    p = l.code;
    p.has_control = false;
    p.register_count = registers;
    ws.peaks.live.compute(p, l.physical);
    scoreboard::decode_program<Arch>(p, ws.words);
    const bool far = how.far && model::goes_far(p);
    note(p, how, far, ws.made[0], ws);
    std::size_t k = 1;
    (one<Configs>(p, l.code.order, how, far, ws.made[k++], ws), ...);
  }

  // Gives `code`, the program that was priced, each block's cheapest order within the limits. True if all blocks are within them.
  static bool choose(program& code, const register_limits& limits, const workspace& ws) {
    bool fits = true;
    for (std::size_t b = 0; b < code.blocks.size(); ++b) {
      const block& k = code.blocks[b];
      const detail::priced_order* best = &ws.made[0];
      std::uint32_t over = above(best->peaks[b], limits);
      for (std::size_t i = 1; i < orders; ++i) {
        const detail::priced_order& other = ws.made[i];
        const std::uint32_t more = above(other.peaks[b], limits);
        if (more > over || (more == over && !(other.price[b] < best->price[b]))) continue;
        best = &other;
        over = more;
      }
      fits = fits && over == 0;
      meta::copy_n(best->order.begin() + k.first, k.count, code.order.begin() + k.first);
    }
    return fits;
  }

 private:
  template <class Config>
  static void one(program& p, const vec<instr_id>& read, const lifted_order_options& how, bool far,
                  detail::priced_order& out, workspace& ws) {
    p.order = read;
    schedule_blocks<Config>(p, static_cast<detail::lifted_engine<Config>&>(ws).space);
    note(p, how, far, out, ws);
  }

  static void note(program& p, const lifted_order_options& how, bool far, detail::priced_order& out, workspace& ws) {
    scoreboard::assign_decoded<Arch>(p, ws.words);
    out.order = p.order;
    out.price.resize(p.blocks.size());
    out.peaks.resize(p.blocks.size());
    const model::cost near = model::simulate<Arch>(p, {.warps = how.warps}, ws.model);
    for (std::size_t b = 0; b < p.blocks.size(); ++b) out.price[b] = near.block_cycles[b];
    if (far) {
      const model::cost cost = model::simulate<Arch>(p, model::far_view<Arch>(), ws.model);
      for (std::size_t b = 0; b < p.blocks.size(); ++b) out.price[b] *= cost.block_cycles[b];
    }
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      out.peaks[b] = block_peak(p, block_id{b}, p.order_of(p.blocks[b]), ws.peaks.live, ws.peaks.row, ws.peaks.added);
    }
  }

  // Registers that are too many.
  static std::uint32_t above(const live_count& peak, const register_limits& limits) {
    std::uint32_t sum = 0;
    for (std::size_t c = 0; c < pressure_class_count; ++c) sum += peak.of[c] > limits[c] ? peak.of[c] - limits[c] : 0;
    return sum;
  }
};

}  // namespace ww
