// SPDX-License-Identifier: BSL-1.0
//
// ww::scheduler<Policies...>: the whole way from a program to a better program.
//
//   1  every block is ordered by the engine                        (schedule/)
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
#include <vector>

#include "../ir/cfg.hpp"
#include "../model/bound.hpp"
#include "../model/simulate.hpp"
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

// One way to arrange the program: an order and control words, with what the model says of it.
struct arrangement {
  std::vector<instr_id> order;
  std::vector<control> controls;  // by instr_id
  std::vector<double> block_cycles;
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
  using emit_arch = with_margin<arch, typename Config::margin>;

  struct workspace {
    schedule_workspace<Config> engine;
    scoreboard::workspace scoreboard;
    model::workspace model;
    verify::workspace verify;
    std::array<detail::arrangement, 4> candidates;
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
    r.warps = options.warps != 0 ? options.warps : Config::occupancy::template resident<arch>(p);
    const unsigned per_core = std::max(1u, r.warps / static_cast<unsigned>(arch::limits::sub_cores));
    const model::options m{.warps = per_core};
    if (!p.has_control) assign(p, ws);
    r.hazards_before = options.verify ? hazards(p, ws) : 0;

    enum : std::size_t { as_it_came, reordered, same_order, mixed };
    auto& c = ws.candidates;
    c[as_it_came].take(p, model::simulate<arch>(p, m, ws.model));
    schedule_blocks<Config>(p, ws.engine);
    price(p, ws, m, c[reordered]);
    p.order = c[as_it_came].order;
    price(p, ws, m, c[same_order]);
    mix(p, c[same_order], c[reordered]);
    price(p, ws, m, c[mixed]);

    std::array<std::size_t, 4> by_cost{as_it_came, mixed, reordered, same_order};
    std::stable_sort(by_cost.begin(), by_cost.end(), [&](std::size_t a, std::size_t b) { return c[a].cycles < c[b].cycles; });
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
  }

  static std::uint32_t hazards(const program& p, workspace& ws) {
    return static_cast<std::uint32_t>(verify::check<arch>(p, {}, ws.verify).errors());
  }

  // New control words for the present order, priced.
  static void price(program& p, workspace& ws, const model::options& m, detail::arrangement& into) {
    assign(p, ws);
    into.take(p, model::simulate<arch>(p, m, ws.model));
  }

  // Each block in the cheaper of its two orders.
  static void mix(program& p, const detail::arrangement& old_order, const detail::arrangement& new_order) {
    for (std::size_t b = 0; b < p.blocks.size(); ++b) {
      const block& k = p.blocks[b];
      const auto& from = new_order.block_cycles[b] < old_order.block_cycles[b] ? new_order.order : old_order.order;
      std::copy_n(from.begin() + k.first, k.count, p.order.begin() + k.first);
    }
  }

  static void count_blocks(const program& p, const std::vector<instr_id>& before, schedule_result& r) {
    for (const block& k : p.blocks) {
      if (k.padding || k.count == 0) continue;
      ++r.blocks;
      r.instructions += k.count;
      if (std::equal(p.order.begin() + k.first, p.order.begin() + k.first + k.count, before.begin() + k.first)) ++r.kept_blocks;
    }
  }
};

// The user-facing name: policies in any order, one canonical type, one sentence when they do not fit.
template <class... Policies>
using scheduler = compose_t<detail::pipeline_defaults, basic_scheduler, Policies...>;

}  // namespace ww
