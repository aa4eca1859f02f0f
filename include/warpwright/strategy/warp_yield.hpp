// SPDX-License-Identifier: BSL-1.0
//
// Warp schedule optimisation (PLS-13): yield hints tuned for several warps.
//
//   yield at stall 1     the warp gives the next cycle away: it issues one cycle later, another warp may go (facts: hardware
//                        1.3). This is the only form that costs anything, and the only one that is a choice
//   yield from the threshold on   SB-6: a stall of the architecture's yield threshold or more yields; it costs nothing
//   stall above max_stall_stay    must yield; a drain is never touched
// `finish` sets the threshold rule first (instructions that keep an operand in the reuse cache stay as they are, for a yield
// empties it), then tries, block by block, heaviest first, to yield at stall 1 in front of an instruction of the same pipe,
// where the warp would wait for the pipe anyway. What the N-warp model counts decides: a change that does not save cycles,
// or that costs a warp alone any, is taken back, so the result is worse for neither. At most Tries changes per program.
//   Warps   warps of one sub-core; 0 = those that the scheduler prices for, or as many as the program's registers let reside
#pragma once

#include <cstdint>

#include "../meta/sort.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../model/simulate.hpp"
#include "incumbent.hpp"

namespace ww::strategy {

template <unsigned Warps = 0, unsigned Tries = 8>
struct warp_yield {
  using role = ww::role::strategy;
  static constexpr const char* name = "warp_yield";
  static constexpr bool arguments_fit = Warps <= 64;
  static constexpr bool models_cycles = true;
  static constexpr bool uses_priority = true;

  struct space {
    ww::model::workspace machine;
    vec<ww::control> kept;
    vec<std::uint32_t> blocks;  // heaviest first
    double before = 0;          // modelled cycles of the last program
    double after = 0;
    double alone = 0;           // the same for one warp
    std::uint32_t changed = 0;  // instructions
    std::uint32_t tries = 0;
  };

  template <class Config, class Workspace>
  static bool order(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
    return list_incumbent<Config>(p, order, ws, stats);
  }

  template <class Arch>
  static void finish(program& p, space& own, unsigned warps = 0) {
    const model::options m{.warps = Warps == 0 && warps != 0 ? warps : warps_of<Arch>(p)};
    own.tries = 0;
    own.changed = 0;
    own.before = model::simulate<Arch>(p, m, own.machine).cycles;
    own.after = own.before;
    own.alone = model::simulate<Arch>(p, {}, own.machine).cycles;
    keep(p, own);
    if (by_threshold<Arch>(p) != 0) settle<Arch>(p, m, own, false);
    own.blocks.clear();
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      if (p.blocks[b].reachable && !p.blocks[b].padding && p.blocks[b].count > 1) own.blocks.push_back(b);
    }
    ww::detail::sort(own.blocks.begin(), own.blocks.end(), [&p](std::uint32_t x, std::uint32_t y) {
      const double u = p.blocks[x].weight * p.blocks[x].count;
      const double v = p.blocks[y].weight * p.blocks[y].count;
      return u != v ? u > v : x < y;
    });
    for (const std::uint32_t b : own.blocks) {
      if (own.tries >= Tries || m.warps < 2) break;
      keep(p, own);
      if (give_way<Arch>(p, p.blocks[b]) != 0) settle<Arch>(p, m, own, true);
    }
  }

  template <class Arch>
  [[nodiscard]] static unsigned warps_of(const program& p) {
    return Warps != 0 ? Warps : model::warps_per_sub_core<Arch>(p.register_count);
  }

 private:
  static void keep(const program& p, space& own) {
    own.kept.resize(p.instructions.size());
    for (std::size_t i = 0; i < p.instructions.size(); ++i) own.kept[i] = p.instructions[i].ctl;
  }

  // Keeps the present words if they are cheaper (or as cheap, where that is enough), else puts the kept ones back.
  template <class Arch>
  static void settle(program& p, const model::options& m, space& own, bool must_save) {
    ++own.tries;
    const double alone = model::simulate<Arch>(p, {}, own.machine).cycles;
    const double now = model::simulate<Arch>(p, m, own.machine).cycles;
    if (alone <= own.alone && (must_save ? now < own.after : now <= own.after)) {
      own.after = now;
      own.alone = alone;
      for (std::size_t i = 0; i < p.instructions.size(); ++i) own.changed += p.instructions[i].ctl == own.kept[i] ? 0u : 1u;
      return;
    }
    for (std::size_t i = 0; i < p.instructions.size(); ++i) p.instructions[i].ctl = own.kept[i];
  }

  // The next instruction may use an operand that this one, or one before it, keeps.
  static bool keeps_operands(const instruction& i) { return i.ctl.reuse != 0; }

  template <class Arch>
  static std::uint32_t by_threshold(program& p) {
    std::uint32_t n = 0;
    for (const block& b : p.blocks) {
      for (const instr_id id : p.order_of(b)) {
        instruction& i = p[id];
        if (i.has(iflag::padding) || i.ctl.yield || i.ctl.stall < Arch::barriers::yield_threshold || keeps_operands(i)) {
          continue;
        }
        i.ctl.yield = true;
        ++n;
      }
    }
    return n;
  }

  // Yields at stall 1 where the next instruction wants the pipe that this one still holds.
  template <class Arch>
  static std::uint32_t give_way(program& p, const block& b) {
    std::uint32_t n = 0;
    const auto order = p.order_of(b);
    for (std::size_t k = 0; k + 1 < order.size(); ++k) {
      instruction& i = p[order[k]];
      const instruction& next = p[order[k + 1]];
      if (i.has(iflag::padding) || i.ctl.yield || i.ctl.stall != 1 || keeps_operands(i)) continue;
      if (Arch::pipes::pipe_of(i.iclass) != Arch::pipes::pipe_of(next.iclass)) continue;
      i.ctl.yield = true;
      ++n;
    }
    return n;
  }
};

}  // namespace ww::strategy
