// SPDX-License-Identifier: BSL-1.0
//
// Backend C (PLS-17) as a strategy: evaluate-then-commit list scheduling over a queue of three keys.
//
//   strategy::backend_c        over assigned registers (the text's mode 0, post-scheduling)
//   strategy::backend_c_pre    before registers are assigned (mode 1): coarse priorities, a bound on the pressure
//   basic_backend_c<O>         with a user's options (c/options.hpp); give it a name of its own
// A block, or part of one:
//   1  what other blocks and callees leave in flight is worked out, and every instruction described (c/describe.hpp)
//   2  a first round with the threshold gate inactive: every pick is rejected and retried, which is plain list scheduling
//   3  refinement: the gate is switched on with the mean score as its ceiling, then with the largest score in the solution
//      table. A round that is shorter than the best so far is committed; the first one that is not ends the search
// The graph alone decides what is legal.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../meta/role.hpp"
#include "../meta/rounded.hpp"
#include "../meta/span.hpp"
#include "../schedule/stats.hpp"
#include "../schedule/strategy.hpp"
#include "c/describe.hpp"
#include "c/list_round.hpp"
#include "c/options.hpp"
#include "c/space.hpp"

namespace ww::strategy {

template <class Options>
struct basic_backend_c {
  using role = ww::role::strategy;
  using space = backend::c::space<Options>;
  static constexpr const char* name = "basic_backend_c";
  static constexpr bool models_cycles = false;
  static constexpr bool uses_priority = false;

  template <class Config, class Workspace>
  static void prepare(const program& p, Workspace& ws) {
    prepare_space<typename Config::vectors>(p, ws.own);
  }
  template <class Vectors>
  static void prepare_space(const program& p, space& own) {
    own.live.template prepare<Vectors>(p);
    own.records.prepare(p, own.live.of_blocks.layout);
  }

  template <class Config, class Workspace>
  static bool order(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
    if (!ws.prepared) prepare<Config>(p, ws);
    space& own = ws.own;
    own.number.resize(order.size());
    for (std::uint32_t i = 0; i < own.number.size(); ++i) own.number[i] = i;
    return search<Config>(p, order, ws, own, stats);
  }

  // The same with `own.number` given: per instruction its third key, a permutation of 0..n-1.
  template <class Config>
  static bool search(const program& p, span<const instr_id> order, schedule_space& ws, space& own, schedule_stats& stats) {
    using arch = typename Config::arch;
    own.index_of.resize(order.size());
    for (std::uint32_t i = 0; i < own.number.size(); ++i) own.index_of[own.number[i]] = i;
    if constexpr (Options::when == backend::c::stage::pre) {
      own.live.start(p, ws.at, order);
    } else {
      own.live.start_end(p, ws.at, order);
    }
    own.records.template enter<arch, Options>(p, ws.at);
    backend::c::describe_part<arch, Options>(p, ws.at, order, ws, own);
    own.gate.reset();
    std::uint32_t best = 0;
    for (unsigned round = 0; round <= Options::refinements; ++round) {
      backend::c::list_round<Config, Options> schedule(p, order, ws, own, stats);
      if (!schedule.run()) return false;
      if (round > 0 && schedule.cycles() >= best) break;
      best = schedule.cycles();
      std::swap(own.best, ws.sequence);
      if (best <= least_cycles(ws) || !own.gate.refine(next_ceiling(own))) break;
    }
    std::swap(own.best, ws.sequence);
    commit(own, own.records[ws.at]);
    return true;
  }

 private:
  // No order of the part is shorter.
  static std::uint32_t least_cycles(const schedule_space& ws) { return std::max(ws.graph.critical_path, ws.graph.count); }

  static double next_ceiling(const space& own) {
    double ceiling = 0;
    if (own.gate.active()) {
      own.solutions.each([&](std::uint32_t, double score) { ceiling = std::max(ceiling, score); });
    } else {
      for (const backend::c::entry& e : own.entries) ceiling += e.score;
      ceiling /= static_cast<double>(own.entries.size());
    }
    return ceiling;
  }

  static void commit(const space& own, backend::c::block_record& record) {
    for (const backend::c::entry& e : own.entries) {
      record.weighted_latency += meta::rounded((e.priority - 2) * e.latency);
      record.pressure_latency += meta::rounded(e.latency * e.pressure_cost);
    }
    record.state = backend::c::block_record::unknown;  // its exit is worked out anew in the new order
  }
};

struct backend_c : basic_backend_c<backend::c::options> {
  static constexpr const char* name = "backend_c";
};
struct backend_c_pre : basic_backend_c<backend::c::pre_options> {
  static constexpr const char* name = "backend_c_pre";
};

}  // namespace ww::strategy
