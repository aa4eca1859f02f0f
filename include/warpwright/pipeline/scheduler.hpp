// SPDX-License-Identifier: BSL-1.0
//
// ww::scheduler<Policies...>: the whole way from a program to a better program.
//
//   1  every block is ordered by the engine                        (schedule/); with the default priority also a second
//   time,
//      in an order close to the old one, which is often the better one where many warps share the pipes
//   2  the whole program gets new control words                    (scoreboard/)
//   3  the model prices old and new orders, block by block          (model/)
//   4  blocks that got worse go back to their original order, and 2 and 3 are done again
//   5  the cheapest of the candidates that the checker finds clean is taken; the program as it came is one of them
// So the result is never slower by the model and never less right by the checker than the input. Keep one workspace
// per thread: after the largest program has been seen once, nothing is allocated but by the checker.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "../ir/cfg.hpp"
#include "../meta/sort.hpp"
#include "../meta/vec.hpp"
#include "../model/bound.hpp"
#include "../model/simulate.hpp"
#include "../priority/source_order.hpp"
#include "../schedule/compose.hpp"
#include "../schedule/engine.hpp"
#include "../scoreboard/assign.hpp"
#include "../verify/hazards.hpp"
#include "occupancy.hpp"
#include "result.hpp"

namespace ww {

namespace detail {

// Defaults of the slots that the engine itself does not know.
struct pipeline_defaults : kit_defaults {
  using barrier_policy = barriers::share;
  using yield_policy = yields::observed;
  using occupancy = ww::occupancy::kernel;
};

// The same composition with another priority.
template <class Config, class Priority>
struct with_priority;
template <class Arch, class Strategy, class Mode, class ReadyList, class Old, class... Rest, class Priority>
struct with_priority<scheduler_config<Arch, Strategy, Mode, ReadyList, Old, Rest...>, Priority> {
  using type = scheduler_config<Arch, Strategy, Mode, ReadyList, Priority, Rest...>;
};

// The same composition with another strategy.
template <class Config, class Strategy>
struct with_strategy;
template <class Arch, class Old, class... Rest, class Strategy>
struct with_strategy<scheduler_config<Arch, Old, Rest...>, Strategy> {
  using type = scheduler_config<Arch, Strategy, Rest...>;
};

// One way to arrange the program: an order and control words, with what the model says of it.
struct arrangement {
  vec<instr_id> order;
  vec<control> controls;  // by instr_id
  vec<double> block_cycles;
  double cycles = 0;

  void take(const program& p, const model::cost& c) {
    order = p.order;
    controls.resize(p.instructions.size());
    for (std::size_t i = 0; i < p.instructions.size(); ++i) controls[i] = p.instructions[i].ctl;
    block_cycles.assign(c.block_cycles.begin(), c.block_cycles.end());
    cycles = c.cycles;
  }
  void put(program& p) const {
    p.order = order;
    for (std::size_t i = 0; i < p.instructions.size(); ++i) p.instructions[i].ctl = controls[i];
  }
};

}  // namespace detail

template <class Config>
struct basic_scheduler {
  using config = Config;
  using arch = typename Config::arch;
  using strategy_type = typename Config::strategy;
  using emit_arch = with_margin<arch, typename Config::margin>;
  // With the default priority a second order is tried: close to the old one, for many warps.
  static constexpr bool two_priorities =
      strategy_type::uses_priority && std::is_same_v<typename Config::priority, priority::critical_path>;
  using near_config = typename detail::with_priority<Config, priority::source_order<8>>::type;

  struct workspace {
    schedule_workspace<Config> engine;
    scoreboard::workspace scoreboard;
    model::workspace model;
    verify::workspace verify;
    std::array<detail::arrangement, 5> candidates;
  };

  schedule_result run(program& p, const run_options& options = {}) const {
    workspace ws;
    return run(p, ws, options);
  }

  schedule_result run(program& p, workspace& ws, const run_options& options = {}) const {
    schedule_result r;
    if (p.blocks.empty() && !p.instructions.empty() && !build_cfg(p).ok) {
      r.malformed = true;
      return r;
    }
    r.warps = options.warps != 0 ? options.warps : Config::occupancy::template per_sub_core<arch>(p);
    const model::options m{.warps = r.warps};
    if (!p.has_control) assign(p, ws);
    r.hazards_before = options.verify ? hazards(p, ws) : 0;

    enum : std::size_t { as_it_came, same_order, reordered, near_order, mixed };
    auto& c = ws.candidates;
    c[as_it_came].take(p, model::simulate<arch>(p, m, ws.model));
    price(p, ws, m, c[same_order]);
    schedule_blocks<Config>(p, ws.engine);
    price(p, ws, m, c[reordered]);
    std::size_t orders = 2;
    if constexpr (two_priorities) {
      p.order = c[as_it_came].order;
      schedule_blocks<near_config>(p, ws.engine);
      price(p, ws, m, c[near_order]);
      orders = 3;
    }
    mix(p, std::span(c).subspan(same_order, orders));
    price(p, ws, m, c[mixed]);

    std::array<std::size_t, 5> by_cost{as_it_came, mixed, reordered, same_order, near_order};
    const auto last = by_cost.end() - (two_priorities ? 0 : 1);
    ww::detail::insertion_sort(by_cost.begin(), last,
                               [&](std::size_t x, std::size_t y) { return c[x].cycles < c[y].cycles; });
    for (const std::size_t k : by_cost) {
      c[k].put(p);
      r.hazards_after = options.verify ? hazards(p, ws) : 0;
      r.proved = options.verify && r.hazards_after <= r.hazards_before;
      r.kept_all = k == as_it_came;
      r.cycles_after = c[k].cycles;
      if (k == as_it_came || !options.verify || r.proved) break;
    }
    r.cycles_before = c[as_it_came].cycles;
    r.bound = std::min(model::lower_bound<arch>(p, m, ws.model).cycles, r.cycles_after);
    count_blocks(p, c[as_it_came].order, r);
    return r;
  }

 private:
  static void assign(program& p, workspace& ws) {
    scoreboard::assign_control<emit_arch, typename Config::barrier_policy, typename Config::yield_policy>(p, ws.scoreboard);
    if constexpr (requires { strategy_type::template finish<emit_arch>(p, ws.engine.own); }) {
      strategy_type::template finish<emit_arch>(p, ws.engine.own);
    }
  }

  static std::uint32_t hazards(const program& p, workspace& ws) {
    return static_cast<std::uint32_t>(verify::check<arch>(p, {}, ws.verify).errors());
  }

  // New control words for the present order, priced.
  static void price(program& p, workspace& ws, const model::options& m, detail::arrangement& into) {
    assign(p, ws);
    into.take(p, model::simulate<arch>(p, m, ws.model));
  }

  // Each block in the cheapest of its orders; the first one wins a tie.
  static void mix(program& p, std::span<const detail::arrangement> from) {
    for (std::size_t b = 0; b < p.blocks.size(); ++b) {
      const block& k = p.blocks[b];
      const detail::arrangement* best = &from[0];
      for (const detail::arrangement& a : from) {
        if (a.block_cycles[b] < best->block_cycles[b]) best = &a;
      }
      std::copy_n(best->order.begin() + k.first, k.count, p.order.begin() + k.first);
    }
  }

  static void count_blocks(const program& p, const vec<instr_id>& before, schedule_result& r) {
    for (const block& k : p.blocks) {
      if (k.padding || k.count == 0) continue;
      ++r.blocks;
      r.instructions += k.count;
      if (std::equal(p.order.begin() + k.first, p.order.begin() + k.first + k.count, before.begin() + k.first))
        ++r.kept_blocks;
    }
  }
};

// A strategy that changes the program first (moves between blocks, loops): the inner strategy runs on the program as it came
// and on the changed one, and the cheaper of the two results is taken; the unchanged one when the changed one is not proved.
template <class Config>
requires region_strategy<typename Config::strategy>
struct basic_scheduler<Config> {
  using config = Config;
  using arch = typename Config::arch;
  using strategy_type = typename Config::strategy;
  using inner_scheduler = basic_scheduler<typename detail::with_strategy<Config, typename strategy_type::inner>::type>;

  struct workspace {
    typename inner_scheduler::workspace inner;
    typename detail::strategy_space<strategy_type>::type own;
    program changed;
  };

  schedule_result run(program& p, const run_options& options = {}) const {
    workspace ws;
    return run(p, ws, options);
  }

  schedule_result run(program& p, workspace& ws, const run_options& options = {}) const {
    if (p.blocks.empty() && !p.instructions.empty() && !build_cfg(p).ok) {
      schedule_result r;
      r.malformed = true;
      return r;
    }
    ws.changed = p;
    const unsigned changes = strategy_type::template transform<Config>(ws.changed, ws.own);
    const schedule_result plain = inner_scheduler{}.run(p, ws.inner, options);
    if (changes == 0 || plain.malformed) return plain;
    schedule_result moved = inner_scheduler{}.run(ws.changed, ws.inner, options);
    moved.changes = changes;
    moved.cycles_before = plain.cycles_before;
    moved.hazards_before = plain.hazards_before;
    const bool proved = !options.verify || moved.hazards_after <= plain.hazards_before;
    if (moved.malformed || !proved || moved.cycles_after >= plain.cycles_after) return plain;
    moved.proved = options.verify;
    std::swap(p, ws.changed);
    return moved;
  }
};

// The user-facing name: policies in any order, one canonical type, one sentence when they do not fit.
template <class... Policies>
using scheduler = compose_t<detail::pipeline_defaults, basic_scheduler, Policies...>;

}  // namespace ww
