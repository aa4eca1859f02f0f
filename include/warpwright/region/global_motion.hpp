// SPDX-License-Identifier: BSL-1.0
//
// strategy::global_motion<Inner>: instructions move between blocks before `Inner` orders the blocks (PLS-13, "Cross-BB
// scheduling. Moves instructions across BB boundaries when safe (no side effects, dominance preserved)").
//
//   up      an instruction near the start of a block goes to the end of the block that dominates it, where it fills the
//           cycles in which the branch waits for its predicate
//   down    a result that only one way on from a block reads is computed there, where that way is taken less often
//   gain    planned cycles (region/plan_length.hpp) plus issue slots of the two blocks, each times its weight: a move
//           that does not lower the sum is taken back
// What may move is in region/motion_rules.hpp. At most `max_moves` per block and `max_total` per program; only the
// `window` instructions nearest to the border are looked at. Blocks in layout order, instructions in order, so equal input
// gives equal output. Control words are assigned afterwards, and the scheduler takes the result only when it is
// cheaper and proved.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/dominators.hpp"
#include "../ir/move.hpp"
#include "../ir/program.hpp"
#include "../meta/array.hpp"
#include "../meta/rounded.hpp"
#include "../schedule/strategy.hpp"
#include "motion_rules.hpp"
#include "plan_length.hpp"

namespace ww::strategy {

template <class Inner = list>
struct global_motion {
  using role = ww::role::strategy;
  using inner = Inner;
  static constexpr const char* name = "global_motion";
  static constexpr bool arguments_fit = list_strategy<Inner>;
  static constexpr bool models_cycles = ww::detail::strategy_or_list<Inner>::models_cycles;
  static constexpr bool uses_priority = ww::detail::strategy_or_list<Inner>::uses_priority;
  static constexpr bool transforms_program = true;
  static constexpr bool keeps_instructions = true;  // same instructions, other places

  static constexpr unsigned max_moves = 8;        // per block
  static constexpr unsigned max_total = 256;      // per program
  static constexpr unsigned max_tries = 24;       // moves judged per block
  static constexpr std::uint32_t window = 48;     // instructions
  static constexpr std::uint32_t too_long = 600;  // instructions of a block that is not judged

  struct space {
    region::motion_facts facts;
    region::plan_space plan;
    std::uint32_t raised = 0;  // of the last program
    std::uint32_t lowered = 0;
    array<std::uint32_t, static_cast<std::size_t>(region::motion_refusal::count)> refused{};  // by region::motion_refusal
  };

  template <class Config>
  static unsigned transform(program& p, space& own) {
    own.raised = own.lowered = 0;
    own.refused = {};
    if (p.blocks.size() < 2) return 0;
    const dominator_tree tree(p);
    own.facts.compute(p);
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      if (own.raised + own.lowered >= max_total) break;
      raise<Config>(p, block_id{b}, tree, own);
      lower<Config>(p, block_id{b}, own);
    }
    return own.raised + own.lowered;
  }

 private:
  static bool judged(const block& b) { return b.reachable && !b.padding && b.count > 1 && b.count <= too_long; }

  template <class Config>
  static double cost(const program& p, block_id a, block_id b, space& own) {
    const auto one = [&](block_id x) {
      return meta::rounded(p[x].weight * static_cast<double>(region::plan_length<Config>(p, x, own.plan) + p[x].count));
    };
    return one(a) + one(b);
  }

  // Moves the instruction, and back again if the two blocks do not get cheaper by it.
  template <class Config>
  static bool try_move(program& p, block_id from, std::uint32_t place, block_id to, std::uint32_t at, double& now,
                       space& own) {
    const std::uint32_t index = place - p[from].first;
    const auto nothing = [](block_id) {};
    if (!move_instruction(p, from, place, to, at, nothing)) return false;
    const double then = cost<Config>(p, from, to, own);
    if (then < now) {
      now = then;
      own.facts.compute(p);
      return true;
    }
    (void)move_instruction(p, to, p[to].first + at, from, index, nothing);
    return false;
  }

  template <class Config>
  static void raise(program& p, block_id from, const dominator_tree& tree, space& own) {
    const block_id to = tree.idom(from);
    if (!to.valid() || !judged(p[from]) || p[to].count > too_long || p[to].count == 0) return;
    double now = -1;
    unsigned moves = 0;
    unsigned tries = 0;
    for (std::uint32_t k = 0; k < window && k < p[from].count && moves < max_moves && tries < max_tries;) {
      const std::uint32_t place = p[from].first + k;
      const region::motion_refusal why = own.facts.up(p, from, place, to);
      if (why != region::motion_refusal::none) {
        ++own.refused[static_cast<unsigned>(why)];
        if (why == region::motion_refusal::shape || why == region::motion_refusal::block_end) return;
        ++k;
        continue;
      }
      if (now < 0) now = cost<Config>(p, from, to, own);
      ++tries;
      const std::uint32_t at = region::motion_facts::end_place(p, p[to]) - p[to].first;
      if (try_move<Config>(p, from, place, to, at, now, own)) {
        ++moves;
      } else {
        ++k;
      }
    }
    own.raised += moves;
  }

  template <class Config>
  static void lower(program& p, block_id from, space& own) {
    if (!judged(p[from])) return;
    unsigned moves = 0;
    for (const cfg_edge& e : p.edges_of(p[from])) {
      const block_id to = e.to;
      // A way on that is taken as often as the block itself has nothing to save.
      if (to == from || p[to].weight >= p[from].weight || p[to].count > too_long) continue;
      double now = -1;
      unsigned tries = 0;
      for (std::uint32_t k = 0; k < window && k < p[from].count && moves < max_moves && tries < max_tries;) {
        const std::uint32_t place = p[from].first + p[from].count - 1 - k;
        const region::motion_refusal why = own.facts.down(p, from, place, to);
        if (why != region::motion_refusal::none) {
          ++own.refused[static_cast<unsigned>(why)];
          ++k;
          continue;
        }
        if (now < 0) now = cost<Config>(p, from, to, own);
        ++tries;
        if (try_move<Config>(p, from, place, to, 0, now, own)) {
          ++moves;
        } else {
          ++k;
        }
      }
    }
    own.lowered += moves;
  }
};

}  // namespace ww::strategy
